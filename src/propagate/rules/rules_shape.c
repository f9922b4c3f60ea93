/* Rules of ops that move elements: broadcast, transpose, reverse, slice, dynamic_slice, dynamic_update_slice, concatenate, pad. */
#include "propagate/rules/rules.h"
#include "dialect/attr_names.h"

bool sr_rule_broadcast_in_dim(struct sr_rule_builder *b, struct sr_op *op)
{
	const struct sr_type *in = sr_operand_type(op, 0), *out = sr_result_type(op, 0);
	const int64_t *dims;
	int64_t n;
	if (!sr_op_ints(b->ctx, op, SR_NAME_broadcast_dimensions, &dims, &n))
		return false;
	for (int dim = 0; dim < out->rank; dim++) {
		int operand_dim = SR_NO_DIM;
		for (int i = 0; i < n; i++)
			if (dims[i] == dim)
				operand_dim = i;
		if (operand_dim != SR_NO_DIM && in->shape[operand_dim] == 1 && out->shape[dim] != 1) {
			/* an expanded dimension: the dimensions of operand and result are unrelated */
			sr_rule_operand(b, 0, operand_dim, sr_rule_factor(b, 1, SR_FACTOR_PASS));
			operand_dim = SR_NO_DIM;
		}
		int factor = sr_rule_factor(b, out->shape[dim], SR_FACTOR_PASS);
		sr_rule_operand(b, 0, operand_dim, factor);
		sr_rule_result(b, 0, dim, factor);
	}
	return true;
}

bool sr_rule_transpose(struct sr_rule_builder *b, struct sr_op *op)
{
	const int64_t *permutation;
	int64_t n;
	if (!sr_op_ints(b->ctx, op, SR_NAME_permutation, &permutation, &n))
		return false;
	for (int dim = 0; dim < n; dim++) {
		int factor = sr_rule_factor(b, sr_operand_type(op, 0)->shape[permutation[dim]], SR_FACTOR_PASS);
		sr_rule_operand(b, 0, permutation[dim], factor);
		sr_rule_result(b, 0, dim, factor);
	}
	return true;
}

bool sr_rule_reverse(struct sr_rule_builder *b, struct sr_op *op)
{
	const struct sr_type *type = sr_result_type(op, 0);
	const int64_t *dims;
	int64_t n;
	if (!sr_op_ints(b->ctx, op, SR_NAME_dimensions, &dims, &n))
		return false;
	for (int dim = 0; dim < type->rank; dim++) {
		enum sr_factor_kind kind = sr_list_has(dims, n, dim) ? SR_FACTOR_PERMUTATION : SR_FACTOR_PASS;
		sr_rule_all(b, dim, sr_rule_factor(b, type->shape[dim], kind));
	}
	return true;
}

/* Rule of slice and pad: start and padding are static, so a sharded dimension stays sharded and elements are shifted between
 * devices. */
static bool rule_static_slice(struct sr_rule_builder *b, struct sr_op *op)
{
	sr_rule_pointwise_mismatch(b, sr_operand_type(op, 0), sr_result_type(op, 0), SR_FACTOR_PERMUTATION, b->is_conservative);
	return true;
}

bool sr_rule_slice(struct sr_rule_builder *b, struct sr_op *op)
{
	return rule_static_slice(b, op);
}

bool sr_rule_pad(struct sr_rule_builder *b, struct sr_op *op)
{
	return rule_static_slice(b, op);
}

bool sr_rule_dynamic_slice(struct sr_rule_builder *b, struct sr_op *op)
{
	sr_rule_pointwise_mismatch(b, sr_operand_type(op, 0), sr_result_type(op, 0), SR_FACTOR_REPLICATE, true);
	return true;
}

static bool constant_operands_from(const struct sr_op *op, int first)
{
	for (int i = first; i < op->n_operands; i++) {
		const struct sr_op *def = sr_operand(op, i)->def;
		if (!def || !(sr_op_has(def, SR_CONSTANT) || sr_op_is(def, SR_OP_sdy_constant)))
			return false;
	}
	return true;
}

/* Rule of dynamic_update_slice: a device updates its shard of the operand, and needs the full update along sliced dimensions. */
bool sr_rule_dynamic_update_slice(struct sr_rule_builder *b, struct sr_op *op)
{
	const struct sr_type *operand = sr_operand_type(op, 0), *update = sr_operand_type(op, 1);
	bool has_constant_start = constant_operands_from(op, 2);
	for (int dim = 0; dim < operand->rank; dim++) {
		int factor = sr_rule_factor(b, operand->shape[dim], SR_FACTOR_PASS);
		if (operand->shape[dim] == update->shape[dim]) {
			sr_rule_all(b, dim, factor);
			continue;
		}
		sr_rule_operand(b, 0, dim, factor);
		sr_rule_result(b, 0, dim, factor);
		sr_rule_operand(b, 1, dim,
				sr_rule_factor(b, update->shape[dim], has_constant_start ? SR_FACTOR_PASS : SR_FACTOR_REPLICATE));
	}
	return true;
}

/* Return true if a concatenate has slices as operands: its data is then permuted between devices, not gathered. */
static bool concatenates_slices(const struct sr_op *op)
{
	bool are_all_slices = true, is_any_slice = false, have_same_source = true;
	const struct sr_value *first = NULL;
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_op *slice = sr_value_def_of(sr_operand(op, i), SR_OP_stablehlo_slice);
		const struct sr_value *source = slice ? sr_operand(slice, 0) : sr_operand(op, i);
		are_all_slices = are_all_slices && slice;
		is_any_slice = is_any_slice || slice;
		have_same_source = have_same_source && (!first || source == first);
		first = source;
	}
	return are_all_slices || (is_any_slice && have_same_source);
}

bool sr_rule_concatenate(struct sr_rule_builder *b, struct sr_op *op)
{
	const struct sr_type *out = sr_result_type(op, 0);
	int64_t concatenate_dim = sr_op_int(op, SR_NAME_dimension, 0);
	for (int dim = 0; dim < out->rank; dim++) {
		if (dim != concatenate_dim)
			sr_rule_all(b, dim, sr_rule_factor(b, out->shape[dim], SR_FACTOR_PASS));
		else if (!b->is_conservative)
			sr_rule_all(b, dim, sr_rule_factor(b, out->shape[dim],
							   concatenates_slices(op) ? SR_FACTOR_PERMUTATION : SR_FACTOR_REPLICATE));
	}
	return true;
}
