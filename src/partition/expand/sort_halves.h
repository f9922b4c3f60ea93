/* Exchange between two sorted shards. Internal to partition. */
#ifndef SR_PARTITION_EXPAND_SORT_HALVES_H
#define SR_PARTITION_EXPAND_SORT_HALVES_H

#include "dialect/sort_keys.h"
#include "partition/expand/expand.h"

/* both: a vector whose lower and upper half are sorted by `key`, and which both devices along `axes` have. Return the elements that
 * the sorted vector has in this device's half, as two sorted runs: those of the lower half, and those of the upper half. A stable
 * sort of the runs gives this half of what a stable sort of `both` gives. */
struct sr_value *sr_sort_own_half(struct sr_expansion *p, struct sr_value *both, struct sr_axes axes,
				  const struct sr_sort_key *key);

#endif
