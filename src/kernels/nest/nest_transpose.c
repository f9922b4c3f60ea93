/* Transposes of short rows of elements of 2 and 4 bytes, in blocks of a vector's length that pass through registers. */
#include "kernels/nest/nest_prepared.h"

#pragma GCC optimize("O3", "align-loops=64")

typedef uint16_t vector_2 __attribute__((vector_size(16), aligned(2), may_alias));
typedef uint32_t vector_4 __attribute__((vector_size(16), aligned(4), may_alias));
#define LOW_2(x, y) __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_2(x, y) __builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW_4(x, y) __builtin_shufflevector(x, y, 0, 4, 1, 5)
#define HIGH_4(x, y) __builtin_shufflevector(x, y, 2, 6, 3, 7)

/* Transpose `runs` x n elements: dst[i][k] = src[i + k * step]. A block of N x N elements takes log2 N rounds, each of which
 * interleaves vectors k and k + N / 2. */
#define TRANSPOSE(bytes, T, N) \
	static void transpose_##bytes(const T *src, int64_t step, T *dst, int64_t runs, int64_t n) \
	{ \
		int64_t k = 0; \
		for (; k + N <= n; k += N) { \
			int64_t i = 0; \
			for (; i + N <= runs; i += N) { \
				vector_##bytes x[2][N]; \
				int at = 0; \
				_Pragma("GCC unroll 8") for (int j = 0; j < N; j++) \
					x[0][j] = *(const vector_##bytes *)(src + (k + j) * step + i); \
				_Pragma("GCC unroll 3") for (int half = N / 2; half; half /= 2, at = !at) \
					_Pragma("GCC unroll 4") for (int j = 0; j < N / 2; j++) { \
						x[!at][2 * j] = LOW_##bytes(x[at][j], x[at][j + N / 2]); \
						x[!at][2 * j + 1] = HIGH_##bytes(x[at][j], x[at][j + N / 2]); \
					} \
				_Pragma("GCC unroll 8") for (int j = 0; j < N; j++) \
					*(vector_##bytes *)(dst + (i + j) * n + k) = x[at][j]; \
			} \
			for (; i < runs; i++) \
				for (int j = 0; j < N; j++) \
					dst[i * n + k + j] = src[(k + j) * step + i]; \
		} \
		for (; k < n; k++) \
			for (int64_t i = 0; i < runs; i++) \
				dst[i * n + k] = src[k * step + i]; \
	}
TRANSPOSE(2, uint16_t, 8)
TRANSPOSE(4, uint32_t, 4)

bool sr_nest_transpose(int bytes, const char *src, int64_t step, char *dst, int64_t runs, int64_t n)
{
	if (bytes == 2)
		transpose_2((const uint16_t *)(const void *)src, step, (uint16_t *)(void *)dst, runs, n);
	else if (bytes == 4)
		transpose_4((const uint32_t *)(const void *)src, step, (uint32_t *)(void *)dst, runs, n);
	return bytes == 2 || bytes == 4;
}
