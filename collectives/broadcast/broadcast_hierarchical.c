/* Broadcast, hierarchical: a binomial tree over nodes; on each node the other members read the data from the member that
 * received it.
 *
 * Source: Johnsson, Ho, "Optimum broadcasting and personalized communication in hypercubes", IEEE TC 38(9), 1989, between nodes.
 * Requires members on several nodes. ceil(log2 N) rounds of messages for N nodes, two rendezvous; a node sends at most r ceil(log2
 * N) bytes, all nodes together r(N-1).
 *
 * n = 5, nodes {0 1 2} {3 4}, root 1: x1 -> 3; rendezvous on each node; 0, 2 read from 1, 4 reads from 3 */
#include "collectives/hierarchy.h"
#include "collectives/algorithms.h"

enum sr_status sr_broadcast_hierarchical(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *result)
{
	struct sr_schedule_builder b;
	struct sr_hierarchy l;
	if (!sr_hierarchy_find(call, arena, &l))
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	struct sr_area out = sr_build_out(&b);
	int root_node = call->node[call->from], distance = sr_wrap(l.my_node - root_node, l.n_nodes);
	int receiver = distance ? l.members[l.my_node][0] : call->from;
	if (call->member == call->from)
		sr_build_copy(&b, out, 0, sr_build_in(&b), 0, call->count);
	for (int d = 1; call->member == receiver && d < l.n_nodes; d *= 2) {
		int peer_node = sr_wrap(root_node + (distance < d ? distance + d : distance - d), l.n_nodes);
		if (distance >= d && distance < 2 * d)
			sr_build_recv(&b, peer_node == root_node ? call->from : l.members[peer_node][0], 0, out, 0, call->count);
		else if (distance < d && distance + d < l.n_nodes)
			sr_build_send(&b, l.members[peer_node][0], 0, distance ? out : sr_build_in(&b), 0, call->count);
		sr_build_round(&b);
	}
	b.shared[SR_OUT] = true;
	sr_build_rendezvous(&b, 1);
	if (call->member != receiver)
		sr_build_read(&b, out, 0, receiver, out, 0, call->count);
	sr_build_rendezvous(&b, 2);
	sr_build_count_read_bytes(&b, call->member == receiver ? l.count[l.my_node] - 1 : 0, call->count);
	return sr_build_end(&b, result);
}
