/* Codes of floats for sorts along a sharded dimension. Internal to partition. */
#ifndef SR_PARTITION_EXPAND_SORT_ENCODING_H
#define SR_PARTITION_EXPAND_SORT_ENCODING_H

#include "partition/expand/expand.h"

/* Return true if elements of this type along an extent have codes. */
bool sr_sort_has_encoding(const struct sr_type *t, int64_t extent);
/* Return the ui64 codes of x, whose elements have these places; their plain order is that of a stable sort of x by a comparator
 * under which zeros are equal, every NaN is equal, and NaN are last (first where it is descending). */
struct sr_value *sr_sort_encode(struct sr_expansion *p, struct sr_value *x, struct sr_value *place, bool descending);
/* Return the elements of type t that codes are of, bit for bit. */
struct sr_value *sr_sort_decode(struct sr_expansion *p, struct sr_value *code, enum sr_dtype t, bool descending);

#endif
