/* Type refinement of a single op. */
#ifndef SR_OPTIMIZE_REFINE_TYPES_H
#define SR_OPTIMIZE_REFINE_TYPES_H

#include "dialect/ops.h"

/* Merge two types: the result has each dimension that one of them knows; tuples are merged element by element; other types must be
 * equal. Returns NULL if they are incompatible. */
const struct sr_type *sr_type_refine(struct sr_context *ctx, const struct sr_type *declared_type, const struct sr_type *known_type);
/* Set known_types[n_results] to the result types that follow from operands and attributes, or NULL for a result about which nothing
 * is known. Reports no errors. */
void sr_known_types(struct sr_context *ctx, struct sr_op *op, const struct sr_type **known_types);
/* Give v the refined type if all its users accept it: ops of stablehlo, chlo and sdy, shape_of, returns and calls. */
bool sr_value_refine(struct sr_context *ctx, struct sr_value *v, const struct sr_type *known_type);

#endif
