/* Custom calls whose target stands for one op or a few ops. */
#ifndef SR_OPTIMIZE_LEGALIZE_CUSTOM_CALL_OPS_H
#define SR_OPTIMIZE_LEGALIZE_CUSTOM_CALL_OPS_H

#include "dialect/ops.h"

/* Build the equivalent ops at b, with the types of the call's results, and replace the call's results. Return false, with nothing
 * changed, if the target is not known, or an operand that becomes an attribute is not constant. The call itself stays, without
 * uses. */
bool sr_replace_call_by_op(struct sr_builder *b, struct sr_op *call);
/* Replace a custom call @ragged_all_to_all, with the contract of sr_replace_call_by_op. Defined in ragged_all_to_all.c. */
bool sr_replace_ragged_all_to_all(struct sr_builder *b, struct sr_op *call);
/* Replace a product of a sparse matrix, with the contract of sr_replace_call_by_op. Defined in csr_product.c. */
bool sr_replace_csr_product(struct sr_builder *b, struct sr_op *call);

#endif
