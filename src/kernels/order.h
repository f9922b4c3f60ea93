/* The order of numbers, for kernels and collectives: minimum and maximum of floats (IEEE 754-2019: NaN if either is NaN, -0 < +0)
 * and of complex numbers, and the total order of floats. The code generator has the functions on floats as text
 * (codegen/scalar_c.c). */
#ifndef SR_KERNELS_ORDER_H
#define SR_KERNELS_ORDER_H

#include "kernels/scalar_functions.h"

SR_EXTREMA
SR_TOTAL_ORDER

/* Return true if x is less than y: compared by real parts, then by imaginary parts. */
static inline bool sr_complex_less(double _Complex x, double _Complex y)
{
	return __real__ x == __real__ y ? __imag__ x < __imag__ y : __real__ x < __real__ y;
}

static inline bool sr_complex_is_nan(double _Complex x)
{
	return __builtin_isnan(__real__ x) || __builtin_isnan(__imag__ x);
}

/* Return the larger complex number in the order of sr_complex_less, or one with a NaN part if there is one; sr_complex_minimum
 * returns the smaller one. */
static inline double _Complex sr_complex_maximum(double _Complex x, double _Complex y)
{
	return !sr_complex_is_nan(x) && (sr_complex_is_nan(y) || sr_complex_less(x, y)) ? y : x;
}

static inline double _Complex sr_complex_minimum(double _Complex x, double _Complex y)
{
	return !sr_complex_is_nan(x) && (sr_complex_is_nan(y) || sr_complex_less(y, x)) ? y : x;
}

#endif
