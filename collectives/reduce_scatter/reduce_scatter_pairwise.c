/* Reduce-scatter, pairwise: one partner per round, at increasing distance; contributions are added in order of arrival.
 *
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1), 2005. No
 * precondition. n rounds (n - 1 with messages; a contribution is added while the next one is received), r(n-1) bytes per member for
 * a result of r bytes, also for narrow floats; scratch 2r (narrow floats 4r). Order: x(k) (op) x(k-1) ... x(k+1) for block k, in
 * the accumulator, rounded once.
 *
 * n = 5, member 2: to 3 from 1 | to 4 from 0 | to 0 from 4 | to 1 from 3 out = (((22 + 12) + 02) + 42) + 32 */
#include "collectives/algorithms.h"

enum sr_status sr_reduce_scatter_pairwise(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	int n = call->n, me = call->member;
	int64_t block = call->count / n;
	sr_build_begin(&b, call, arena);
	struct sr_area in = sr_build_in(&b), work = sr_build_partials(&b, block);
	struct sr_area received[2] = {sr_build_scratch(&b, call->type, block), sr_build_scratch(&b, call->type, block)};
	for (int s = 1; s <= n; s++) {
		if (s < n) {
			sr_build_recv(&b, sr_wrap(me - s, n), s, received[s & 1], 0, block);
			sr_build_send(&b, sr_wrap(me + s, n), s, in, sr_wrap(me + s, n) * block, block);
		}
		if (s == 1)
			sr_build_copy(&b, work, 0, in, me * block, block);
		else
			sr_build_reduce(&b, work, 0, received[(s + 1) & 1], 0, block, false);
		sr_build_round(&b);
	}
	if (work.buffer != SR_OUT)
		sr_build_copy(&b, sr_build_out(&b), 0, work, 0, block);
	return sr_build_end(&b, result);
}
