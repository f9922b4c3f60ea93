/* Properties of ops that propagation and constant splitting need in addition to sharding rules: the PRIORITY column of the op
 * table, and which ops count as elementwise. */
#ifndef SR_IMPORT_OP_CLASS_H
#define SR_IMPORT_OP_CLASS_H

#include "dialect/ops.h"

enum sr_priority {
	SR_PRIORITY_none,
	SR_PRIORITY_passthrough, /* propagates in both directions in the first rounds */
	SR_PRIORITY_elementwise, /* like passthrough, and counts as elementwise when factors conflict */
	SR_PRIORITY_same_shape, /* like elementwise if operand and result have the same shape */
	SR_PRIORITY_forward, /* propagates forward only in the first rounds */
	SR_PRIORITY_broadcast, /* propagates forward only in the last round */
	SR_PRIORITY_offload /* custom calls: like passthrough for the targets that is_offload accepts (propagate/directions.c) */
};
enum sr_priority sr_op_priority(const struct sr_op *op);

/* Return true if the op is elementwise by the definition that propagation uses. */
bool sr_op_is_elementwise(const struct sr_op *op);
bool sr_op_is_dead(const struct sr_op *op);        /* Return true if the op has no used results and no side effects. */

static inline bool sr_type_is_scalar(const struct sr_type *type)
{
	return type->kind == SR_TYPE_TENSOR && type->rank == 0;
}

static inline bool sr_type_is_static_tensor(const struct sr_type *type)
{
	return type->kind == SR_TYPE_TENSOR && sr_type_is_static(type);
}

/* Return the rule that maps dimension d of every operand and result to factor d, for edges, function results and constraints. All
 * values have the shape of `type`. */
const struct sr_sharding_rule *sr_rule_identity(struct sr_context *ctx, const struct sr_type *type, int n_operands, int n_results);

#endif
