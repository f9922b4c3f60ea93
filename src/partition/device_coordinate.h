/* What a device knows of itself, as ops: where it stands along axes, and what a table says of that. Internal to partition. */
#ifndef SR_PARTITION_DEVICE_COORDINATE_H
#define SR_PARTITION_DEVICE_COORDINATE_H

#include "dialect/ops.h"

/* ui32 scalar: the coordinate along the axes, by division from partition_id. No ops but those that it takes:
 * none for axes of size 1. */
struct sr_value *sr_device_coordinate(struct sr_builder *at, const struct sr_mesh *mesh, struct sr_axes axes);
/* A scalar of `type`: table[index], index an integer scalar; NULL: the device. */
struct sr_value *sr_device_lookup(struct sr_builder *at, const int64_t *table, int64_t n, enum sr_dtype type,
				  struct sr_value *index);
struct sr_value *sr_device_id(struct sr_builder *at); /* partition_id */
/* i1 scalar: the integer scalar v is (or, where not, is not) `value`. */
struct sr_value *sr_device_equals(struct sr_builder *at, struct sr_value *v, int64_t value, bool is);

#endif
