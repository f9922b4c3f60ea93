/* The gradient of a depthwise convolution's weights in f32: for each channel and each tap, an element of the window, the sum of
 * the products of data and gradients, x[y * step + tap] * g[y]. A vector has one channel per lane. The rows of an image are packed
 * with their padding, so that the innermost loop, over a row, has no conditions: it reads an element of g, and adds its products to
 * the sums of up to MAX_TAPS taps, which it keeps in registers. Rows have sums of their own, which are added to those of the image,
 * and these to the result, so that sums are short. Included by code.h. */
typedef float lanes_of_channels __attribute__((vector_size(BYTES), aligned(sizeof(float)), may_alias));
enum { CHANNELS = BYTES / (int)sizeof(float), MAX_TAPS = 8 };

/* A spatial dimension: extents of the data, of the gradients and of the window; elements of the data from one tap to the next, and
 * from one gradient to the next; elements of the data before which the window begins; strides. */
struct depthwise_dim {
	int64_t in, gradients, taps, tap_step, step, pad_low;
	int64_t lhs_stride, rhs_stride, out_stride;
};

/* Add the products of a row to the sums of TAPS neighbouring taps. Few taps have several sums each, since an addition must wait for
 * the one before. */
#define ADD_ROW(TAPS) \
	static void add_row_##TAPS(const float *x, int64_t step, int64_t tap_step, const float *g, int64_t n, float *restrict out) \
	{ \
		enum { SUMS = TAPS > 4 ? 1 : TAPS > 2 ? 2 : 4 }; \
		lanes_of_channels sums[SUMS][TAPS] = {{{0}}}; \
		int64_t i = 0; \
		for (; i + SUMS <= n; i += SUMS) { \
			_Pragma("GCC unroll 8") \
			for (int s = 0; s < SUMS; s++) { \
				lanes_of_channels gradient = *(const lanes_of_channels *)(g + (i + s) * CHANNELS); \
				_Pragma("GCC unroll 8") \
				for (int t = 0; t < TAPS; t++) \
					sums[s][t] += gradient * *(const lanes_of_channels *)(x + (i + s) * step + t * tap_step); \
			} \
		} \
		for (; i < n; i++) { \
			_Pragma("GCC unroll 8") \
			for (int t = 0; t < TAPS; t++) \
				sums[0][t] += *(const lanes_of_channels *)(g + i * CHANNELS) * \
					      *(const lanes_of_channels *)(x + i * step + t * tap_step); \
		} \
		_Pragma("GCC unroll 8") \
		for (int t = 0; t < TAPS; t++) { \
			_Pragma("GCC unroll 8") \
			for (int s = 1; s < SUMS; s++) \
				sums[0][t] += sums[s][t]; \
			*(lanes_of_channels *)(out + t * CHANNELS) += sums[0][t]; \
		} \
	}
ADD_ROW(1)
ADD_ROW(2)
ADD_ROW(3)
ADD_ROW(4)
ADD_ROW(5)
ADD_ROW(6)
ADD_ROW(7)
ADD_ROW(8)
#undef ADD_ROW

typedef void add_row_fn(const float *x, int64_t step, int64_t tap_step, const float *g, int64_t n, float *restrict out);
static add_row_fn *const add_row[MAX_TAPS] = {add_row_1, add_row_2, add_row_3, add_row_4,
					      add_row_5, add_row_6, add_row_7, add_row_8};

/* Pack n elements of n_channels channels; other lanes are 0. */
static void pack_elements(const float *x, int64_t channel_stride, int64_t stride, int64_t n_channels, int64_t n, float *to)
{
	if (channel_stride == 1 && n_channels == CHANNELS)
		for (int64_t i = 0; i < n; i++)
			*(lanes_of_channels *)(to + i * CHANNELS) = *(const lanes_of_channels *)(x + i * stride);
	else
		pack_F32(SR_F32, x, 0, channel_stride, stride, n_channels, CHANNELS, n, to, 0);
}

/* Pack a row of n_channels channels with its padding. */
static void pack_padded_row(const float *x, int64_t channel_stride, int64_t n_channels, const struct depthwise_dim *d, int64_t n,
			    float *to)
{
	int64_t first = d->pad_low < n ? d->pad_low : n, begin = first > 0 ? first : 0;
	int64_t end = d->pad_low + d->in < n ? d->pad_low + d->in : n;
	end = end > begin ? end : begin;
	memset(to, 0, (size_t)(begin * CHANNELS) * sizeof *to);
	pack_elements(x + (begin - d->pad_low) * d->lhs_stride, channel_stride, d->lhs_stride, n_channels, end - begin,
		      to + begin * CHANNELS);
	memset(to + end * CHANNELS, 0, (size_t)((n - end) * CHANNELS) * sizeof *to);
}

/* Add the products of a row of gradients to the sums of all taps. */
static void add_row_of_gradients(const struct depthwise_dim d[2], int64_t y, const float *image, int64_t row,
				 const float *gradients, float *sums)
{
	int64_t n_groups = (d[1].taps + MAX_TAPS - 1) / MAX_TAPS;
	for (int64_t tap = 0; tap < d[0].taps; tap++) {
		int64_t in = y * d[0].step + tap * d[0].tap_step - d[0].pad_low;
		if (in < 0 || in >= d[0].in)
			continue;
		for (int64_t k = 0, first = 0, end; k < n_groups; k++, first = end) { /* the groups of taps are nearly equal */
			end = d[1].taps * (k + 1) / n_groups;
			add_row[end - first - 1](image + (in * row + first * d[1].tap_step) * CHANNELS, d[1].step * CHANNELS,
						 d[1].tap_step * CHANNELS, gradients, d[1].gradients,
						 sums + (tap * d[1].taps + first) * CHANNELS);
		}
	}
}

/* Compute channels [first, first + n) of the gradient; n <= CHANNELS. */
static void depthwise_channels(const struct sr_conv_params *p, const struct depthwise_dim d[2], void *const *buffers,
			       float *scratch, int64_t first, int64_t n)
{
	int64_t n_sums = d[0].taps * d[1].taps * CHANNELS, row = sr_conv_padded_row(p);
	float *totals = scratch, *sums = totals + n_sums, *gradients = sums + n_sums;
	float *image = gradients + d[1].gradients * CHANNELS, *out = (float *)buffers[2] + first * p->out_stride[1];

	memset(totals, 0, (size_t)n_sums * sizeof *totals);
	for (int64_t i = 0; i < p->in_features; i++) {
		const float *x = (const float *)buffers[0] + first * p->lhs_stride[0] + i * p->lhs_stride[1];
		const float *g = (const float *)buffers[1] + first * p->rhs_stride[1] + i * p->rhs_stride[0];
		for (int64_t y = 0; y < d[0].in; y++)
			pack_padded_row(x + y * d[0].lhs_stride, p->lhs_stride[0], n, &d[1], row,
					image + y * row * CHANNELS);
		memset(sums, 0, (size_t)n_sums * sizeof *sums);
		for (int64_t y = 0; y < d[0].gradients; y++) {
			pack_elements(g + y * d[0].rhs_stride, p->rhs_stride[1], d[1].rhs_stride, n, d[1].gradients, gradients);
			add_row_of_gradients(d, y, image, row, gradients, sums);
		}
		for (int64_t k = 0; k < n_sums; k++)
			totals[k] += sums[k];
	}
	for (int64_t tap = 0; tap < d[0].taps * d[1].taps; tap++)
		for (int64_t c = 0; c < n; c++)
			out[tap / d[1].taps * d[0].out_stride + tap % d[1].taps * d[1].out_stride + c * p->out_stride[1]] =
			    totals[tap * CHANNELS + c];
}

/* Describe the dimensions; a convolution of one dimension has one row. */
static void describe_depthwise(const struct sr_conv_params *p, struct depthwise_dim d[2])
{
	d[0] = (struct depthwise_dim){1, 1, 1, 1, 1, 0, 0, 0, 0};
	for (int from = 0; from < p->spatial; from++)
		d[from + 2 - p->spatial] = (struct depthwise_dim){
		    p->in[from], p->window[from], p->out_shape[from], p->stride[from], p->rhs_dilation[from], p->pad_low[from],
		    p->lhs_stride[2 + from], p->rhs_stride[2 + from], p->out_stride[2 + from]};
}

static void depthwise_gradient(const struct sr_conv_params *p, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	struct depthwise_dim d[2];
	describe_depthwise(p, d);
	for (int64_t c = begin; c < end; c += CHANNELS)
		depthwise_channels(p, d, buffers, scratch, c, end - c < CHANNELS ? end - c : CHANNELS);
}
