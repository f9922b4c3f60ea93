/* All-reduce, ring: partial results of n blocks travel around the ring once, then the reduced blocks travel around it.
 *
 * Source: Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69(2), 2009. No
 * precondition (block sizes differ by at most one element; empty blocks are not sent). 2(n-1) rounds of messages, 2r(n-1)/n bytes
 * per member for a result of r bytes; in the first half f32 for narrow floats. Scratch r/n (narrow floats 2r + 2r/n). Order: block
 * k starts on member k: x(k) + x(k+1) ... x(k-1), each partial result as left operand, so it depends on n and the block only. One
 * member computes a block, so all members have equal bits.
 *
 * n = 5, member 2: blocks received from 1 (with the members in the partial result) to which it adds its own, then the reduced
 * blocks:
 *	reduce  1:(1)  0:(0,1)  4:(4,0,1)  3:(3,4,0,1) -> 3 complete
 *	gather  3 -> 2 <- 2  -> 1 ... */
#include "collectives/algorithms.h"

/* Append the reduction phase, after which block (me + 1) mod n of `work` is complete. */
static void build_reduce_phase(struct sr_schedule_builder *b, struct sr_area work, struct sr_area received)
{
	int n = b->call->n, me = b->call->member;
	int64_t count = b->call->count;
	for (int s = 0; s < n - 1; s++) {
		int sent_block = sr_wrap(me - s, n), reduced_block = sr_wrap(sent_block - 1, n);
		int64_t start = sr_block_start(count, n, reduced_block), size = sr_block_size(count, n, reduced_block);
		sr_build_recv(b, sr_wrap(me - 1, n), s, received, 0, size);
		sr_build_send(b, sr_wrap(me + 1, n), s, work, sr_block_start(count, n, sent_block),
			      sr_block_size(count, n, sent_block));
		sr_build_round(b);
		sr_build_reduce(b, work, start, received, 0, size, true);
		sr_build_round(b);
	}
}

enum sr_status sr_all_reduce_ring(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	int n = call->n, complete_block = sr_wrap(call->member + 1, n);
	int64_t count = call->count, start = sr_block_start(count, n, complete_block);
	sr_build_begin(&b, call, arena);
	struct sr_area out = sr_build_out(&b), work = sr_build_partials(&b, count);
	struct sr_area received = sr_build_scratch(&b, work.type, sr_block_size(count, n, 0));
	sr_build_copy(&b, work, 0, sr_build_in(&b), 0, count);
	sr_build_round(&b);
	build_reduce_phase(&b, work, received);
	if (work.buffer != SR_OUT)
		sr_build_copy(&b, out, start, work, start, sr_block_size(count, n, complete_block));
	sr_build_round(&b);
	sr_phase_gather_ring(&b, count, 1, n - 1);
	return sr_build_end(&b, result);
}
