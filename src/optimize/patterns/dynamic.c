/* Patterns of ops with shape operands. Their static forms are defined in dynamism.c. */
#include "optimize/discardable.h"
#include "dialect/attr_names.h"
#include "optimize/shapes/dynamism.h"
#include "optimize/patterns/match.h"
#include "optimize/patterns/patterns.h"
#include "optimize/shapes/refine_extents.h"
#include <string.h>

/* Replace a dynamic op by its static form if constant operands or the result type determine the shape. */
bool sr_pattern_static_form(struct sr_rewriter *rw, struct sr_op *op)
{
	static const struct sr_decomposition *const tables[] = {sr_static_forms, sr_forms_by_type};
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
		for (const struct sr_decomposition *d = tables[t]; d->code; d++)
			if (sr_op_is(op, d->code) && sr_rewrite_decompose(rw, op, d->apply))
				return true;
	return false;
}

static struct sr_ints dims_of(struct sr_rewriter *rw, const struct sr_op *op)
{
	return sr_match_ints(rw->ctx, op, SR_NAME_broadcast_dimensions);
}

/* Replace op by a value of a more refined type. If a user cannot take that type, convert the value back. */
static bool replace_refined(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *v)
{
	bool needs_convert = false;
	for (const struct sr_use *use = sr_result(op, 0)->uses; use; use = use->next)
		needs_convert = needs_convert || strcmp(use->owner->info->dialect, "stablehlo") != 0 ||
				sr_op_has(use->owner, SR_TERMINATOR);
	if (needs_convert)
		return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_convert, &v, 1, NULL, 0);
	sr_rewrite_replace(rw, op, v);
	return true;
}

/* dynamic_broadcast_in_dim to a constant shape -> broadcast_in_dim. */
bool sr_pattern_dynamic_broadcast_constant(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_type *t = sr_result(op, 0)->type;
	struct sr_ints extents;
	if (!sr_type_is_static(v->type) || !sr_known_extents(rw->ctx, sr_operand(op, 1), &extents) || extents.n != t->rank)
		return false;
	struct sr_named_attr dims = {SR_NAME_broadcast_dimensions, sr_op_attr(op, SR_NAME_broadcast_dimensions)};
	struct sr_op *new_op = sr_rewrite_create(rw, op, SR_OP_stablehlo_broadcast_in_dim, &v, 1, &dims, 1,
						 sr_type_with_shape(rw->ctx, t, t->rank, extents.v));
	sr_discardable_merge(rw->ctx, op, new_op);
	return replace_refined(rw, op, sr_result(new_op, 0));
}

/* dynamic_broadcast_in_dim(dynamic_broadcast_in_dim(x)) -> dynamic_broadcast_in_dim(x) to the outer shape. */
bool sr_pattern_dynamic_broadcast_of_broadcast(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_op *inner = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_dynamic_broadcast_in_dim);
	if (!inner)
		return false;
	struct sr_ints a = dims_of(rw, op), b = dims_of(rw, inner);
	int64_t *composed_dims = SR_NEW_ARRAY(rw->ctx->arena, int64_t, b.n);
	for (int64_t i = 0; i < b.n; i++)
		composed_dims[i] = a.v[b.v[i]];
	struct sr_value *operands[] = {sr_operand(inner, 0), sr_operand(op, 1)};
	struct sr_named_attr dims = {SR_NAME_broadcast_dimensions, sr_attr_i64s(rw->ctx, composed_dims, b.n)};
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_dynamic_broadcast_in_dim, operands, 2, &dims, 1);
}

/* dynamic_broadcast_in_dim with identity dimensions to the operand's own shape -> operand; with all dimensions known not to expand
 * -> convert. */
bool sr_pattern_dynamic_broadcast_noop(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_op *shape = sr_value_def_of(sr_operand(op, 1), SR_OP_shape_shape_of);
	if (shape && sr_operand(shape, 0) == v && sr_match_iota(dims_of(rw, op)))
		return sr_rewrite_to_value(rw, op, v);
	struct sr_ints nonexpanding = sr_match_ints(rw->ctx, op, SR_NAME_known_nonexpanding_dimensions);
	return sr_match_iota(dims_of(rw, op)) && nonexpanding.n == sr_result(op, 0)->type->rank &&
	       sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_convert, &v, 1, NULL, 0);
}

/* dynamic_broadcast_in_dim(dynamic_reshape(x, s), s) with identity dimensions -> dynamic_reshape(x, s). */
bool sr_pattern_dynamic_broadcast_of_reshape(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_op *reshape = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_dynamic_reshape);
	if (!reshape || sr_operand(reshape, 1) != sr_operand(op, 1) || !sr_match_iota(dims_of(rw, op)))
		return false;
	struct sr_value *operands[] = {sr_operand(reshape, 0), sr_operand(reshape, 1)};
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_dynamic_reshape, operands, 2, NULL, 0);
}

/* dynamic_reshape(dynamic_reshape(x, s), t) -> dynamic_reshape(x, t). */
bool sr_pattern_dynamic_reshape_of_reshape(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_op *inner = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_dynamic_reshape);
	if (!inner)
		return false;
	struct sr_value *operands[] = {sr_operand(inner, 0), sr_operand(op, 1)};
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_dynamic_reshape, operands, 2, NULL, 0);
}

/* dynamic_reshape(f(dynamic_reshape(x, s)), s) with elementwise f -> f(dynamic_reshape(x, s)). */
bool sr_pattern_dynamic_reshape_noop(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0);
	if (!v->def || !sr_op_has(v->def, SR_ELEMENTWISE | SR_SAME_TYPE) || !v->def->n_operands)
		return false;
	const struct sr_op *reshape = sr_value_def_of(sr_operand(v->def, 0), SR_OP_stablehlo_dynamic_reshape);
	return reshape && sr_operand(reshape, 1) == sr_operand(op, 1) && sr_rewrite_to_value(rw, op, v);
}

/* shape_of(dynamic_reshape(x, s)) -> s. */
bool sr_pattern_shape_of_reshape(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_op *reshape = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_dynamic_reshape);
	return reshape && sr_rewrite_to_value(rw, op, sr_operand(reshape, 1));
}

/* get_dimension_size of a static dimension -> constant. */
bool sr_pattern_get_static_size(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_type *t = sr_operand(op, 0)->type;
	int64_t dim = sr_op_int(op, SR_NAME_dimension, 0);
	return t->kind == SR_TYPE_TENSOR && dim < t->rank && !sr_is_dynamic(t->shape[dim]) &&
	       sr_rewrite_to_constant(rw, op, sr_splat_number(rw->ctx, sr_result(op, 0)->type, (double)t->shape[dim]));
}

/* set_dimension_size to the static size of the result's dimension -> operand. */
bool sr_pattern_set_static_size(struct sr_rewriter *rw, struct sr_op *op)
{
	int64_t size = sr_result(op, 0)->type->shape[sr_op_int(op, SR_NAME_dimension, 0)];
	return !sr_is_dynamic(size) && sr_is_splat_of(rw->ctx, sr_operand(op, 1), (double)size) &&
	       sr_rewrite_to_value(rw, op, sr_operand(op, 0));
}

/* Build a slice of one element of a shape, as tensor<1xi64>. */
static struct sr_value *slice_extent(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *shape, int64_t dim)
{
	const struct sr_type *t = shape->type, *i64_type = sr_type_tensor(rw->ctx, SR_I64, 1, t->shape);
	int64_t limit = dim + 1, stride = 1;
	struct sr_named_attr attrs[] = {{SR_NAME_start_indices, sr_attr_i64s(rw->ctx, &dim, 1)},
				   {SR_NAME_limit_indices, sr_attr_i64s(rw->ctx, &limit, 1)},
				   {SR_NAME_strides, sr_attr_i64s(rw->ctx, &stride, 1)}};
	if (t != i64_type) {
		enum sr_op_code convert =
			t->element->kind == SR_TYPE_INDEX ? SR_OP_arith_index_cast : SR_OP_stablehlo_convert;
		shape = sr_result(sr_rewrite_create(rw, op, convert, &shape, 1, NULL, 0, i64_type), 0);
	}
	const struct sr_type *one = sr_type_tensor(rw->ctx, SR_I64, 1, &stride);
	return sr_result(sr_rewrite_create(rw, op, SR_OP_stablehlo_slice, &shape, 1, attrs, 3, one), 0);
}

/* dynamic_iota of rank > 1 -> dynamic_broadcast_in_dim of an iota of rank 1. */
bool sr_pattern_dynamic_iota_broadcast(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_type *t = sr_result(op, 0)->type;
	struct sr_value *shape = sr_operand(op, 0);
	int64_t dim = sr_op_int(op, SR_NAME_iota_dimension, 0);
	if (t->rank < 2 || !sr_type_is_static(shape->type) || t->encoding)
		return false;
	struct sr_named_attr first = {SR_NAME_iota_dimension, sr_attr_i64(rw->ctx, 0)};
	struct sr_named_attr dims = {SR_NAME_broadcast_dimensions, sr_attr_i64s(rw->ctx, &dim, 1)};
	bool is_static = !sr_is_dynamic(t->shape[dim]);
	struct sr_value *size = is_static ? NULL : slice_extent(rw, op, shape, dim);
	const struct sr_type *line = sr_type_tensor_of(rw->ctx, t->element, 1, &t->shape[dim], NULL);
	enum sr_op_code code = is_static ? SR_OP_stablehlo_iota : SR_OP_stablehlo_dynamic_iota;
	struct sr_value *operands[] = {sr_result(sr_rewrite_create(rw, op, code, &size, is_static ? 0 : 1, &first, 1, line), 0),
				       shape};
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_dynamic_broadcast_in_dim, operands, 2, &dims, 1);
}
