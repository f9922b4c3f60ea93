/* All-reduce in shared memory: every member reads and reduces all inputs.
 *
 * Source: the definition, over shared memory. Requires all members on one node and inputs that fit a slot. One rendezvous; r(n-1)
 * bytes of each member are read for a result of r bytes. For short messages: the latency of one rendezvous. Order: the tree over
 * member index, the same bits as "ordered".
 *
 * n = 5, member 2: x2 is shared; rendezvous; out = ((x0 + x1) + (x2 + x3)) + x4 */
#include "collectives/algorithms.h"

enum sr_status sr_all_reduce_segment(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	if (!sr_build_has_shared_memory(call) || sr_coll_in_bytes(call) > SR_SLOT_BYTES)
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	struct sr_area shared_input = sr_build_share_input(&b, call->count);
	sr_build_fold_members(&b, sr_build_out(&b), 0, shared_input, 0, call->count);
	sr_build_count_read_bytes(&b, call->n - 1, call->count);
	return sr_build_end(&b, out);
}
