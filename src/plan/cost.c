/* What the collectives of a local module cost, as the report counts it: each op once, in a loop or not; `bytes` of its results on a device;
 * `wire_bytes` what a device must at least send (sr_cost_wire_bytes). */
#include "plan/plan.h"

static const struct {
	enum sr_op_code code;
	const char *kind;
	enum sr_coll coll;
} rows[SR_COST_KINDS] = {
	{SR_OP_stablehlo_all_reduce, "all-reduce", SR_ALL_REDUCE},
	{SR_OP_stablehlo_all_gather, "all-gather", SR_ALL_GATHER},
	{SR_OP_stablehlo_reduce_scatter, "reduce-scatter", SR_REDUCE_SCATTER},
	{SR_OP_stablehlo_all_to_all, "all-to-all", SR_ALL_TO_ALL},
	{SR_OP_stablehlo_collective_permute, "collective-permute", SR_PERMUTE},
	{SR_OP_stablehlo_collective_broadcast, "collective-broadcast", SR_BROADCAST},
};

struct walk {
	struct sr_context *ctx;
	struct sr_collective_cost *out;
};

/* The row of the op's kind; SR_COST_KINDS: it is no collective. */
static int kind_of(const struct sr_op *op)
{
	int i = 0;
	while (i < SR_COST_KINDS && !sr_op_is(op, rows[i].code))
		i++;
	return i;
}

bool sr_collective_cost(struct sr_context *ctx, struct sr_op *op, struct sr_collective_cost *cost, int64_t *group_size)
{
	int kind = kind_of(op);
	if (kind == SR_COST_KINDS)
		return false;
	*cost = (struct sr_collective_cost){.kind = rows[kind].kind, .count = 1};
	*group_size = rows[kind].coll != SR_PERMUTE && rows[kind].coll != SR_BROADCAST ? sr_op_group_size(ctx, op) : 0;
	for (int k = 0; k < op->n_results; k++) {
		int64_t bytes = 0;
		if (sr_type_bytes(sr_result(op, k)->type, &bytes))
			cost->bytes += bytes;
	}
	cost->wire_bytes = sr_cost_wire_bytes(rows[kind].coll, cost->bytes, *group_size);
	return true;
}

static bool count(void *data, struct sr_op *op)
{
	struct walk *w = data;
	struct sr_collective_cost one;
	int64_t group_size;
	if (!sr_collective_cost(w->ctx, op, &one, &group_size))
		return true;
	struct sr_collective_cost *sum = &w->out[kind_of(op)];
	sum->count++;
	sum->bytes += one.bytes;
	sum->wire_bytes += one.wire_bytes;
	return true;
}

void sr_collective_costs(struct sr_context *ctx, struct sr_op *module, struct sr_collective_cost out[SR_COST_KINDS])
{
	struct walk w = {ctx, out};
	for (int i = 0; i < SR_COST_KINDS; i++)
		out[i] = (struct sr_collective_cost){.kind = rows[i].kind};
	sr_walk(module, count, &w);
}
