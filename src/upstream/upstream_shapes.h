/* Extents divisible by their shards, and padding to such extents: functions shared by upstream's padding and halo exchange.
 * Internal to upstream. */
#ifndef SR_UPSTREAM_UPSTREAM_SHAPES_H
#define SR_UPSTREAM_UPSTREAM_SHAPES_H

#include "dialect/ops.h"

/* Return the extent rounded up to a multiple of the number of shards. */
int64_t sr_upstream_round_up(int64_t extent, int64_t shards);
/* Return the type with each extent rounded up to a multiple of its shards; the type itself if nothing changes. */
const struct sr_type *sr_upstream_divisible(struct sr_context *ctx, const struct sr_op *module, const struct sr_type *type,
					    const struct sr_attr *sharding);
/* Pad v at its high ends to the shape, or slice it to the shape, and set the sharding; returns v itself if it has the shape. */
struct sr_value *sr_upstream_pad_to(struct sr_builder *b, struct sr_value *v, const int64_t *shape, struct sr_value *fill,
				    const struct sr_attr *sharding); /* fill: padding value; NULL: 0 */
struct sr_value *sr_upstream_slice_to(struct sr_builder *b, struct sr_value *v, const int64_t *shape,
				      const struct sr_attr *sharding);
/* Return true if dimension `dim` of a slice or pad needs no communication although the shards do not divide the extent. */
bool sr_upstream_slice_keeps_shards(struct sr_context *ctx, const struct sr_op *slice, int dim, int64_t shards);
bool sr_upstream_pad_keeps_shards(struct sr_context *ctx, const struct sr_op *pad, int dim, int64_t shards);

#endif
