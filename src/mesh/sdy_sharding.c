/* Convert between sdy shardings and resolved shardings. */
#include "mesh/sdy_sharding.h"
#include "support/checked.h"

struct sr_axis_ref sr_axis_resolve(const struct sr_mesh *mesh, struct sr_sdy_axis axis)
{
	if (axis.size != 0)
		return (struct sr_axis_ref){axis.axis, axis.pre, axis.size};
	return (struct sr_axis_ref){axis.axis, 1, sr_mesh_axis_size(mesh, axis.axis)};
}

struct sr_axes sr_axes_resolve(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_sdy_axes axes)
{
	struct sr_axis_ref *refs = SR_NEW_ARRAY(arena, struct sr_axis_ref, axes.n);
	for (int i = 0; i < axes.n; i++)
		refs[i] = sr_axis_resolve(mesh, axes.refs[i]);
	return (struct sr_axes){refs, axes.n};
}

struct sr_sharding *sr_sharding_resolve(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_sdy_sharding *s)
{
	struct sr_sharding *out = SR_NEW(arena, struct sr_sharding);
	struct sr_dim_sharding *dims = SR_NEW_ARRAY(arena, struct sr_dim_sharding, s->rank);
	for (int d = 0; d < s->rank; d++)
		dims[d] = (struct sr_dim_sharding){sr_axes_resolve(arena, mesh, s->dims[d].axes), s->dims[d].closed, s->dims[d].priority};
	*out = (struct sr_sharding){.mesh_name = s->mesh_name,
				    .mesh = s->mesh,
				    .dims = dims,
				    .rank = s->rank,
				    .replicated = sr_axes_resolve(arena, mesh, s->replicated),
				    .unreduced = sr_axes_resolve(arena, mesh, s->unreduced),
				    .unreduced_kind = s->unreduced_kind};
	return out;
}

struct sr_sdy_axis sr_axis_to_sdy(const struct sr_mesh *mesh, struct sr_axis_ref ref)
{
	bool full_axis = ref.pre == 1 && ref.size == sr_mesh_axis_size(mesh, ref.axis);
	return (struct sr_sdy_axis){ref.axis, ref.pre, full_axis ? 0 : ref.size};
}

struct sr_sdy_axes sr_axes_to_sdy(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes)
{
	struct sr_sdy_axis *refs = SR_NEW_ARRAY(arena, struct sr_sdy_axis, axes.n);
	for (int i = 0; i < axes.n; i++)
		refs[i] = sr_axis_to_sdy(mesh, axes.refs[i]);
	return (struct sr_sdy_axes){refs, axes.n};
}

struct sr_sdy_sharding *sr_sharding_to_sdy(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_sharding *s)
{
	struct sr_sdy_sharding *out = SR_NEW(arena, struct sr_sdy_sharding);
	struct sr_sdy_dim *dims = SR_NEW_ARRAY(arena, struct sr_sdy_dim, s->rank);
	for (int d = 0; d < s->rank; d++)
		dims[d] = (struct sr_sdy_dim){sr_axes_to_sdy(arena, mesh, s->dims[d].axes), s->dims[d].closed, s->dims[d].priority};
	*out = (struct sr_sdy_sharding){.mesh_name = s->mesh_name,
					    .mesh = s->mesh,
					    .dims = dims,
					    .rank = s->rank,
					    .replicated = sr_axes_to_sdy(arena, mesh, s->replicated),
					    .unreduced = sr_axes_to_sdy(arena, mesh, s->unreduced),
					    .unreduced_kind = s->unreduced_kind};
	return out;
}

bool sr_sdy_axis_equal(struct sr_sdy_axis a, struct sr_sdy_axis b)
{
	return a.axis == b.axis && a.pre == b.pre && a.size == b.size;
}

bool sr_sdy_axes_equal(struct sr_sdy_axes a, struct sr_sdy_axes b)
{
	bool is_equal = a.n == b.n;
	for (int i = 0; is_equal && i < a.n; i++)
		is_equal = sr_sdy_axis_equal(a.refs[i], b.refs[i]);
	return is_equal;
}

bool sr_sdy_sharding_has_axes(const struct sr_sdy_sharding *s)
{
	for (int d = 0; d < s->rank; d++)
		if (s->dims[d].axes.n)
			return true;
	return false;
}

bool sr_sdy_sharding_is_replicated(const struct sr_sdy_sharding *s)
{
	return !sr_sdy_sharding_has_axes(s) && s->unreduced.n == 0;
}

bool sr_sdy_sharding_same_mesh(const struct sr_sdy_sharding *a, const struct sr_sdy_sharding *b)
{
	if (!a->mesh != !b->mesh)
		return false;
	return a->mesh ? sr_mesh_equal(a->mesh, b->mesh) : a->mesh_name == b->mesh_name;
}

bool sr_sdy_sharding_is_equivalent(const struct sr_sdy_sharding *a, const struct sr_sdy_sharding *b)
{
	bool is_a_replicated = !a || sr_sdy_sharding_is_replicated(a), is_b_replicated = !b || sr_sdy_sharding_is_replicated(b);
	if (is_a_replicated || is_b_replicated)
		return is_a_replicated == is_b_replicated;
	bool is_equivalent = sr_sdy_sharding_same_mesh(a, b) && a->rank == b->rank && sr_sdy_axes_equal(a->unreduced, b->unreduced) &&
		    (a->unreduced.n == 0 || a->unreduced_kind == b->unreduced_kind);
	for (int d = 0; is_equivalent && d < a->rank; d++)
		is_equivalent = sr_sdy_axes_equal(a->dims[d].axes, b->dims[d].axes);
	return is_equivalent;
}

int64_t sr_sdy_dim_shards(const struct sr_sdy_sharding *s, const struct sr_mesh *mesh, int dim)
{
	int64_t shards = 1;
	for (int i = 0; i < s->dims[dim].axes.n; i++)
		if (sr_mul_overflows(shards, sr_axis_resolve(mesh, s->dims[dim].axes.refs[i]).size, &shards))
			return INT64_MAX;
	return shards;
}

struct sr_sdy_sharding sr_sdy_replicated_sharding(struct sr_arena *arena, const char *mesh_name, int rank, bool closed)
{
	struct sr_sdy_dim *dims = SR_NEW_ARRAY(arena, struct sr_sdy_dim, rank);
	for (int i = 0; i < rank; i++)
		dims[i] = (struct sr_sdy_dim){.closed = closed, .priority = -1};
	return (struct sr_sdy_sharding){.mesh_name = mesh_name, .dims = dims, .rank = rank};
}
