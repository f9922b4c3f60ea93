/* Tests whether an op may be removed or duplicated. */
#ifndef SR_OPTIMIZE_SIDE_EFFECTS_H
#define SR_OPTIMIZE_SIDE_EFFECTS_H

#include "ir/ir.h"

/* Return true if no result is used and the op has no side effects. */
bool sr_op_is_trivially_dead(const struct sr_op *op);
/* Return true if an op has no side effects and is neither a terminator nor a symbol, whether or not its results are used. */
bool sr_op_is_removable(const struct sr_op *op);

#endif
