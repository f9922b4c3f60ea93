/* All-reduce, ring: partial results of n blocks go round once, the results go round once more.
 *
 * Source: Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69(2), 2009.
 * Requires nothing (blocks differ by at most one element; empty ones are not sent). 2(n-1) rounds of messages, 2r(n-1)/n bytes per
 * member, half of them twice as wide for narrow floats, whose partials are f32. Scratch r/n (narrow floats 2r + 2r/n).
 * Order: block k starts at member k and is added to on its way: x(k) + x(k+1) ... x(k-1), each partial on the left, so it depends
 * on n and the block alone; one member computes a block, so all have equal bits.
 *
 * n = 5, member 2, what it receives from 1 and adds its own part to, then what passes through it finished:
 *	reduce  1:(1)  0:(0,1)  4:(4,0,1)  3:(3,4,0,1) -> 3 complete
 *	gather  3 -> 2 <- 2  -> 1 ... */
#include "collectives/algorithms.h"

/* Partials go round; afterwards work's block (me + 1) mod n is complete. */
static void build_reduce_phase(struct sr_schedule_builder *b, struct sr_area work, struct sr_area received)
{
	int n = b->call->n, me = b->call->me;
	int64_t count = b->call->count;
	for (int s = 0; s < n - 1; s++) {
		int sent = sr_wrap(me - s, n), taken = sr_wrap(sent - 1, n);
		int64_t start = sr_block_start(count, n, taken), size = sr_block_size(count, n, taken);
		sr_build_recv(b, sr_wrap(me - 1, n), s, received, 0, size);
		sr_build_send(b, sr_wrap(me + 1, n), s, work, sr_block_start(count, n, sent), sr_block_size(count, n, sent));
		sr_build_round(b);
		sr_build_reduce(b, work, start, received, 0, size, true);
		sr_build_round(b);
	}
}

enum sr_status sr_all_reduce_ring(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	int n = call->n, whole = sr_wrap(call->me + 1, n);
	int64_t count = call->count, start = sr_block_start(count, n, whole);
	sr_build_begin(&b, call, arena);
	struct sr_area out = sr_build_out(&b), work = sr_build_partials(&b, count);
	struct sr_area received = sr_build_scratch(&b, work.type, sr_block_size(count, n, 0));
	sr_build_copy(&b, work, 0, sr_build_in(&b), 0, count);
	sr_build_round(&b);
	build_reduce_phase(&b, work, received);
	if (work.where != SR_OUT)
		sr_build_copy(&b, out, start, work, start, sr_block_size(count, n, whole));
	sr_build_round(&b);
	sr_phase_gather_ring(&b, count, 1, n - 1);
	return sr_build_end(&b, result);
}
