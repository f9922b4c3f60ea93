/* Read and create comparisons (stablehlo.compare) as enum sr_compare, which patterns, loop analysis, sorts, selections and
 * kernels use. */
#ifndef SR_DIALECT_COMPARISON_H
#define SR_DIALECT_COMPARISON_H

#include "dialect/ops.h"
#include "kernels/kernel.h"

/* Return the comparison_direction of a stablehlo.compare. */
enum sr_compare sr_comparison_of(const struct sr_op *compare);
/* Return true if the op's compare_type is `type`: "SIGNED", "UNSIGNED", "FLOAT" or "TOTALORDER". */
bool sr_comparison_type_is(const struct sr_op *compare, const char *type);
/* Return the comparison of (y, x) that is equivalent to `comparison` of (x, y). */
enum sr_compare sr_comparison_swapped(enum sr_compare comparison);
bool sr_comparison_holds_for_equal(enum sr_compare comparison); /* Return the result of the comparison for two equal numbers. */

/* Create the attribute comparison_direction. */
struct sr_named_attr sr_comparison_attr(struct sr_context *ctx, enum sr_compare comparison);
/* Create the attribute compare_type. If `type` is NULL, the attribute's value is NULL and the default of the operands' element type
 * applies. */
struct sr_named_attr sr_comparison_type_attr(struct sr_context *ctx, const char *type);
/* Build stablehlo.compare of x and y, and return its result. `type` is its compare_type; NULL: the default. */
struct sr_value *sr_build_compare(struct sr_builder *b, struct sr_value *x, enum sr_compare comparison, struct sr_value *y,
				  const char *type);

#endif
