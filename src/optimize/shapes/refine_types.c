/* Inference of result types: by a table for ops whose shapes depend on operand values, and by type inference for all other ops. */
#include "optimize/shapes/refine_types.h"
#include "dialect/infer/infer.h"
#include "dialect/attr_names.h"
#include "optimize/shapes/shape_operands.h"
#include "support/checked.h"
#include <string.h>

typedef void known_fn(struct sr_context *ctx, struct sr_op *op, const struct sr_type **known);

/* ---------------------------------------------------------------- merging */

/* Return the refined type, in which dimensions that are still dynamic keep the bounds of the declared type. */
static const struct sr_type *keep_declared_bounds(struct sr_context *ctx, const struct sr_type *declared_type,
						  const struct sr_type *merged_type)
{
	const int64_t *old = sr_is_ranked(declared_type) ? sr_type_bounds(declared_type) : NULL;
	if (!old || merged_type == declared_type)
		return merged_type;
	int64_t *bounds = SR_NEW_ARRAY(ctx->arena, int64_t, merged_type->rank);
	for (int d = 0; d < merged_type->rank; d++)
		bounds[d] = sr_is_dynamic(merged_type->shape[d]) ? old[d] : SR_DYNAMIC;
	struct sr_infer in = {.ctx = ctx};
	return sr_infer_tensor(&in, declared_type, merged_type->rank, merged_type->shape, bounds);
}

static const struct sr_type *refine_tuple(struct sr_context *ctx, const struct sr_type *declared_type,
					  const struct sr_type *known_type)
{
	if (known_type->kind != SR_TYPE_TUPLE || known_type->n_inputs != declared_type->n_inputs)
		return NULL;
	const struct sr_type **members = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, declared_type->n_inputs);
	for (int i = 0; i < declared_type->n_inputs; i++)
		if (!(members[i] = sr_type_refine(ctx, declared_type->inputs[i], known_type->inputs[i])))
			return NULL;
	return sr_type_intern(ctx,
			      &(struct sr_type){.kind = SR_TYPE_TUPLE, .inputs = members, .n_inputs = declared_type->n_inputs});
}

const struct sr_type *sr_type_refine(struct sr_context *ctx, const struct sr_type *declared_type, const struct sr_type *known_type)
{
	const struct sr_type *types[] = {declared_type, known_type};
	if (declared_type == known_type)
		return declared_type;
	if (declared_type->kind == SR_TYPE_TUPLE)
		return refine_tuple(ctx, declared_type, known_type);
	if (!sr_types_compatible(declared_type, known_type))
		return NULL;
	const struct sr_type *merged_type = sr_types_merge(ctx, types, 2);
	return merged_type ? keep_declared_bounds(ctx, declared_type, merged_type) : NULL;
}

/* ---------------------------------------------------------------- shapes of results */

static void set_shape(struct sr_context *ctx, struct sr_op *op, int i, int64_t rank, const int64_t *shape,
		      const struct sr_type **known_types)
{
	const struct sr_type *declared_type = sr_result(op, i)->type;
	for (int64_t d = 0; d < rank; d++)
		if (shape[d] < 0 && !sr_is_dynamic(shape[d]))
			return;
	if (declared_type->element)
		known_types[i] = sr_type_tensor_of(ctx, declared_type->element, (int)rank, shape, NULL);
}

static void shape_from_operand(struct sr_context *ctx, struct sr_op *op, int operand, const struct sr_type **known_types)
{
	struct sr_ints shape;
	if (sr_value_ints(ctx, sr_operand(op, operand), &shape))
		set_shape(ctx, op, 0, shape.n, shape.v, known_types);
}

static void shape_from_first(struct sr_context *ctx, struct sr_op *op, const struct sr_type **known_types)
{
	shape_from_operand(ctx, op, 0, known_types);
}

static void shape_from_second(struct sr_context *ctx, struct sr_op *op, const struct sr_type **known_types)
{
	shape_from_operand(ctx, op, 1, known_types);
}

static void shape_of_operand(struct sr_context *ctx, struct sr_op *op, const struct sr_type **known_types)
{
	const struct sr_type *t = sr_operand(op, 0)->type;
	if (sr_is_ranked(t))
		set_shape(ctx, op, 0, t->rank, t->shape, known_types);
}

static int element_bits(const struct sr_type *t)
{
	return t->dtype == SR_DTYPE_NONE ? 0 : sr_dtypes[t->dtype].bits;
}

/* Refine bitcast_convert between elements of equal width. With another width a dimension is added or removed, and no type is
 * inferred. */
static void bitcast_convert(struct sr_context *ctx, struct sr_op *op, const struct sr_type **known_types)
{
	int bits = element_bits(sr_operand(op, 0)->type);
	if (bits && bits == element_bits(sr_result(op, 0)->type))
		shape_of_operand(ctx, op, known_types);
}

static void dynamic_pad(struct sr_context *ctx, struct sr_op *op, const struct sr_type **known_types)
{
	const struct sr_type *t = sr_operand(op, 0)->type;
	struct sr_ints low, high, interior;
	if (!sr_value_ints(ctx, sr_operand(op, 2), &low) || !sr_value_ints(ctx, sr_operand(op, 3), &high) ||
	    !sr_value_ints(ctx, sr_operand(op, 4), &interior) || low.n != t->rank)
		return;
	int64_t *shape = SR_NEW_ARRAY(ctx->arena, int64_t, t->rank);
	for (int d = 0; d < t->rank; d++) {
		shape[d] = SR_DYNAMIC;
		if (!sr_is_dynamic(t->shape[d]) && !sr_padded_extent(t->shape[d], low.v[d], high.v[d], interior.v[d], &shape[d]))
			return;
	}
	set_shape(ctx, op, 0, t->rank, shape, known_types);
}

/* Infer a slice with constant bounds. */
static void constant_slice(struct sr_context *ctx, struct sr_op *op, struct sr_ints start, struct sr_ints limit,
			   struct sr_ints stride, const struct sr_type **known_types)
{
	int64_t *shape = SR_NEW_ARRAY(ctx->arena, int64_t, start.n);
	for (int64_t d = 0; d < start.n; d++) {
		int64_t length;
		if (stride.v[d] <= 0 || __builtin_sub_overflow(limit.v[d], start.v[d], &length) || length < 0)
			return;
		shape[d] = length / stride.v[d] + (length % stride.v[d] != 0);
	}
	set_shape(ctx, op, 0, start.n, shape, known_types);
}

/* Infer a real_dynamic_slice with constant bounds, or with unit strides and limits that are the starts plus constants. */
static void real_dynamic_slice(struct sr_context *ctx, struct sr_op *op, const struct sr_type **known_types)
{
	struct sr_ints start, limit, stride, sizes;
	if (!sr_value_ints(ctx, sr_operand(op, 3), &stride))
		return;
	if (sr_value_ints(ctx, sr_operand(op, 1), &start) && sr_value_ints(ctx, sr_operand(op, 2), &limit))
		constant_slice(ctx, op, start, limit, stride, known_types);
	else if (sr_slice_sizes(ctx, op, &sizes))
		set_shape(ctx, op, 0, sizes.n, sizes.v, known_types);
}

/* ---------------------------------------------------------------- collectives */

/* Return the size of a group; 0 if it depends on the number of partitions. */
static int64_t group_size(struct sr_context *ctx, struct sr_op *op)
{
	if (sr_op_attr(op, SR_NAME_channel_handle) && !sr_op_attr(op, SR_NAME_use_global_device_ids))
		return 0;
	return sr_op_group_size(ctx, op);
}

/* Infer each result as its operand's shape with one dimension multiplied or divided by the group size. */
static void scale_by_group(struct sr_context *ctx, struct sr_op *op, const char *attr, bool multiplies,
			   const struct sr_type **known_types)
{
	int64_t size = group_size(ctx, op), dim = sr_op_int(op, attr, 0);
	for (int i = 0; i < op->n_results && size > 0; i++) {
		const struct sr_type *t = sr_operand(op, i)->type;
		if (!sr_is_ranked(t) || dim >= t->rank)
			continue;
		int64_t *shape = sr_dup(ctx->arena, t->shape, (size_t)t->rank, sizeof *shape);
		if (!sr_is_dynamic(shape[dim]) && multiplies && __builtin_mul_overflow(shape[dim], size, &shape[dim]))
			continue;
		if (!sr_is_dynamic(shape[dim]) && !multiplies)
			shape[dim] /= size;
		set_shape(ctx, op, i, t->rank, shape, known_types);
	}
}

static void all_gather(struct sr_context *ctx, struct sr_op *op, const struct sr_type **known_types)
{
	scale_by_group(ctx, op, SR_NAME_all_gather_dim, true, known_types);
}

static void reduce_scatter(struct sr_context *ctx, struct sr_op *op, const struct sr_type **known_types)
{
	scale_by_group(ctx, op, SR_NAME_scatter_dimension, false, known_types);
}

/* ---------------------------------------------------------------- */

static void infer_types(struct sr_context *ctx, struct sr_op *op, const struct sr_type **known_types)
{
	struct sr_diags no_diags;
	struct sr_infer in = {ctx, op, known_types, &no_diags, false};
	sr_diags_init(&no_diags, ctx->arena);
	if (sr_op_infer(&in))
		memset(known_types, 0, sizeof *known_types * (size_t)op->n_results);
}

/* Infer only the shape of the result; the declared element type stays. */
static void infer_shapes(struct sr_context *ctx, struct sr_op *op, const struct sr_type **known_types)
{
	infer_types(ctx, op, known_types);
	const struct sr_type *t = known_types[0];
	known_types[0] = NULL;
	if (t)
		set_shape(ctx, op, 0, t->rank, t->shape, known_types);
}

/* Ops for which type inference is not sufficient, with the function that infers their result types. */
static const struct {
	enum sr_op_code code;
	known_fn *known;
} rows[] = {
	{SR_OP_stablehlo_all_gather, all_gather},
	{SR_OP_stablehlo_bitcast_convert, bitcast_convert},
	{SR_OP_stablehlo_convert, shape_of_operand},
	{SR_OP_stablehlo_convolution, infer_shapes},
	{SR_OP_stablehlo_custom_call, sr_known_from_shape_operands},
	{SR_OP_stablehlo_dot, infer_shapes},
	{SR_OP_stablehlo_dot_general, infer_shapes},
	{SR_OP_stablehlo_dynamic_broadcast_in_dim, shape_from_second},
	{SR_OP_stablehlo_dynamic_conv, infer_shapes},
	{SR_OP_stablehlo_dynamic_iota, shape_from_first},
	{SR_OP_stablehlo_dynamic_pad, dynamic_pad},
	{SR_OP_stablehlo_dynamic_reshape, shape_from_second},
	{SR_OP_stablehlo_real_dynamic_slice, real_dynamic_slice},
	{SR_OP_stablehlo_reduce_scatter, reduce_scatter},
	{SR_OP_stablehlo_uniform_quantize, shape_of_operand},
};

void sr_known_types(struct sr_context *ctx, struct sr_op *op, const struct sr_type **known_types)
{
	memset(known_types, 0, sizeof *known_types * (size_t)op->n_results);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (sr_op_is(op, rows[i].code)) {
			rows[i].known(ctx, op, known_types);
			return;
		}
	if (sr_op_has(op, SR_INFERRED_RESULT))
		infer_types(ctx, op, known_types);
}

/* ---------------------------------------------------------------- values */

static bool takes_refined(const struct sr_op *user)
{
	static const char *const dialects[] = {"stablehlo", "chlo", "sdy"};
	for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
		if (strcmp(user->info->dialect, dialects[i]) == 0)
			return true;
	return sr_op_is(user, SR_OP_func_return) || sr_op_is(user, SR_OP_func_call) ||
	       sr_op_is(user, SR_OP_builtin_unrealized_conversion_cast) || sr_op_is(user, SR_OP_shape_shape_of);
}

bool sr_value_refine(struct sr_context *ctx, struct sr_value *v, const struct sr_type *known_type)
{
	const struct sr_type *type = known_type ? sr_type_refine(ctx, v->type, known_type) : NULL;
	if (!type || type == v->type)
		return false;
	for (const struct sr_use *use = v->uses; use; use = use->next)
		if (!takes_refined(use->owner))
			return false;
	v->type = type;
	return true;
}
