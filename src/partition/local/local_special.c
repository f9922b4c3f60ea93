/* Rewriting of ops whose local form needs more than local types: ops with extents as attributes, constants, iota. */
#include "dialect/signature.h"
#include "dialect/attr_names.h"
#include "partition/local/local.h"
#include "support/probe.h"

/* Return the local extent of a dimension. */
static int64_t local_extent(const struct sr_local *l, const struct sr_value *v, int dim)
{
	const struct sr_local_value *info = sr_local_find(l, v);
	return info ? info->local_type->shape[dim] : v->type->shape[dim];
}

static int64_t global_extent(const struct sr_local *l, const struct sr_value *v, int dim)
{
	const struct sr_local_value *info = sr_local_find(l, v);
	return info ? info->global_type->shape[dim] : v->type->shape[dim];
}

static int64_t *ints(struct sr_local *l, struct sr_op *op, const char *name, int64_t *n)
{
	const int64_t *v;
	*n = 0;
	if (!sr_op_ints(l->ctx, op, name, &v, n))
		return NULL;
	return sr_dup(l->ctx->arena, v, (size_t)*n, sizeof *v);
}

/* Rewrite a constant: a splat becomes a smaller splat; other constants are built replicated and sliced. */
enum sr_status sr_local_constant(struct sr_local *l, struct sr_op *op)
{
	const struct sr_local_value *info = sr_local_find(l, sr_result(op, 0));
	const struct sr_attr *value = sr_op_attr(op, SR_NAME_value);
	struct sr_value *v;
	if (!value || value->kind != SR_ATTR_DENSE)
		return sr_op_error(op, &l->ctx->diags, SR_UNSUPPORTED,
				   "is not a dense constant and cannot be sliced");
	if (info && info->local_type != info->global_type && value->dense->splat) {
		v = sr_build_constant(&l->builder, sr_attr_dense(l->ctx, info->local_type,
								 value->dense->data ? value->dense->data
									       : sr_dense_data(l->ctx, value, false, &(int64_t){0}),
								 value->dense->n_bytes));
	} else {
		v = sr_build_constant(&l->builder, value);
		for (int d = 0; info && info->local_type != info->global_type && d < info->global_type->rank; d++)
			if (sr_local_shards(l, sr_result(op, 0), d) > 1)
				v = sr_local_slice_along(l, v, d, sr_local_axes(l, sr_result(op, 0), d));
	}
	sr_local_replace(l, op, &v);
	return SR_OK;
}

/* Rewrite iota: along the iota dimension each device adds its offset. */
enum sr_status sr_local_iota(struct sr_local *l, struct sr_op *op)
{
	struct sr_value *out = sr_result(op, 0);
	int dim = (int)sr_op_int(op, SR_NAME_iota_dimension, 0);
	struct sr_axes axes = sr_local_axes(l, out, dim);
	if (sr_axes_size(axes) <= 1)
		return SR_OK;
	/* The sum is computed in integers: in a short float, count + offset can round differently from the exact number. */
	struct sr_named_attr iota_attr = {SR_NAME_iota_dimension, sr_attr_i64(l->ctx, dim)},
			no_dims = {SR_NAME_broadcast_dimensions, sr_attr_i64s(l->ctx, NULL, 0)};
	struct sr_value *offset = sr_local_offset(l, axes, out->type->shape[dim]);
	const struct sr_type *type = sr_type_tensor(l->ctx, offset->type->dtype, out->type->rank, out->type->shape);
	struct sr_value *count = sr_result(sr_build(&l->builder, SR_OP_stablehlo_iota, NULL, 0, &iota_attr, 1, &type, 1), 0);
	offset = sr_result(sr_build(&l->builder, SR_OP_stablehlo_broadcast_in_dim, &offset, 1, &no_dims, 1, &type, 1), 0);
	struct sr_value *sum[] = {count, offset},
			*v = sr_result(sr_build(&l->builder, SR_OP_stablehlo_add, sum, 2, NULL, 0, &type, 1), 0);
	if (type != out->type)
		v = sr_result(sr_build(&l->builder, SR_OP_stablehlo_convert, &v, 1, NULL, 0, &out->type, 1), 0);
	sr_local_replace(l, op, &v);
	return SR_OK;
}

static enum sr_status error_partial_dim(struct sr_local *l, struct sr_op *op, int dim)
{
	return sr_op_error(op, &l->ctx->diags, SR_INTERNAL,
			   "reads a part of dimension %d, which is sharded; it should have been gathered", dim);
}

/* Rewrite slice limits. A sharded dimension is always sliced in full, since shardrun-insert-reshards replicates partially sliced
 * dimensions. */
enum sr_status sr_local_slice(struct sr_local *l, struct sr_op *op)
{
	struct sr_value *in = sr_operand(op, 0);
	int64_t n, m, *start = ints(l, op, SR_NAME_start_indices, &m), *limit = ints(l, op, SR_NAME_limit_indices, &n);
	for (int d = 0; d < n; d++) {
		if (sr_local_shards(l, in, d) <= 1)
			continue;
		if (start[d] || limit[d] != global_extent(l, in, d))
			return error_partial_dim(l, op, d);
		limit[d] = local_extent(l, in, d);
	}
	sr_local_set_ints(l, op, SR_NAME_limit_indices, limit, n);
	return SR_OK;
}

enum sr_status sr_local_pad(struct sr_local *l, struct sr_op *op)
{
	int64_t n, *low = ints(l, op, SR_NAME_edge_padding_low, &n), *high = ints(l, op, SR_NAME_edge_padding_high, &n),
		   *interior = ints(l, op, SR_NAME_interior_padding, &n);
	for (int d = 0; d < n; d++)
		if ((low[d] || high[d] || interior[d]) && sr_local_shards(l, sr_operand(op, 0), d) > 1)
			return error_partial_dim(l, op, d);
	return SR_OK;
}

/* Rewrite slice_sizes of gather and dynamic_slice: dimensions sliced in full get their local extent. */
enum sr_status sr_local_slice_sizes(struct sr_local *l, struct sr_op *op)
{
	struct sr_value *in = sr_operand(op, 0);
	int64_t n, *sizes = ints(l, op, SR_NAME_slice_sizes, &n);
	for (int d = 0; d < n; d++)
		if (sr_local_shards(l, in, d) > 1 && sizes[d] == global_extent(l, in, d))
			sizes[d] = local_extent(l, in, d);
	sr_local_set_ints(l, op, SR_NAME_slice_sizes, sizes, n);
	return SR_OK;
}

enum sr_status sr_local_reduce_window(struct sr_local *l, struct sr_op *op)
{
	const int64_t *window;
	int64_t n;
	if (!sr_op_ints(l->ctx, op, SR_NAME_window_dimensions, &window, &n))
		return SR_OK;
	for (int d = 0; d < n; d++)
		if (window[d] != 1 && sr_local_shards(l, sr_operand(op, 0), d) > 1)
			return error_partial_dim(l, op, d);
	return SR_OK;
}

/* Rewrite the group counts of a convolution whose groups are sharded: each device has a part of the groups. */
enum sr_status sr_local_convolution(struct sr_local *l, struct sr_op *op)
{
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dimension_numbers);
	const struct {
		const char *count, *field;
	} rows[] = {{SR_NAME_feature_group_count, SR_NAME_input_feature_dimension},
		    {SR_NAME_batch_group_count, SR_NAME_input_batch_dimension}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int64_t groups = sr_op_int(op, rows[i].count, 1);
		const struct sr_attr *dim = sr_attr_field(numbers, rows[i].field);
		int64_t shards = groups > 1 && dim ? sr_local_shards(l, sr_operand(op, 0), (int)dim->i) : 1;
		if (shards > 1 && groups % shards)
			return error_partial_dim(l, op, (int)dim->i);
		if (shards > 1)
			sr_op_set_attr(l->ctx, op, rows[i].count, sr_attr_i64(l->ctx, groups / shards));
	}
	return SR_OK;
}

/* Erase an op that only carries shardings, and replace its results by its operands. */
enum sr_status sr_local_drop(struct sr_local *l, struct sr_op *op)
{
	struct sr_value *v = op->n_operands ? sr_operand(op, 0) : NULL;
	(void)l;
	if (op->n_results == 1 && v && v->type != sr_result(op, 0)->type)
		return sr_op_error(op, &l->ctx->diags, SR_INTERNAL, "changes a sharding; it should have become a collective");
	sr_local_replace(l, op, &v);
	return SR_OK;
}

/* Keep the sharding of a probe's operand as an attribute, since no other op says which part of the global value a device has. */
enum sr_status sr_local_probe(struct sr_local *l, struct sr_op *op)
{
	const struct sr_local_value *info = sr_local_find(l, sr_operand(op, 0));
	if (info && info->sharding)
		sr_op_set_attr(l->ctx, op, SR_PROBE_SHARDING, sr_attr_sharding(l->ctx, info->sharding));
	return SR_OK;
}
