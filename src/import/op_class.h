/* What propagation and the splitting of constants know of ops beyond their rules: the PRIORITY column, and which ops count as
 * elementwise. */
#ifndef SR_IMPORT_OP_CLASS_H
#define SR_IMPORT_OP_CLASS_H

#include "dialect/ops.h"

enum sr_priority {
	SR_PRIORITY_none,
	SR_PRIORITY_passthrough, /* propagated through in the first rounds, both ways */
	SR_PRIORITY_elementwise,       /* so, and elementwise where factors compete */
	SR_PRIORITY_same_shape,  /* so, if operand and result have one shape */
	SR_PRIORITY_forward,     /* in the first rounds, forward */
	SR_PRIORITY_broadcast,   /* forward in the last round alone */
	SR_PRIORITY_offload      /* a custom call: passthrough by its target */
};
enum sr_priority sr_op_priority(const struct sr_op *op);

bool sr_op_is_elementwise(const struct sr_op *op); /* as propagation sees it */
bool sr_op_is_dead(const struct sr_op *op);        /* no results used, no effects */

static inline bool sr_type_is_scalar(const struct sr_type *type)
{
	return type->kind == SR_TYPE_TENSOR && type->rank == 0;
}

static inline bool sr_type_is_static_tensor(const struct sr_type *type)
{
	return type->kind == SR_TYPE_TENSOR && sr_type_is_static(type);
}

/* n_operands and n_results tensors of one shape, dimension by dimension: how edges, function results and constraints pass
 * shardings. */
const struct sr_sharding_rule *sr_rule_identity(struct sr_context *ctx, const struct sr_type *type, int n_operands, int n_results);

#endif
