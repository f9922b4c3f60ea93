/* Free ranges of an arena, allocated best fit: the smallest range that is large enough, the lowest among equals. Released ranges
 * merge with their neighbours. O(log n) per call.
 *
 *	sr_gaps_init(&gaps, arena);
 *	sr_gaps_release(&gaps, 0, 4096);
 *	sr_gaps_allocate(&gaps, 64, &offset);      offset is 0, [64, 4096) is left */
#ifndef SR_PLAN_GAPS_H
#define SR_PLAN_GAPS_H

#include "support/map.h"
#include <stdbool.h>

struct sr_gap;

struct sr_gaps {
	struct sr_arena *arena;
	struct sr_gap *root;          /* treap: search tree by size, then offset; heap by priority */
	struct sr_gap *unused;        /* free list of nodes */
	struct sr_map by_start, by_end; /* offset -> gap */
};

void sr_gaps_init(struct sr_gaps *gaps, struct sr_arena *arena);
/* Allocate `bytes` > 0; false: no gap is large enough. */
bool sr_gaps_allocate(struct sr_gaps *gaps, int64_t bytes, int64_t *offset);
void sr_gaps_release(struct sr_gaps *gaps, int64_t offset, int64_t bytes); /* add a range that overlaps no gap; 0 bytes: no effect */
/* Allocate the whole gap that ends at `end`; *offset: its start. False: there is none. */
bool sr_gaps_allocate_ending_at(struct sr_gaps *gaps, int64_t end, int64_t *offset);

#endif
