/* A pattern of convolutions with a constant kernel of few non-zero weights and one input channel per output channel, such as
 * stencils and image filters. They become sums of shifted images:
 *
 *	convolution(x, [1, -2, 1]), padding 1  ->  p = pad(x, 0, low = 1, high = 1)
 *	                                           p[0 : n] + p[1 : n + 1] * -2 + p[2 : n + 2]
 *
 * This is how programs without convolutions write stencils, so that loop nests, partition and halo exchange treat both alike. The
 * terms are added in the order of the window. Terms with weight zero are left out, although zero times an infinite or NaN element
 * is NaN.
 *
 * Windows with weights off the axes are rewritten in a local module only, where the borders of shards are already exchanged: each
 * shift of a sharded image would exchange its own. Except if the image has a border, and so shards of another extent than the tensor
 * inside: then shifts of that tensor send less.
 *
 * A reduce_window with a small window becomes a chain of its reducer on shifted images, by the same rule. */
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "dialect/trip_count.h"
#include "mesh/sdy_sharding.h"
#include "optimize/patterns/match.h"
#include "optimize/patterns/patterns.h"

/* MAX_REACH bounds the rows that a star on several devices exchanges with each neighbour. */
enum { MAX_TERMS = 30, MAX_KERNEL_ELEMENTS = 4096, MAX_REACH = 2, MAX_WINDOW_ELEMENTS = 9 };

struct stencil {
	struct sr_rewriter *rw;
	struct sr_op *op;
	struct sr_ints in, kernel, out; /* spatial dimensions of image, kernel and result */
	int n_dims;                     /* number of spatial dimensions */
	int64_t window[SR_MAX_RANK], dilation[SR_MAX_RANK]; /* extents and dilations of the window; length: n_dims */
	int64_t channel_dim;            /* output feature dimension of the kernel */
	const double *weights;          /* elements of the kernel in row-major order */
	/* true: weights that are not zero are on the axes through the middle of the window, at most MAX_REACH from it */
	bool is_star;
	struct sr_op *view;             /* reshape or broadcast of x that adds dimensions of extent 1; NULL: x is the image */
	struct sr_value *x;
	int dims[SR_MAX_RANK]; /* dimension of x that is spatial dimension number s; length: n_dims */
	const struct sr_attr *sharding; /* x's; NULL: none */
};

/* ---------------------------------------------------------------- constant kernels */

static const double *elements_of(struct sr_context *ctx, const struct sr_value *v);

static const double *read_constant(struct sr_context *ctx, const struct sr_attr *dense, int64_t n)
{
	int64_t n_bytes;
	const void *data = sr_dense_data(ctx, dense, true, &n_bytes);
	double *to = SR_NEW_ARRAY(ctx->scratch, double, n);
	if (!data || (dense->type->dtype != SR_F32 && dense->type->dtype != SR_F64))
		return NULL;
	for (int64_t i = 0; i < n; i++)
		to[i] = dense->type->dtype == SR_F32 ? ((const float *)data)[i] : ((const double *)data)[i];
	return to;
}

static const double *reverse(struct sr_context *ctx, const struct sr_op *op, const double *from, int64_t n)
{
	const struct sr_type *t = sr_result(op, 0)->type;
	struct sr_ints dims = sr_match_ints(ctx, op, SR_NAME_dimensions);
	double *to = SR_NEW_ARRAY(ctx->scratch, double, n);
	for (int64_t i = 0; i < n; i++) {
		int64_t at = 0, step = 1, rest = i;
		for (int d = t->rank - 1; d >= 0; rest /= t->shape[d], step *= t->shape[d], d--) {
			int64_t index = rest % t->shape[d];
			at += step * (sr_list_has(dims.v, dims.n, d) ? t->shape[d] - 1 - index : index);
		}
		to[i] = from[at];
	}
	return to;
}

static const double *broadcast(struct sr_context *ctx, const struct sr_op *op, const double *from, int64_t n)
{
	const struct sr_type *t = sr_operand(op, 0)->type, *result = sr_result(op, 0)->type;
	struct sr_ints dims = sr_match_ints(ctx, op, SR_NAME_broadcast_dimensions);
	double *to = SR_NEW_ARRAY(ctx->scratch, double, n);
	for (int64_t i = 0; i < n; i++) {
		int64_t index[SR_MAX_RANK], at = 0, rest = i;
		for (int d = result->rank - 1; d >= 0; rest /= result->shape[d], d--)
			index[d] = rest % result->shape[d];
		for (int d = 0; d < t->rank; d++)
			at = at * t->shape[d] + (t->shape[d] == 1 ? 0 : index[dims.v[d]]);
		to[i] = from[at];
	}
	return to;
}

/* Return x * y or x / y, rounded as the op rounds. */
static const double *scale(struct sr_context *ctx, const struct sr_op *op, const double *x, const double *y, int64_t n)
{
	double *to = SR_NEW_ARRAY(ctx->scratch, double, n);
	for (int64_t i = 0; i < n; i++) {
		to[i] = sr_op_is(op, SR_OP_stablehlo_multiply) ? x[i] * y[i] : x[i] / y[i];
		if (sr_result(op, 0)->type->dtype == SR_F32)
			to[i] = (float)to[i];
	}
	return to;
}

/* Return the elements, in row-major order, of a value of f32 or f64 that follows from constants; NULL: it does not, or it is
 * large. */
static const double *elements_of(struct sr_context *ctx, const struct sr_value *v)
{
	int64_t n;
	v = sr_loop_invariant_source(v);
	const struct sr_op *op = v->def;
	if (!op || !sr_type_is_static(v->type) || !sr_type_elements(v->type, &n) || n > MAX_KERNEL_ELEMENTS ||
	    (v->type->dtype != SR_F32 && v->type->dtype != SR_F64))
		return NULL;
	if (sr_constant_value(v))
		return read_constant(ctx, sr_constant_value(v), n);
	bool has_two = sr_op_is(op, SR_OP_stablehlo_multiply) || sr_op_is(op, SR_OP_stablehlo_divide);
	bool is_reverse = sr_op_is(op, SR_OP_stablehlo_reverse), is_broadcast = sr_op_is(op, SR_OP_stablehlo_broadcast_in_dim);
	if (!has_two && !is_reverse && !is_broadcast && !sr_op_is(op, SR_OP_stablehlo_reshape))
		return NULL;
	const double *x = elements_of(ctx, sr_operand(op, 0)), *y = has_two && x ? elements_of(ctx, sr_operand(op, 1)) : NULL;
	if (!x || (has_two && !y))
		return NULL;
	return has_two ? scale(ctx, op, x, y, n) : is_reverse ? reverse(ctx, op, x, n) : is_broadcast ? broadcast(ctx, op, x, n) : x;
}

/* ---------------------------------------------------------------- reading the convolution */

static int64_t kernel_extent(const struct stencil *c, int64_t dim)
{
	return sr_operand(c->op, 1)->type->shape[dim];
}

/* Return entry k of a list attribute, or `missing` if the op does not have it. */
static int64_t list_entry(const struct stencil *c, const char *name, int64_t k, int64_t missing)
{
	struct sr_ints list = sr_match_ints(c->rw->ctx, c->op, name);
	return k < list.n ? list.v[k] : missing;
}

/* Return the weight at this index of the window in channel `channel`. */
static double weight_at(const struct stencil *c, const int64_t *at, int64_t channel)
{
	const struct sr_type *t = sr_operand(c->op, 1)->type;
	int64_t index[SR_MAX_RANK] = {0}, element = 0;
	index[c->channel_dim] = channel;
	for (int64_t s = 0; s < c->kernel.n; s++)
		index[c->kernel.v[s]] = list_entry(c, SR_NAME_window_reversal, s, 0) ? c->window[s] - 1 - at[s] : at[s];
	for (int d = 0; d < t->rank; d++)
		element = element * t->shape[d] + index[d];
	return c->weights[element];
}

/* Advance to the next element of the window, the last dimension first. Returns false after the last one. */
static bool next_window_element(const struct stencil *c, int64_t *at)
{
	for (int s = c->n_dims - 1; s >= 0; at[s--] = 0)
		if (++at[s] < c->window[s])
			return true;
	return false;
}

/* Return true if this index of the window differs from the middle along one dimension at most, by at most MAX_REACH. */
static bool is_near_axis(const struct stencil *c, const int64_t *at)
{
	int n = 0;
	for (int s = 0; s < c->n_dims; s++) {
		int64_t distance = at[s] - c->window[s] / 2;
		n += distance != 0;
		if (distance < -MAX_REACH || distance > MAX_REACH)
			return false;
	}
	return n <= 1;
}

/* Return true if all channels have the same weights, of which 1 to MAX_TERMS are not zero. Sets is_star. */
static bool read_weights(struct stencil *c)
{
	int64_t at[SR_MAX_RANK] = {0};
	int n = 0;
	c->is_star = true;
	do {
		double weight = weight_at(c, at, 0);
		n += weight != 0;
		c->is_star &= weight == 0 || is_near_axis(c, at);
		for (int64_t k = 1; k < kernel_extent(c, c->channel_dim); k++)
			if (weight_at(c, at, k) != weight)
				return false;
	} while (next_window_element(c, at));
	return n > 0 && n <= MAX_TERMS;
}

/* Return true if x is the result of a concatenate or pad, whose shards do not have the extents of those of the tensor inside the
 * border. */
static bool is_bordered(const struct stencil *c)
{
	return sr_value_def_of(c->x, SR_OP_stablehlo_concatenate) || sr_value_def_of(c->x, SR_OP_stablehlo_pad);
}

/* Set x and dims: the operand of the view, if the image is a view that only adds dimensions, none of them spatial; else the image. */
static void find_view(struct stencil *c)
{
	struct sr_value *image = sr_operand(c->op, 0);
	struct sr_op *view = image->def;
	c->x = image;
	for (int64_t s = 0; s < c->in.n; s++)
		c->dims[s] = (int)c->in.v[s];
	if (!view || (!sr_op_is(view, SR_OP_stablehlo_reshape) && !sr_op_is(view, SR_OP_stablehlo_broadcast_in_dim)))
		return;
	int dims[SR_MAX_RANK];
	for (int64_t s = 0; s < c->in.n; s++) {
		dims[s] = -1;
		for (int d = 0; d < sr_operand(view, 0)->type->rank; d++)
			if (sr_match_viewed_dim(c->rw, view, d) == c->in.v[s])
				dims[s] = d;
		if (dims[s] < 0)
			return;
	}
	for (int64_t s = 0; s < c->in.n; s++)
		c->dims[s] = dims[s];
	c->view = view;
	c->x = sr_operand(view, 0);
}

static bool read_stencil(struct stencil *c)
{
	struct sr_context *ctx = c->rw->ctx;
	const struct sr_attr *numbers = sr_op_attr(c->op, SR_NAME_dimension_numbers);
	const struct sr_type *image = sr_operand(c->op, 0)->type, *kernel = sr_operand(c->op, 1)->type, *out = sr_result(c->op, 0)->type;
	if ((out->dtype != SR_F32 && out->dtype != SR_F64) || image->dtype != out->dtype || kernel->dtype != out->dtype ||
	    !sr_type_is_static(image) || !sr_type_is_static(out) || sr_match_empty(image) || sr_match_empty(out) || sr_match_empty(kernel))
		return false;
	sr_struct_ints(ctx, numbers, SR_NAME_input_spatial_dimensions, &c->in.v, &c->in.n);
	sr_struct_ints(ctx, numbers, SR_NAME_kernel_spatial_dimensions, &c->kernel.v, &c->kernel.n);
	sr_struct_ints(ctx, numbers, SR_NAME_output_spatial_dimensions, &c->out.v, &c->out.n);
	c->channel_dim = sr_field_int(numbers, SR_NAME_kernel_output_feature_dimension, 0);
	int64_t n_channels = image->shape[sr_field_int(numbers, SR_NAME_input_feature_dimension, 0)];
	if (sr_op_int(c->op, SR_NAME_batch_group_count, 1) != 1 || kernel_extent(c, c->channel_dim) != n_channels ||
	    kernel_extent(c, sr_field_int(numbers, SR_NAME_kernel_input_feature_dimension, 0)) != 1 ||
	    !sr_match_all_equal(sr_match_ints(ctx, c->op, SR_NAME_window_strides), 1) ||
	    !sr_match_all_equal(sr_match_ints(ctx, c->op, SR_NAME_lhs_dilation), 1))
		return false;
	c->n_dims = (int)c->in.n;
	for (int s = 0; s < c->n_dims; s++) {
		c->window[s] = kernel_extent(c, c->kernel.v[s]);
		c->dilation[s] = list_entry(c, SR_NAME_rhs_dilation, s, 1);
	}
	c->weights = elements_of(ctx, sr_operand(c->op, 1));
	if (!c->weights || !read_weights(c))
		return false;
	find_view(c);
	c->sharding = sr_value_sharding(ctx, c->x);
	return true;
}

/* ---------------------------------------------------------------- building the sum */

/* Create an op before the convolution, whose result has this sharding (NULL: none). */
static struct sr_value *create(struct stencil *c, enum sr_op_code code, struct sr_value *const *operands, int n,
			       const struct sr_named_attr *attrs, int n_attrs, const struct sr_type *type,
			       const struct sr_attr *sharding)
{
	struct sr_value *v = sr_result(sr_rewrite_create(c->rw, c->op, code, operands, n, attrs, n_attrs, type), 0);
	if (sharding)
		sr_value_set_sharding(c->rw->ctx, v, sharding);
	return v;
}

/* Create a constant of equal elements; a scalar is replicated, another one has x's sharding. */
static struct sr_value *create_splat(struct stencil *c, const struct sr_type *t, double number)
{
	struct sr_context *ctx = c->rw->ctx;
	struct sr_named_attr value = {SR_NAME_value, sr_splat_number(ctx, t, number)};
	const struct sr_attr *sharding = c->sharding;
	if (sharding && t->rank == 0) {
		struct sr_sdy_sharding replicated = *sharding->sharding;
		replicated.dims = NULL;
		replicated.rank = 0;
		replicated.replicated = replicated.unreduced = (struct sr_sdy_axes){0};
		sharding = sr_attr_sharding(ctx, &replicated);
	}
	return create(c, SR_OP_stablehlo_constant, NULL, 0, &value, 1, t, sharding);
}

/* Create x with the padding of the op, elements equal to `number`; NULL: zeros. */
static struct sr_value *create_padded(struct stencil *c, struct sr_value *number)
{
	struct sr_context *ctx = c->rw->ctx;
	const struct sr_type *t = c->x->type;
	int64_t *lists[3], *shape = sr_dup(ctx->arena, t->shape, (size_t)t->rank, sizeof *shape);
	for (int k = 0; k < 3; k++)
		lists[k] = SR_NEW_ARRAY(ctx->arena, int64_t, t->rank);
	bool is_padded = false;
	for (int s = 0; s < c->n_dims; s++)
		for (int k = 0; k < 2; k++) {
			int64_t amount = lists[k][c->dims[s]] = list_entry(c, SR_NAME_padding, 2 * s + k, 0);
			shape[c->dims[s]] += amount;
			is_padded |= amount != 0;
		}
	if (!is_padded)
		return c->x;
	struct sr_value *operands[] = {c->x, number ? number : create_splat(c, sr_type_with_shape(ctx, t, 0, NULL), 0)};
	struct sr_named_attr attrs[] = {{SR_NAME_edge_padding_low, sr_attr_i64s(ctx, lists[0], t->rank)},
					{SR_NAME_edge_padding_high, sr_attr_i64s(ctx, lists[1], t->rank)},
					{SR_NAME_interior_padding, sr_attr_i64s(ctx, lists[2], t->rank)}};
	return create(c, SR_OP_stablehlo_pad, operands, 2, attrs, 3, sr_type_with_shape(ctx, t, t->rank, shape), c->sharding);
}

/* Create the slice of the padded image of type t that window element `at` reads. */
static struct sr_value *create_shifted(struct stencil *c, struct sr_value *padded, const int64_t *at, const struct sr_type *t)
{
	struct sr_context *ctx = c->rw->ctx;
	int64_t *lists[3];
	for (int k = 0; k < 3; k++)
		lists[k] = SR_NEW_ARRAY(ctx->arena, int64_t, t->rank);
	for (int s = 0; s < c->n_dims; s++)
		lists[0][c->dims[s]] = at[s] * c->dilation[s];
	for (int d = 0; d < t->rank; d++) {
		lists[1][d] = lists[0][d] + t->shape[d];
		lists[2][d] = 1;
	}
	struct sr_named_attr attrs[] = {{SR_NAME_start_indices, sr_attr_i64s(ctx, lists[0], t->rank)},
					{SR_NAME_limit_indices, sr_attr_i64s(ctx, lists[1], t->rank)},
					{SR_NAME_strides, sr_attr_i64s(ctx, lists[2], t->rank)}};
	return create(c, SR_OP_stablehlo_slice, &padded, 1, attrs, 3, t, c->sharding);
}

/* Create the transpose of v, whose dimensions are the image's, to the dimensions of the result. */
static struct sr_value *create_transpose(struct stencil *c, struct sr_value *v)
{
	static const char *const fields[][2] = {{SR_NAME_output_batch_dimension, SR_NAME_input_batch_dimension},
						{SR_NAME_output_feature_dimension, SR_NAME_input_feature_dimension}};
	struct sr_context *ctx = c->rw->ctx;
	const struct sr_attr *numbers = sr_op_attr(c->op, SR_NAME_dimension_numbers);
	const struct sr_type *t = sr_result(c->op, 0)->type;
	struct sr_ints order = {SR_NEW_ARRAY(ctx->arena, int64_t, t->rank), t->rank};
	int64_t *from = (int64_t *)order.v;
	for (int k = 0; k < 2; k++)
		from[sr_field_int(numbers, fields[k][0], 0)] = sr_field_int(numbers, fields[k][1], 0);
	for (int64_t s = 0; s < c->in.n; s++)
		from[c->out.v[s]] = c->in.v[s];
	struct sr_named_attr permutation = {SR_NAME_permutation, sr_attr_i64s(ctx, from, t->rank)};
	return sr_match_iota(order) ? v : create(c, SR_OP_stablehlo_transpose, &v, 1, &permutation, 1, t, NULL);
}

/* convolution(x, constant) -> sum of slices of pad(x), each times a number, if the constant has few weights that are not zero. With
 * config->keeps_shardings only if these are a star or the image has a border. */
bool sr_pattern_convolution_of_constant(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_context *ctx = rw->ctx;
	struct stencil c = {.rw = rw, .op = op};
	int64_t at[SR_MAX_RANK] = {0};
	struct sr_value *sum = NULL;
	if (!read_stencil(&c) || (!c.is_star && rw->config->keeps_shardings && !is_bordered(&c)))
		return false;
	const struct sr_type *t = c.x->type, *viewed = sr_operand(op, 0)->type, *out = sr_result(op, 0)->type;
	for (int64_t s = 0; s < c.in.n; s++) {
		t = sr_match_with_extent(ctx, t, c.dims[s], out->shape[c.out.v[s]]);
		viewed = sr_match_with_extent(ctx, viewed, (int)c.in.v[s], out->shape[c.out.v[s]]);
	}
	struct sr_value *padded = create_padded(&c, NULL);
	do {
		double weight = weight_at(&c, at, 0);
		if (weight == 0)
			continue;
		struct sr_value *term[] = {create_shifted(&c, padded, at, t), NULL}, *terms[] = {sum, NULL};
		if (weight != 1) {
			term[1] = create_splat(&c, t, weight);
			term[0] = create(&c, SR_OP_stablehlo_multiply, term, 2, NULL, 0, t, c.sharding);
		}
		terms[1] = term[0];
		sum = sum ? create(&c, SR_OP_stablehlo_add, terms, 2, NULL, 0, t, c.sharding) : term[0];
	} while (next_window_element(&c, at));
	if (c.view)
		sum = create(&c, sr_op_code_of(c.view), &sum, 1, c.view->attrs, c.view->n_attrs, viewed,
			     sr_value_sharding(ctx, sr_operand(op, 0)));
	sum = create_transpose(&c, sum);
	sr_value_set_sharding(ctx, sum, sr_value_sharding(ctx, sr_result(op, 0)));
	return sr_rewrite_to_value(rw, op, sum);
}

/* Read a reduce_window of one operand with stride 1 over at most MAX_WINDOW_ELEMENTS elements. Return false for another one. */
static bool read_window(struct stencil *c)
{
	struct sr_context *ctx = c->rw->ctx;
	const struct sr_op *op = c->op;
	int64_t n_elements = 1;
	c->x = sr_operand(op, 0);
	c->n_dims = c->x->type->rank;
	if (op->n_operands != 2 || !sr_op_reducer(op) || sr_result(op, 0)->type->dtype != c->x->type->dtype ||
	    (c->x->type->dtype != SR_F32 && c->x->type->dtype != SR_F64) ||
	    !sr_type_is_static(c->x->type) || sr_match_empty(c->x->type) || sr_match_empty(sr_result(op, 0)->type) ||
	    !sr_match_all_equal(sr_match_ints(ctx, op, SR_NAME_window_strides), 1) ||
	    !sr_match_all_equal(sr_match_ints(ctx, op, SR_NAME_base_dilations), 1))
		return false;
	for (int d = 0; d < c->n_dims; d++) {
		c->dims[d] = d;
		c->window[d] = list_entry(c, SR_NAME_window_dimensions, d, 1);
		c->dilation[d] = list_entry(c, SR_NAME_window_dilations, d, 1);
		if (c->window[d] > MAX_WINDOW_ELEMENTS || (n_elements *= c->window[d]) > MAX_WINDOW_ELEMENTS)
			return false;
	}
	c->sharding = sr_value_sharding(ctx, c->x);
	return n_elements > 1;
}

/* In a local module, or of an image with a border: reduce_window of few elements -> f(f(init, a), b), ... of slices a, b of
 * pad(x, init), in the order of the window. */
bool sr_pattern_small_window(struct sr_rewriter *rw, struct sr_op *op)
{
	struct stencil c = {.rw = rw, .op = op};
	int64_t at[SR_MAX_RANK] = {0};
	const struct sr_type *t = sr_result(op, 0)->type;
	struct sr_named_attr none = {SR_NAME_broadcast_dimensions, sr_attr_i64s(rw->ctx, NULL, 0)};
	if (!read_window(&c) || (rw->config->keeps_shardings && !is_bordered(&c)))
		return false;
	struct sr_value *init = sr_operand(op, 1), *padded = create_padded(&c, init);
	struct sr_value *result = create(&c, SR_OP_stablehlo_broadcast_in_dim, &init, 1, &none, 1, t, c.sharding);
	do {
		struct sr_value *pair[] = {result, create_shifted(&c, padded, at, t)};
		result = create(&c, sr_op_reducer(op)->code, pair, 2, NULL, 0, t, c.sharding);
	} while (next_window_element(&c, at));
	sr_value_set_sharding(rw->ctx, result, sr_value_sharding(rw->ctx, sr_result(op, 0)));
	return sr_rewrite_to_value(rw, op, result);
}
