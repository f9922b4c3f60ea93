/* Products for one instruction set: included by a file that sets the target and defines BYTES of a vector, MOST_ROWS of a tile
 * (the registers hold three vectors of each), STRIPS of so many rows that go through a panel while the first cache holds it (1: it
 * does not), PANELS of the right operand that are in order at once, whether it TURNS lines in registers, how many bytes of operands
 * come AHEAD, and INIT, the function to make. */
#include "kernels/fast/gemm/gemm.h"
#include "kernels/fast/gemm/transpose_pack.h"
#include "support/thread.h"
#include <string.h>

enum {
	DEEP = 256, /* of k at once */
	FEW = 16,   /* of k at once, where the right operand stands */
	NARROW_DEEP = 64,
};

/* Of the tiles: those of 1, 2, 4, 8 rows. */
static inline int size_of(int64_t rows)
{
	return rows > 4 ? 3 : rows > 2 ? 2 : (int)rows - 1;
}

#define PANEL_OF(type) (3 * BYTES / (int)sizeof(type)) /* columns of a panel */
/* Strips of a length that is known here, as many lines of all of them as lie together. */
#define STRIPS_OF(id, type, length) \
	for (int64_t p = 0; p < k; p++) \
		for (int64_t s = 0; s < n / length; s++) \
			for (int i = 0; i < length; i++) \
				to[s * apart + p * length + i] = (S_##type)load_##id(in[p * along + s * length + i]);
/* Reading elements of one type as another's. The longer way through memory is the inner loop where it can be a vector. */
#define PACK(id, type) \
	static void pack_##id##_as_##type(const void *from, int64_t at, int64_t across, int64_t along, int64_t n, int64_t width, \
					  int64_t k, void *result, int64_t apart) \
	{ \
		const S_##id *in = (const S_##id *)from + at; \
		S_##type *to = result; \
		bool whole = n % width == 0; \
		if (n < width) \
			memset(to, 0, (size_t)(k * width) * sizeof *to); \
		if (across == 1 && whole && width == PANEL_OF(S_##type)) { \
			STRIPS_OF(id, type, PANEL_OF(S_##type)) \
		} else if (across == 1 && whole && width == MOST_ROWS) { \
			STRIPS_OF(id, type, MOST_ROWS) \
		} else if (across == 1 && n <= width) { \
			for (int64_t p = 0; p < k; p++) \
				for (int64_t i = 0; i < n; i++) \
					to[p * width + i] = (S_##type)load_##id(in[p * along + i]); \
		} else { \
			for (int64_t i = 0; i < n; i++) { \
				S_##type *column = to + i / width * apart + i % width; \
				for (int64_t p = 0; p < k; p++) \
					column[p * width] = (S_##type)load_##id(in[p * along + i * across]); \
			} \
		} \
	}
/* A result of one type as another. */
#define KEEP(id, type) \
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
#define BOTH(id, type) PACK(id, type) KEEP(id, type)
#define INTEGERS(f, type) \
	f(I2, type) f(I4, type) f(I8, type) f(I16, type) f(I32, type) f(UI2, type) f(UI4, type) f(UI8, type) \
	f(UI16, type) f(UI32, type)
#define FLOATS(f, type) f(F32, type) f(F16, type) f(BF16, type)
FLOATS(BOTH, F32)
BOTH(F64, F64)
INTEGERS(BOTH, UI32)
INTEGERS(PACK, UI64)
BOTH(I64, UI64)
BOTH(UI64, UI64)

#define TYPE F32
#include "kernels/fast/gemm/type_body.h"
#undef TYPE
#define TYPE F64
#include "kernels/fast/gemm/type_body.h"
#undef TYPE
#define TYPE UI32
#include "kernels/fast/gemm/type_body.h"
#undef TYPE
#define TYPE UI64
#include "kernels/fast/gemm/type_body.h"
#undef TYPE

#define READS(id, type) [SR_##id] = pack_##id##_as_##type,
#define KEEPS(id, type) [SR_##id] = store_##id##_of_##type,
#define SCRATCH(id) (ROOM_##id + STRIP_##id) * (int64_t)sizeof(S_##id)
static const struct sr_gemm_code code_F32 = {multiply_F32, SCRATCH(F32), narrow_F32, {[SR_F32] = true},
					     {FLOATS(READS, F32)}, {FLOATS(KEEPS, F32)}};
static const struct sr_gemm_code code_F64 = {multiply_F64, SCRATCH(F64), narrow_F64, {[SR_F64] = true}, {READS(F64, F64)},
	{KEEPS(F64, F64)}};
static const struct sr_gemm_code code_UI32 = {
	multiply_UI32, SCRATCH(UI32), narrow_UI32, {[SR_I32] = true, [SR_UI32] = true}, {INTEGERS(READS, UI32)},
	{INTEGERS(KEEPS, UI32)}};
static const struct sr_gemm_code code_UI64 = {multiply_UI64, SCRATCH(UI64), narrow_UI64,
					      {[SR_I64] = true, [SR_UI64] = true},
					      {INTEGERS(READS, UI64) READS(I64, UI64) READS(UI64, UI64)},
					      {KEEPS(I64, UI64) KEEPS(UI64, UI64)}};

/* The first that reads the operands and makes the result. */
static const struct sr_gemm_code *const codes[] = {&code_F32, &code_F64, &code_UI32, &code_UI64};

static const struct sr_gemm_code *code_for(enum sr_dtype lhs, enum sr_dtype rhs, enum sr_dtype out)
{
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (codes[i]->pack[lhs] && codes[i]->pack[rhs] && codes[i]->store[out])
			return codes[i];
	return NULL;
}

/* Many products of a vector's columns, in one type. */
static bool is_narrow(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p)
{
	bool own = code->own[t] && code->own[p->rhs] && code->own[p->out];
	return own && p->batch > 1 && p->k <= NARROW_DEEP && p->n * sr_dtype_bytes(t) <= BYTES && p->m > 0 && p->n > 0 &&
	       sr_product_out_m(p) == p->n;
}

/* What was registered before takes vectors: the reference, or BLAS. */
static sr_kernel_fn *_Atomic vectors[SR_DTYPE_COUNT]; /* equal for all tables, whichever thread fills one */
#define VECTOR_FN(id) sr_relaxed_load(vectors[SR_##id])

#define ENTRY(id) \
	static void product_##id(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		const struct sr_product_params *p = params; \
		const struct sr_gemm_code *code = code_for(SR_##id, (enum sr_dtype)p->rhs, (enum sr_dtype)p->out); \
		if (code && is_narrow(code, SR_##id, p)) \
			code->narrow(p, buffers, begin, end); \
		else if (VECTOR_FN(id) && (p->n == 1 || end - begin == 1 || p->m == 1) && sr_product_out_m(p) == p->n) \
			VECTOR_FN(id)(params, buffers, scratch, begin, end); \
		else if (code) \
			sr_gemm_product(code, SR_##id, p, buffers, scratch, begin, end); \
		else \
			sr_product_reference(params, SR_##id, buffers, begin, end); \
	} \
	static void convolution_##id(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		const struct sr_conv_params *p = params; \
		const struct sr_gemm_code *code = code_for(SR_##id, SR_##id, (enum sr_dtype)p->out); \
		if (!code || !sr_gemm_convolution(code, SR_##id, p, buffers, scratch, begin, end)) \
			sr_convolution_reference(params, SR_##id, buffers, begin, end); \
	}
#define EACH_ENTRY(f) \
	f(F32) f(F16) f(BF16) f(F64) f(I2) f(I4) f(I8) f(I16) f(I32) f(I64) f(UI2) f(UI4) f(UI8) f(UI16) f(UI32) f(UI64)
EACH_ENTRY(ENTRY)

static int64_t product_scratch(enum sr_dtype t, const void *params)
{
	const struct sr_product_params *p = params;
	const struct sr_gemm_code *code = code_for(t, (enum sr_dtype)p->rhs, (enum sr_dtype)p->out);
	return code ? sr_gemm_product_scratch(code, p) : 0;
}

static int64_t convolution_scratch(enum sr_dtype t, const void *params)
{
	const struct sr_gemm_code *code = code_for(t, t, (enum sr_dtype)((const struct sr_conv_params *)params)->out);
	return code ? sr_gemm_convolution_scratch(code) : 0;
}

void INIT(struct sr_kernels *table)
{
	table->scratch[SR_KERNEL_PRODUCT] = product_scratch;
	table->scratch[SR_KERNEL_CONVOLUTION] = convolution_scratch;

#define SET(id) \
	if (sr_dtype_is_float(SR_##id)) \
		sr_relaxed_store(vectors[SR_##id], table->fn[SR_KERNEL_PRODUCT][SR_##id]); \
	sr_kernels_set(table, SR_KERNEL_PRODUCT, SR_##id, product_##id); \
	sr_kernels_set(table, SR_KERNEL_CONVOLUTION, SR_##id, convolution_##id);
	EACH_ENTRY(SET)
}
