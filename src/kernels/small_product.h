/* Arithmetic of small matrix products (sr_product_is_small), which kernels and compiled loops share: macros that define
 * functions, so that they can also be turned into text. */
#ifndef SR_KERNELS_SMALL_PRODUCT_H
#define SR_KERNELS_SMALL_PRODUCT_H

/* SR_PRODUCT_SUM_BLOCK: a sum over k of a product of floats is the sum of sums of so many terms, each in the order of k and
 * beginning with 0; but dot products have lanes. SR_SMALL_PRODUCT_FLOPS: maximum FLOPs of a small product, except of one whose
 * right operand is compact (sr_product_is_small). */
enum { SR_PRODUCT_SUM_BLOCK = 256, SR_SMALL_PRODUCT_FLOPS = 1 << 17 };

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
 * one is left. Sums of up to 16, 32 and 64 elements keep all lanes in registers: conditions become masks of vector loads. Zero
 * is added to each lane that has no second element; this changes -0 to +0, as adding the upper half of 32 lanes does. */
#define SR_DOT_OF(id, type) \
	static inline type sum_lanes_##id(const type *lane) \
	{ \
		type of_8[8], of_4[4]; \
		for (int i = 0; i < 8; i++) \
			of_8[i] = lane[i] + lane[i + 8]; \
		for (int i = 0; i < 4; i++) \
			of_4[i] = of_8[i] + of_8[i + 4]; \
		type even = of_4[0] + of_4[2], odd = of_4[1] + of_4[3]; \
		return even + odd; \
	} \
	static inline type dot_##id(const type *a, const type *b, int64_t k) \
	{ \
		type lane[32] = {0}, of_16[16]; \
		int64_t l = 0; \
		if (k <= 16) { \
			for (int i = 0; i < 16; i++) \
				of_16[i] = (i < (int)k ? multiply_add_##id(a[i], b[i], 0) : 0) + 0; \
			return sum_lanes_##id(of_16); \
		} \
		if (k <= 32) { \
			for (int i = 0; i < 16; i++) \
				of_16[i] = multiply_add_##id(a[i], b[i], 0) + \
					   (i + 16 < (int)k ? multiply_add_##id(a[i + 16], b[i + 16], 0) : 0); \
			return sum_lanes_##id(of_16); \
		} \
		if (k <= 64) { \
			for (int i = 0; i < 16; i++) { \
				type x = multiply_add_##id(a[i], b[i], 0), y = multiply_add_##id(a[i + 16], b[i + 16], 0); \
				x = i + 32 < (int)k ? multiply_add_##id(a[i + 32], b[i + 32], x) : x; \
				y = i + 48 < (int)k ? multiply_add_##id(a[i + 48], b[i + 48], y) : y; \
				of_16[i] = x + y; \
			} \
			return sum_lanes_##id(of_16); \
		} \
		for (; l + 32 <= k; l += 32) \
			for (int i = 0; i < 32; i++) \
				lane[i] = multiply_add_##id(a[l + i], b[l + i], lane[i]); \
		for (int i = 0; i < k - l; i++) \
			lane[i] = multiply_add_##id(a[l + i], b[l + i], lane[i]); \
		for (int i = 0; i < 16; i++) \
			of_16[i] = lane[i] + lane[i + 16]; \
		return sum_lanes_##id(of_16); \
	}
#define SR_DOT SR_DOT_OF(F32, float) SR_DOT_OF(F64, double)

#endif
