/* Find the op classes of op-priority propagation, and other properties of ops. */
#include "import/op_class.h"
#include "dialect/attr_names.h"
#include <string.h>

static const enum sr_priority priorities[SR_OP_COUNT] = {
#define OP(dialect, name, signature, attributes) [SR_OP_##dialect##_##name] =
#define PRIORITY(class) SR_PRIORITY_##class,
#include "dialect/table/all.ops"
};

enum sr_priority sr_op_priority(const struct sr_op *op)
{
	return priorities[sr_op_code_of(op)];
}

static bool has_same_shape(const struct sr_op *op)
{
	const struct sr_type *in = sr_operand(op, 0)->type, *out = sr_result(op, 0)->type;
	return in->rank == out->rank && (in->rank == 0 || memcmp(in->shape, out->shape, (size_t)in->rank * sizeof *in->shape) == 0);
}

bool sr_op_is_elementwise(const struct sr_op *op)
{
	enum sr_priority class = sr_op_priority(op);
	return sr_op_has(op, SR_ELEMENTWISE) || class == SR_PRIORITY_elementwise || (class == SR_PRIORITY_same_shape &&
										     has_same_shape(op));
}

bool sr_op_is_dead(const struct sr_op *op)
{
	for (int i = 0; i < op->n_results; i++)
		if (sr_result(op, i)->uses)
			return false;
	if (sr_op_has(op, SR_TERMINATOR) || sr_op_has(op, SR_SYMBOL))
		return false;
	/* A custom call without has_side_effect has no side effects. */
	return sr_op_is_pure(op) || (sr_op_is(op, SR_OP_stablehlo_custom_call) && !sr_op_int(op, SR_NAME_has_side_effect, 0));
}

const struct sr_sharding_rule *sr_rule_identity(struct sr_context *ctx, const struct sr_type *type, int n_operands, int n_results)
{
	int rank = type->kind == SR_TYPE_TENSOR ? type->rank : 0, n = n_operands + n_results;
	int32_t *factors = SR_NEW_ARRAY(ctx->arena, int32_t, rank);
	struct sr_dim_mapping *dims = SR_NEW_ARRAY(ctx->arena, struct sr_dim_mapping, rank);
	struct sr_tensor_mapping *tensors = SR_NEW_ARRAY(ctx->arena, struct sr_tensor_mapping, n);
	struct sr_sharding_rule *rule = SR_NEW(ctx->arena, struct sr_sharding_rule);
	for (int d = 0; d < rank; d++) {
		factors[d] = d;
		dims[d] = (struct sr_dim_mapping){&factors[d], 1};
	}
	for (int i = 0; i < n; i++)
		tensors[i] = (struct sr_tensor_mapping){dims, rank};
	*rule = (struct sr_sharding_rule){.sizes = type->shape, .n_factors = rank, .operands = tensors, 
					  .results = tensors + n_operands, .n_operands = n_operands, .n_results = n_results};
	return rule;
}
