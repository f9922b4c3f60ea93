/* Lower matrix products, convolutions, FFT and linear algebra. A matrix product is batch x m x n x k with one stride per group
 * of dimensions and operand; an operand without such strides is transposed first. */
#include "dialect/signature.h"
#include "dialect/attr_names.h"
#include "kernels/conv_descriptor.h"
#include "plan/lower/lower.h"
#include <string.h>

struct dims {
	int64_t dims[SR_KERNEL_MAX_RANK];
	int n;
};

/* An operand of a product: its batch, free and contracting dimensions. */
struct side {
	struct dims batch_dims, free_dims, contracting_dims;
	int64_t batch_stride, free_stride, contract_stride;
	int64_t strides[SR_KERNEL_MAX_RANK]; /* strides of the dimensions */
	int buffer;
	bool is_slice; /* true if the operand is a slice that is read in place */
	struct sr_strided_view view;
};

static void find_free_dims(struct side *s, int rank)
{
	for (int d = 0; d < rank; d++) {
		bool is_used = false;
		for (int i = 0; i < s->batch_dims.n; i++)
			is_used = is_used || s->batch_dims.dims[i] == d;
		for (int i = 0; i < s->contracting_dims.n; i++)
			is_used = is_used || s->contracting_dims.dims[i] == d;
		if (!is_used)
			s->free_dims.dims[s->free_dims.n++] = d;
	}
}

static int64_t group_extent(const struct sr_type *t, const struct dims *g)
{
	int64_t n = 1;
	for (int i = 0; i < g->n; i++)
		n *= t->shape[g->dims[i]];
	return n;
}

/* Find the common stride of a group of dimensions, ignoring those of extent 1. Return false if there is none. */
static bool common_stride(const int64_t *shape, const int64_t *strides, const struct dims *g, int64_t *stride)
{
	int64_t next = -1;
	*stride = 1;
	for (int i = g->n - 1; i >= 0; i--) {
		int64_t d = g->dims[i];
		if (shape[d] == 1)
			continue;
		if (next < 0)
			*stride = strides[d];
		else if (strides[d] != next)
			return false;
		next = strides[d] * shape[d];
	}
	return true;
}

/* Transpose the operand to the order [batch][free][contracting] in a new buffer. */
static void transpose_side(struct sr_plan_builder *b, struct side *s, const struct sr_type *t)
{
	const struct dims *groups[] = {&s->batch_dims, &s->free_dims, &s->contracting_dims};
	int64_t shape[SR_KERNEL_MAX_RANK], src_strides[SR_KERNEL_MAX_RANK];
	struct sr_move_params m;
	int n = 0, to = sr_plan_buffer(b, t->dtype,
				       group_extent(t, &s->batch_dims) * group_extent(t, &s->free_dims) *
					   group_extent(t, &s->contracting_dims));
	for (int g = 0; g < 3; g++)
		for (int i = 0; i < groups[g]->n; i++) {
			shape[n] = t->shape[groups[g]->dims[i]];
			src_strides[n++] = s->strides[groups[g]->dims[i]];
		}
	sr_move_init(&m, t->dtype, n, shape);
	memcpy(m.src_stride, src_strides, sizeof(int64_t) * (size_t)n);
	sr_lower_move(b, s->buffer, to, &m, s->is_slice ? &s->view : NULL);
	s->is_slice = false;
	s->buffer = to;
	s->contract_stride = 1;
	s->free_stride = group_extent(t, &s->contracting_dims);
	s->batch_stride = s->free_stride * group_extent(t, &s->free_dims);
}

/* Read where an operand is. */
static void locate_operand(struct sr_plan_builder *b, struct side *s, struct sr_value *v)
{
	sr_row_major_strides(v->type, s->strides);
	s->is_slice = sr_work_reads_elided_slice(b->ctx, v, &s->view);
	if (s->is_slice)
		memcpy(s->strides, s->view.stride, sizeof *s->strides * (size_t)v->type->rank);
	s->buffer = sr_plan_buffer_for(b, s->is_slice ? s->view.source : v);
}

/* Find the strides of an operand's groups of dimensions. Return false if a group has no common stride. */
static bool find_strides(struct side *s, const struct sr_type *t)
{
	return common_stride(t->shape, s->strides, &s->batch_dims, &s->batch_stride) &&
	       common_stride(t->shape, s->strides, &s->free_dims, &s->free_stride) &&
	       common_stride(t->shape, s->strides, &s->contracting_dims, &s->contract_stride);
}

/* Order the contracting dimensions of both operands as the first operand has them. */
static void sort_contracting_dims(struct dims *by, struct dims *other)
{
	for (int i = 1; i < by->n; i++)
		for (int k = i; k > 0 && by->dims[k] < by->dims[k - 1]; k--) {
			int64_t dims[] = {by->dims[k], other->dims[k]};
			by->dims[k] = by->dims[k - 1], other->dims[k] = other->dims[k - 1];
			by->dims[k - 1] = dims[0], other->dims[k - 1] = dims[1];
		}
}

static int64_t transposed_elements(struct side *s, const struct sr_type *t)
{
	int64_t rows = group_extent(t, &s->batch_dims) * group_extent(t, &s->free_dims);
	return find_strides(s, t) ? 0 : rows * group_extent(t, &s->contracting_dims);
}

/* Select the order of the contracting dimensions in which the fewest elements are transposed: the program's, or that of one of the
 * operands' dimensions. */
static void select_order(struct side *l, const struct sr_type *left, struct side *r, const struct sr_type *right)
{
	struct dims best[] = {l->contracting_dims, r->contracting_dims};
	int64_t fewest = transposed_elements(l, left) + transposed_elements(r, right);
	for (int i = 0; i < 2 && fewest; i++) {
		struct dims *by = i ? &r->contracting_dims : &l->contracting_dims;
		sort_contracting_dims(by, i ? &l->contracting_dims : &r->contracting_dims);
		int64_t n = transposed_elements(l, left) + transposed_elements(r, right);
		if (n < fewest) {
			fewest = n;
			best[0] = l->contracting_dims, best[1] = r->contracting_dims;
		}
	}
	l->contracting_dims = best[0], r->contracting_dims = best[1];
}

static void dims_of(struct sr_plan_builder *b, const struct sr_attr *numbers, const char *field, struct dims *out)
{
	const int64_t *v;
	int64_t n;
	if (!sr_struct_ints(b->ctx, numbers, field, &v, &n))
		return;
	for (int64_t i = 0; i < n && i < SR_KERNEL_MAX_RANK; i++)
		out->dims[out->n++] = v[i];
}

enum sr_status sr_lower_product(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *x = sr_operand(op, 0), *y = sr_operand(op, 1), *out = sr_result(op, 0);
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dot_dimension_numbers);
	struct side l = {0}, r = {0};
	if (numbers) {
		dims_of(b, numbers, SR_NAME_lhs_batching_dimensions, &l.batch_dims);
		dims_of(b, numbers, SR_NAME_rhs_batching_dimensions, &r.batch_dims);
		dims_of(b, numbers, SR_NAME_lhs_contracting_dimensions, &l.contracting_dims);
		dims_of(b, numbers, SR_NAME_rhs_contracting_dimensions, &r.contracting_dims);
	} else { /* stablehlo.dot contracts the last dimension of lhs with the first of rhs */
		l.contracting_dims = (struct dims){{x->type->rank - 1}, 1};
		r.contracting_dims = (struct dims){{0}, 1};
	}
	find_free_dims(&l, x->type->rank);
	find_free_dims(&r, y->type->rank);
	struct sr_product_params p = {.out = (int32_t)sr_plan_dtype(out), .rhs = (int32_t)sr_plan_dtype(y)};
	p.batch = group_extent(x->type, &l.batch_dims);
	p.m = group_extent(x->type, &l.free_dims);
	p.n = group_extent(y->type, &r.free_dims);
	p.k = group_extent(x->type, &l.contracting_dims);
	if (!p.batch || !p.m || !p.n)
		return SR_OK;
	locate_operand(b, &l, x);
	locate_operand(b, &r, y);
	select_order(&l, x->type, &r, y->type);
	if (!find_strides(&l, x->type))
		transpose_side(b, &l, x->type);
	if (!find_strides(&r, y->type))
		transpose_side(b, &r, y->type);
	p.lhs_batch = l.batch_stride, p.lhs_m = l.free_stride, p.lhs_k = l.contract_stride;
	p.rhs_batch = r.batch_stride, p.rhs_n = r.free_stride, p.rhs_k = r.contract_stride;
	b->flops += 2 * p.batch * p.m * p.n * p.k;
	sr_plan_add_kernel(b, SR_KERNEL_PRODUCT, sr_plan_dtype(x), p.batch * p.m, (int[]){l.buffer, r.buffer, sr_plan_buffer_for(b, out)}, 3, &p, sizeof p);
	if (l.is_slice)
		sr_lower_view_offset(b, &l.view, 0);
	if (r.is_slice)
		sr_lower_view_offset(b, &r.view, 1);
	return SR_OK;
}

static int64_t field_int(const struct sr_attr *s, const char *field)
{
	const struct sr_attr *a = sr_attr_field(s, field);
	return a ? a->i : 0;
}

/* Fill extents and strides from the dimension numbers, in the order batch, feature, spatial dimensions; for the weights in the
 * order input feature, output feature, spatial dimensions. */
static void conv_layout(struct sr_plan_builder *b, struct sr_conv_params *p, struct sr_op *op, const struct sr_attr *dn)
{
	const struct sr_type *in = sr_operand(op, 0)->type, *w = sr_operand(op, 1)->type, *out = sr_result(op, 0)->type;
	int64_t si[SR_KERNEL_MAX_RANK], sw[SR_KERNEL_MAX_RANK], so[SR_KERNEL_MAX_RANK], n;
	const int64_t *i, *k, *o;
	sr_row_major_strides(in, si), sr_row_major_strides(w, sw), sr_row_major_strides(out, so);
	int64_t ib = field_int(dn, SR_NAME_input_batch_dimension), ic = field_int(dn, SR_NAME_input_feature_dimension);
	int64_t ki = field_int(dn, SR_NAME_kernel_input_feature_dimension), ko = field_int(dn, SR_NAME_kernel_output_feature_dimension);
	int64_t ob = field_int(dn, SR_NAME_output_batch_dimension), oc = field_int(dn, SR_NAME_output_feature_dimension);
	p->batch = in->shape[ib], p->in_features = in->shape[ic], p->out_features = w->shape[ko];
	p->lhs_stride[0] = si[ib], p->lhs_stride[1] = si[ic];
	p->rhs_stride[0] = sw[ki], p->rhs_stride[1] = sw[ko];
	p->out_stride[0] = so[ob], p->out_stride[1] = so[oc];
	sr_struct_ints(b->ctx, dn, SR_NAME_input_spatial_dimensions, &i, &n);
	sr_struct_ints(b->ctx, dn, SR_NAME_kernel_spatial_dimensions, &k, &n);
	sr_struct_ints(b->ctx, dn, SR_NAME_output_spatial_dimensions, &o, &n);
	p->spatial = (int32_t)n;
	for (int d = 0; d < n; d++) {
		p->in[d] = in->shape[i[d]], p->window[d] = w->shape[k[d]], p->out_shape[d] = out->shape[o[d]];
		p->lhs_stride[d + 2] = si[i[d]], p->rhs_stride[d + 2] = sw[k[d]], p->out_stride[d + 2] = so[o[d]];
		p->stride[d] = p->lhs_dilation[d] = p->rhs_dilation[d] = 1;
	}
}

/* Return true if the op asks for more precision than DEFAULT, for which any algorithm is good. */
static bool has_high_precision(const struct sr_op *op)
{
	const struct sr_attr *list = sr_op_attr(op, SR_NAME_precision_config);
	for (int i = 0; list && i < list->n; i++)
		if (list->list[i]->kind != SR_ATTR_ENUM || strcmp(sr_attr_enum_name(list->list[i]), "DEFAULT"))
			return true;
	return false;
}

/* Copy the positions that a strided window of one element reads to a new buffer, with the channels last. Returns the buffer. */
static int copy_positions(struct sr_plan_builder *b, const struct sr_conv_params *p, enum sr_dtype t, int source)
{
	int64_t shape[SR_KERNEL_MAX_RANK], elements = p->batch * p->in_features;
	struct sr_move_params m;
	int last = p->spatial + 1;
	shape[0] = p->batch, shape[last] = p->in_features;
	for (int d = 0; d < p->spatial; d++) {
		shape[d + 1] = p->out_shape[d];
		elements *= p->out_shape[d];
	}
	int to = sr_plan_buffer(b, t, elements);
	sr_move_init(&m, t, p->spatial + 2, shape);
	m.src_stride[0] = p->lhs_stride[0], m.src_stride[last] = p->lhs_stride[1];
	for (int d = 0; d < p->spatial; d++)
		m.src_stride[d + 1] = p->lhs_stride[d + 2] * p->stride[d];
	sr_lower_move(b, source, to, &m, NULL);
	return to;
}

/* Return true for a convolution of all channels with a window of one element and without padding, whose result has the positions
 * out_shape. */
static bool has_single_elements(const struct sr_conv_params *p, enum sr_dtype t)
{
	if (t != SR_F32 || p->out != SR_F32 || p->feature_groups != 1 || p->batch_groups != 1)
		return false;
	for (int d = 0; d < p->spatial; d++)
		if (p->window[d] != 1 || p->lhs_dilation[d] != 1 || p->pad_low[d] ||
		    (p->out_shape[d] - 1) * p->stride[d] >= p->in[d])
			return false;
	return true;
}

/* Lower such a convolution of all positions, with the channels first: for each image, the product of the weights and the channels,
 * whose positions are columns. Returns false for another layout. */
static bool lower_channels_first(struct sr_plan_builder *b, const struct sr_conv_params *p, int64_t positions, const int *buffers)
{
	struct sr_product_params q = {.batch = p->batch, .m = p->out_features, .n = positions, .k = p->in_features, .out = SR_F32,
				      .rhs = SR_F32, .lhs_m = p->rhs_stride[1], .lhs_k = p->rhs_stride[0],
				      .rhs_batch = p->lhs_stride[0], .rhs_k = p->lhs_stride[1], .rhs_n = 1};
	struct dims dims = {{0}, 0};
	int64_t extents[SR_KERNEL_MAX_RANK + 2] = {0}, in, out;
	for (int d = 2; d < p->spatial + 2; d++)
		extents[d] = p->out_shape[d - 2], dims.dims[dims.n++] = d;
	if (p->out_stride[1] != positions || (p->batch > 1 && p->out_stride[0] != positions * p->out_features) ||
	    !common_stride(extents, p->out_stride, &dims, &out) || !common_stride(extents, p->lhs_stride, &dims, &in) || in != 1 ||
	    out != 1)
		return false;
	int of_product[] = {buffers[1], buffers[0], buffers[2]};
	sr_plan_add_kernel(b, SR_KERNEL_PRODUCT, SR_F32, q.batch * q.m, of_product, 3, &q, sizeof q);
	return true;
}

/* Lower a convolution in f32 with a window of one element as a product. With the channels last, the positions of all images are
 * rows. Products share the packed weights among chunks of rows, and divide small images, too. Returns false for other
 * convolutions. */
static bool lower_as_product(struct sr_plan_builder *b, const struct sr_conv_params *p, enum sr_dtype t, const int *buffers)
{
	struct sr_product_params q = {.batch = 1, .m = p->batch, .n = p->out_features, .k = p->in_features, .out = SR_F32,
				      .rhs = SR_F32, .lhs_k = p->lhs_stride[1], .rhs_n = p->rhs_stride[1],
				      .rhs_k = p->rhs_stride[0]};
	struct dims rows = {{0}, 1};
	int64_t extents[SR_KERNEL_MAX_RANK + 2] = {p->batch}, out_m;
	bool is_strided = false;
	if (!has_single_elements(p, t))
		return false;
	for (int d = 0; d < p->spatial; d++) {
		is_strided = is_strided || p->out_shape[d] != p->in[d];
		extents[d + 2] = p->out_shape[d];
		rows.dims[rows.n++] = d + 2;
		q.m *= p->out_shape[d];
	}
	if (p->out_stride[1] != 1)
		return !is_strided && lower_channels_first(b, p, q.m / p->batch, buffers);
	if (!common_stride(extents, p->out_stride, &rows, &out_m) || (q.m > 1 && out_m != q.n))
		return false;
	if (!is_strided && (q.lhs_k != 1 || !common_stride(extents, p->lhs_stride, &rows, &q.lhs_m)))
		return false;
	int lhs = buffers[0];
	if (is_strided) {
		lhs = copy_positions(b, p, t, lhs);
		q.lhs_m = q.k, q.lhs_k = 1;
	}
	sr_plan_add_kernel(b, SR_KERNEL_PRODUCT, t, q.m, (int[]){lhs, buffers[1], buffers[2]}, 3, &q, sizeof q);
	return true;
}

enum sr_status sr_lower_convolution(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_conv_params p = {.out = (int32_t)sr_plan_dtype(sr_result(op, 0))};
	const struct sr_attr *dn = sr_op_attr(op, SR_NAME_dimension_numbers), *reversal = sr_op_attr(op, SR_NAME_window_reversal);
	const int64_t *v;
	int64_t n, bytes, window = 1, out = sr_plan_elements(b, sr_result(op, 0));
	conv_layout(b, &p, op, dn);
	p.feature_groups = sr_op_int(op, SR_NAME_feature_group_count, 1);
	p.batch_groups = sr_op_int(op, SR_NAME_batch_group_count, 1);
	p.batch /= p.batch_groups; /* p.batch is the batch extent of the output, which the input has once per batch group */
	const struct {
		const char *name;
		int64_t *to;
	} lists[] = {{SR_NAME_window_strides, p.stride}, {SR_NAME_lhs_dilation, p.lhs_dilation}, {SR_NAME_rhs_dilation, p.rhs_dilation}};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (sr_op_ints(b->ctx, op, lists[i].name, &v, &n) && n)
			memcpy(lists[i].to, v, sizeof(int64_t) * (size_t)n);
	if (sr_op_ints(b->ctx, op, SR_NAME_padding, &v, &n))
		for (int64_t d = 0; d < n / 2; d++)
			p.pad_low[d] = v[2 * d];
	const uint8_t *flags = reversal ? sr_dense_data(b->ctx, reversal, true, &bytes) : NULL;
	for (int d = 0; flags && d < p.spatial && d < bytes; d++)
		p.reversal[d] = flags[d];
	for (int d = 0; d < p.spatial; d++)
		window *= p.window[d];
	if (!out)
		return SR_OK;
	p.winograd = !b->options->direct_convolutions && !has_high_precision(op) &&
		     sr_conv_may_use_winograd(sr_plan_dtype(sr_operand(op, 0)), &p);
	b->flops += 2 * out * window * (p.in_features / p.feature_groups);
	int buffers[] = {sr_plan_buffer_for(b, sr_operand(op, 0)), sr_plan_buffer_for(b, sr_operand(op, 1)), sr_plan_buffer_for(b, sr_result(op, 0))};
	enum sr_dtype type = sr_plan_dtype(sr_operand(op, 0));
	if (!lower_as_product(b, &p, type, buffers))
		sr_plan_add_kernel(b, SR_KERNEL_CONVOLUTION, type, p.batch * p.out_features, buffers, 3, &p, sizeof p);
	return SR_OK;
}

enum sr_status sr_lower_fft(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *in = sr_operand(op, 0), *out = sr_result(op, 0);
	struct sr_fft_params p = {.kind = (int32_t)sr_op_int(op, SR_NAME_fft_type, SR_FFT), .batch = 1};
	const int64_t *length;
	int64_t n;
	sr_op_ints(b->ctx, op, SR_NAME_fft_length, &length, &n);
	int64_t trailing = sr_op_int(op, SR_WORK_TRAILING_DIMENSIONS, 0), rank = in->type->rank;
	p.rank = (int32_t)n;
	memcpy(p.length, length, sizeof(int64_t) * (size_t)(n < 3 ? n : 3));
	for (int64_t d = 0; d < rank - n - trailing; d++)
		p.batch *= in->type->shape[d];
	if (trailing)
		p.inner = 1;
	for (int64_t d = rank - trailing; d < rank; d++)
		p.inner *= in->type->shape[d];
	p.stride = p.inner;
	enum sr_dtype type = sr_plan_dtype(in) == SR_F32 || sr_plan_dtype(in) == SR_C64 ? SR_C64 : SR_C128;
	if (sr_plan_elements(b, out))
		sr_plan_add_kernel(b, SR_KERNEL_FFT, type, p.batch, (int[]){sr_plan_buffer_for(b, in), sr_plan_buffer_for(b, out)}, 2, &p, sizeof p);
	return SR_OK;
}

/* Lower cholesky(a) or triangular_solve(a, b). */
static enum sr_status lower_linalg(struct sr_plan_builder *b, struct sr_op *op, enum sr_kernel kernel)
{
	const struct sr_type *t = sr_operand(op, op->n_operands - 1)->type;
	struct sr_linalg_params p = {.batch = 1, .m = t->shape[t->rank - 2], .n = t->shape[t->rank - 1]};
	int buffers[3], n = 0;
	for (int d = 0; d < t->rank - 2; d++)
		p.batch *= t->shape[d];
	p.lower = (uint8_t)sr_op_int(op, SR_NAME_lower, 0);
	p.left = (uint8_t)sr_op_int(op, SR_NAME_left_side, 0);
	p.unit = (uint8_t)sr_op_int(op, SR_NAME_unit_diagonal, 0);
	const struct sr_attr *transpose = sr_op_attr(op, SR_NAME_transpose_a);
	const char *name = transpose ? sr_attr_enum_name(transpose) : "";
	p.transpose = !strcmp(name, "TRANSPOSE") ? 1 : !strcmp(name, "ADJOINT") ? 2 : 0;
	for (; n < op->n_operands; n++)
		buffers[n] = sr_plan_buffer_for(b, sr_operand(op, n));
	buffers[n++] = sr_plan_buffer_for(b, sr_result(op, 0));
	if (p.batch && p.m && p.n)
		sr_plan_add_kernel(b, kernel, t->dtype, p.batch, buffers, n, &p, sizeof p);
	return SR_OK;
}

enum sr_status sr_lower_cholesky(struct sr_plan_builder *b, struct sr_op *op)
{
	return lower_linalg(b, op, SR_KERNEL_CHOLESKY);
}

enum sr_status sr_lower_triangular_solve(struct sr_plan_builder *b, struct sr_op *op)
{
	return lower_linalg(b, op, SR_KERNEL_TRIANGULAR_SOLVE);
}

enum sr_status sr_lower_rng(struct sr_plan_builder *b, struct sr_op *op)
{
	return sr_lower_unsupported(
	    b, op,
	    "uses a random generator without explicit state, in a loop or of an unsupported type; export the program with "
	    "explicit keys (threefry, philox)");
}

enum sr_status sr_lower_rng_bit_generator(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_value *state = sr_operand(op, 0), *out = sr_result(op, 1);
	struct sr_rng_params p = {.n = sr_plan_elements(b, out), .rank = out->type->rank, .bytes = sr_dtype_bytes(sr_plan_dtype(out))};
	memcpy(p.shape, out->type->shape, sizeof *p.shape * (size_t)p.rank);
	p.algorithm = (int32_t)sr_op_int(op, SR_NAME_rng_algorithm, 0);
	p.state_words = (int32_t)(sr_plan_elements(b, state) * sr_dtype_bytes(sr_plan_dtype(state)) / 8);
	int buffers[] = {sr_plan_buffer_for(b, state), sr_plan_buffer_for(b, sr_result(op, 0)), sr_plan_buffer_for(b, out)};
	sr_plan_add_kernel(b, SR_KERNEL_RNG_BITS, sr_plan_dtype(out), 1, buffers, 3, &p, sizeof p);
	return SR_OK;
}
