/* Elementary functions of floats without branches, so that loops that call them can be vectorized: logarithms, powers, cube roots,
 * sines and arc tangents. An element's result does not depend on its position in a loop, on the loop's length, or on whether the
 * loop is interpreted or compiled. All compute in double. The functions of float (named ...f) use shorter polynomials and round
 * once, with an error below 0.51 ulp. The functions of double have an error of at most 1 ulp, exponential_minus_one and power of
 * 1.2 ulp. Special values follow C's Annex F.
 *
 * Each is a macro that defines functions, as in scalar_functions.h, so that it can also be converted to text. They use fused(a, b,
 * c), blend(mask, a, b), and product_error(a, b, p), the exact error a * b - p of the rounded product p. Polynomials are minimax
 * (Remez), highest power first. */
#ifndef SR_KERNELS_ELEMENTARY_H
#define SR_KERNELS_ELEMENTARY_H

#define SR_INLINE static inline __attribute__((always_inline))
#define SR_HORNER_4(x, a, b, c, d) fused(fused(fused(a, x, b), x, c), x, d)
#define SR_HORNER_6(x, a, b, c, d, e, f) fused(fused(SR_HORNER_4(x, a, b, c, d), x, e), x, f)
#define SR_HORNER_7(x, a, b, c, d, e, f, g) fused(SR_HORNER_6(x, a, b, c, d, e, f), x, g)
#define SR_HORNER_11(x, a, b, c, d, e, f, g, h, i, j, k) SR_HORNER_7(x, fused(SR_HORNER_4(x, a, b, c, d), x, e), f, g, h, i, j, k)

/* Logarithm: log u = e log 2 + log m with u = 2^e m, sqrt(1/2) <= m < sqrt(2), and log m = 2 atanh(s) with s = (m - 1) / (m + 1);
 * the polynomial approximates (2 atanh(s) / s - 2) / s^2 in s^2. name_sum returns log u + c + shift * log 2 for a positive normal u
 * and a correction c that is small compared to u. name_at replaces the result where x is at or below the pole, infinite or NaN. */
#define SR_LOGARITHM_OF(name, polynomial) \
	SR_INLINE double name##_sum(double u, double c, double shift) \
	{ \
		union { double v; uint64_t bits; } m = {u}, k; \
		m.bits += 0x3ff0000000000000u - 0x3fe6a09e667f3bcdu; \
		k.bits = (m.bits >> 52) | 0x4330000000000000u; \
		m.bits = (m.bits & 0xfffffffffffffu) + 0x3fe6a09e667f3bcdu; \
		double e = k.v - 0x1.00000000003ffp52 + shift, f = m.v - 1, s = f / (f + 2), z = s * s, h = 0.5 * f * f; \
		return e * 0x1.62e42fefa38p-1 - ((h - (s * (h + z * polynomial(z)) + (e * 0x1.ef35793c7673p-45 + c))) - f); \
	} \
	SR_INLINE double name##_at(double x, double pole, double finite) \
	{ \
		const double infinity = __builtin_inf(); \
		double r = x < infinity ? finite : x; \
		r = x == pole ? -infinity : r; \
		return x < pole ? (double)__builtin_nan("") : r; \
	} \
	SR_INLINE double name##_plus_one(double x) \
	{ \
		double u = 1 + x, v = u - 1, c = (1 - (u - v)) + (x - v); \
		double r = name##_at(x, -1, name##_sum(u, c / u, 0)); \
		return x == 0 ? x : r; \
	}

#define SR_LOGARITHM_SHORT(z) SR_HORNER_4(z, 0x1.e2fdedc146176p-3, 0x1.2438a79b54890p-2, 0x1.999a7b3fdc2e9p-2, \
	0x1.555554fd3de85p-1)
#define SR_LOGARITHM_LONG(z) \
	SR_HORNER_7(z, 0x1.2f0d93fd31ad5p-3, 0x1.39a0f4750bf00p-3, 0x1.7466463267307p-3, 0x1.c71c51e7d748dp-3, \
		0x1.2492494217d0fp-2, 0x1.999999997fb2dp-2, \
		    0x1.5555555555593p-1)
#define SR_LOGARITHM \
	SR_LOGARITHM_OF(short_logarithm, SR_LOGARITHM_SHORT) \
	SR_LOGARITHM_OF(logarithm, SR_LOGARITHM_LONG) \
	SR_INLINE float logarithmf(float x) \
	{ \
		return (float)short_logarithm_at((double)x, 0, short_logarithm_sum((double)x, 0, 0)); \
	} \
	SR_INLINE float logarithm_plus_onef(float x) { return (float)short_logarithm_plus_one((double)x); } \
	SR_INLINE double logarithm(double x) \
	{ \
		return logarithm_at(x, 0, logarithm_sum(x < 0x1p-1022 ? x * 0x1p54 : x, 0, x < 0x1p-1022 ? -54. : 0.)); \
	}

/* Exponential minus one: exp x - 1 = 2^k (r + q) + (2^k - 1) where x = k log 2 + r and q = exp r - 1 - r. short_powers returns exp
 * r - 1 and sets *k. */
#define SR_EXPONENTIAL_MINUS_ONE \
	SR_INLINE double short_powers(double x, uint64_t *k) \
	{ \
		union { double v; uint64_t bits; } n; \
		n.v = x * 0x1.71547652b82fep0 + 0x1.8p52; \
		*k = n.bits - 0x4338000000000000u; \
		double m = n.v - 0x1.8p52, r = (x - m * 0x1.62e42fefa38p-1) - m * 0x1.ef35793c7673p-45; \
		return fused(SR_HORNER_6(r, 0x1.a17e953d2e9bcp-13, 0x1.6d43b34429ce8p-10, 0x1.1110ab22dcf70p-7, \
			0x1.5554e89e3c7e2p-5, 0x1.555555744e21ap-3, \
					 0x1.0000000ba2100p-1), r * r, r); \
	} \
	SR_INLINE double clamped(double x, double low, double high) \
	{ \
		double y = x > high ? high : x; \
		return y < low ? low : y; \
	} \
	SR_INLINE float exponential_minus_onef(float x) \
	{ \
		union { double v; uint64_t bits; } power; \
		uint64_t k; \
		double p = short_powers(clamped((double)x, -104, 104), &k); \
		power.bits = (k + 1023) << 52; \
		return __builtin_copysignf((float)(power.v * p + (power.v - 1)), x); \
	} \
	SR_INLINE double exponential_minus_one(double x) \
	{ \
		union { double v; uint64_t bits; } n, half; \
		double y = clamped(x, -40, 710); \
		n.v = y * 0x1.71547652b82fep0 + 0x1.8p52; \
		half.bits = (n.bits - 0x4338000000000000u + 1022) << 52; \
		double m = n.v - 0x1.8p52, high = y - m * 0x1.62e42fefa38p-1, low = m * 0x1.ef35793c7673p-45, r = high - low; \
		double rest = SR_HORNER_11(r, 0x1.1f8bc1f97d228p-29, 0x1.af4e562979537p-26, 0x1.27e4cc856507cp-22, \
			0x1.71de01fd55145p-19, 0x1.a01a01ad1a416p-16, \
					   0x1.a01a01abf8790p-13, 0x1.6c16c16c151a4p-10, 0x1.11111111100bdp-7, \
						0x1.5555555555558p-5, 0x1.5555555555557p-3, 0.5); \
		double q = rest * (r * r) + ((high - r) - low), s = half.v - 0.5, a = half.v * r, t = s + a; \
		t = 2 * (t + ((a - (t - s)) + half.v * q)); \
		return __builtin_copysign(__builtin_fabs(x) < 0x1p-60 ? x : t, x); \
	}

/* Table of the bits of 1 / (2 pi), preceded by 64 zeros, for Payne and Hanek's reduction of large arguments: 2^e M / (2 pi) mod 1,
 * with M an integer, depends on few of the bits from bit number e on. turn_word returns the 64 bits from bit number `at` on. */
#define SR_TURNS \
	static const uint64_t turn_bits[21] = {0, 0x28be60db9391054au, 0x7f09d5f47d4d3770u, 0x36d8a5664f10e410u, \
		0x7f9458eaf7aef158u, 0x6dc91b8e909374b8u, \
		0x01924bba82746487u, 0x3f877ac72c4a69cfu, 0xba208d7d4baed121u, 0x3a671c09ad17df90u, 0x4e64758e60d4ce7du, \
			0x272117e2ef7e4a0eu, \
		0xc7fe25fff7816603u, 0xfbcbc462d6829b47u, 0xdb4d9fb3c9f2c26du, 0xd3d18fd9a797fa8bu, 0x5d49eeb1faf97c5eu, \
			0xcf41ce7de294a4bau, \
		0x9afed7ec47e35742u, 0x1580cc11bf1edaeau, 0xfc33ef0826bd0d87u}; \
	SR_INLINE uint64_t turn_word(uint64_t at) \
	{ \
		return turn_bits[at >> 6] << (at & 63) | turn_bits[(at >> 6) + 1] >> 1 >> (63 - (at & 63)); \
	} \
	SR_INLINE uint64_t multiply_u32(uint64_t a, uint64_t b) { return (uint64_t)(uint32_t)a * (uint64_t)(uint32_t)b; } \
	SR_INLINE double double_of_52_bits(uint64_t a) \
	{ \
		union { uint64_t bits; double v; } u = {a | 0x4330000000000000u}; \
		return u.v - 0x1p52; \
	}

/* Argument reduction: x = q pi / 2 + r with x >= 0 and |r| <= pi / 4 (slightly more near the ends); the low bits of *q are q mod
 * 4. Infinities and NaN give NaN. short_quadrant, for a float x, computes x 2 / pi mod 4 in parts whose products with the 24 bits
 * of x are exact. x = 2^s M with s > 0 is a multiple of a power of 2, so that multiples of 4 divided by this power can be dropped
 * from 2^s 2 / pi, which is tabulated for four ranges of x. quadrant returns r as a sum of two doubles: below 2^20 by subtracting
 * multiples of pi / 2 in three parts (Cody and Waite), above by turn_bits. */
#define SR_QUADRANT \
	SR_INLINE double select_by_magnitude(double x, double a, double b, double c, double d) \
	{ \
		double r = x < 0x1p50 ? a : b; \
		r = x < 0x1p76 ? r : c; \
		return x < 0x1p102 ? r : d; \
	} \
	SR_INLINE double short_quadrant(double x, uint64_t *q) \
	{ \
		const double shift = 0x1.8p52; \
		union { double v; uint64_t bits; } n1, n2, n3; \
		double scaled = x * select_by_magnitude(x, 1, 0x1p-26, 0x1p-52, 0x1p-78); \
		double t1 = scaled * select_by_magnitude(x, 0x1.45f306dp-1, 0x1.b939105p0, 0x1.529fc27p0, 0x1.d5f47d4p0); \
		double t2 = scaled * select_by_magnitude(x, 0x1.9391054p-30, 0x1.29fc274p-30, 0x1.5f47d4cp-30, 0x1.a6ee06dp-29); \
		double t3 = scaled * select_by_magnitude(x, 0x1.4fe13abe8fa9ap-59, 0x1.7d1f534ddc0dbp-58, 0x1.377036d8a5665p-58, \
			0x1.6295993c43904p-58); \
		n1.v = t1 + shift; \
		n2.v = t2 + shift; \
		double f1 = t1 - (n1.v - shift), f2 = t2 - (n2.v - shift); \
		n3.v = (f1 + f2) + shift; \
		*q = n1.bits + n2.bits + n3.bits; \
		return (((f1 - (n3.v - shift)) + f2) + t3) * 0x1.921fb54442d18p0; \
	} \
	SR_INLINE double large_quadrant(double x, double *low, uint64_t *q) \
	{ \
		union { double v; uint64_t bits; } u = {blend(-(int64_t)(x < 0x1p20), 0x1p20, x)}, r, l; \
		uint64_t at = (u.bits >> 52) - 1023 - 52 + 64, m0 = u.bits, m1 = (u.bits >> 32 & 0xfffff) | 0x100000; \
		uint64_t a = turn_word(at), b = turn_word(at + 64), c = turn_word(at + 128); \
		uint64_t p3 = multiply_u32(m0, b >> 32), q3 = multiply_u32(m1, b), p2 = multiply_u32(m0, b), q2 = multiply_u32(m1, c >> 32), \
			p1 = multiply_u32(m0, c >> 32); \
		uint64_t second = (uint64_t)(uint32_t)p2 + (uint64_t)(uint32_t)q2 + (p1 >> 32); \
		uint64_t third = (uint64_t)(uint32_t)p3 + (uint64_t)(uint32_t)q3 + (p2 >> 32) + (q2 >> 32) + (second >> 32); \
		uint64_t top = multiply_u32(m0, a) + multiply_u32(m1, b >> 32) + ((multiply_u32(m0, a >> 32) + multiply_u32(m1, a)) << 32) + \
			(p3 >> 32) + (q3 >> 32) + (third >> 32); \
		uint64_t next = third << 32 | (uint64_t)(uint32_t)second, many = (top + (UINT64_C(1) << 61)) >> 62, minus; \
		top -= many << 62; \
		minus = top >> 63; \
		top ^= 0 - minus; \
		next ^= 0 - minus; \
		double first = double_of_52_bits(top >> 22) * 0x1p-42, last = double_of_52_bits((top & 0x3fffff) << 30 | next >> 34) * 0x1p-94, \
			sum = first + last; \
		r.v = sum * 0x1.921fb54442d18p2; \
		l.v = product_error(sum, 0x1.921fb54442d18p2, r.v) + (sum * 0x1.1a62633145c07p-52 + ((first - sum) + last) * \
			0x1.921fb54442d18p2); \
		r.bits ^= minus << 63; \
		l.bits ^= minus << 63; \
		*low = l.v; \
		*q = many; \
		return r.v; \
	} \
	SR_INLINE double quadrant(double x, double *low, uint64_t *q) \
	{ \
		union { double v; uint64_t bits; } n; \
		uint64_t many; \
		double low_many, high_many = large_quadrant(x, &low_many, &many); \
		n.v = x * 0x1.45f306dc9c883p-1 + 0x1.8p52; \
		double m = n.v - 0x1.8p52, t = x - m * 0x1.921fb544p0, w = m * 0x1.0b4611a6p-34, h = t - w, b = h - t; \
		double l = ((t - (h - b)) - (w + b)) - m * 0x1.3198a2e037073p-69; \
		int64_t is_few = -(int64_t)(x < 0x1p20); \
		h = blend(is_few, h, high_many); \
		l = blend(is_few, l, low_many); \
		*q = (n.bits & (uint64_t)is_few) | (many & ~(uint64_t)is_few); \
		double r = h + l; \
		*low = (h - r) + l; \
		return r + (x - x); \
	}

/* Sine and cosine of r + low, |r| <= pi / 4, with the rounding error of each. The quadrant decides which of the two is the
 * result's sine and which its cosine. */
#define SR_SINE \
	SR_INLINE double with_sign(uint64_t sign, double v) \
	{ \
		union { double v; uint64_t bits; } u = {v}; \
		u.bits ^= sign << 63; \
		return u.v; \
	} \
	SR_INLINE uint64_t sign_bit(double v) \
	{ \
		union { double v; uint64_t bits; } u = {v}; \
		return u.bits >> 63; \
	} \
	SR_INLINE double short_sine(double r) \
	{ \
		double z = r * r; \
		return fused(r * z, SR_HORNER_4(z, 0x1.6cd5e88df4b3fp-19, -0x1.a00f93884739bp-13, 0x1.11110889e0c7ep-7, \
			-0x1.5555554ca9144p-3), r); \
	} \
	SR_INLINE double short_cosine(double r) \
	{ \
		double z = r * r; \
		return fused(z * z, SR_HORNER_4(z, -0x1.242918bff432ap-22, 0x1.a01117e34146bp-16, -0x1.6c16b88c84275p-10, \
			0x1.5555554f431c0p-5), 1 - 0.5 * z); \
	} \
	SR_INLINE double sine_part(double r, double low, double *error) \
	{ \
		double z = r * r; \
		double p = SR_HORNER_6(z, 0x1.5d915d28fa2c6p-33, -0x1.ae5e60c0b41d6p-26, 0x1.71de3570f73c9p-19, \
			-0x1.a01a019c0a1f8p-13, 0x1.111111110f841p-7, -0x1.5555555555549p-3); \
		double rest = r * z * p + (low - 0.5 * z * low), s = r + rest; \
		*error = (r - s) + rest; \
		return s; \
	} \
	SR_INLINE double cosine_part(double r, double low, double *error) \
	{ \
		double z = r * r, h = 0.5 * z, w = 1 - h; \
		double p = SR_HORNER_6(z, -0x1.8facd1e4db9e3p-37, 0x1.1ee9e891d4a47p-29, -0x1.27e4f805357d6p-22, \
			0x1.a01a019cab76ep-16, -0x1.6c16c16c15140p-10, 0x1.555555555554cp-5); \
		double rest = ((1 - w) - h) + (z * z * p - r * low), c = w + rest; \
		*error = (w - c) + rest; \
		return c; \
	} \
	SR_INLINE float sinef(float x) \
	{ \
		uint64_t q; \
		double r = short_quadrant(__builtin_fabs((double)x), &q); \
		return (float)with_sign((q >> 1 & 1) ^ sign_bit((double)x), blend(-(int64_t)(q & 1), short_cosine(r), \
			short_sine(r))); \
	} \
	SR_INLINE float cosinef(float x) \
	{ \
		uint64_t q; \
		double r = short_quadrant(__builtin_fabs((double)x), &q); \
		return (float)with_sign((q + 1) >> 1 & 1, blend(-(int64_t)(q & 1), short_sine(r), short_cosine(r))); \
	} \
	SR_INLINE float tangentf(float x) \
	{ \
		uint64_t q; \
		double r = short_quadrant(__builtin_fabs((double)x), &q), s = short_sine(r), c = short_cosine(r); \
		int64_t odd = -(int64_t)(q & 1); \
		return (float)with_sign((q & 1) ^ sign_bit((double)x), blend(odd, c, s) / blend(odd, s, c)); \
	} \
	SR_INLINE double sine(double x) \
	{ \
		uint64_t q; \
		double low, error, r = quadrant(__builtin_fabs(x), &low, &q), s = sine_part(r, low, &error), c = cosine_part(r, \
			low, &error); \
		return with_sign((q >> 1 & 1) ^ sign_bit(x), blend(-(int64_t)(q & 1), c, s)); \
	} \
	SR_INLINE double cosine(double x) \
	{ \
		uint64_t q; \
		double low, error, r = quadrant(__builtin_fabs(x), &low, &q), s = sine_part(r, low, &error), c = cosine_part(r, \
			low, &error); \
		return with_sign((q + 1) >> 1 & 1, blend(-(int64_t)(q & 1), s, c)); \
	} \
	SR_INLINE double tangent(double x) \
	{ \
		uint64_t q; \
		double low, s_error, c_error, r = quadrant(__builtin_fabs(x), &low, &q), s = sine_part(r, low, &s_error), c = \
			cosine_part(r, low, &c_error); \
		int64_t odd = -(int64_t)(q & 1); \
		double n = blend(odd, c, s), d = blend(odd, s, c), n_error = blend(odd, c_error, s_error), d_error = \
			blend(odd, s_error, c_error); \
		double t = n / d, p = t * d, rest = ((n - p) - product_error(t, d, p)) + (n_error - t * d_error); \
		return with_sign((q & 1) ^ sign_bit(x), t + rest / d); \
	}

/* Angle of the point (x, y): atan(a / b) for a <= b is atan(t) plus 0 or pi / 4, with |t| <= tan(pi / 8); the angle is a multiple
 * of pi / 4 plus or minus atan(a / b). The short version computes the result for float in double. */
#define SR_ARC_TANGENT_OF(name, polynomial, rounded) \
	SR_INLINE double name(double y, double x) \
	{ \
		double size_x = __builtin_fabs(x), size_y = __builtin_fabs(y), a = size_x < size_y ? size_x : size_y, b = \
			size_x < size_y ? size_y : size_x; \
		int64_t infinite = -(int64_t)(b > 0x1.fffffffffffffp1023); \
		a = blend(infinite, blend(-(int64_t)(a == b), 1, 0), a); \
		b = blend(infinite, 1, b); \
		double scale = b > 0x1p1000 ? 0x1p-8 : 1; \
		a *= scale; \
		b *= scale; \
		int64_t far = -(int64_t)(a > b * 0x1.a8p-2), equal = -(int64_t)(a == b), swapped = -(int64_t)(size_x < size_y), \
			left = -(int64_t)sign_bit(x); \
		double n = blend(equal, blend(far, 0, a), blend(far, a - b, a)), d = blend(far, a + b, b); \
		d = d == 0 ? 1 : d; \
		double t = n / d, z = t * t, p = t * z * polynomial(z) + rounded, eighths = blend(far, 1, 0); \
		eighths = blend(swapped, 2 - eighths, eighths); \
		eighths = blend(left, 4 - eighths, eighths); \
		uint64_t minus = (uint64_t)(swapped ^ left) >> 63; \
		double r = eighths * 0x1.921fb54442d18p-1 + (with_sign(minus, t) + (with_sign(minus, p) + eighths * \
			0x1.1a62633145c07p-55)); \
		r = __builtin_copysign(r, y); \
		return __builtin_isunordered(x, y) ? x + y : r; \
	}

#define SR_ARC_TANGENT_SHORT(z) \
	SR_HORNER_6(z, 0x1.84a029d17e836p-5, -0x1.5b319fd16456ep-4, 0x1.c464a23971ab5p-4, -0x1.247ee56c6e9d5p-3, \
		0x1.99991930fae19p-3, -0x1.555554c7201ccp-2)
#define SR_ARC_TANGENT_LONG(z) \
	SR_HORNER_11(z, -0x1.2526b1773d6a8p-6, 0x1.37b82803e4ad4p-5, -0x1.9cc7b1e82dc70p-5, 0x1.df0cf809566f1p-5, \
		-0x1.10eb919353459p-4, \
		     0x1.3b1115e454889p-4, -0x1.745cf8b084829p-4, 0x1.c71c70e499037p-4, -0x1.24924922a9ae0p-3, \
			0x1.99999999957cbp-3, -0x1.555555555553dp-2)
#define SR_ARC_TANGENT \
	SR_INLINE double quotient_error(double n, double d, double n_low, double d_low, double q) \
	{ \
		double p = q * d, e = (((n - p) - product_error(q, d, p)) + (n_low - q * d_low)) / d; \
		return __builtin_fabs(q) > 0x1p-900 ? e : 0; \
	} \
	SR_ARC_TANGENT_OF(short_arc_tangent, SR_ARC_TANGENT_SHORT, 0) \
	SR_ARC_TANGENT_OF(arc_tangent, SR_ARC_TANGENT_LONG, \
			  quotient_error(n, d, blend(far & ~equal, a - (n + b), 0), blend(far, a - (d - b), 0), t)) \
	SR_INLINE float arc_tangentf(float y, float x) { return (float)short_arc_tangent((double)y, (double)x); }

/* Cube root of a positive normal u. A third of the exponent and mantissa, taken as one integer, is within 4% of it; each of
 * Halley's iterations triples the number of correct digits. For double, one iteration of Newton's method from a value of 26 bits,
 * whose square is exact, completes the result (Kahan). */
#define SR_CUBE_ROOT \
	SR_INLINE double approximate_cube_root(double u) \
	{ \
		union { double v; uint64_t bits; } t = {u}; \
		t.bits = ((multiply_u32(t.bits >> 32, 0xaaaaaaabu) >> 33) + 0x2a9f7554u) << 32; \
		double c = t.v * t.v * t.v; \
		t.v = t.v * ((c + 2 * u) / (2 * c + u)); \
		c = t.v * t.v * t.v; \
		return t.v * ((c + 2 * u) / (2 * c + u)); \
	} \
	SR_INLINE float cube_rootf(float x) \
	{ \
		float size = __builtin_fabsf(x), r = __builtin_copysignf((float)approximate_cube_root((double)size), x); \
		return size > 0 && size < __builtin_inff() ? r : x + x; \
	} \
	SR_INLINE double cube_root(double x) \
	{ \
		union { double v; uint64_t bits; } t; \
		double size = __builtin_fabs(x), small = size < 0x1p-1022 ? 1 : 0, large = size > 0x1p1000 ? 1 : 0; \
		double u = small > 0 ? size * 0x1p54 : large > 0 ? size * 0x1p-54 : size; \
		t.v = approximate_cube_root(u); \
		t.bits = (t.bits + 0x4000000) & ~(uint64_t)0x7ffffff; \
		double q = u / (t.v * t.v), r = t.v + t.v * ((q - t.v) / (t.v + t.v + q)); \
		r = __builtin_copysign(small > 0 ? r * 0x1p-18 : large > 0 ? r * 0x1p18 : r, x); \
		return size > 0 && size < __builtin_inf() ? r : x + x; \
	}

/* Power: x^y = exp(y log |x|), negative for negative x and odd y. For double, the logarithm and the product are sums of two
 * doubles. Conditions on y are computed as masks: if all elements have the same exponent, gcc would make them branches and not
 * vectorize the loop. */
#define SR_POWER \
	SR_INLINE int64_t is_integer_mask(double size) { return -(int64_t)(size >= 0x1p52) | -(int64_t)((size + \
		0x1p52) - 0x1p52 == size); } \
	SR_INLINE double finish_power(double x, double y, double size) \
	{ \
		double size_y = __builtin_fabs(y); \
		int64_t whole = is_integer_mask(size_y), odd = whole & ~is_integer_mask(0.5 * size_y); \
		double r = with_sign(sign_bit(x) & (uint64_t)odd, size); \
		return blend(-(int64_t)(x < 0) & -(int64_t)(x > -__builtin_inf()) & ~whole, __builtin_nan(""), r); \
	} \
	SR_INLINE float powerf(float x, float y) \
	{ \
		union { double v; uint64_t bits; } power; \
		uint64_t k; \
		double size = __builtin_fabs((double)x), v = (double)y * short_logarithm_at(size, 0, short_logarithm_sum(size, \
			0, 0)); \
		v = clamped(blend(-(int64_t)(size == 1) | -(int64_t)(y == 0), 0, v), -110, 110); \
		double p = short_powers(v, &k); \
		power.bits = (k + 1023) << 52; \
		return (float)finish_power((double)x, (double)y, power.v * p + power.v); \
	} \
	SR_INLINE double exact_logarithm(double size, double *low) \
	{ \
		union { double v; uint64_t bits; } m = {size < 0x1p-1022 ? size * 0x1p54 : size}, k; \
		m.bits += 0x3ff0000000000000u - 0x3fe6a09e667f3bcdu; \
		k.bits = (m.bits >> 52) | 0x4330000000000000u; \
		m.bits = (m.bits & 0xfffffffffffffu) + 0x3fe6a09e667f3bcdu; \
		double e = k.v - 0x1.00000000003ffp52 - (size < 0x1p-1022 ? 54. : 0.), f = m.v - 1, d = m.v + 1, s = f / d, p = \
			s * d; \
		double s_low = (((f - p) - product_error(s, d, p)) - s * (m.v - (d - 1))) / d, z = s * s, z_low = \
			product_error(s, s, z) + 2 * s * s_low; \
		double w = z * z * SR_HORNER_7(z, 0x1.0e4a23b900c52p-3, 0x1.0f7f221fc217cp-3, 0x1.3b1ef4506da5cp-3, \
			0x1.745ce9b72367ep-3, 0x1.c71c722de2525p-3, \
					       0x1.2492492457810p-2, 0x1.9999999999b33p-2); \
		double c = z * 0x1.5555555555555p-1, c_low = product_error(z, 0x1.5555555555555p-1, c) + (z * \
			0x1.5555555555555p-55 + z_low * 0x1.5555555555555p-1); \
		double g = c + w, g_low = ((c - g) + w) + c_low, b = s * g, b_low = product_error(s, g, b) + (s * g_low + \
			s_low * g); \
		double h = 2 * s + b, l = ((2 * s - h) + b) + (b_low + 2 * s_low), t = e * 0x1.62e42fefa38p-1, r = t + h; \
		*low = ((t - r) + h) + (l + e * 0x1.ef35793c7673p-45); \
		return logarithm_at(size, 0, r); \
	} \
	SR_INLINE double power(double x, double y) \
	{ \
		union { double v; uint64_t bits; } a, b; \
		uint64_t k; \
		double low, size = __builtin_fabs(x), log_size = exact_logarithm(size, &low), v = y * log_size; \
		double rest = product_error(y, log_size, v) + y * low; \
		v = blend(-(int64_t)(size == 1) | -(int64_t)(y == 0), 0, v); \
		rest = __builtin_fabs(v) < 746 ? rest : 0; \
		rest = v == 0 ? 0 : rest; \
		double p = powers(clamped(v, -746, 746), &k); \
		p = p + rest * (1 + p); \
		uint64_t half = (k + 2046) >> 1; \
		a.bits = half << 52; \
		b.bits = (k + 2046 - half) << 52; \
		return finish_power(x, y, (p + 1) * a.v * b.v); \
	}

#define SR_ELEMENTARY \
	SR_LOGARITHM \
	SR_EXPONENTIAL_MINUS_ONE \
	SR_TURNS \
	SR_QUADRANT \
	SR_SINE \
	SR_ARC_TANGENT \
	SR_CUBE_ROOT \
	SR_POWER

#endif
