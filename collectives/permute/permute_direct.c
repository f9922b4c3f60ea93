/* Permute: one message to the target, one from the source.
 *
 * Source: StableHLO specification, collective_permute. No precondition; not in place. One round, r bytes per member that has a
 * target; no scratch. A member without a source gets zeros; one that sends to itself copies.
 *
 * n = 5, pairs (0,1) (1,2) (2,0) (3,3): 0 -> 1 -> 2 -> 0, 3 copies, 4 gets zeros */
#include "collectives/algorithms.h"

enum sr_status sr_permute_direct(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	sr_build_begin(&b, call, arena);
	if (call->from == call->member)
		sr_build_copy(&b, sr_build_out(&b), 0, sr_build_in(&b), 0, call->count);
	else if (call->from >= 0)
		sr_build_recv(&b, call->from, 0, sr_build_out(&b), 0, call->count);
	else
		sr_build_zero(&b, sr_build_out(&b), 0, call->count);
	if (call->to >= 0 && call->to != call->member)
		sr_build_send(&b, call->to, 0, sr_build_in(&b), 0, call->count);
	return sr_build_end(&b, out);
}
