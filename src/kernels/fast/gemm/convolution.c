/* CONVOLUTION by matrix multiplication: the windows of a block of output positions are copied into a matrix (im2col; Chellapilla
 * et al., High performance convolutional neural networks for document processing, 2006), which is multiplied by the kernel's
 * weights, block by block in scratch. */
#include "kernels/conv_descriptor.h"
#include "kernels/fast/gemm/gemm.h"
#include <string.h>

enum { POSITIONS = SR_CONV_BLOCK_POSITIONS, FEATURES = SR_CONV_BLOCK_FEATURES, K_BLOCK = SR_CONV_BLOCK_DEPTH };

static int64_t offset_of_index(const int64_t *shape, const int64_t *stride, const uint8_t *reversed, int rank, int64_t i)
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
	const struct sr_gemm_code *code;
	const struct sr_conv_params *p;
	enum sr_dtype t, own;
	void *const *buffers;
	char *scratch;
	int64_t lhs, inputs; /* lhs offset of the first element of the image's group; number of the group's input features */
	/* offset of the image in the result; first output position of the block and number of positions */
	int64_t out, first, positions;
	int64_t feature, features;       /* first output feature of the block and number of features */
	int64_t corner[POSITIONS][SR_KERNEL_MAX_RANK]; /* per position and dimension: input index of the window's first element */
};

static void find_window_corners(struct strip *s)
{
	for (int64_t i = 0; i < s->positions; i++)
		for (int64_t d = s->p->spatial - 1, o = s->first + i; d >= 0; o /= s->p->out_shape[d--])
			s->corner[i][d] = o % s->p->out_shape[d] * s->p->stride[d] - s->p->pad_low[d];
}

/* Return the lhs offset of element `cell_index` of the window at `corner`; -1 if the element is in padding or in a gap of the
 * dilation. */
static int64_t cell_offset(const struct sr_conv_params *p, const int64_t *corner, const int64_t *cell_index)
{
	int64_t at = 0;

	for (int d = 0; d < p->spatial; d++) {
		int64_t x = corner[d] + cell_index[d];
		if (x < 0 || (p->lhs_dilation[d] > 1 && x % p->lhs_dilation[d]))
			return -1;
		x = p->lhs_dilation[d] > 1 ? x / p->lhs_dilation[d] : x;
		if (x >= p->in[d])
			return -1;
		at += x * p->lhs_stride[2 + d];
	}
	return at;
}

/* Pack columns [k, k + depth) of the window matrix and the same rows of the weights. Each column is for one window element and one
 * input feature. */
static void pack_block(const struct strip *s, int64_t k, int64_t depth_block, char *windows, char *kernel)
{
	const struct sr_conv_params *p = s->p;
	int64_t bytes = sr_dtype_bytes(s->own);
	sr_gemm_pack_fn *pack = s->code->pack[s->t];

	for (int64_t c = 0; c < depth_block;) {
		int64_t cell = (k + c) / s->inputs, f = (k + c) % s->inputs;
		int64_t n = s->inputs - f < depth_block - c ? s->inputs - f : depth_block - c;
		int64_t cell_index[SR_KERNEL_MAX_RANK];
		for (int64_t d = p->spatial - 1, rest_of_cell = cell; d >= 0; rest_of_cell /= p->window[d--])
			cell_index[d] = rest_of_cell % p->window[d] * p->rhs_dilation[d];
		int64_t rhs = offset_of_index(p->window, p->rhs_stride + 2, p->reversal, p->spatial, cell);
		for (int64_t o = 0; o < s->positions; o++) {
			int64_t at = cell_offset(p, s->corner[o], cell_index);
			char *to = windows + (o * depth_block + c) * bytes;
			if (at < 0)
				memset(to, 0, (size_t)(n * bytes));
			else
				pack(s->buffers[0], s->lhs + at + f * p->lhs_stride[1], p->lhs_stride[1], 0, n, n, 1, to, 0);
		}
		pack(s->buffers[1], rhs + f * p->rhs_stride[0] + s->feature * p->rhs_stride[1], p->rhs_stride[1],
		     p->rhs_stride[0], s->features,
		     s->features, n, kernel + c * s->features * bytes, 0);
		c += n;
	}
}

/* Blocks in scratch, after the scratch of the matrix multiplication: windows, weights, and results. */
struct blocks {
	double windows[POSITIONS * K_BLOCK], kernel[K_BLOCK * FEATURES], out[POSITIONS * FEATURES];
};

int64_t sr_gemm_convolution_scratch(const struct sr_gemm_code *code)
{
	return code->scratch + (int64_t)sizeof(struct blocks);
}

static void run_strip(struct strip *s)
{
	const struct sr_conv_params *p = s->p;
	struct blocks *b = (struct blocks *)(void *)(s->scratch + s->code->scratch);
	int64_t depth = s->inputs;

	for (int d = 0; d < p->spatial; d++)
		depth *= p->window[d];
	find_window_corners(s);
	struct sr_gemm g = {.m = s->positions, .n = s->features, .a_type = s->own, .b_type = s->own, .a = b->windows,
			    .b = b->kernel, .a_k = 1, .b_k = s->features, .b_n = 1, .c = b->out, .c_m = s->features, .scratch = s->scratch};
	for (int64_t k = 0; k < depth || !k; k += K_BLOCK, g.accumulates = true) {
		g.k = g.a_m = depth - k < K_BLOCK ? depth - k : K_BLOCK;
		pack_block(s, k, g.k, (char *)b->windows, (char *)b->kernel);
		s->code->multiply(&g);
	}
	for (int64_t o = 0; o < s->positions; o++) {
		int64_t at = s->out + offset_of_index(p->out_shape, p->out_stride + 2, NULL, p->spatial, s->first + o);
		s->code->store[p->out]((char *)b->out + o * s->features * sr_dtype_bytes(s->own), s->features, 1, s->features,
				       s->buffers[2],
				       at + s->feature * p->out_stride[1], 0, p->out_stride[1]);
	}
}

static enum sr_dtype computation_type(const struct sr_gemm_code *code)
{
	int t = SR_DTYPE_NONE;
	while (!code->own[t])
		t++;
	return (enum sr_dtype)t;
}

bool sr_gemm_convolution(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_conv_params *p, void *const *buffers,
			 void *scratch, int64_t begin, int64_t end)
{
	int64_t n_positions = 1, group = p->out_features / p->feature_groups;

	if (p->batch_groups != 1 || group <= 0)
		return false;
	for (int d = 0; d < p->spatial; d++)
		n_positions *= p->out_shape[d];
	for (int64_t row = begin, n; row < end; row += n) {
		int64_t image = row / p->out_features, feature = row % p->out_features;
		struct strip s = {.code = code, .p = p, .t = t, .own = computation_type(code), .buffers = buffers,
				.scratch = scratch,
				  .inputs = p->in_features / p->feature_groups, .feature = feature,
					  .out = image * p->out_stride[0]};
		s.lhs = image * p->lhs_stride[0] + feature / group * s.inputs * p->lhs_stride[1];
		n = group - feature % group;
		n = n < end - row ? n : end - row;
		s.features = n = n < FEATURES ? n : FEATURES;
		for (s.first = 0; s.first < n_positions; s.first += POSITIONS) {
			s.positions = n_positions - s.first < POSITIONS ? n_positions - s.first : POSITIONS;
			run_strip(&s);
		}
	}
	return true;
}
