/* All-gather in shared memory: every member reads every other member's input in place.
 *
 * Source: the definition, over shared memory. Requires all members on one node. One rendezvous; r(n-1)/n bytes of each member are
 * read; a second rendezvous if inputs do not fit a slot. Each member starts with its right neighbour, so that they read from
 * different members.
 *
 * n = 5, member 2: x2 is shared; rendezvous; x3 x4 x0 x1 are read, x2 is copied */
#include "collectives/algorithms.h"

enum sr_status sr_all_gather_segment(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	int n = call->n, me = call->member;
	if (!sr_build_has_shared_memory(call))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	sr_build_copy(&b, sr_build_out(&b), me * call->count, sr_build_in(&b), 0, call->count);
	struct sr_area shared_input = sr_build_share_input(&b, call->count);
	for (int s = 1; s < n; s++)
		sr_build_read(&b, sr_build_out(&b), sr_wrap(me + s, n) * call->count, sr_wrap(me + s, n), shared_input, 0,
			      call->count);
	sr_build_release(&b, shared_input, 2);
	sr_build_count_read_bytes(&b, n - 1, call->count);
	return sr_build_end(&b, out);
}
