/* Data-flow edges (as in Shardy): a set of source and target values that must have the same sharding because an op passes values
 * through: while, case, optimization_barrier, and the boundaries of manual_computation and named_computation. One target, the
 * owner, stands for the edge.
 *
 *	%r = while(%x) cond(%c) body(%b) { ... return %y }     one edge: sources %x and %y, owner %r, non-owner targets %c and %b
 *	%r = manual_computation(%x) (%a) { ... return %y }     two edges: source %x, owner %a; source %y, owner %r
 *
 * After sdy-add-data-flow-edges, an sdy.data_flow_edge op follows every owner and holds the edge's sharding. */
#ifndef SR_IMPORT_EDGES_DATA_FLOW_EDGE_H
#define SR_IMPORT_EDGES_DATA_FLOW_EDGE_H

#include "dialect/ops.h"

struct sr_edge {
	struct sr_value *target;         /* the owner, which holds the edge's sharding */
	/* operands and yielded values that flow to the targets; length n; in the context's arena */
	struct sr_value *const *sources;
	struct sr_use *const *uses;      /* for each source, the use by which it enters the op; length n */
	int n;
};

/* Return the number of edges of op, 0 for ops without the trait. Edges owned by block arguments precede those owned by results. */
int sr_edge_count(const struct sr_op *op);
struct sr_edge sr_edge_at(struct sr_context *ctx, const struct sr_op *op, int i);
/* Return the owner of the edge that has v as a target; NULL if v is no target. */
struct sr_value *sr_edge_owner(struct sr_context *ctx, struct sr_value *v);
/* Return the owner of the edge that has this use as a source; NULL if the use is no source. */
struct sr_value *sr_edge_owner_of_source(const struct sr_use *use);
/* Return the edge that `owner` owns. */
struct sr_edge sr_edge_of(struct sr_context *ctx, struct sr_value *owner);
/* Call fn for each target of the edge except its owner. */
void sr_edge_for_each_non_owner_target(struct sr_value *owner, void (*fn)(void *data, struct sr_value *target), void *data);

/* Return the owner's sdy.data_flow_edge op, its only user; NULL if the pass has not added one. */
struct sr_op *sr_edge_op(const struct sr_value *owner);
/* Return the sdy.data_flow_edge op of the edge that has v as a target; NULL if there is none. */
struct sr_op *sr_edge_op_of_target(struct sr_context *ctx, struct sr_value *v);

#endif
