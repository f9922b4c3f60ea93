/* Encoding of floats as integers for sorts along a sharded dimension. Internal to partition. */
#ifndef SR_PARTITION_EXPAND_SORT_ENCODING_H
#define SR_PARTITION_EXPAND_SORT_ENCODING_H

#include "partition/expand/expand.h"

/* Return true if elements of this type, sorted along a dimension of this extent, can be encoded in 64 bits. */
bool sr_sort_has_encoding(const struct sr_type *t, int64_t extent);
/* Return the ui64 encodings of x, whose elements are at positions `position` of the sorted dimension. Their integer order is the
 * order of a stable sort of x by a comparator for which zeros are equal, all NaN are equal, and NaN are last (first if
 * descending). */
struct sr_value *sr_sort_encode(struct sr_expansion *p, struct sr_value *x, struct sr_value *position, bool descending);
/* Decode to elements of type t, bit for bit those that were encoded. */
struct sr_value *sr_sort_decode(struct sr_expansion *p, struct sr_value *code, enum sr_dtype t, bool descending);

#endif
