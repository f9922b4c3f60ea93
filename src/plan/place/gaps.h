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
	/* root of a treap of the gaps: a search tree by size, then offset, and a heap by random priority */
	struct sr_gap *root;
	struct sr_gap *unused;        /* list of unused tree nodes */
	struct sr_map gap_by_start, gap_by_end; /* map the start, or the end, of a gap to the gap */
};

void sr_gaps_init(struct sr_gaps *gaps, struct sr_arena *arena);
/* Allocate `bytes` > 0 bytes. Return false if no gap is large enough. */
bool sr_gaps_allocate(struct sr_gaps *gaps, int64_t bytes, int64_t *offset);
/* Release a range that overlaps no gap; a range of 0 bytes has no effect. */
void sr_gaps_release(struct sr_gaps *gaps, int64_t offset, int64_t bytes);
/* Allocate all of the gap that ends at `end`; *offset: its start. Return false if there is no such gap. */
bool sr_gaps_allocate_ending_at(struct sr_gaps *gaps, int64_t end, int64_t *offset);

#endif
