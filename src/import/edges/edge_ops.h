/* Insert sdy.data_flow_edge ops after edge owners, and read the shardings they hold. */
#ifndef SR_IMPORT_EDGES_EDGE_OPS_H
#define SR_IMPORT_EDGES_EDGE_OPS_H

#include "import/edges/data_flow_edge.h"

/* Insert an sdy.data_flow_edge after each owner of op that has none, block arguments first. Do nothing for ops without edges. */
void sr_edges_add(struct sr_context *ctx, struct sr_op *op);
/* Insert an op with operand v and one result of v's type after v, redirect v's other users to the result, and return the op. */
struct sr_op *sr_insert_after_value(struct sr_context *ctx, struct sr_value *v, int code, const struct sr_attr *loc,
				    const struct sr_named_attr *attrs, int n_attrs);
/* Return the shardings on the edge ops of these owners as a SHARDINGS attribute, with fully open shardings where one is missing.
 * Return NULL if none has a sharding. */
const struct sr_attr *sr_edge_shardings(struct sr_context *ctx, struct sr_value *const *owners, int n);
/* Return op's results as an array in the context's arena. */
struct sr_value **sr_result_list(struct sr_context *ctx, struct sr_op *op);

#endif
