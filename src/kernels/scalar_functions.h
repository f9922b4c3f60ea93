/* Branch-free scalar functions for vectorizable loops. Each is a macro that defines functions, so that it can also be turned into
 * text: compiled loops contain the same code. The floating-point ones use fused(a, b, c) and fusedf from SR_FUSED_FMA or
 * SR_FUSED_PLAIN. */
#ifndef SR_KERNELS_SCALAR_FUNCTIONS_H
#define SR_KERNELS_SCALAR_FUNCTIONS_H

#include "kernels/elementary.h"

#define SR_SCALAR static inline /* in the text: SR_INLINE */

/* Multiply-add functions. fused returns a * b + c, rounded once if the machine has an instruction for it. product_error returns the
 * exact error a * b - p of the rounded product p (without FMA by Veltkamp's splitting and Dekker's product; a and b must be below
 * 2^996). */
#define SR_FUSED_FMA \
	SR_SCALAR float fusedf(float a, float b, float c) { return __builtin_fmaf(a, b, c); } \
	SR_SCALAR double fused(double a, double b, double c) { return __builtin_fma(a, b, c); } \
	SR_SCALAR double product_error(double a, double b, double p) { return __builtin_fma(a, b, -p); }
#define SR_FUSED_PLAIN \
	SR_SCALAR float fusedf(float a, float b, float c) { return a * b + c; } \
	SR_SCALAR double fused(double a, double b, double c) { return a * b + c; } \
	SR_SCALAR double product_error(double a, double b, double p) \
	{ \
		double s = a * 0x1.000002p27, t = b * 0x1.000002p27, a1 = s - (s - a), b1 = t - (t - b), a2 = a - a1, b2 = b - b1; \
		return ((a1 * b1 - p) + (a1 * b2 + a2 * b1)) + a2 * b2; \
	}

/* Maximum and minimum of two floats: NaN if either is NaN, and -0 < +0. The comparisons x > y and y > x lead to different results
 * only for zeros of different sign; combining the bits of both results gives the right sign. If one operand is a known nonzero
 * constant, one comparison suffices. */
#define SR_EXTREMUM_OF(type, word, name, before, join) \
	SR_SCALAR type name(type x, type y) \
	{ \
		union { type v; word bits; } a = {x before y ? x : y}, b = {y before x ? y : x}; \
		if (__builtin_constant_p(y) && (y < 0 || y > 0)) \
			return b.v; \
		if (__builtin_constant_p(x) && (x < 0 || x > 0)) \
			return a.v; \
		a.bits = a.bits join b.bits; \
		return __builtin_isunordered(x, y) ? x + y : a.v; \
	}
#define SR_EXTREMA \
	SR_EXTREMUM_OF(float, uint32_t, maximumf, >, &) \
	SR_EXTREMUM_OF(float, uint32_t, minimumf, <, |) \
	SR_EXTREMUM_OF(double, uint64_t, maximum, >, &) \
	SR_EXTREMUM_OF(double, uint64_t, minimum, <, |)

/* Compare floats as integers in the order of IEEE 754's totalOrder: -NaN < -Inf < ... < -0 < +0 < ... < +Inf < NaN. */
#define SR_TOTAL_ORDER_OF(type, word, unsigned_word, name) \
	SR_SCALAR word name(type v) \
	{ \
		union { type v; word bits; } k = {v}; \
		return k.bits ^ (word)((unsigned_word)(k.bits >> (8 * sizeof(word) - 1)) >> 1); \
	}
#define SR_TOTAL_ORDER \
	SR_TOTAL_ORDER_OF(float, int32_t, uint32_t, total_F32) \
	SR_TOTAL_ORDER_OF(double, int64_t, uint64_t, total_F64)

/* Remainder of x / y with the sign of x, exactly as C's fmod.
 *
 * With FMA, general_modulof subtracts multiples of 2^250 y, 2^200 y, ..., y from |x| in double. Each quotient is rounded to nearest
 * and at most 2^51, so that it is off by at most 3/4; the rest is exact, because it is a multiple of the last bit of x or of y and
 * less than 2^24 of them. general_modulo does the last step alone, and calls the library for quotients above 2^50 and for y whose
 * inverse is not a normal number. Without FMA both functions call the C library. For a constant y that is a power of two of at
 * least 1, the remainder is computed without these steps. An x smaller than y is returned as it is, so that a denormal x is not
 * flushed to zero. */
#define SR_REMAINDER_FMA \
	SR_SCALAR double remainder_step(double rest, double y, double inverse) \
	{ \
		return __builtin_fma(0x1.8p52 - __builtin_fma(rest, inverse, 0x1.8p52), y, rest); \
	} \
	SR_SCALAR float general_modulof(float x, float y) \
	{ \
		double size = __builtin_fabs((double)x), z = __builtin_fabs((double)y), inverse = 1 / z; \
		double rest = remainder_step(size, z * 0x1p250, inverse * 0x1p-250); \
		rest = remainder_step(rest, z * 0x1p200, inverse * 0x1p-200); \
		rest = remainder_step(rest, z * 0x1p150, inverse * 0x1p-150); \
		rest = remainder_step(rest, z * 0x1p100, inverse * 0x1p-100); \
		rest = remainder_step(rest, z * 0x1p50, inverse * 0x1p-50); \
		rest = remainder_step(rest, z, inverse); \
		rest = rest < 0 ? rest + z : rest; \
		return size < z ? x : __builtin_copysignf((float)rest, x); \
	} \
	SR_SCALAR double general_modulo(double x, double y) \
	{ \
		double size = __builtin_fabs(x), z = __builtin_fabs(y); \
		if (!(size < z * 0x1p50 && z > 0x1p-900 && z < 0x1p900)) \
			return __builtin_fmod(x, y); \
		double rest = remainder_step(size, z, 1 / z); \
		return size < z ? x : __builtin_copysign(rest < 0 ? rest + z : rest, x); \
	}
#define SR_REMAINDER_PLAIN \
	SR_SCALAR float general_modulof(float x, float y) { return __builtin_fmodf(x, y); } \
	SR_SCALAR double general_modulo(double x, double y) { return __builtin_fmod(x, y); }
#define SR_MODULO_OF(type, word, name, general, whole, mantissa, copy_sign) \
	SR_SCALAR type name(type x, type y) \
	{ \
		union { type v; word bits; } u = {y}; \
		if (__builtin_constant_p(y) && (y >= 1 || y <= -1) && y - y == 0 && (u.bits & (((word)1 << mantissa) - 1)) == 0) \
			return (x < 0 ? -x : x) < (y < 0 ? -y : y) ? x : copy_sign(x - whole(x / y) * y, x); \
		return general(x, y); \
	}
#define SR_MODULO \
	SR_MODULO_OF(float, uint32_t, modulof, general_modulof, __builtin_truncf, 23, __builtin_copysignf) \
	SR_MODULO_OF(double, uint64_t, modulo, general_modulo, __builtin_trunc, 52, __builtin_copysign)

/* Quotients and remainders of integers of up to 32 bits by divisions of floats, which have vector instructions. x / y differs by at
 * least 1 / |y| from every other integer, which is more than the rounding error of a float's division for integers of up to 16
 * bits, and of a double's for those of 32. In divide(x, y), y is neither 0 nor -1. The conversions between double and uint32_t use
 * signed integers, for which AVX2 has vector instructions; unsigned_of requires 0 <= v < 2^32. */
#define SR_UNSIGNED_DOUBLES \
	SR_SCALAR double double_of(uint32_t v) { return (double)(int32_t)(v ^ 0x80000000u) + 0x1p31; } \
	SR_SCALAR uint32_t unsigned_of(double v) \
	{ \
		return v >= 0x1p31 ? (uint32_t)(int32_t)(v - 0x1p31) ^ 0x80000000u : (uint32_t)(int32_t)v; \
	}
#define SR_QUOTIENTS(type, word, is_signed, divide, quotient, modulus) \
	SR_SCALAR type quotient(type x, type y) \
	{ \
		int is_minus_one = is_signed && y == (type)-1; \
		type q = divide(x, y == 0 || is_minus_one ? 1 : y); \
		return y == 0 ? (type)-1 : is_minus_one ? (type)(0 - (word)x) : q; \
	} \
	SR_SCALAR type modulus(type x, type y) \
	{ \
		int is_minus_one = is_signed && y == (type)-1; \
		type q = divide(x, y == 0 || is_minus_one ? 1 : y); \
		return y == 0 ? x : is_minus_one ? 0 : (type)((word)x - (word)q * (word)y); \
	}

/* Conversions between f16, as raw bits, and float. Rounding to f16 precision adds and subtracts a number whose last bit has the
 * weight of the last bit of an f16 of that size. */
#define SR_HALF_FUNCTIONS \
	SR_SCALAR float float_of_half(uint16_t v) \
	{ \
		union { uint32_t bits; float v; } rest = {(uint32_t)(v & 0x7fff) << 13}, finite = {0}; \
		finite.v = rest.v * 0x1p112f; \
		rest.bits = ((v & 0x7c00) == 0x7c00 ? rest.bits | 0x7f800000u : finite.bits) | (uint32_t)(v & 0x8000) << 16; \
		return rest.v; \
	} \
	SR_SCALAR uint16_t half_of_float(float v) \
	{ \
		union { float v; uint32_t bits; } u = {v}, t = {0}; \
		uint32_t sign = u.bits >> 16 & 0x8000u; \
		u.bits &= 0x7fffffffu; \
		uint32_t special = u.bits > 0x7f800000u ? 0x7e00u | (u.bits >> 13 & 0x3ffu) : 0x7c00u; \
		t.v = u.v + 0.5f; \
		uint32_t normal = (u.bits + 0xc8000fffu + (u.bits >> 13 & 1)) >> 13; \
		return (uint16_t)((u.bits >= 0x47800000u ? special : u.bits < 0x38800000u ? t.bits - 0x3f000000u : normal) | sign); \
	} \
	SR_SCALAR float round_to_half(float v) \
	{ \
		union { float v; uint32_t bits; } u = {v}, t = {0}; \
		uint32_t sign = u.bits & 0x80000000u; \
		u.bits &= 0x7fffffffu; \
		t.bits = u.bits > 0x38800000u ? u.bits : 0x38800000u; \
		t.bits = (t.bits & 0x7f800000u) + (13u << 23); \
		u.v = u.v >= 65520.f ? __builtin_inff() : (u.v + t.v) - t.v; \
		u.bits |= sign; \
		return u.v; \
	}

/* Count the bits that are set, and the leading zeros. The last steps are additions, since compilers turn a multiplication there
 * into an instruction that not all machines have for vectors. */
#define SR_BIT_COUNTS_OF(word, bits, threes, fives, bytes) \
	SR_SCALAR word popcount##bits(word x) \
	{ \
		x -= x >> 1 & fives; \
		x = (x & threes) + (x >> 2 & threes); \
		x = (x + (x >> 4)) & bytes; \
		x += x >> 8; \
		x += x >> 16; \
		x += bits > 32 ? x >> bits / 2 : 0; \
		return x & 127; \
	} \
	SR_SCALAR word leading_zeros##bits(word x) \
	{ \
		x |= x >> 1; \
		x |= x >> 2; \
		x |= x >> 4; \
		x |= x >> 8; \
		x |= x >> 16; \
		x |= x >> bits / 2; \
		return bits - popcount##bits(x); \
	}
#define SR_BIT_COUNTS \
	SR_BIT_COUNTS_OF(uint32_t, 32, 0x33333333u, 0x55555555u, 0x0f0f0f0fu) \
	SR_BIT_COUNTS_OF(uint64_t, 64, 0x3333333333333333u, 0x5555555555555555u, 0x0f0f0f0f0f0f0f0fu)

/* exp and tanh whose time does not depend on the argument, since masked attention scores are exp(-1e9) and exp(-inf). Error at most
 * 1 ulp (tanh: 2.5 ulp); denormals, infinities, signed zeros and NaN as in C. With y = k ln 2 + r, |r| <= ln 2 / 2, exp(r) - 1 is a
 * polynomial. exp multiplies by 2^k in two factors, since k exceeds the exponent range of normal numbers. tanh is e / (e + 2) with
 * e = exp(2 |x|) - 1 and the sign of x. Values are limited by a single comparison and halved only if not negative: for two
 * consecutive comparisons, or an arithmetic shift, compilers produce branches and then a dozen instructions per vector. */

#define SR_EXPONENTIAL_OF(type, word, exponential, hyperbolic_tangent, powers, fused, most, one, shift, shift_bits, bias, mantissa, log2e, minus_high, \
			  minus_low, polynomial) \
	SR_SCALAR type powers(type y, word *k) \
	{ \
		union { type v; word bits; } n; \
		n.v = fused(y, log2e, shift); \
		*k = n.bits - shift_bits; \
		type m = n.v - shift, r = fused(m, minus_low, fused(m, minus_high, y)), p; \
		polynomial \
		return fused(p, r * r, r); \
	} \
	SR_SCALAR type exponential(type x) \
	{ \
		union { type v; word bits; } size = {x}, limit = {most}, a, b; \
		word sign = size.bits & (word)1 << (sizeof(word) * 8 - 1), k; \
		size.bits ^= sign; \
		limit.bits |= sign; \
		type p = powers(size.v > most ? limit.v : x, &k); \
		word half = (k + 2 * bias) >> 1; \
		a.bits = half << mantissa; \
		b.bits = (k + 2 * bias - half) << mantissa; \
		return (p + 1) * a.v * b.v; \
	} \
	SR_SCALAR type hyperbolic_tangent(type x) \
	{ \
		union { type v; word bits; } size = {x}, power; \
		word sign = size.bits & (word)1 << (sizeof(word) * 8 - 1), k; \
		size.bits ^= sign; \
		type y = size.v + size.v, p = powers(y > one ? one : y, &k), e; \
		power.bits = (k + bias) << mantissa; \
		e = fused(power.v, p, power.v - 1); \
		size.v = e / (e + 2); \
		size.bits |= sign; \
		return size.v; \
	}
#define SR_EXPONENTIAL_F32 \
	p = 0x1.a0d2cep-13f; \
	p = fusedf(p, r, 0x1.6e879cp-10f); \
	p = fusedf(p, r, 0x1.11121p-7f); \
	p = fusedf(p, r, 0x1.555382p-5f); \
	p = fusedf(p, r, 0x1.555554p-3f); \
	p = fusedf(p, r, 0x1.p-1f);
#define SR_EXPONENTIAL_F64 \
	p = 0x1.6124613a86d09p-33; \
	p = fused(p, r, 0x1.1eed8eff8d898p-29); \
	p = fused(p, r, 0x1.ae64567f544e4p-26); \
	p = fused(p, r, 0x1.27e4fb7789f5cp-22); \
	p = fused(p, r, 0x1.71de3a556c734p-19); \
	p = fused(p, r, 0x1.a01a01a01a01ap-16); \
	p = fused(p, r, 0x1.a01a01a01a01ap-13); \
	p = fused(p, r, 0x1.6c16c16c16c17p-10); \
	p = fused(p, r, 0x1.1111111111111p-7); \
	p = fused(p, r, 0x1.5555555555555p-5); \
	p = fused(p, r, 0x1.5555555555555p-3); \
	p = fused(p, r, 0.5);
#define SR_EXPONENTIAL \
	SR_EXPONENTIAL_OF(float, uint32_t, exponentialf, hyperbolic_tangentf, powersf, fusedf, 104.f, 20.f, 0x1.8p23f, 0x4b400000u, 127, 23, \
			  0x1.715476p0f, -0x1.63p-1f, 0x1.bd0106p-13f, SR_EXPONENTIAL_F32) \
	SR_EXPONENTIAL_OF(double, uint64_t, exponential, hyperbolic_tangent, powers, fused, 746., 40., 0x1.8p52, 0x4338000000000000u, 1023, 52, \
			  0x1.71547652b82fep0, -0x1.62e42fee00000p-1, -0x1.a39ef35793c76p-33, SR_EXPONENTIAL_F64)

/* Select between two values by a mask of all ones or zeros. GCC would turn a conditional expression into a branch if it knows one
 * of the values. */
#define SR_CHOSEN_OF(type, word, name) \
	SR_SCALAR type name(word mask, type a, type b) \
	{ \
		union { type v; word bits; } p = {a}, q = {b}; \
		p.bits = (p.bits & mask) | (q.bits & ~mask); \
		return p.v; \
	}
#define SR_CHOSEN \
	SR_CHOSEN_OF(float, int32_t, blendf) \
	SR_CHOSEN_OF(double, int64_t, blend)

/* Absolute value and division of complex numbers, of complex<f32> in double. Division follows C's Annex G: infinities that the
 * formula turns into NaN are restored.
 *
 * Of complex<f64>, the denominator is scaled such that the exponent of its larger part is 0, and a numerator near the greatest or
 * the least numbers by a power of two, so that neither products nor their sums overflow, nor lose bits by underflow. The quotient
 * is multiplied by both powers of two, one after another. Powers are computed as integers, since a compiler may omit a
 * multiplication by a constant 1 in some places, which flushes subnormal numbers. A part of the denominator is taken as zero if it
 * is less than 2^-1022 times the other one, but not if the numerator is infinite: then only its sign matters. */
#define SR_ABSOLUTE_OF(type, name) \
	SR_SCALAR type name(type re, type im) \
	{ \
		const type infinity = (type)__builtin_inf(); \
		type x = re < 0 ? -re : re, y = im < 0 ? -im : im; \
		double large = (double)(x < y ? y : x), small = (double)(x < y ? x : y); \
		double scale = sizeof(type) == 4 ? 1 : large < 0x1p-500 ? 0x1p600 : large > 0x1p500 ? 0x1p-600 : 1; \
		large *= scale; \
		small *= scale; \
		large = sqrt(large * large + small * small) / scale; \
		return x == infinity ? x : y == infinity ? y : (type)large; \
	}
#define SR_COMPLEX_QUOTIENT \
	SR_SCALAR double infinity_indicator(double v) { return __builtin_copysign(__builtin_fabs(v) == __builtin_inf() ? 1. : 0., v); } \
	SR_SCALAR float _Complex complex_dividef(float _Complex n, float _Complex d) \
	{ \
		const double infinity = __builtin_inf(); \
		double x = (double)__real__ n, y = (double)__imag__ n, u = (double)__real__ d, v = (double)__imag__ d, s = u * u + v * v, r = 1 / s; \
		double re = (x * u + y * v) * r, im = (y * u - x * v) * r, top = __builtin_fabs(x) + __builtin_fabs(y); \
		double a = infinity_indicator(x), b = infinity_indicator(y), c = infinity_indicator(u), e = infinity_indicator(v), sign = __builtin_copysign(infinity, u); \
		int64_t lost = -(int64_t)(re != re) & -(int64_t)(im != im), by_zero = lost & -(int64_t)(s == 0); \
		int64_t large = lost & -(int64_t)(a * a + b * b > 0) & -(int64_t)(s < infinity); \
		int64_t small = lost & -(int64_t)(c * c + e * e > 0) & -(int64_t)(top < infinity); \
		re = blend(by_zero, sign * x, blend(large, infinity * (a * u + b * v), blend(small, 0 * (x * c + y * e), re))); \
		im = blend(by_zero, sign * y, blend(large, infinity * (b * u - a * v), blend(small, 0 * (y * c - x * e), im))); \
		return __builtin_complex((float)re, (float)im); \
	} \
	SR_SCALAR double _Complex complex_divide(double _Complex n, double _Complex d) \
	{ \
		const double infinity = __builtin_inf(); \
		double x = __real__ n, y = __imag__ n, u = __real__ d, v = __imag__ d; \
		double sign = __builtin_copysign(infinity, u); \
		double a = infinity_indicator(x), b = infinity_indicator(y); \
		double c = infinity_indicator(u), e = infinity_indicator(v); \
		double large_x = __builtin_fabs(x), large_y = __builtin_fabs(y), top = large_x < large_y ? large_y : large_x; \
		double large_u = __builtin_fabs(u), large_v = __builtin_fabs(v); \
		union { double v; uint64_t bits; } size = {large_u < large_v ? large_v : large_u}, scale; \
		size.bits &= 0x7ff0000000000000u; \
		size.bits = size.bits < 0x0010000000000000u ? 0x0010000000000000u : size.bits; \
		size.bits = size.bits > 0x7fd0000000000000u ? 0x7fd0000000000000u : size.bits; \
		scale.bits = 0x7fe0000000000000u - size.bits; \
		int64_t tiny = -(int64_t)(top < 0x1p-900), huge = -(int64_t)(top > 0x1p1000), \
			infinite = -(int64_t)(a * a + b * b > 0); \
		union { int64_t bits; double v; } \
			up = {0x3ff0000000000000 + (tiny & 0x3840000000000000) - (huge & 0x01e0000000000000)}; \
		union { int64_t bits; double v; } down = {0x7fe0000000000000 - up.bits}; \
		double xs = x * up.v, ys = y * up.v; \
		union { double v; int64_t bits; } us = {u * scale.v}, vs = {v * scale.v}; \
		double s = fused(us.v, us.v, vs.v * vs.v); \
		us.bits |= infinite & -(int64_t)(u != 0) & 0x0010000000000000; \
		vs.bits |= infinite & -(int64_t)(v != 0) & 0x0010000000000000; \
		double re = fused(xs, us.v, ys * vs.v) / s * scale.v * down.v; \
		double im = fused(ys, us.v, -(xs * vs.v)) / s * scale.v * down.v; \
		int64_t lost = -(int64_t)(re != re) & -(int64_t)(im != im), by_zero = lost & -(int64_t)(s == 0); \
		int64_t large = lost & infinite & -(int64_t)(s < infinity); \
		int64_t small = lost & -(int64_t)(c * c + e * e > 0) & -(int64_t)(top < infinity); \
		re = blend(by_zero, sign * x, blend(large, infinity * (a * us.v + b * vs.v), \
			   blend(small, 0 * (x * c + y * e), re))); \
		im = blend(by_zero, sign * y, blend(large, infinity * (b * us.v - a * vs.v), \
			   blend(small, 0 * (y * c - x * e), im))); \
		return __builtin_complex(re, im); \
	}
/* exp(x + i y) = exp(x) (cos y + i sin y). Of complex<f64>, exp(x - 700) and then exp(700) multiply the parts for x above 700,
 * where exp(x) overflows before its products with a small sine or cosine do. */
#define SR_COMPLEX_EXPONENTIAL \
	SR_SCALAR float _Complex complex_exponentialf(float _Complex z) \
	{ \
		uint64_t q; \
		double x = (double)__real__ z, y = (double)__imag__ z, size = exponential(x), r = short_quadrant(__builtin_fabs(y), &q); \
		double s = short_sine(r), c = short_cosine(r); \
		int64_t axis = -(int64_t)(y == 0), odd = -(int64_t)(q & 1); \
		double re = size * with_sign((q + 1) >> 1 & 1, blend(odd, s, c)), im = size * with_sign((q >> 1 & 1) ^ sign_bit(y), blend(odd, c, s)); \
		re = blend(axis, size, re), im = blend(axis, y, im); \
		return __builtin_complex((float)re, (float)im); \
	} \
	SR_SCALAR double _Complex complex_exponential(double _Complex z) \
	{ \
		uint64_t q; \
		double x = __real__ z, y = __imag__ z, low, error, r = quadrant(__builtin_fabs(y), &low, &q); \
		double s = sine_part(r, low, &error), c = cosine_part(r, low, &error); \
		int64_t large = -(int64_t)(x > 700), axis = -(int64_t)(y == 0), odd = -(int64_t)(q & 1); \
		double size = exponential(x - blend(large, 700, 0)), scale = blend(large, 0x1.d945df4f8ec8ep1009, 1); \
		double re = size * with_sign((q + 1) >> 1 & 1, blend(odd, s, c)) * scale; \
		double im = size * with_sign((q >> 1 & 1) ^ sign_bit(y), blend(odd, c, s)) * scale; \
		re = blend(axis, size * scale, re), im = blend(axis, y, im); \
		return __builtin_complex(re, im); \
	}
#define SR_COMPLEX_LOGARITHM \
	SR_SCALAR double logarithm_of_absolute(double x, double y) \
	{ \
		const double infinity = __builtin_inf(); \
		x = __builtin_fabs(x), y = __builtin_fabs(y); \
		double large = x < y ? y : x, small = x < y ? x : y, square = x * x + y * y; \
		double near_one = logarithm_plus_one((large - 1) * (large + 1) + small * small), far = logarithm(square); \
		double re = blend(-(int64_t)(square > 0.5) & -(int64_t)(square < 2), near_one, far) / 2; \
		return blend(-(int64_t)(x == infinity) | -(int64_t)(y == infinity), infinity, re); \
	} \
	SR_SCALAR float _Complex complex_logf(float _Complex z) \
	{ \
		double x = (double)__real__ z, y = (double)__imag__ z; \
		return __builtin_complex((float)logarithm_of_absolute(x, y), (float)arc_tangent(y, x)); \
	}
/* Square root, hyperbolic tangent and power of complex<f32>, computed in double: no square overflows or underflows there.
 *
 * With e = exp(-2 |x|), tanh(x + i y) = (+-(1 - e^2) + 4 i e sin y cos y) / ((1 - e)^2 + 4 e cos^2 y). The power is exp(w log z).
 * Any number to the power of 0 is 1, also Inf and NaN, and 0 to one with a positive real part is 0. */
#define SR_COMPLEX_ROOT \
	SR_SCALAR float _Complex complex_square_rootf(float _Complex z) \
	{ \
		const double infinity = __builtin_inf(); \
		double x = (double)__real__ z, y = (double)__imag__ z, large_x = __builtin_fabs(x), large_y = __builtin_fabs(y); \
		double size = blend(-(int64_t)(large_x == infinity), infinity, sqrt(x * x + y * y)); \
		double t = sqrt((size + large_x) / 2), u = blend(-(int64_t)(t == 0), 0, large_y / (t + t)); \
		int64_t left = -(int64_t)sign_bit(x), far = -(int64_t)(large_y == infinity); \
		double re = blend(far, infinity, blend(left, u, t)), im = blend(far, infinity, blend(left, t, u)); \
		return __builtin_complex((float)re, (float)with_sign(sign_bit(y), im)); \
	} \
	SR_SCALAR float _Complex complex_hyperbolic_tangentf(float _Complex z) \
	{ \
		uint64_t q; \
		double x = (double)__real__ z, y = (double)__imag__ z, twice = -2 * __builtin_fabs(x); \
		double r = short_quadrant(__builtin_fabs(y), &q), s = short_sine(r), c = short_cosine(r); \
		double e = 4 * exponential(twice), m = exponential_minus_one(twice); \
		int64_t far = -(int64_t)(__builtin_fabs(x) == __builtin_inf()), real = -(int64_t)(y == 0); \
		double cosine_part = blend(-(int64_t)(q & 1), s, c), below = m * m + e * (cosine_part * cosine_part); \
		double re = with_sign(sign_bit(x), blend(far, 1, -m * (2 + m) / below)); \
		double im = with_sign((q & 1) ^ sign_bit(y), e * (s * c) / below); \
		re = blend(-(int64_t)(x == 0) & -(int64_t)(y != y), x, re); \
		im = blend(far & -(int64_t)(im != im), 0, blend(real, y, im)); \
		return __builtin_complex((float)re, (float)im); \
	}
#define SR_COMPLEX_POWER \
	SR_SCALAR float _Complex complex_powerf(float _Complex z, float _Complex w) \
	{ \
		const double infinity = __builtin_inf(); \
		double x = (double)__real__ z, y = (double)__imag__ z, u = (double)__real__ w, v = (double)__imag__ w; \
		double l = logarithm_of_absolute(x, y), a = arc_tangent(y, x), p = u * l - v * a, q = u * a + v * l; \
		double size = exponential(p), re = size * cosine(q), im = size * sine(q); \
		int64_t real = -(int64_t)(q == 0), lost = -(int64_t)(re != re), zero = -(int64_t)(x == 0) & -(int64_t)(y == 0); \
		int64_t one = -(int64_t)(u == 0) & -(int64_t)(v == 0); \
		int64_t none = (zero & -(int64_t)(u > 0)) | (lost & -(int64_t)(p == -infinity)); \
		re = blend(real, size, blend(lost & -(int64_t)(p == infinity), infinity, re)), im = blend(real, q, im); \
		return __builtin_complex((float)blend(one, 1, blend(none, 0, re)), (float)blend(one | none, 0, im)); \
	}
#define SR_COMPLEX_FUNCTIONS \
	SR_ABSOLUTE_OF(float, complex_absf) \
	SR_ABSOLUTE_OF(double, complex_abs) \
	SR_COMPLEX_QUOTIENT \
	SR_COMPLEX_EXPONENTIAL \
	SR_COMPLEX_LOGARITHM \
	SR_COMPLEX_ROOT \
	SR_COMPLEX_POWER

#endif
