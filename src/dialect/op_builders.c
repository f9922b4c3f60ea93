/* Builders of common stablehlo ops. */
#include "dialect/op_builders.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "dialect/signature.h"
#include "support/integers.h"

int64_t *sr_make_ints(struct sr_context *ctx, int64_t n, int64_t value)
{
	int64_t *v = SR_NEW_ARRAY(ctx->scratch, int64_t, n);
	for (int64_t i = 0; i < n; i++)
		v[i] = value;
	return v;
}

struct sr_value *sr_build_integer(struct sr_builder *b, const struct sr_type *type, int64_t value)
{
	char element[16] = {0};
	sr_element_set(type->dtype, element, value, (double)value, 0);
	return sr_build_constant(b, sr_attr_dense(b->ctx, type, element, sr_dtype_bytes(type->dtype)));
}

struct sr_value *sr_build_scalar(struct sr_builder *b, enum sr_dtype type, int64_t value)
{
	return sr_build_integer(b, sr_type_tensor(b->ctx, type, 0, NULL), value);
}

struct sr_value *sr_build_zero_scalar(struct sr_builder *b, const struct sr_type *element)
{
	return sr_build_splat(b, sr_type_tensor_of(b->ctx, element, 0, NULL, NULL), 0);
}

static struct sr_value *build_unary(struct sr_builder *b, enum sr_op_code code, struct sr_value *v, const struct sr_type *type)
{
	return v->type == type ? v : sr_result(sr_build(b, code, &v, 1, NULL, 0, &type, 1), 0);
}

struct sr_value *sr_build_convert(struct sr_builder *b, struct sr_value *v, enum sr_dtype to)
{
	return build_unary(b, SR_OP_stablehlo_convert, v, sr_type_tensor(b->ctx, to, v->type->rank, v->type->shape));
}

struct sr_value *sr_build_reshape(struct sr_builder *b, struct sr_value *v, int rank, const int64_t *shape)
{
	return build_unary(b, SR_OP_stablehlo_reshape, v, sr_type_with_shape(b->ctx, v->type, rank, shape));
}

struct sr_value *sr_build_transpose(struct sr_builder *b, struct sr_value *v, const int64_t *permutation)
{
	struct sr_named_attr attr = {SR_NAME_permutation, sr_attr_i64s(b->ctx, permutation, v->type->rank)};
	return sr_build_infer(b, SR_OP_stablehlo_transpose, &v, 1, &attr, 1);
}

struct sr_value *sr_build_reverse(struct sr_builder *b, struct sr_value *v, int64_t dim)
{
	struct sr_named_attr attr = {SR_NAME_dimensions, sr_attr_i64s(b->ctx, &dim, 1)};
	return sr_result(sr_build(b, SR_OP_stablehlo_reverse, &v, 1, &attr, 1, &v->type, 1), 0);
}

struct sr_value *sr_build_iota(struct sr_builder *b, enum sr_dtype type, const struct sr_type *like, int64_t dim)
{
	const struct sr_type *result = sr_type_tensor(b->ctx, type, like->rank, like->shape);
	struct sr_named_attr attr = {SR_NAME_iota_dimension, sr_attr_i64(b->ctx, dim)};
	return sr_result(sr_build(b, SR_OP_stablehlo_iota, NULL, 0, &attr, 1, &result, 1), 0);
}

struct sr_value *sr_build_broadcast(struct sr_builder *b, struct sr_value *v, const struct sr_type *like, const int64_t *dims)
{
	const struct sr_type *type = sr_type_with_shape(b->ctx, v->type, like->rank, like->shape);
	struct sr_named_attr attr = {SR_NAME_broadcast_dimensions, sr_attr_i64s(b->ctx, dims, v->type->rank)};
	return sr_result(sr_build(b, SR_OP_stablehlo_broadcast_in_dim, &v, 1, &attr, 1, &type, 1), 0);
}

struct sr_value *sr_build_slice(struct sr_builder *b, struct sr_value *v, const int64_t *start, const int64_t *limit,
				const int64_t *strides)
{
	int rank = v->type->rank;
	strides = strides ? strides : sr_make_ints(b->ctx, rank, 1);
	struct sr_named_attr attrs[] = {{SR_NAME_start_indices, sr_attr_i64s(b->ctx, start, rank)},
				   {SR_NAME_limit_indices, sr_attr_i64s(b->ctx, limit, rank)},
				   {SR_NAME_strides, sr_attr_i64s(b->ctx, strides, rank)}};
	return sr_build_infer(b, SR_OP_stablehlo_slice, &v, 1, attrs, 3);
}

struct sr_value *sr_build_slice_dim(struct sr_builder *b, struct sr_value *v, int dim, int64_t first, int64_t n, int64_t stride)
{
	int rank = v->type->rank;
	int64_t *start = sr_make_ints(b->ctx, rank, 0), *strides = sr_make_ints(b->ctx, rank, 1),
		*limit = sr_dup(b->ctx->scratch, v->type->shape, (size_t)rank, sizeof *limit);
	if (first == 0 && stride == 1 && n == v->type->shape[dim])
		return v;
	start[dim] = first;
	limit[dim] = first + (n - 1) * stride + 1;
	strides[dim] = stride;
	return sr_build_slice(b, v, start, limit, strides);
}

struct sr_value *sr_build_pad(struct sr_builder *b, struct sr_value *v, struct sr_value *fill, const int64_t *low,
			      const int64_t *high, const int64_t *interior)
{
	int rank = v->type->rank;
	int64_t *no_padding = sr_make_ints(b->ctx, rank, 0);
	struct sr_value *operands[] = {v, fill};
	struct sr_named_attr attrs[] = {{SR_NAME_edge_padding_low, sr_attr_i64s(b->ctx, low ? low : no_padding, rank)},
				   {SR_NAME_edge_padding_high, sr_attr_i64s(b->ctx, high, rank)},
				   {SR_NAME_interior_padding, sr_attr_i64s(b->ctx, interior ? interior : no_padding, rank)}};
	return sr_build_infer(b, SR_OP_stablehlo_pad, operands, 2, attrs, 3);
}

struct sr_value *sr_build_pad_dim(struct sr_builder *b, struct sr_value *v, int dim, struct sr_dim_padding padding,
				  struct sr_value *fill)
{
	int rank = v->type->rank;
	int64_t *low = sr_make_ints(b->ctx, rank, 0), *high = sr_make_ints(b->ctx, rank, 0),
		*interior = sr_make_ints(b->ctx, rank, 0);
	if (!padding.low && !padding.high && !padding.interior)
		return v;
	low[dim] = padding.low;
	high[dim] = padding.high;
	interior[dim] = padding.interior;
	return sr_build_pad(b, v, fill ? fill : sr_build_zero_scalar(b, v->type->element), low, high, interior);
}

struct sr_value *sr_build_dynamic_slice(struct sr_builder *b, struct sr_value *v, struct sr_value *const *starts,
					const int64_t *sizes)
{
	int rank = v->type->rank;
	struct sr_value **operands = SR_NEW_ARRAY(b->ctx->scratch, struct sr_value *, rank + 1);
	struct sr_named_attr attr = {SR_NAME_slice_sizes, sr_attr_i64s(b->ctx, sizes, rank)};
	operands[0] = v;
	for (int d = 0; d < rank; d++)
		operands[d + 1] = starts[d];
	return sr_build_infer(b, SR_OP_stablehlo_dynamic_slice, operands, rank + 1, &attr, 1);
}

/* Write to `starts` the index `first` for dimension dim, and 0 for all others. */
static void set_starts(struct sr_builder *b, struct sr_value **starts, int rank, int dim, struct sr_value *first)
{
	struct sr_value *zero = rank > 1 ? sr_build_zero_scalar(b, first->type->element) : NULL;
	for (int d = 0; d < rank; d++)
		starts[d] = d == dim ? first : zero;
}

struct sr_value *sr_build_dynamic_slice_dim(struct sr_builder *b, struct sr_value *v, int dim, struct sr_value *first, int64_t n)
{
	int rank = v->type->rank;
	int64_t *sizes = sr_dup(b->ctx->scratch, v->type->shape, (size_t)rank, sizeof *sizes);
	struct sr_value **starts = SR_NEW_ARRAY(b->ctx->scratch, struct sr_value *, rank);
	sizes[dim] = n;
	set_starts(b, starts, rank, dim, first);
	return sr_build_dynamic_slice(b, v, starts, sizes);
}

struct sr_value *sr_build_update_slice(struct sr_builder *b, struct sr_value *v, struct sr_value *update,
				       struct sr_value *const *starts)
{
	int rank = v->type->rank;
	struct sr_value **operands = SR_NEW_ARRAY(b->ctx->scratch, struct sr_value *, rank + 2);
	operands[0] = v;
	operands[1] = update;
	for (int d = 0; d < rank; d++)
		operands[d + 2] = starts[d];
	return sr_result(sr_build(b, SR_OP_stablehlo_dynamic_update_slice, operands, rank + 2, NULL, 0, &v->type, 1), 0);
}

struct sr_value *sr_build_update_slice_dim(struct sr_builder *b, struct sr_value *v, struct sr_value *update, int dim,
					   struct sr_value *first)
{
	struct sr_value **starts = SR_NEW_ARRAY(b->ctx->scratch, struct sr_value *, v->type->rank + 1);
	set_starts(b, starts, v->type->rank, dim, first);
	return sr_build_update_slice(b, v, update, starts);
}

struct sr_value *sr_build_binary(struct sr_builder *b, enum sr_op_code code, struct sr_value *x, struct sr_value *y)
{
	struct sr_value *operands[] = {x, y};
	return sr_result(sr_build(b, code, operands, 2, NULL, 0, &x->type, 1), 0);
}

struct sr_op *sr_build_while(struct sr_builder *b, struct sr_value *const *state, int n, struct sr_builder regions[2])
{
	const struct sr_type **types = SR_NEW_ARRAY(b->ctx->scratch, const struct sr_type *, n);
	for (int i = 0; i < n; i++)
		types[i] = state[i]->type;
	struct sr_op *loop = sr_build(b, SR_OP_stablehlo_while, state, n, NULL, 0, types, n);
	for (int r = 0; r < 2; r++) {
		regions[r] = (struct sr_builder){.ctx = b->ctx, .block = sr_block_new(b->ctx, &loop->regions[r]), .loc = loop->loc};
		for (int i = 0; i < n; i++)
			sr_block_add_arg(b->ctx, regions[r].block, types[i], loop->loc);
	}
	return loop;
}

struct sr_value *sr_build_select(struct sr_builder *b, struct sr_value *predicate, struct sr_value *yes, struct sr_value *no)
{
	struct sr_value *operands[] = {predicate, yes, no};
	return sr_result(sr_build(b, SR_OP_stablehlo_select, operands, 3, NULL, 0, &yes->type, 1), 0);
}

struct sr_value *sr_build_reduction(struct sr_builder *b, struct sr_value *v, struct sr_value *init, enum sr_op_code code,
				    const int64_t *dims, int64_t n_dims)
{
	int64_t shape[SR_MAX_RANK];
	int rank = 0;
	for (int d = 0; d < v->type->rank; d++)
		if (!sr_list_has(dims, n_dims, d))
			shape[rank++] = v->type->shape[d];
	const struct sr_type *type = sr_type_tensor_of(b->ctx, v->type->element, rank, shape, NULL);
	struct sr_named_attr attr = {SR_NAME_dimensions, sr_attr_i64s(b->ctx, dims, n_dims)};
	struct sr_op *op = sr_build(b, SR_OP_stablehlo_reduce, (struct sr_value *[]){v, init}, 2, &attr, 1, &type, 1);
	sr_build_reducer(b->ctx, &op->regions[0], code, v->type->element, op->loc);
	return sr_result(op, 0);
}

struct sr_value *sr_build_prefix_sums(struct sr_builder *b, struct sr_value *v)
{
	struct sr_context *ctx = b->ctx;
	int rank = v->type->rank, last = rank - 1;
	int64_t *window = sr_make_ints(ctx, rank, 1), *padding = sr_make_ints(ctx, 2 * rank, 0), pairs[] = {rank, 2};
	const struct sr_attr *ones = sr_attr_i64s(ctx, sr_make_ints(ctx, rank, 1), rank);
	window[last] = v->type->shape[last];
	padding[2 * last] = window[last] - 1;
	struct sr_named_attr attrs[] = {{SR_NAME_window_dimensions, sr_attr_i64s(ctx, window, rank)},
				   {SR_NAME_window_strides, ones},
				   {SR_NAME_base_dilations, ones},
				   {SR_NAME_window_dilations, ones},
				   {SR_NAME_padding, sr_attr_dense_i64(ctx, 2, pairs, padding)}};
	struct sr_value *zero = sr_build_zero_scalar(b, v->type->element);
	struct sr_op *op = sr_build(b, SR_OP_stablehlo_reduce_window, (struct sr_value *[]){v, zero}, 2, attrs, 5, &v->type, 1);
	sr_build_reducer(ctx, &op->regions[0], SR_OP_stablehlo_add, v->type->element, op->loc);
	return sr_result(op, 0);
}

/* Return the numbers of all dimensions but the first. */
static const struct sr_attr *dims_of_rows(struct sr_context *ctx, int rank)
{
	int64_t dims[SR_MAX_RANK];
	for (int d = 1; d < rank; d++)
		dims[d - 1] = d;
	return sr_attr_i64s(ctx, dims, rank - 1);
}

struct sr_value *sr_build_rows_at(struct sr_builder *b, struct sr_value *v, struct sr_value *indices)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_attr *no_dims = sr_attr_i64s(ctx, NULL, 0), *first = sr_attr_i64s(ctx, &(int64_t){0}, 1);
	const struct sr_attr *fields[] = {dims_of_rows(ctx, v->type->rank), first, no_dims, no_dims, first, sr_attr_i64(ctx, 1)};
	int64_t *shape = sr_dup(ctx->arena, v->type->shape, (size_t)v->type->rank, sizeof *shape);
	shape[0] = 1;
	struct sr_named_attr attrs[] = {
	    {SR_NAME_dimension_numbers, sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "gather"), fields)},
	    {SR_NAME_slice_sizes, sr_attr_i64s(ctx, shape, v->type->rank)}};
	shape[0] = indices->type->shape[0];
	const struct sr_type *type = sr_type_tensor_of(ctx, v->type->element, v->type->rank, shape, NULL);
	return sr_result(sr_build(b, SR_OP_stablehlo_gather, (struct sr_value *[]){v, indices}, 2, attrs, 2, &type, 1), 0);
}

struct sr_value *sr_build_add_rows_at(struct sr_builder *b, struct sr_value *v, struct sr_value *indices, struct sr_value *updates)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_attr *no_dims = sr_attr_i64s(ctx, NULL, 0), *first = sr_attr_i64s(ctx, &(int64_t){0}, 1);
	const struct sr_attr *fields[] = {dims_of_rows(ctx, v->type->rank), first, no_dims, no_dims, first, sr_attr_i64(ctx, 1)};
	struct sr_named_attr attr = {SR_NAME_scatter_dimension_numbers,
				     sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "scatter"), fields)};
	struct sr_value *operands[] = {v, indices, updates};
	struct sr_op *op = sr_build(b, SR_OP_stablehlo_scatter, operands, 3, &attr, 1, &v->type, 1);
	sr_build_reducer(ctx, &op->regions[0], SR_OP_stablehlo_add, v->type->element, op->loc);
	return sr_result(op, 0);
}

struct sr_value *sr_build_concatenate(struct sr_builder *b, struct sr_value *const *operands, int n, int dim)
{
	struct sr_named_attr attr = {SR_NAME_dimension, sr_attr_i64(b->ctx, dim)};
	return n == 1 ? operands[0] : sr_build_infer(b, SR_OP_stablehlo_concatenate, operands, n, &attr, 1);
}

struct sr_value *sr_build_device_id(struct sr_builder *b, bool is_by_replica)
{
	const struct sr_type *type = sr_type_tensor(b->ctx, SR_UI32, 0, NULL);
	enum sr_op_code code = is_by_replica ? SR_OP_stablehlo_replica_id : SR_OP_stablehlo_partition_id;
	return sr_build_convert(b, sr_result(sr_build(b, code, NULL, 0, NULL, 0, &type, 1), 0), SR_I64);
}
