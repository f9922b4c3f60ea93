/* Recognize the sort keys of a stablehlo.sort in its comparator. */
#ifndef SR_DIALECT_SORT_KEYS_H
#define SR_DIALECT_SORT_KEYS_H

#include "dialect/ops.h"

enum { SR_SORT_KEYS = 16 };

struct sr_sort_key {
	int operand; /* index of the operand whose elements are compared */
	/* order of floats, as in sr_sort_params: 0: plain <; 1: TOTALORDER; 2: total with zeros equal, and NaNs equal and last */
	int float_order;
	bool is_descending;
};

/* Store the keys of a sort, most significant first, and return their number; 0 if the comparator has another form. If there are
 * several keys, each has a total order, so stable sorts by each key, least significant first, give the comparator's order. */
int sr_sort_keys(struct sr_context *ctx, const struct sr_op *sort, struct sr_sort_key keys[SR_SORT_KEYS]);

#endif
