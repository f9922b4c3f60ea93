/* Lower convolutions of one channel to loop nests that read the neighbors in place: image filters, and stencils and filters of
 * signals that are written as convolutions. Libraries compute such convolutions as matrix products with one column, far below the
 * memory bandwidth.
 *
 *	result[i, j] = x[i - 1, j] * w[0, 1] + x[i, j - 1] * w[1, 0] + ...; elements outside of x are zero
 *
 * The terms of a small window are written out and added in the order of the window. A larger window is reduced over by inner loops.
 * Terms with zero weights are computed, too, since x may be infinite. */
#include "dialect/attr_names.h"
#include "work/nest/nest_from_op.h"

/* Windows of up to MAX_TERMS elements are written out. Convolutions with more than MAX_WINDOW_ELEMENTS stay ops: a library may
 * compute them by transforms. */
enum { MAX_TERMS = 30, MAX_WINDOW_ELEMENTS = 1024, MAX_SPATIAL = 3 };

struct filter {
	struct sr_lowering *l;
	int n_spatial, window_elements; /* number of spatial dimensions; number of elements of the window */
	/* dimension numbers of image, kernel and result: entry d is for spatial dimension d; of image and result the last entry
	 * is the batch dimension */
	int64_t in[MAX_SPATIAL + 1], kernel[MAX_SPATIAL], out[MAX_SPATIAL + 1];
	int64_t stride[MAX_SPATIAL], dilation[MAX_SPATIAL], low[MAX_SPATIAL], is_reversed[MAX_SPATIAL];
};

/* Copy the first of each `step` entries of a list attribute, which has `step` entries per spatial dimension. */
static void read_list(struct filter *f, const char *name, int step, int64_t default_value, int64_t *to)
{
	const int64_t *v;
	int64_t n = 0;
	bool has_list = sr_op_ints(f->l->ctx, f->l->op, name, &v, &n) && n == step * f->n_spatial;
	for (int d = 0; d < f->n_spatial; d++)
		to[d] = has_list ? v[d * step] : default_value;
}

/* Read the spatial dimensions of a tensor, and its batch dimension unless `batch_field` is NULL. */
static bool read_dims(struct filter *f, const char *spatial_field, const char *batch_field, int64_t *to)
{
	const struct sr_attr *numbers = sr_op_attr(f->l->op, SR_NAME_dimension_numbers), *dim;
	const int64_t *v;
	int64_t n = 0;
	if (!numbers || !sr_struct_ints(f->l->ctx, numbers, spatial_field, &v, &n) || n < 1 || n > MAX_SPATIAL)
		return false;
	f->n_spatial = (int)n;
	for (int64_t d = 0; d < n; d++)
		to[d] = v[d];
	if (batch_field)
		to[n] = (dim = sr_attr_field(numbers, batch_field)) ? dim->i : 0;
	return true;
}

static bool is_one_channel(const struct sr_op *op)
{
	static const char *const features[] = {SR_NAME_input_feature_dimension, SR_NAME_kernel_input_feature_dimension,
					       SR_NAME_kernel_output_feature_dimension};
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dimension_numbers), *dim;
	for (int i = 0; i < 3; i++) {
		dim = sr_attr_field(numbers, features[i]);
		if (sr_operand(op, i > 0)->type->shape[dim ? dim->i : 0] != 1)
			return false;
	}
	return sr_op_int(op, SR_NAME_batch_group_count, 1) == 1;
}

static bool read_filter(struct filter *f)
{
	const struct sr_op *op = f->l->op;
	const struct sr_type *image = sr_operand(op, 0)->type, *kernel = sr_operand(op, 1)->type, *out = sr_result(op, 0)->type;
	int64_t dilation[MAX_SPATIAL];
	if ((out->dtype != SR_F32 && out->dtype != SR_F64) || image->dtype != out->dtype || kernel->dtype != out->dtype ||
	    !read_dims(f, SR_NAME_input_spatial_dimensions, SR_NAME_input_batch_dimension, f->in) ||
	    !read_dims(f, SR_NAME_output_spatial_dimensions, SR_NAME_output_batch_dimension, f->out) ||
	    !read_dims(f, SR_NAME_kernel_spatial_dimensions, NULL, f->kernel) || !is_one_channel(op))
		return false;
	read_list(f, SR_NAME_window_strides, 1, 1, f->stride);
	read_list(f, SR_NAME_rhs_dilation, 1, 1, f->dilation);
	read_list(f, SR_NAME_lhs_dilation, 1, 1, dilation);
	read_list(f, SR_NAME_padding, 2, 0, f->low);
	read_list(f, SR_NAME_window_reversal, 1, 0, f->is_reversed);
	f->window_elements = 1;
	for (int d = 0; d < f->n_spatial; d++) {
		if (dilation[d] != 1 || kernel->shape[f->kernel[d]] > MAX_WINDOW_ELEMENTS)
			return false;
		f->window_elements *= (int)kernel->shape[f->kernel[d]];
		if (f->window_elements > MAX_WINDOW_ELEMENTS)
			return false;
	}
	return true;
}

/* Add two operands: the weight of a window element, and the image element that the weight is multiplied with. Outside the image,
 * operand 0, a zero, is read. `at` is the index of the window element; NULL: the inner loops, which follow those over the result,
 * are that index. */
static void add_window_element(struct filter *f, struct sr_nest_builder *p, const int64_t *at)
{
	const struct sr_op *op = f->l->op;
	const struct sr_type *kernel = sr_operand(op, 1)->type;
	int rank = sr_result(op, 0)->type->rank;
	struct sr_indexing_map *w = sr_nest_builder_add_operand(p, sr_operand(op, 1));
	struct sr_indexing_map *x = sr_nest_builder_add_operand(p, sr_operand(op, 0));
	x->fill = 0;
	sr_indexing_map_row(x, (int)f->in[f->n_spatial])[f->out[f->n_spatial]] = 1;
	for (int d = 0; d < f->n_spatial; d++) {
		int64_t *weight_row = sr_indexing_map_row(w, (int)f->kernel[d]), *image_row = sr_indexing_map_row(x, (int)f->in[d]);
		int64_t index = at ? at[d] : 0;
		weight_row[w->n_loops] = f->is_reversed[d] ? kernel->shape[f->kernel[d]] - 1 - index : index;
		image_row[f->out[d]] = f->stride[d];
		image_row[x->n_loops] = index * f->dilation[d] - f->low[d];
		if (!at) {
			weight_row[rank + d] = f->is_reversed[d] ? -1 : 1;
			image_row[rank + d] = f->dilation[d];
		}
	}
}

/* Multiply the operands of the t-th call of add_window_element, in the body. */
static struct sr_value *build_term(struct sr_nest_builder *p, int t)
{
	struct sr_value *pair[] = {sr_nest_builder_arg(p, 1 + 2 * t), sr_nest_builder_arg(p, 2 + 2 * t)};
	return sr_build_infer(&p->body, SR_OP_stablehlo_multiply, pair, 2, NULL, 0);
}

/* Advance to the next element of the window, the last dimension first. */
static void next_window_element(const struct filter *f, int64_t *at)
{
	const struct sr_type *kernel = sr_operand(f->l->op, 1)->type;
	for (int d = f->n_spatial - 1; d >= 0; at[d--] = 0)
		if (++at[d] < kernel->shape[f->kernel[d]])
			return;
}

/* Build a nest over the result whose body adds the terms one after another. */
static bool build_written_out(struct filter *f, struct sr_value *zero)
{
	int64_t at[MAX_SPATIAL] = {0};
	struct sr_value *sum = NULL;
	struct sr_nest_builder p = sr_nest_builder_over_result(f->l, 1 + 2 * f->window_elements);
	sr_nest_builder_add_operand(&p, zero);
	for (int t = 0; t < f->window_elements; t++, next_window_element(f, at))
		add_window_element(f, &p, at);
	sr_nest_builder_create_op(&p);
	for (int t = 0; t < f->window_elements; t++) {
		struct sr_value *terms[] = {sum, build_term(&p, t)};
		sum = sum ? sr_build_infer(&p.body, SR_OP_stablehlo_add, terms, 2, NULL, 0) : terms[1];
	}
	return sr_nest_builder_yield(&p, &sum, 1);
}

/* Build a nest with an inner loop for each dimension of the window. */
static bool build_reduction(struct filter *f, struct sr_value *zero)
{
	const struct sr_type *out = sr_result(f->l->op, 0)->type;
	int n_loops = out->rank + f->n_spatial;
	int64_t *loops = SR_NEW_ARRAY(f->l->ctx->scratch, int64_t, n_loops);
	for (int d = 0; d < out->rank; d++)
		loops[d] = out->shape[d];
	for (int d = 0; d < f->n_spatial; d++)
		loops[out->rank + d] = sr_operand(f->l->op, 1)->type->shape[f->kernel[d]];
	struct sr_nest_builder p = sr_nest_builder_new(f->l, loops, n_loops, out->rank, 3);
	sr_nest_builder_add_operand(&p, zero);
	add_window_element(f, &p, NULL);
	sr_nest_builder_create_op(&p);
	struct sr_value *sum = sr_nest_build_reduce(&p, build_term(&p, 0), sr_nest_builder_arg(&p, 0), SR_OP_stablehlo_add);
	return sr_nest_builder_yield(&p, &sum, 1);
}

/* Return true if a library computes a large window faster. Libraries have no fast kernels for f64. With stride 1 a nest uses
 * vectors over neighboring results. With another stride it uses vectors along a row of the window; the remainder of the row,
 * or a dilated row as a whole, is read element by element. */
static bool library_is_faster(const struct filter *f)
{
	/* Costs of a multiply-add on one core with vectors of 64 bytes, in units of 0.01 ns */
	enum { LIBRARY = 28, IN_VECTOR = 10, SINGLE = 60, LANES = 16 };
	int last = 0;
	for (int d = 1; d < f->n_spatial; d++)
		last = f->in[d] > f->in[last] ? d : last;
	if (sr_result(f->l->op, 0)->type->dtype != SR_F32 || f->stride[last] == 1)
		return false;
	int64_t row = sr_operand(f->l->op, 1)->type->shape[f->kernel[last]];
	int64_t in_vectors = f->dilation[last] == 1 ? row / LANES * LANES : 0;
	return in_vectors * IN_VECTOR + (row - in_vectors) * SINGLE > row * LIBRARY;
}

bool sr_nest_from_convolution(struct sr_lowering *l)
{
	struct filter f = {.l = l};
	if (!read_filter(&f) || (f.window_elements > MAX_TERMS && library_is_faster(&f)))
		return false;
	struct sr_value *zero = sr_build_splat(&l->builder, sr_element_scalar(l->ctx, sr_result(l->op, 0)->type), 0);
	return f.window_elements <= MAX_TERMS ? build_written_out(&f, zero) : build_reduction(&f, zero);
}

int sr_convolution_terms(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_lowering l = {.ctx = ctx, .op = op};
	struct filter f = {.l = &l};
	return read_filter(&f) && f.window_elements <= MAX_TERMS ? f.window_elements : 0;
}
