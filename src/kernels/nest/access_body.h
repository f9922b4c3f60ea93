/* The functions of access.h, as static ones. Included once per instruction set, by files that set the compiler's target. */
#include "kernels/kernel.h"
#include "kernels/nest/access.h"
#include <string.h>

struct access_bytes16 {
	uint64_t v[2];
};

/* Load n elements that are s apart, s a constant of 2 to 4, with vectors of N elements: s vectors are loaded and their wanted
 * elements moved together. Vectors may not reach past the last element, unless has_next says that another one follows: the last
 * group of elements has vectors that end with it, and overlaps the one before. Returns the number of elements that are loaded: n,
 * or none of N or less. Clang has no shuffle by a computed vector; there the function loads none. */
#ifdef __clang__
#define LOAD_VECTORS(T, M, N, s)                                       \
	static int64_t load_##T##_##s(const T *src, T *dst, int64_t n, bool has_next) \
	{                                                              \
		(void)src, (void)dst, (void)n, (void)has_next;         \
		return 0;                                              \
	}
#else
#define SHUFFLED(from, N, s, chosen)                                                                   \
	({                                                                                             \
		const void *at = from;                                                                 \
		vector x = __builtin_shuffle(((const vector *)at)[0], ((const vector *)at)[1], (chosen)[0]); \
		for (int j = 2; j < s; j++)                                                            \
			x = __builtin_shuffle(x, ((const vector *)at)[j], (chosen)[j - 1]);            \
		x;                                                                                     \
	})
#define LOAD_VECTORS(T, M, N, s)                                                                       \
	static inline __attribute__((always_inline)) int64_t load_##T##_##s(const T *src, T *dst, int64_t n, bool has_next) \
	{                                                                                              \
		typedef T vector __attribute__((vector_size(N * sizeof(T)), aligned(sizeof(T)), may_alias)); \
		typedef M mask __attribute__((vector_size(N * sizeof(T))));                            \
		mask chosen[2][3]; /* for element k at k * s, and for the last group at k * s + s - 1 */ \
		int64_t i = 0;                                                                         \
		_Pragma("GCC unroll 64") for (int k = 0; k < N; k++)                                   \
			_Pragma("GCC unroll 4") for (int j = 1; j < s; j++)                            \
			{                                                                              \
				const int at = k * s, end = at + s - 1;                                \
				chosen[0][j - 1][k] = (M)(at / N == j ? N + at % N : j == 1 ? at % N : k); \
				chosen[1][j - 1][k] = (M)(end / N == j ? N + end % N : j == 1 ? end % N : k); \
			}                                                                              \
		for (; i + N < n + has_next; i += N)                                                   \
			*(vector *)(dst + i) = SHUFFLED(src + i * s, N, s, chosen[0]);                 \
		if (i == n || n <= N)                                                                  \
			return i;                                                                      \
		*(vector *)(dst + n - N) = SHUFFLED(src + (n - N) * s - (s - 1), N, s, chosen[1]);     \
		return n;                                                                              \
	}
#endif
#if defined(__AVX512BW__)
enum { ACCESS_VECTOR = 64 };
#elif defined(__AVX2__)
enum { ACCESS_VECTOR = 32 };
#else
enum { ACCESS_VECTOR = 16 };
#endif
#define LOADS_BY_VECTORS(T, M, N) LOAD_VECTORS(T, M, N, 2) LOAD_VECTORS(T, M, N, 3) LOAD_VECTORS(T, M, N, 4)
LOADS_BY_VECTORS(uint8_t, int8_t, 16)
LOADS_BY_VECTORS(uint16_t, int16_t, (ACCESS_VECTOR / 2))
LOADS_BY_VECTORS(uint32_t, int32_t, (ACCESS_VECTOR / 4))
LOADS_BY_VECTORS(uint64_t, int64_t, (ACCESS_VECTOR / 8))
#undef LOADS_BY_VECTORS
#undef LOAD_VECTORS
#undef SHUFFLED

#define LOAD_STRIDED(T)                                              \
	do {                                                         \
		const T *from = (const T *)(const void *)src;        \
		T *to = (T *)(void *)dst;                            \
		int64_t i = step == 2 ? load_##T##_2(from, to, n, false) : step == 3 ? load_##T##_3(from, to, n, false) : \
			step == 4 ? load_##T##_4(from, to, n, false) : 0; \
		if (step == 0 && n > 0) /* one element, repeated */  \
			for (T v = *from; i < n; i++)                \
				to[i] = v;                           \
		if (step == -1) /* compilers reverse vectors if the step is a constant */ \
			for (; i < n; i++)                           \
				to[i] = from[-i];                    \
		for (; i < n; i++)                                   \
			to[i] = from[i * step];                      \
	} while (0)

static void access_load_strided(int bytes, const char *src, int64_t step, char *dst, int64_t n)
{
	if (step == 1) {
		memcpy(dst, src, (size_t)(n * bytes));
		return;
	}
	switch (bytes) {
	case 1: LOAD_STRIDED(uint8_t); break;
	case 2: LOAD_STRIDED(uint16_t); break;
	case 4: LOAD_STRIDED(uint32_t); break;
	case 8: LOAD_STRIDED(uint64_t); break;
	default:
		for (int64_t i = 0; i < n; i++)
			((struct access_bytes16 *)(void *)dst)[i] = ((const struct access_bytes16 *)(const void *)src)[i * step];
	}
}
#undef LOAD_STRIDED

#define LOAD_STEPS(T)                                                \
	do {                                                         \
		const T *from = (const T *)(const void *)src;        \
		T *to = (T *)(void *)dst;                            \
		n_done = step == 2 ? load_##T##_2(from, to, n, true) : step == 3 ? load_##T##_3(from, to, n, true) : \
			load_##T##_4(from, to, n, true);             \
	} while (0)
static void access_load_steps(int bytes, const char *src, int64_t step, char *dst, int64_t n)
{
	int64_t n_done = 0;
	switch (bytes) {
	case 1: LOAD_STEPS(uint8_t); break;
	case 2: LOAD_STEPS(uint16_t); break;
	case 4: LOAD_STEPS(uint32_t); break;
	case 8: LOAD_STEPS(uint64_t); break;
	default: break;
	}
	if (n_done < n)
		access_load_strided(bytes, src + n_done * step * bytes, step, dst + n_done * bytes, n - n_done);
}
#undef LOAD_STEPS

/* Copy blocks: dst[i][k] = src[first of block i + k * step]. `length` is a constant in the usual cases. */
#define LOAD_BLOCKS(T, first, n, length)                             \
	do {                                                         \
		const T *from = (const T *)(const void *)src;        \
		T *to = (T *)(void *)dst;                            \
		for (int64_t i = 0; i < n; i++)                      \
			for (int64_t k = 0; k < (length); k++)       \
				to[i * (length) + k] = from[first + k * step]; \
	} while (0)
#define BY_LENGTH(T, first, n)                                       \
	switch (length) {                                            \
	case 1: LOAD_BLOCKS(T, first, n, 1); break;                  \
	case 2: LOAD_BLOCKS(T, first, n, 2); break;                  \
	case 3: LOAD_BLOCKS(T, first, n, 3); break;                  \
	case 4: LOAD_BLOCKS(T, first, n, 4); break;                  \
	default: LOAD_BLOCKS(T, first, n, length);                   \
	}                                                            \
	break
#define BY_BYTES(first, n)                                           \
	switch (bytes) {                                             \
	case 1: BY_LENGTH(uint8_t, first, n);                        \
	case 2: BY_LENGTH(uint16_t, first, n);                       \
	case 4: BY_LENGTH(uint32_t, first, n);                       \
	case 8: BY_LENGTH(uint64_t, first, n);                       \
	default: LOAD_BLOCKS(struct access_bytes16, first, n, length); \
	}

typedef int64_t access_row __attribute__((vector_size(ACCESS_VECTOR), aligned(1), may_alias));

/* Copy `size` bytes, at least a vector. The last vector overlaps the one before it if vectors do not divide the bytes. */
static inline void access_copy_row(const char *src, char *dst, int64_t size)
{
	int64_t last = size - ACCESS_VECTOR;
	for (int64_t k = 0; k < last; k += ACCESS_VECTOR)
		*(access_row *)(void *)(dst + k) = *(const access_row *)(const void *)(src + k);
	*(access_row *)(void *)(dst + last) = *(const access_row *)(const void *)(src + last);
}

/* Copy runs of `size` bytes, at least a vector of N bytes and at most two, that begin `outer` bytes apart to contiguous memory: the
 * first bytes of a run and the last ones. */
#define COPY_ROWS(N)                                                 \
	do {                                                         \
		typedef int8_t vector __attribute__((vector_size(N), aligned(1), may_alias)); \
		for (int64_t i = 0; i < runs; i++, src += outer, dst += size) { \
			const vector first = *(const vector *)(const void *)src; \
			*(vector *)(void *)(dst + size - N) = *(const vector *)(const void *)(src + size - N); \
			*(vector *)(void *)dst = first;              \
		}                                                    \
	} while (0)
enum { SMALL_VECTOR = 16 };
static void access_copy_rows(const char *src, int64_t outer, char *dst, int64_t runs, int64_t size)
{
	if (size >= 2 * SMALL_VECTOR)
		COPY_ROWS(2 * SMALL_VECTOR);
	else
		COPY_ROWS(SMALL_VECTOR);
}
#undef COPY_ROWS

/* Store each element `length` times, at least as many times as fill a vector of N bytes. */
#define FILL_ROWS(T, N)                                              \
	do {                                                         \
		typedef T vector __attribute__((vector_size(N), aligned(1), may_alias)); \
		const T *from = (const T *)(const void *)src;        \
		int64_t size = length * (int64_t)sizeof(T), last = size - N; \
		for (int64_t i = 0; i < runs; i++, dst += size) {    \
			const vector v = (vector){0} + from[i * outer]; \
			for (int64_t k = 0; k < last; k += N)        \
				*(vector *)(void *)(dst + k) = v;    \
			*(vector *)(void *)(dst + last) = v;         \
		}                                                    \
	} while (0)
#define FILL_ROWS_BY_SIZE(T)                                         \
	do {                                                         \
		if (length * (int64_t)sizeof(T) >= ACCESS_VECTOR)    \
			FILL_ROWS(T, ACCESS_VECTOR);                 \
		else                                                 \
			FILL_ROWS(T, SMALL_VECTOR);                  \
	} while (0)
static void access_fill_rows(int bytes, const char *src, int64_t outer, char *dst, int64_t runs, int64_t length)
{
	switch (bytes) {
	case 1: FILL_ROWS_BY_SIZE(uint8_t); break;
	case 2: FILL_ROWS_BY_SIZE(uint16_t); break;
	case 4: FILL_ROWS_BY_SIZE(uint32_t); break;
	default: FILL_ROWS_BY_SIZE(uint64_t);
	}
}
#undef FILL_ROWS_BY_SIZE
#undef FILL_ROWS

/* Store each element `length` times, by vectors of which the next run overwrites the excess. Returns the number of runs done: those
 * whose vector ends before the last run does. */
#define REPEAT_ELEMENTS(T)                                           \
	do {                                                         \
		typedef T vector __attribute__((vector_size(SMALL_VECTOR), aligned(sizeof(T)), may_alias)); \
		const T *from = (const T *)(const void *)src;        \
		T *to = (T *)(void *)dst;                            \
		int64_t i = 0, width = SMALL_VECTOR / sizeof(T);     \
		for (; i * length + width <= runs * length; i++)     \
			*(vector *)(to + i * length) = (vector){0} + from[i * outer]; \
		return i;                                            \
	} while (0)
static int64_t access_repeat_elements(int bytes, const char *src, int64_t outer, char *dst, int64_t runs, int64_t length)
{
	switch (bytes) {
	case 1: REPEAT_ELEMENTS(uint8_t);
	case 2: REPEAT_ELEMENTS(uint16_t);
	case 4: REPEAT_ELEMENTS(uint32_t);
	default: return 0;
	}
}
#undef REPEAT_ELEMENTS

/* Copy runs of `size` bytes, at most half of a vector, in reverse order: run i begins i * size bytes before src. A vector has as
 * many runs as fit, and bytes of another run behind them. Returns the number of runs done, none in code of Clang, which has no
 * shuffle by a computed vector. */
#ifdef __clang__
static int64_t access_reverse_runs(const char *src, char *dst, int64_t runs, int size)
{
	(void)src, (void)dst, (void)runs, (void)size;
	return 0;
}
#else
static int64_t access_reverse_runs(const char *src, char *dst, int64_t runs, int size)
{
	typedef uint8_t vector __attribute__((vector_size(SMALL_VECTOR), aligned(1), may_alias));
	int n = SMALL_VECTOR / size;
	int64_t i = 1;
	vector order = {0};
	if (sizeof(access_row) == sizeof(vector) || runs < 1) /* the base instruction set has no such shuffle */
		return 0;
	for (int k = 0; k < n * size; k++)
		order[k] = (uint8_t)((n - 1 - k / size) * size + k % size);
	memcpy(dst, src, (size_t)size);
	for (; i + n < runs; i += n)
		*(vector *)(void *)(dst + i * size) =
			__builtin_shuffle(*(const vector *)(const void *)(src - (i + n - 1) * size), order);
	return i;
}
#endif

/* Copy runs of three elements, four elements at a time: all runs but the first and the last one are followed by an element of
 * another run, in `src` and in `dst`. */
#define LOAD_TRIPLES(T)                                              \
	do {                                                         \
		const T *from = (const T *)(const void *)src;        \
		T *to = (T *)(void *)dst;                            \
		memcpy(to, from, 3 * sizeof(T));                     \
		for (int64_t i = 1; i < runs - 1; i++)               \
			memcpy(to + 3 * i, from + i * outer, 4 * sizeof(T)); \
		memcpy(to + 3 * (runs - 1), from + (runs - 1) * outer, 3 * sizeof(T)); \
		return;                                              \
	} while (0)

static void access_load_runs(int bytes, const char *src, int64_t outer, int64_t step, char *dst, int64_t runs, int64_t length)
{
	int64_t size = length * bytes, n_done = 0;
	if (step == 1 && size >= ACCESS_VECTOR) {
		for (int64_t i = 0; i < runs; i++)
			access_copy_row(src + i * outer * bytes, dst + i * size, size);
		return;
	}
	if (step == 0 && size >= SMALL_VECTOR && bytes <= 8) {
		access_fill_rows(bytes, src, outer, dst, runs, length);
		return;
	}
	if (step == 1 && size >= SMALL_VECTOR) {
		access_copy_rows(src, outer * bytes, dst, runs, size);
		return;
	}
	if (step == 0 && size < SMALL_VECTOR)
		n_done = access_repeat_elements(bytes, src, outer, dst, runs, length);
	else if (step == 1 && outer == -length && size <= SMALL_VECTOR / 2)
		n_done = access_reverse_runs(src, dst, runs, (int)size);
	src += n_done * outer * bytes;
	dst += n_done * size;
	runs -= n_done;
	if (step == 1 && length == 3 && outer && runs > 0 && bytes <= 4) {
		switch (bytes) {
		case 1: LOAD_TRIPLES(uint8_t);
		case 2: LOAD_TRIPLES(uint16_t);
		default: LOAD_TRIPLES(uint32_t);
		}
	}
	BY_BYTES(i * outer, runs)
}
#undef LOAD_TRIPLES

static void access_gather(int bytes, const char *src, const int64_t *restrict offset, int64_t length, int64_t step,
			  char *restrict dst, int64_t n)
{
	int64_t size = length * bytes;
	for (int64_t i = 0; step == 1 && size >= ACCESS_VECTOR && i < n; i++)
		access_copy_row(src + offset[i] * bytes, dst + i * size, size);
	if (step == 1 && size >= ACCESS_VECTOR)
		return;
	BY_BYTES(offset[i], n)
}
#undef BY_BYTES
#undef BY_LENGTH
#undef LOAD_BLOCKS

static void access_divide(int64_t *restrict y, uint8_t *restrict is_inside, int64_t n, int64_t divisor)
{
	int shift = __builtin_ctzll((uint64_t)divisor);
	if (divisor >> shift == 1) {
		for (int64_t i = 0; i < n; i++) {
			is_inside[i] &= !(y[i] & (divisor - 1));
			y[i] >>= shift;
		}
	} else {
		for (int64_t i = 0; i < n; i++) {
			is_inside[i] &= y[i] % divisor == 0;
			y[i] /= divisor;
		}
	}
}

/* Add the contribution of index values without divisor and bounds. Returns false if there is no loop for indices of their type. */
#define ADD_INDICES(I)                                               \
	do {                                                         \
		const I *index = (const I *)d->indices + d->first_index + i * d->index_step; \
		for (int64_t p = 0; p < n; p++) {                    \
			int64_t v = index[p * index_step] > limit ? limit : index[p * index_step]; \
			offset[p] += (x + p * step + (v < 0 ? 0 : v)) * stride; \
		}                                                    \
		return true;                                         \
	} while (0)
static bool access_add_indices(const struct sr_access_dim *d, int64_t i, int64_t n, int64_t *restrict offset)
{
	int64_t x = d->x + i * d->step, step = d->step, limit = d->limit, stride = d->stride, index_step = d->index_step;
	if (d->divisor > 1 || d->extent > 0)
		return false;
	switch (d->index_type) {
	case SR_I32: ADD_INDICES(int32_t);
	case SR_UI32: ADD_INDICES(uint32_t);
	case SR_I64: ADD_INDICES(int64_t);
	default: return false;
	}
}
#undef ADD_INDICES

static void access_add_dim(const struct sr_access_dim *d, int64_t i, int64_t n, int64_t *restrict offset, uint8_t *restrict is_inside)
{
	if (d->indices && access_add_indices(d, i, n, offset))
		return;
	int64_t y[SR_ACCESS_BLOCK], x = d->x + i * d->step, step = d->step, limit = d->limit, stride = d->stride, extent = d->extent;
	if (d->indices) {
		sr_index_load_strided(d->index_type, d->indices, d->first_index + i * d->index_step, d->index_step, n, y);
		for (int64_t p = 0; p < n; p++) {
			int64_t index = y[p] > limit ? limit : y[p];
			y[p] = x + p * step + (index < 0 ? 0 : index);
		}
	} else {
		for (int64_t p = 0; p < n; p++)
			y[p] = x + p * step;
	}
	if (d->divisor > 1)
		access_divide(y, is_inside, n, d->divisor);
	for (int64_t p = 0; extent > 0 && p < n; p++) {
		is_inside[p] &= (uint64_t)y[p] < (uint64_t)extent;
		y[p] = is_inside[p] ? y[p] : 0;
	}
	for (int64_t p = 0; p < n; p++)
		offset[p] += y[p] * stride;
}

static void access_count(int64_t first, int64_t step, int64_t *to, int64_t n)
{
	for (int64_t i = 0; i < n; i++, first += step)
		to[i] = first;
}

/* Load `count` elements at offsets. Loads of vectors of offsets take longer than single ones on some processors: barriers keep
 * the loop scalar. */
#define LOAD_AT(E)                                                   \
	do {                                                         \
		const E *from = (const E *)(const void *)src;        \
		E *restrict to = (E *)(void *)dst;                   \
		_Pragma("GCC unroll 4") for (int64_t k = 0; k < count; k++) { \
			to[k] = from[at[k]];                         \
			__asm__("" : : : "memory");                  \
		}                                                    \
	} while (0)
#define LOAD_AT_BY_SIZE                                              \
	switch (bytes) {                                             \
	case 1: LOAD_AT(uint8_t); break;                             \
	case 2: LOAD_AT(uint16_t); break;                            \
	case 4: LOAD_AT(uint32_t); break;                            \
	case 8: LOAD_AT(uint64_t); break;                            \
	default: LOAD_AT(struct access_bytes16);                     \
	}
static void access_load_at(int bytes, const char *src, const int32_t *at, char *dst, int64_t count)
{
	LOAD_AT_BY_SIZE
}
static void access_load_at_long(int bytes, const char *src, const int64_t *at, char *dst, int64_t count)
{
	LOAD_AT_BY_SIZE
}
#undef LOAD_AT_BY_SIZE
#undef LOAD_AT

/* The usual case, neighboring elements, has a loop of its own. */
#define GATHER_BLOCK(I)                                              \
	{                                                            \
		const I *index = (const I *)d->indices + d->first_index + i, limit = (I)d->limit; \
		int32_t at[SR_ACCESS_BLOCK];                         \
		int64_t at_long[SR_ACCESS_BLOCK];                    \
		for (int64_t k = 0; k < count; k++) {                \
			I v = index[k] > limit ? limit : index[k];   \
			at[k] = v < 1 ? 0 : (int32_t)v;              \
		}                                                    \
		if (step == 0 && stride == 1) {                      \
			access_load_at(bytes, src, at, dst + i * bytes, count); \
			break;                                       \
		}                                                    \
		for (int64_t k = 0; k < count; k++)                  \
			at_long[k] = (i + k) * step + at[k] * stride; \
		access_load_at_long(bytes, src, at_long, dst + i * bytes, count); \
		break;                                               \
	}

static bool access_gather_by_indices(int bytes, const char *src, const struct sr_access_dim *d, int64_t offset, int64_t step,
				     char *dst, int64_t n)
{
	int64_t stride = d->stride;
	if (d->index_step != 1 || d->limit > INT32_MAX)
		return false;
	src += (offset + d->x * stride) * bytes;
	step += d->step * stride;
	for (int64_t i = 0, count; i < n; i += count) {
		count = n - i < SR_ACCESS_BLOCK ? n - i : SR_ACCESS_BLOCK;
		switch (d->index_type) {
		case SR_I32: GATHER_BLOCK(int32_t)
		case SR_UI32: GATHER_BLOCK(uint32_t)
		case SR_I64: GATHER_BLOCK(int64_t)
		default: return false;
		}
	}
	return true;
}
#undef GATHER_BLOCK

/* Return the greatest magnitude of a dim's contribution to the offsets of n elements; INT64_MAX: at least 2^62. */
static int64_t access_reach(const struct sr_access_dim *d, int64_t n)
{
	int64_t x = d->x < 0 ? -d->x : d->x, step = d->step < 0 ? -d->step : d->step, sum, product;
	int64_t stride = d->stride < 0 ? -d->stride : d->stride;
	if (__builtin_mul_overflow(step, n, &sum) || __builtin_add_overflow(sum, x, &sum) ||
	    __builtin_add_overflow(sum, d->limit, &sum) || __builtin_mul_overflow(sum, stride, &product) || product > INT64_MAX / 2)
		return INT64_MAX;
	return product;
}

static bool access_gather_by_pairs(int bytes, const char *src, const struct sr_access_dim *d, int64_t offset, int64_t step,
				   char *dst, int64_t n)
{
	for (int k = 0; k < 2; k++)
		if (d[k].index_type != SR_I32 || d[k].index_step != 1 || d[k].limit > INT32_MAX ||
		    access_reach(&d[k], n) > INT32_MAX / 4)
			return false;
	int64_t base = offset + d[0].x * d[0].stride + d[1].x * d[1].stride;
	int64_t change = step + d[0].step * d[0].stride + d[1].step * d[1].stride;
	if (base < 0 || base > INT32_MAX / 4 || change < 0 || change * n > INT32_MAX / 4)
		return false;
	const int32_t *a = (const int32_t *)d[0].indices + d[0].first_index, *b = (const int32_t *)d[1].indices + d[1].first_index;
	int32_t limit_a = (int32_t)d[0].limit, limit_b = (int32_t)d[1].limit, first = (int32_t)base, by = (int32_t)change;
	int32_t stride_a = (int32_t)d[0].stride, stride_b = (int32_t)d[1].stride;
	for (int64_t i = 0, count; i < n; i += count) {
		int32_t at[SR_ACCESS_BLOCK];
		count = n - i < SR_ACCESS_BLOCK ? n - i : SR_ACCESS_BLOCK;
		for (int64_t k = 0; k < count; k++) {
			int32_t v = a[i + k] > limit_a ? limit_a : a[i + k], w = b[i + k] > limit_b ? limit_b : b[i + k];
			at[k] = first + (int32_t)(i + k) * by + (v < 0 ? 0 : v) * stride_a + (w < 0 ? 0 : w) * stride_b;
		}
		access_load_at(bytes, src, at, dst + i * bytes, count);
	}
	return true;
}

/* Compilers turn these loops, whose `count` is a constant, into shuffles of vectors. */
#define INTERLEAVE(T, count)                                         \
	do {                                                         \
		const T *restrict a = (const T *)f[0], *restrict b = (const T *)f[1]; \
		const T *restrict c = (const T *)f[(count) > 2 ? 2 : 0], *restrict d = (const T *)f[(count) > 3 ? 3 : 0]; \
		T *restrict t = (T *)(void *)to;                     \
		for (int64_t i = 0; i < n; i++) {                    \
			t[i * (count)] = a[i];                       \
			t[i * (count) + 1] = b[i];                   \
			if ((count) > 2)                             \
				t[i * (count) + 2] = c[i];           \
			if ((count) > 3)                             \
				t[i * (count) + 3] = d[i];           \
		}                                                    \
	} while (0)
#define INTERLEAVE_BY_COUNT(T)                                       \
	switch (count) {                                             \
	case 2: INTERLEAVE(T, 2); break;                             \
	case 3: INTERLEAVE(T, 3); break;                             \
	default: INTERLEAVE(T, 4);                                   \
	}                                                            \
	break
static void access_interleave(int bytes, const void *const *f, int count, char *to, int64_t n)
{
	switch (bytes) {
	case 1: INTERLEAVE_BY_COUNT(uint8_t);
	case 2: INTERLEAVE_BY_COUNT(uint16_t);
	case 4: INTERLEAVE_BY_COUNT(uint32_t);
	case 8: INTERLEAVE_BY_COUNT(uint64_t);
	default: INTERLEAVE_BY_COUNT(struct access_bytes16);
	}
}
#undef INTERLEAVE_BY_COUNT
#undef INTERLEAVE

#define DEINTERLEAVE(T, count)                                       \
	do {                                                         \
		const T *restrict f = (const T *)(const void *)from; \
		T *restrict a = (T *)to[0], *restrict b = (T *)to[1]; \
		T *restrict c = (T *)to[(count) > 2 ? 2 : 0], *restrict d = (T *)to[(count) > 3 ? 3 : 0]; \
		for (int64_t i = 0; i < n; i++) {                    \
			a[i] = f[i * (count)];                       \
			b[i] = f[i * (count) + 1];                   \
			if ((count) > 2)                             \
				c[i] = f[i * (count) + 2];           \
			if ((count) > 3)                             \
				d[i] = f[i * (count) + 3];           \
		}                                                    \
	} while (0)
#define DEINTERLEAVE_BY_COUNT(T)                                     \
	switch (count) {                                             \
	case 2: DEINTERLEAVE(T, 2); break;                           \
	case 3: DEINTERLEAVE(T, 3); break;                           \
	default: DEINTERLEAVE(T, 4);                                 \
	}                                                            \
	break
static void access_deinterleave(int bytes, const char *from, int count, void *const *to, int64_t n)
{
	switch (bytes) {
	case 1: DEINTERLEAVE_BY_COUNT(uint8_t);
	case 2: DEINTERLEAVE_BY_COUNT(uint16_t);
	case 4: DEINTERLEAVE_BY_COUNT(uint32_t);
	case 8: DEINTERLEAVE_BY_COUNT(uint64_t);
	default: DEINTERLEAVE_BY_COUNT(struct access_bytes16);
	}
}
#undef DEINTERLEAVE_BY_COUNT
#undef DEINTERLEAVE

#if defined(__x86_64__)
#if defined(__clang__)
#define STREAM_STORE(to, v) __builtin_nontemporal_store(v, to)
#elif defined(__AVX512BW__)
#define STREAM_STORE __builtin_ia32_movntdq512
#elif defined(__AVX2__)
#define STREAM_STORE __builtin_ia32_movntdq256
#else
#define STREAM_STORE __builtin_ia32_movntdq
#endif
typedef long long access_line __attribute__((vector_size(ACCESS_VECTOR), may_alias));
static void access_stream(const char *src, char *dst, int64_t bytes)
{
	enum { LINE = 64 };
	int64_t head = -(uintptr_t)dst & (LINE - 1), i = head < bytes ? head : bytes;
	memcpy(dst, src, (size_t)i);
	for (; i + LINE <= bytes; i += LINE)
		for (int64_t k = i; k < i + LINE; k += ACCESS_VECTOR) {
			access_line v;
			memcpy(&v, src + k, sizeof v);
			STREAM_STORE((access_line *)(void *)(dst + k), v);
		}
	memcpy(dst + i, src + i, (size_t)(bytes - i));
}

static void access_end_stream(void)
{
	__builtin_ia32_sfence();
}
#else
#define access_stream NULL
#define access_end_stream NULL
#endif

#define ACCESS_VECTOR_TYPE(T) \
	typedef T access_vector_##T __attribute__((vector_size(ACCESS_VECTOR), aligned(sizeof(T)), may_alias));
ACCESS_VECTOR_TYPE(float)
ACCESS_VECTOR_TYPE(double)
#undef ACCESS_VECTOR_TYPE
#define VECTOR_AT(T, at, i) (((access_vector_##T *)(uintptr_t)(at))[i])
#define EACH_VECTOR(n) _Pragma("GCC unroll 4") for (int k = 0; k < (n); k++)

/* If vectors do not divide the row, the last one overlaps the one before it: it is computed first and stored last. */
#define ADD_PRODUCTS(T)                                              \
	static inline __attribute__((always_inline)) void product_strip_##T( \
		access_vector_##T *sum, const struct sr_product_rows *m, int64_t at, const int vectors, const bool is_b_scalar) \
	{                                                            \
		const T *a = (const T *)m->a + at, *b = (const T *)m->b + (is_b_scalar ? 0 : at), *to = (const T *)m->to + at; \
		const access_vector_##T zero = {0}, one_b = zero + *b; \
		access_vector_##T s[4];                              \
		EACH_VECTOR(vectors)                                 \
			s[k] = VECTOR_AT(T, to, k);                  \
		for (int64_t row = 0; row < m->rows; row++, a += m->n, b += is_b_scalar ? 0 : m->n) \
			EACH_VECTOR(vectors)                         \
				s[k] = s[k] + VECTOR_AT(T, a, k) * (is_b_scalar ? one_b : VECTOR_AT(T, b, k)); \
		EACH_VECTOR(vectors)                                 \
			sum[k] = s[k];                               \
	}                                                            \
	static inline __attribute__((always_inline)) void product_rows_##T(const struct sr_product_rows *m, \
									   const bool is_b_scalar) \
	{                                                            \
		const int64_t width = ACCESS_VECTOR / sizeof(T);     \
		T *to = m->to;                                       \
		access_vector_##T last = {0}, sum[4];                \
		int64_t at = 0;                                      \
		if (m->n % width)                                    \
			product_strip_##T(&last, m, m->n - width, 1, is_b_scalar); \
		for (; at + 4 * width <= m->n; at += 4 * width) {    \
			product_strip_##T(sum, m, at, 4, is_b_scalar); \
			EACH_VECTOR(4)                               \
				VECTOR_AT(T, to + at, k) = sum[k];   \
		}                                                    \
		for (; at + width <= m->n; at += width) {            \
			product_strip_##T(sum, m, at, 1, is_b_scalar); \
			VECTOR_AT(T, to + at, 0) = sum[0];           \
		}                                                    \
		if (m->n % width)                                    \
			VECTOR_AT(T, to + m->n - width, 0) = last;   \
	}                                                            \
	static void access_add_products_##T(const struct sr_product_rows *m) \
	{                                                            \
		if (m->is_b_scalar)                                  \
			product_rows_##T(m, true);                   \
		else                                                 \
			product_rows_##T(m, false);                  \
	}
ADD_PRODUCTS(float)
ADD_PRODUCTS(double)
#undef ADD_PRODUCTS
#undef VECTOR_AT

/* Columns [at, at + vectors * LANES(T)) of a search for extrema in elements of type T with indices of type I. B: an integer of T's
 * size. Accumulators stay in registers. */
#define LANES(T) (int)(ACCESS_VECTOR / sizeof(T))
#define LANES_OF(E, T, name) \
	typedef E name __attribute__((vector_size(ACCESS_VECTOR / sizeof(T) * sizeof(E)), aligned(sizeof(E)), may_alias));
#define FIND_EXTREMA(T, B, I)                                        \
	LANES_OF(T, T, values_##T##_##I) LANES_OF(B, T, bits_##T##_##I) LANES_OF(I, T, indices_##T##_##I) \
	static inline __attribute__((always_inline)) void extrema_strip_##T##_##I(const struct sr_extremum_rows *m, int64_t at, \
										  const int vectors, const bool is_least) \
	{                                                            \
		const T *from = (const T *)m->rows_at + at;          \
		values_##T##_##I *value = (void *)((T *)m->value + at), v[4]; \
		indices_##T##_##I *index = (void *)((I *)m->index + at), found[4]; \
		EACH_VECTOR(vectors)                                 \
			v[k] = value[k], found[k] = index[k];        \
		for (int64_t row = 0; row < m->rows; row++, from += m->n) { \
			const I i = (I)(m->first + m->step * row);   \
			EACH_VECTOR(vectors) {                       \
				const values_##T##_##I x = ((const values_##T##_##I *)(const void *)from)[k]; \
				const bits_##T##_##I keeps = (is_least ? v[k] <= x : v[k] >= x) | (v[k] != v[k]); \
				const indices_##T##_##I keeps_index = __builtin_convertvector(keeps, indices_##T##_##I); \
				v[k] = (values_##T##_##I)(((bits_##T##_##I)v[k] & keeps) | ((bits_##T##_##I)x & ~keeps)); \
				found[k] = (found[k] & keeps_index) | (i & ~keeps_index); \
			}                                            \
		}                                                    \
		EACH_VECTOR(vectors)                                 \
			value[k] = v[k], index[k] = found[k];        \
	}                                                            \
	static inline __attribute__((always_inline)) void extrema_##T##_##I(const struct sr_extremum_rows *m, const bool is_least) \
	{                                                            \
		int64_t at = 0;                                      \
		for (; at + 4 * LANES(T) <= m->n; at += 4 * LANES(T)) \
			extrema_strip_##T##_##I(m, at, 4, is_least); \
		for (; at + LANES(T) <= m->n; at += LANES(T))        \
			extrema_strip_##T##_##I(m, at, 1, is_least); \
		for (; at < m->n; at++) {                            \
			const T *from = (const T *)m->rows_at + at;  \
			T *v = (T *)m->value + at;                   \
			for (int64_t row = 0; row < m->rows; row++, from += m->n) \
				if (!(is_least ? *v <= *from : *v >= *from) && *v == *v) \
					*v = *from, ((I *)m->index)[at] = (I)(m->first + m->step * row); \
		}                                                    \
	}                                                            \
	static void access_extrema_##T##_##I(const struct sr_extremum_rows *m) \
	{                                                            \
		if (m->is_least)                                     \
			extrema_##T##_##I(m, true);                  \
		else                                                 \
			extrema_##T##_##I(m, false);                 \
	}
FIND_EXTREMA(float, int32_t, int32_t)
FIND_EXTREMA(float, int32_t, int64_t)
FIND_EXTREMA(double, int64_t, int32_t)
FIND_EXTREMA(double, int64_t, int64_t)
FIND_EXTREMA(int32_t, int32_t, int32_t)
FIND_EXTREMA(int32_t, int32_t, int64_t)
#undef FIND_EXTREMA
#undef LANES_OF
#undef LANES
#undef EACH_VECTOR

#include "kernels/nest/vector_code_body.h"

#define SR_ACCESS_FUNCTIONS                                                                         \
	{access_load_strided, access_load_steps, access_load_runs, access_gather, access_add_dim, access_count, \
	 access_gather_by_indices, access_gather_by_pairs, access_interleave, access_deinterleave, access_stream, access_end_stream, &vector_functions, \
	 {[SR_F32] = access_add_products_float, [SR_F64] = access_add_products_double}, \
	 {[SR_F32] = {access_extrema_float_int32_t, access_extrema_float_int64_t}, \
	  [SR_F64] = {access_extrema_double_int32_t, access_extrema_double_int64_t}, \
	  [SR_I32] = {access_extrema_int32_t_int32_t, access_extrema_int32_t_int64_t}}}
