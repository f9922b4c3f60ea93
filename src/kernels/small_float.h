/* Conversions between f32 and floats of at most 8 bits that GCC can vectorize, with the bits of sr_float_decode and sr_float_encode
 * (support/dtype.c), which convert one number at a time by way of double.
 *
 * A pattern's magnitude, moved to the place of an f32's exponent and mantissa, is the value times 2^(bias - 127), whether it is
 * subnormal or not, so a product with a power of two decodes it. Encoding does the reverse: it rounds the bits of a number that
 * becomes normal as an integer, and adds to a number that becomes subnormal a float whose last bit has the weight of the format's
 * last bit. Arguments other than the number are constants. */
#ifndef SR_KERNELS_SMALL_FLOAT_H
#define SR_KERNELS_SMALL_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

enum sr_small_top {    /* special values that the largest bit patterns of a format encode */
	SR_SMALL_IEEE,   /* Inf and NaN have the largest exponent */
	SR_SMALL_FN,     /* NaN has all exponent and mantissa bits set; there is no Inf */
	SR_SMALL_FNUZ,   /* NaN has the bit pattern of -0; there is no Inf */
	SR_SMALL_FINITE, /* no special values, all patterns are numbers; NaN is encoded as zero, as by sr_float_encode */
};

/* Rows: X(id, exponent bits, mantissa bits, bias, special values). */
#define SR_SMALL_FLOATS(X) \
	X(F4E2M1FN, 2, 1, 1, FINITE) X(F6E2M3FN, 2, 3, 1, FINITE) X(F6E3M2FN, 3, 2, 3, FINITE) X(F8E3M4, 3, 4, 3, IEEE) \
	X(F8E4M3, 4, 3, 7, IEEE) X(F8E4M3B11FNUZ, 4, 3, 11, FNUZ) X(F8E4M3FN, 4, 3, 7, FN) X(F8E4M3FNUZ, 4, 3, 8, FNUZ) \
	X(F8E5M2, 5, 2, 15, IEEE) X(F8E5M2FNUZ, 5, 2, 16, FNUZ)

/* The functions are macros, so that they can also be turned into text: compiled loops contain the same code. */
#define SR_SMALL_SCALAR static inline __attribute__((always_inline, unused))
#define SR_SMALL_FLOAT_FUNCTIONS \
	union sr_small_bits { \
		float v; \
		uint32_t bits; \
	}; \
	SR_SMALL_SCALAR float sr_small_decode(uint8_t v, int exponent, int mantissa, int bias, int top) \
	{ \
		const uint32_t sign_bit = 1u << (exponent + mantissa), infinity = ((1u << exponent) - 1) << mantissa; \
		const union sr_small_bits scale = {.bits = (uint32_t)(254 - bias) << 23}; \
		uint32_t magnitude = v & (sign_bit - 1), sign = v & sign_bit ? 0x80000000u : 0; \
		union sr_small_bits u = {.bits = magnitude << (23 - mantissa)}; \
		uint32_t nan = 0x7fc00000u; \
		bool is_special = false; \
		if (top == SR_SMALL_IEEE) { \
			is_special = magnitude >= infinity; \
			nan = 0x7f800000u | (magnitude - infinity) << (23 - mantissa) | (magnitude > infinity ? 0x400000u : 0); \
		} else if (top == SR_SMALL_FN) { \
			is_special = magnitude == sign_bit - 1; \
		} else if (top == SR_SMALL_FNUZ) { \
			is_special = (v & (2 * sign_bit - 1)) == sign_bit; \
			sign = is_special ? 0 : sign; \
		} \
		u.v *= scale.v; \
		u.bits = (is_special ? nan : u.bits) | sign; \
		return u.v; \
	} \
	SR_SMALL_SCALAR uint8_t sr_small_encode(float f, int exponent, int mantissa, int bias, int top) \
	{ \
		const uint32_t sign_bit = 1u << (exponent + mantissa), infinity = ((1u << exponent) - 1) << mantissa; \
		const uint32_t max_magnitude = top == SR_SMALL_IEEE ? infinity : top == SR_SMALL_FN ? sign_bit - 2 : sign_bit - 1; \
		const int shift = 23 - mantissa; \
		const uint32_t least_normal = (uint32_t)(128 - bias) << 23; \
		const union sr_small_bits subnormal_bias = {.bits = (uint32_t)(128 - bias - mantissa + 23) << 23}; \
		union sr_small_bits u = {f}, t; \
		uint32_t sign = u.bits >> 31 ? sign_bit : 0; \
		u.bits &= 0x7fffffffu; \
		bool is_nan = u.bits > 0x7f800000u; \
		t.v = u.v + subnormal_bias.v; \
		uint32_t base = u.bits - ((uint32_t)(127 - bias) << 23); \
		uint32_t normal = (base + ((1u << (shift - 1)) - 1) + (base >> shift & 1)) >> shift; \
		uint32_t magnitude = u.bits < least_normal ? t.bits - subnormal_bias.bits : normal; \
		bool is_over = magnitude > max_magnitude; \
		uint32_t nan = sign_bit; \
		if (top == SR_SMALL_IEEE) \
			nan = sign | infinity | (u.bits >> shift & ((1u << mantissa) - 1)) | 1u << (mantissa - 1); \
		else if (top == SR_SMALL_FN) \
			nan = sign | (sign_bit - 1); \
		else if (top == SR_SMALL_FINITE) \
			nan = sign ^ sign_bit; \
		else \
			sign = magnitude ? sign : 0; \
		is_nan |= is_over && (top == SR_SMALL_FN || top == SR_SMALL_FNUZ); \
		magnitude = is_over ? max_magnitude : magnitude; \
		return (uint8_t)(is_nan ? nan : sign | magnitude); \
	}
SR_SMALL_FLOAT_FUNCTIONS

/* E8M0 has powers of two from 2^-127 to 2^127, NaN, and neither sign nor zero. Ties are rounded up. */
static inline float sr_e8m0_decode(uint8_t v)
{
	union sr_small_bits u = {.bits = v == 0xff ? 0x7fc00000u : v ? (uint32_t)v << 23 : 0x400000u};
	return u.v;
}

static inline uint8_t sr_e8m0_encode(float f)
{
	union sr_small_bits u = {f};
	uint32_t subnormal = u.bits >= 0x600000u, pattern = (u.bits + 0x400000u) >> 23;
	bool is_nan = u.bits - 1 >= 0x7f800000u - 1; /* true if f is zero, negative, Inf or NaN, all of which become NaN */
	return (uint8_t)(is_nan ? 0xff : u.bits < 0x800000u ? subnormal : pattern);
}

#endif
