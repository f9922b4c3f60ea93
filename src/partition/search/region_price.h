/* The price of a change to the nodes of a region, and the network whose minimum cut is the best part of it (region_price.c). One
 * instance serves a whole search: its storage is reused from change to change. Internal to the search. */
#ifndef SR_PARTITION_REGION_PRICE_H
#define SR_PARTITION_REGION_PRICE_H

#include "partition/search/flow_net.h"
#include "partition/search/search.h"

/* A reader in the region: the node's position, and the layouts that it requires before and after the change, as indices into
 * the value's `required`. */
struct sr_region_member {
	int place, before, after;
	int group; /* index of its group, see region_price.c */
	int next;  /* next reader of the same value; -1: last */
};

/* A value that nodes of the region make or read, with a layout that the change would change. */
struct sr_region_value {
	struct sr_search_value *e;
	int first, last; /* indices of its members; -1: none */
	int maker;       /* position of the node that makes it; -1: not in the region */
	size_t prices;   /* index of its first price */
};

/* Readers of a value with equal requirements before and after the change. */
struct sr_reader_group {
	int before, after, n;
};

struct sr_region_pricing {
	struct sr_search *s;
	SR_VEC(struct sr_region_value) values; /* distinct, in the region's order */
	SR_VEC(struct sr_region_member) members;
	SR_VEC(double) prices; /* memoized prices of reshards to each required layout, before and after the maker changes; -1: unknown */
	SR_VEC(struct sr_reader_group) groups; /* of the value at hand */
	SR_VEC(int) counts;                    /* of the value at hand: number of readers by required layout */
	SR_VEC(bool) chosen;                   /* by node of the region: takes its next strategy */
	struct sr_flow_net *net;
};

/* Return the value of a tensor whose layout the change would change; NULL: its layout stays, or costs nothing. */
static inline struct sr_search_value *sr_region_changed_value(const struct sr_search *s, const struct sr_search_node *n, int tensor)
{
	return n->edges[tensor] >= 0 && n->next->layouts[tensor] != n->now->layouts[tensor] ? &s->edges.data[n->edges[tensor]] : NULL;
}

/* Begin with the nodes of s->region, all of which change. Finds their values, and returns a hash, never 0, of everything that the
 * gain of the change depends on. */
uint64_t sr_region_pricing_begin(struct sr_region_pricing *p);
/* Set `chosen` to the complete change or its best part, whichever is cheaper; return the gain, which may be 0 or less. */
double sr_region_best_part(struct sr_region_pricing *p);
/* Return how many bytes more on the wire the chosen part sends. */
double sr_region_more_bytes(struct sr_region_pricing *p);

#endif
