/* Shardy's collectives as ops: what each is given, and the one builder of them. Internal to partition. */
#ifndef SR_PARTITION_COLLECTIVE_H
#define SR_PARTITION_COLLECTIVE_H

#include "dialect/ops.h"

struct sr_collective {
	enum sr_op_code code;
	const struct sr_mesh *mesh;  /* of the axes */
	const struct sr_axes *axes;  /* one list, or one per dimension where the op has that */
	int src, tgt;                /* all_to_all: the dimension that the axes leave, and where they go */
	enum sr_unreduced_kind kind; /* of a reduction */
	const struct sr_attr *out;   /* the result's sharding */
	const struct sr_attr *cause; /* NULL: as the op is named */
};

/* The op on v, or v itself where lists per dimension are all empty. */
struct sr_value *sr_collective_build(struct sr_builder *at, const struct sr_collective *c, struct sr_value *v);
bool sr_collective_reduces(enum sr_op_code code); /* all_reduce, reduce_scatter */
enum sr_unreduced_kind sr_collective_kind(const struct sr_op *reduction); /* of such an op */
/* Whether what it reduces over devices is no stablehlo.reduce from something else than the identity: such an init value must enter
 * the result once, and padding adds it behind the collective that follows. */
bool sr_collective_starts_from_identity(struct sr_context *ctx, const struct sr_op *reduction);
enum sr_op_code sr_collective_reducer(enum sr_unreduced_kind kind); /* what combines two values */

const struct sr_attr *sr_axes_attr(struct sr_context *ctx, const struct sr_mesh *mesh, struct sr_axes axes);
/* x, y:(1)2 */
void sr_collective_put_axes(struct sr_buf *out, const struct sr_mesh *mesh, struct sr_axes axes);
/* shardrun.shardings of a collective over `axes` in a manual computation that partition makes: from how its operand lies to how its
 * result does, of several the first that is sharded. */
const struct sr_attr *sr_collective_shardings_attr(const struct sr_builder *at, const struct sr_mesh *mesh, struct sr_axes axes);
/* The axes of each dimension of a sharding. */
struct sr_axes *sr_axes_by_dim(struct sr_arena *arena, const struct sr_sharding *s);

#endif
