/* The shape dialect's ops where shapes are known: what is left of broadcasts that were legalized before the shapes were known. */
#ifndef SR_OPTIMIZE_REFINE_EXTENTS_H
#define SR_OPTIMIZE_REFINE_EXTENTS_H

#include "dialect/infer/infer.h"

/* The extents that a constant holds, a shape.const_shape or any constant of integers. */
bool sr_known_extents(struct sr_context *ctx, const struct sr_value *shape, struct sr_ints *out);
/* A shape.shape_of or a shape.broadcast whose result is known becomes a shape.const_shape. */
bool sr_refine_extents(struct sr_context *ctx, struct sr_op *op);
/* A shape.assuming whose assumption holds: its ops stand before it, its results are what they yield, and it is erased. */
bool sr_refine_assuming(struct sr_op *assuming, struct sr_context *ctx);
/* A stablehlo op's operands that are constant shapes become stablehlo's constants; of casts to index values, the integers. */
void sr_materialize_extents(struct sr_context *ctx, struct sr_op *op);

#endif
