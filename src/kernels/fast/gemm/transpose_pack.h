/* Packing of operands with elements of four or eight bytes that are contiguous along k: blocks are transposed in registers. */
#ifndef SR_KERNELS_FAST_GEMM_TRANSPOSE_PACK_H
#define SR_KERNELS_FAST_GEMM_TRANSPOSE_PACK_H

#include <stdint.h>

typedef uint32_t sr_words4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint32_t sr_words8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef uint32_t sr_words16 __attribute__((vector_size(64), aligned(4), may_alias));

/* Transpose four elements of four rows: dst[p * width + i] = src[i * i_stride + p]. transpose_block8 transposes four elements of
 * eight rows. */
static inline void transpose_block4(const uint32_t *src, int64_t i_stride, uint32_t *dst, int64_t width)
{
#define LINE(i) (*(const sr_words4 *)(src + (i) * i_stride))
	sr_words4 ac = __builtin_shufflevector(LINE(0), LINE(2), 0, 4, 1, 5),
		  AC = __builtin_shufflevector(LINE(0), LINE(2), 2, 6, 3, 7);
	sr_words4 bd = __builtin_shufflevector(LINE(1), LINE(3), 0, 4, 1, 5),
		  BD = __builtin_shufflevector(LINE(1), LINE(3), 2, 6, 3, 7);
#undef LINE
	*(sr_words4 *)dst = __builtin_shufflevector(ac, bd, 0, 4, 1, 5);
	*(sr_words4 *)(dst + width) = __builtin_shufflevector(ac, bd, 2, 6, 3, 7);
	*(sr_words4 *)(dst + 2 * width) = __builtin_shufflevector(AC, BD, 0, 4, 1, 5);
	*(sr_words4 *)(dst + 3 * width) = __builtin_shufflevector(AC, BD, 2, 6, 3, 7);
}

static inline void transpose_block8(const uint32_t *src, int64_t i_stride, uint32_t *dst, int64_t width)
{
#define HALF(i) (*(const sr_words4 *)(src + (i) * i_stride))
#define LINE(i) __builtin_shufflevector(HALF(i), HALF(i + 4), 0, 1, 2, 3, 4, 5, 6, 7)
	sr_words8 a = LINE(0), b = LINE(1), c = LINE(2), d = LINE(3);
#undef LINE
#undef HALF
#define LOW(x, y) __builtin_shufflevector(x, y, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH(x, y) __builtin_shufflevector(x, y, 2, 10, 3, 11, 6, 14, 7, 15)
	sr_words8 ac = LOW(a, c), AC = HIGH(a, c), bd = LOW(b, d), BD = HIGH(b, d);
	*(sr_words8 *)dst = LOW(ac, bd);
	*(sr_words8 *)(dst + width) = HIGH(ac, bd);
	*(sr_words8 *)(dst + 2 * width) = LOW(AC, BD);
	*(sr_words8 *)(dst + 3 * width) = HIGH(AC, BD);
#undef LOW
#undef HIGH
}

/* Transpose four elements of sixteen rows. */
static inline void transpose_block16(const uint32_t *src, int64_t i_stride, uint32_t *dst, int64_t width)
{
#define QUARTER(i) (*(const sr_words4 *)(src + (i) * i_stride))
#define HALF(i) __builtin_shufflevector(QUARTER(i), QUARTER(i + 4), 0, 1, 2, 3, 4, 5, 6, 7)
#define LINE(i) __builtin_shufflevector(HALF(i), HALF(i + 8), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
	sr_words16 a = LINE(0), b = LINE(1), c = LINE(2), d = LINE(3);
#undef LINE
#undef HALF
#undef QUARTER
#define LOW(x, y) __builtin_shufflevector(x, y, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define HIGH(x, y) __builtin_shufflevector(x, y, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
	sr_words16 ac = LOW(a, c), AC = HIGH(a, c), bd = LOW(b, d), BD = HIGH(b, d);
	*(sr_words16 *)dst = LOW(ac, bd);
	*(sr_words16 *)(dst + width) = HIGH(ac, bd);
	*(sr_words16 *)(dst + 2 * width) = LOW(AC, BD);
	*(sr_words16 *)(dst + 3 * width) = HIGH(AC, BD);
#undef LOW
#undef HIGH
}

typedef uint64_t sr_longs4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef uint64_t sr_longs8 __attribute__((vector_size(64), aligned(8), may_alias));

/* Transpose four eight-byte elements of eight rows. */
static inline void transpose_longs8(const uint64_t *src, int64_t i_stride, uint64_t *dst, int64_t width)
{
#define HALF(i) (*(const sr_longs4 *)(src + (i) * i_stride))
#define LINE(i) __builtin_shufflevector(HALF(i), HALF(i + 4), 0, 1, 2, 3, 4, 5, 6, 7)
	sr_longs8 a = LINE(0), b = LINE(1), c = LINE(2), d = LINE(3);
#undef LINE
#undef HALF
#define EVEN(x, y) __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14)
#define ODD(x, y) __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15)
	sr_longs8 ab = EVEN(a, b), AB = ODD(a, b), cd = EVEN(c, d), CD = ODD(c, d);
#undef ODD
#undef EVEN
	*(sr_longs8 *)dst = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13);
	*(sr_longs8 *)(dst + width) = __builtin_shufflevector(AB, CD, 0, 1, 8, 9, 4, 5, 12, 13);
	*(sr_longs8 *)(dst + 2 * width) = __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
	*(sr_longs8 *)(dst + 3 * width) = __builtin_shufflevector(AB, CD, 2, 3, 10, 11, 6, 7, 14, 15);
}

/* Transpose eight rows of k elements: dst[p * width + r] = src[r * i_stride + p]. */
static inline void transpose_rows8(const uint32_t *src, int64_t i_stride, int64_t k, uint32_t *dst, int64_t width)
{
	int64_t full_blocks_end = k / 4 * 4;
	for (int64_t p = 0; p < full_blocks_end; p += 4)
		transpose_block8(src + p, i_stride, dst + p * width, width);
	for (int64_t p = full_blocks_end; p < k; p++)
		for (int64_t r = 0; r < 8; r++)
			dst[p * width + r] = src[r * i_stride + p];
}

/* Pack an operand that is contiguous along k into strips, as a sr_gemm_pack_fn. n is a multiple of the width, and the width a
 * multiple of four. */
static inline void transpose_strips(const uint32_t *src, int64_t i_stride, int64_t n, int64_t width, int64_t k, uint32_t *to,
			       int64_t strip_stride)
{
	int64_t step = width % 8 ? 4 : 8, full_blocks_end = k / 4 * 4;
	for (int64_t i = 0; i < n; i += step) {
		const uint32_t *in = src + i * i_stride;
		uint32_t *out = to + i / width * strip_stride + i % width;
		for (int64_t p = 0; p < full_blocks_end; p += 4)
			if (step == 8)
				transpose_block8(in + p, i_stride, out + p * width, width);
			else
				transpose_block4(in + p, i_stride, out + p * width, width);
		for (int64_t p = full_blocks_end; p < k; p++)
			for (int64_t r = 0; r < step; r++)
				out[p * width + r] = in[r * i_stride + p];
	}
}

#endif
