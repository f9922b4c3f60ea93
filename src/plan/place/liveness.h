/* When a buffer's bytes matter: exact lists of points, from the structure of the plans. Internal to plan.
 *
 * Time goes over all plans in the order in which they are written. A moment t has two points: 2t, at which a step still reads, and 2t + 1,
 * at which it writes too. A buffer lives at a point where what it holds is read later on some way that the program may go: a loop's body
 * leads back to its condition, branches are alternatives. What a step only writes kills what was there.
 *
 * Requires: a buffer's first access in that order comes before all others in execution, too (lowering goes from definitions to uses). */
#ifndef SR_PLAN_LIVENESS_H
#define SR_PLAN_LIVENESS_H

#include "plan/program_builder.h"

struct sr_range {
	int64_t from, to; /* points, both included */
};

struct sr_ranges { /* in order, never adjacent; none: the buffer is never named */
	struct sr_range *data;
	int64_t n;
};

/* ranges[buffers.n]. Returns the number of points. */
int64_t sr_plan_liveness(const struct sr_plan_builder *b, struct sr_ranges *ranges);

#endif
