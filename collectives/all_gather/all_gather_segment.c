/* All-gather in the node's window: everybody reads everybody's input where it lies.
 *
 * Source: the definition, over shared memory. Requires members on one node. One meeting, r(n-1)/n bytes read of each member, and a
 * second meeting where inputs are too long for a slot. The reading begins at the right neighbour, so that members read apart.
 *
 * n = 5, member 2:   x2 is offered; everybody; x3 x4 x0 x1 read, x2 copied */
#include "collectives/algorithms.h"

enum sr_status sr_all_gather_segment(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	int n = call->n, me = call->me;
	if (!sr_build_has_shared_memory(call))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	sr_build_copy(&b, sr_build_out(&b), me * call->count, sr_build_in(&b), 0, call->count);
	struct sr_area offered = sr_build_share_input(&b, call->count);
	for (int s = 1; s < n; s++)
		sr_build_read(&b, sr_build_out(&b), sr_wrap(me + s, n) * call->count, sr_wrap(me + s, n), offered, 0, call->count);
	sr_build_release(&b, offered, 2);
	sr_build_count_read_bytes(&b, n - 1, call->count);
	return sr_build_end(&b, out);
}
