/* Broadcast in shared memory: every member reads the root's input in place.
 *
 * Source: the definition, over shared memory. Requires all members on one node. The members wait for the root; if the input does
 * not fit a slot, the root waits for them too. r(n-1) bytes of the root are read.
 *
 * n = 5, root 1: x1 is shared; 0, 2, 3, 4 read it; 1 waits until all of them have read */
#include "collectives/algorithms.h"

enum sr_status sr_broadcast_segment(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	bool is_root = call->member == call->from;
	if (!sr_build_has_shared_memory(call))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	if (is_root)
		sr_build_copy(&b, sr_build_out(&b), 0, sr_build_in(&b), 0, call->count);
	sr_build_read_input(&b, is_root, !is_root, call->from, SR_ALL_LOCAL_MEMBERS, call->count);
	sr_build_count_read_bytes(&b, is_root ? call->n - 1 : 0, call->count);
	return sr_build_end(&b, out);
}
