/* Shape refinement: turn a program of dynamic shapes into one of static shapes, given the shapes of its arguments.
 *
 * sr_refine_shapes is the entry point for callers that know the shapes of a program's inputs:
 *
 *	sr_refine_shapes(ctx, module, func, types);           gives every value the most refined type
 *	sr_run_canonicalize_dynamism(ctx, module, &options);  replaces dynamic ops by their static forms
 *
 * An op whose shape depends on an operand's value is refined if that value is computed from constants and static dimensions; such
 * computations are folded. */
#ifndef SR_OPTIMIZE_REFINE_H
#define SR_OPTIMIZE_REFINE_H

#include "dialect/ops.h"

/* Refine a function and its callees. types: the types of its arguments, compatible with the declared types and at least as refined;
 * NULL: the declared types. Return SR_INVALID, reported, if a type does not fit, or a function is called with different types. */
enum sr_status sr_refine_shapes(struct sr_context *ctx, struct sr_op *module, struct sr_op *func,
				const struct sr_type *const *types);
/* Return the entry function: the only function, or the one named main. Returns NULL, reported, if there is none. */
struct sr_op *sr_refine_entry(struct sr_context *ctx, struct sr_op *module);
/* Change the types of a function's arguments, with the checks of sr_refine_shapes. Uses keep the declared types through a custom
 * call stablehlo.shape_refinement_operand_wrapper, which refinement removes. */
enum sr_status sr_refine_arguments(struct sr_context *ctx, struct sr_op *func, const struct sr_type *const *types, int n);

#endif
