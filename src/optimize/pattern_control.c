/* Patterns of control flow. */
#include "optimize/patterns.h"

/* case with a constant index: the chosen branch's ops in its place. An index out of range means the last branch. */
bool sr_pattern_constant_case(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_op *index = sr_operand(op, 0)->def;
	const int64_t *value;
	int64_t n;
	if (!index || !sr_op_is(index, SR_OP_stablehlo_constant))
		return false;
	if (!sr_attr_ints(rw->ctx, sr_op_attr(index, "value"), &value, &n) || n != 1)
		return false;
	int64_t chosen = value[0] < 0 || value[0] >= op->n_regions ? op->n_regions - 1 : value[0];
	struct sr_block *body = op->regions[chosen].first;
	while (body->first != body->last) {
		struct sr_op *inner = body->first;
		sr_op_move_before(inner, op);
		sr_rewrite_changed(rw, inner);
	}
	for (int i = 0; i < op->n_results; i++)
		sr_rewrite_replace_value(rw, sr_result(op, i), sr_operand(body->last, i));
	sr_rewrite_erase(rw, op);
	return true;
}
