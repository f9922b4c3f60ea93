/* Recognize a convolution as forward, gradient of the data or gradient of the weights, from dilations and dimension numbers alone.
 * For a forward convolution with stride s, dilation d and low padding p: the gradient of its data is a convolution whose lhs is
 * dilated by s and whose kernel is the reversed weights. The gradient of its weights is a convolution whose window is the result,
 * dilated by s, that moves with stride d, and whose batch dimension is the channels. Groups are batch groups in the gradient of the
 * weights, otherwise feature groups. */
#include "kernels/conv_descriptor.h"
#include "kernels/kernel_chunk.h"
#include <string.h>

static int64_t conv_element_count(const struct sr_conv_tensor *t)
{
	int64_t n = 1;

	for (int d = 0; d < t->rank; d++)
		n *= t->dims[d];
	return n;
}

bool sr_conv_is_channels_last(const struct sr_conv_tensor *t)
{
	int64_t dense_stride = 1;

	for (int i = 0; i < t->rank; i++) {
		int d = i == 0 ? 1 : i == t->rank - 1 ? 0 : t->rank - i;
		if (t->dims[d] != 1 && t->strides[d] != dense_stride)
			return false;
		dense_stride *= t->dims[d];
	}
	return t->offset == 0;
}

bool sr_conv_has_reversal(const struct sr_conv_descriptor *f)
{
	for (int d = 0; d < f->spatial; d++)
		if (f->is_reversed[d])
			return true;
	return false;
}

static struct sr_conv_tensor data_of(int buffer, int spatial, int64_t batch, int64_t batch_stride, int64_t channels, int64_t channel_stride,
				     const int64_t *dims, const int64_t *strides)
{
	struct sr_conv_tensor t = {.buffer = buffer, .rank = 2 + spatial, .dims = {batch, channels},
				   .strides = {batch_stride, channel_stride}};

	memcpy(t.dims + 2, dims, sizeof *dims * (size_t)spatial);
	memcpy(t.strides + 2, strides, sizeof *strides * (size_t)spatial);
	return t;
}

/* Return the layout of the weights, with `out` and `in` channels per group. `grouped`: distance in elements between two groups
 * along the dimension that is divided into groups. */
static struct sr_conv_tensor describe_weights(int buffer, int spatial, int64_t groups, int64_t grouped, int64_t out,
					      int64_t out_stride, int64_t in, int64_t in_stride, const int64_t *dims,
					      const int64_t *strides)
{
	int g = groups > 1;
	struct sr_conv_tensor t = {.buffer = buffer, .rank = 2 + g + spatial, .dims = {groups}, .strides = {grouped}};

	t.dims[g] = out, t.strides[g] = out_stride;
	t.dims[g + 1] = in, t.strides[g + 1] = in_stride;
	memcpy(t.dims + 2 + g, dims, sizeof *dims * (size_t)spatial);
	memcpy(t.strides + 2 + g, strides, sizeof *strides * (size_t)spatial);
	return t;
}

/* Compute the padding of the window along dimension d, and crop the source where padding is negative. Returns false if no element
 * is left. `window`: extent of the dilated window. */
static bool compute_padding(struct sr_conv_descriptor *f, int d, int64_t window)
{
	struct sr_conv_tensor *s = &f->source;
	int64_t *in = &s->dims[2 + d], result = f->result.dims[2 + d];

	if (f->pad_low[d] < 0) {
		s->offset -= f->pad_low[d] * s->strides[2 + d];
		*in += f->pad_low[d];
		f->pad_low[d] = 0;
	}
	f->pad_high[d] = (result - 1) * f->stride[d] + window - *in - f->pad_low[d];
	if (f->pad_high[d] + f->stride[d] <= 0) { /* crop the elements at the high end that no window reaches */
		*in += f->pad_high[d];
		f->pad_high[d] = 0;
	}
	return *in > 0;
}

static bool describe_forward(const struct sr_conv_params *p, struct sr_conv_descriptor *f)
{
	int64_t groups = p->feature_groups, in = p->in_features / groups, out = p->out_features / groups;

	*f = (struct sr_conv_descriptor){.kind = SR_CONV_FORWARD, .spatial = p->spatial, .groups = groups};
	f->source = data_of(0, p->spatial, p->batch, p->lhs_stride[0], p->in_features, p->lhs_stride[1], p->in, p->lhs_stride + 2);
	f->weights = describe_weights(1, p->spatial, groups, p->rhs_stride[1] * out, out, p->rhs_stride[1], in, p->rhs_stride[0],
				      p->window, p->rhs_stride + 2);
	f->result = data_of(2, p->spatial, p->batch, p->out_stride[0], p->out_features, p->out_stride[1], p->out_shape, p->out_stride + 2);
	for (int d = 0; d < p->spatial; d++) {
		f->stride[d] = p->stride[d], f->dilation[d] = p->rhs_dilation[d], f->pad_low[d] = p->pad_low[d];
		f->is_reversed[d] = p->reversal[d] && p->window[d] > 1;
		if (p->lhs_dilation[d] != 1 || !compute_padding(f, d, (p->window[d] - 1) * p->rhs_dilation[d] + 1))
			return false;
	}
	return p->batch_groups == 1;
}

static bool describe_backward_data(const struct sr_conv_params *p, struct sr_conv_descriptor *f)
{
	int64_t groups = p->feature_groups, in = p->in_features / groups, out = p->out_features / groups;

	*f = (struct sr_conv_descriptor){.kind = SR_CONV_BACKWARD_DATA, .spatial = p->spatial, .groups = groups};
	f->result = data_of(0, p->spatial, p->batch, p->lhs_stride[0], p->in_features, p->lhs_stride[1], p->in, p->lhs_stride + 2);
	f->weights = describe_weights(1, p->spatial, groups, p->rhs_stride[1] * out, in, p->rhs_stride[0], out, p->rhs_stride[1],
				      p->window, p->rhs_stride + 2);
	f->source = data_of(2, p->spatial, p->batch, p->out_stride[0], p->out_features, p->out_stride[1], p->out_shape, p->out_stride + 2);
	for (int d = 0; d < p->spatial; d++) {
		int64_t window_span = (p->window[d] - 1) * p->rhs_dilation[d];
		f->stride[d] = p->lhs_dilation[d], f->dilation[d] = p->rhs_dilation[d], f->pad_low[d] = window_span - p->pad_low[d];
		f->is_reversed[d] = !p->reversal[d] && p->window[d] > 1;
		f->pad_high[d] = (p->in[d] - 1) * f->stride[d] + window_span + 1 - p->out_shape[d] - f->pad_low[d];
		if (p->stride[d] != 1 || f->pad_low[d] < 0 || f->pad_high[d] + f->stride[d] <= 0)
			return false;
	}
	return p->batch_groups == 1;
}

/* Return true if every weight along dimension d is multiplied by some element of the source. Libraries do not write the gradient of
 * a weight that is multiplied only by padding. */
static bool all_weights_used(const struct sr_conv_descriptor *f, int d, int64_t weights)
{
	for (int64_t w = 0; w < weights; w++) {
		bool is_used = false;
		for (int64_t o = 0; o < f->result.dims[2 + d] && !is_used; o++) {
			int64_t x = o * f->stride[d] + w * f->dilation[d] - f->pad_low[d];
			is_used = x >= 0 && x < f->source.dims[2 + d];
		}
		if (!is_used)
			return false;
	}
	return true;
}

static bool describe_backward_weights(const struct sr_conv_params *p, struct sr_conv_descriptor *f)
{
	int64_t groups = p->batch_groups, out = p->out_features / groups;

	*f = (struct sr_conv_descriptor){.kind = SR_CONV_BACKWARD_WEIGHTS, .spatial = p->spatial, .groups = groups};
	f->source = data_of(0, p->spatial, p->in_features, p->lhs_stride[1], p->batch * groups, p->lhs_stride[0], p->in, p->lhs_stride + 2);
	f->result = data_of(1, p->spatial, p->in_features, p->rhs_stride[0], p->out_features, p->rhs_stride[1], p->window, p->rhs_stride + 2);
	f->weights = describe_weights(2, p->spatial, groups, p->out_stride[1] * out, out, p->out_stride[1], p->batch,
				      p->out_stride[0], p->out_shape, p->out_stride + 2);
	for (int d = 0; d < p->spatial; d++) {
		f->stride[d] = p->rhs_dilation[d], f->dilation[d] = p->stride[d], f->pad_low[d] = p->pad_low[d];
		if (p->lhs_dilation[d] != 1 || (p->reversal[d] && p->window[d] > 1) || !compute_padding(f, d,
				(p->out_shape[d] - 1) * p->stride[d] + 1) ||
		    !all_weights_used(f, d, p->out_shape[d]))
			return false;
	}
	return p->feature_groups == 1;
}

static int64_t shape_elements(const int64_t *shape, int rank)
{
	int64_t n = 1;

	for (int d = 0; d < rank; d++)
		n *= shape[d];
	return n;
}

static bool is_preferred_layout(const struct sr_conv_descriptor *f)
{
	return sr_conv_is_channels_last(&f->source) && sr_conv_is_channels_last(&f->result);
}

/* Return true if a convolution that has both descriptions, forward and gradient of the weights, is to be described as the gradient.
 * The description whose data is channels-last is preferred, otherwise the gradient if the window is larger than the result. */
static bool prefers_weight_gradient(const struct sr_conv_params *p, const struct sr_conv_descriptor *forward,
		const struct sr_conv_descriptor *weight_gradient)
{
	if (is_preferred_layout(forward) != is_preferred_layout(weight_gradient))
		return is_preferred_layout(weight_gradient);
	return shape_elements(p->window, p->spatial) > shape_elements(p->out_shape, p->spatial);
}

/* Insert spatial dimension d, of extent 1 (by 1), or remove it (by -1). */
static void shift_spatial_dims(struct sr_conv_params *p, int d, int by)
{
	int64_t *lists[] = {p->in, p->out_shape, p->window, p->stride, p->pad_low, p->lhs_dilation, p->rhs_dilation,
			    p->lhs_stride + 2, p->rhs_stride + 2, p->out_stride + 2};
	int from = by > 0 ? d : d + 1, n = p->spatial - from;

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		memmove(lists[i] + from + by, lists[i] + from, sizeof **lists * (size_t)n);
		if (by > 0)
			lists[i][d] = lists[i] != p->pad_low;
	}
	memmove(p->reversal + from + by, p->reversal + from, (size_t)n);
	p->reversal[d] = by < 0 && p->reversal[d];
	p->spatial += by;
}

/* Return true if each group has one channel, in a forward convolution or in the gradient of its weights. */
static bool is_depthwise(const struct sr_conv_params *p)
{
	if (p->batch_groups > 1)
		return p->feature_groups == 1 && p->batch == 1 && p->out_features == p->batch_groups;
	return p->feature_groups > 1 && p->in_features == p->feature_groups && p->out_features == p->feature_groups;
}

/* Describe a depthwise convolution of one dimension with two, as oneDNN's fast kernels require. Along the second dimension they
 * support little padding, so a dimension with a large dilation becomes the first one. They have no gradient of weights with
 * dilation. */
static void use_two_spatial_dims(struct sr_conv_params *p)
{
	enum { MAX_DILATION = 4 };
	bool has_row = p->spatial == 2 && p->in[0] == 1 && p->window[0] == 1 && p->out_shape[0] == 1 && !p->pad_low[0];
	const int64_t *dilation = p->batch_groups > 1 ? p->stride : p->rhs_dilation;
	bool is_dilated = (p->spatial == 1 || has_row) && dilation[has_row] > MAX_DILATION;

	if (is_dilated && p->batch_groups > 1)
		return;
	if (has_row && is_dilated)
		shift_spatial_dims(p, 0, -1);
	if (p->spatial == 1)
		shift_spatial_dims(p, is_dilated, 1);
}

bool sr_conv_describe(const struct sr_conv_params *params, struct sr_conv_descriptor *f)
{
	struct sr_conv_params p = *params;
	struct sr_conv_descriptor gradient;

	if (p.spatial == 0) /* a convolution without spatial dimensions is a matrix product */
		shift_spatial_dims(&p, 0, 1);
	else if (is_depthwise(&p))
		use_two_spatial_dims(&p);
	if (p.spatial > SR_CONV_SPATIAL || !p.batch || !p.in_features || !p.out_features || !shape_elements(p.in, p.spatial) ||
	    !shape_elements(p.window, p.spatial) || !shape_elements(p.out_shape, p.spatial))
		return false;
	bool is_forward = describe_forward(&p, f), is_weight_gradient = describe_backward_weights(&p, &gradient);
	if (is_weight_gradient && (!is_forward || prefers_weight_gradient(&p, f, &gradient)))
		*f = gradient;
	return is_forward || is_weight_gradient || describe_backward_data(&p, f);
}

/* Return the number of elements of the weights in a layout with channels padded to blocks of 16. */
static int64_t blocked_weight_elements(const struct sr_conv_descriptor *f)
{
	const int64_t *channels = f->weights.dims;
	int64_t n = conv_element_count(&f->weights);
	return f->groups > 1 ? n : n / (channels[0] * channels[1]) * ((channels[0] + 15) / 16 * 16) * ((channels[1] + 15) / 16 * 16);
}

/* Winograd's algorithm computes tiles of TILE x TILE results from TILE_POINTS products each. A chunk transforms the weights, in the
 * time of the products of some 10 tiles. Chunks therefore have at least MIN_TILES tiles, and GOOD_TILES if there still are
 * FEW_CHUNKS chunks for threads to share. */
enum { TILE = 4, TILE_POINTS = 36, MIN_TILES = 32, GOOD_TILES = 128, FEW_CHUNKS = 4, MIN_CHANNELS = 32, CHANNEL_BLOCK = 16 };

static int64_t tiles_of_image(const struct sr_conv_descriptor *f)
{
	return (f->result.dims[2] + TILE - 1) / TILE * ((f->result.dims[3] + TILE - 1) / TILE);
}

int64_t sr_conv_winograd_chunks(const struct sr_conv_descriptor *f)
{
	int64_t tiles = f->result.dims[0] * tiles_of_image(f), n = tiles / MIN_TILES < FEW_CHUNKS ? tiles / MIN_TILES : FEW_CHUNKS;

	n = tiles / GOOD_TILES > n ? tiles / GOOD_TILES : n;
	return n > 1 ? n : 1;
}

bool sr_conv_may_use_winograd(enum sr_dtype t, const struct sr_conv_params *p)
{
	struct sr_conv_descriptor f;

	if (t != SR_F32 || p->out != SR_F32 || !sr_conv_describe(p, &f) || f.spatial != 2 || f.groups != 1)
		return false;
	for (int d = 0; d < 2; d++) {
		if (f.weights.dims[2 + d] != 3 || f.stride[d] != 1 || f.dilation[d] != 1 || f.pad_low[d] > 1 || f.pad_high[d] > 1)
			return false;
		if (f.weights.dims[d] < MIN_CHANNELS || f.weights.dims[d] % CHANNEL_BLOCK)
			return false;
	}
	return f.result.dims[0] * tiles_of_image(&f) >= MIN_TILES;
}

/* Return an upper bound of the bytes that Winograd's algorithm needs for the largest chunk, the last one. Its arrays are aligned to
 * large pages: data and results in blocks of channels, both transformed, the transformed weights, and sums of their gradient. */
static int64_t winograd_scratch(const struct sr_conv_params *p, const struct sr_conv_descriptor *whole)
{
	enum { LARGE_PAGES = 4 << 21 };
	struct sr_kernel_chunk last;
	struct sr_conv_descriptor chunk;
	int64_t chunks = sr_kernel_chunk_count(SR_KERNEL_CONVOLUTION, p);
	sr_kernel_get_chunk(SR_KERNEL_CONVOLUTION, SR_F32, p, chunks - 1, chunks, &last);
	const struct sr_conv_descriptor *f = sr_conv_describe(&last.params.conv, &chunk) ? &chunk : whole;
	int64_t images = f->result.dims[0], in = f->source.dims[1], out = f->result.dims[1], elements = 0;

	elements += images * (in * f->source.dims[2] * f->source.dims[3] + out * f->result.dims[2] * f->result.dims[3]);
	elements += TILE_POINTS * (images * tiles_of_image(f) * (in + out) + 2 * in * out);
	return elements * (int64_t)sizeof(float) + LARGE_PAGES;
}

int64_t sr_conv_padded_row(const struct sr_conv_params *p)
{
	int d = p->spatial - 1;
	return (p->out_shape[d] - 1) * p->stride[d] + (p->window[d] - 1) * p->rhs_dilation[d] + 1;
}

bool sr_conv_is_depthwise_gradient(enum sr_dtype t, const struct sr_conv_params *p)
{
	enum { MAX_PADDING = 64, SHORT_WINDOW = 3 };
	if (t != SR_F32 || p->out != SR_F32 || p->batch_groups <= 1 || !is_depthwise(p) || p->spatial < 1 || p->spatial > 2)
		return false;
	for (int d = 0; d < p->spatial; d++)
		if (p->lhs_dilation[d] != 1 || p->reversal[d] || !p->in[d] || !p->window[d] || !p->out_shape[d])
			return false;
	int last = p->spatial - 1;
	if (p->out_shape[last] <= SHORT_WINDOW && p->lhs_stride[0] == 1) /* oneDNN is faster with channels last */
		return false;
	return sr_conv_padded_row(p) <= 2 * p->in[last] + MAX_PADDING;
}

int64_t sr_conv_depthwise_scratch(const struct sr_conv_params *p)
{
	enum { MAX_VECTOR_BYTES = 64 };
	int64_t rows = p->spatial == 2 ? p->in[0] : 1, taps = shape_elements(p->out_shape, p->spatial);
	return (rows * sr_conv_padded_row(p) + p->window[p->spatial - 1] + 2 * taps) * MAX_VECTOR_BYTES;
}

/* Return scratch bytes for the weights in blocks of 16 channels; for data converted to channels-last if it has another layout; for
 * gradients, for one image of f32 sums or transposed data; for intermediate blocks, in proportion to the data; and for
 * Winograd's algorithm. */
int64_t sr_conv_scratch(enum sr_dtype t, const struct sr_conv_params *p)
{
	enum { MAX_MARGIN = 16384, MARGIN_DIVISOR = 4 };
	struct sr_conv_descriptor f;

	if (sr_conv_is_depthwise_gradient(t, p))
		return sr_conv_depthwise_scratch(p);
	if (!sr_conv_describe(p, &f) || (t != SR_F32 && t != SR_BF16 && t != SR_I8))
		return 0;
	const struct sr_conv_tensor *data[] = {&f.source, &f.result};
	int64_t types[] = {sr_dtype_bytes(t), sr_dtype_bytes(t), sr_dtype_bytes((enum sr_dtype)p->out)};
	int64_t bytes = blocked_weight_elements(&f) * types[f.weights.buffer] * (sr_conv_has_reversal(&f) ? 2 : 1), all = 0;
	for (int i = 0; i < 2; i++)
		all += conv_element_count(data[i]) * types[data[i]->buffer];
	bytes += all / MARGIN_DIVISOR < MAX_MARGIN ? all / MARGIN_DIVISOR : MAX_MARGIN;
	for (int i = 0; i < 2; i++) {
		int64_t n = conv_element_count(data[i]);
		if (!sr_conv_is_channels_last(data[i]))
			bytes += n * types[data[i]->buffer] + 64;
		if (f.kind != SR_CONV_FORWARD)
			bytes += n / data[i]->dims[0] * (int64_t)sizeof(float);
	}
	return p->winograd ? bytes + winograd_scratch(p, &f) : bytes;
}
