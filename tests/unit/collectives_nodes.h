/* Hierarchical algorithms on many nodes: their schedules send between nodes as many bytes as the cost model says. */
#pragma once
#include "collectives/hierarchy.h"
#include "tests/unit/suite.h"
#include <math.h>

/* Return the node of each of n members. way: blocks of k members, round-robin over k nodes, or two members on the first node and
 * one on each other. */
static const int *place_on_nodes(struct sr_arena *arena, int n, int way, int k)
{
	int *node = SR_NEW_ARRAY(arena, int, n);
	for (int i = 0; i < n; i++)
		node[i] = way == 0 ? i / k : way == 1 ? i % k : i < 2 ? 0 : i - 1;
	return node;
}

/* Add the bytes that each node sends to other nodes. Return false if the algorithm does not build a schedule. */
static bool add_internode_bytes(struct sr_arena *arena, struct sr_coll_call *call, double *leaves)
{
	const struct sr_algorithm *row = sr_algorithm_find(call->coll, "hierarchical", 12);
	struct sr_schedule s;
	for (call->member = 0; call->member < call->n; call->member++) {
		if (sr_algorithm_build(row, call, arena, &s))
			return false;
		for (int64_t i = 0; i < s.n_entries; i++)
			if (s.entries[i].kind == SR_ENTRY_SEND && call->node[s.entries[i].peer] != call->node[call->member])
				leaves[call->node[call->member]] += (double)s.entries[i].bytes;
	}
	call->member = 0;
	return true;
}

static void compare_with_cost(struct sr_arena *arena, struct sr_coll_call *call)
{
	struct sr_hierarchy l;
	double predicted[64] = {0}, sent_bytes[64] = {0}, r = (double)sr_coll_out_bytes(call);
	int sums[64] = {0};
	if (!sr_hierarchy_find(call, arena, &l) || l.n_nodes < 2)
		return;
	for (int p = 0; p < l.n_subtrees; p++)
		sums[l.subtrees[p].node]++;
	struct sr_cost_nodes nodes = {.n = call->n, .n_nodes = l.n_nodes, .members = l.count, .sums = sums};
	double partial_factor = (double)sr_dtype_bytes(sr_accumulator(call->type, call->monoid)) / sr_dtype_bytes(call->type);
	double all = 0, all_sent = 0;
	sr_cost_internode_bytes(call->coll, r, partial_factor, &nodes, predicted);
	ck_assert(add_internode_bytes(arena, call, sent_bytes));
	for (int a = 0; a < l.n_nodes; a++) {
		all += predicted[a], all_sent += sent_bytes[a];
		ck_assert_msg(fabs(predicted[a] - sent_bytes[a]) <= 1e-3 * predicted[a], "%s n=%d node %d: said %g, sent %g",
			      sr_coll_name(call->coll), call->n, a, predicted[a], sent_bytes[a]);
	}
	ck_assert_msg(fabs(all - all_sent) <= 1e-3 * all, "%s n=%d: said %g, sent %g", sr_coll_name(call->coll), call->n, all, all_sent);
}

static int64_t max_posted_messages(const struct sr_schedule *s)
{
	int64_t max_posted = 0, begin = 0;
	for (int64_t r = 0; r < s->n_rounds; begin = s->round_end[r++]) {
		int64_t n = 0;
		for (int64_t i = begin; i < s->round_end[r]; i++)
			n += s->entries[i].kind == SR_ENTRY_SEND || s->entries[i].kind == SR_ENTRY_RECV;
		max_posted = n > max_posted ? n : max_posted;
	}
	return max_posted;
}

static void check_bounds(struct sr_arena *arena, struct sr_coll_call call)
{
	struct sr_schedule s;
	const struct sr_algorithm *row;
	int64_t r = sr_coll_out_bytes(&call) > sr_coll_in_bytes(&call) ? sr_coll_out_bytes(&call) : sr_coll_in_bytes(&call);
	ck_assert_int_eq(sr_select(NULL, &call, arena, &s, &row), SR_OK);
	const char *name = sr_printf(arena, "%s %s of %lld bytes, member %d, carrier %d: %lld posted, %lld scratch, %lld sent",
				     sr_coll_name(call.coll), row->name, (long long)r, call.member, call.carrier, (long long)max_posted_messages(&s),
				     (long long)s.scratch_bytes, (long long)s.sent_bytes);
	ck_assert_msg(max_posted_messages(&s) <= (int64_t)4 * SR_BURST, "%s", name);
	ck_assert_msg(s.scratch_bytes <= 18 << 20, "%s", name);
	ck_assert_msg(s.sent_bytes <= (call.carrier == SR_CARRIER_MPI ? 20 * r + 65536 : 512 * r), "%s", name);
}

/* Checks of the default selection on one node, on 64 nodes of 8 members (blocks and round-robin), and with each member on its
 * own node. */
START_TEST(selection_stays_within_bounds_for_512_members)
{
	static const enum sr_carrier carriers[] = {SR_CARRIER_MPI, SR_CARRIER_SHM, SR_CARRIER_HIERARCHICAL, SR_CARRIER_HIERARCHICAL};
	struct sr_arena *own = sr_arena_new();
	for (int coll = 0; coll < SR_COLL_COUNT; coll++)
		for (int way = 0; way < 4; way++)
			for (int64_t bytes = 2048; bytes <= 64 << 20; bytes *= 8)
				for (int me = 0; me < 512; me += 73) {
					struct sr_arena_position mark = sr_arena_mark(own);
					struct sr_coll_call call = {.coll = (enum sr_coll)coll, .n = 512, .member = me};
					call.type = SR_BF16;
					call.carrier = (uint8_t)carriers[way];
					call.count = coll == SR_ALL_GATHER ? bytes / 512 / 2 : bytes / 2;
					call.from = coll == SR_PERMUTE ? (me + 511) % 512 : 0;
					call.to = (me + 1) % 512;
					call.node = way < 2 ? NULL : place_on_nodes(own, 512, way - 2, way == 2 ? 8 : 64);
					check_bounds(own, call);
					sr_arena_release(own, mark);
				}
	sr_arena_free(own);
}
END_TEST

START_TEST(cost_between_nodes_equals_bytes_sent)
{
	static const enum sr_coll colls[] = {SR_ALL_REDUCE, SR_ALL_GATHER, SR_REDUCE_SCATTER, SR_ALL_TO_ALL, SR_BROADCAST};
	struct sr_arena *own = sr_arena_new();
	for (int n = 2; n <= 13; n++)
		for (int way = 0; way < 3; way++)
			for (int k = 2; k <= 4; k++)
				for (size_t c = 0; c < sizeof colls / sizeof *colls; c++)
					for (int is_narrow = 0; is_narrow < 2; is_narrow++) {
						struct sr_coll_call call = {.coll = colls[c], .n = n, .count = (int64_t)n * 60060};
						call.type = is_narrow ? SR_BF16 : SR_F32;
						call.carrier = SR_CARRIER_HIERARCHICAL;
						call.node = place_on_nodes(own, n, way, k);
						struct sr_arena_position mark = sr_arena_mark(own);
						compare_with_cost(own, &call);
						sr_arena_release(own, mark);
					}
	sr_arena_free(own);
}
END_TEST
