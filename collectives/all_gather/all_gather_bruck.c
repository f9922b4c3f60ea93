/* All-gather, Bruck: the number of blocks that a member holds doubles in every round.
 *
 * Source: Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient algorithms for all-to-all communications in multiport message-passing
 * systems", IEEE TPDS 8(11), 1997. No precondition. ceil(log2 n) rounds, r(n-1)/n bytes per member for a result of r bytes; scratch
 * r (blocks are collected in order from the member's own, then rotated into place by one copy of the result). For short messages.
 *
 * n = 5, member 2's scratch after each round (it sends to 2 - d and receives from 2 + d):
 *	start  b2
 *	d = 1  b2 b3
 *	d = 2  b2 b3 b4 b0
 *	d = 4  b2 b3 b4 b0 b1      the last round moves n - d = 1 block */
#include "collectives/algorithms.h"

enum sr_status sr_all_gather_bruck(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	int n = call->n, me = call->member, step = 0;
	int64_t count = call->count;
	sr_build_begin(&b, call, arena);
	struct sr_area in = sr_build_in(&b), out = sr_build_out(&b), all = sr_build_scratch(&b, call->type, n * count);
	sr_build_copy(&b, all, 0, in, 0, count);
	sr_build_round(&b);
	for (int d = 1; d < n; d *= 2, step++) {
		int blocks = d < n - d ? d : n - d;
		sr_build_recv(&b, sr_wrap(me + d, n), step, all, d * count, blocks * count);
		sr_build_send(&b, sr_wrap(me - d, n), step, all, 0, blocks * count);
		sr_build_round(&b);
	}
	sr_build_copy(&b, out, me * count, all, 0, (n - me) * count);
	sr_build_copy(&b, out, 0, all, (n - me) * count, me * count);
	return sr_build_end(&b, result);
}
