/* Queries on operands of elementwise ops that are moved across a gather or into a loop. Shared by
 * sink_all_gathers.c and sink_into_loops.c. Internal to partition. */
#ifndef SR_PARTITION_RESHARD_SINK_H
#define SR_PARTITION_RESHARD_SINK_H

#include "dialect/ops.h"

/* Return the op that reads v, as any number of its operands; NULL: no op, or several. */
struct sr_op *sr_value_only_reader(const struct sr_value *v);
bool sr_types_have_same_shape(const struct sr_type *a, const struct sr_type *b);
bool sr_value_has_sharding(struct sr_context *ctx, struct sr_value *v, const struct sr_attr *sharding);
/* Return the local bytes of v with this sharding, rounded down; 0: not known. */
int64_t sr_value_local_bytes(const struct sr_value *v, const struct sr_attr *sharding);
/* If v is a splat constant or a broadcast scalar, build it again before `at` with this type and sharding. NULL: it is neither. */
struct sr_value *sr_rebuild_uniform(struct sr_builder *at, const struct sr_value *v, const struct sr_type *type,
				    const struct sr_attr *sharding);

#endif
