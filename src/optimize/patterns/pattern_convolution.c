/* Patterns of convolutions. The first one reads weights where they are: gradients have transposed and reversed weights.
 *
 *	convolution(x, reverse(transpose(w)))  ->  convolution(x, w) with other dimension numbers and a reversed window
 *
 * The second one is for images that were given a border by concatenation, such as the periodic or repeated edges of a stencil. Loop
 * nests of such convolutions (work/nest/nest_convolution.c) can read zeros outside of the image, so only the results at the border are
 * computed from the border:
 *
 *	convolution(concatenate(l, x, h))
 *	->  select(i < extent of l, convolution(concatenate(l, x[0 : k - 1])),
 *	           select(i >= n - extent of h, convolution(concatenate(x[n - k + 1 : n], h)), convolution(x) with zero padding))
 *
 * The terms of each result and their order stay. The bordered image is not written to memory. */
#include "dialect/attr_names.h"
#include "dialect/comparison.h"
#include "optimize/patterns/match.h"
#include "optimize/patterns/patterns.h"
#include "work/work.h"
#include <string.h>

/* Reading a row with zeros outside of the image costs, per window element, about as much as writing ROW_OVERHEAD elements of the
 * bordered image. An image of fewer than MIN_BYTES stays in the cache with its border. */
enum { ROW_OVERHEAD = 24, MIN_BYTES = 1 << 18 };

struct bordered {
	struct sr_op *convolution, *concatenate;
	struct sr_op *view; /* reshape or broadcast of the concatenate that adds dimensions of extent 1; NULL: none */
	struct sr_value *low, *image, *high; /* concatenated values; low, high NULL: none */
	int dim, view_dim, out_dim;          /* the dimension along which they are: of the image, of the convolution's operand, of its result */
	int spatial;                         /* its number among the spatial dimensions */
	int64_t n_low, n_high, reach;        /* extents of low and high; extent of the window, minus 1 */
};

/* Find the concatenate, and the image in it: the operand that has three quarters of the elements. */
static bool find_border(struct sr_rewriter *rw, struct bordered *b)
{
	struct sr_value *v = sr_operand(b->convolution, 0);
	if (v->def && (sr_op_is(v->def, SR_OP_stablehlo_reshape) || sr_op_is(v->def, SR_OP_stablehlo_broadcast_in_dim))) {
		b->view = v->def;
		v = sr_operand(v->def, 0);
	}
	b->concatenate = sr_value_def_of(v, SR_OP_stablehlo_concatenate);
	if (!b->concatenate || !sr_type_is_static(v->type))
		return false;
	b->dim = (int)sr_op_int(b->concatenate, SR_NAME_dimension, 0);
	b->view_dim = b->view ? sr_match_viewed_dim(rw, b->view, b->dim) : b->dim;
	int64_t extent = v->type->shape[b->dim];
	for (int i = 0; i < b->concatenate->n_operands; i++) {
		struct sr_value *part = sr_operand(b->concatenate, i);
		if (part->type->shape[b->dim] >= extent - extent / 4)
			b->image = part;
		else if (b->image && !b->high)
			b->high = part;
		else if (!b->image && !b->low)
			b->low = part;
		else
			return false;
	}
	b->n_low = b->low ? b->low->type->shape[b->dim] : 0;
	b->n_high = b->high ? b->high->type->shape[b->dim] : 0;
	return b->image && b->view_dim >= 0;
}

/* Return number k of a list attribute, or `missing` if the op does not have it. */
static int64_t list_entry(struct sr_rewriter *rw, const struct sr_op *op, const char *name, int k, int64_t missing)
{
	struct sr_ints list = sr_match_ints(rw->ctx, op, name);
	return k < list.n ? list.v[k] : missing;
}

/* Read the window along the border. Returns false if the border is no spatial dimension, or the window is padded or strided there. */
static bool read_window(struct sr_rewriter *rw, struct bordered *b)
{
	const struct sr_op *op = b->convolution;
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dimension_numbers);
	struct sr_ints in, kernel, out;
	sr_struct_ints(rw->ctx, numbers, SR_NAME_input_spatial_dimensions, &in.v, &in.n);
	sr_struct_ints(rw->ctx, numbers, SR_NAME_kernel_spatial_dimensions, &kernel.v, &kernel.n);
	sr_struct_ints(rw->ctx, numbers, SR_NAME_output_spatial_dimensions, &out.v, &out.n);
	for (b->spatial = 0; b->spatial < in.n && in.v[b->spatial] != b->view_dim; b->spatial++)
		;
	int s = b->spatial;
	if (s == in.n || list_entry(rw, op, SR_NAME_window_strides, s, 1) != 1 || list_entry(rw, op, SR_NAME_padding, 2 * s, 0) ||
	    list_entry(rw, op, SR_NAME_padding, 2 * s + 1, 0))
		return false;
	b->out_dim = (int)out.v[s];
	b->reach = (sr_operand(op, 1)->type->shape[kernel.v[s]] - 1) * list_entry(rw, op, SR_NAME_rhs_dilation, s, 1);
	int64_t n = sr_result(op, 0)->type->shape[b->out_dim];
	return b->reach <= b->image->type->shape[b->dim] && b->n_low + b->n_high <= n / 8;
}

static bool is_faster_without_border(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_type *t = sr_result(op, 0)->type;
	int window = sr_convolution_terms(rw->ctx, op), last = t->rank - 1;
	int64_t elements;
	while (last > 0 && t->shape[last] == 1)
		last--;
	return window && t->shape[last] >= ROW_OVERHEAD * window && sr_type_elements(t, &elements) &&
	       elements * sr_dtype_bytes(t->dtype) >= MIN_BYTES;
}

/* Create the convolution of v, which has the image's dimensions, with this padding along the border. */
static struct sr_value *convolve(struct sr_rewriter *rw, const struct bordered *b, struct sr_value *v, int64_t low, int64_t high)
{
	struct sr_op *op = b->convolution;
	struct sr_ints padding = sr_match_ints(rw->ctx, op, SR_NAME_padding);
	int64_t n_spatial, extent = v->type->shape[b->dim];
	const int64_t *spatial;
	if (b->view)
		v = sr_result(sr_rewrite_create(rw, op, sr_op_code_of(b->view), &v, 1, b->view->attrs, b->view->n_attrs,
						sr_match_with_extent(rw->ctx, sr_operand(op, 0)->type, b->view_dim, extent)), 0);
	struct sr_value *operands[] = {v, sr_operand(op, 1)};
	struct sr_op *new_op = sr_rewrite_create(rw, op, SR_OP_stablehlo_convolution, operands, 2, op->attrs, op->n_attrs,
						 sr_match_with_extent(rw->ctx, sr_result(op, 0)->type, b->out_dim, extent + low + high - b->reach));
	if (!low && !high)
		return sr_result(new_op, 0);
	sr_struct_ints(rw->ctx, sr_op_attr(op, SR_NAME_dimension_numbers), SR_NAME_input_spatial_dimensions, &spatial, &n_spatial);
	int64_t *amounts = SR_NEW_ARRAY(rw->ctx->arena, int64_t, 2 * n_spatial);
	for (int64_t i = 0; i < padding.n; i++)
		amounts[i] = padding.v[i];
	amounts[2 * b->spatial] = low;
	amounts[2 * b->spatial + 1] = high;
	sr_op_set_attr(rw->ctx, new_op, SR_NAME_padding, sr_attr_dense_i64(rw->ctx, 2, (int64_t[]){n_spatial, 2}, amounts));
	return sr_result(new_op, 0);
}

/* Create select(i < n, edge, v) for the n results at the start of the border's dimension, or the same at its end. `edge` has these
 * results alone. */
static struct sr_value *select_edge(struct sr_rewriter *rw, const struct bordered *b, struct sr_value *edge, struct sr_value *v, bool is_end)
{
	struct sr_op *op = b->convolution;
	const struct sr_type *t = v->type, *scalar = sr_type_tensor(rw->ctx, SR_I64, 0, NULL);
	struct sr_builder at = sr_rewrite_before(rw, op);
	int64_t n = edge->type->shape[b->out_dim], extent = t->shape[b->out_dim];
	int64_t *same_dims = SR_NEW_ARRAY(rw->ctx->arena, int64_t, t->rank);
	for (int d = 0; d < t->rank; d++)
		same_dims[d] = d;
	struct sr_named_attr pad[3], dims = {SR_NAME_broadcast_dimensions, sr_attr_i64s(rw->ctx, same_dims, t->rank)};
	sr_match_pad_attrs(rw->ctx, t->rank, b->out_dim, is_end ? extent - n : 0, is_end ? 0 : extent - n, pad);
	struct sr_named_attr none = {SR_NAME_broadcast_dimensions, sr_attr_i64s(rw->ctx, NULL, 0)};
	struct sr_named_attr iota = {SR_NAME_iota_dimension, sr_attr_i64(rw->ctx, b->out_dim)};
	const struct sr_type *indices = sr_type_tensor(rw->ctx, SR_I64, t->rank, t->shape);
	struct sr_value *padded[] = {edge, sr_build_splat(&at, sr_type_with_shape(rw->ctx, t, 0, NULL), 0)};
	struct sr_value *bound = sr_build_splat(&at, scalar, (double)(is_end ? extent - n : n));
	bound = sr_rewrite_create_like(rw, op, SR_OP_stablehlo_broadcast_in_dim, &bound, 1, &none, 1, indices);
	struct sr_value *index = sr_rewrite_create_like(rw, op, SR_OP_stablehlo_iota, NULL, 0, &iota, 1, indices);
	struct sr_value *operands[3] = {sr_build_compare(&at, index, is_end ? SR_GE : SR_LT, bound, "SIGNED"), NULL, v};
	operands[1] = n == 1 ? sr_rewrite_create_like(rw, op, SR_OP_stablehlo_broadcast_in_dim, &edge, 1, &dims, 1, t)
			     : sr_rewrite_create_like(rw, op, SR_OP_stablehlo_pad, padded, 2, pad, 3, t);
	return sr_rewrite_create_like(rw, op, SR_OP_stablehlo_select, operands, 3, NULL, 0, t);
}

/* Create the results at one end of the border's dimension from the border and the elements of the image next to it. */
static struct sr_value *convolve_edge(struct sr_rewriter *rw, const struct bordered *b, bool is_end)
{
	int64_t extent = b->image->type->shape[b->dim];
	struct sr_named_attr dim = {SR_NAME_dimension, sr_attr_i64(rw->ctx, b->dim)};
	struct sr_value *inner = sr_rewrite_slice_along(rw, b->convolution, b->image, b->dim, is_end ? extent - b->reach : 0, b->reach, 1);
	struct sr_value *parts[] = {is_end ? inner : b->low, is_end ? b->high : inner};
	int64_t n = b->reach + (is_end ? b->n_high : b->n_low);
	return convolve(rw, b, sr_rewrite_create_like(rw, b->convolution, SR_OP_stablehlo_concatenate, parts, 2, &dim, 1,
						      sr_match_with_extent(rw->ctx, b->image->type, b->dim, n)), 0, 0);
}

/* In a local module, convolution of a concatenate -> convolution of the image with zero padding, and selects of the results at the border. */
bool sr_pattern_convolution_of_border(struct sr_rewriter *rw, struct sr_op *op)
{
	struct bordered b = {.convolution = op};
	if (rw->config->keeps_shardings || !is_faster_without_border(rw, op) || !find_border(rw, &b) || !read_window(rw, &b))
		return false;
	struct sr_value *v = convolve(rw, &b, b.image, b.n_low, b.n_high);
	for (int is_end = 0; is_end < 2; is_end++)
		if (is_end ? b.high : b.low)
			v = select_edge(rw, &b, convolve_edge(rw, &b, is_end), v, is_end);
	return sr_rewrite_to_value(rw, op, v);
}

/* ---------------------------------------------------------------- transposed and reversed weights */

/* Return true if the second operand has no more positions than the result. Otherwise it is the data of a gradient of weights, which
 * libraries read with the channels last. */
static bool has_small_window(struct sr_rewriter *rw, const struct sr_op *op)
{
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dimension_numbers);
	struct sr_ints kernel, out;
	double ratio = 1;
	sr_struct_ints(rw->ctx, numbers, SR_NAME_kernel_spatial_dimensions, &kernel.v, &kernel.n);
	sr_struct_ints(rw->ctx, numbers, SR_NAME_output_spatial_dimensions, &out.v, &out.n);
	for (int64_t i = 0; i < kernel.n; i++)
		ratio *= (double)sr_operand(op, 1)->type->shape[kernel.v[i]] / (double)sr_result(op, 0)->type->shape[out.v[i]];
	return ratio <= 1;
}

static bool read_transpose(struct sr_rewriter *rw, struct sr_op *op, const struct sr_op *transpose)
{
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dimension_numbers);
	const struct sr_attr **fields = SR_NEW_ARRAY(rw->ctx->scratch, const struct sr_attr *, numbers->def->n_fields);
	struct sr_ints permutation = sr_match_ints(rw->ctx, transpose, SR_NAME_permutation), spatial;
	int64_t moved[SR_MAX_RANK];
	if (!sr_struct_ints(rw->ctx, numbers, SR_NAME_kernel_spatial_dimensions, &spatial.v, &spatial.n))
		return false;
	for (int64_t i = 0; i < spatial.n; i++)
		moved[i] = permutation.v[spatial.v[i]];
	for (int i = 0; i < numbers->def->n_fields; i++) {
		const char *name = numbers->def->fields[i].name;
		fields[i] = numbers->list[i];
		if (!strcmp(name, SR_NAME_kernel_spatial_dimensions))
			fields[i] = sr_attr_i64s(rw->ctx, moved, spatial.n);
		else if (!strcmp(name, SR_NAME_kernel_input_feature_dimension) ||
			 !strcmp(name, SR_NAME_kernel_output_feature_dimension))
			fields[i] = sr_attr_i64(rw->ctx, permutation.v[fields[i]->i]);
	}
	sr_op_set_attr(rw->ctx, op, SR_NAME_dimension_numbers, sr_attr_struct(rw->ctx, numbers->def, fields));
	return true;
}

/* Return false if dimensions of channels are reversed. */
static bool read_reverse(struct sr_rewriter *rw, struct sr_op *op, const struct sr_op *reverse)
{
	struct sr_ints reversed = sr_match_ints(rw->ctx, reverse, SR_NAME_dimensions), spatial;
	bool window[SR_MAX_RANK];
	int64_t n_found = 0;
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dimension_numbers);
	sr_struct_ints(rw->ctx, numbers, SR_NAME_kernel_spatial_dimensions, &spatial.v, &spatial.n);
	for (int64_t i = 0; i < spatial.n; i++) {
		window[i] = list_entry(rw, op, SR_NAME_window_reversal, (int)i, 0);
		for (int64_t k = 0; k < reversed.n; k++)
			if (reversed.v[k] == spatial.v[i])
				window[i] = !window[i], n_found++;
	}
	if (n_found != reversed.n)
		return false;
	sr_op_set_attr(rw->ctx, op, SR_NAME_window_reversal, sr_attr_bools(rw->ctx, window, spatial.n));
	return true;
}

/* In a local module, convolution of transposed or reversed weights -> convolution of the weights. */
bool sr_pattern_convolution_of_transpose(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *weights = sr_operand(op, 1);
	struct sr_op *transpose = sr_value_def_of(weights, SR_OP_stablehlo_transpose);
	struct sr_op *reverse = sr_value_def_of(weights, SR_OP_stablehlo_reverse);
	if (rw->config->keeps_shardings || (!transpose && !reverse) || !sr_type_is_static(weights->type) ||
	    !sr_type_is_static(sr_result(op, 0)->type) || !has_small_window(rw, op))
		return false;
	if (transpose ? !read_transpose(rw, op, transpose) : !read_reverse(rw, op, reverse))
		return false;
	sr_op_set_operand(op, 1, sr_operand(transpose ? transpose : reverse, 0));
	sr_rewrite_notify_modified(rw, op);
	return true;
}
