/* What a kernel needs to know of an op and that follows from the op alone (kernels/kernel.h): for folding, and for the plan. */
#ifndef SR_OPTIMIZE_KERNEL_PARAMS_H
#define SR_OPTIMIZE_KERNEL_PARAMS_H

#include "dialect/ops.h"
#include "kernels/kernel.h"

/* Ops that only move elements are strided copies, one for each operand that is moved: that of this operand into the op's result.
 * False where the op or this operand of it is none of the kind, a shape is not static, or its rank is beyond the kernels'. What a
 * pad's result holds beside the copy is its padding value. */
bool sr_move_of(struct sr_context *ctx, const struct sr_op *op, int operand, struct sr_move_params *out);
/* Nothing is copied. */
bool sr_move_is_empty(const struct sr_move_params *m);
/* Of stablehlo.compare: the variant of struct sr_map_params. */
uint8_t sr_compare_of(const struct sr_op *compare);

#endif
