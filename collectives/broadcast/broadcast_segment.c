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
	struct sr_area in = sr_build_in(&b), result = sr_build_out(&b), shared_input = sr_build_shared_input(&b, call->count);
	if (is_root && shared_input.buffer == SR_SLOT)
		sr_build_copy(&b, shared_input, 0, in, 0, call->count);
	if (is_root)
		sr_build_copy(&b, result, 0, in, 0, call->count);
	sr_build_round(&b);
	sr_build_signal(&b, 1);
	if (!is_root)
		sr_build_wait(&b, call->from, 1);
	sr_build_round(&b);
	if (!is_root)
		sr_build_read(&b, result, 0, call->from, shared_input, 0, call->count);
	sr_build_round(&b);
	sr_build_signal(&b, 2);
	if (is_root && shared_input.buffer != SR_SLOT)
		sr_build_wait(&b, SR_ALL_LOCAL_MEMBERS, 2);
	sr_build_count_read_bytes(&b, is_root ? call->n - 1 : 0, call->count);
	return sr_build_end(&b, out);
}
