/* Implement sdy-sink-func-data-flow-edges: erase sdy.func_data_flow_edge ops and move their shardings to their operands. If an
 * edge has no sharding, its operand's sharding becomes fully open. */
#include "import/calls/call_graph.h"
#include "import/import_passes.h"
#include "dialect/ops.h"

static bool sink_op(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	if (!sr_op_is(op, SR_OP_sdy_func_data_flow_edge))
		return true;
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_attr *sharding = sr_value_sharding(ctx, sr_result(op, 0)), *old_sharding = sr_value_sharding(ctx, v);
	if (sharding)
		sr_value_set_sharding(ctx, v, sharding);
	else if (old_sharding)
		sr_value_set_sharding(ctx, v, sr_replicated_like(ctx, old_sharding->sharding, v->type, false));
	sr_value_replace_all(sr_result(op, 0), v);
	sr_op_erase(op);
	return true;
}

enum sr_status sr_pass_sink_func_data_flow_edges(struct sr_context *ctx, struct sr_op *func, const struct sr_pass_options *options)
{
	sr_walk(func, sink_op, ctx);
	return SR_OK;
}
