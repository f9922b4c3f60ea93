/* Data-flow edges: the ops whose operands, yielded values, block arguments and results are tied value by value, so that all of one
 * edge are sharded alike (while, case, optimization_barrier, and the borders of manual_computation and named_computation).
 *
 *	%r = while(%x) cond(%c) body(%b) { ... return %y }     one edge: sources %x and %y, owner %r, further targets %c and %b
 *	%r = manual_computation(%x) (%a) { ... return %y }     two edges: source %x, owner %a; source %y, owner %r
 *
 * The pass sdy-add-data-flow-edges puts an sdy.data_flow_edge after every owner, which then holds the edge's sharding. */
#ifndef SR_IMPORT_EDGES_DATA_FLOW_EDGE_H
#define SR_IMPORT_EDGES_DATA_FLOW_EDGE_H

#include "dialect/ops.h"

struct sr_edge {
	struct sr_value *target;         /* the owner: the value that holds the sharding */
	struct sr_value *const *sources; /* [n]: operands, yielded values; arena */
	struct sr_use *const *uses;      /* [n]: by which the sources come in */
	int n;
};

/* Edges of an op, owners that are block arguments first, then those that are results. 0 for ops without the trait. */
int sr_edge_count(const struct sr_op *op);
struct sr_edge sr_edge_at(struct sr_context *ctx, const struct sr_op *op, int i);
struct sr_value *sr_edge_owner(struct sr_context *ctx, struct sr_value *v); /* of the edge that v is a target of; NULL: of none */
struct sr_value *sr_edge_owner_of_source(const struct sr_use *use);         /* the owner whose edge this use is a source of; NULL */
/* The edge with this owner. */
struct sr_edge sr_edge_of(struct sr_context *ctx, struct sr_value *owner);
/* Targets that do not own the edge: fn is called for each. */
void sr_edge_for_each_non_owner_target(struct sr_value *owner, void (*fn)(void *data, struct sr_value *target), void *data);

/* The sdy.data_flow_edge op of an edge, where the pass has added it: the owner's only use. NULL: none. */
struct sr_op *sr_edge_op(const struct sr_value *owner);
struct sr_op *sr_edge_op_of_target(struct sr_context *ctx, struct sr_value *v);

#endif
