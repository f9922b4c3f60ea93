/* From what was written to what is computed with, and back. */
#include "mesh/written.h"
#include "support/checked.h"

struct sr_axis_ref sr_axis_resolve(const struct sr_mesh *mesh, struct sr_written_axis axis)
{
	if (axis.size != 0)
		return (struct sr_axis_ref){axis.axis, axis.pre, axis.size};
	return (struct sr_axis_ref){axis.axis, 1, sr_mesh_axis_size(mesh, axis.axis)};
}

struct sr_axes sr_axes_resolve(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_written_axes axes)
{
	struct sr_axis_ref *refs = SR_NEWS(arena, struct sr_axis_ref, axes.n);
	for (int i = 0; i < axes.n; i++)
		refs[i] = sr_axis_resolve(mesh, axes.refs[i]);
	return (struct sr_axes){refs, axes.n};
}

struct sr_sharding *sr_sharding_resolve(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_written_sharding *s)
{
	struct sr_sharding *out = SR_NEW(arena, struct sr_sharding);
	struct sr_dim_sharding *dims = SR_NEWS(arena, struct sr_dim_sharding, s->rank);
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

struct sr_written_axis sr_axis_written(const struct sr_mesh *mesh, struct sr_axis_ref ref)
{
	bool whole = ref.pre == 1 && ref.size == sr_mesh_axis_size(mesh, ref.axis);
	return (struct sr_written_axis){ref.axis, ref.pre, whole ? 0 : ref.size};
}

struct sr_written_axes sr_axes_written(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes)
{
	struct sr_written_axis *refs = SR_NEWS(arena, struct sr_written_axis, axes.n);
	for (int i = 0; i < axes.n; i++)
		refs[i] = sr_axis_written(mesh, axes.refs[i]);
	return (struct sr_written_axes){refs, axes.n};
}

struct sr_written_sharding *sr_sharding_written(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_sharding *s)
{
	struct sr_written_sharding *out = SR_NEW(arena, struct sr_written_sharding);
	struct sr_written_dim *dims = SR_NEWS(arena, struct sr_written_dim, s->rank);
	for (int d = 0; d < s->rank; d++)
		dims[d] = (struct sr_written_dim){sr_axes_written(arena, mesh, s->dims[d].axes), s->dims[d].closed, s->dims[d].priority};
	*out = (struct sr_written_sharding){.mesh_name = s->mesh_name,
					    .mesh = s->mesh,
					    .dims = dims,
					    .rank = s->rank,
					    .replicated = sr_axes_written(arena, mesh, s->replicated),
					    .unreduced = sr_axes_written(arena, mesh, s->unreduced),
					    .unreduced_kind = s->unreduced_kind};
	return out;
}

bool sr_written_axis_equal(struct sr_written_axis a, struct sr_written_axis b)
{
	return a.axis == b.axis && a.pre == b.pre && a.size == b.size;
}

bool sr_written_axes_equal(struct sr_written_axes a, struct sr_written_axes b)
{
	bool equal = a.n == b.n;
	for (int i = 0; equal && i < a.n; i++)
		equal = sr_written_axis_equal(a.refs[i], b.refs[i]);
	return equal;
}

bool sr_written_is_replicated(const struct sr_written_sharding *s)
{
	for (int d = 0; d < s->rank; d++)
		if (s->dims[d].axes.n)
			return false;
	return s->unreduced.n == 0;
}

static bool same_mesh(const struct sr_written_sharding *a, const struct sr_written_sharding *b)
{
	if (!a->mesh != !b->mesh)
		return false;
	return a->mesh ? sr_mesh_equal(a->mesh, b->mesh) : a->mesh_name == b->mesh_name;
}

bool sr_written_is_equivalent(const struct sr_written_sharding *a, const struct sr_written_sharding *b)
{
	bool a_replicated = !a || sr_written_is_replicated(a), b_replicated = !b || sr_written_is_replicated(b);
	if (a_replicated || b_replicated)
		return a_replicated == b_replicated;
	bool same = same_mesh(a, b) && a->rank == b->rank && sr_written_axes_equal(a->unreduced, b->unreduced) &&
		    (a->unreduced.n == 0 || a->unreduced_kind == b->unreduced_kind);
	for (int d = 0; same && d < a->rank; d++)
		same = sr_written_axes_equal(a->dims[d].axes, b->dims[d].axes);
	return same;
}

int64_t sr_written_dim_shards(const struct sr_written_sharding *s, const struct sr_mesh *mesh, int dim)
{
	int64_t shards = 1;
	for (int i = 0; i < s->dims[dim].axes.n; i++)
		if (sr_mul_overflows(shards, sr_axis_resolve(mesh, s->dims[dim].axes.refs[i]).size, &shards))
			return INT64_MAX;
	return shards;
}

struct sr_written_sharding sr_written_replicated(struct sr_arena *arena, const char *mesh_name, int rank, bool closed)
{
	struct sr_written_dim *dims = SR_NEWS(arena, struct sr_written_dim, rank);
	for (int i = 0; i < rank; i++)
		dims[i] = (struct sr_written_dim){.closed = closed, .priority = -1};
	return (struct sr_written_sharding){.mesh_name = mesh_name, .dims = dims, .rank = rank};
}
