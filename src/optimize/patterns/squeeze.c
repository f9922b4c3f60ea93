/* Patterns that move reshapes that only remove dimensions of extent 1 ("squeezes", as NumPy calls them) from the operands of slices
 * and concatenates to their results. A row of an array, f[0], is a slice and such a reshape: with the reshape last, the slices and
 * concatenates of rolls and borders of the row read f. */
#include "optimize/patterns/match.h"
#include "dialect/attr_names.h"
#include "optimize/patterns/patterns.h"

/* Set dim_of[d], for each dimension d of a squeeze's result, to the same dimension of its operand. Returns false for other
 * reshapes. */
static bool squeezed_dims(const struct sr_type *from, const struct sr_type *to, int *dim_of)
{
	int at = 0;
	if (to->rank >= from->rank)
		return false;
	for (int d = 0; d < to->rank; d++, at++) {
		while (at < from->rank && from->shape[at] != to->shape[d] && from->shape[at] == 1)
			at++;
		if (at == from->rank || from->shape[at] != to->shape[d])
			return false;
		dim_of[d] = at;
	}
	while (at < from->rank && from->shape[at] == 1)
		at++;
	return at == from->rank;
}

/* Return true if dim_of is valid for these types, too. */
static bool are_squeezed_dims(const struct sr_type *from, const struct sr_type *to, const int *dim_of)
{
	int d = 0;
	for (int at = 0; at < from->rank; at++) {
		bool is_kept = d < to->rank && dim_of[d] == at;
		if (from->shape[at] != (is_kept ? to->shape[d] : 1))
			return false;
		d += is_kept;
	}
	return d == to->rank;
}

/* Return the operand of a squeeze of a slice or concatenate; NULL if v is no such value. */
static struct sr_value *squeezed_view(const struct sr_value *v)
{
	const struct sr_op *reshape = sr_value_def_of(v, SR_OP_stablehlo_reshape);
	struct sr_value *from = reshape ? sr_operand(reshape, 0) : NULL;
	bool is_view = from && (sr_value_def_of(from, SR_OP_stablehlo_slice) || sr_value_def_of(from, SR_OP_stablehlo_concatenate));
	return is_view && sr_type_is_static(from->type) && sr_type_is_static(v->type) ? from : NULL;
}

/* In a local module, slice(reshape(x)) -> reshape(slice(x)), if x is a slice or concatenate. */
bool sr_pattern_slice_of_squeeze(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0), *from = squeezed_view(v);
	const struct sr_type *result = sr_result(op, 0)->type;
	int *dim_of = SR_NEW_ARRAY(rw->ctx->arena, int, result->rank);
	if (rw->config->keeps_shardings || !from || !sr_type_is_static(result) || !squeezed_dims(from->type, v->type, dim_of))
		return false;
	const char *const names[] = {SR_NAME_start_indices, SR_NAME_limit_indices, SR_NAME_strides};
	int64_t *list = SR_NEW_ARRAY(rw->ctx->arena, int64_t, from->type->rank);
	struct sr_named_attr attrs[3];
	for (int k = 0; k < 3; k++) {
		for (int d = 0; d < from->type->rank; d++)
			list[d] = k > 0;
		for (int d = 0; d < result->rank; d++)
			list[dim_of[d]] = sr_match_ints(rw->ctx, op, names[k]).v[d];
		attrs[k] = (struct sr_named_attr){names[k], sr_attr_i64s(rw->ctx, list, from->type->rank)};
	}
	for (int d = 0; d < from->type->rank; d++)
		list[d] = 1;
	for (int d = 0; d < result->rank; d++)
		list[dim_of[d]] = result->shape[d];
	const struct sr_type *t = sr_type_with_shape(rw->ctx, from->type, from->type->rank, list);
	struct sr_value *slice = sr_rewrite_create_like(rw, op, SR_OP_stablehlo_slice, &from, 1, attrs, 3, t);
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_reshape, &slice, 1, NULL, 0);
}

/* Return v with the dimensions that a squeeze with dim_of removes, of `rank` dimensions in all; created before op. */
static struct sr_value *create_unsqueezed(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *v, int rank, const int *dim_of)
{
	int64_t *shape = SR_NEW_ARRAY(rw->ctx->arena, int64_t, rank);
	for (int d = 0; d < rank; d++)
		shape[d] = 1;
	for (int d = 0; d < v->type->rank; d++)
		shape[dim_of[d]] = v->type->shape[d];
	const struct sr_type *t = sr_type_with_shape(rw->ctx, v->type, rank, shape);
	return sr_rewrite_create_like(rw, op, SR_OP_stablehlo_reshape, &v, 1, NULL, 0, t);
}

/* In a local module, concatenate(reshape(x), reshape(y), z, ...) -> reshape(concatenate(x, y, reshape(z), ...)), if x, y, ... are
 * slices and concatenates, the longest operand among them, and the same dimensions are removed. Other operands, such as a row from
 * another device, get the dimensions. */
bool sr_pattern_concatenate_of_squeezes(struct sr_rewriter *rw, struct sr_op *op)
{
	int64_t dim = sr_op_int(op, SR_NAME_dimension, 0);
	const struct sr_type *result = sr_result(op, 0)->type;
	struct sr_value **from = SR_NEW_ARRAY(rw->ctx->arena, struct sr_value *, op->n_operands);
	int *dim_of = SR_NEW_ARRAY(rw->ctx->arena, int, result->rank), longest = 0;
	if (rw->config->keeps_shardings || !sr_type_is_static(result))
		return false;
	for (int i = 1; i < op->n_operands; i++)
		if (sr_operand(op, i)->type->shape[dim] > sr_operand(op, longest)->type->shape[dim])
			longest = i;
	const struct sr_value *view = squeezed_view(sr_operand(op, longest));
	if (!view || !squeezed_dims(view->type, sr_operand(op, longest)->type, dim_of))
		return false;
	for (int i = 0; i < op->n_operands; i++) {
		from[i] = squeezed_view(sr_operand(op, i));
		if (from[i] && (from[i]->type->rank != view->type->rank ||
				!are_squeezed_dims(from[i]->type, sr_operand(op, i)->type, dim_of)))
			return false;
	}
	for (int i = 0; i < op->n_operands; i++)
		if (!from[i])
			from[i] = create_unsqueezed(rw, op, sr_operand(op, i), view->type->rank, dim_of);
	const struct sr_type *t = sr_match_with_extent(rw->ctx, from[longest]->type, dim_of[dim], result->shape[dim]);
	struct sr_named_attr attr = {SR_NAME_dimension, sr_attr_i64(rw->ctx, dim_of[dim])};
	struct sr_value *v = sr_rewrite_create_like(rw, op, SR_OP_stablehlo_concatenate, from, op->n_operands, &attr, 1, t);
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_reshape, &v, 1, NULL, 0);
}
