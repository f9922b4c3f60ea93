/* Operands that hold shapes: of custom calls by their attribute indices_of_shape_operands, of slices by their limits. */
#ifndef SR_OPTIMIZE_SHAPE_OPERANDS_H
#define SR_OPTIMIZE_SHAPE_OPERANDS_H

#include "dialect/infer/infer.h"

/* Result types of a custom call whose shape operands are constant: one for each result, or for each member of results that are
 * tuples. */
void sr_known_from_shape_operands(struct sr_context *ctx, struct sr_op *call, const struct sr_type **known);
/* Whether the attribute is right and the constants agree with the declared results; what is wrong is reported at the call. A call
 * without the attribute is right. */
enum sr_status sr_check_shape_operands(struct sr_context *ctx, struct sr_op *call);
/* Operand numbers of the shapes, in the order of the results; n = 0: the attribute is missing or wrong, or an operand is not
 * constant. */
struct sr_ints sr_shape_operands(struct sr_context *ctx, const struct sr_op *call);
/* The sizes of a real_dynamic_slice whose strides are one and whose limits are its starts plus constants. */
bool sr_slice_sizes(struct sr_context *ctx, const struct sr_op *slice, struct sr_ints *sizes);

#endif
