/* What sink_all_gathers.c and sink_into_loops.c ask of the operands of an elementwise op that is to be done on parts. Internal to
 * partition. */
#ifndef SR_PARTITION_RESHARD_SINK_H
#define SR_PARTITION_RESHARD_SINK_H

#include "dialect/ops.h"

struct sr_op *sr_value_only_reader(const struct sr_value *v); /* as which operands ever; NULL: none, or several */
bool sr_types_have_same_shape(const struct sr_type *a, const struct sr_type *b);
bool sr_value_has_sharding(struct sr_context *ctx, struct sr_value *v, const struct sr_attr *sharding);
/* Bytes on a device of a value that lies so, rounded down; 0 where that is not known. */
int64_t sr_value_local_bytes(const struct sr_value *v, const struct sr_attr *sharding);
/* Of one number everywhere (a constant of equal elements, or a number that is broadcast): the same again with these extents and
 * this sharding, before `at`. NULL: v is none. */
struct sr_value *sr_rebuild_uniform(struct sr_builder *at, const struct sr_value *v, const struct sr_type *type,
				 const struct sr_attr *sharding);

#endif
