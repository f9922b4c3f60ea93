/* Rules of ops with a reducer or comparator over a dimension or a window: reduce, reduce_window, select_and_scatter, sort. */
#include "propagate/rules/rules.h"
#include "dialect/attr_names.h"

bool sr_rule_reduce(struct sr_rule_builder *b, struct sr_op *op)
{
	const int64_t *dims;
	int64_t n;
	if (op->n_operands == 0 || !sr_op_ints(b->ctx, op, SR_NAME_dimensions, &dims, &n))
		return false;
	const struct sr_type *in = sr_operand_type(op, 0);
	int n_inputs = op->n_operands / 2, out = 0;
	for (int dim = 0; dim < in->rank; dim++) {
		bool is_reduced = sr_list_has(dims, n, dim);
		int factor = sr_rule_factor(b, in->shape[dim], is_reduced ? SR_FACTOR_REDUCTION : SR_FACTOR_PASS);
		for (int i = 0; i < n_inputs; i++)
			sr_rule_operand(b, i, dim, factor);
		if (!is_reduced)
			sr_rule_all_results(b, out++, factor);
	}
	return true;
}

struct window {
	const int64_t *dims, *strides, *padding;
	int64_t n_dims, n_strides, n_padding;
};

static bool read_window(struct sr_rule_builder *b, const struct sr_op *op, struct window *w)
{
	return sr_op_ints(b->ctx, op, SR_NAME_window_dimensions, &w->dims, &w->n_dims) &&
	       sr_op_ints(b->ctx, op, SR_NAME_window_strides, &w->strides, &w->n_strides) &&
	       sr_op_ints(b->ctx, op, SR_NAME_padding, &w->padding, &w->n_padding);
}

/* Return true if windows along `dim` have one element, stride 1 and no padding: input and output elements coincide. */
static bool is_trivial_window(const struct window *w, int dim)
{
	bool is_padded = 2 * dim + 1 < w->n_padding && (w->padding[2 * dim] != 0 || w->padding[2 * dim + 1] != 0);
	return !is_padded && (dim >= w->n_strides || w->strides[dim] == 1) && (dim >= w->n_dims || w->dims[dim] == 1);
}

bool sr_rule_reduce_window(struct sr_rule_builder *b, struct sr_op *op)
{
	struct window w;
	const struct sr_type *out = sr_result_type(op, 0);
	if (!read_window(b, op, &w))
		return false;
	for (int dim = 0; dim < out->rank; dim++) {
		bool pass = is_trivial_window(&w, dim);
		int factor = sr_rule_factor(b, out->shape[dim], pass ? SR_FACTOR_PASS : SR_FACTOR_PERMUTATION);
		if (!pass && b->is_conservative)
			sr_rule_block(b, factor);
		sr_rule_all(b, dim, factor);
	}
	return true;
}

/* Rule of select_and_scatter: along windowed dimensions, the operand and the result share one factor, and the source has
 * another. */
bool sr_rule_select_and_scatter(struct sr_rule_builder *b, struct sr_op *op)
{
	struct window w;
	const struct sr_type *out = sr_result_type(op, 0), *source = sr_operand_type(op, 1);
	if (!read_window(b, op, &w))
		return false;
	for (int dim = 0; dim < out->rank; dim++) {
		if (is_trivial_window(&w, dim)) {
			sr_rule_all(b, dim, sr_rule_factor(b, out->shape[dim], SR_FACTOR_PASS));
			continue;
		}
		int windows = sr_rule_factor(b, source->shape[dim], SR_FACTOR_REPLICATE);
		sr_rule_operand(b, 1, dim, windows);
		int elements = sr_rule_factor(b, out->shape[dim], SR_FACTOR_PERMUTATION);
		sr_rule_operand(b, 0, dim, elements);
		sr_rule_result(b, 0, dim, elements);
		if (b->is_conservative) {
			sr_rule_block(b, windows);
			sr_rule_block(b, elements);
		}
	}
	return true;
}

/* nothing is propagated along the sorted dimension if all other dimensions have extent 1 */
bool sr_rule_sort(struct sr_rule_builder *b, struct sr_op *op)
{
	if (op->n_operands == 0)
		return false;
	const struct sr_type *in = sr_operand_type(op, 0);
	int64_t sort_dim = sr_op_int(op, SR_NAME_dimension, -1);
	bool is_only_dim = true;
	for (int dim = 0; dim < in->rank; dim++)
		is_only_dim = is_only_dim && (dim == sort_dim || in->shape[dim] == 1);
	for (int dim = 0; dim < in->rank; dim++) {
		int factor = sr_rule_factor(b, in->shape[dim], dim == sort_dim ? SR_FACTOR_REPLICATE : SR_FACTOR_PASS);
		if (dim == sort_dim && is_only_dim)
			sr_rule_block(b, factor);
		sr_rule_all(b, dim, factor);
	}
	return true;
}
