/* #sdy.propagation_edges: through which op an axis came to a value, and in which step of propagation.
 *
 *	{sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"x" = operand-0 -> [operand-1, result-0]}]}]>}
 *
 * says that in step 2 the op gave its second operand and its result the axis "x" that its first operand had. */
#ifndef SR_DIALECT_SDY_PROPAGATION_EDGES_H
#define SR_DIALECT_SDY_PROPAGATION_EDGES_H

#include "dialect/signature.h"

const struct sr_attr *sr_attr_edge_value_ref(struct sr_context *ctx, bool result, int64_t index); /* operand-0, result-1 */
/* {"x" = operand-0 -> [result-0]}; targets are ends */
const struct sr_attr *sr_attr_edge_details(struct sr_context *ctx, const struct sr_attr *axis, const struct sr_attr *source,
					   const struct sr_attr *const *targets, int n);
const struct sr_attr *sr_attr_edge_step(struct sr_context *ctx, int64_t step, const struct sr_attr *const *details, int n);
const struct sr_attr *sr_attr_propagation_edges(struct sr_context *ctx, const struct sr_attr *const *steps, int n);
bool sr_attr_is_propagation_edges(const struct sr_attr *a);
int64_t sr_propagation_edges_last(const struct sr_attr *edges); /* the greatest step; -1: none */

/* Steps that are negative or come twice, a source or target that does; NULL: nothing is wrong. */
const char *sr_propagation_edges_mistake(struct sr_context *ctx, const struct sr_attr *a);
/* The attributes of that kind that an op has: their types, indices and axes. */
enum sr_status sr_propagation_edges_check(struct sr_context *ctx, struct sr_op *op, const char *name, const struct sr_attr *a,
					  struct sr_diags *diags);

#endif
