/* What the comparator of a stablehlo.sort compares. */
#ifndef SR_DIALECT_SORT_KEYS_H
#define SR_DIALECT_SORT_KEYS_H

#include "dialect/ops.h"

enum { SR_SORT_KEYS = 16 };

struct sr_sort_key {
	int operand;
	int total; /* floats, as in sr_sort_params: 0 plain <; 1 TOTALORDER; 2 zeros equal, every NaN equal and last */
	bool descending;
};

/* Return the number of keys, the most significant one first, or 0 if the comparator has another form. Where there are several, the
 * order of each is total, so stable sorts by one key after another, the least significant first, have the comparator's result. */
int sr_sort_keys(struct sr_context *ctx, const struct sr_op *sort, struct sr_sort_key keys[SR_SORT_KEYS]);

#endif
