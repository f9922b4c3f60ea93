/* What may be removed. */
#ifndef SR_OPTIMIZE_SIDE_EFFECTS_H
#define SR_OPTIMIZE_SIDE_EFFECTS_H

#include "ir/ir.h"

/* No result is used, and without the op nothing else changes. */
bool sr_op_is_trivially_dead(const struct sr_op *op);
/* The same leave for ops whose results are used: not a terminator, not a symbol, no effects. */
bool sr_op_is_removable(const struct sr_op *op);

#endif
