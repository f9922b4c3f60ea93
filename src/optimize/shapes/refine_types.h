/* What is known of one op's result types: used by refinement alone. */
#ifndef SR_OPTIMIZE_REFINE_TYPES_H
#define SR_OPTIMIZE_REFINE_TYPES_H

#include "dialect/ops.h"

/* Every dimension that one of the two knows; tuples member by member, other types must be equal. NULL: incompatible. */
const struct sr_type *sr_type_refine(struct sr_context *ctx, const struct sr_type *declared, const struct sr_type *known);
/* The types that follow from operands and attributes; known[n_results], NULL where nothing does. Reports nothing. */
void sr_known_types(struct sr_context *ctx, struct sr_op *op, const struct sr_type **known);
/* Give the value the refined type if all its users can take it: ops of stablehlo, chlo and sdy, shape_of, returns and calls. */
bool sr_value_refine(struct sr_context *ctx, struct sr_value *v, const struct sr_type *known);

#endif
