/* sdy-sink-data-flow-edges: takes the edges out again and puts the shardings they held onto the ops that they belong to: a loop's
 * sdy.sharding, the in- and out-shardings of computations. The opposite of sdy-add-data-flow-edges. */
#include "import/edges.h"
#include "import/passes.h"
#include "import/shardings.h"

/* What a manual computation keeps for its arguments has the manual axes in front. */
static const struct sr_attr *with_manual(struct sr_context *ctx, const struct sr_op *op, const struct sr_attr *shardings)
{
	const struct sr_attr *outer = sr_op_attr(op, "in_shardings"), *manual = sr_op_attr(op, "manual_axes");
	const struct sr_attr **list = SR_NEWS(ctx->arena, const struct sr_attr *, shardings->n);
	for (int i = 0; i < shardings->n; i++) {
		struct sr_sharding s = sr_sharding_add_manual(ctx->arena, outer->list[i]->sharding, shardings->list[i]->sharding,
							      *manual->axes);
		list[i] = sr_attr_sharding(ctx, &s);
	}
	return sr_attr_shardings(ctx, list, shardings->n);
}

static void sink_to_owner(struct sr_context *ctx, struct sr_op *op)
{
	bool manual = sr_op_is(op, SR_OP_sdy_manual_computation), body = manual || sr_op_is(op, SR_OP_sdy_named_computation);
	const struct sr_attr *args = body ? sr_edge_shardings(ctx, op->regions[0].first->args, op->regions[0].first->n_args) : NULL;
	if (args)
		sr_op_set_attr(ctx, op, "in_shardings", manual ? with_manual(ctx, op, args) : args);
	const struct sr_attr *results = sr_edge_shardings(ctx, sr_result_list(ctx, op), op->n_results);
	if (results)
		sr_op_set_attr(ctx, op, body ? "out_shardings" : "sdy.sharding", results);
}

static bool sink_op(void *data, struct sr_op *op)
{
	if (sr_op_is(op, SR_OP_sdy_data_flow_edge)) {
		sr_value_replace_all(sr_result(op, 0), sr_operand(op, 0));
		sr_op_erase(op);
	} else if (sr_op_has(op, SR_DATA_FLOW_EDGE)) {
		sink_to_owner(data, op);
	}
	return true;
}

enum sr_status sr_pass_sink_data_flow_edges(struct sr_context *ctx, struct sr_op *func, const struct sr_pass_options *options)
{
	sr_walk(func, sink_op, ctx);
	return SR_OK;
}
