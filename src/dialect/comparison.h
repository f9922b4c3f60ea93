/* Read and create comparisons (stablehlo.compare) as enum sr_compare, which patterns, loop analysis, sorts, selections and
 * kernels use. */
#ifndef SR_DIALECT_COMPARISON_H
#define SR_DIALECT_COMPARISON_H

#include "dialect/ops.h"
#include "kernels/kernel.h"

enum sr_compare sr_comparison_of(const struct sr_op *compare);
bool sr_comparison_type_is(const struct sr_op *compare, const char *type); /* type: "SIGNED", "UNSIGNED", "FLOAT", "TOTALORDER" */
enum sr_compare sr_comparison_swapped(enum sr_compare how); /* the comparison of (y, x) equivalent to `how` of (x, y) */
bool sr_comparison_holds_for_equal(enum sr_compare how);         /* its result for two equal numbers */

/* Create the attributes, and the op. compare_type NULL: the default for the operands' element type. */
struct sr_named_attr sr_comparison_attr(struct sr_context *ctx, enum sr_compare how);
struct sr_named_attr sr_comparison_type_attr(struct sr_context *ctx, const char *type);
struct sr_value *sr_build_compare(struct sr_builder *b, struct sr_value *x, enum sr_compare how, struct sr_value *y,
				  const char *type);

#endif
