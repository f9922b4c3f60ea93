/* Interfaces between the files of shardrun-insert-reshards. Internal to partition. */
#ifndef SR_PARTITION_INSERT_RESHARDS_INSERT_RESHARDS_H
#define SR_PARTITION_INSERT_RESHARDS_INSERT_RESHARDS_H

#include "partition/insert_reshards/explicit_reshards.h"

struct sr_reshard_inserter {
	/* must be the first member, since callbacks of the walk cast a pointer to the walk to this struct */
	struct sr_reshard_walk r;
	struct sr_cost_model *costs; /* cost model that chooses axes; NULL: choose axes by upstream's algorithm */
};

/* Insert reshards at the ops that replace another op, in this order. */
enum sr_status sr_insert_reshards_at_each(struct sr_reshard_inserter *c, struct sr_op *const *ops, int n);
/* Return the sharding that has these axes; length of `axes`: rank. */
const struct sr_attr *sr_sharding_attr_of_axes(struct sr_context *ctx, const struct sr_mesh_ref *mesh, const struct sr_axes *axes,
					       int rank);
void sr_value_set_axes(struct sr_context *ctx, struct sr_value *v, const struct sr_mesh_ref *mesh, const struct sr_axes *axes);

/* Record for the report that the op gets operand t replicated although it had the sharding `old_sharding`, because the op cannot be
 * partitioned along a sharded dimension. */
void sr_note_unshardable_dim(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v, int t,
			     const struct sr_attr *old_sharding);

/* Walk callback, data: the context. Erases sharding groups and propagation barriers and turns sharding constraints into
 * reshards. */
bool sr_erase_propagation_ops(void *data, struct sr_op *op);

/* Return true if every device can compute any shard of v at almost no cost (constant, iota, broadcast of a scalar), so that its
 * reshards are free. */
bool sr_is_rematerializable(const struct sr_value *v);

/* Split a reduction whose body no collective has into two reductions. Sets *is_done if the op was replaced. */
enum sr_status sr_split_reduction(struct sr_reshard_inserter *c, const struct sr_op_view *v, bool *is_done);
bool sr_can_split_reduction(const struct sr_op_view *v);

#endif
