/* #sdy.propagation_edges: records through which op a value received an axis, and in which propagation step.
 *
 *	{sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"x" = operand-0 -> [operand-1, result-0]}]}]>}
 *
 * In step 2 the op propagated axis "x" from its first operand to its second operand and its result. */
#ifndef SR_DIALECT_SDY_PROPAGATION_EDGES_H
#define SR_DIALECT_SDY_PROPAGATION_EDGES_H

#include "dialect/signature.h"

/* Create a value reference: operand-0, result-1. */
const struct sr_attr *sr_attr_edge_value_ref(struct sr_context *ctx, bool is_result, int64_t index);
/* Create {"x" = operand-0 -> [result-0]}. targets[n] are value references. */
const struct sr_attr *sr_attr_edge_details(struct sr_context *ctx, const struct sr_attr *axis, const struct sr_attr *source,
					   const struct sr_attr *const *targets, int n);
/* Create the edges of one step: {step-2 = [...]}. details[n] are from sr_attr_edge_details. */
const struct sr_attr *sr_attr_edge_step(struct sr_context *ctx, int64_t step, const struct sr_attr *const *details, int n);
const struct sr_attr *sr_attr_propagation_edges(struct sr_context *ctx, const struct sr_attr *const *steps, int n);
int64_t sr_propagation_edges_last(const struct sr_attr *edges); /* Return the highest step number; -1: there is no step. */

/* Check for negative or duplicate steps, and duplicate sources or targets. Return an error message, or NULL if the attribute is
 * valid. */
const char *sr_propagation_edges_error(struct sr_context *ctx, const struct sr_attr *a);
/* Check an op's propagation edges: types, value indices and axes. */
enum sr_status sr_propagation_edges_check(struct sr_context *ctx, struct sr_op *op, const char *name, const struct sr_attr *a,
					  struct sr_diags *diags);

#endif
