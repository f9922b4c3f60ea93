/* What the collectives of a local module cost, as the report counts it: each op once, in a loop or not; `bytes` of its results on a device;
 * `wire_bytes` what a device must at least send: for results of r bytes over n devices, all-reduce 2r(n-1)/n, all-gather r(n-1)/n,
 * reduce-scatter r(n-1), all-to-all r(n-1)/n, permute and broadcast r. */
#include "plan/plan.h"

enum wire { TWICE_PART, PART, OTHERS, WHOLE };

static const struct {
	enum sr_op_code code;
	const char *kind;
	enum wire wire;
} rows[SR_COST_KINDS] = {
	{SR_OP_stablehlo_all_reduce, "all-reduce", TWICE_PART},
	{SR_OP_stablehlo_all_gather, "all-gather", PART},
	{SR_OP_stablehlo_reduce_scatter, "reduce-scatter", OTHERS},
	{SR_OP_stablehlo_all_to_all, "all-to-all", PART},
	{SR_OP_stablehlo_collective_permute, "collective-permute", WHOLE},
	{SR_OP_stablehlo_collective_broadcast, "collective-broadcast", WHOLE},
};

struct walk {
	struct sr_context *ctx;
	struct sr_collective_cost *out;
};

static int64_t wire_bytes(enum wire wire, int64_t r, int64_t n)
{
	switch (wire) {
	case TWICE_PART:
		return n ? 2 * (r * (n - 1) / n) : 0;
	case PART:
		return n ? r * (n - 1) / n : 0;
	case OTHERS:
		return r * (n - 1);
	default:
		return r;
	}
}

static bool count(void *data, struct sr_op *op)
{
	struct walk *w = data;
	for (int i = 0; i < SR_COST_KINDS; i++) {
		struct sr_groups g = {0};
		int64_t r = 0;
		if (!sr_op_is(op, rows[i].code))
			continue;
		if (rows[i].wire != WHOLE)
			(void)sr_op_groups(w->ctx, op, &g);
		for (int k = 0; k < op->n_results; k++) {
			int64_t bytes = 0;
			if (sr_type_bytes(sr_result(op, k)->type, &bytes))
				r += bytes;
		}
		w->out[i].count++;
		w->out[i].bytes += r;
		w->out[i].wire_bytes += wire_bytes(rows[i].wire, r, g.group_size);
	}
	return true;
}

void sr_collective_costs(struct sr_context *ctx, struct sr_op *module, struct sr_collective_cost out[SR_COST_KINDS])
{
	struct walk w = {ctx, out};
	for (int i = 0; i < SR_COST_KINDS; i++)
		out[i] = (struct sr_collective_cost){.kind = rows[i].kind};
	sr_walk(module, count, &w);
}
