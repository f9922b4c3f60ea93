/* Read and create comparisons (stablehlo.compare) as enum sr_compare, which patterns, loop analysis, sorts, selections and
 * kernels use. */
#ifndef SR_DIALECT_COMPARISON_H
#define SR_DIALECT_COMPARISON_H

#include "dialect/ops.h"
#include "kernels/kernel.h"

enum sr_compare sr_comparison_of(const struct sr_op *compare);
/* Return true if the op's compare_type is `type`: "SIGNED", "UNSIGNED", "FLOAT" or "TOTALORDER". */
bool sr_comparison_type_is(const struct sr_op *compare, const char *type);
/* Return the comparison of (y, x) that is equivalent to `how` of (x, y). */
enum sr_compare sr_comparison_swapped(enum sr_compare how);
bool sr_comparison_holds_for_equal(enum sr_compare how);         /* Return the result of the comparison for two equal numbers. */

/* Create the attributes compare_direction and compare_type, and a stablehlo.compare. compare_type NULL: the default for the
 * operands' element type. */
struct sr_named_attr sr_comparison_attr(struct sr_context *ctx, enum sr_compare how);
struct sr_named_attr sr_comparison_type_attr(struct sr_context *ctx, const char *type);
struct sr_value *sr_build_compare(struct sr_builder *b, struct sr_value *x, enum sr_compare how, struct sr_value *y,
				  const char *type);

#endif
