/* Rules of StableHLO collectives in a global module: dimensions that they do not change pass; a dimension that they gather, split
 * or scatter has one replicated factor in the operands and another one in the results. */
#include "propagate/rules/rules.h"
#include "dialect/attr_names.h"

static void add_separate_factors(struct sr_rule_builder *b, const struct sr_op *op, int64_t dim)
{
	sr_rule_all_operands(b, dim, sr_rule_factor(b, sr_operand_type(op, 0)->shape[dim], SR_FACTOR_REPLICATE));
	sr_rule_all_results(b, dim, sr_rule_factor(b, sr_result_type(op, 0)->shape[dim], SR_FACTOR_REPLICATE));
}

/* Add pass-through factors for all dimensions except `first` and `second` (which may be equal), which the op changes. */
static bool add_pass_factors_except(struct sr_rule_builder *b, const struct sr_op *op, int64_t first, int64_t second)
{
	const struct sr_type *in = op->n_operands ? sr_operand_type(op, 0) : NULL;
	if (!in || in->kind != SR_TYPE_TENSOR || first < 0 || first >= in->rank || second < 0 || second >= in->rank)
		return false;
	for (int dim = 0; dim < in->rank; dim++)
		if (dim != first && dim != second)
			sr_rule_all(b, dim, sr_rule_factor(b, in->shape[dim], SR_FACTOR_PASS));
	add_separate_factors(b, op, first);
	if (second != first)
		add_separate_factors(b, op, second);
	return true;
}

bool sr_rule_all_gather(struct sr_rule_builder *b, struct sr_op *op)
{
	int64_t dim = sr_op_int(op, SR_NAME_all_gather_dim, -1);
	return add_pass_factors_except(b, op, dim, dim);
}

bool sr_rule_reduce_scatter(struct sr_rule_builder *b, struct sr_op *op)
{
	int64_t dim = sr_op_int(op, SR_NAME_scatter_dimension, -1);
	return add_pass_factors_except(b, op, dim, dim);
}

bool sr_rule_all_to_all(struct sr_rule_builder *b, struct sr_op *op)
{
	return add_pass_factors_except(b, op, sr_op_int(op, SR_NAME_split_dimension, -1),
				       sr_op_int(op, SR_NAME_concat_dimension, -1));
}
