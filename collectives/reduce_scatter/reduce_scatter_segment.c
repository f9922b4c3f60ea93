/* Reduce-scatter in shared memory: member k reads and reduces block k of all inputs in place.
 *
 * Source: the definition, over shared memory. Requires all members on one node. One rendezvous; r(n-1) bytes of each member are
 * read for a result of r bytes; a second rendezvous if inputs do not fit a slot. In place a member writes only its own block, which
 * no other member reads. Order: the tree over member index, the bits of all_reduce's "ordered".
 *
 * n = 5, member 2 (k2 is block 2 of member k): rendezvous; out = ((02 + 12) + (22 + 32)) + 42 */
#include "collectives/algorithms.h"

enum sr_status sr_reduce_scatter_segment(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	int64_t block = call->count / call->n;
	if (!sr_build_has_shared_memory(call))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	struct sr_area shared_input = sr_build_share_input(&b, call->count);
	sr_build_fold_members(&b, sr_build_out(&b), 0, shared_input, call->member * block, block);
	sr_build_release(&b, shared_input, 2);
	sr_build_count_read_bytes(&b, call->n - 1, block);
	return sr_build_end(&b, out);
}
