/* Vectorizable loops for TYPE; see loops.h. The output may share memory with an input (same index); `ivdep` tells the compiler
 * that this is no dependence. */
#define ARGUMENTS const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end
#define EACH(value) \
	_Pragma("GCC ivdep") for (int64_t i = begin; i < end; i++) out[i] = value

/* Loop of a function with one argument. If the argument is a scalar, the value is computed once. */
#define LOOP_1(name, id) \
	static void name(ARGUMENTS) \
	{ \
		const struct sr_map_params *p = params; \
		const S *a = buffers[0]; \
		S *out = buffers[1]; \
		if (p->scalar[0] && begin < end) { \
			S v = STORE(FN(id)(LOAD(a[0]))); \
			EACH(v); \
		} else { \
			EACH(STORE(FN(id)(LOAD(a[i])))); \
		} \
	}
#define LOOP_2(name, id) \
	static void name(ARGUMENTS) \
	{ \
		const struct sr_map_params *p = params; \
		const S *a = buffers[0], *b = buffers[1]; \
		S *out = buffers[2]; \
		if (begin >= end) \
			return; \
		T x = LOAD(*a), y = LOAD(*b); \
		if (!p->scalar[0] && !p->scalar[1]) { \
			EACH(STORE(FN(id)(LOAD(a[i]), LOAD(b[i])))); \
		} else if (!p->scalar[0]) { \
			EACH(STORE(FN(id)(LOAD(a[i]), y))); \
		} else if (!p->scalar[1]) { \
			EACH(STORE(FN(id)(x, LOAD(b[i])))); \
		} else { \
			S v = STORE(FN(id)(x, y)); \
			EACH(v); \
		} \
	}
#define LOOP_ROW(id, arity, ...) __VA_OPT__(LOOP_##arity(FN(fast_##id), id))
#define MAP(id, name, arity, work, ...) LOOP_ROW(id, arity, __VA_ARGS__)
#define COLUMNS CLASS
#include "kernels/map/map_columns.h"
#include "kernels/map/map.ops"
#undef COLUMNS
#undef LOOP_ROW

#if CLASS == COLUMNS_UINT || CLASS == COLUMNS_SINT
/* Integers of 64 bits are divided one by one. */
typedef __typeof__(__builtin_choose_expr(BITS > 16, 0.0, 0.0f)) FN(real);
static inline T FN(quotient_of)(T x, T y)
{
	return BITS > 32 ? x / y : BITS < 32 ? (T)(int32_t)((FN(real))x / (FN(real))y) :
		CLASS == COLUMNS_SINT ? (T)(int32_t)((double)x / (double)y) : (T)unsigned_of((double_of((uint32_t)x)) / double_of((uint32_t)y));
}

SR_QUOTIENTS(T, WORD, CLASS == COLUMNS_SINT, FN(quotient_of), FN(QUOTIENT), FN(MODULUS))
LOOP_2(FN(fast_quotient), QUOTIENT)
LOOP_2(FN(fast_modulus), MODULUS)
#endif
#undef LOOP_1
#undef LOOP_2

#if CLASS == COLUMNS_SINT
/* Divide 64-bit integers by a single divisor, or compute the remainders: quotients are products (Granlund and Montgomery 1994,
 * figure 5.1). Returns false for other types, several divisors, the divisor 0, and few elements. */
static inline bool FN(divide_by_one)(const struct sr_map_params *p, void *const *buffers, int64_t begin, int64_t end,
				     const bool gives_remainders)
{
	enum { LEAST = 8 };
	const S *a = buffers[0], d = *(const S *)buffers[1];
	S *out = buffers[2];
	if (BITS < 64 || p->scalar[0] || !p->scalar[1] || !d || end - begin < LEAST)
		return false;
	WORD size = d < 0 ? 0 - (WORD)d : (WORD)d;
	int shift = size > 1 ? 63 - __builtin_clzll(size - 1) : 0;
	const S m = (S)(WORD)(((unsigned __int128)1 << (64 + shift)) / size + 1);
	EACH(({
		const S x = a[i], sum = (S)((WORD)x + (WORD)((__int128)x * m >> 64));
		const WORD q = (WORD)(sum >> shift) - (WORD)(x >> (BITS - 1)), signed_q = d < 0 ? 0 - q : q;
		(S)(gives_remainders ? (WORD)x - signed_q * (WORD)d : signed_q);
	}));
	return true;
}

static void FN(divide)(ARGUMENTS)
{
	if (!FN(divide_by_one)(params, buffers, begin, end, false))
		FN(fast_quotient)(params, buffers, scratch, begin, end);
}

static void FN(remainder)(ARGUMENTS)
{
	if (!FN(divide_by_one)(params, buffers, begin, end, true))
		FN(fast_modulus)(params, buffers, scratch, begin, end);
}
#endif

#if CLASS == COLUMNS_UINT
/* Divide; a division by a power of two, as in bit tricks and bisections, is a shift. */
static void FN(divide)(ARGUMENTS)
{
	const struct sr_map_params *p = params;
	const S *a = buffers[0], d = *(const S *)buffers[1];
	S *out = buffers[2];

	if (p->scalar[0] || !p->scalar[1] || !d || (d & (d - 1))) {
		FN(fast_quotient)(params, buffers, scratch, begin, end);
		return;
	}
	int shift = __builtin_ctzll(d);
	EACH((S)(a[i] >> shift));
}
#endif

/* Map a float to an integer with the order of totalOrder; other types are their own key. */
#if CLASS == COLUMNS_FLOAT
typedef __typeof__(__builtin_choose_expr(sizeof(S) == 2, (int16_t)0, __builtin_choose_expr(sizeof(S) == 4, (int32_t)0, (int64_t)0))) FN(total_key);
typedef __typeof__(__builtin_choose_expr(sizeof(S) == 2, (uint16_t)0,
					 __builtin_choose_expr(sizeof(S) == 4, (uint32_t)0, (uint64_t)0))) FN(total_bits);
SR_TOTAL_ORDER_OF(S, FN(total_key), FN(total_bits), FN(total_order))
#define TOTAL(v) FN(total_order)(v)
#else
#define TOTAL(v) LOAD(v)
#endif
#define COMPARE(op, key) \
	if (!p->scalar[0] && !p->scalar[1]) { \
		EACH(key(a[i]) op key(b[i])); \
	} else if (!p->scalar[0]) { \
		EACH(key(a[i]) op key(y)); \
	} else if (!p->scalar[1]) { \
		EACH(key(x) op key(b[i])); \
	} else { \
		EACH(key(x) op key(y)); \
	} \
	break
#define COMPARES(name, key) \
	static void FN(name)(ARGUMENTS) \
	{ \
		const struct sr_map_params *p = params; \
		const S *a = buffers[0], *b = buffers[1]; \
		uint8_t *out = buffers[2]; \
		if (begin >= end) \
			return; \
		S x = *a, y = *b; \
		switch (p->variant & SR_COMPARE_MASK) { \
		case SR_EQ: \
			COMPARE(==, key); \
		case SR_NE: \
			COMPARE(!=, key); \
		case SR_LT: \
			COMPARE(<, key); \
		case SR_LE: \
			COMPARE(<=, key); \
		case SR_GT: \
			COMPARE(>, key); \
		default: \
			COMPARE(>=, key); \
		} \
	}
COMPARES(compare_plain, LOAD)
COMPARES(compare_total, TOTAL)
#undef COMPARES
#undef COMPARE
#undef TOTAL

static void FN(fast_compare)(ARGUMENTS)
{
	const struct sr_map_params *p = params;

	(p->variant & SR_COMPARE_TOTAL ? FN(compare_total) : FN(compare_plain))(params, buffers, scratch, begin, end);
}

static void FN(fast_select)(ARGUMENTS)
{
	const struct sr_map_params *p = params;
	const uint8_t *pred = buffers[0];
	const S *a = buffers[1], *b = buffers[2];
	S *out = buffers[3];

	if (begin >= end)
		return;
	S x = *a, y = *b;
	if (p->scalar[0]) {
		const S *source = *pred ? a : b;
		int64_t step = !p->scalar[*pred ? 1 : 2];
		EACH(source[i * step]);
	} else if (!p->scalar[1] && !p->scalar[2]) {
		EACH(pred[i] ? a[i] : b[i]);
	} else if (!p->scalar[1]) {
		EACH(pred[i] ? a[i] : y);
	} else if (!p->scalar[2]) {
		EACH(pred[i] ? x : b[i]);
	} else {
		EACH(pred[i] ? x : y);
	}
}

static void FN(fast_clamp)(ARGUMENTS)
{
	const struct sr_map_params *p = params;
	const S *low = buffers[0], *in = buffers[1], *high = buffers[2];
	S *out = buffers[3];

	if (begin >= end)
		return;
	T l = LOAD(*low), h = LOAD(*high);
	if (p->scalar[0] && p->scalar[2] && !p->scalar[1]) {
		EACH(STORE(FN(MINIMUM)(FN(MAXIMUM)(LOAD(in[i]), l), h)));
	} else {
		int64_t step_low = !p->scalar[0], step_in = !p->scalar[1], step_high = !p->scalar[2];
		EACH(STORE(FN(MINIMUM)(FN(MAXIMUM)(LOAD(in[i * step_in]), LOAD(low[i * step_low])), LOAD(high[i * step_high]))));
	}
}

/* ---- reduce: rows (the last dimensions are reduced) with LANES partial results, combined as a binary tree; columns (the first
 * ones are) with a strip of outputs at a time ---- */
#define REDUCE(id) \
	static T FN(row_##id)(T acc, const S *in, int64_t n) \
	{ \
		T lane[LANES]; \
		int64_t i = LANES; \
		if (n < 2 * LANES) { \
			for (i = 0; i < n; i++) \
				acc = FN(id)(acc, LOAD(in[i])); \
			return acc; \
		} \
		for (int k = 0; k < LANES; k++) \
			lane[k] = LOAD(in[k]); \
		for (; i + LANES <= n; i += LANES) \
			for (int k = 0; k < LANES; k++) \
				lane[k] = FN(id)(lane[k], LOAD(in[i + k])); \
		for (int half = LANES / 2; half > 0; half /= 2) \
			for (int k = 0; k < half; k++) \
				lane[k] = FN(id)(lane[k], lane[k + half]); \
		for (acc = FN(id)(acc, lane[0]); i < n; i++) \
			acc = FN(id)(acc, LOAD(in[i])); \
		return acc; \
	} \
	static void FN(column_##id)(T init, const S *in, int64_t rows, int64_t stride, int64_t n, S *out) \
	{ \
		T acc[STRIP]; \
		for (int64_t k = 0; k < n; k++) \
			acc[k] = init; \
		for (int64_t r = 0; r < rows; r++) \
			for (int64_t k = 0; k < n; k++) \
				acc[k] = FN(id)(acc[k], LOAD(in[r * stride + k])); \
		for (int64_t k = 0; k < n; k++) \
			out[k] = STORE(acc[k]); \
	}
REDUCE(ADD)
REDUCE(MULTIPLY)
REDUCE(MINIMUM)
REDUCE(MAXIMUM)
#define REDUCE_ROW(prefix) \
	{[SR_MONOID_ADD] = FN(prefix##_ADD), [SR_MONOID_MUL] = FN(prefix##_MULTIPLY), [SR_MONOID_MIN] = FN(prefix##_MINIMUM), \
	 [SR_MONOID_MAX] = FN(prefix##_MAXIMUM)}

static void FN(fast_reduce)(ARGUMENTS)
{
	static T (*const rows[SR_MONOID_COUNT])(T acc, const S *in, int64_t n) = REDUCE_ROW(row);
	static void (*const columns[SR_MONOID_COUNT])(T init, const S *in, int64_t rows, int64_t stride, int64_t n, S *out) =
		REDUCE_ROW(column);
	const struct sr_reduce_params *p = params;
	const S *in = buffers[0];
	S *out = buffers[2];
	T init = LOAD(*(const S *)buffers[1]);
	int64_t run, inner;

	if (!rows[p->monoid] || !reduce_shape(p, &run, &inner)) {
		sr_reduce_reference(params, DTYPE_ID, buffers, begin, end);
	} else if (inner == 1) {
		for (int64_t i = begin; i < end; i++)
			out[i] = STORE(rows[p->monoid](init, in + i * run, run));
	} else {
		for (int64_t i = begin, n; i < end; i += n) {
			n = inner - i % inner < end - i ? inner - i % inner : end - i;
			n = n < STRIP ? n : STRIP;
			columns[p->monoid](init, in + i / inner * run * inner + i % inner, run, inner, n, out + i);
		}
	}
}
#undef REDUCE
#include "kernels/fast/cumulate_body.h"
#undef REDUCE_ROW

/* ---- reductions of loop nests: those of accumulate.h, and here the minimum and maximum ---- */

/* Combine elements into a block of m accumulators in registers, for minimum and maximum. Each run has `limit` elements,
 * counted from the block's first element. */
#define COMBINE(id, k, v) sum[k] = FN(id)(sum[k], LOAD(v))
#define ACCUMULATE(id) \
	static inline __attribute__((always_inline)) void FN(block_##id)(S *to, const S *in, int64_t runs, int64_t stride, int64_t limit, \
									 int64_t width, const int64_t m) \
	{ \
		T sum[ACCUMULATORS]; \
		for (int64_t k = 0; k < m; k++) \
			sum[k] = LOAD(to[k]); \
		for (; runs > 0; runs--, in += stride) { \
			int64_t i = 0; \
			for (; i + m <= limit; i += width) \
				for (int64_t k = 0; k < m; k++) \
					COMBINE(id, k, in[i + k]); \
			for (int64_t k = 0; k < limit - i; k++) \
				COMBINE(id, k, in[i + k]); \
		} \
		for (int64_t k = 0; k < m; k++) \
			to[k] = STORE(sum[k]); \
	} \
	static void FN(accumulate_##id)(S *to, const S *in, int64_t runs, int64_t n, int64_t width) \
	{ \
		int64_t k = 0; \
		for (; k + ACCUMULATORS <= width; k += ACCUMULATORS) \
			FN(block_##id)(to + k, in + k, runs, n, n - k, width, ACCUMULATORS); \
		if (width == 1) \
			FN(block_##id)(to, in, runs, n, n, 1, 1); \
		else if (k < width) \
			FN(block_##id)(to + k, in + k, runs, n, n - k, width, width - k); \
	} \
	static void FN(combine_##id)(S *lanes, int64_t n, int64_t least) \
	{ \
		for (n /= 2; n >= least; n /= 2) { \
			_Pragma("GCC ivdep") for (int64_t k = 0; k < n; k++) \
				lanes[k] = STORE(FN(id)(LOAD(lanes[k]), LOAD(lanes[n + k]))); \
		} \
	}
enum { FN(BLOCK) = 256 / sizeof(T) };
#define ACCUMULATORS FN(BLOCK)
ACCUMULATE(MINIMUM)
ACCUMULATE(MAXIMUM)
#undef ACCUMULATE
#undef ACCUMULATORS
#undef COMBINE

static bool FN(fast_accumulate)(int monoid, void *to, const void *in, int64_t runs, int64_t n, int64_t width)
{
	const struct by_vectors *f = by_vectors[DTYPE_ID] ? &by_vectors[DTYPE_ID][monoid]
							  : by_halves(DTYPE_ID, monoid, in, runs * n, to, width);
	if (f && f->accumulate)
		f->accumulate(to, in, runs, n, width);
	else if (monoid == SR_MONOID_MIN)
		FN(accumulate_MINIMUM)(to, in, runs, n, width);
	else if (monoid == SR_MONOID_MAX)
		FN(accumulate_MAXIMUM)(to, in, runs, n, width);
	else
		return false;
	return true;
}

static bool FN(fast_combine_lanes)(int monoid, void *lanes, int64_t n, int64_t least)
{
	const struct by_vectors *f = by_vectors[DTYPE_ID] ? &by_vectors[DTYPE_ID][monoid]
							  : by_halves(DTYPE_ID, monoid, lanes, n, NULL, 0);
	if (f && f->combine)
		f->combine(lanes, n, least);
	else if (monoid == SR_MONOID_MIN)
		FN(combine_MINIMUM)(lanes, n, least);
	else if (monoid == SR_MONOID_MAX)
		FN(combine_MAXIMUM)(lanes, n, least);
	else
		return false;
	return true;
}

static void FN(register_fast)(struct sr_kernels *table)
{
#define FAST_ROW(id, arity, ...) __VA_OPT__(sr_kernels_set(table, SR_KERNEL_##id, DTYPE_ID, FN(fast_##id));)
#define MAP(id, name, arity, work, ...) FAST_ROW(id, arity, __VA_ARGS__)
#define COLUMNS CLASS
#include "kernels/map/map_columns.h"
#include "kernels/map/map.ops"
#undef COLUMNS
#undef FAST_ROW
#if CLASS == COLUMNS_UINT
	sr_kernels_set(table, SR_KERNEL_DIVIDE, DTYPE_ID, FN(divide));
	sr_kernels_set(table, SR_KERNEL_REMAINDER, DTYPE_ID, FN(fast_modulus));
#elif CLASS == COLUMNS_SINT
	sr_kernels_set(table, SR_KERNEL_DIVIDE, DTYPE_ID, FN(divide));
	sr_kernels_set(table, SR_KERNEL_REMAINDER, DTYPE_ID, FN(remainder));
#endif
	sr_kernels_set(table, SR_KERNEL_COMPARE, DTYPE_ID, FN(fast_compare));
	sr_kernels_set(table, SR_KERNEL_SELECT, DTYPE_ID, FN(fast_select));
	sr_kernels_set(table, SR_KERNEL_CLAMP, DTYPE_ID, FN(fast_clamp));
	sr_kernels_set(table, SR_KERNEL_REDUCE, DTYPE_ID, FN(fast_reduce));
	sr_kernels_set(table, SR_KERNEL_CUMULATE, DTYPE_ID, FN(fast_cumulate));
	table->accumulate[DTYPE_ID] = FN(fast_accumulate);
	table->combine_lanes[DTYPE_ID] = FN(fast_combine_lanes);
}
#undef ARGUMENTS
