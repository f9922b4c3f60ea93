/* Permute in shared memory: the target reads its source's input in place.
 *
 * Source: StableHLO specification, collective_permute, over shared memory. Requires all members on one node; not in place. A target
 * waits for its source only; if the input does not fit a slot, a source waits for its target.
 *
 * n = 5, pairs (0,1) (1,2) (2,0) (3,3), member 2: x2 is shared; wait for 1; x1 is read; wait until 0 has read. 3 copies, 4 gets
 * zeros */
#include "collectives/algorithms.h"

enum sr_status sr_permute_segment(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	bool sends = call->to >= 0 && call->to != call->member, receives = call->from >= 0 && call->from != call->member;
	if (!sr_build_has_shared_memory(call))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	if (!receives && call->from < 0)
		sr_build_zero(&b, sr_build_out(&b), 0, call->count);
	else if (!receives)
		sr_build_copy(&b, sr_build_out(&b), 0, sr_build_in(&b), 0, call->count);
	sr_build_read_input(&b, sends, receives, call->from, call->to, call->count);
	sr_build_count_read_bytes(&b, sends, call->count);
	return sr_build_end(&b, out);
}
