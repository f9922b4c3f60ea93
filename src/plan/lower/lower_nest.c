/* Lower work.nest: its block (work/emit/emit.h) becomes the params of one instruction. */
#include "plan/lower/lower.h"
#include "work/work.h"

/* Describe which operands of the nest were not fused, and why: "1 (long rows), 2 (adds live memory)". */
static const char *unfused_operands_text(struct sr_plan_builder *b, const struct sr_op *op)
{
	const struct sr_attr *texts = sr_op_attr(op, SR_WORK_NOT_FUSED);
	struct sr_buf out;
	int n = 0;
	sr_buf_init(&out, b->ctx->scratch);
	for (int i = 0; texts && i < texts->n; i++)
		if (*texts->list[i]->s)
			sr_buf_printf(&out, "%s%d (%s)", n++ ? ", " : "", i, texts->list[i]->s);
	return sr_buf_string(&out);
}

static enum sr_status emit_nest(struct sr_plan_builder *b, struct sr_op *op)
{
	if (sr_work_is_elided(op))
		return SR_OK;
	const struct sr_nest *nest = sr_work_emit(b->ctx, b->ctx->scratch, op);
	int buffers[SR_NEST_MAX_BUFFERS], n = 0;
	if (!nest)
		return sr_lower_unsupported(b, op, "has more operands and results than a loop nest may have");
	for (int i = 0; i < op->n_operands; i++)
		buffers[n++] = sr_plan_buffer_for(b, sr_operand(op, i));
	for (int i = 0; i < op->n_results; i++)
		buffers[n++] = sr_plan_buffer_for(b, sr_result(op, i));
	uint32_t why = sr_plan_add_text(b, sr_intern(b->ctx, unfused_operands_text(b, op)));
	sr_plan_add_instr(b, SR_INSTR_NEST, buffers, n, nest, nest->bytes)->cause = why;
	return SR_OK;
}

enum sr_status sr_lower_nest(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_arena_position mark = sr_arena_mark(b->ctx->scratch);
	enum sr_status status = emit_nest(b, op);
	sr_arena_release(b->ctx->scratch, mark);
	return status;
}
