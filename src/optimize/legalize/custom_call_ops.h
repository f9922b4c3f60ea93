/* Custom calls that stand for an op by their target's name. */
#ifndef SR_OPTIMIZE_LEGALIZE_CUSTOM_CALL_OPS_H
#define SR_OPTIMIZE_LEGALIZE_CUSTOM_CALL_OPS_H

#include "dialect/ops.h"

/* Build at b the op, or few ops, and put their results in place of the call's, with the types of these. False, with nothing
 * changed: the name is none of those, or operands that become attributes are not constant. The call stays, without uses. */
bool sr_replace_call_by_op(struct sr_builder *b, struct sr_op *call);
/* One of these that takes more than an op: ragged_all_to_all.c. */
bool sr_replace_ragged_all_to_all(struct sr_builder *b, struct sr_op *call);

#endif
