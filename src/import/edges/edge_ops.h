/* Putting edge ops into the module and taking their shardings out again. */
#ifndef SR_IMPORT_EDGES_EDGE_OPS_H
#define SR_IMPORT_EDGES_EDGE_OPS_H

#include "import/edges/data_flow_edge.h"

/* An sdy.data_flow_edge behind each owner of the op that has none, block arguments first; nothing for other ops. */
void sr_edges_add(struct sr_context *ctx, struct sr_op *op);
/* An op of one operand and result of the same type behind the value, for all users of the value but itself. */
struct sr_op *sr_insert_after_value(struct sr_context *ctx, struct sr_value *v, int code, const struct sr_attr *loc,
			       const struct sr_named_attr *attrs, int n_attrs);
/* Shardings that the edges of these owners hold (kind SHARDINGS), open where one holds none; NULL: none holds any. */
const struct sr_attr *sr_edge_shardings(struct sr_context *ctx, struct sr_value *const *owners, int n);
/* The results of an op, or the arguments of its body, as a list. */
struct sr_value **sr_result_list(struct sr_context *ctx, struct sr_op *op);

#endif
