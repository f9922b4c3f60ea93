/* Reference kernels of PRODUCT and CONVOLUTION for operands and results of any element types.
 *
 * Operands are converted to the widest type of the accumulator's class: integers and i1 (or, and) to 64 bits, f64 and small
 * floats to double, f32, f16 and bf16 to float, complex numbers to complex<double>. Sums are in index order and rounded to the
 * result type once. */
#include "kernels/element.h"
#include "kernels/small_product.h"
#include <stdlib.h>

/* Loaders for each accumulator class: load_* converts element i of a buffer of type t. */
#define LOADER(name, type, from) \
	static inline type name(enum sr_dtype t, const void *p, int64_t i) \
	{ \
		switch (t) { \
		from \
		default: \
			return 0; \
		} \
	}
#define CASE(id) \
	case SR_##id: \
		return load_##id(((const S_##id *)p)[i]);
#define INTEGERS \
	CASE(I1) \
	CASE(I2) CASE(I4) CASE(I8) CASE(I16) CASE(I32) CASE(I64) CASE(UI2) CASE(UI4) CASE(UI8) CASE(UI16) CASE(UI32) CASE(UI64)
#define SMALLS \
	CASE(F4E2M1FN) CASE(F6E2M3FN) CASE(F6E3M2FN) CASE(F8E3M4) CASE(F8E4M3) CASE(F8E4M3B11FNUZ) CASE(F8E4M3FN) CASE(F8E4M3FNUZ) \
	CASE(F8E5M2) CASE(F8E5M2FNUZ) CASE(F8E8M0FNU)
LOADER(load_integer, uint64_t, INTEGERS)
LOADER(load_float, float, CASE(F32) CASE(BF16) CASE(F16))
LOADER(load_double, double, CASE(F64) CASE(F32) CASE(BF16) CASE(F16) SMALLS INTEGERS)
LOADER(load_complex, sr_c128, CASE(C64) CASE(C128) CASE(F64) CASE(F32))

static void store_integer(enum sr_dtype t, void *p, int64_t i, uint64_t v)
{
	sr_element_set(t, (char *)p + i * sr_dtype_bytes(t), (int64_t)(t == SR_I1 ? v != 0 : v), (double)v, 0);
}

static void store_double(enum sr_dtype t, void *p, int64_t i, double v)
{
	sr_element_set(t, (char *)p + i * sr_dtype_bytes(t), (int64_t)v, v, 0);
}

static void store_float(enum sr_dtype t, void *p, int64_t i, float v)
{
	if (t == SR_F32)
		((float *)p)[i] = v;
	else if (t == SR_BF16)
		((uint16_t *)p)[i] = sr_f32_to_bf16(v);
	else
		store_double(t, p, i, (double)v);
}

static void store_complex(enum sr_dtype t, void *p, int64_t i, sr_c128 v)
{
	sr_element_set(t, (char *)p + i * sr_dtype_bytes(t), 0, RE(v), IM(v));
}

#define MUL(a, b) ((a) * (b))
#define PRODUCT(kind, type, mul) \
	static void product_##kind(const struct sr_product_params *p, enum sr_dtype lt, void *const *buffers, int64_t begin, \
				   int64_t end) \
	{ \
		enum sr_dtype rt = (enum sr_dtype)p->rhs; \
		int64_t out_m = sr_product_out_m(p); \
		for (int64_t row = begin; row < end; row++) { \
			int64_t b = row / p->m, m = row % p->m; \
			int64_t l = b * p->lhs_batch + m * p->lhs_m, r = b * p->rhs_batch; \
			for (int64_t n = 0; n < p->n; n++) { \
				type acc = 0; \
				for (int64_t k = 0; k < p->k; k++) { \
					type x = load_##kind(lt, buffers[0], l + k * p->lhs_k); \
					type y = load_##kind(rt, buffers[1], r + n * p->rhs_n + k * p->rhs_k); \
					acc += mul(x, y); \
				} \
				store_##kind((enum sr_dtype)p->out, buffers[2], row * out_m + n, acc); \
			} \
		} \
	}
PRODUCT(integer, uint64_t, MUL)
PRODUCT(float, float, MUL)
PRODUCT(double, double, MUL)
PRODUCT(complex, sr_c128, CMUL)

/* Operand offsets at one position in a convolution's window (reversed in the kernel if the params say so). conv_cell computes
 * them; it returns false for a position in padding or a gap of dilation. */
struct conv_cell {
	int64_t lhs, rhs;
};

static bool conv_cell(const struct sr_conv_params *p, int64_t out, int64_t cell, struct conv_cell *at)
{
	for (int d = p->spatial - 1; d >= 0; d--) {
		int64_t w = cell % p->window[d], o = out % p->out_shape[d];
		int64_t x = o * p->stride[d] + w * p->rhs_dilation[d] - p->pad_low[d];
		if (x < 0 || x % p->lhs_dilation[d] || x / p->lhs_dilation[d] >= p->in[d])
			return false;
		at->lhs += x / p->lhs_dilation[d] * p->lhs_stride[2 + d];
		at->rhs += (p->reversal[d] ? p->window[d] - 1 - w : w) * p->rhs_stride[2 + d];
		cell /= p->window[d];
		out /= p->out_shape[d];
	}
	return true;
}

static int64_t conv_out_offset(const struct sr_conv_params *p, int64_t out)
{
	int64_t at = 0;

	for (int d = p->spatial - 1; d >= 0; d--) {
		at += out % p->out_shape[d] * p->out_stride[2 + d];
		out /= p->out_shape[d];
	}
	return at;
}

static int64_t extent(const int64_t *shape, int rank)
{
	int64_t n = 1;

	for (int d = 0; d < rank; d++)
		n *= shape[d];
	return n;
}

/* Define a convolution. `batch` counts the output's batch elements; lhs has batch * batch_groups. A feature group reads its own
 * input features, a batch group its own batch elements; both divide the output features. */
#define CONVOLUTION(kind, type, mul) \
	static void convolution_##kind(const struct sr_conv_params *p, enum sr_dtype t, void *const *buffers, int64_t begin, \
				       int64_t end) \
	{ \
		int64_t n_positions = extent(p->out_shape, p->spatial), cells = extent(p->window, p->spatial); \
		int64_t features = p->in_features / p->feature_groups; \
		for (int64_t row = begin; row < end; row++) { \
			int64_t batch = row / p->out_features, feature = row % p->out_features; \
			int64_t group = feature / (p->out_features / p->feature_groups); \
			int64_t batch_group = feature / (p->out_features / p->batch_groups); \
			int64_t lhs = (batch_group * p->batch + batch) * p->lhs_stride[0] + group * features * p->lhs_stride[1]; \
			int64_t to = batch * p->out_stride[0] + feature * p->out_stride[1]; \
			for (int64_t o = 0; o < n_positions; o++) { \
				type acc = 0; \
				for (int64_t c = 0; c < cells; c++) { \
					struct conv_cell at = {lhs, feature * p->rhs_stride[1]}; \
					if (!conv_cell(p, o, c, &at)) \
						continue; \
					for (int64_t f = 0; f < features; f++) { \
						type x = load_##kind(t, buffers[0], at.lhs + f * p->lhs_stride[1]); \
						type y = load_##kind(t, buffers[1], at.rhs + f * p->rhs_stride[0]); \
						acc += mul(x, y); \
					} \
				} \
				store_##kind((enum sr_dtype)p->out, buffers[2], to + conv_out_offset(p, o), acc); \
			} \
		} \
	}
CONVOLUTION(integer, uint64_t, MUL)
CONVOLUTION(float, float, MUL)
CONVOLUTION(double, double, MUL)
CONVOLUTION(complex, sr_c128, CMUL)

/* Return true if sums of operands of this type are accumulated in float. The kernel table is indexed by the type of lhs. If the
 * result or rhs has a wider class than lhs, the sums are in double or complex. */
static bool accumulates_in_float(enum sr_dtype t)
{
	return t == SR_F32 || t == SR_BF16 || t == SR_F16;
}

void sr_product_reference(const void *params, enum sr_dtype t, void *const *buffers, int64_t begin, int64_t end)
{
	const struct sr_product_params *p = params;

	if (sr_dtype_is_complex(t) || sr_dtype_is_complex((enum sr_dtype)p->rhs))
		product_complex(p, t, buffers, begin, end);
	else if (sr_dtype_is_integer(t) && sr_dtype_is_integer((enum sr_dtype)p->rhs) && sr_dtype_is_integer((enum sr_dtype)p->out))
		product_integer(p, t, buffers, begin, end);
	else if (accumulates_in_float(t) && accumulates_in_float((enum sr_dtype)p->rhs) && p->out != SR_F64)
		product_float(p, t, buffers, begin, end);
	else
		product_double(p, t, buffers, begin, end);
}

void sr_convolution_reference(const void *params, enum sr_dtype t, void *const *buffers, int64_t begin, int64_t end)
{
	const struct sr_conv_params *p = params;

	if (sr_dtype_is_complex(t))
		convolution_complex(p, t, buffers, begin, end);
	else if (sr_dtype_is_integer(t) && sr_dtype_is_integer((enum sr_dtype)p->out))
		convolution_integer(p, t, buffers, begin, end);
	else if (accumulates_in_float(t) && p->out != SR_F64)
		convolution_float(p, t, buffers, begin, end);
	else
		convolution_double(p, t, buffers, begin, end);
}

#define DTYPE(id, name, bytes, bits, class, npy) \
	static void product_##id(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		sr_product_reference(params, SR_##id, buffers, begin, end); \
	} \
	static void convolution_##id(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		sr_convolution_reference(params, SR_##id, buffers, begin, end); \
	}
#include "support/dtypes.def"

bool sr_product_is_small(enum sr_dtype t, const struct sr_product_params *p)
{
	/* maximum number of FLOPs of a small product: more if a row of the right operand has some vectors, and all its rows are in the
	 * first-level cache while rows of the left operand are multiplied by them */
	enum { MIN_N = 16, MIN_K = 16, MAX_K = SR_PRODUCT_SUM_BLOCK, MAX_RIGHT_BYTES = 32 << 10 };
	bool is_compact = p->n >= MIN_N && p->k >= MIN_K && p->k <= MAX_K && p->k * p->n * sr_dtype_bytes(t) <= MAX_RIGHT_BYTES;
	const double max_flops = is_compact ? 1 << 21 : SR_SMALL_PRODUCT_FLOPS;
	bool is_contiguous = p->rhs_n == 1 || p->n == 1, has_float_kernel = t == SR_F32 || t == SR_F64;
	return has_float_kernel && is_contiguous && p->out == (int32_t)t && p->rhs == (int32_t)t && sr_product_out_m(p) == p->n &&
	       2.0 * (double)p->batch * (double)p->m * (double)p->n * (double)p->k <= max_flops;
}

/* Return the scratch bytes of a product: 8- and 16-bit operands are packed in blocks for the instructions that multiply them. */
int64_t sr_product_scratch(enum sr_dtype t, const struct sr_product_params *p)
{
	enum { MAX_SCRATCH = 262144 };
	bool converts_operands = sr_dtype_bytes(t) < 4 && sr_dtype_bytes((enum sr_dtype)p->out) > 1;
	double operands = 4.0 * (double)p->k * ((double)p->m + (double)p->n);

	return !converts_operands ? 0 : operands < MAX_SCRATCH ? (int64_t)operands : MAX_SCRATCH;
}

void sr_kernels_init_product(struct sr_kernels *table)
{
#define DTYPE(id, name, bytes, bits, class, npy) \
	table->fn[SR_KERNEL_PRODUCT][SR_##id] = product_##id; \
	table->fn[SR_KERNEL_CONVOLUTION][SR_##id] = convolution_##id;
#include "support/dtypes.def"
}
