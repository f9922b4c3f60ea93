/* All-to-all in shared memory: every member reads its block of every other member's input in place.
 *
 * Source: the definition, over shared memory. Requires all members on one node; not in place. One rendezvous; r(n-1)/n bytes of
 * each member are read; a second rendezvous if inputs do not fit a slot.
 *
 * n = 5, member 2: rendezvous; block 2 of member k becomes block k of the result, starting with k = 3 */
#include "collectives/algorithms.h"

enum sr_status sr_all_to_all_segment(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	int n = call->n, me = call->member;
	int64_t block = call->count / n;
	if (!sr_build_has_shared_memory(call))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	sr_build_copy(&b, sr_build_out(&b), me * block, sr_build_in(&b), me * block, block);
	struct sr_area shared_input = sr_build_share_input(&b, call->count);
	for (int s = 1; s < n; s++)
		sr_build_read(&b, sr_build_out(&b), sr_wrap(me + s, n) * block, sr_wrap(me + s, n), shared_input, me * block,
			      block);
	sr_build_release(&b, shared_input, 2);
	sr_build_count_read_bytes(&b, n - 1, block);
	return sr_build_end(&b, out);
}
