/* Members on several nodes: who is where, and which sums a node can make by itself. What the rows called "levels" share: members
 * of a node read each other's memory, messages go between nodes, each of which gets and gives as little as it can.
 *
 * A part is a maximal subtree of the tree over members (SR_ORDER_TREE) whose members are on one node: its sum is one
 * contribution. In 4 + 4 there are two parts; where members go round over the nodes each is a part of its own. */
#ifndef SR_COLLECTIVES_HIERARCHY_H
#define SR_COLLECTIVES_HIERARCHY_H

#include "collectives/builder.h"

struct sr_hierarchy_subtree {
	int first, n; /* members */
	int node;
};

struct sr_hierarchy {
	const struct sr_coll_call *call;
	int n_nodes, mine; /* my node */
	int *local;        /* [n] a member's place among those of its node */
	int *count;        /* [n_nodes] members */
	int **members;     /* [n_nodes][count] */
	int most, most_parts; /* members, parts of a node */
	struct sr_hierarchy_subtree *parts; /* [n_parts] in order of members */
	int n_parts;
};

/* False: the members are on one node, or nothing is known of nodes. */
bool sr_hierarchy_find(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_hierarchy *out);
/* Of a node, the member whose work is number k: they take turns. */
static inline int sr_hierarchy_worker(const struct sr_hierarchy *l, int node, int k)
{
	return l->members[node][k % l->count[node]];
}
/* Messages go between nodes by their distance: behind distance s, at which a member has at most `messages` each way, a burst ends
 * where it is full (SR_BURST), alike on all members. */
void sr_hierarchy_end_burst(struct sr_schedule_builder *b, const struct sr_hierarchy *l, int s, int messages);
/* dst = the sum of parts[], which lie in `sums` (accumulator's type, `stride` elements apart, which it overwrites), from element
 * `from` of each. */
void sr_hierarchy_combine(struct sr_schedule_builder *b, const struct sr_hierarchy *l, struct sr_area dst, int64_t to,
		       struct sr_area sums,
		       int64_t stride, int64_t count);

#endif
