/* What the parts of shardrun-choose share. Internal to partition. */
#ifndef SR_PARTITION_CHOOSE_H
#define SR_PARTITION_CHOOSE_H

#include "partition/choose/explicit_reshards.h"

struct sr_chooser {
	struct sr_reshards r;   /* first: what the walk hands back */
	struct sr_costs *costs; /* NULL: upstream's choice */
};

/* Choose for ops made in place of another, in order. */
enum sr_status sr_choose_each(struct sr_chooser *c, struct sr_op *const *ops, int n);
/* A sharding by axes, one list per dimension. */
const struct sr_attr *sr_choose_layout(struct sr_context *ctx, const struct sr_mesh_ref *mesh, const struct sr_axes *axes,
				       int rank);
void sr_choose_set_axes(struct sr_context *ctx, struct sr_value *v, const struct sr_mesh_ref *mesh, const struct sr_axes *axes);

/* For the report: the op gets its operand t, which lay so, whole since it takes a dimension no other way. */
void sr_choose_note_limited(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v, int t,
			    const struct sr_attr *was);

/* A function to walk with: groups and barriers go, constraints become reshards. data: the context. */
bool sr_choose_clean(void *data, struct sr_op *op);

/* A reshard of it costs nothing: constants, iotas, scalars spread. */
bool sr_choose_is_remade(const struct sr_value *v);

/* choose_split.c: a reduction in two steps where no collective does it. done: the op is gone. */
enum sr_status sr_choose_split(struct sr_chooser *c, const struct sr_op_view *v, bool *done);
bool sr_choose_wants_split(const struct sr_op_view *v);

/* Bytes on the wire of an op computed as its rule allows, on the cheapest axes. */
double sr_choose_bytes(struct sr_chooser *c, const struct sr_op_view *v);
/* parts/: the op on each device's own part, where that sends less. True: the op is gone. */
bool sr_choose_in_parts(struct sr_chooser *c, const struct sr_op_view *v);
/* There are such forms of the op, where it stands. */
bool sr_choose_has_parts(const struct sr_op *module, const struct sr_op *op);
/* Return true for a dynamic_slice or dynamic_update_slice whose piece is no longer than a shard of the operand, whatever axes
 * shard it. */
bool sr_parts_fits_any_axes(const struct sr_op *op, const struct sr_mesh *mesh);
/* Return the rule by which the form of parts/ computes a dynamic_slice: sliced dimensions are reduced, not replicated. */
const struct sr_sharding_rule *sr_parts_rule_of_dynamic_slice(struct sr_arena *arena, const struct sr_op *op,
							      const struct sr_sharding_rule *rule);
/* It would be, or split, as its operands and results lie now. */
bool sr_choose_wants_parts(struct sr_context *ctx, struct sr_op *module, struct sr_costs *costs, struct sr_op *op);

#endif
