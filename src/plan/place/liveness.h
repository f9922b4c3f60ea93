/* Liveness of buffers: exact lists of points, from the structure of the computations. Internal to plan.
 *
 * Time numbers the instructions of all computations in the order in which they are written. Moment t has two points: 2t, at
 * which an instruction still reads, and 2t + 1, at which it writes too. A buffer is live at a point if its content is read later
 * on some path: a loop's body leads back to its condition, branches are alternatives. A full write kills the old content.
 *
 * Requires: a buffer's first access in that order is also its first in execution (lowering goes from definitions to uses). */
#ifndef SR_PLAN_LIVENESS_H
#define SR_PLAN_LIVENESS_H

#include "plan/program_builder.h"

struct sr_range {
	int64_t from, to; /* first and last moment at which the buffer is live, both inclusive */
};

struct sr_ranges { /* ascending, never adjacent ranges; empty: no instruction names the buffer */
	struct sr_range *data;
	int64_t n;
};

/* Compute the live ranges of each buffer; return the number of points. */
int64_t sr_plan_liveness(const struct sr_plan_builder *b, struct sr_ranges *ranges);

#endif
