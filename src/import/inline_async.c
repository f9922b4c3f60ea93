/* Implement shardrun-inline-async: replace a pair of async_start and async_done by the collective of the start's body.
 *
 *	%0 = "stablehlo.async_start"(%arg0) ({ ^bb0(%arg1): %2 = "stablehlo.all_reduce"(%arg1) ...; stablehlo.return %2 })
 *	%1 = "stablehlo.async_done"(%0)
 *	->  %1 = "stablehlo.all_reduce"(%arg0)
 *
 * The plan separates start and finish of every collective, and the schedule chooses their distance. A start with more than one
 * reader, and one whose reader is in another block, stay: they are executed as they are written. */
#include "import/import.h"
#include "import/import_passes.h"

static bool inline_pair(void *data, struct sr_op *done)
{
	(void)data;
	struct sr_op *start = sr_op_is(done, SR_OP_stablehlo_async_done) ? sr_operand(done, 0)->def : NULL;
	if (!start || !sr_op_is(start, SR_OP_stablehlo_async_start) || start->block != done->block || sr_result(start, 0)->uses->next)
		return true;
	struct sr_block *body = start->regions[0].first;
	struct sr_op *end = sr_block_terminator(body);
	if (end->n_operands != done->n_results)
		return true;
	for (int i = 0; i < start->n_operands; i++)
		sr_value_replace_all(body->args[i], sr_operand(start, i));
	while (body->first != end)
		sr_op_move_before(body->first, start);
	for (int i = 0; i < done->n_results; i++)
		sr_value_replace_all(sr_result(done, i), sr_operand(end, i));
	sr_op_erase(done);
	sr_op_erase(start);
	return true;
}

enum sr_status sr_pass_inline_async(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	(void)options;
	sr_walk(module, inline_pair, ctx);
	return SR_OK;
}
