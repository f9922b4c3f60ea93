/* All-to-all, pairwise: one partner per round, at increasing distance, so that no member receives from two at once.
 *
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1), 2005. No
 * precondition; not in place. n - 1 rounds, r(n-1)/n bytes per member, no scratch.
 *
 * n = 5, member 2: to 3 from 1 | to 4 from 0 | to 0 from 4 | to 1 from 3 */
#include "collectives/algorithms.h"

enum sr_status sr_all_to_all_pairwise(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	int n = call->n, me = call->member;
	int64_t block = call->count / n;
	sr_build_begin(&b, call, arena);
	struct sr_area in = sr_build_in(&b), out = sr_build_out(&b);
	sr_build_copy(&b, out, me * block, in, me * block, block);
	for (int s = 1; s < n; s++) {
		int dest = sr_wrap(me + s, n), source = sr_wrap(me - s, n);
		sr_build_recv(&b, source, s, out, source * block, block);
		sr_build_send(&b, dest, s, in, dest * block, block);
		sr_build_round(&b);
	}
	return sr_build_end(&b, result);
}
