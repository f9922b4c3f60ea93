/* Scalar helpers for map.ops that are too long for an expression: integer powers and complex functions. */
#include "kernels/element.h"

uint64_t sr_power_unsigned(uint64_t base, uint64_t exponent)
{
	uint64_t result = 1;

	for (; exponent; exponent >>= 1, base *= base)
		if (exponent & 1)
			result *= base;
	return result;
}

/* Return base^exponent. A negative exponent gives 0 unless the base is 1 or -1; also for base 0, as in the reference
 * interpreter. */
uint64_t sr_power_signed(int64_t base, int64_t exponent)
{
	if (exponent >= 0)
		return sr_power_unsigned((uint64_t)base, (uint64_t)exponent);
	if (base == 1)
		return 1;
	if (base == -1)
		return exponent & 1 ? (uint64_t)-1 : 1;
	return 0;
}

sr_c128 sr_complex_divide(sr_c128 x, sr_c128 y)
{
	return x / y; /* complex division by C99, Annex G */
}

/* Return exp(x). It is NaN for an infinite imaginary part, also if the real part is infinite, where C99's Annex G has infinity or 0. */
sr_c128 sr_complex_exp(sr_c128 x)
{
	return __builtin_cexp(x + (IM(x) - IM(x)));
}

/* Return exp(a + ib) - 1 = (expm1(a) cos b - 2 sin(b/2)^2) + i exp(a) sin b, without cancellation near 0. */
sr_c128 sr_complex_expm1(sr_c128 x)
{
	double a = RE(x), b = IM(x), s = sin(b / 2);

	if (b == 0)
		return __builtin_complex(expm1(a), b);
	if (!isfinite(a) || !isfinite(b))
		return sr_complex_exp(x) - 1;
	return __builtin_complex(expm1(a) * cos(b) - 2 * s * s, exp(a) * sin(b));
}

/* Return log(1 + a + ib); near 0 the real part is log1p of |1 + x|^2 - 1. */
sr_c128 sr_complex_log1p(sr_c128 x)
{
	double a = RE(x), b = IM(x);
	double re = fabs(a) < 0.5 && fabs(b) < 0.5 ? 0.5 * log1p(a * (2 + a) + b * b) : log(hypot(1 + a, b));

	return __builtin_complex(re, atan2(b, 1 + a));
}

sr_c128 sr_complex_pow(sr_c128 x, sr_c128 y)
{
	if (RE(y) == 0 && IM(y) == 0)
		return 1;
	if (RE(x) == 0 && IM(x) == 0 && RE(y) > 0)
		return 0;
	return __builtin_cpow(x, y);
}

sr_c128 sr_complex_sign(sr_c128 x)
{
	double length = hypot(RE(x), IM(x));

	if (isnan(RE(x)) || isnan(IM(x)))
		return __builtin_complex((double)NAN, (double)NAN);
	if (length == 0)
		return 0;
	return __builtin_complex(RE(x) / length, IM(x) / length);
}

/* Return atan2(y, x) = -i log((x + iy) / sqrt(x^2 + y^2)) for complex x and y. */
sr_c128 sr_complex_atan2(sr_c128 y, sr_c128 x)
{
	sr_c128 l = __builtin_clog((x + __builtin_complex(-IM(y), RE(y))) / __builtin_csqrt(CMUL(x, x) + CMUL(y, y)));

	return __builtin_complex(IM(l), -RE(l));
}
