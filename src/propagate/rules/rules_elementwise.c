/* Rules of elementwise ops, and of ops whose operands and results share dimensions. */
#include "propagate/rules/rules.h"
#include "dialect/attr_names.h"

bool sr_rule_none(struct sr_rule_builder *b, struct sr_op *op)
{
	return false;
}

bool sr_rule_pointwise(struct sr_rule_builder *b, struct sr_op *op)
{
	if (op->n_results == 0 || sr_result_type(op, 0)->kind != SR_TYPE_TENSOR)
		return false;
	sr_rule_pointwise_shape(b, sr_result_type(op, 0)->shape, sr_result_type(op, 0)->rank);
	return true;
}

/* Rule of bitcast_convert. If the element widths differ, the side with the narrower type has one more dimension, the innermost. */
bool sr_rule_bitcast_convert(struct sr_rule_builder *b, struct sr_op *op)
{
	const struct sr_type *in = sr_operand_type(op, 0), *out = sr_result_type(op, 0);
	const struct sr_type *smaller_type = in->rank < out->rank ? in : out;
	sr_rule_pointwise_shape(b, smaller_type->shape, smaller_type->rank);
	if (in->rank < out->rank)
		sr_rule_result(b, 0, out->rank - 1, sr_rule_factor(b, out->shape[out->rank - 1], SR_FACTOR_REPLICATE));
	else if (in->rank > out->rank)
		sr_rule_operand(b, 0, in->rank - 1, sr_rule_factor(b, in->shape[in->rank - 1], SR_FACTOR_REPLICATE));
	return true;
}

/* Rule of batch norms: scale, offset, mean and variance share the feature dimension of the first operand. */
bool sr_rule_batch_norm_inference(struct sr_rule_builder *b, struct sr_op *op)
{
	const struct sr_type *in = sr_operand_type(op, 0);
	int64_t feature_dim = sr_op_int(op, SR_NAME_feature_index, 0);
	for (int dim = 0; dim < in->rank; dim++) {
		int factor = sr_rule_factor(b, in->shape[dim], SR_FACTOR_PASS);
		sr_rule_operand(b, 0, dim, factor);
		for (int i = 1; i < op->n_operands && dim == feature_dim; i++)
			sr_rule_operand(b, i, 0, factor);
		sr_rule_result(b, 0, dim, factor);
	}
	return true;
}

/* Rule of rng_bit_generator: the state is replicated in operand and result, and not propagated; the random bits may be sharded
 * along any dimension. */
bool sr_rule_rng_bit_generator(struct sr_rule_builder *b, struct sr_op *op)
{
	const struct sr_type *state = sr_operand_type(op, 0), *bits = sr_result_type(op, 1);
	for (int dim = 0; dim < state->rank; dim++) {
		int factor = sr_rule_factor(b, state->shape[dim], SR_FACTOR_REPLICATE);
		sr_rule_block(b, factor);
		sr_rule_operand(b, 0, dim, factor);
		sr_rule_result(b, 0, dim, factor);
	}
	for (int dim = 0; dim < bits->rank; dim++)
		sr_rule_result(b, 1, dim, sr_rule_factor(b, bits->shape[dim], SR_FACTOR_PASS));
	return true;
}
