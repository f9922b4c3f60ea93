/* How stablehlo.compare compares, read and made in one place: patterns, loops, sorts,
 * selections and kernels speak of enum sr_compare. */
#ifndef SR_DIALECT_COMPARISON_H
#define SR_DIALECT_COMPARISON_H

#include "dialect/ops.h"
#include "kernels/kernel.h"

enum sr_compare sr_comparison_of(const struct sr_op *compare);
bool sr_comparison_type_is(const struct sr_op *compare, const char *type); /* compare_type: "SIGNED", "UNSIGNED", "FLOAT", "TOTALORDER" */
enum sr_compare sr_comparison_swapped(enum sr_compare how); /* of y and x as `how` of x and y */
bool sr_comparison_holds_for_equal(enum sr_compare how);         /* what it says of two equal numbers */

/* The attribute, and the op; compare_type NULL: the one that is usual for the operands' element type. */
struct sr_named_attr sr_comparison_attr(struct sr_context *ctx, enum sr_compare how);
struct sr_named_attr sr_comparison_type_attr(struct sr_context *ctx, const char *type);
struct sr_value *sr_build_compare(struct sr_builder *b, struct sr_value *x, enum sr_compare how, struct sr_value *y,
				  const char *type);

#endif
