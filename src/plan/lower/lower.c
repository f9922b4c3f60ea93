/* Lower ops to instructions by the LOWER column, block by block. */
#include "plan/program_builder.h"
#include "plan/lower/lower.h"

static sr_lower_fn *const lowerings[SR_OP_COUNT] = {
#define OP(dialect, name, signature, attributes) [SR_OP_##dialect##_##name] =
#define LOWER(f) sr_lower_##f,
#include "dialect/table/all.ops"
};

enum sr_status sr_lower_unsupported(struct sr_plan_builder *b, struct sr_op *op, const char *why)
{
	return sr_op_error(op, &b->ctx->diags, SR_UNSUPPORTED, "%s", why);
}

enum sr_status sr_lower_none(struct sr_plan_builder *b, struct sr_op *op)
{
	return sr_lower_unsupported(b, op, "cannot be run: it has no kernel");
}

/* Lower an op that does nothing at run time. */
enum sr_status sr_lower_nothing(struct sr_plan_builder *b, struct sr_op *op)
{
	(void)b, (void)op;
	return SR_OK;
}

/* Let each result have the operand's buffer. */
enum sr_status sr_lower_identity(struct sr_plan_builder *b, struct sr_op *op)
{
	for (int i = 0; i < op->n_results && i < op->n_operands; i++)
		sr_plan_bind_value(b, sr_result(op, i), sr_plan_buffer_for(b, sr_operand(op, i)));
	return SR_OK;
}

/* Check the result types: tokens and tuples need no buffer; all others must be static tensors of an element type that kernels
 * support. */
static enum sr_status check_types(struct sr_plan_builder *b, struct sr_op *op)
{
	for (int i = 0; i < op->n_results; i++) {
		const struct sr_type *t = sr_result(op, i)->type;
		if (t->kind == SR_TYPE_TOKEN || t->kind == SR_TYPE_TUPLE || sr_op_is(op, SR_OP_stablehlo_async_start))
			continue;
		enum sr_status status = sr_plan_check_type(b, op, t, "result", i, NULL);
		if (status)
			return status;
	}
	return SR_OK;
}

static enum sr_status lower_op(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_op *outer = b->op;
	sr_lower_fn *fn = lowerings[op->info->code];
	enum sr_status status = check_types(b, op);
	if (status)
		return status;
	b->op = op;
	status = fn ? fn(b, op) : sr_lower_none(b, op);
	b->op = outer;
	return status;
}

enum sr_status sr_lower_block(struct sr_plan_builder *b, struct sr_block *block)
{
	for (struct sr_op *op = block->first; op; op = op->next) {
		enum sr_status status;
		if (sr_op_has(op, SR_TERMINATOR))
			break;
		status = lower_op(b, op);
		if (status)
			return status;
	}
	return SR_OK;
}
