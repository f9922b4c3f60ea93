/* Broadcast, linear: the root sends to every member.
 *
 * Source: the definition. No precondition. One round, r(n-1) bytes from the root, none from others; no scratch.
 *
 * n = 5, root 2: 2 -> 3, 4, 0, 1 */
#include "collectives/algorithms.h"

enum sr_status sr_broadcast_linear(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	sr_build_begin(&b, call, arena);
	if (call->member != call->from) {
		sr_build_recv(&b, call->from, 0, sr_build_out(&b), 0, call->count);
		return sr_build_end(&b, out);
	}
	sr_build_copy(&b, sr_build_out(&b), 0, sr_build_in(&b), 0, call->count);
	for (int s = 1; s < call->n; s++) {
		sr_build_send(&b, sr_wrap(call->member + s, call->n), 0, sr_build_in(&b), 0, call->count);
		if (s % SR_BURST == 0)
			sr_build_round(&b);
	}
	return sr_build_end(&b, out);
}
