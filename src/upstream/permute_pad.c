/* Expansion of pads and slices along sharded dimensions: which neighbors' shards a shard of the result needs. */
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "upstream/permute.h"
#include "upstream/upstream_shapes.h"

/* Return the range of the operand that is read along one dimension: shard t of the result reads from element t * out - low on, of
 * the operand with `interior` padding. */
static struct sr_neighbor_range range_of(int64_t shards, int64_t shard, int64_t out, int64_t low, int64_t interior, int64_t extent)
{
	struct sr_neighbor_range d = {.shards = shards, .out = out, .read_extent = out, .uses_halo = true};
	for (int64_t t = 0; t < shards; t++) {
		int64_t first = (t * out - low) / (interior + 1), last = first + out - 1;
		first = first > 0 ? first : 0;
		last = last < extent - 1 ? last : extent - 1;
		if (first > last) {
			d.needs_neighbors = true;
			continue;
		}
		int64_t first_shard = first / shard, last_shard = last / shard;
		d.needs_neighbors = d.needs_neighbors || first_shard != t || last_shard != t;
		d.left = t - first_shard > d.left ? t - first_shard : d.left;
		d.right = last_shard - t > d.right ? last_shard - t : d.right;
	}
	if (d.left + d.right + 1 >= shards && (d.left > 1 || d.right > 1))
		d.uses_halo = false; /* if many devices need most shards, a gather costs no more */
	return d;
}

/* Description of a pad, or of a slice as a pad with negative amounts. */
struct pad_description {
	const struct sr_attr *in;
	const struct sr_sharding *sharding;
	const int64_t *low, *high, *interior; /* padding of each dimension at its ends and between elements; interior NULL: zeros */
	int64_t *start, *limit;               /* limits of a slice; NULL: the op is a pad */
	struct sr_neighbor_range *dims;
	int64_t *divisible_extents; /* extents of the operand, rounded up to multiples of their shards */
	bool needs_neighbors, uses_halo;
};

static void read_dims(struct sr_permutation_pass *p, struct sr_op *op, struct pad_description *e)
{
	const struct sr_type *in = sr_operand_type(op, 0), *out = sr_result_type(op, 0);
	e->sharding = sr_permute_sharding(p, e->in);
	e->dims = SR_NEW_ARRAY(p->ctx->scratch, struct sr_neighbor_range, in->rank);
	e->divisible_extents = sr_dup(p->ctx->scratch, in->shape, (size_t)in->rank, sizeof *e->divisible_extents);
	e->uses_halo = true;
	for (int d = 0; d < in->rank; d++) {
		struct sr_axes axes = e->sharding->dims[d].axes;
		int64_t shards = sr_axes_size(axes);
		if (shards <= 1)
			continue;
		sr_permute_add_manual_axes(p, axes);
		e->divisible_extents[d] = sr_upstream_round_up(in->shape[d], shards);
		e->dims[d] = range_of(shards, e->divisible_extents[d] / shards, (out->shape[d] + shards - 1) / shards, e->low[d],
				      e->interior ? e->interior[d] : 0, in->shape[d]);
		e->dims[d].axes = axes;
		e->needs_neighbors = e->needs_neighbors || e->dims[d].needs_neighbors;
		e->uses_halo = e->uses_halo && e->dims[d].uses_halo;
	}
}

/* Apply the op to the dimensions that are not sharded. */
static struct sr_value *pad_unsharded_dims(void *data, struct sr_permutation_pass *p, struct sr_value *v, struct sr_value *fill,
					   const struct sr_type *global_type)
{
	const struct pad_description *e = data;
	struct sr_context *ctx = p->ctx;
	int rank = v->type->rank;
	int64_t *low = sr_make_ints(ctx, rank, 0), *high = sr_make_ints(ctx, rank, 0), *interior = sr_make_ints(ctx, rank, 0);
	bool is_any_padded = false;
	(void)global_type;
	for (int d = 0; d < rank; d++) {
		if (e->dims[d].shards > 1)
			continue;
		low[d] = e->low[d], high[d] = e->high[d], interior[d] = e->interior[d];
		is_any_padded = is_any_padded || low[d] || high[d] || interior[d];
	}
	if (!is_any_padded)
		return v;
	v = sr_build_pad(&p->builder, v, fill, low, high, interior);
	sr_permute_reshard_value(p, v, sr_permute_sharding_inside(p, e->in));
	return v;
}

static struct sr_value *slice_unsharded_dims(void *data, struct sr_permutation_pass *p, struct sr_value *v, struct sr_value *fill,
					     const struct sr_type *global_type)
{
	const struct pad_description *e = data;
	int rank = v->type->rank;
	int64_t *start = sr_make_ints(p->ctx, rank, 0),
		*limit = sr_dup(p->ctx->scratch, v->type->shape, (size_t)rank, sizeof *limit);
	bool is_any_sliced = false;
	(void)fill, (void)global_type;
	for (int d = 0; d < rank; d++) {
		if (e->dims[d].shards > 1)
			continue;
		is_any_sliced = is_any_sliced || e->start[d] || e->limit[d] != limit[d];
		start[d] = e->start[d], limit[d] = e->limit[d];
	}
	if (!is_any_sliced)
		return v;
	v = sr_build_slice(&p->builder, v, start, limit, NULL);
	sr_permute_reshard_value(p, v, sr_permute_sharding_inside(p, e->in));
	return v;
}

static bool exchange(struct sr_permutation_pass *p, struct sr_op *op, struct pad_description *e, struct sr_value *given_fill)
{
	struct sr_value *in = sr_operand(op, 0), *v;
	read_dims(p, op, e);
	if (!e->needs_neighbors)
		return true;
	if (!e->uses_halo)
		return false;
	v = sr_upstream_pad_to(&p->builder, in, e->divisible_extents, given_fill, e->in);
	struct sr_halo_exchange x = {.input = v,
				     .in = e->in,
				     .out = e->in,
				     .result = sr_result_type(op, 0),
				     .dims = e->dims,
				     .low = e->low,
				     .interior = e->interior,
				     .finish = e->start ? slice_unsharded_dims : pad_unsharded_dims,
				     .data = e};
	x.fill = given_fill ? given_fill : sr_build_zero_scalar(&p->builder, in->type->element);
	v = sr_permute_exchange(p, &x);
	v = sr_upstream_slice_to(&p->builder, v, sr_result_type(op, 0)->shape, e->in);
	sr_value_replace_all(sr_result(op, 0), v);
	sr_op_erase(op);
	return true;
}

bool sr_permute_pad(struct sr_permutation_pass *p, struct sr_op *op)
{
	struct pad_description e = {.in = sr_value_sharding(p->ctx, sr_operand(op, 0))};
	int64_t n;
	if (!sr_op_ints(p->ctx, op, SR_NAME_edge_padding_low, &e.low, &n) ||
	    !sr_op_ints(p->ctx, op, SR_NAME_edge_padding_high, &e.high, &n) ||
	    !sr_op_ints(p->ctx, op, SR_NAME_interior_padding, &e.interior, &n))
		return false;
	return exchange(p, op, &e, sr_operand(op, 1));
}

bool sr_permute_slice(struct sr_permutation_pass *p, struct sr_op *op)
{
	struct pad_description e = {.in = sr_value_sharding(p->ctx, sr_operand(op, 0))};
	const int64_t *start, *limit;
	int64_t n;
	if (!sr_op_ints(p->ctx, op, SR_NAME_start_indices, &start, &n) ||
	    !sr_op_ints(p->ctx, op, SR_NAME_limit_indices, &limit, &n))
		return false;
	int64_t *low = SR_NEW_ARRAY(p->ctx->scratch, int64_t, n);
	for (int64_t d = 0; d < n; d++)
		low[d] = -start[d];
	e.low = low;
	e.start = sr_dup(p->ctx->scratch, start, (size_t)n, sizeof *start);
	e.limit = sr_dup(p->ctx->scratch, limit, (size_t)n, sizeof *limit);
	return exchange(p, op, &e, NULL);
}
