/* Check and infer windows and reducers for convolution, reduce, reduce_window, select_and_scatter, scatter and collectives. */
#include "dialect/infer/infer.h"
#include "support/checked.h"
#include <string.h>

/* ---------------------------------------------------------------- windows */

static enum sr_status check_length(struct sr_infer *in, int64_t n, int64_t expected, const char *attr_name)
{
	if (n == 0 || n == expected)
		return SR_OK;
	return sr_infer_error(in, "expects %s to have same dimension-size as size of window dimensions (%lld), but got: %lld.",
			      attr_name, (long long)expected, (long long)n);
}

static enum sr_status check_positive(struct sr_infer *in, int64_t value, const char *value_name, int64_t dim)
{
	if (value > 0 || sr_is_dynamic(value))
		return SR_OK;
	return sr_infer_error(in, "expects window to have positive %s for %lld-th window dimension, but got %lld.", value_name,
			      (long long)dim, (long long)value);
}

enum sr_status sr_infer_padding(struct sr_infer *in, const char *attr, struct sr_ints *out)
{
	const struct sr_attr *a = attr ? sr_op_attr(in->op, attr) : NULL;
	*out = (struct sr_ints){0};
	if (!a)
		return SR_OK;
	if (a->type->rank != 2 || a->type->shape[1] != 2)
		return sr_infer_error(in, "expects the shape of padding-attribute to be {N, 2}, but got {%s}.",
				      sr_dims_str(in->ctx, a->type->shape, a->type->rank));
	sr_attr_ints(in->ctx, a, &out->v, &out->n);
	return SR_OK;
}

static struct sr_ints optional_ints(struct sr_infer *in, const char *attr)
{
	return attr ? sr_infer_ints(in, attr) : (struct sr_ints){0};
}

static int64_t count_reversals(struct sr_infer *in, const char *attr)
{
	const struct sr_attr *a = attr ? sr_op_attr(in->op, attr) : NULL;
	return a ? a->dense->n_bytes : 0;
}

enum sr_status sr_infer_window(struct sr_infer *in, const struct sr_window_names *names, const int64_t *sizes, int64_t n,
			       struct sr_ints padding, struct sr_window_dim **dims)
{
	struct sr_ints strides = optional_ints(in, names->strides), base_dilations = optional_ints(in, names->base_dilation),
		       window = optional_ints(in, names->window_dilation);
	enum sr_status st = check_length(in, strides.n, n, "window-strides");
	if (!st)
		st = check_length(in, base_dilations.n, n, "base-dilation factors");
	if (!st)
		st = check_length(in, window.n, n, "window-dilation factors");
	if (!st)
		st = check_length(in, padding.n / 2, n, "padding-entries");
	if (!st)
		st = check_length(in, count_reversals(in, names->reversal), n, "window-reversal");
	struct sr_window_dim *w = *dims = SR_NEW_ARRAY(in->ctx->arena, struct sr_window_dim, n);
	for (int64_t i = 0; i < n && !st; i++) {
		w[i] = (struct sr_window_dim){.size = sizes[i],
					      .stride = strides.n ? strides.v[i] : 1,
					      .low = padding.n ? padding.v[2 * i] : 0,
					      .high = padding.n ? padding.v[2 * i + 1] : 0,
					      .base_dilation = base_dilations.n ? base_dilations.v[i] : 1,
					      .window_dilation = window.n ? window.v[i] : 1};
		st = check_positive(in, w[i].size, "value", i);
		if (!st)
			st = check_positive(in, w[i].stride, "stride", i);
		if (!st)
			st = check_positive(in, w[i].base_dilation, "base dilation factor", i);
		if (!st)
			st = check_positive(in, w[i].window_dilation, "window dilation factor", i);
	}
	return st;
}

/* Compute (bound - 1) * dilation + 1, or 0 for an empty extent. Return false on overflow. */
static bool dilated_extent(int64_t bound, int64_t dilation, int64_t *out)
{
	*out = 0;
	return bound == 0 || (!sr_mul_overflows(bound - 1, dilation, out) && !sr_add_overflows(*out, 1, out));
}

enum sr_status sr_infer_window_output(struct sr_infer *in, const struct sr_window_dim *w, int64_t base_extent, int64_t *out)
{
	int64_t padded_extent, window;
	*out = SR_DYNAMIC;
	if (sr_is_dynamic(base_extent) || sr_is_dynamic(w->size))
		return SR_OK;
	if (!dilated_extent(base_extent, w->base_dilation, &padded_extent) ||
	    !dilated_extent(w->size, w->window_dilation, &window) || sr_add_overflows(padded_extent, w->low, &padded_extent) ||
	    sr_add_overflows(padded_extent, w->high, &padded_extent))
		return sr_infer_error(in, "has a window that reaches too far: its padded or dilated extent overflows");
	*out = padded_extent <= 0 || window > padded_extent ? 0 : (padded_extent - window) / w->stride + 1;
	return SR_OK;
}

/* ---------------------------------------------------------------- reducers */

static bool is_same_or_both_float(const struct sr_type *a, const struct sr_type *b)
{
	return a == b || (a->kind == SR_TYPE_FLOAT && b->kind == SR_TYPE_FLOAT);
}

static bool is_reducer_compatible(const struct sr_type *a, const struct sr_type *b)
{
	return sr_is_ranked(a) && sr_is_ranked(b) && sr_shapes_compatible(a, b) && is_same_or_both_float(a->element, b->element);
}

/* Return true if element type a can be promoted to b: same kind and not wider; floats of any width. */
static bool is_promotable(const struct sr_type *a, const struct sr_type *b)
{
	struct sr_quant p, q;
	if (sr_type_quant(a, &p) && sr_type_quant(b, &q))
		return p.expressed_type == q.expressed_type && p.width <= q.width;
	if (a->kind != b->kind || a->kind == SR_TYPE_OPAQUE)
		return false;
	if (a->kind == SR_TYPE_FLOAT)
		return true;
	return (a->kind == SR_TYPE_INTEGER || a->kind == SR_TYPE_COMPLEX) && sr_dtypes[a->dtype].bits <= sr_dtypes[b->dtype].bits;
}

/* Return true if the argument's shape is a subsequence of the allowed dimensions. */
static bool is_subsequence(const struct sr_type *arg, const int64_t *allowed, int n)
{
	int n_matched = 0;
	for (int i = 0; i < n && n_matched < arg->rank; i++)
		if (sr_dims_compatible(allowed[i], arg->shape[n_matched]))
			n_matched++;
	return n_matched == arg->rank;
}

struct reducer {
	struct sr_block *block;
	const struct sr_op *terminator;
	int n;
};

static enum sr_status check_reducer_types(struct sr_infer *in, const struct reducer *r, int i, const struct sr_type *input,
					  const struct sr_type *init, const int64_t *allowed, int n_allowed)
{
	const struct sr_type *result = sr_operand(r->terminator, i)->type, *first = r->block->args[i]->type,
			     *second_arg = r->block->args[r->n + i]->type;
	if (!sr_is_ranked(result))
		return sr_infer_error(in, "Reduction-region here must produce tensor-typed result(s), but produces '%s' instead",
				      sr_infer_type_str(in, result));
	for (int k = 0; k < 2; k++) {
		const struct sr_type *arg = k ? second_arg : first;
		if (!is_reducer_compatible(result, arg))
			return sr_infer_error(in,
					      "The type of reduction-region's parameter at index %d is different than the "
					      "corresponding result type: '%s' vs '%s'",
					      k * r->n + i, sr_infer_type_str(in, arg), sr_infer_type_str(in, result));
	}
	if (init && !sr_shapes_compatible(init, result))
		return sr_infer_error(in,
				      "The shape of reduction-region's result type at index %d differs from the op's corresponding "
				      "init-value type: '%s' vs '%s'",
				      i, sr_infer_type_str(in, result), sr_infer_type_str(in, init));
	const struct sr_type *init_element = init ? init->element : input->element;
	if (!is_promotable(init_element, result->element))
		return sr_infer_error(in,
				      "The element-type of reduction-region's result type at index %d is expected to be promotable "
				      "from the op's corresponding init-value element-type: '%s' vs '%s'",
				      i, sr_infer_type_str(in, result), sr_infer_type_str(in, init ? init : init_element));
	if (!is_promotable(input->element, second_arg->element))
		return sr_infer_error(in,
				      "The element-type of reduction-region's argument at index %d is expected to be promotable "
				      "from '%s', but got '%s'",
				      r->n + i, sr_infer_type_str(in, input->element), sr_infer_type_str(in, second_arg->element));
	if (second_arg->rank > n_allowed)
		return sr_infer_error(in, "The rank of reduction-region's argument at index %d is expected to be <= %d, got %d",
				      r->n + i, n_allowed, second_arg->rank);
	if (!is_subsequence(second_arg, allowed, n_allowed))
		return sr_infer_error(in,
				      "The shape of reduction-region's argument at index %d is not compatible with that of "
				      "reduce-op's input-parameter at index %d",
				      r->n + i, i);
	return SR_OK;
}

const struct sr_op *sr_region_end(const struct sr_op *op, int region)
{
	struct sr_block *block = sr_region_block(op, region);
	return block && block->last && sr_op_has(block->last, SR_TERMINATOR) ? block->last : NULL;
}

enum sr_status sr_check_reducer(struct sr_infer *in, int region, const struct sr_reduced_types *values, int n,
				const int64_t *allowed, int n_allowed)
{
	struct reducer r = {sr_region_block(in->op, region), sr_region_end(in->op, region), n};
	if (!r.block)
		return sr_infer_error(in, "expects a reduction-region of one block");
	if (r.block->n_args != 2 * n)
		return sr_infer_error(in, "Reduction-region must take %d parameters, but takes %d parameter(s)", 2 * n,
				      r.block->n_args);
	if (!r.terminator)
		return sr_infer_error(in, "The reduction-region expected to have a terminator");
	if (r.terminator->n_operands == 0)
		return sr_infer_error(in, "The reduction-region expected to return some value(s)");
	if (r.terminator->n_operands != n)
		return sr_infer_error(in, "Reduction-region here must produce %d tensors, but produces %d instead", n,
				      r.terminator->n_operands);
	for (int i = 0; i < n; i++) {
		enum sr_status st = check_reducer_types(in, &r, i, values[i].input, values[i].init, allowed, n_allowed);
		if (st)
			return st;
	}
	return SR_OK;
}

const struct sr_type *sr_infer_accumulator(const struct sr_infer *in, int region, int i, const struct sr_type *input)
{
	const struct sr_op *terminator = sr_region_end(in->op, region);
	if (!terminator || i >= terminator->n_operands || !sr_is_ranked(sr_operand(terminator, i)->type))
		return input->element;
	return sr_operand(terminator, i)->type->element;
}
