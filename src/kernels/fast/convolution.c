/* CONVOLUTION of f32, bf16 and f16 without groups: the windows of a strip of output positions are laid out as a matrix in f32
 * (im2col; Chellapilla et al., High performance convolutional neural networks for document processing, 2006) and multiplied by
 * a panel of the kernel, strip and panel being blocks on the stack. Anything else goes to the reference. */
#include "kernels/element.h"
#include "kernels/fast/fast.h"
#include <string.h>

enum { PB = 128, FB = 64, KB = 256 }; /* output positions, output features, window cells * input features */

static inline float load(enum sr_dtype t, const void *p, int64_t i)
{
	if (t == SR_F32)
		return ((const float *)p)[i];
	return t == SR_BF16 ? sr_bf16_to_f32(((const uint16_t *)p)[i]) : (float)((const _Float16 *)p)[i];
}

static inline void store(enum sr_dtype t, void *p, int64_t i, float v)
{
	if (t == SR_F32)
		((float *)p)[i] = v;
	else if (t == SR_BF16)
		((uint16_t *)p)[i] = sr_f32_to_bf16(v);
	else
		((_Float16 *)p)[i] = (_Float16)v;
}

/* The lhs offset of window cell `cell` at output position `o`, -1 in padding. */
static int64_t cell_at(const struct sr_conv_params *p, int64_t o, int64_t cell)
{
	int64_t at = 0;

	for (int d = p->spatial - 1; d >= 0; d--) {
		int64_t x = o % p->out_shape[d] * p->stride[d] + cell % p->window[d] * p->rhs_dilation[d] - p->pad_low[d];
		if (x < 0 || x % p->lhs_dilation[d] || x / p->lhs_dilation[d] >= p->in[d])
			return -1;
		at += x / p->lhs_dilation[d] * p->lhs_stride[2 + d];
		o /= p->out_shape[d];
		cell /= p->window[d];
	}
	return at;
}

static int64_t strided(const int64_t *shape, const int64_t *stride, const uint8_t *reversed, int rank, int64_t i)
{
	int64_t at = 0;

	for (int d = rank - 1; d >= 0; d--) {
		int64_t x = i % shape[d];
		at += (reversed && reversed[d] ? shape[d] - 1 - x : x) * stride[d];
		i /= shape[d];
	}
	return at;
}

struct strip {
	const struct sr_conv_params *p;
	enum sr_dtype t;
	void *const *buffers;
	int64_t batch, first, positions; /* output positions */
	int64_t feature, features;       /* output features */
};

/* Columns [k, k + deep) of the window matrix, a column being (cell, input feature), and the same rows of the kernel. */
static void pack(const struct strip *s, int64_t k, int64_t deep, float *windows, float *kernel)
{
	const struct sr_conv_params *p = s->p;

	for (int64_t c = 0; c < deep; ) {
		int64_t cell = (k + c) / p->in_features, f = (k + c) % p->in_features;
		int64_t n = p->in_features - f < deep - c ? p->in_features - f : deep - c;
		int64_t rhs = strided(p->window, p->rhs_stride + 2, p->reversal, p->spatial, cell);
		for (int64_t o = 0; o < s->positions; o++) {
			int64_t at = cell_at(p, s->first + o, cell);
			float *to = windows + o * deep + c;
			for (int64_t i = 0; i < n; i++)
				to[i] = at < 0 ? 0
					       : load(s->t, s->buffers[0],
						      s->batch * p->lhs_stride[0] + at + (f + i) * p->lhs_stride[1]);
		}
		for (int64_t i = 0; i < n; i++)
			for (int64_t g = 0; g < s->features; g++)
				kernel[(c + i) * s->features + g] =
					load(s->t, s->buffers[1],
					     rhs + (f + i) * p->rhs_stride[0] + (s->feature + g) * p->rhs_stride[1]);
		c += n;
	}
}

static void run_strip(const struct strip *s)
{
	const struct sr_conv_params *p = s->p;
	float windows[PB * KB], kernel[KB * FB], out[PB * FB];
	int64_t depth = p->in_features;

	for (int d = 0; d < p->spatial; d++)
		depth *= p->window[d];
	memset(out, 0, sizeof(out));
	for (int64_t k = 0; k < depth; k += KB) {
		int64_t deep = depth - k < KB ? depth - k : KB;
		pack(s, k, deep, windows, kernel);
		sr_fast_sgemm(false, false, s->positions, s->features, deep, windows, deep, kernel, s->features, 1, out, s->features);
	}
	for (int64_t o = 0; o < s->positions; o++) {
		int64_t at = s->batch * p->out_stride[0] + strided(p->out_shape, p->out_stride + 2, NULL, p->spatial, s->first + o);
		for (int64_t g = 0; g < s->features; g++)
			store((enum sr_dtype)p->out, s->buffers[2], at + (s->feature + g) * p->out_stride[1],
			      out[o * s->features + g]);
	}
}

static void convolution(const void *params, enum sr_dtype t, void *const *buffers, int64_t begin, int64_t end)
{
	const struct sr_conv_params *p = params;
	bool known = p->out == SR_F32 || p->out == SR_BF16 || p->out == SR_F16;
	int64_t outs = 1;

	if (p->feature_groups != 1 || p->batch_groups != 1 || !known) {
		sr_convolution_reference(params, t, buffers, begin, end);
		return;
	}
	for (int d = 0; d < p->spatial; d++)
		outs *= p->out_shape[d];
	for (int64_t row = begin, n; row < end; row += n) {
		struct strip s = {
			.p = p, .t = t, .buffers = buffers, .batch = row / p->out_features, .feature = row % p->out_features};
		n = p->out_features - s.feature < end - row ? p->out_features - s.feature : end - row;
		n = n < FB ? n : FB;
		s.features = n;
		for (s.first = 0; s.first < outs; s.first += PB) {
			s.positions = outs - s.first < PB ? outs - s.first : PB;
			run_strip(&s);
		}
	}
}

#define CONVOLUTION(id) \
	static void convolution_##id(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		convolution(params, SR_##id, buffers, begin, end); \
	}
CONVOLUTION(F32)
CONVOLUTION(BF16)
CONVOLUTION(F16)

void sr_kernels_fast_convolution(struct sr_kernels *table)
{
	sr_kernels_set(table, SR_KERNEL_CONVOLUTION, SR_F32, convolution_F32);
	sr_kernels_set(table, SR_KERNEL_CONVOLUTION, SR_BF16, convolution_BF16);
	sr_kernels_set(table, SR_KERNEL_CONVOLUTION, SR_F16, convolution_F16);
}
