/* Maximum and minimum of vectors of floats, with the bits of SR_EXTREMA (scalar_functions.h): NaN if either is NaN, and -0 < +0.
 * Included by files that set the compiler's target. */
#ifndef SR_KERNELS_VECTOR_EXTREMA_H
#define SR_KERNELS_VECTOR_EXTREMA_H

/* The bits of x where the mask is set, else those of y. W: type of integer vectors. */
#define SR_CHOOSE(W, mask, x, y) (((W)(mask) & (W)(x)) | (~(W)(mask) & (W)(y)))
#define SR_BEFORE_maximum >
#define SR_BEFORE_minimum <
/* Zeros of different sign, joined by one of these, have the sign of the result. */
#define SR_JOIN_maximum &
#define SR_JOIN_minimum |

/* Vectors of any size. name: maximum or minimum. The result is an integer vector. */
#define SR_PLAIN_EXTREMUM(W, name, x, y)                             \
	SR_CHOOSE(W, (x) SR_BEFORE_##name (y), x,                    \
		  SR_CHOOSE(W, (y) SR_BEFORE_##name (x), y,          \
			    SR_CHOOSE(W, (x) == (y), (W)(x) SR_JOIN_##name (W)(y), (x) + (y))))

/* SR_EXTREMUM(W, T, name, x, y): the same for the target's widest vectors. T: ps for float, pd for double. */
#if defined(__AVX512DQ__) && !defined(__clang__)
/* The range instruction orders zeros by their signs; where an operand is NaN, the sum replaces its result. */
enum { SR_RANGE_minimum = 4, SR_RANGE_maximum = 5, SR_IS_UNORDERED = 3, SR_CURRENT_ROUNDING = 4 };
#define SR_RANGE(T, name, x, y) __builtin_ia32_range##T##512_mask(x, y, SR_RANGE_##name, x, -1, SR_CURRENT_ROUNDING)
#define SR_UNORDERED(T, x, y) __builtin_ia32_cmp##T##512_mask(x, y, SR_IS_UNORDERED, -1, SR_CURRENT_ROUNDING)
#define SR_EXTREMUM(W, T, name, x, y)                                \
	((W)__builtin_ia32_add##T##512_mask(x, y, SR_RANGE(T, name, x, y), SR_UNORDERED(T, x, y), SR_CURRENT_ROUNDING))
#elif defined(__AVX__) && !defined(__clang__)
/* The instruction returns its second operand if both are zeros. */
#define SR_INSTRUCTION_maximum max
#define SR_INSTRUCTION_minimum min
#define SR_FIRST_OF(instruction, T, x, y) SR_FIRST_BY(instruction, T, x, y)
#define SR_FIRST_BY(instruction, T, x, y) __builtin_ia32_##instruction##T##256(x, y)
#define SR_EXTREMUM(W, T, name, x, y)                                \
	SR_CHOOSE(W, (W)((x) == (x)) & (W)((y) == (y)),              \
		  (W)SR_FIRST_OF(SR_INSTRUCTION_##name, T, x, y) SR_JOIN_##name             \
		  (W)SR_FIRST_OF(SR_INSTRUCTION_##name, T, y, x), (x) + (y))
#else
#define SR_EXTREMUM(W, T, name, x, y) SR_PLAIN_EXTREMUM(W, name, x, y)
#endif
#endif
