/* Queries on operands of elementwise ops that are moved across a gather or into a loop. Shared by
 * sink_all_gathers.c and sink_into_loops.c. Internal to partition. */
#ifndef SR_PARTITION_RESHARD_SINK_H
#define SR_PARTITION_RESHARD_SINK_H

#include "dialect/ops.h"

/* Return the only op that reads v, possibly as several operands; NULL if no op or several ops read v. */
struct sr_op *sr_value_only_reader(const struct sr_value *v);
bool sr_types_have_same_shape(const struct sr_type *a, const struct sr_type *b);
bool sr_value_has_sharding(struct sr_context *ctx, struct sr_value *v, const struct sr_attr *sharding);
/* Return the bytes of v on one device with this sharding, rounded down; 0: not known. */
int64_t sr_value_local_bytes(const struct sr_value *v, const struct sr_attr *sharding);
/* Build v again before `at`, with this type and sharding, if it is a splat constant or a broadcast scalar; otherwise return
 * NULL. */
struct sr_value *sr_rebuild_uniform(struct sr_builder *at, const struct sr_value *v, const struct sr_type *type,
				    const struct sr_attr *sharding);

#endif
