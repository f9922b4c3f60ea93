/* All-to-all, hierarchical: blocks for members on the same node are read in place, the others are messages.
 *
 * Source: the definition. Requires members on several nodes; not in place. Aggregating messages per node would not reduce the bytes
 * between nodes, only the number of messages. One round of messages, two rendezvous, r(n-1)/n bytes per member.
 *
 * n = 5, nodes {0 1 2} {3 4}, member 1:
 *	block 3 -> 3, block 4 -> 4, block 1 of 3 and of 4 <- 3, 4;
 *	rendezvous on the node; block 1 of 0 and of 2 is read; rendezvous */
#include "collectives/hierarchy.h"
#include "collectives/algorithms.h"

enum sr_status sr_all_to_all_hierarchical(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	struct sr_hierarchy l;
	int n = call->n, me = call->member;
	int64_t block = call->count / n;
	if (!sr_hierarchy_find(call, arena, &l))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	struct sr_area in = sr_build_in(&b), out = sr_build_out(&b);
	b.shared[SR_IN] = true;
	sr_build_rendezvous(&b, 1);
	for (int s = 1; s < n; s++) {
		if (call->node[sr_wrap(me - s, n)] != l.my_node)
			sr_build_recv(&b, sr_wrap(me - s, n), 0, out, sr_wrap(me - s, n) * block, block);
		if (call->node[sr_wrap(me + s, n)] != l.my_node)
			sr_build_send(&b, sr_wrap(me + s, n), 0, in, sr_wrap(me + s, n) * block, block);
		if (s % SR_BURST == 0)
			sr_build_round(&b);
	}
	for (int s = 0; s < n; s++)
		if (call->node[sr_wrap(me + s, n)] == l.my_node)
			sr_build_read(&b, out, sr_wrap(me + s, n) * block, sr_wrap(me + s, n), in, me * block, block);
	sr_build_rendezvous(&b, 2);
	sr_build_count_read_bytes(&b, l.count[l.my_node] - 1, block);
	return sr_build_end(&b, result);
}
