/* Count the collectives of a local module for the report: each op once, in a loop or not. `bytes`: size of its results on a
 * device; `wire_bytes`: bytes that a device must send at least (sr_cost_wire_bytes). */
#include "plan/plan.h"

static const enum sr_op_code ops[SR_COLL_COUNT] = {
	[SR_ALL_REDUCE] = SR_OP_stablehlo_all_reduce,
	[SR_ALL_GATHER] = SR_OP_stablehlo_all_gather,
	[SR_REDUCE_SCATTER] = SR_OP_stablehlo_reduce_scatter,
	[SR_ALL_TO_ALL] = SR_OP_stablehlo_all_to_all,
	[SR_PERMUTE] = SR_OP_stablehlo_collective_permute,
	[SR_BROADCAST] = SR_OP_stablehlo_collective_broadcast,
};

struct walk {
	struct sr_context *ctx;
	struct sr_collective_cost *out;
};

enum sr_coll sr_plan_collective_cost(struct sr_context *ctx, struct sr_op *op, struct sr_collective_cost *cost, int64_t *group_size)
{
	int kind = 0;
	while (kind < SR_COLL_COUNT && !sr_op_is(op, ops[kind]))
		kind++;
	if (kind == SR_COLL_COUNT)
		return SR_COLL_COUNT;
	*cost = (struct sr_collective_cost){.count = 1};
	*group_size = kind != SR_PERMUTE && kind != SR_BROADCAST ? sr_op_group_size(ctx, op) : 0;
	for (int k = 0; k < op->n_results; k++) {
		int64_t bytes = 0;
		if (sr_type_bytes(sr_result(op, k)->type, &bytes))
			cost->bytes += bytes;
	}
	cost->wire_bytes = sr_cost_wire_bytes((enum sr_coll)kind, cost->bytes, *group_size);
	return (enum sr_coll)kind;
}

static bool count_collective(void *data, struct sr_op *op)
{
	struct walk *w = data;
	struct sr_collective_cost one;
	int64_t group_size;
	enum sr_coll kind = sr_plan_collective_cost(w->ctx, op, &one, &group_size);
	if (kind == SR_COLL_COUNT)
		return true;
	w->out[kind].count++;
	w->out[kind].bytes += one.bytes;
	w->out[kind].wire_bytes += one.wire_bytes;
	return true;
}

void sr_collective_costs(struct sr_context *ctx, struct sr_op *module, struct sr_collective_cost out[SR_COLL_COUNT])
{
	struct walk w = {ctx, out};
	for (int i = 0; i < SR_COLL_COUNT; i++)
		out[i] = (struct sr_collective_cost){0};
	sr_walk(module, count_collective, &w);
}
