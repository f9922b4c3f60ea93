/* Masks of a loop nest that are constant in most iterations of the vector loop, such as the border of a grid. */
#ifndef SR_CODEGEN_NEST_MASKS_H
#define SR_CODEGEN_NEST_MASKS_H

#include "codegen/nest_form.h"

/* What is known of a value of type i1. */
struct sr_nest_mask {
	bool is_known; /* true: in the range of all comparisons, the value equals `value` */
	bool value;
	/* The value is a comparison that equals `value` where 0 <= s + range.offset + sum of range.coef[l] * il < range.extent. s is
	 * the value `scalar`, which precedes the vector loop; 0 if scalar is -1. */
	bool has_range;
	int scalar;
	struct sr_nest_dim range;
};

/* Return what is known of each value of the nest; NULL: no comparison has a range. */
const struct sr_nest_mask *sr_nest_masks(struct sr_nest_form *g);

#endif
