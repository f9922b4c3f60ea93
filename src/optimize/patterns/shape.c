/* Patterns of ops that change the shape or the order of elements: ops that have no effect, and compositions of two ops. */
#include "optimize/patterns/match.h"
#include "dialect/attr_names.h"
#include "optimize/patterns/patterns.h"

/* ---------------------------------------------------------------- broadcast_in_dim */

static struct sr_ints dims_of(struct sr_rewriter *rw, const struct sr_op *op)
{
	return sr_match_ints(rw->ctx, op, SR_NAME_broadcast_dimensions);
}

static struct sr_named_attr list_attr(struct sr_rewriter *rw, const char *name, const int64_t *v, int64_t n)
{
	return (struct sr_named_attr){name, sr_attr_i64s(rw->ctx, v, n)};
}

static bool is_reshape(struct sr_rewriter *rw, const struct sr_op *broadcast)
{
	struct sr_ints dims = dims_of(rw, broadcast);
	return sr_is_sorted(dims.v, dims.n) && sr_match_same_elements(sr_operand(broadcast, 0)->type, broadcast->results[0].type);
}

/* broadcast_in_dim to the same type with identity dimensions -> operand. */
bool sr_pattern_broadcast_noop(struct sr_rewriter *rw, struct sr_op *op)
{
	return sr_match_iota(dims_of(rw, op)) && sr_rewrite_to_value(rw, op, sr_operand(op, 0));
}

/* broadcast_in_dim that adds no elements and keeps the order of dimensions -> reshape. */
bool sr_pattern_broadcast_reshape(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0);
	return is_reshape(rw, op) && sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_reshape, &v, 1, NULL, 0);
}

/* broadcast_in_dim that adds neither elements nor dimensions -> transpose. */
bool sr_pattern_broadcast_transpose(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_type *t = sr_result(op, 0)->type;
	struct sr_ints dims = dims_of(rw, op);
	if (v->type->rank != t->rank || !sr_match_same_elements(v->type, t))
		return false;
	int64_t *permutation = SR_NEW_ARRAY(rw->ctx->arena, int64_t, dims.n);
	for (int64_t i = 0; i < dims.n; i++)
		permutation[dims.v[i]] = i;
	struct sr_named_attr attr = list_attr(rw, SR_NAME_permutation, permutation, dims.n);
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_transpose, &v, 1, &attr, 1);
}

/* Compose two index lists: composed_dims[i] = outer[inner[i]]. */
static struct sr_named_attr compose_lists(struct sr_rewriter *rw, const char *name, struct sr_ints outer, struct sr_ints inner)
{
	int64_t *composed_dims = SR_NEW_ARRAY(rw->ctx->arena, int64_t, inner.n);
	for (int64_t i = 0; i < inner.n; i++)
		composed_dims[i] = outer.v[inner.v[i]];
	return list_attr(rw, name, composed_dims, inner.n);
}

/* broadcast_in_dim(broadcast_in_dim(x)) -> broadcast_in_dim(x), unless the inner one becomes a reshape. */
bool sr_pattern_broadcast_of_broadcast(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_op *inner = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_broadcast_in_dim);
	if (!inner || is_reshape(rw, inner))
		return false;
	struct sr_named_attr attr = compose_lists(rw, SR_NAME_broadcast_dimensions, dims_of(rw, op), dims_of(rw, inner));
	struct sr_value *v = sr_operand(inner, 0);
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_broadcast_in_dim, &v, 1, &attr, 1);
}

/* ---------------------------------------------------------------- reshape, transpose, reverse */

/* reshape(reshape(x)) or reshape(broadcast_in_dim(x)) to x's type, with the elements in the same order -> x. numpy.pad repeats an edge
 * once in this way. */
bool sr_pattern_reshape_undone(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *source = sr_match_undone_reshape(rw->ctx, op);
	return source && sr_rewrite_to_value(rw, op, source);
}

/* reshape(reshape(x)) -> reshape(x). */
bool sr_pattern_reshape_of_reshape(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_op *inner = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_reshape);
	struct sr_value *v = inner ? sr_operand(inner, 0) : NULL;
	return inner && sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_reshape, &v, 1, NULL, 0);
}

bool sr_pattern_transpose_noop(struct sr_rewriter *rw, struct sr_op *op)
{
	return sr_match_iota(sr_match_ints(rw->ctx, op, SR_NAME_permutation)) && sr_rewrite_to_value(rw, op, sr_operand(op, 0));
}

/* transpose that moves only dimensions of extent 1 -> reshape. */
bool sr_pattern_transpose_reshape(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_ints permutation = sr_match_ints(rw->ctx, op, SR_NAME_permutation);
	struct sr_value *v = sr_operand(op, 0);
	int64_t last = -1;
	if (!sr_type_is_static(v->type) || !sr_type_is_static(sr_result(op, 0)->type))
		return false;
	for (int64_t i = 0; i < permutation.n; i++) {
		if (v->type->shape[permutation.v[i]] == 1)
			continue;
		if (permutation.v[i] < last)
			return false;
		last = permutation.v[i];
	}
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_reshape, &v, 1, NULL, 0);
}

/* transpose(transpose(x)) -> transpose(x). */
bool sr_pattern_transpose_of_transpose(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_op *inner = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_transpose);
	if (!inner)
		return false;
	struct sr_value *v = sr_operand(inner, 0);
	struct sr_named_attr attr =
		compose_lists(rw, SR_NAME_permutation, sr_match_ints(rw->ctx, inner, SR_NAME_permutation),
			      sr_match_ints(rw->ctx, op, SR_NAME_permutation));
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_transpose, &v, 1, &attr, 1);
}

/* reverse of no dimensions, of dimensions of extent 1, of an empty value or of a splat -> operand. */
bool sr_pattern_reverse_noop(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0);
	struct sr_ints dims = sr_match_ints(rw->ctx, op, SR_NAME_dimensions);
	const struct sr_attr *value = sr_constant_value(v);
	bool has_no_effect = sr_match_empty(v->type) || (value && value->dense->splat);
	for (int64_t i = 0; i < dims.n && !has_no_effect; i++)
		if (!sr_type_is_static(v->type) || v->type->shape[dims.v[i]] != 1)
			return false;
	return sr_rewrite_to_value(rw, op, v);
}

/* ---------------------------------------------------------------- iota */

/* iota along a dimension of extent 1 -> zeros. */
bool sr_pattern_iota_of_unit_dim(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_type *t = sr_result(op, 0)->type;
	if (!sr_type_is_static(t) || t->dtype == SR_DTYPE_NONE ||
	    (t->shape[sr_op_int(op, SR_NAME_iota_dimension, 0)] > 1 && !sr_match_empty(t)))
		return false;
	return sr_rewrite_to_constant(rw, op, sr_splat_number(rw->ctx, t, 0));
}

/* iota of rank > 1 -> broadcast_in_dim of an iota of rank 1. */
bool sr_pattern_iota_broadcast(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_type *t = sr_result(op, 0)->type;
	int64_t dim = sr_op_int(op, SR_NAME_iota_dimension, 0);
	if (t->rank < 2 || !sr_type_is_static(t))
		return false;
	struct sr_named_attr first = {SR_NAME_iota_dimension, sr_attr_i64(rw->ctx, 0)},
		dims = list_attr(rw, SR_NAME_broadcast_dimensions, &dim, 1);
	const struct sr_type *line = sr_type_tensor_of(rw->ctx, t->element, 1, &t->shape[dim], NULL);
	struct sr_value *v = sr_result(sr_rewrite_create(rw, op, SR_OP_stablehlo_iota, NULL, 0, &first, 1, line), 0);
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_broadcast_in_dim, &v, 1, &dims, 1);
}
