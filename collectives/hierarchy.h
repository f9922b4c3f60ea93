/* Collectives over members on several nodes. Members of one node read each other's memory; messages go between nodes, and each node
 * sends and receives as little as possible.
 *
 * A subtree is a maximal subtree of the reduction tree (SR_ORDER_TREE) whose members are all on one node: the node can reduce it
 * to one value before it sends. With members 0-3 on one node and 4-7 on another there are two subtrees; if consecutive members
 * are on different nodes, each member is a subtree of its own. */
#ifndef SR_COLLECTIVES_HIERARCHY_H
#define SR_COLLECTIVES_HIERARCHY_H

#include "collectives/builder.h"

struct sr_hierarchy_subtree {
	int first, n; /* the subtree's members are first .. first + n - 1 */
	int node;
};

struct sr_hierarchy {
	const struct sr_coll_call *call;
	int n_nodes, my_node; /* number of nodes, and index of this member's node */
	int *local_index;        /* length n: index of a member among the members of its node */
	int *count;        /* [n_nodes] number of members on each node */
	int **members;     /* [n_nodes][count] indices of the members on each node */
	int max_members, max_subtrees; /* largest number of members on a node; largest number of subtrees on a node */
	struct sr_hierarchy_subtree *subtrees; /* length n_subtrees, in order of their members */
	int n_subtrees;
};

/* Return false if all members are on one node, or the nodes are not known. */
bool sr_hierarchy_find(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_hierarchy *out);
/* Return the member of `node` that does work item k; the members of a node take turns. */
static inline int sr_hierarchy_worker(const struct sr_hierarchy *l, int node, int k)
{
	return l->members[node][k % l->count[node]];
}
/* End a burst of messages between nodes if one more distance could make it exceed SR_BURST messages. Called after the messages to
 * the nodes at distance s have been added. For each distance a member sends at most `messages` messages and receives as many. All
 * members end their bursts at the same distance. */
void sr_hierarchy_end_burst(struct sr_schedule_builder *b, const struct sr_hierarchy *l, int s, int messages);
/* Append dst = the reduction of the subtrees' partial results, which are in `sums` (accumulator's type, `stride` elements apart,
 * and overwritten), `count` elements of each. */
void sr_hierarchy_combine(struct sr_schedule_builder *b, const struct sr_hierarchy *l, struct sr_area dst, int64_t to,
			  struct sr_area sums, int64_t stride, int64_t count);

#endif
