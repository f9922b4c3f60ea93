/* Reshapes along sharded dimensions that the shards do not divide: if a dimension is split into several, devices exchange halos
 * with neighbors; other such dimensions are replicated.
 *
 * Dimensions of operand and result form groups of equal products: 6x35 and 6x5x7 give {6}{6} and {35}{5x7}. */
#include "dialect/attr_names.h"
#include "partition/insert_reshards/explicit_reshards.h"
#include "dialect/op_builders.h"
#include "upstream/permute.h"
#include "upstream/upstream_shapes.h"
#include "support/vec.h"

struct dim_range {
	int first, last; /* half-open range of dimensions [first, last) */
	int n_wide;        /* number of dimensions with extent above 1 */
};

struct group {
	struct dim_range in, out;
};

struct reshape {
	struct sr_permutation_pass *p;
	struct sr_op *op;
	const struct sr_type *in, *out;
	const struct sr_attr *in_attr, *out_attr;
	const struct sr_sharding *in_sharding, *out_sharding;
	SR_VEC(struct group) groups;
	/* shapes of operand and result, rounded up in groups whose extents the shards do not divide */
	int64_t *in_shape, *out_shape;
};

static struct dim_range side_of(const struct sr_type *t, int first, int last)
{
	struct dim_range s = {first, last, 0};
	for (int d = first; d < last; d++)
		s.n_wide += t->shape[d] != 1;
	return s;
}

static void find_groups(struct reshape *r)
{
	int i = 0, k = 0;
	while (i < r->in->rank || k < r->out->rank) {
		int i0 = i, k0 = k;
		int64_t x = i < r->in->rank ? r->in->shape[i++] : 1, y = k < r->out->rank ? r->out->shape[k++] : 1;
		while (x != y) {
			if (x < y && i < r->in->rank)
				x *= r->in->shape[i++];
			else if (y < x && k < r->out->rank)
				y *= r->out->shape[k++];
			else
				break;
		}
		struct group g = {side_of(r->in, i0, i), side_of(r->out, k0, k)};
		sr_push(r->p->ctx->scratch, &r->groups, g);
	}
}

static bool passes_through(const struct group *g)
{
	return g->in.n_wide <= 1 && g->out.n_wide <= 1;
}

static bool range_is_uneven(struct dim_range dims, const struct sr_type *t, const struct sr_sharding *s)
{
	for (int d = dims.first; d < dims.last; d++)
		if (t->shape[d] % sr_axes_size(s->dims[d].axes))
			return true;
	return false;
}

static bool is_uneven(const struct reshape *r, const struct group *g)
{
	return range_is_uneven(g->in, r->in, r->in_sharding) || range_is_uneven(g->out, r->out, r->out_sharding);
}

static int64_t n_elements_of_dims(struct dim_range dims, const int64_t *shape)
{
	int64_t n = 1;
	for (int d = dims.first; d < dims.last; d++)
		n *= shape[d];
	return n;
}

static void round_up(struct dim_range dims, const struct sr_sharding *s, int64_t *shape)
{
	for (int d = dims.first; d < dims.last; d++)
		shape[d] = sr_upstream_round_up(shape[d], sr_axes_size(s->dims[d].axes));
}

/* Return true if the reshape moves no element to another device: the shards have equal placement, or no dimension is split or
 * joined. */
static bool keeps_placement(struct reshape *r)
{
	struct sr_arena *arena = r->p->ctx->scratch;
	if (sr_sharding_same_placement(arena, r->in_sharding, r->in->shape, r->out_sharding, r->out->shape, false))
		return true;
	for (size_t i = 0; i < r->groups.n; i++)
		if (!passes_through(&r->groups.data[i]))
			return false;
	return sr_sharding_same_placement(arena, r->in_sharding, r->in->shape, r->out_sharding, r->out->shape, true);
}

/* ---- replicated ---- */

static void add_axes(struct sr_arena *arena, struct sr_axes *to, struct dim_range dims, const struct sr_sharding *s)
{
	for (int d = dims.first; d < dims.last; d++)
		for (int i = 0; i < s->dims[d].axes.n; i++)
			*to = sr_axes_append(arena, *to, s->dims[d].axes.refs[i]);
}

static const struct sr_attr *sharding_without_axes(struct reshape *r, const struct sr_attr *attr, const struct sr_sharding *s,
						   struct sr_axes axes)
{
	struct sr_arena *arena = r->p->ctx->scratch;
	struct sr_sharding out = *s;
	struct sr_dim_sharding *dims = sr_dup(arena, s->dims, (size_t)s->rank, sizeof *dims);
	if (!axes.n)
		return attr;
	for (int d = 0; d < s->rank; d++)
		if (!sr_axes_difference(arena, s->dims[d].axes, axes, &dims[d].axes))
			dims[d].axes = (struct sr_axes){0};
	out.dims = dims;
	return sr_sharding_attr(r->p->ctx, r->p->mesh, &out);
}

static void replicate(struct reshape *r)
{
	struct sr_permutation_pass *p = r->p;
	struct sr_axes removed_axes = {0};
	for (size_t i = 0; i < r->groups.n; i++) {
		const struct group *g = &r->groups.data[i];
		if (passes_through(g) || !is_uneven(r, g))
			continue;
		add_axes(p->ctx->scratch, &removed_axes, g->in, r->in_sharding);
		add_axes(p->ctx->scratch, &removed_axes, g->out, r->out_sharding);
	}
	struct sr_value *result = sr_result(r->op, 0);
	sr_op_set_operand(r->op, 0,
			  sr_build_reshard(&p->builder, sr_operand(r->op, 0),
					   sharding_without_axes(r, r->in_attr, r->in_sharding, removed_axes)));
	struct sr_builder builder = sr_builder_after(p->ctx, result);
	struct sr_value *resharded = sr_build_reshard(&builder, result, r->out_attr);
	sr_value_replace_except(result, resharded, resharded->def);
	sr_permute_reshard_value(p, result, sharding_without_axes(r, r->out_attr, r->out_sharding, removed_axes));
}

/* ---- exchanged ---- */

/* Return true if every group whose extents the shards do not divide splits one dimension into several, with shards of equal
 * size. */
static bool can_exchange(struct reshape *r)
{
	bool has_uneven_group = false;
	for (size_t i = 0; i < r->groups.n; i++) {
		const struct group *g = &r->groups.data[i];
		if (passes_through(g) || !is_uneven(r, g))
			continue;
		int64_t x = r->in->shape[g->in.first], y = r->out->shape[g->out.first];
		if (g->in.n_wide != 1 || g->in.n_wide != g->in.last - g->in.first || g->out.n_wide != g->out.last - g->out.first ||
		    (x % y && y % x) || n_elements_of_dims(g->in, r->in_shape) != n_elements_of_dims(g->out, r->out_shape))
			return false;
		has_uneven_group = true;
	}
	return has_uneven_group;
}

/* Return the index of the first element of shard `shard` in the dimension that is split. */
static int64_t start_of(const struct reshape *r, const struct group *g, int64_t shard)
{
	int64_t start = 0, step = 1;
	for (int d = g->out.last - 1; d >= g->out.first; d--) {
		int64_t shards = sr_axes_size(r->out_sharding->dims[d].axes),
			shard_extent = (r->out->shape[d] + shards - 1) / shards;
		start += shard % shards * shard_extent * step;
		shard /= shards;
		step *= r->out->shape[d];
	}
	return start;
}

static struct sr_neighbor_range range_of(struct reshape *r, const struct group *g)
{
	struct sr_arena *arena = r->p->ctx->scratch;
	int dim = g->in.first;
	int64_t extent = r->in->shape[dim], shards = sr_axes_size(r->in_sharding->dims[dim].axes),
		shard_extent = (extent + shards - 1) / shards;
	int64_t *first_shard = SR_NEW_ARRAY(arena, int64_t, shards), *at = SR_NEW_ARRAY(arena, int64_t, shards);
	struct sr_neighbor_range d = {.shards = shards, .out = r->in_shape[dim] / shards};
	d.read_extent = d.out;
	for (int k = g->out.first; k < g->out.last; k++)
		for (int i = 0; i < r->out_sharding->dims[k].axes.n; i++)
			d.axes = sr_axes_append(arena, d.axes, r->out_sharding->dims[k].axes.refs[i]);
	for (int64_t t = 0; t < shards; t++) {
		int64_t first = start_of(r, g, t), last = first + d.out - 1;
		first_shard[t] = first < extent ? first / shard_extent : -1;
		int64_t to = last < extent ? last / shard_extent : -1;
		at[t] = first_shard[t] >= 0 ? first - first_shard[t] * shard_extent : 0;
		d.needs_neighbors = d.needs_neighbors || (first_shard[t] >= 0 && first_shard[t] != t) || (to >= 0 && to != t);
		d.left = first_shard[t] >= 0 && t - first_shard[t] > d.left ? t - first_shard[t] : d.left;
		d.right = to - t > d.right ? to - t : d.right;
	}
	d.offsets = SR_NEW_ARRAY(arena, int64_t, shards);
	for (int64_t t = 0; t < shards; t++)
		d.offsets[t] = d.read_extent + (d.left + (first_shard[t] >= 0 ? first_shard[t] - t : 0)) * d.out + at[t];
	d.uses_halo = d.left <= 1 && d.right <= 1;
	return d;
}

static struct sr_value *reshape_shard(void *data, struct sr_permutation_pass *p, struct sr_value *v, struct sr_value *fill,
				      const struct sr_type *global_type)
{
	struct reshape *r = data;
	int64_t *shape = SR_NEW_ARRAY(p->ctx->scratch, int64_t, r->out->rank);
	(void)fill, (void)global_type;
	for (int d = 0; d < r->out->rank; d++)
		shape[d] = r->out_shape[d] / sr_permute_manual_shards(p, r->out_sharding->dims[d].axes);
	v = sr_build_reshape(&p->builder, v, r->out->rank, shape);
	sr_permute_reshard_value(p, v, sr_permute_sharding_inside(p, r->out_attr));
	return v;
}

/* Expand the reshape by halo exchange. Returns false if a shard needs elements of devices beyond its neighbors. */
static bool exchange(struct reshape *r)
{
	struct sr_permutation_pass *p = r->p;
	struct sr_neighbor_range *dims = SR_NEW_ARRAY(p->ctx->scratch, struct sr_neighbor_range, r->in->rank);
	for (size_t i = 0; i < r->groups.n; i++) {
		const struct group *g = &r->groups.data[i];
		if (passes_through(g) || !is_uneven(r, g) || sr_axes_size(r->in_sharding->dims[g->in.first].axes) <= 1)
			continue;
		dims[g->in.first] = range_of(r, g);
		if (!dims[g->in.first].uses_halo)
			return false;
	}
	struct sr_halo_exchange x = {.in = r->in_attr, .out = r->out_attr, .result = r->out, .dims = dims, .finish = reshape_shard,
				     .data = r};
	x.fill = sr_build_zero_scalar(&p->builder, r->in->element);
	x.input = sr_upstream_pad_to(&p->builder, sr_operand(r->op, 0), r->in_shape, NULL, r->in_attr);
	struct sr_value *v = sr_permute_exchange(p, &x);
	v = sr_upstream_slice_to(&p->builder, v, r->out->shape, r->out_attr);
	sr_value_replace_all(sr_result(r->op, 0), v);
	sr_op_erase(r->op);
	return true;
}

enum sr_status sr_permute_reshape(struct sr_permutation_pass *p, struct sr_op *op)
{
	struct sr_context *ctx = p->ctx;
	struct reshape r = {.p = p, .op = op, .in = sr_operand_type(op, 0), .out = sr_result_type(op, 0),
			    .in_attr = sr_value_sharding(ctx, sr_operand(op, 0)),
			    .out_attr = sr_value_sharding(ctx, sr_result(op, 0))};
	if (!r.out_attr || !sr_type_is_static(r.in) || !sr_type_is_static(r.out))
		return SR_OK;
	r.in_sharding = sr_permute_sharding(p, r.in_attr);
	r.out_sharding = sr_permute_sharding(p, r.out_attr);
	r.in_shape = sr_dup(ctx->scratch, r.in->shape, (size_t)r.in->rank, sizeof *r.in_shape);
	r.out_shape = sr_dup(ctx->scratch, r.out->shape, (size_t)r.out->rank, sizeof *r.out_shape);
	find_groups(&r);
	if (keeps_placement(&r))
		return SR_OK;
	bool is_same_placement = sr_sharding_same_placement(ctx->scratch, r.in_sharding, r.in->shape, r.out_sharding, r.out->shape,
							    true);
	for (size_t i = 0; is_same_placement && i < r.groups.n; i++) {
		const struct group *g = &r.groups.data[i];
		if (!is_uneven(&r, g))
			continue;
		round_up(g->in, r.in_sharding, r.in_shape);
		round_up(g->out, r.out_sharding, r.out_shape);
		for (int d = g->in.first; d < g->in.last; d++)
			sr_permute_add_manual_axes(p, r.in_sharding->dims[d].axes);
		for (int d = g->out.first; d < g->out.last; d++)
			sr_permute_add_manual_axes(p, r.out_sharding->dims[d].axes);
	}
	if (!is_same_placement || !p->uses_halo || !p->n_manual || !can_exchange(&r) || !exchange(&r))
		replicate(&r);
	return SR_OK;
}
