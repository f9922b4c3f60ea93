/* Patterns that simplify sort. */
#include "optimize/patterns/match.h"
#include "dialect/attr_names.h"
#include "optimize/patterns/patterns.h"

/* sort along a negative dimension -> sort along the dimension counted from the front. */
bool sr_pattern_sort_dimension(struct sr_rewriter *rw, struct sr_op *op)
{
	int64_t dim = sr_op_int(op, SR_NAME_dimension, -1);
	if (dim >= 0)
		return false;
	sr_op_set_attr(rw->ctx, op, SR_NAME_dimension, sr_attr_i64(rw->ctx, dim + sr_operand(op, 0)->type->rank));
	sr_rewrite_notify_modified(rw, op);
	return true;
}

/* sort with operands that are neither compared nor used as results -> sort without them. */
bool sr_pattern_sort_unused(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_block *body = op->regions[0].first;
	struct sr_value **operands = SR_NEW_ARRAY(rw->ctx->arena, struct sr_value *, op->n_operands);
	const struct sr_type **types = SR_NEW_ARRAY(rw->ctx->arena, const struct sr_type *, op->n_operands);
	bool *is_kept = SR_NEW_ARRAY(rw->ctx->arena, bool, op->n_operands);
	int n = 0;
	for (int i = 0; i < op->n_operands; i++) {
		is_kept[i] = sr_result(op, i)->uses || body->args[2 * i]->uses || body->args[2 * i + 1]->uses;
		if (!is_kept[i])
			continue;
		types[n] = sr_result(op, i)->type;
		operands[n++] = sr_operand(op, i);
	}
	if (n == 0 || n == op->n_operands)
		return false;
	struct sr_builder b = sr_rewrite_before(rw, op);
	struct sr_op *new_op = sr_build(&b, SR_OP_stablehlo_sort, operands, n, op->attrs, op->n_attrs, types, n);
	for (int i = op->n_operands; i-- > 0;)
		for (int k = 2; !is_kept[i] && k-- > 0;)
			sr_block_remove_arg(body, 2 * i + k);
	sr_region_take(&new_op->regions[0], &op->regions[0]);
	for (int i = 0, k = 0; i < op->n_results; i++)
		if (is_kept[i])
			sr_rewrite_replace_value(rw, sr_result(op, i), sr_result(new_op, k++));
	sr_rewrite_notify_inserted(rw, new_op);
	sr_rewrite_erase(rw, op);
	return true;
}
