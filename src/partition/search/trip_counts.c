/* How often a block runs per execution of the function: the product of the trip counts of the loops around it. */
#include "cost/cost.h"
#include "dialect/trip_count.h"
#include "partition/search/search.h"

/* Return true if `op` is inside a loop of the function whose trip count is not known. */
static bool is_in_unknown_loop(struct sr_search *s, const struct sr_op *op)
{
	for (op = op->block->region->op; op != s->func && op->block; op = op->block->region->op)
		if (sr_op_is(op, SR_OP_stablehlo_while) && sr_trip_count(s->ctx, op) < 0)
			return true;
	return false;
}

double sr_search_trip_count(struct sr_search *s, const struct sr_block *block)
{
	const struct sr_op *op = block->region->op;
	double *memo_entry = sr_map_get(&s->block_runs, block);
	if (op == s->func || !op->block)
		return 1;
	if (!memo_entry) {
		bool is_loop = sr_op_is(op, SR_OP_stablehlo_while);
		int64_t trips = is_loop ? sr_cost_trips(sr_trip_count(s->ctx, op), is_in_unknown_loop(s, op)) : 1;
		memo_entry = SR_NEW(s->arena, double);
		*memo_entry = sr_search_trip_count(s, op->block) * (double)trips;
		sr_map_put(&s->block_runs, block, memo_entry);
	}
	return *memo_entry;
}

/* Return how often a value is resharded per execution of the function: reshards of a value that loops carry unchanged are hoisted
 * out of these loops. */
double sr_search_trip_count_of_value(struct sr_search *s, const struct sr_value *v)
{
	return sr_search_trip_count(s, sr_value_block(sr_loop_invariant_source(v)));
}
