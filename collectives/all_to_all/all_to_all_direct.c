/* All-to-all, direct: every member sends every block to its target at once.
 *
 * Source: the definition. No precondition; not in place. One round, n - 1 messages, r(n-1)/n bytes per member, no scratch.
 *
 * n = 5, member 2: block k -> member k, and block 2 of member k becomes block k of the result */
#include "collectives/algorithms.h"

enum sr_status sr_all_to_all_direct(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	int n = call->n, me = call->member;
	int64_t block = call->count / n;
	sr_build_begin(&b, call, arena);
	struct sr_area in = sr_build_in(&b), out = sr_build_out(&b);
	sr_build_copy(&b, out, me * block, in, me * block, block);
	for (int first = 1, end; first < n; first = end) {
		end = sr_burst_end(first, n);
		for (int s = first; s < end; s++)
			sr_build_recv(&b, sr_wrap(me - s, n), 0, out, sr_wrap(me - s, n) * block, block);
		for (int s = first; s < end; s++)
			sr_build_send(&b, sr_wrap(me + s, n), 0, in, sr_wrap(me + s, n) * block, block);
		sr_build_round(&b);
	}
	return sr_build_end(&b, result);
}
