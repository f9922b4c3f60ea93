/* Matrix products for one instruction set. Included by a file that sets the compiler's target and defines:
 *	BYTES      bytes of a vector
 *	MAX_ROWS  rows of a register tile, which has three vectors per row
 *	STRIPS     strips of MAX_ROWS rows that are multiplied by one panel while it is in the first-level cache; 1: no blocking
 *	PANELS     panels of the right operand that are packed at a time
 *	TRANSPOSE      1: transpose operands in registers while packing
 *	READ_AHEAD      maximum bytes of operands that are read into the second-level cache beforehand; 0: off
 *	PACKS_PANELS      1: pack a panel while the one before is multiplied
 *	INIT       the registration function to define */
#define SR_SMALL_FLOATS_ARE_F32
#include "kernels/conv_descriptor.h"
#include "kernels/fast/gemm/gemm.h"
#include "kernels/fast/gemm/load_narrow.h"
#include "kernels/fast/gemm/transpose_pack.h"
#include "kernels/fast/gemm/tiny_products.h"
#include "kernels/small_product.h"
#include "support/thread.h"
#include <string.h>

enum {
	/* Block size along k, and of sums: the products of each K_BLOCK elements along k are summed in order, beginning with 0, and
	 * then these sums, which is more exact than one long sum. */
	K_BLOCK = SR_PRODUCT_SUM_BLOCK,
	/* block sizes along k if the right operand is used in place: by up to 4 rows, and by more, or if its elements have 8 bits;
	 * with shorter blocks, reading and writing the sums would take longer than the right operand */
	K_BLOCK_IN_PLACE = 16, K_BLOCK_OF_ROWS = 64,
	PACKED_DEPTH = 4,   /* elements along k of a block of b that is packed at a time */
	ROW_GROUP = 256,    /* maximum rows of a group that is multiplied by all panels before the next group */
	NARROW_MAX_K = 64,
	SHORT_ROW = 4, /* vectors in a row of a right operand that is used in place by any number of rows */
	MAX_TILE_ROWS = MAX_ROWS > 4 ? 8 : 4,
};

#define DOT_COLUMNS 3 /* columns of a block of dot products */
#define STREAMS 8     /* sequences in which a product with a vector reads the matrix */

/* What a tile does with the sums that are in its result: overwrite them, continue them, or add its own, complete sums to them. */
enum tile_mode { TILE_OVERWRITES, TILE_CONTINUES, TILE_ADDS };

/* Return the index of the smallest register tile with at least `rows` rows; tiles have 1, 2, 4 or 8. */
static inline int tile_index(int64_t rows)
{
	return rows > 4 ? 3 : rows > 2 ? 2 : (int)rows - 1;
}

#define PANEL_OF(type) (3 * BYTES / (int)sizeof(type)) /* number of columns of a panel */
/* Pack strips whose width is a compile-time constant, several neighbouring strips at a time. */
#define STRIPS_OF(id, type, length) \
	for (int64_t p = 0; p < k; p++) \
		for (int64_t s = 0; s < n / length; s++) \
			for (int i = 0; i < length; i++) \
				to[s * strip_stride + p * length + i] = (S_##type)load_##id(in[p * k_stride + s * length + i]);
/* Pack an operand of one type as elements of another type. The inner loop is the contiguous one if it can be vectorized. */
#define PACK(id, type) \
	static void pack_##id##_as_##type(const void *from, int64_t at, int64_t i_stride, int64_t k_stride, int64_t n, int64_t width, \
					  int64_t k, void *result, int64_t strip_stride) \
	{ \
		const S_##id *in = (const S_##id *)from + at; \
		S_##type *to = result; \
		bool full_strips = n % width == 0; \
		if (n < width) \
			memset(to, 0, (size_t)(k * width) * sizeof *to); \
		if (i_stride == 1 && full_strips && width == PANEL_OF(S_##type)) { \
			STRIPS_OF(id, type, PANEL_OF(S_##type)) \
		} else if (i_stride == 1 && full_strips && width == MAX_ROWS) { \
			STRIPS_OF(id, type, MAX_ROWS) \
		} else if (i_stride == 1 && n <= width) { \
			for (int64_t p = 0; p < k; p++) \
				for (int64_t i = 0; i < n; i++) \
					to[p * width + i] = (S_##type)load_##id(in[p * k_stride + i]); \
		} else { \
			for (int64_t i = 0; i < n; i++) { \
				S_##type *column = to + i / width * strip_stride + i % width; \
				for (int64_t p = 0; p < k; p++) \
					column[p * width] = (S_##type)load_##id(in[p * k_stride + i * i_stride]); \
			} \
		} \
	}
/* Store a block of results of one type as elements of another type. */
#define STORE_AS(id, type) \
	static void store_##id##_of_##type(const void *from, int64_t from_m, int64_t rows, int64_t cols, void *to, int64_t at, \
					   int64_t to_m, int64_t to_n) \
	{ \
		const S_##type *in = from; \
		S_##id *out = (S_##id *)to + at; \
		for (int64_t r = 0; r < rows; r++) \
			if (to_n == 1) \
				for (int64_t c = 0; c < cols; c++) \
					out[r * to_m + c] = store_##id((T_##id)in[r * from_m + c]); \
			else \
				for (int64_t c = 0; c < cols; c++) \
					out[r * to_m + c * to_n] = store_##id((T_##id)in[r * from_m + c]); \
	}
#define BOTH(id, type) PACK(id, type) STORE_AS(id, type)
#define INTEGERS_8(f, type) f(I2, type) f(I4, type) f(I8, type) f(UI2, type) f(UI4, type) f(UI8, type)
#define INTEGERS(f, type) INTEGERS_8(f, type) f(I16, type) f(I32, type) f(UI16, type) f(UI32, type)
#define SMALLS(f, ...) \
	f(F4E2M1FN, ##__VA_ARGS__) f(F6E2M3FN, ##__VA_ARGS__) f(F6E3M2FN, ##__VA_ARGS__) f(F8E3M4, ##__VA_ARGS__) f(F8E4M3, ##__VA_ARGS__) \
	f(F8E4M3B11FNUZ, ##__VA_ARGS__) f(F8E4M3FN, ##__VA_ARGS__) f(F8E4M3FNUZ, ##__VA_ARGS__) f(F8E5M2, ##__VA_ARGS__) \
	f(F8E5M2FNUZ, ##__VA_ARGS__) f(F8E8M0FNU, ##__VA_ARGS__)
#define FLOATS(f, type) f(F32, type) f(F16, type) f(BF16, type) SMALLS(f, type)
FLOATS(BOTH, F32)
INTEGERS_8(PACK, F32)
BOTH(F64, F64)
INTEGERS(BOTH, UI32)
INTEGERS(PACK, UI64)
BOTH(I64, UI64)
BOTH(UI64, UI64)

#define TYPE F32
#define READS_NARROW_TYPES 1
#include "kernels/fast/gemm/type_body.h"
#undef READS_NARROW_TYPES
#undef TYPE
#define READS_NARROW_TYPES 0
#define TYPE F64
#include "kernels/fast/gemm/type_body.h"
#undef TYPE
#define TYPE UI32
#include "kernels/fast/gemm/type_body.h"
#undef TYPE
#define TYPE UI64
#include "kernels/fast/gemm/type_body.h"
#undef TYPE

#include "kernels/fast/gemm/depthwise_body.h"

#define PACK_ENTRY(id, type) [SR_##id] = pack_##id##_as_##type,
#define STORE_ENTRY(id, type) [SR_##id] = store_##id##_of_##type,
#define SCRATCH(id) (PACKED_##id + STRIP_##id) * (int64_t)sizeof(S_##id)
static const struct sr_gemm_code code_F32 = {
	multiply_F32, SCRATCH(F32), pack_left_F32, narrow_F32, {[SR_F32] = true},
	{FLOATS(PACK_ENTRY, F32) INTEGERS_8(PACK_ENTRY, F32)},
	{FLOATS(STORE_ENTRY, F32)},
	{[SR_BF16] = true, [SR_F16] = HAS_F16_LANES, [SR_I8] = true, [SR_UI8] = true}, SR_F32, BYTES / sizeof(S_F32)};
static const struct sr_gemm_code code_F64 = {
	multiply_F64, SCRATCH(F64), pack_left_F64, narrow_F64, {[SR_F64] = true}, {PACK_ENTRY(F64, F64)}, {STORE_ENTRY(F64, F64)},
	{false}, SR_F64, BYTES / sizeof(S_F64)};
static const struct sr_gemm_code code_UI32 = {
	multiply_UI32, SCRATCH(UI32), pack_left_UI32, narrow_UI32, {[SR_I32] = true, [SR_UI32] = true},
	{INTEGERS(PACK_ENTRY, UI32)},
	{INTEGERS(STORE_ENTRY, UI32)}, {false}, SR_UI32, BYTES / sizeof(S_UI32)};
static const struct sr_gemm_code code_UI64 = {
	multiply_UI64, SCRATCH(UI64), pack_left_UI64, narrow_UI64, {[SR_I64] = true, [SR_UI64] = true},
	{INTEGERS(PACK_ENTRY, UI64) PACK_ENTRY(I64, UI64) PACK_ENTRY(UI64, UI64)},
	{STORE_ENTRY(I64, UI64) STORE_ENTRY(UI64, UI64)}, {false}, SR_UI64, BYTES / sizeof(S_UI64)};

/* Return the first implementation that supports both operand types and the result type. A float result of two integers is summed
 * in double, which the reference does. */
static const struct sr_gemm_code *const codes[] = {&code_F32, &code_F64, &code_UI32, &code_UI64};

static const struct sr_gemm_code *find_code(enum sr_dtype lhs, enum sr_dtype rhs, enum sr_dtype out)
{
	if (sr_dtype_is_float(out) && !sr_dtype_is_float(lhs) && !sr_dtype_is_float(rhs))
		return NULL;
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (codes[i]->pack[lhs] && codes[i]->pack[rhs] && codes[i]->store[out])
			return codes[i];
	return NULL;
}

/* Return true for matrix products with a single element type whose right operands have few columns: in a batch at most one vector,
 * otherwise a quarter of one. */
static bool is_narrow(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p)
{
	bool own = code->own[t] && code->own[p->rhs] && code->own[p->out];
	bool is_narrow_matrix = p->n > 1 && 4 * p->n * sr_dtype_bytes(t) <= BYTES;
	return own && (p->batch > 1 || is_narrow_matrix) && p->k <= NARROW_MAX_K && p->n * sr_dtype_bytes(t) <= BYTES &&
	       p->m > 0 && p->n > 0 && sr_product_out_m(p) == p->n;
}

/* Kernels that compute products with a vector, by element type: those of BLAS, which are registered earlier. */
/* function pointers, equal for all kernel tables, so that several threads may store them at once */
static sr_kernel_fn *_Atomic matrix_vector_kernels[SR_DTYPE_COUNT];
#define VECTOR_FN(id) sr_relaxed_load(matrix_vector_kernels[SR_##id])

#if SR_HAS_MULTIPLY_ADD
SR_MULTIPLY_ADD_FUSED
#else
SR_MULTIPLY_ADD_PLAIN
#endif
SR_DOT

/* Compute rows [begin, end) of a small matrix-vector product. The vector and the rows of the matrix are contiguous. Loops for each
 * range of k keep the masks of its last vectors in registers. */
#define DOTS(id, type) \
	static inline __attribute__((always_inline)) void dots_of_##id(const type *restrict x, int64_t stride, \
			const type *restrict y, type *restrict out, int64_t n, int64_t above, int64_t k, int64_t most) \
	{ \
		if (k <= above || k > most) \
			__builtin_unreachable(); \
		for (int64_t i = 0; i < n; i++) \
			out[i] = dot_##id(x + i * stride, y, k); \
	} \
	static void dots_##id(const struct sr_product_params *p, void *const *buffers, int64_t begin, int64_t end) \
	{ \
		for (int64_t row = begin, rows; row < end; row += rows) { \
			int64_t b = row / p->m, m = row % p->m; \
			const type *x = (const type *)buffers[0] + b * p->lhs_batch + m * p->lhs_m; \
			const type *y = (const type *)buffers[1] + b * p->rhs_batch; \
			type *out = (type *)buffers[2] + row; \
			rows = p->m - m < end - row ? p->m - m : end - row; \
			if (p->k <= 16) \
				dots_of_##id(x, p->lhs_m, y, out, rows, INT64_MIN, p->k, 16); \
			else if (p->k <= 32) \
				dots_of_##id(x, p->lhs_m, y, out, rows, 16, p->k, 32); \
			else if (p->k <= 64) \
				dots_of_##id(x, p->lhs_m, y, out, rows, 32, p->k, 64); \
			else \
				dots_of_##id(x, p->lhs_m, y, out, rows, 64, p->k, INT64_MAX); \
		} \
	}
DOTS(F32, float)
DOTS(F64, double)

/* Compute a small product with the order of sums that compiled loops have. Returns false for products that are not small. */
static bool small_product(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p, void *const *buffers,
			  void *scratch, int64_t begin, int64_t end)
{
	if (!sr_product_is_small(t, p))
		return false;
	if (p->n == 1 && p->lhs_k == 1 && p->rhs_k == 1)
		(t == SR_F32 ? dots_F32 : dots_F64)(p, buffers, begin, end);
	else if (is_narrow(code, t, p))
		code->narrow(p, buffers, begin, end);
	else
		sr_gemm_product(code, t, p, buffers, scratch, begin, end);
	return true;
}

/* Return true for a product with a vector that BLAS computes. It does not compute products that are split by columns
 * (kernel_chunk.c), whose elements must not depend on the split. */
static bool is_for_blas(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p)
{
	enum { MAX_COLUMNS = 256 };
	bool is_vector = p->n == 1 || (p->m == 1 && p->n <= MAX_COLUMNS), has_rows = sr_product_out_m(p) == p->n;
	bool is_own = code && (sr_gemm_multiplies_by_dots(code, t, p) || sr_gemm_multiplies_transposed(code, p) ||
			       sr_gemm_multiplies_by_streams(code, t, p));
	return is_vector && has_rows && (enum sr_dtype)p->rhs == t && !is_own;
}

#define ENTRY(id) \
	static void product_##id(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		const struct sr_product_params *p = params; \
		const struct sr_gemm_code *code = find_code(SR_##id, (enum sr_dtype)p->rhs, (enum sr_dtype)p->out); \
		if (code && sr_dtype_is_float(SR_##id) && small_product(code, SR_##id, p, buffers, scratch, begin, end)) \
			return; \
		if (code && is_narrow(code, SR_##id, p)) \
			code->narrow(p, buffers, begin, end); \
		else if (VECTOR_FN(id) && is_for_blas(code, SR_##id, p)) \
			VECTOR_FN(id)(params, buffers, scratch, begin, end); \
		else if (code) \
			sr_gemm_product(code, SR_##id, p, buffers, scratch, begin, end); \
		else \
			sr_product_reference(params, SR_##id, buffers, begin, end); \
	} \
	static void convolution_##id(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		const struct sr_conv_params *p = params; \
		const struct sr_gemm_code *code = find_code(SR_##id, SR_##id, (enum sr_dtype)p->out); \
		if (sr_conv_is_depthwise_gradient(SR_##id, p)) \
			depthwise_gradient(p, buffers, scratch, begin, end); \
		else if (!code || !sr_gemm_convolution(code, SR_##id, p, buffers, scratch, begin, end)) \
			sr_convolution_reference(params, SR_##id, buffers, begin, end); \
	}
#define EACH_ENTRY(f) \
	f(F32) f(F16) f(BF16) f(F64) f(I2) f(I4) f(I8) f(I16) f(I32) f(I64) f(UI2) f(UI4) f(UI8) f(UI16) f(UI32) f(UI64) \
	SMALLS(f)
EACH_ENTRY(ENTRY)

static int64_t product_scratch(enum sr_dtype t, const void *params)
{
	const struct sr_product_params *p = params;
	const struct sr_gemm_code *code = find_code(t, (enum sr_dtype)p->rhs, (enum sr_dtype)p->out);
	return code ? sr_gemm_product_scratch(code, t, p) : 0;
}

static int64_t convolution_scratch(enum sr_dtype t, const void *params)
{
	if (sr_conv_is_depthwise_gradient(t, params))
		return sr_conv_depthwise_scratch(params);
	const struct sr_gemm_code *code = find_code(t, t, (enum sr_dtype)((const struct sr_conv_params *)params)->out);
	return code ? sr_gemm_convolution_scratch(code) : 0;
}

void INIT(struct sr_kernels *table)
{
	table->scratch[SR_KERNEL_PRODUCT] = product_scratch;
	table->scratch[SR_KERNEL_CONVOLUTION] = convolution_scratch;

#define SET(id) \
	if (SR_##id == SR_F32 || SR_##id == SR_F64) \
		sr_relaxed_store(matrix_vector_kernels[SR_##id], table->fn[SR_KERNEL_PRODUCT][SR_##id]); \
	sr_kernels_set(table, SR_KERNEL_PRODUCT, SR_##id, product_##id); \
	sr_kernels_set(table, SR_KERNEL_CONVOLUTION, SR_##id, convolution_##id);
	EACH_ENTRY(SET)
}
