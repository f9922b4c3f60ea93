/* Ops that compute device-dependent scalars: the coordinate along mesh axes, and table lookups by device. Internal to partition. */
#ifndef SR_PARTITION_DEVICE_COORDINATE_H
#define SR_PARTITION_DEVICE_COORDINATE_H

#include "dialect/ops.h"

/* Return the device's coordinate along the axes, a ui32 scalar computed from partition_id by division and remainder. Axes of size
 * 1 need no ops. */
struct sr_value *sr_device_coordinate(struct sr_builder *at, const struct sr_mesh *mesh, struct sr_axes axes);
/* Return the scalar table[index] as a value of type `type`. index: an integer scalar; NULL: partition_id. */
struct sr_value *sr_device_lookup(struct sr_builder *at, const int64_t *table, int64_t n, enum sr_dtype type,
				  struct sr_value *index);
/* Build the i1 scalar v == value if `is_equal`, otherwise v != value; v is an integer scalar. */
struct sr_value *sr_device_equals(struct sr_builder *at, struct sr_value *v, int64_t value, bool is_equal);

#endif
