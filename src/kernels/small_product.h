/* Arithmetic of small matrix products (sr_product_is_small), which kernels and compiled loops share: macros that define
 * functions, so that they can also be turned into text. */
#ifndef SR_KERNELS_SMALL_PRODUCT_H
#define SR_KERNELS_SMALL_PRODUCT_H

/* Return a * b + c, rounded once if the machine has an instruction for it (SR_HAS_MULTIPLY_ADD), as kernels/fast/gemm computes
 * it. */
#if defined(__FMA__) || defined(__aarch64__)
#define SR_HAS_MULTIPLY_ADD 1
#else
#define SR_HAS_MULTIPLY_ADD 0
#endif
#define SR_MULTIPLY_ADD_FUSED \
	static inline float multiply_add_F32(float a, float b, float c) { return __builtin_fmaf(a, b, c); } \
	static inline double multiply_add_F64(double a, double b, double c) { return __builtin_fma(a, b, c); }
#define SR_MULTIPLY_ADD_PLAIN \
	static inline float multiply_add_F32(float a, float b, float c) { return a * b + c; } \
	static inline double multiply_add_F64(double a, double b, double c) { return a * b + c; }

/* Return the sum of a[l] * b[l]: element l is added to lane l % 32, and then the upper half of the lanes to the lower half until
 * one is left. */
#define SR_DOT_OF(id, type) \
	static inline type dot_##id(const type *a, const type *b, int64_t k) \
	{ \
		type lane[32] = {0}; \
		int64_t l = 0; \
		for (; l + 32 <= k; l += 32) \
			for (int i = 0; i < 32; i++) \
				lane[i] = multiply_add_##id(a[l + i], b[l + i], lane[i]); \
		for (int i = 0; i < k - l; i++) \
			lane[i] = multiply_add_##id(a[l + i], b[l + i], lane[i]); \
		for (int half = 16; half; half /= 2) \
			for (int i = 0; i < half; i++) \
				lane[i] += lane[i + half]; \
		return lane[0]; \
	}
#define SR_DOT SR_DOT_OF(F32, float) SR_DOT_OF(F64, double)

#endif
