/* The cost of a change to the nodes of a region, and the network whose minimum cut is the best part of it (region_cost.c). One
 * instance serves a whole search: its storage is reused from change to change. Internal to the search. */
#ifndef SR_PARTITION_REGION_COST_H
#define SR_PARTITION_REGION_COST_H

#include "partition/search/flow_net.h"
#include "partition/search/search.h"

/* A reader of a value in the region: position of its node, and the layouts that it requires before and after the change, as indices
 * into the value's `required`. */
struct sr_region_member {
	int position, layout_before, layout_after;
	int group; /* index of the member's group (region_cost.c) */
	int next;  /* index of the next member of the same value; -1: last */
};

/* A value that nodes of the region define or read, and whose layout or required layouts the change affects. */
struct sr_region_value {
	struct sr_search_value *e;
	int first, last; /* indices of the value's first and last member; -1: none */
	int producer;       /* position in the region of the node that defines the value; -1: not in the region */
	size_t costs;   /* index in `costs` of the value's first cost */
};

/* The n readers of a value that require layout_before before the change and layout_after after it. */
struct sr_reader_group {
	int layout_before, layout_after, n;
};

struct sr_region_cost_state {
	struct sr_search *s;
	SR_VEC(struct sr_region_value) values; /* values of the region, without repetition, in the region's order */
	SR_VEC(struct sr_region_member) members;
	/* memoized costs of reshards to each required layout, before and after the defining node changes; -1: unknown */
	SR_VEC(double) costs;
	SR_VEC(struct sr_reader_group) groups; /* groups of readers, by required layout, of the value being evaluated */
	SR_VEC(int) counts; /* for the value that is being processed: number of readers of each required layout */
	SR_VEC(bool) chosen;                   /* for each node of the region: true if it changes to its next strategy */
	struct sr_flow_net *net;
};

/* Return the value of the node's tensor if the change affects its layout; NULL if the layout stays, or costs nothing. */
static inline struct sr_search_value *sr_region_changed_value(const struct sr_search *s, const struct sr_search_node *n, int tensor)
{
	return n->edges[tensor] >= 0 && n->next->layouts[tensor] != n->current->layouts[tensor] ? &s->edges.data[n->edges[tensor]] : NULL;
}

/* Start to compute the cost of a change of all nodes in s->region. Finds their values, and returns a hash, never 0, of
 * everything on which the gain of the change depends. */
uint64_t sr_region_cost_begin(struct sr_region_cost_state *p);
/* Set `chosen` to the complete change or its best part, whichever is cheaper; return the gain, which may be 0 or less. */
double sr_region_best_subset(struct sr_region_cost_state *p);
/* Return the number of additional bytes on the wire that the chosen part sends. */
double sr_region_extra_bytes(struct sr_region_cost_state *p);

#endif
