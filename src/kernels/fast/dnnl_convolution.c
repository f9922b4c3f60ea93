/* CONVOLUTION with oneDNN: the three kinds of conv_descriptor.h. The primitive takes data channels-last, and weights in the layout
 * that it prefers; tensors in other layouts are copied through scratch. Winograd's algorithm F(4x4, 3x3) (Lavin and Gray 2016)
 * takes data in blocks of 16 channels. It spreads an infinity or NaN over the results of a tile; if a result is one, the direct
 * algorithm computes all results again. */
#include "kernels/conv_descriptor.h"
#include "kernels/fast/dnnl.h"
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_DNNL
enum { SOURCE, WEIGHTS, RESULT, TENSORS };

struct conv {
	struct sr_dnnl_ready *r;
	struct sr_conv_descriptor f;
	dnnl_alg_kind_t algorithm; /* direct or Winograd's */
	enum sr_dtype types[3]; /* element types of the kernel's three buffers */
	dnnl_dims_t stride, dilation, pad_low, pad_high;
	dnnl_memory_desc_t layouts[TENSORS]; /* layouts of source, weights and result that the primitive uses */
	int memories[TENSORS];
};

static const struct sr_conv_tensor *tensor_at(const struct conv *c, int index)
{
	return index == SOURCE ? &c->f.source : index == WEIGHTS ? &c->f.weights : &c->f.result;
}

/* Return the index of the tensor that the kernel computes: source, weights or result. */
static int output_index(const struct conv *c)
{
	return c->f.kind == SR_CONV_FORWARD ? RESULT : c->f.kind == SR_CONV_BACKWARD_DATA ? SOURCE : WEIGHTS;
}

static bool describe_as_preferred(struct conv *c, int index)
{
	static const dnnl_format_tag_t channels_last[] = {dnnl_nwc, dnnl_nhwc, dnnl_ndhwc};
	const struct sr_conv_tensor *t = tensor_at(c, index);
	dnnl_format_tag_t data_layout = c->algorithm == dnnl_convolution_winograd ? dnnl_nChw16c : channels_last[c->f.spatial - 1];
	dnnl_data_type_t type = sr_dnnl_type(c->types[t->buffer]);
	dnnl_dims_t dims = {0};

	memcpy(dims, t->dims, sizeof t->dims);
	return type != dnnl_data_type_undef &&
	       !sr_dnnl.dnnl_memory_desc_init_by_tag(&c->layouts[index], t->rank, dims, type,
						     index == WEIGHTS ? dnnl_format_tag_any : data_layout);
}

/* Describe a tensor to oneDNN with the strides that it has in memory. */
static bool describe_in_memory(const struct conv *c, const struct sr_conv_tensor *t, dnnl_memory_desc_t *md)
{
	dnnl_dims_t dims = {0}, strides = {0};

	memcpy(dims, t->dims, sizeof t->dims);
	memcpy(strides, t->strides, sizeof t->strides);
	return !sr_dnnl.dnnl_memory_desc_init_by_strides(md, t->rank, dims, sr_dnnl_type(c->types[t->buffer]), strides);
}

static dnnl_primitive_desc_t describe_forward(const struct conv *c, bool is_training)
{
	dnnl_convolution_desc_t d;
	dnnl_prop_kind_t prop = is_training ? dnnl_forward_training : dnnl_forward_inference;

	if (sr_dnnl.dnnl_dilated_convolution_forward_desc_init(&d, prop, c->algorithm, &c->layouts[SOURCE],
			&c->layouts[WEIGHTS], NULL,
							       &c->layouts[RESULT], c->stride, c->dilation, c->pad_low,
									c->pad_high))
		return NULL;
	return sr_dnnl_find_implementation(&d, NULL);
}

static dnnl_primitive_desc_t describe_backward(const struct conv *c)
{
	dnnl_convolution_desc_t d;
	dnnl_primitive_desc_t hint = describe_forward(c, true), pd = NULL;
	dnnl_status_t status;

	if (!hint)
		return NULL;
	if (c->f.kind == SR_CONV_BACKWARD_DATA)
		status = sr_dnnl.dnnl_dilated_convolution_backward_data_desc_init(&d, c->algorithm, &c->layouts[SOURCE],
										  &c->layouts[WEIGHTS], &c->layouts[RESULT],
												c->stride, c->dilation,
										  c->pad_low, c->pad_high);
	else
		status = sr_dnnl.dnnl_dilated_convolution_backward_weights_desc_init(&d, c->algorithm,
				&c->layouts[SOURCE],
										     &c->layouts[WEIGHTS], NULL,
												&c->layouts[RESULT], c->stride,
										     c->dilation, c->pad_low, c->pad_high);
	if (!status)
		pd = sr_dnnl_find_implementation(&d, hint);
	sr_dnnl.dnnl_primitive_desc_destroy(hint);
	return pd;
}

/* Copy the weights, reversed, to scratch: the primitive needs the weights of a forward convolution. Returns the number of the
 * memory object, -1 on failure. */
static int reverse_weights(struct conv *c, const dnnl_memory_desc_t *md)
{
	const struct sr_conv_tensor *t = &c->f.weights;
	int64_t bytes = sr_dtype_bytes(c->types[t->buffer]);
	struct sr_move_params m = {.rank = t->rank, .bytes = (int32_t)bytes};
	bool is_used[SR_CONV_DIMS] = {false};
	int src_memory = sr_dnnl_memory(c->r, md, t->buffer, 0), dst_memory = sr_dnnl_memory(c->r, md, SR_DNNL_SCRATCH, 0);

	for (int i = 0; i < t->rank; i++) { /* list dimensions in the order of their strides, the longest first */
		int d = -1;
		for (int k = 0; k < t->rank; k++)
			if (!is_used[k] && (d < 0 || t->strides[k] > t->strides[d]))
				d = k;
		int spatial_dim = d - (t->rank - c->f.spatial);
		bool is_reversed = spatial_dim >= 0 && c->f.is_reversed[spatial_dim];
		is_used[d] = true;
		m.shape[i] = t->dims[d];
		m.dst_stride[i] = t->strides[d];
		m.src_stride[i] = is_reversed ? -t->strides[d] : t->strides[d];
		m.src_offset += is_reversed ? (t->dims[d] - 1) * t->strides[d] : 0;
	}
	return sr_dnnl_add_move(c->r, &m, src_memory, dst_memory) ? dst_memory : -1;
}

/* Return true if a tensor, described by md, has the primitive's layout in memory. */
static bool is_in_place(const struct conv *c, int index, const dnnl_memory_desc_t *md)
{
	if (index == WEIGHTS || c->algorithm == dnnl_convolution_winograd)
		return sr_dnnl.dnnl_memory_desc_equal(md, &c->layouts[index]);
	return sr_conv_is_channels_last(tensor_at(c, index));
}

/* Add the memory object of an input and, if its layout differs from the primitive's, a stage that copies it. */
static bool add_input(struct conv *c, int index)
{
	const struct sr_conv_tensor *t = tensor_at(c, index);
	int64_t bytes = sr_dtype_bytes(c->types[t->buffer]);
	dnnl_memory_desc_t md;

	if (!describe_in_memory(c, t, &md))
		return false;
	bool in_place = is_in_place(c, index, &md);
	int src_memory;
	if (index == WEIGHTS && sr_conv_has_reversal(&c->f))
		src_memory = reverse_weights(c, &md);
	else
		src_memory = sr_dnnl_memory(c->r, in_place ? &c->layouts[index] : &md, t->buffer, t->offset * bytes);
	c->memories[index] = src_memory;
	if (in_place || src_memory < 0)
		return src_memory >= 0;
	c->memories[index] = sr_dnnl_memory(c->r, &c->layouts[index], SR_DNNL_SCRATCH, 0);
	return c->memories[index] >= 0 && sr_dnnl_add_reorder(c->r, &md, src_memory, &c->layouts[index], c->memories[index]);
}

/* Add a stage for the primitive and, if the layouts differ, a stage that copies its result to the kernel's buffer. */
static bool add_convolution(struct conv *c, const_dnnl_primitive_desc_t pd)
{
	static const int arguments[][TENSORS] = {
		[SR_CONV_FORWARD] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST},
		[SR_CONV_BACKWARD_DATA] = {DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST},
		[SR_CONV_BACKWARD_WEIGHTS] = {DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST},
	};
	int index = output_index(c), memory_of_argument[TENSORS][2];
	const struct sr_conv_tensor *t = tensor_at(c, index);
	dnnl_memory_desc_t md;

	if (!describe_in_memory(c, t, &md))
		return false;
	bool in_place = is_in_place(c, index, &md);
	c->memories[index] = sr_dnnl_memory(c->r, &c->layouts[index], in_place ? t->buffer : SR_DNNL_SCRATCH, 0);
	for (int i = 0; i < TENSORS; i++)
		memory_of_argument[i][0] = arguments[c->f.kind][i], memory_of_argument[i][1] = c->memories[i];
	if (!sr_dnnl_add_primitive(c->r, pd, memory_of_argument, TENSORS))
		return false;
	if (in_place)
		return true;
	int to = sr_dnnl_memory(c->r, &md, t->buffer, 0);
	return to >= 0 && sr_dnnl_add_reorder(c->r, &c->layouts[index], c->memories[index], &md, to);
}

/* Set the layout of the weights to the one that the primitive prefers. */
static bool query_weights_layout(struct conv *c, const_dnnl_primitive_desc_t pd)
{
	const dnnl_memory_desc_t *md = sr_dnnl.dnnl_primitive_desc_query_md(
		pd, c->f.kind == SR_CONV_BACKWARD_WEIGHTS ? dnnl_query_diff_weights_md : dnnl_query_weights_md, 0);

	if (!md)
		return false;
	c->layouts[WEIGHTS] = *md;
	return true;
}

static bool build(struct conv *c)
{
	int computed_tensor = output_index(c);
	bool succeeded = describe_as_preferred(c, SOURCE) && describe_as_preferred(c, WEIGHTS) && describe_as_preferred(c, RESULT);
	dnnl_primitive_desc_t pd = NULL;

	if (succeeded)
		/* Winograd's algorithm for inference presumes that the weights were transformed beforehand, which oneDNN does in slow
		 * scalar code. */
		pd = c->f.kind == SR_CONV_FORWARD ? describe_forward(c, c->algorithm == dnnl_convolution_winograd)
						  : describe_backward(c);
	if (!pd)
		return false;
	succeeded = query_weights_layout(c, pd);
	for (int index = 0; succeeded && index < TENSORS; index++)
		succeeded = index == computed_tensor || add_input(c, index);
	succeeded = succeeded && add_convolution(c, pd);
	sr_dnnl.dnnl_primitive_desc_destroy(pd);
	return succeeded;
}

/* Return true if oneDNN supports these element types with exact results: 8-bit inputs must have 32-bit results. */
static bool are_types_supported(enum sr_dtype in, enum sr_dtype out, enum sr_conv_kind kind)
{
	if (in == SR_I8)
		return out == SR_I32 && kind == SR_CONV_FORWARD && sr_dnnl_has_int8();
	return (in == SR_F32 && out == SR_F32) || (in == SR_BF16 && (out == SR_BF16 || out == SR_F32));
}

/* Return true if oneDNN 2.6 may transpose the weights as 8 x 8 bytes: then it leaves out the sums of weights by which it corrects
 * signed inputs, and the results are wrong. */
static bool has_wrong_reorder(const struct sr_conv_descriptor *f)
{
	const int64_t *dims = f->weights.dims; /* groups, output channels, input channels, window */
	int64_t terms = 1;
	for (int d = 2; d < f->weights.rank; d++)
		terms *= dims[d];
	return f->groups > 1 && dims[0] * dims[1] == 8 && terms == 8;
}

/* A convolution by Winograd's algorithm, and the same by the direct one. */
struct winograd {
	struct sr_prepared_kernel base; /* base struct, must be the first member */
	struct sr_prepared_kernel *winograd, *direct;
	int64_t n; /* number of elements of the result */
};

/* Return true if no element is an infinity or NaN: adding 1 to an exponent of ones carries into the sign bit. */
static bool all_finite(const uint32_t *bits, int64_t n)
{
	enum { BLOCK = 1024 };

	for (int64_t i = 0; i < n; i += BLOCK) {
		int64_t end = n - i < BLOCK ? n : i + BLOCK;
		uint32_t carries = 0;
		for (int64_t k = i; k < end; k++)
			carries |= (bits[k] & 0x7fffffff) + 0x00800000;
		if (carries >> 31)
			return false;
	}
	return true;
}

static void run_winograd(struct sr_prepared_kernel *prepared, void *const *buffers, void *scratch)
{
	const struct winograd *w = (const struct winograd *)prepared;

	w->winograd->run(w->winograd, buffers, scratch);
	if (!all_finite(buffers[2], w->n))
		w->direct->run(w->direct, buffers, scratch);
}

static void release_winograd(struct sr_prepared_kernel *prepared)
{
	struct winograd *w = (struct winograd *)prepared;

	w->winograd->release(w->winograd);
	w->direct->release(w->direct);
	free(w);
}

/* Return a kernel of both algorithms, which owns the two kernels; if memory runs out, the direct one. */
static struct sr_prepared_kernel *combine(const struct conv *c, struct sr_prepared_kernel *winograd,
					  struct sr_prepared_kernel *direct)
{
	struct winograd *w = malloc(sizeof *w);
	const struct sr_conv_tensor *result = tensor_at(c, output_index(c));

	if (!w) {
		winograd->release(winograd);
		return direct;
	}
	*w = (struct winograd){{.run = run_winograd, .release = release_winograd}, winograd, direct, 1};
	w->base.scratch = winograd->scratch > direct->scratch ? winograd->scratch : direct->scratch;
	for (int d = 0; d < result->rank; d++)
		w->n *= result->dims[d];
	return &w->base;
}

static struct sr_prepared_kernel *prepare(const struct sr_kernels *table, enum sr_dtype t, const void *params, int64_t range)
{
	const struct sr_conv_params *p = params;
	struct conv c = {.types = {t, t, (enum sr_dtype)p->out}, .algorithm = dnnl_convolution_direct};

	if (sr_conv_is_depthwise_gradient(t, p) || !sr_conv_describe(p, &c.f))
		return NULL;
	if (!are_types_supported(t, (enum sr_dtype)p->out, c.f.kind) || (t == SR_I8 && has_wrong_reorder(&c.f)))
		return NULL;
	for (int d = 0; d < c.f.spatial; d++) {
		c.stride[d] = c.f.stride[d], c.dilation[d] = c.f.dilation[d] - 1;
		c.pad_low[d] = c.f.pad_low[d], c.pad_high[d] = c.f.pad_high[d];
	}
	struct conv w = c;
	c.r = sr_dnnl_begin(table, SR_KERNEL_CONVOLUTION, t, params, range);
	struct sr_prepared_kernel *direct = c.r ? sr_dnnl_end(c.r, build(&c)) : NULL;
	if (!direct || !p->winograd)
		return direct;
	w.algorithm = dnnl_convolution_winograd;
	w.r = sr_dnnl_begin(table, SR_KERNEL_CONVOLUTION, t, params, range);
	struct sr_prepared_kernel *winograd = w.r ? sr_dnnl_end(w.r, build(&w)) : NULL;
	return winograd ? combine(&w, winograd, direct) : direct;
}

void sr_kernels_fast_dnnl_convolution(struct sr_kernels *table)
{
	table->prepare[SR_KERNEL_CONVOLUTION] = prepare;
}
#endif
