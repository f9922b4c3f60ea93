/* Refinement of the ops of the shape dialect that remain from broadcasts legalized before the shapes were known. */
#ifndef SR_OPTIMIZE_REFINE_EXTENTS_H
#define SR_OPTIMIZE_REFINE_EXTENTS_H

#include "dialect/infer/infer.h"

/* Get the extents in a constant: a shape.const_shape or a constant of integers. */
bool sr_known_extents(struct sr_context *ctx, const struct sr_value *shape, struct sr_ints *out);
/* Replace a shape.shape_of or shape.broadcast with a known result by a shape.const_shape. */
bool sr_refine_extents(struct sr_context *ctx, struct sr_op *op);
/* Replace a shape.assuming whose assumption holds by the ops inside, and erase it. */
bool sr_refine_assuming(struct sr_op *assuming, struct sr_context *ctx);
/* Replace operands of a stablehlo op that are constant shapes by stablehlo constants, and casts to index by the integers they come
 * from. */
void sr_materialize_extents(struct sr_context *ctx, struct sr_op *op);

#endif
