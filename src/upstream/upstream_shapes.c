/* Computation of divisible extents, and padding and slicing at the high ends of dimensions. */
#include "upstream/upstream_shapes.h"
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"

int64_t sr_upstream_round_up(int64_t extent, int64_t shards)
{
	return extent % shards ? extent + shards - extent % shards : extent;
}

const struct sr_type *sr_upstream_divisible(struct sr_context *ctx, const struct sr_op *module, const struct sr_type *type,
					    const struct sr_attr *sharding)
{
	const struct sr_mesh *mesh = sharding ? sr_sharding_mesh(module, sharding->sharding) : NULL;
	if (!mesh || type->kind != SR_TYPE_TENSOR)
		return type;
	int64_t *shape = sr_dup(ctx->scratch, type->shape, (size_t)type->rank, sizeof *shape);
	for (int d = 0; d < type->rank && d < sharding->sharding->rank; d++)
		if (shape[d] != SR_DYNAMIC)
			shape[d] = sr_upstream_round_up(shape[d], sr_sdy_dim_shards(sharding->sharding, mesh, d));
	return sr_type_with_shape(ctx, type, type->rank, shape);
}

static bool has_shape(const struct sr_value *v, const int64_t *shape)
{
	for (int d = 0; d < v->type->rank; d++)
		if (v->type->shape[d] != shape[d])
			return false;
	return true;
}

struct sr_value *sr_upstream_pad_to(struct sr_builder *b, struct sr_value *v, const int64_t *shape, struct sr_value *fill,
				    const struct sr_attr *sharding)
{
	int rank = v->type->rank;
	int64_t *high = SR_NEW_ARRAY(b->ctx->scratch, int64_t, rank);
	if (has_shape(v, shape))
		return v;
	for (int d = 0; d < rank; d++)
		high[d] = shape[d] - v->type->shape[d];
	v = sr_build_pad(b, v, fill ? fill : sr_build_zero_scalar(b, v->type->element), NULL, high, NULL);
	sr_value_set_sharding(b->ctx, v, sharding);
	return v;
}

struct sr_value *sr_upstream_slice_to(struct sr_builder *b, struct sr_value *v, const int64_t *shape,
				      const struct sr_attr *sharding)
{
	if (has_shape(v, shape))
		return v;
	v = sr_build_slice(b, v, sr_make_ints(b->ctx, v->type->rank, 0), shape, NULL);
	sr_value_set_sharding(b->ctx, v, sharding);
	return v;
}

static int64_t shard_extent(int64_t extent, int64_t shards)
{
	return (extent + shards - 1) / shards;
}

bool sr_upstream_slice_keeps_shards(struct sr_context *ctx, const struct sr_op *slice, int dim, int64_t shards)
{
	const struct sr_type *in = sr_operand_type(slice, 0), *out = sr_result_type(slice, 0);
	if (shards <= 1)
		return true;
	if (sr_op_int_at(ctx, slice, SR_NAME_start_indices, dim, 0) || sr_op_int_at(ctx, slice, SR_NAME_strides, dim, 0) != 1)
		return false;
	return shard_extent(in->shape[dim], shards) == shard_extent(out->shape[dim], shards);
}

bool sr_upstream_pad_keeps_shards(struct sr_context *ctx, const struct sr_op *pad, int dim, int64_t shards)
{
	int64_t extent = sr_operand_type(pad, 0)->shape[dim], in = shard_extent(extent, shards),
		out = shard_extent(sr_result_type(pad, 0)->shape[dim], shards),
		low = sr_op_int_at(ctx, pad, SR_NAME_edge_padding_low, dim, 0);
	if (shards <= 1)
		return true;
	if (sr_op_int_at(ctx, pad, SR_NAME_interior_padding, dim, 0))
		return false;
	for (int64_t k = 0; k < shards; k++) {
		int64_t first = k * out - low, last = first + out - 1;
		first = first > 0 ? first : 0;
		last = last < extent - 1 ? last : extent - 1;
		if (first <= last && (first / in != k || last / in != k))
			return false;
	}
	return true;
}
