/* What the parts of shardrun-insert-reshards share. Internal to partition. */
#ifndef SR_PARTITION_INSERT_RESHARDS_INSERT_RESHARDS_H
#define SR_PARTITION_INSERT_RESHARDS_INSERT_RESHARDS_H

#include "partition/insert_reshards/explicit_reshards.h"

struct sr_reshard_inserter {
	struct sr_reshard_walk r;   /* first: what the walk hands back */
	struct sr_cost_model *costs; /* NULL: upstream's choice */
};

/* Choose for ops made in place of another, in order. */
enum sr_status sr_insert_reshards_at_each(struct sr_reshard_inserter *c, struct sr_op *const *ops, int n);
/* A sharding by axes, one list per dimension. */
const struct sr_attr *sr_sharding_attr_of_axes(struct sr_context *ctx, const struct sr_mesh_ref *mesh, const struct sr_axes *axes,
				       int rank);
void sr_value_set_axes(struct sr_context *ctx, struct sr_value *v, const struct sr_mesh_ref *mesh, const struct sr_axes *axes);

/* For the report: the op gets its operand t, which lay so, whole since it takes a dimension no other way. */
void sr_note_unshardable_dim(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v, int t,
			    const struct sr_attr *was);

/* A function to walk with: groups and barriers go, constraints become reshards. data: the context. */
bool sr_erase_propagation_ops(void *data, struct sr_op *op);

/* A reshard of it costs nothing: constants, iotas, scalars spread. */
bool sr_is_rematerializable(const struct sr_value *v);

/* split_reduction.c: a reduction in two steps where no collective does it. done: the op is gone. */
enum sr_status sr_split_reduction(struct sr_reshard_inserter *c, const struct sr_op_view *v, bool *done);
bool sr_can_split_reduction(const struct sr_op_view *v);

/* Bytes on the wire of an op computed as its rule allows, on the cheapest axes. */
double sr_cheapest_axes_bytes(struct sr_reshard_inserter *c, const struct sr_op_view *v);
/* parts/: the op on each device's own part, where that sends less. True: the op is gone. */
bool sr_expand_op(struct sr_reshard_inserter *c, const struct sr_op_view *v);
/* There are such forms of the op, where it stands. */
bool sr_expand_has_form(const struct sr_op *module, const struct sr_op *op);
/* Return true for a dynamic_slice or dynamic_update_slice whose piece is no longer than a shard of the operand, whatever axes
 * shard it. */
bool sr_slice_fits_any_shard(const struct sr_op *op, const struct sr_mesh *mesh);
/* Return the rule by which the form of parts/ computes a dynamic_slice: sliced dimensions are reduced, not replicated. */
const struct sr_sharding_rule *sr_expand_rule_of_dynamic_slice(struct sr_arena *arena, const struct sr_op *op,
							      const struct sr_sharding_rule *rule);
/* It would be, or split, as its operands and results lie now. */
bool sr_expand_would_pay(struct sr_context *ctx, struct sr_op *module, struct sr_cost_model *costs, struct sr_op *op);

#endif
