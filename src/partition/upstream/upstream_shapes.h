/* Extents that shards divide, and values brought to them: what upstream's padding and its halo exchange share.
 * Internal to partition. */
#ifndef SR_PARTITION_UPSTREAM_UPSTREAM_SHAPES_H
#define SR_PARTITION_UPSTREAM_UPSTREAM_SHAPES_H

#include "dialect/ops.h"

/* Rounded up to a multiple of the shards. */
int64_t sr_upstream_round_up(int64_t extent, int64_t shards);
/* A tensor's type with each extent rounded up to its shards; the type itself where there is nothing to do. */
const struct sr_type *sr_upstream_divisible(struct sr_context *ctx, const struct sr_op *module, const struct sr_type *type,
					    const struct sr_attr *sharding);
/* v padded at its high ends to a shape, and cut there; v itself where it has the shape. With the sharding. */
struct sr_value *sr_upstream_pad_to(struct sr_builder *b, struct sr_value *v, const int64_t *shape, struct sr_value *fill,
				    const struct sr_attr *sharding); /* fill NULL: zero */
struct sr_value *sr_upstream_slice_to(struct sr_builder *b, struct sr_value *v, const int64_t *shape,
				      const struct sr_attr *sharding);
/* Dimension `dim` of a slice or a pad stays in its shards, though its extents do not divide. */
bool sr_upstream_slice_keeps_shards(struct sr_context *ctx, const struct sr_op *slice, int dim, int64_t shards);
bool sr_upstream_pad_keeps_shards(struct sr_context *ctx, const struct sr_op *pad, int dim, int64_t shards);

#endif
