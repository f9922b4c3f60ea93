/* Reduce-scatter in the node's window: member k folds block k of all inputs, which it reads where they lie.
 *
 * Source: the definition, over shared memory. Requires members on one node. One meeting, for a result of r bytes r(n-1) bytes
 * read of each member, and a second meeting where inputs are too long for a slot. In place a member's block is written where
 * nobody else reads. Order: the tree over member index, the bits of all_reduce's "ordered".
 *
 * n = 5, member 2 (k2 is block 2 of member k):   everybody; out = ((02 + 12) + (22 + 32)) + 42 */
#include "collectives/algorithms.h"

enum sr_status sr_reduce_scatter_segment(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	int64_t block = call->count / call->n;
	if (!sr_build_has_shared_memory(call))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	struct sr_area offered = sr_build_share_input(&b, call->count);
	sr_build_fold_members(&b, sr_build_out(&b), 0, offered, call->me * block, block);
	sr_build_release(&b, offered, 2);
	sr_build_count_read_bytes(&b, call->n - 1, block);
	return sr_build_end(&b, out);
}
