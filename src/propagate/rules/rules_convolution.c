/* Sharding rule of convolution.
 *
 * An input spatial dimension can be sharded by windows (the output's dimension: requires a halo exchange) or within the window
 * (the kernel's dimension: results are reduced). The input dimension has both factors; the larger one is major. */
#include "propagate/rules/rules.h"
#include "dialect/attr_names.h"

struct conv {
	const struct sr_attr *numbers;
	int64_t batch_groups, feature_groups;
	const struct sr_type *lhs, *rhs, *out;
};

static int64_t dim_number(const struct conv *c, const char *field)
{
	const struct sr_attr *a = sr_attr_field(c->numbers, field);
	return a ? a->i : 0;
}

/* Add a factor to at most three dimensions: one of the input, one of the kernel, one of the output. */
static void add_factor(struct sr_rule_builder *b, int64_t lhs, int64_t rhs, int64_t out, int64_t size, enum sr_factor_kind kind)
{
	int factor = sr_rule_factor(b, size, kind);
	sr_rule_operand(b, 0, lhs, factor);
	sr_rule_operand(b, 1, rhs, factor);
	sr_rule_result(b, 0, out, factor);
}

static void add_spatial(struct sr_rule_builder *b, const struct conv *c, int64_t lhs, int64_t rhs, int64_t out)
{
	int64_t windows = c->out->shape[out], window = c->rhs->shape[rhs], lhs_remaining = c->lhs->shape[lhs];
	for (int k = 0; k < 2; k++) {
		bool is_contracted = (k == 0) == (windows < window);
		int64_t size = is_contracted ? window : windows;
		if (size > lhs_remaining)
			size = lhs_remaining;
		if (size <= 1)
			continue;
		add_factor(b, lhs, is_contracted ? rhs : SR_NO_DIM, is_contracted ? SR_NO_DIM : out, size,
			   is_contracted ? SR_FACTOR_REDUCTION : SR_FACTOR_PERMUTATION);
		lhs_remaining /= size;
	}
}

static bool add_spatial_dims(struct sr_rule_builder *b, const struct conv *c)
{
	const int64_t *lhs, *rhs, *out;
	int64_t n, n_rhs, n_out;
	if (!sr_struct_ints(b->ctx, c->numbers, SR_NAME_input_spatial_dimensions, &lhs, &n) ||
	    !sr_struct_ints(b->ctx, c->numbers, SR_NAME_kernel_spatial_dimensions, &rhs, &n_rhs) ||
	    !sr_struct_ints(b->ctx, c->numbers, SR_NAME_output_spatial_dimensions, &out, &n_out) || n != n_rhs || n != n_out)
		return false;
	for (int64_t i = 0; i < n; i++)
		add_spatial(b, c, lhs[i], rhs[i], out[i]);
	return true;
}

bool sr_rule_convolution(struct sr_rule_builder *b, struct sr_op *op)
{
	struct conv c = {.numbers = sr_op_attr(op, SR_NAME_dimension_numbers),
			 .batch_groups = sr_op_int(op, SR_NAME_batch_group_count, 1),
			 .feature_groups = sr_op_int(op, SR_NAME_feature_group_count, 1),
			 .lhs = sr_operand_type(op, 0), .rhs = sr_operand_type(op, 1), .out = sr_result_type(op, 0)};
	if (!c.numbers || c.batch_groups < 1 || c.feature_groups < 1)
		return false;
	int64_t in_batch = dim_number(&c, SR_NAME_input_batch_dimension), in_feature = dim_number(&c, SR_NAME_input_feature_dimension);
	int64_t kernel_in = dim_number(&c, SR_NAME_kernel_input_feature_dimension);
	int64_t kernel_out = dim_number(&c, SR_NAME_kernel_output_feature_dimension);
	int64_t out_batch = dim_number(&c, SR_NAME_output_batch_dimension), out_feature = dim_number(&c, SR_NAME_output_feature_dimension);

	if (c.batch_groups > 1)
		add_factor(b, in_batch, kernel_out, out_feature, c.batch_groups, SR_FACTOR_PASS);
	add_factor(b, in_batch, SR_NO_DIM, out_batch, c.out->shape[out_batch], SR_FACTOR_PASS);
	if (!b->is_conservative && !add_spatial_dims(b, &c))
		return false;
	if (c.feature_groups > 1)
		add_factor(b, in_feature, kernel_out, out_feature, c.feature_groups, SR_FACTOR_PASS);
	add_factor(b, in_feature, kernel_in, SR_NO_DIM, c.rhs->shape[kernel_in], SR_FACTOR_REDUCTION);
	int64_t features = c.out->shape[out_feature] / (c.batch_groups * c.feature_groups);
	if (features > 1)
		add_factor(b, SR_NO_DIM, kernel_out, out_feature, features, SR_FACTOR_PASS);
	return true;
}
