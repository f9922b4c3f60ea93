/* Builder of the sdy collective ops, and queries on them. Internal to partition. */
#ifndef SR_PARTITION_COLLECTIVE_H
#define SR_PARTITION_COLLECTIVE_H

#include "dialect/ops.h"

struct sr_collective {
	enum sr_op_code code;
	const struct sr_mesh *mesh;  /* mesh to which the collective's axes belong */
	/* the collective's axes: one list, or one list per dimension for all_gather, all_slice and reduce_scatter */
	const struct sr_axes *axes;
	int src, tgt;                /* for all_to_all: dimension that loses the axes, and dimension that gets them */
	enum sr_unreduced_kind kind; /* kind of reduction; for reductions only */
	const struct sr_attr *out;   /* sharding attribute of the collective's result */
	const struct sr_attr *cause; /* value of the attribute shardrun.cause; NULL: the op's name */
};

/* Build the collective on v at the insertion point `at`. Returns v itself if the op takes axes per dimension and all lists are
 * empty. */
struct sr_value *sr_collective_build(struct sr_builder *at, const struct sr_collective *c, struct sr_value *v);
bool sr_collective_reduces(enum sr_op_code code); /* Return true for all_reduce and reduce_scatter. */
enum sr_unreduced_kind sr_collective_kind(const struct sr_op *reduction); /* Return the kind of an all_reduce or reduce_scatter. */
/* Return false if the operand of the collective is a stablehlo.reduce whose init value is not the identity. Such an init value must
 * be combined into the result only once, so shardrun-pad applies it after the collective. */
bool sr_collective_starts_from_identity(struct sr_context *ctx, const struct sr_op *reduction);
/* Return the op that combines two values in a reduction of this kind. */
enum sr_op_code sr_collective_reducer(enum sr_unreduced_kind kind);

/* Return an attribute with all axes of the mesh. */
const struct sr_attr *sr_all_axes_attr(struct sr_context *ctx, const struct sr_mesh *mesh);
/* Append the axes as text: x, y:(1)2 */
void sr_collective_put_axes(struct sr_buf *out, const struct sr_mesh *mesh, struct sr_axes axes);
/* Return the text of shardrun.shardings for a collective over `axes` inside of a manual computation: "[in sharding] to [out
 * sharding] over axes". If there are several operands or results, the text has the first one that is sharded. */
const struct sr_attr *sr_collective_shardings_attr(const struct sr_builder *at, const struct sr_mesh *mesh, struct sr_axes axes);
/* Return the axes of each dimension; length: rank. */
struct sr_axes *sr_axes_by_dim(struct sr_arena *arena, const struct sr_sharding *s);

#endif
