// Rows in levels on many nodes: what the cost room says goes between nodes is what their schedules send there.
#pragma once
#include "collectives/levels.h"
#include "tests/unit/suite.h"
#include <math.h>

/* Nodes in order of their first member: by blocks of k, in turn on k nodes, or two on the first and all others on nodes of their own. */
static const int *nodes_of(struct sr_arena *arena, int n, int way, int k)
{
	int *node = SR_NEWS(arena, int, n);
	for (int i = 0; i < n; i++)
		node[i] = way == 0 ? i / k : way == 1 ? i % k : i < 2 ? 0 : i - 1;
	return node;
}

/* Bytes of messages to other nodes, by the node that sends; false where there is no such schedule. */
static bool sent_between(struct sr_arena *arena, struct sr_coll_call *call, double *leaves)
{
	const struct sr_algorithm *row = sr_algorithm_find(call->coll, "levels", 6);
	struct sr_schedule s;
	for (call->me = 0; call->me < call->n; call->me++) {
		if (sr_algorithm_build(row, call, arena, &s))
			return false;
		for (int64_t i = 0; i < s.n_entries; i++)
			if (s.entries[i].kind == SR_ENTRY_SEND && call->node[s.entries[i].peer] != call->node[call->me])
				leaves[call->node[call->me]] += (double)s.entries[i].bytes;
	}
	call->me = 0;
	return true;
}

static void compare_with_cost(struct sr_arena *arena, struct sr_coll_call *call)
{
	struct sr_levels l;
	double said[64] = {0}, sent[64] = {0}, r = (double)sr_coll_out_bytes(call);
	int sums[64] = {0};
	if (!sr_levels_find(call, arena, &l) || l.n_nodes < 2)
		return;
	for (int p = 0; p < l.n_parts; p++)
		sums[l.parts[p].node]++;
	struct sr_cost_nodes nodes = {.n = call->n, .n_nodes = l.n_nodes, .members = l.count, .sums = sums};
	double carried = (double)sr_dtype_bytes(sr_accumulator(call->type, call->monoid)) / sr_dtype_bytes(call->type);
	double all = 0, all_sent = 0;
	sr_cost_between_nodes(call->coll, r, carried, &nodes, said);
	ck_assert(sent_between(arena, call, sent));
	for (int a = 0; a < l.n_nodes; a++) {
		all += said[a], all_sent += sent[a];
		ck_assert_msg(call->coll == SR_BROADCAST || fabs(said[a] - sent[a]) <= 1e-3 * said[a],
			      "%s n=%d node %d: said %g, sent %g", sr_coll_name(call->coll), call->n, a, said[a], sent[a]);
	}
	ck_assert_msg(fabs(all - all_sent) <= 1e-3 * all, "%s n=%d: said %g, sent %g", sr_coll_name(call->coll), call->n, all, all_sent);
}

START_TEST(cost_between_nodes_is_what_levels_send)
{
	static const enum sr_coll colls[] = {SR_ALL_REDUCE, SR_ALL_GATHER, SR_REDUCE_SCATTER, SR_ALL_TO_ALL, SR_BROADCAST};
	struct sr_arena *own = sr_arena_new();
	for (int n = 2; n <= 13; n++)
		for (int way = 0; way < 3; way++)
			for (int k = 2; k <= 4; k++)
				for (size_t c = 0; c < sizeof colls / sizeof *colls; c++)
					for (int narrow = 0; narrow < 2; narrow++) {
						struct sr_coll_call call = {.coll = colls[c], .n = n, .count = (int64_t)n * 60060, .from = 0, .to = -1,
									    .type = narrow ? SR_BF16 : SR_F32, .carrier = SR_CARRIER_LEVELS,
									    .node = nodes_of(own, n, way, k)};
						struct sr_arena_place mark = sr_arena_mark(own);
						compare_with_cost(own, &call);
						sr_arena_release(own, mark);
					}
	sr_arena_free(own);
}
END_TEST
