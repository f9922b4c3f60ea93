/* Broadcast, binomial tree: every member that has the data forwards it, at distance 1, 2, 4, ... from the root.
 *
 * Source: Johnsson, Ho, "Optimum broadcasting and personalized communication in hypercubes", IEEE TC 38(9), 1989. No precondition.
 * ceil(log2 n) rounds, at most r ceil(log2 n) bytes (from the root); no scratch. For short messages.
 *
 * n = 5, root 2, v = (member - 2) mod 5:
 *	d = 1   v0 -> v1
 *	d = 2   v0 -> v2   v1 -> v3
 *	d = 4   v0 -> v4 */
#include "collectives/algorithms.h"

enum sr_status sr_broadcast_binomial(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	int n = call->n, root = call->from, distance = sr_wrap(call->member - root, n), step = 0;
	sr_build_begin(&b, call, arena);
	struct sr_area source = distance == 0 ? sr_build_in(&b) : sr_build_out(&b);
	if (distance == 0)
		sr_build_copy(&b, sr_build_out(&b), 0, source, 0, call->count);
	for (int d = 1; d < n; d *= 2, step++) {
		if (distance >= d && distance < 2 * d)
			sr_build_recv(&b, sr_wrap(root + distance - d, n), step, sr_build_out(&b), 0, call->count);
		else if (distance < d && distance + d < n)
			sr_build_send(&b, sr_wrap(root + distance + d, n), step, source, 0, call->count);
		sr_build_round(&b);
	}
	return sr_build_end(&b, out);
}
