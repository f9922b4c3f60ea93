/* Rounding bounds.
 *
 * Two compilations of an elementwise op give results that differ by a few units in the last place. A sum of n terms has an error of
 * at most n units of the largest partial sum, and about sqrt(n) units if roundings are independent; cancelling terms leave a small
 * sum with the error of large ones, so the bound also depends on the terms. If the length of a sum is unknown (linear algebra,
 * FFT), LOOSE_UNITS units of the largest element are allowed. */
#include "exec/probes/rounding.h"
#include <math.h>
#include <string.h>

enum { UNITS = 4, SUM_UNITS = 8, LOOSE_UNITS = 1024 };

static enum sr_dtype component_type(enum sr_dtype type)
{
	return type == SR_C64 ? SR_F32 : type == SR_C128 ? SR_F64 : type;
}

/* Return the distance between 1 and the next larger number of a floating-point type; 0 for integers. */
static double rounding_unit(enum sr_dtype type)
{
	unsigned char element[16] = {0};
	uint64_t bits = 0;
	int64_t i;
	double next = 1, im;
	if (sr_dtype_is_integer(type))
		return 0;
	type = component_type(type);
	size_t n = (size_t)sr_dtype_bytes(type);
	sr_element_set(type, element, 1, 1, 0);
	memcpy(&bits, element, n);
	bits++;
	memcpy(element, &bits, n);
	sr_element_get(type, element, &i, &next, &im);
	return isfinite(next) ? next - 1 : 1;
}

struct sr_rounding sr_rounding_of(const struct sr_probe *probe, double max_magnitude, double operands)
{
	double unit = rounding_unit((enum sr_dtype)probe->io.dtype), n = (double)probe->reduced;
	struct sr_rounding r = {.relative = UNITS * unit};
	if (probe->reduced > 1)
		r.absolute = SUM_UNITS * unit * sqrt(n) * fmax(max_magnitude, sqrt(n) * operands);
	else if (probe->flags & SR_PROBE_LOOSE_BOUND)
		r.absolute = LOOSE_UNITS * unit * max_magnitude;
	return r;
}

static double excess_of(const struct sr_rounding *r, double a, double b)
{
	if (a == b || (isnan(a) && isnan(b)))
		return 0;
	if (!isfinite(a) || !isfinite(b))
		return HUGE_VAL;
	double bound = r->relative * fabs(b) + r->absolute;
	return bound > 0 ? fabs(a - b) / bound : HUGE_VAL;
}

double sr_rounding_excess(const struct sr_rounding *r, enum sr_dtype type, const void *actual, const void *expected)
{
	double a = 0, b = 0, a_im = 0, b_im = 0;
	int64_t i = 0, j = 0;
	if (!memcmp(actual, expected, (size_t)sr_dtype_bytes(type)))
		return 0;
	sr_element_get(type, actual, &i, &a, &a_im);
	sr_element_get(type, expected, &j, &b, &b_im);
	if (sr_dtype_is_integer(type))
		return i == j ? 0 : HUGE_VAL;
	return fmax(excess_of(r, a, b), excess_of(r, a_im, b_im));
}
