/* Ranges of a loop nest's integers. */
#ifndef SR_CODEGEN_NEST_RANGES_H
#define SR_CODEGEN_NEST_RANGES_H

#include "codegen/nest_form.h"

/* The numbers [low, high], which contain all that a value can be. */
struct sr_nest_range {
	int64_t low, high;
};

/* Return the range of each value; floats and integers of 64 bits of which nothing is known have [INT64_MIN, INT64_MAX]. */
const struct sr_nest_range *sr_nest_ranges(const struct sr_nest_form *g);
/* Return true if a signed integer of this many bytes can be each number of the range. */
bool sr_nest_range_fits(const struct sr_nest_range *range, int bytes);

#endif
