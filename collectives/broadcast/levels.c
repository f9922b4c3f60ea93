/* Broadcast in two levels: the root's input goes once to each other node, whose members read it from the one that got it.
 *
 * Source: the definition; between nodes a binomial tree over their first members would be next, were there many. Requires members
 * on several nodes. One round of messages, two meetings; r(N-1) bytes out of the root's node for N nodes.
 *
 * n = 5, nodes {0 1 2} {3 4}, root 1:   x1 -> 3; everybody on each node; 0, 2 read of 1, 4 reads of 3 */
#include "collectives/levels.h"
#include "collectives/algorithms.h"

enum sr_status sr_broadcast_levels(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	struct sr_levels l;
	if (!sr_levels_find(call, arena, &l))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	struct sr_area out = sr_build_out(&b);
	int root_node = call->node[call->from], holder = l.mine == root_node ? call->from : l.members[l.mine][0];
	if (call->me == call->from) {
		sr_build_copy(&b, out, 0, sr_build_in(&b), 0, call->count);
		for (int a = 0; a < l.n_nodes; a++)
			if (a != l.mine)
				sr_build_send(&b, l.members[a][0], 0, sr_build_in(&b), 0, call->count);
	} else if (call->me == holder) {
		sr_build_recv(&b, call->from, 0, out, 0, call->count);
	}
	b.shared[SR_OUT] = true;
	sr_build_meet(&b, 1);
	if (call->me != holder)
		sr_build_read(&b, out, 0, holder, out, 0, call->count);
	sr_build_meet(&b, 2);
	sr_build_is_read(&b, call->me == holder ? l.count[l.mine] - 1 : 0, call->count);
	return sr_build_end(&b, result);
}
