/* Free ranges of an arena, found by size: the smallest that is large enough, of equal ones the first. Ranges given back are joined
 * with their neighbours. Each call costs the logarithm of how many there are.
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
	struct sr_gap *root;          /* a search tree by size, then offset; a heap by priority */
	struct sr_gap *unused;        /* to be made use of again */
	struct sr_map by_start, by_end; /* offset -> gap */
};

void sr_gaps_init(struct sr_gaps *gaps, struct sr_arena *arena);
/* False: no gap has so many bytes. bytes > 0. */
bool sr_gaps_allocate(struct sr_gaps *gaps, int64_t bytes, int64_t *offset);
void sr_gaps_release(struct sr_gaps *gaps, int64_t offset, int64_t bytes); /* a range that is in no gap; 0 bytes: nothing */
/* The gap that ends at `end` is taken whole, and *offset is where it starts; false: there is none. */
bool sr_gaps_allocate_ending_at(struct sr_gaps *gaps, int64_t end, int64_t *offset);

#endif
