/* Strips of an operand of four-byte elements whose lines lie the other way: blocks of it are turned in registers. */
#ifndef SR_KERNELS_FAST_GEMM_TRANSPOSE_PACK_H
#define SR_KERNELS_FAST_GEMM_TRANSPOSE_PACK_H

#include <stdint.h>

typedef uint32_t sr_words4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint32_t sr_words8 __attribute__((vector_size(32), aligned(4), may_alias));

/* Four elements of four lines, or of eight as two halves of each vector: to[p * width + i] = from[i * across + p]. */
static inline void turn_block4(const uint32_t *from, int64_t across, uint32_t *to, int64_t width)
{
#define LINE(i) (*(const sr_words4 *)(from + (i) * across))
	sr_words4 ac = __builtin_shufflevector(LINE(0), LINE(2), 0, 4, 1, 5),
		  AC = __builtin_shufflevector(LINE(0), LINE(2), 2, 6, 3, 7);
	sr_words4 bd = __builtin_shufflevector(LINE(1), LINE(3), 0, 4, 1, 5),
		  BD = __builtin_shufflevector(LINE(1), LINE(3), 2, 6, 3, 7);
#undef LINE
	*(sr_words4 *)to = __builtin_shufflevector(ac, bd, 0, 4, 1, 5);
	*(sr_words4 *)(to + width) = __builtin_shufflevector(ac, bd, 2, 6, 3, 7);
	*(sr_words4 *)(to + 2 * width) = __builtin_shufflevector(AC, BD, 0, 4, 1, 5);
	*(sr_words4 *)(to + 3 * width) = __builtin_shufflevector(AC, BD, 2, 6, 3, 7);
}

static inline void turn_block8(const uint32_t *from, int64_t across, uint32_t *to, int64_t width)
{
#define HALF(i) (*(const sr_words4 *)(from + (i) * across))
#define LINE(i) __builtin_shufflevector(HALF(i), HALF(i + 4), 0, 1, 2, 3, 4, 5, 6, 7)
	sr_words8 a = LINE(0), b = LINE(1), c = LINE(2), d = LINE(3);
#undef LINE
#undef HALF
#define LOW(x, y) __builtin_shufflevector(x, y, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH(x, y) __builtin_shufflevector(x, y, 2, 10, 3, 11, 6, 14, 7, 15)
	sr_words8 ac = LOW(a, c), AC = HIGH(a, c), bd = LOW(b, d), BD = HIGH(b, d);
	*(sr_words8 *)to = LOW(ac, bd);
	*(sr_words8 *)(to + width) = HIGH(ac, bd);
	*(sr_words8 *)(to + 2 * width) = LOW(AC, BD);
	*(sr_words8 *)(to + 3 * width) = HIGH(AC, BD);
#undef LOW
#undef HIGH
}

/* sr_gemm_pack_fn for lines that lie along k; n is a multiple of the width, and the width one of four. */
static inline void turn_strips(const uint32_t *from, int64_t across, int64_t n, int64_t width, int64_t k, uint32_t *to,
			       int64_t apart)
{
	int64_t step = width % 8 ? 4 : 8, whole = k / 4 * 4;
	for (int64_t i = 0; i < n; i += step) {
		const uint32_t *in = from + i * across;
		uint32_t *out = to + i / width * apart + i % width;
		for (int64_t p = 0; p < whole; p += 4)
			if (step == 8)
				turn_block8(in + p, across, out + p * width, width);
			else
				turn_block4(in + p, across, out + p * width, width);
		for (int64_t p = whole; p < k; p++)
			for (int64_t r = 0; r < step; r++)
				out[p * width + r] = in[r * across + p];
	}
}

#endif
