/* Shape refinement: a program of unknown dimensions becomes one of known ones where the arguments' shapes are known.
 *
 * sr_refine_shapes is the way in for those who know the shapes of a program's inputs:
 *
 *	sr_refine_shapes(ctx, module, func, types);           every value gets the best type that follows
 *	sr_run_canonicalize_dynamism(ctx, module, &options);  dynamic ops become their static forms
 *
 * Operations whose shapes follow from other operands' values are refined where these are computed from constants and known
 * dimensions; such computations are folded away. */
#ifndef SR_OPTIMIZE_REFINE_H
#define SR_OPTIMIZE_REFINE_H

#include "dialect/ops.h"

/* Refine the function and those that it calls. types: of its arguments, compatible with the declared ones and at least as exact;
 * NULL: as declared. Reports and returns SR_INVALID where a type does not fit, or functions cannot have one set of types. */
enum sr_status sr_refine_shapes(struct sr_context *ctx, struct sr_op *module, struct sr_op *func,
				const struct sr_type *const *types);
/* The function that a module is about: its only one, or the one named main; NULL: reported. */
struct sr_op *sr_refine_entry(struct sr_context *ctx, struct sr_op *module);
/* New types for a function's arguments: the same checks, reported. Uses of the arguments keep their types: each changed argument
 * goes through a custom call stablehlo.shape_refinement_operand_wrapper, which refinement takes away. */
enum sr_status sr_refine_arguments(struct sr_context *ctx, struct sr_op *func, const struct sr_type *const *types, int n);

#endif
