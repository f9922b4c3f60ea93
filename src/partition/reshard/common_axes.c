/* Computation of common axes of two meshes that number the same devices along different axes.
 *
 *	@a = <["x"=4, "y"=2]>, @b = <["u"=2, "v"=4]>: common mesh <["0"=2, "1"=2, "2"=2]>,
 *	"x" is {"0", "1"}, "u" is {"0"}, "v" is {"1", "2"}
 *
 * An axis reference is a range of mixed-radix digits of a device's position, from its stride to its stride times its size. If
 * the ends of all ranges in use, sorted, divide each other, they split the position into common digits. On 6 devices,
 * the axes of size 2 of meshes <2, 3> and <3, 2> have no common digits. */
#include "dialect/ops.h"
#include "partition/reshard/reshard_plan.h"
#include "support/integers.h"
#include <stdlib.h>

struct range {
	int64_t low, high; /* stride of the reference, and stride of the next reference to its left */
};

static struct range range_of(const struct sr_mesh *mesh, struct sr_axis_ref ref)
{
	int i = sr_mesh_axis_index(mesh, ref.axis);
	int64_t low = i < 0 ? 1 : mesh->axes[i].size / (ref.pre * ref.size);
	for (int k = i + 1; i >= 0 && k < mesh->n_axes; k++)
		low *= mesh->axes[k].size;
	return (struct range){low, low * ref.size};
}

struct digit_bounds {
	struct sr_arena *arena;
	SR_VEC(int64_t) at; /* bounds in ascending order, each dividing the next one */
};

static void add_axes(struct digit_bounds *c, const struct sr_mesh *mesh, struct sr_axes axes)
{
	for (int i = 0; i < axes.n; i++) {
		struct range r = range_of(mesh, axes.refs[i]);
		sr_push(c->arena, &c->at, r.low);
		sr_push(c->arena, &c->at, r.high);
	}
}

/* Sort the bounds and remove duplicates. Returns false if some bound does not divide the next one, so that there are no common
 * digits. */
static bool find_digits(struct digit_bounds *c)
{
	size_t n = 1;
	qsort(c->at.data, c->at.n, sizeof *c->at.data, sr_compare_integers);
	for (size_t i = 1; i < c->at.n; i++) {
		if (c->at.data[i] % c->at.data[n - 1])
			return false;
		if (c->at.data[i] != c->at.data[n - 1])
			c->at.data[n++] = c->at.data[i];
	}
	c->at.n = n;
	return true;
}

static const char *digit_name(struct sr_context *ctx, const struct digit_bounds *c, size_t low)
{
	return sr_intern(ctx, sr_printf(c->arena, "%zu", c->at.n - 2 - low));
}

/* Return the mesh of the common digits, with the device order of `like`. */
static const struct sr_mesh *mesh_of(struct sr_context *ctx, const struct digit_bounds *c, const struct sr_mesh *like)
{
	struct sr_mesh *mesh = sr_dup(c->arena, like, 1, sizeof *mesh);
	struct sr_axis *axes = SR_NEW_ARRAY(c->arena, struct sr_axis, c->at.n);
	mesh->n_axes = 0;
	for (size_t i = c->at.n - 1; i-- > 0;)
		axes[mesh->n_axes++] = (struct sr_axis){digit_name(ctx, c, i), c->at.data[i + 1] / c->at.data[i]};
	mesh->axes = axes;
	return mesh;
}

static struct sr_axes axes_in_digits(struct sr_context *ctx, const struct digit_bounds *c, const struct sr_mesh *mesh,
				     struct sr_axes axes)
{
	struct sr_axes out = {0};
	for (int i = 0; i < axes.n; i++) {
		struct range r = range_of(mesh, axes.refs[i]);
		for (size_t k = c->at.n - 1; k-- > 0;)
			if (c->at.data[k] >= r.low && c->at.data[k + 1] <= r.high)
				out = sr_axes_append(c->arena, out,
						     (struct sr_axis_ref){digit_name(ctx, c, k), 1,
									  c->at.data[k + 1] / c->at.data[k]});
	}
	return out;
}

static struct sr_sdy_sharding sharding_in_digits(struct sr_context *ctx, const struct digit_bounds *c, const struct sr_mesh *mesh,
						 const struct sr_sharding *s)
{
	struct sr_dim_sharding *dims = SR_NEW_ARRAY(c->arena, struct sr_dim_sharding, s->rank);
	struct sr_sharding out = {
		.mesh = mesh_of(ctx, c, mesh), .dims = dims, .rank = s->rank, .unreduced_kind = s->unreduced_kind};
	for (int d = 0; d < s->rank; d++)
		dims[d] = (struct sr_dim_sharding){
		    .axes = axes_in_digits(ctx, c, mesh, s->dims[d].axes), .closed = true, .priority = -1};
	out.unreduced = sr_axes_sort_and_merge(c->arena, out.mesh, axes_in_digits(ctx, c, mesh, s->unreduced));
	return *sr_sharding_attr(ctx, out.mesh, &out)->sharding;
}

bool sr_mesh_shardings_to_common_axes(struct sr_context *ctx, struct sr_mesh_sharding *in, struct sr_mesh_sharding *out)
{
	struct sr_mesh_sharding *ends[] = {in, out};
	const struct sr_sharding *resolved_shardings[2];
	struct digit_bounds c = {.arena = ctx->arena};
	sr_push(c.arena, &c.at, (int64_t)1);
	sr_push(c.arena, &c.at, sr_mesh_devices(in->mesh));
	for (int i = 0; i < 2; i++) {
		resolved_shardings[i] = sr_sharding_resolve(c.arena, ends[i]->mesh, &ends[i]->sharding);
		for (int d = 0; d < resolved_shardings[i]->rank; d++)
			add_axes(&c, ends[i]->mesh, resolved_shardings[i]->dims[d].axes);
		add_axes(&c, ends[i]->mesh, resolved_shardings[i]->unreduced);
	}
	if (!find_digits(&c))
		return false;
	for (int i = 0; i < 2; i++) {
		ends[i]->sharding = sharding_in_digits(ctx, &c, ends[i]->mesh, resolved_shardings[i]);
		ends[i]->mesh = ends[i]->sharding.mesh;
	}
	return true;
}
