/* Ops that only move elements, as strided copies (kernels/kernel.h, struct sr_move_params): one for each operand that is moved. */
#ifndef SR_OPTIMIZE_MOVES_H
#define SR_OPTIMIZE_MOVES_H

#include "dialect/ops.h"
#include "kernels/kernel.h"

/* The copy of this operand into the op's result. False where the op or this operand of it is none of the kind, a shape is not
 * static, or its rank is beyond the kernels'. What a pad's result holds beside the copy is its padding value. */
bool sr_move_of(struct sr_context *ctx, const struct sr_op *op, int operand, struct sr_move_params *out);
/* Nothing is copied. */
bool sr_move_is_empty(const struct sr_move_params *m);

#endif
