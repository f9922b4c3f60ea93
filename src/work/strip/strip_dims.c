/* How the dimensions of an op's operands become dimensions of its result, for the ops that strip-mining handles. */
#include "dialect/attr_names.h"
#include "support/integers.h"
#include "work/strip/strip.h"
#include <string.h>

static bool has_batching_dims(const struct sr_op *gather)
{
	const struct sr_attr *numbers = sr_op_attr(gather, SR_NAME_dimension_numbers);
	const struct sr_attr *batching = numbers ? sr_attr_field(numbers, SR_NAME_operand_batching_dims) : NULL;
	return !numbers || (batching && batching->n);
}

bool sr_strip_knows_op(const struct sr_op *op)
{
	if (op->n_results != 1 || !sr_type_is_static(sr_result_type(op, 0)) || sr_result_type(op, 0)->dtype == SR_DTYPE_NONE ||
	    !sr_op_is_pure(op))
		return false;
	switch (sr_op_code_of(op)) {
	case SR_OP_stablehlo_broadcast_in_dim:
	case SR_OP_stablehlo_transpose:
	case SR_OP_stablehlo_reshape:
	case SR_OP_stablehlo_iota:
		return true;
	case SR_OP_stablehlo_reduce:
		return op->n_operands == 2;
	case SR_OP_stablehlo_gather:
		return !has_batching_dims(op);
	case SR_OP_stablehlo_dot_general:
		return sr_op_attr(op, SR_NAME_dot_dimension_numbers);
	case SR_OP_stablehlo_constant: {
		const struct sr_attr *value = sr_constant_value(sr_result(op, 0));
		return value && value->kind == SR_ATTR_DENSE && value->dense->splat;
	}
	default:
		return sr_op_has(op, SR_ELEMENTWISE) && op->n_operands && !op->n_regions;
	}
}

static int n_below(const int64_t *list, int64_t n, int64_t x)
{
	int n_smaller = 0;
	for (int64_t i = 0; i < n; i++)
		n_smaller += list[i] < x;
	return n_smaller;
}

/* Return the dimension of the reshape's result that has the same extent as dimension d and as many elements before it. */
static int reshaped_dim(const struct sr_type *in, const struct sr_type *out, int d)
{
	int64_t before = 1, n = 1;
	for (int k = 0; k < d; k++)
		before *= in->shape[k];
	for (int k = 0; k < out->rank; n *= out->shape[k++])
		if (n == before && out->shape[k] == in->shape[d])
			return k;
	return SR_STRIP_LOST;
}

/* Dimension numbers of operand i of a product, batching and contracting. */
struct numbers {
	const int64_t *batching, *contracting;
	int64_t n_batching, n_contracting;
};

static struct numbers numbers_of(struct sr_context *ctx, const struct sr_op *product, int i)
{
	const struct sr_attr *attr = sr_op_attr(product, SR_NAME_dot_dimension_numbers);
	const char *batching = i ? SR_NAME_rhs_batching_dimensions : SR_NAME_lhs_batching_dimensions;
	const char *contracting = i ? SR_NAME_rhs_contracting_dimensions : SR_NAME_lhs_contracting_dimensions;
	struct numbers n = {0};
	if (!sr_struct_ints(ctx, attr, batching, &n.batching, &n.n_batching))
		n.n_batching = 0;
	if (!sr_struct_ints(ctx, attr, contracting, &n.contracting, &n.n_contracting))
		n.n_contracting = 0;
	return n;
}

static int product_dim(struct sr_context *ctx, const struct sr_op *op, int i, int d)
{
	struct numbers own = numbers_of(ctx, op, i), lhs = numbers_of(ctx, op, 0);
	int batch = sr_list_find(own.batching, own.n_batching, d);
	if (batch >= 0)
		return batch;
	if (sr_list_find(own.contracting, own.n_contracting, d) >= 0)
		return SR_STRIP_LOST;
	int64_t out = i ? sr_operand_type(op, 0)->rank - lhs.n_contracting : own.n_batching;
	for (int k = 0; k < d; k++)
		out += sr_list_find(own.batching, own.n_batching, k) < 0 && sr_list_find(own.contracting, own.n_contracting, k) < 0;
	return (int)out;
}

int sr_strip_slices_dim(struct sr_context *ctx, const struct sr_op *op, int d)
{
	bool is_scatter = sr_op_is(op, SR_OP_stablehlo_scatter);
	const struct sr_attr *numbers = sr_op_attr(op, is_scatter ? SR_NAME_scatter_dimension_numbers : SR_NAME_dimension_numbers);
	const struct sr_attr *vector = sr_attr_field(numbers, SR_NAME_index_vector_dim);
	const struct sr_type *slices = is_scatter ? sr_operand_type(op, 2) : sr_result_type(op, 0);
	const int64_t *windows;
	int64_t n_windows, vector_dim = vector ? vector->i : 0, n = d - (d > vector_dim);
	if (!sr_struct_ints(ctx, numbers, is_scatter ? SR_NAME_update_window_dims : SR_NAME_offset_dims, &windows, &n_windows))
		n_windows = 0;
	for (int k = 0; k < slices->rank && d != vector_dim; k++)
		if (sr_list_find(windows, n_windows, k) < 0 && n-- == 0)
			return k;
	return SR_STRIP_LOST;
}

int sr_strip_result_dim(struct sr_context *ctx, const struct sr_op *op, int i, int d)
{
	const int64_t *dims;
	int64_t n;
	const struct sr_type *in = sr_operand_type(op, i), *out = sr_result_type(op, 0);
	switch (sr_op_code_of(op)) {
	case SR_OP_stablehlo_broadcast_in_dim:
		sr_op_ints(ctx, op, SR_NAME_broadcast_dimensions, &dims, &n);
		return in->shape[d] == out->shape[dims[d]] ? (int)dims[d] : SR_STRIP_NO_DIM;
	case SR_OP_stablehlo_transpose:
		sr_op_ints(ctx, op, SR_NAME_permutation, &dims, &n);
		return sr_list_find(dims, n, d);
	case SR_OP_stablehlo_reshape:
		return reshaped_dim(in, out, d);
	case SR_OP_stablehlo_reduce:
		sr_op_ints(ctx, op, SR_NAME_dimensions, &dims, &n);
		if (i == 1 || sr_list_find(dims, n, d) >= 0)
			return SR_STRIP_LOST;
		return d - n_below(dims, n, d);
	case SR_OP_stablehlo_dot_general:
		return product_dim(ctx, op, i, d);
	case SR_OP_stablehlo_gather:
		return i == 1 ? sr_strip_slices_dim(ctx, op, d) : SR_STRIP_LOST;
	default:
		return in->rank == out->rank ? d : SR_STRIP_LOST;
	}
}

int sr_strip_contracted_with(struct sr_context *ctx, const struct sr_op *product, int i, int d)
{
	struct numbers own = numbers_of(ctx, product, i), other = numbers_of(ctx, product, 1 - i);
	int k = sr_list_find(own.contracting, own.n_contracting, d);
	return k < 0 ? -1 : (int)other.contracting[k];
}

void sr_work_product_dims(struct sr_context *ctx, const struct sr_op *product, int *n_batch, int *n_lhs)
{
	struct numbers lhs = numbers_of(ctx, product, 0);
	*n_batch = (int)lhs.n_batching;
	*n_lhs = (int)(sr_operand_type(product, 0)->rank - lhs.n_batching - lhs.n_contracting);
}

int64_t sr_work_contracted_elements(struct sr_context *ctx, const struct sr_op *product)
{
	struct numbers lhs = numbers_of(ctx, product, 0);
	int64_t n = 1;
	for (int64_t k = 0; k < lhs.n_contracting; k++)
		n *= sr_operand_type(product, 0)->shape[lhs.contracting[k]];
	return n;
}

struct sr_strip_dims sr_strip_operand_dims(const struct sr_strip_group *g, const struct sr_op *op, int i,
					   const struct sr_strip_dims *result)
{
	struct sr_strip_dims dims;
	for (int l = 0; l <= g->n_loops; l++) {
		dims.dim[l] = -1;
		for (int d = 0; result->dim[l] >= 0 && d < sr_operand_type(op, i)->rank; d++)
			if (sr_operand_type(op, i)->shape[d] > 1 && sr_strip_result_dim(g->ctx, op, i, d) == result->dim[l])
				dims.dim[l] = (int8_t)d;
	}
	return dims;
}

bool sr_strip_keeps_dims(const struct sr_strip_group *g, const struct sr_op *op, const struct sr_strip_dims *result)
{
	bool is_gather = sr_op_is(op, SR_OP_stablehlo_gather);
	if (!is_gather && !sr_op_is(op, SR_OP_stablehlo_reshape))
		return true;
	struct sr_strip_dims operand = sr_strip_operand_dims(g, op, is_gather, result);
	for (int l = 0; l <= g->n_loops; l++)
		if (result->dim[l] >= 0 && operand.dim[l] < 0 && sr_result_type(op, 0)->shape[result->dim[l]] > 1)
			return false;
	return true;
}

bool sr_strip_equal_dims(const struct sr_strip_group *g, const struct sr_strip_dims *x, const struct sr_strip_dims *y)
{
	return !memcmp(x->dim, y->dim, (size_t)g->n_loops + 1);
}

int64_t sr_strip_width(const struct sr_strip_group *g, const struct sr_value *v, const struct sr_strip_dims *dims)
{
	int64_t n = 0;
	if (!sr_type_elements(v->type, &n))
		return 0;
	for (int l = 0; l < g->n_loops; l++)
		n /= dims->dim[l] >= 0 ? g->extent[l] : 1;
	return n;
}
