/* Decide which ops of a block need no instruction: slices and splats, if all readers read the op's operand instead, and undefined
 * values. The decision is an attribute of the op; the schedule and lowering read it. */
#include "work/work.h"

bool sr_work_is_elided(const struct sr_op *op)
{
	return sr_op_attr(op, SR_WORK_ELIDED);
}

void sr_work_mark_elided(struct sr_context *ctx, struct sr_block *block)
{
	for (struct sr_op *op = block->first; op; op = op->next) {
		struct sr_arena_position mark = sr_arena_mark(ctx->scratch);
		if (sr_op_is(op, SR_OP_work_empty) || sr_work_may_elide_slice(ctx, op) || sr_work_may_elide_splat(op))
			sr_op_set_attr(ctx, op, SR_WORK_ELIDED, sr_attr_unit(ctx));
		else
			sr_op_remove_attr(ctx, op, SR_WORK_ELIDED);
		sr_arena_release(ctx->scratch, mark);
	}
}
