/* All-gather, hierarchical: every block is sent once to each other node, where one member receives it and the other members
 * read it from that member's memory.
 *
 * Source: Träff, "Efficient allgather for regular SMP-clusters", EuroPVM/MPI 2006 (two levels), over shared memory. Requires
 * members on several nodes. One round of messages, two rendezvous per node; a node of m members sends m blocks to each other node.
 * The blocks of a node are distributed over the members of the receiving node.
 *
 * n = 5, nodes {0 1 2} {3 4}, member 1:
 *	x1 -> 4; x4 <- 4; rendezvous on the node; x0, x3 read from 0, x2 from 2; rendezvous */
#include "collectives/hierarchy.h"
#include "collectives/algorithms.h"

enum sr_status sr_all_gather_hierarchical(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	struct sr_hierarchy l;
	int me = call->member, received_blocks = 0;
	int64_t count = call->count;
	if (!sr_hierarchy_find(call, arena, &l))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	struct sr_area in = sr_build_in(&b), out = sr_build_out(&b);
	sr_build_copy(&b, out, me * count, in, 0, count);
	for (int s = 1; s < l.n_nodes; s++) {
		int source_node = sr_wrap(l.my_node - s, l.n_nodes), dest_node = sr_wrap(l.my_node + s, l.n_nodes);
		for (int i = 0; i < l.count[source_node]; i++)
			if (sr_hierarchy_worker(&l, l.my_node, i) == me) {
				int k = l.members[source_node][i];
				sr_build_recv(&b, k, 0, out, k * count, count);
				received_blocks++;
			}
		sr_build_send(&b, sr_hierarchy_worker(&l, dest_node, l.local_index[me]), 0, in, 0, count);
		sr_hierarchy_end_burst(&b, &l, s, l.max_members);
	}
	b.shared[SR_OUT] = true;
	sr_build_rendezvous(&b, 1);
	for (int s = 1; s < call->n; s++) {
		int k = sr_wrap(me + s, call->n), owner = sr_hierarchy_worker(&l, l.my_node, l.local_index[k]);
		if (owner != me)
			sr_build_read(&b, out, k * count, owner, out, k * count, count);
	}
	sr_build_rendezvous(&b, 2);
	sr_build_count_read_bytes(&b, l.count[l.my_node] - 1, (1 + received_blocks) * count);
	return sr_build_end(&b, result);
}
