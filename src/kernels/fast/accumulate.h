/* Reductions of loop nests (sr_accumulate_fn, sr_combine_lanes_fn) by the monoids for which GCC's vector types have an operator,
 * and by the extrema of floats. Rows of elements are combined into accumulators, as many vectors at a time as registers hold.
 * Included by loops.h, once per instruction set.
 *
 * GCC keeps accumulators that are elements of an array in memory, so that each addition waits for a store; it keeps variables of a
 * vector type in registers. */
#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64 };
#elif defined(__AVX__)
enum { VECTOR_BYTES = 32 };
#else
enum { VECTOR_BYTES = 16 };
#endif
enum { SMALL_BYTES = 16, MAX_VECTORS = 8 };

#define VECTORS(id, type) \
	typedef type vector_##id __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(type)), may_alias)); \
	typedef type small_vector_##id __attribute__((vector_size(SMALL_BYTES), aligned(sizeof(type)), may_alias));

/* The functions `op` of elements or vectors of type T below. */
#define JOIN_add(T, x, y) ((x) + (y))
#define JOIN_multiply(T, x, y) ((x) * (y))
#define JOIN_and(T, x, y) ((x) & (y))
#define JOIN_or(T, x, y) ((x) | (y))
#define JOIN_xor(T, x, y) ((x) ^ (y))
#define JOIN_maximum(T, x, y) maximum_of_##T(x, y)
#define JOIN_minimum(T, x, y) minimum_of_##T(x, y)
#define EXTREMA(name, id, type, word, T) \
	typedef word word_vector_##id __attribute__((vector_size(VECTOR_BYTES))); \
	typedef word small_word_vector_##id __attribute__((vector_size(SMALL_BYTES))); \
	static inline type name##_of_##type(type x, type y) \
	{ \
		return sizeof(type) == sizeof(float) ? (type)name##f((float)x, (float)y) : (type)name((double)x, (double)y); \
	} \
	static inline vector_##id name##_of_vector_##id(vector_##id x, vector_##id y) \
	{ \
		return (vector_##id)SR_EXTREMUM(word_vector_##id, T, name, x, y); \
	} \
	static inline small_vector_##id name##_of_small_vector_##id(small_vector_##id x, small_vector_##id y) \
	{ \
		return (small_vector_##id)SR_PLAIN_EXTREMUM(small_word_vector_##id, name, x, y); \
	}

/* Combine `rows` rows of n vectors, `stride` elements apart, into the vectors of accumulators that begin at `at`, and set `sum`. */
#define STRIP(name, type, vector, op) \
	static inline __attribute__((always_inline)) void name(vector *sum, const type *at, const type *in, int64_t rows, int64_t stride, \
							       const int n) \
	{ \
		const int width = sizeof(vector) / sizeof(type); \
		for (int v = 0; v < n; v++) \
			sum[v] = *(const vector *)(at + v * width); \
		for (; rows > 0; rows--, in += stride) \
			for (int v = 0; v < n; v++) \
				sum[v] = op(vector, sum[v], *(const vector *)(in + v * width)); \
	}

/* Process as many strips of n vectors as the accumulators [at, end) hold; return the address after the last strip. */
#define STRIPS(name, strip, type, vector, op) \
	STRIP(strip, type, vector, op) \
	static inline __attribute__((always_inline)) int64_t name(type *to, const type *in, int64_t rows, int64_t stride, int64_t at, \
								  int64_t end, const int n) \
	{ \
		const int64_t width = sizeof(vector) / sizeof(type); \
		for (; at + n * width <= end; at += n * width) { \
			vector sum[MAX_VECTORS]; \
			strip(sum, to + at, in + at, rows, stride, n); \
			for (int v = 0; v < n; v++) \
				*(vector *)(to + at + v * width) = sum[v]; \
		} \
		return at; \
	}

/* Combine `rows` rows of n elements into the accumulators to[n]. If vectors do not divide the row, the last one overlaps the one
 * before it: it is computed first and stored last. */
#define COLUMNS_OF(name, id, type, wide, op) \
	STRIPS(strips_##name##_##id, strip_##name##_##id, type, vector_##id, op) \
	STRIPS(small_strips_##name##_##id, small_strip_##name##_##id, type, small_vector_##id, op) \
	static void columns_##name##_##id(type *to, const type *in, int64_t rows, int64_t stride, int64_t n) \
	{ \
		const int64_t small = SMALL_BYTES / sizeof(type); \
		bool overlaps = n >= small && n % small; \
		small_vector_##id last = {0}; \
		int64_t at = 0; \
		if (overlaps) \
			small_strip_##name##_##id(&last, to + n - small, in + n - small, rows, stride, 1); \
		at = strips_##name##_##id(to, in, rows, stride, at, n, MAX_VECTORS); \
		at = strips_##name##_##id(to, in, rows, stride, at, n, MAX_VECTORS / 2); \
		at = strips_##name##_##id(to, in, rows, stride, at, n, MAX_VECTORS / 4); \
		at = strips_##name##_##id(to, in, rows, stride, at, n, 1); \
		at = small_strips_##name##_##id(to, in, rows, stride, at, n, 1); \
		if (overlaps) \
			*(small_vector_##id *)(to + n - small) = last; \
		for (; n < small && at < n; at++) { \
			wide sum = to[at]; \
			for (int64_t r = 0; r < rows; r++) \
				sum = op(wide, sum, (wide)in[r * stride + at]); \
			to[at] = (type)sum; \
		} \
	} \
	static void accumulate_##name##_##id(void *to, const void *in, int64_t runs, int64_t n, int64_t width) \
	{ \
		int64_t full = n / width, rest = n % width; \
		const type *from = in; \
		if (!rest || !full) { \
			columns_##name##_##id(to, from, full ? runs * full : runs, full ? width : n, full ? width : n); \
			return; \
		} \
		for (; runs > 0; runs--, from += n) { \
			columns_##name##_##id(to, from, full, width, width); \
			columns_##name##_##id(to, from + full * width, 1, width, rest); \
		} \
	} \
	static void combine_##name##_##id(void *lanes, int64_t n, int64_t least) \
	{ \
		type *to = lanes; \
		for (n /= 2; n >= least; n /= 2) \
			columns_##name##_##id(to, to + n, 1, n, n); \
	}

struct by_vectors {
	void (*accumulate)(void *to, const void *in, int64_t runs, int64_t n, int64_t width);
	void (*combine)(void *lanes, int64_t n, int64_t least);
};
#define BY_VECTORS(name, id) {accumulate_##name##_##id, combine_##name##_##id}
#define FLOATS(id, type, word, T) \
	VECTORS(id, type) \
	EXTREMA(maximum, id, type, word, T) \
	EXTREMA(minimum, id, type, word, T) \
	COLUMNS_OF(maximum, id, type, type, JOIN_maximum) \
	COLUMNS_OF(minimum, id, type, type, JOIN_minimum) \
	COLUMNS_OF(add, id, type, type, JOIN_add) \
	COLUMNS_OF(multiply, id, type, type, JOIN_multiply) \
	static const struct by_vectors by_vectors_##id[SR_MONOID_COUNT] = { \
		[SR_MONOID_ADD] = BY_VECTORS(add, id), [SR_MONOID_MUL] = BY_VECTORS(multiply, id), \
		[SR_MONOID_MAX] = BY_VECTORS(maximum, id), [SR_MONOID_MIN] = BY_VECTORS(minimum, id)};
#define WORDS(id, type) \
	VECTORS(id, type) \
	COLUMNS_OF(add, id, type, uint64_t, JOIN_add) \
	COLUMNS_OF(multiply, id, type, uint64_t, JOIN_multiply) \
	COLUMNS_OF(and, id, type, uint64_t, JOIN_and) \
	COLUMNS_OF(or, id, type, uint64_t, JOIN_or) \
	COLUMNS_OF(xor, id, type, uint64_t, JOIN_xor) \
	static const struct by_vectors by_vectors_##id[SR_MONOID_COUNT] = { \
		[SR_MONOID_ADD] = BY_VECTORS(add, id), [SR_MONOID_MUL] = BY_VECTORS(multiply, id), [SR_MONOID_AND] = BY_VECTORS(and, id), \
		[SR_MONOID_OR] = BY_VECTORS(or, id),   [SR_MONOID_XOR] = BY_VECTORS(xor, id)};
FLOATS(F32, float, int32_t, ps)
FLOATS(F64, double, int64_t, pd)
WORDS(8, uint8_t)
WORDS(16, uint16_t)
WORDS(32, uint32_t)
WORDS(64, uint64_t)
/* vectorized reductions of i1, whose values are 0 or 1 in a byte */
static const struct by_vectors by_vectors_I1[SR_MONOID_COUNT] = {
	[SR_MONOID_ADD] = BY_VECTORS(or, 8), [SR_MONOID_MUL] = BY_VECTORS(and, 8), [SR_MONOID_MIN] = BY_VECTORS(and, 8),
	[SR_MONOID_MAX] = BY_VECTORS(or, 8), [SR_MONOID_AND] = BY_VECTORS(and, 8), [SR_MONOID_OR] = BY_VECTORS(or, 8),
	[SR_MONOID_XOR] = BY_VECTORS(xor, 8)};

/* Extrema of floats of 16 bits, none of which is NaN, as integers in the order of their numbers. HALF_KEY: the integer
 * of a float's bits, and the bits of such an integer. */
#define HALF_KEY(x) ((x) ^ (((x) >> 15) & 0x7fff))
#define HALF_EXTREMUM(name, T, sign) \
	static inline T half_##name##_of_##T(T x, T y) \
	{ \
		T a = HALF_KEY(x), b = HALF_KEY(y), is_a = sign(a SR_BEFORE_##name b); \
		T chosen = b ^ ((a ^ b) & is_a); \
		return HALF_KEY(chosen); \
	}
#define HALF_EXTREMA(name) \
	HALF_EXTREMUM(name, int16_t, -) \
	HALF_EXTREMUM(name, vector_half, ) \
	HALF_EXTREMUM(name, small_vector_half, ) \
	COLUMNS_OF(name, half, int16_t, int16_t, JOIN_half_##name)
#define JOIN_half_maximum(T, x, y) half_maximum_of_##T(x, y)
#define JOIN_half_minimum(T, x, y) half_minimum_of_##T(x, y)
VECTORS(half, int16_t)
HALF_EXTREMA(maximum)
HALF_EXTREMA(minimum)
static const struct by_vectors by_vectors_half[SR_MONOID_COUNT] = {
	[SR_MONOID_MAX] = BY_VECTORS(maximum, half), [SR_MONOID_MIN] = BY_VECTORS(minimum, half)};

/* Return true if a float of a type whose infinity has these bits is NaN. */
static bool has_half_nan(const void *halves, int64_t n, uint16_t infinity)
{
	const uint16_t *from = halves;
	uint16_t is_any = 0;
	for (int64_t i = 0; i < n; i++)
		is_any |= (uint16_t)((from[i] & 0x7fff) > infinity);
	return is_any;
}

/* Return the functions for the extrema of n elements and of m accumulators of a type of 16 bits; NULL for other types and monoids,
 * and if one is NaN. */
static const struct by_vectors *by_halves(enum sr_dtype t, int monoid, const void *elements, int64_t n, const void *accumulators,
					  int64_t m)
{
	uint16_t infinity = t == SR_BF16 ? 0x7f80 : 0x7c00;
	if ((t != SR_BF16 && t != SR_F16) || !by_vectors_half[monoid].accumulate)
		return NULL;
	bool has_nan = has_half_nan(elements, n, infinity) || has_half_nan(accumulators, m, infinity);
	return has_nan ? NULL : &by_vectors_half[monoid];
}

static const struct by_vectors *const by_vectors[SR_DTYPE_COUNT] = {
	[SR_F32] = by_vectors_F32, [SR_F64] = by_vectors_F64, [SR_I1] = by_vectors_I1,  [SR_I8] = by_vectors_8,
	[SR_I16] = by_vectors_16,  [SR_I32] = by_vectors_32,  [SR_I64] = by_vectors_64, [SR_UI8] = by_vectors_8,
	[SR_UI16] = by_vectors_16, [SR_UI32] = by_vectors_32, [SR_UI64] = by_vectors_64};
