/* Reduce-scatter, ring: the partial result of each block travels around the ring to its owner.
 *
 * Source: Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69(2), 2009 (its first
 * half). No precondition. n - 1 rounds of messages to the right neighbour, r(n-1) bytes per member for a result of r bytes, twice
 * that for narrow floats, whose partial results are f32. Scratch 2r (narrow floats 4r). Order: block k starts on member k + 1:
 * x(k+1) + x(k+2) ... + x(k), each partial result as left operand.
 *
 * n = 5, member 2, round by round (block: members in its partial result):
 *	sends     1:(2)  0:(1,2)  4:(0,1,2)  3:(4,0,1,2)
 *	receives  0:(1)  4:(0,1)  3:(4,0,1)  2:(3,4,0,1)  -> adds its own, keeps 2 */
#include "collectives/algorithms.h"

enum sr_status sr_reduce_scatter_ring(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	int n = call->n, me = call->member;
	int64_t block = call->count / n;
	enum sr_dtype type = sr_accumulator(call->type, call->monoid);
	sr_build_begin(&b, call, arena);
	struct sr_area in = sr_build_in(&b);
	struct sr_area partial_results[2] = {sr_build_scratch(&b, type, block), sr_build_scratch(&b, type, block)};
	sr_build_copy(&b, partial_results[0], 0, in, sr_wrap(me - 1, n) * block, block);
	sr_build_round(&b);
	for (int s = 0; s < n - 1; s++) {
		int reduced_block = sr_wrap(me - s - 2, n);
		struct sr_area next = partial_results[(s + 1) & 1];
		sr_build_recv(&b, sr_wrap(me - 1, n), s, next, 0, block);
		sr_build_send(&b, sr_wrap(me + 1, n), s, partial_results[s & 1], 0, block);
		sr_build_round(&b);
		sr_build_reduce(&b, next, 0, in, reduced_block * block, block, false);
		sr_build_round(&b);
	}
	sr_build_copy(&b, sr_build_out(&b), 0, partial_results[(n - 1) & 1], 0, block);
	return sr_build_end(&b, out);
}
