/* Rules of products and linear algebra. */
#include "propagate/rules/rules.h"
#include "dialect/attr_names.h"
#include <string.h>

bool sr_rule_dot(struct sr_rule_builder *b, struct sr_op *op)
{
	const struct sr_type *lhs = sr_operand_type(op, 0), *rhs = sr_operand_type(op, 1);
	bool lhs_matrix = lhs->rank == 2, rhs_matrix = rhs->rank == 2;
	if (lhs_matrix) {
		int factor = sr_rule_factor(b, lhs->shape[0], SR_FACTOR_PASS);
		sr_rule_operand(b, 0, 0, factor);
		sr_rule_result(b, 0, 0, factor);
	}
	if (rhs_matrix) {
		int factor = sr_rule_factor(b, rhs->shape[1], SR_FACTOR_PASS);
		sr_rule_operand(b, 1, 1, factor);
		sr_rule_result(b, 0, lhs_matrix ? 1 : 0, factor);
	}
	int contracted_factor = sr_rule_factor(b, rhs->shape[0], SR_FACTOR_REDUCTION);
	sr_rule_operand(b, 0, lhs_matrix ? 1 : 0, contracted_factor);
	sr_rule_operand(b, 1, 0, contracted_factor);
	return true;
}

/* Add the factors of an operand's free dimensions (neither batch nor contracting), which are consecutive dimensions of the
 * result from *out on. */
static void add_free_dims(struct sr_rule_builder *b, const struct sr_op *op, int operand, const int64_t *const lists[2],
			  const int64_t counts[2], int *out)
{
	const struct sr_type *type = sr_operand_type(op, operand);
	for (int dim = 0; dim < type->rank; dim++) {
		if (sr_list_has(lists[0], counts[0], dim) || sr_list_has(lists[1], counts[1], dim))
			continue;
		int factor = sr_rule_factor(b, type->shape[dim], SR_FACTOR_PASS);
		sr_rule_operand(b, operand, dim, factor);
		sr_rule_result(b, 0, (*out)++, factor);
	}
}

bool sr_rule_dot_general(struct sr_rule_builder *b, struct sr_op *op)
{
	static const char *const fields[2][2] = {{SR_NAME_lhs_batching_dimensions, SR_NAME_lhs_contracting_dimensions},
						 {SR_NAME_rhs_batching_dimensions, SR_NAME_rhs_contracting_dimensions}};
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dot_dimension_numbers);
	const int64_t *dims[2][2]; /* for each operand: its batch dimensions, its contracting dimensions */
	int64_t n[2][2];
	for (int side = 0; side < 2; side++)
		for (int k = 0; k < 2; k++)
			if (!sr_struct_ints(b->ctx, numbers, fields[side][k], &dims[side][k], &n[side][k]))
				return false;
	const struct sr_type *lhs = sr_operand_type(op, 0);
	int out = 0;
	for (int i = 0; i < n[0][0] && i < n[1][0]; i++) {
		int factor = sr_rule_factor(b, lhs->shape[dims[0][0][i]], SR_FACTOR_PASS);
		sr_rule_operand(b, 0, dims[0][0][i], factor);
		sr_rule_operand(b, 1, dims[1][0][i], factor);
		sr_rule_result(b, 0, out++, factor);
	}
	for (int side = 0; side < 2; side++)
		add_free_dims(b, op, side, dims[side], n[side], &out);
	for (int i = 0; i < n[0][1] && i < n[1][1]; i++) {
		int factor = sr_rule_factor(b, lhs->shape[dims[0][1][i]], SR_FACTOR_REDUCTION);
		sr_rule_operand(b, 0, dims[0][1][i], factor);
		sr_rule_operand(b, 1, dims[1][1][i], factor);
	}
	return true;
}

bool sr_rule_cholesky(struct sr_rule_builder *b, struct sr_op *op)
{
	const struct sr_type *type = sr_operand_type(op, 0);
	for (int dim = 0; dim < type->rank; dim++) {
		enum sr_factor_kind kind = dim < type->rank - 2 ? SR_FACTOR_PASS : SR_FACTOR_REPLICATE;
		sr_rule_all(b, dim, sr_rule_factor(b, type->shape[dim], kind));
	}
	return true;
}

static bool is_transposed(const struct sr_op *op)
{
	const struct sr_attr *transpose = sr_op_attr(op, SR_NAME_transpose_a);
	const char *name = transpose && transpose->kind == SR_ATTR_ENUM ? sr_attr_enum_name(transpose) : "";
	return strcmp(name, "TRANSPOSE") == 0 || strcmp(name, "ADJOINT") == 0;
}

static int add_replicated_factor(struct sr_rule_builder *b, const struct sr_type *type, int64_t dim)
{
	return sr_rule_factor(b, type->shape[dim], SR_FACTOR_REPLICATE);
}

/* Rule of op(a) x = b (left side) or x op(a) = b. Besides the batch dimensions there are three factors, in upstream's order: a
 * dimension of a and b, a dimension of a and x, and a dimension of b and x. */
bool sr_rule_triangular_solve(struct sr_rule_builder *b, struct sr_op *op)
{
	const struct sr_type *a = sr_operand_type(op, 0), *rhs = sr_operand_type(op, 1);
	if (a->rank < 2)
		return false;
	sr_rule_pointwise_shape(b, a->shape, a->rank - 2);
	int row = a->rank - 2, column = a->rank - 1;
	bool is_left = sr_op_int(op, SR_NAME_left_side, 0), is_a_transposed = is_transposed(op);
	int free_dim_of_a = is_left == is_a_transposed ? column : row;
	int contracted_dim = free_dim_of_a == row ? column : row;
	int dim_shared_with_b = is_left ? row : column, dim_shared_with_x = is_left ? column : row;
	int factors[2];
	/* on the left side, the dimension that a and b share comes first; on the right side, the one that b and x share */
	for (int k = 0; k < 2; k++) {
		bool is_of_a = (k == 0) == is_left;
		factors[k] = is_of_a ? add_replicated_factor(b, a, free_dim_of_a)
				     : add_replicated_factor(b, rhs, dim_shared_with_x);
		if (is_of_a)
			sr_rule_operand(b, 0, free_dim_of_a, factors[k]);
		sr_rule_operand(b, 1, is_of_a ? dim_shared_with_b : dim_shared_with_x, factors[k]);
		if (!is_of_a)
			sr_rule_result(b, 0, dim_shared_with_x, factors[k]);
	}
	int last = add_replicated_factor(b, a, contracted_dim);
	sr_rule_operand(b, 0, contracted_dim, last);
	sr_rule_result(b, 0, dim_shared_with_b, last);
	return true;
}

/* Rule of fft: batch dimensions pass through, transformed dimensions are replicated. Nothing is propagated along the last
 * dimension of a real transform, whose extent changes. */
bool sr_rule_fft(struct sr_rule_builder *b, struct sr_op *op)
{
	const struct sr_type *in = sr_operand_type(op, 0), *out = sr_result_type(op, 0);
	const int64_t *length;
	int64_t n;
	if (!sr_op_ints(b->ctx, op, SR_NAME_fft_length, &length, &n))
		return false;
	for (int dim = 0; dim < in->rank; dim++) {
		int factor = sr_rule_factor(b, in->shape[dim], dim < in->rank - n ? SR_FACTOR_PASS : SR_FACTOR_REPLICATE);
		if (n > 0 && dim == in->rank - 1 && in->shape[dim] != out->shape[dim])
			sr_rule_block(b, factor);
		sr_rule_all(b, dim, factor);
	}
	return true;
}
