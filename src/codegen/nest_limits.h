/* The range of a vector loop in which all bounds of its loads are kept, and masks are constant. */
#ifndef SR_CODEGEN_NEST_LIMITS_H
#define SR_CODEGEN_NEST_LIMITS_H

#include "codegen/nest_instr_c.h"

struct sr_nest_limits {
	const char *begin, *end; /* C expressions: the ends of the vector loop */
	bool is_limited;         /* false: there are no bounds and no masks */
	/* If is_known, the range is [low, high) in each row that is inside the bounds that do not depend on the loop's index. */
	bool is_known;
	int64_t low, high;
};

/* Set all members but begin and end, which are given, for the vector loop inside `n`. */
void sr_nest_find_limits(const struct sr_nest_form *g, const struct sr_stage_loops *n, struct sr_nest_limits *limits);
/* Write C variables low and high, and code that sets them to the ends of the range. Leave a block open. */
void sr_nest_c_limits(struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_limits *limits);
/* Return the C condition that the row is inside all bounds, and has the usual values of all masks, that do not depend on the vector
 * loop's index; an empty string if there are none. */
const char *sr_nest_c_row_condition(struct sr_nest_form *g, const struct sr_stage_loops *n);

/* Return true if the elements of a row outside of its known range are vectors with tests, which compilers vectorize as masked
 * loads. One or two are quicker one by one, and tests of fill values that are loads themselves are not vectorized. */
bool sr_nest_has_vector_ends(struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_limits *limits);
/* Return true if the elements that are left after the last whole vector of a row with a known range are computed as a vector that
 * overlaps it. Elements are then computed twice, so no output may be in the memory of an input. */
bool sr_nest_has_last_vector(struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_limits *limits);
/* Return the definition of the C constant `width`: elements of such vectors, at least as many as there are at each end. */
const char *sr_nest_c_width(struct sr_nest_form *g, const struct sr_nest_limits *limits);

#endif
