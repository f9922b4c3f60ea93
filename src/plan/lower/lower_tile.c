/* work.tile as a step: its block (work/emit/emit.h) is the step's params. */
#include "plan/lower/lower.h"
#include "work/work.h"

static enum sr_status emit(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_access access;
	if (sr_work_is_sliced_by_reader(b->ctx, op, &access))
		return SR_OK;
	const struct sr_tile *tile = sr_work_emit(b->ctx, b->ctx->scratch, op);
	int buffers[SR_TILE_BUFFERS], n = 0;
	if (!tile)
		return sr_lower_unsupported(b, op, "has more operands and results than a tile may have");
	for (int i = 0; i < op->n_operands; i++)
		buffers[n++] = sr_plan_buffer_for(b, sr_operand(op, i));
	for (int i = 0; i < op->n_results; i++)
		buffers[n++] = sr_plan_buffer_for(b, sr_result(op, i));
	sr_plan_step(b, SR_STEP_TILE, buffers, n, tile, tile->bytes);
	return SR_OK;
}

enum sr_status sr_lower_tile(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_arena_place mark = sr_arena_mark(b->ctx->scratch);
	enum sr_status status = emit(b, op);
	sr_arena_release(b->ctx->scratch, mark);
	return status;
}
