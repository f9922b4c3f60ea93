/* Interfaces between the files of shardrun-insert-reshards. Internal to partition. */
#ifndef SR_PARTITION_INSERT_RESHARDS_INSERT_RESHARDS_H
#define SR_PARTITION_INSERT_RESHARDS_INSERT_RESHARDS_H

#include "partition/insert_reshards/explicit_reshards.h"

struct sr_reshard_inserter {
	/* must be the first member, since callbacks of the walk cast a pointer to the walk to this struct */
	struct sr_reshard_walk r;
	struct sr_cost_model *costs; /* cost model that chooses axes; NULL: choose axes by upstream's algorithm */
};

/* Return the sharding that has these axes; length of `axes`: rank. */
const struct sr_attr *sr_sharding_attr_of_axes(struct sr_context *ctx, const struct sr_mesh_ref *mesh, const struct sr_axes *axes,
					       int rank);

/* Record for the report that the op gets operand t replicated although it had the sharding `old_sharding`, because the op cannot be
 * partitioned along a sharded dimension. */
void sr_note_unshardable_dim(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v, int t,
			     const struct sr_attr *old_sharding);
/* Take back a note of sr_note_replication that op requires v replicated, which it does not use after all. */
void sr_retract_replication(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v);

/* Walk callback, data: the context. Erases sharding groups and propagation barriers and turns sharding constraints into
 * reshards. */
bool sr_erase_propagation_ops(void *data, struct sr_op *op);

/* Return true if every device can compute any shard of v at almost no cost (constant, iota, broadcast of a scalar), so that its
 * reshards are free. */
bool sr_is_rematerializable(const struct sr_value *v);

#endif
