/* Operands whose values are shapes: operands of custom calls that the attribute indices_of_shape_operands lists, and limits of
 * slices. */
#ifndef SR_OPTIMIZE_SHAPE_OPERANDS_H
#define SR_OPTIMIZE_SHAPE_OPERANDS_H

#include "dialect/infer/infer.h"

/* Set the result types of a custom call with constant shape operands: one operand for each result, or for each element of tuple
 * results. */
void sr_known_from_shape_operands(struct sr_context *ctx, struct sr_op *call, const struct sr_type **known_types);
/* Check that the attribute is valid and that constants agree with the declared results; errors are reported at the call. A call
 * without the attribute is valid. */
enum sr_status sr_check_shape_operands(struct sr_context *ctx, struct sr_op *call);
/* Return the numbers of the operands that hold shapes, in the order of the results. n = 0: the attribute is missing or invalid, or
 * an operand is not constant. */
struct sr_ints sr_shape_operands(struct sr_context *ctx, const struct sr_op *call);
/* Get the sizes of a real_dynamic_slice with unit strides whose limits are its starts plus constants. */
bool sr_slice_sizes(struct sr_context *ctx, const struct sr_op *slice, struct sr_ints *sizes);

#endif
