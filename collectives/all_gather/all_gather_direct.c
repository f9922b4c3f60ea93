/* All-gather, direct: every member sends its block to every other member.
 *
 * Source: the definition. No precondition. One round, n - 1 messages, r(n-1)/n bytes per member for a result of r bytes; no
 * scratch. Lowest latency, but n(n-1) messages are in the network at once.
 *
 * n = 5, member 2 (b2 is its block): b2 -> 3, 4, 0, 1 b0 <- 0 b1 <- 1 b3 <- 3 b4 <- 4 Each member starts with its right
 * neighbour, so that no member receives from all others first. */
#include "collectives/algorithms.h"

enum sr_status sr_all_gather_direct(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	int n = call->n, me = call->member;
	sr_build_begin(&b, call, arena);
	struct sr_area in = sr_build_in(&b), out = sr_build_out(&b);
	sr_build_copy(&b, out, me * call->count, in, 0, call->count);
	for (int first = 1, end; first < n; first = end) {
		end = sr_burst_end(first, n);
		for (int s = first; s < end; s++) {
			int source = sr_wrap(me - s, n);
			sr_build_recv(&b, source, 0, out, source * call->count, call->count);
		}
		for (int s = first; s < end; s++)
			sr_build_send(&b, sr_wrap(me + s, n), 0, in, 0, call->count);
		sr_build_round(&b);
	}
	return sr_build_end(&b, result);
}
