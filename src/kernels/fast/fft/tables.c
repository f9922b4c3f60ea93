/* Roots of unity, and tables of them in a plan's type. */
#include "kernels/fast/fft/fft.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Compute exp(-2 pi i k / n) by reduction to the first octant, so that roots that are equal by symmetry are equal bit by bit, and
 * no angle is large. */
struct sr_fft_number sr_fft_root(int64_t k, int64_t n)
{
	k %= n;
	/* exp(+2 pi i k / n) is in the lower half plane: compute its reflection */
	bool is_lower_half = 2 * (unsigned __int128)k > (uint64_t)n;
	if (is_lower_half)
		k = n - k;
	bool is_left_half = 4 * (unsigned __int128)k > (uint64_t)n;
	double angle_index = (double)(is_left_half ? n - 2 * k : 2 * k); /* the angle to the real axis is pi * angle_index / n */
	bool is_second_octant = 4 * angle_index > (double)n;
	double angle = M_PI / 2 * ((is_second_octant ? (double)n - 2 * angle_index : 2 * angle_index) / (double)n);
	double c = is_second_octant ? sin(angle) : cos(angle), s = is_second_octant ? cos(angle) : sin(angle);
	return (struct sr_fft_number){is_left_half ? -c : c, is_lower_half ? s : -s};
}

void *sr_fft_table(struct sr_fft_planner *m, int64_t n)
{
	int64_t bytes;
	if (sr_mul_overflows(n, (int64_t)2 * m->code->real_bytes, &bytes) || sr_add_overflows(bytes, (int64_t)64, &bytes))
		sr_arena_unwind(m->arena);
	uintptr_t at = (uintptr_t)sr_alloc(m->arena, (size_t)bytes, 1);
	return (void *)((at + 63) / 64 * 64);
}

void sr_fft_set_real(const struct sr_fft_planner *m, void *table, int64_t at, double x)
{
	if (m->code->real_bytes == 4)
		((float *)table)[at] = (float)x;
	else
		((double *)table)[at] = x;
}

void sr_fft_set(const struct sr_fft_planner *m, void *table, int64_t at, double re, double im)
{
	sr_fft_set_real(m, table, 2 * at, re);
	sr_fft_set_real(m, table, 2 * at + 1, im);
}

const void *sr_fft_roots(struct sr_fft_planner *m, int64_t n)
{
	void *table = sr_fft_table(m, n);
	for (int64_t k = 0; k < n; k++) {
		struct sr_fft_number w = sr_fft_root(k, n);
		sr_fft_set(m, table, k, w.re, w.im);
	}
	return table;
}

const void *sr_fft_convert_table(struct sr_fft_planner *m, const double *x, int64_t n, double scale)
{
	void *table = sr_fft_table(m, n);
	for (int64_t k = 0; k < n; k++)
		sr_fft_set(m, table, k, x[2 * k] * scale, x[2 * k + 1] * scale);
	return table;
}

const void *sr_fft_even_roots(struct sr_fft_planner *m, int64_t n)
{
	void *table = sr_fft_table(m, n / 4 + 1);
	for (int64_t k = 0; k <= n / 4; k++) {
		struct sr_fft_number w = sr_fft_root(k, n);
		sr_fft_set(m, table, k, w.im / 2, -w.re / 2);
	}
	return table;
}

static int64_t multiply_mod(int64_t a, int64_t b, int64_t p)
{
	return (int64_t)((unsigned __int128)a * (uint64_t)b % (uint64_t)p);
}

static int64_t power_mod(int64_t g, int64_t e, int64_t p)
{
	int64_t r = 1;
	for (; e > 0; e /= 2, g = multiply_mod(g, g, p))
		if (e % 2)
			r = multiply_mod(r, g, p);
	return r;
}

static bool is_generator(int64_t g, int64_t p)
{
	int64_t cofactor = p - 1;
	for (int64_t f = 2; cofactor > 1; f++) {
		if (f * f > cofactor)
			f = cofactor;
		if (cofactor % f)
			continue;
		if (power_mod(g, (p - 1) / f, p) == 1)
			return false;
		while (cofactor % f == 0)
			cofactor /= f;
	}
	return true;
}

void sr_fft_generator_powers(struct sr_fft_planner *m, int64_t p, const int32_t **powers_out, const int32_t **inverse_out)
{
	int32_t *powers = SR_NEW_ARRAY(m->arena, int32_t, p - 1), *inverse_powers = SR_NEW_ARRAY(m->arena, int32_t, p - 1);
	int64_t g = 2, x = 1;
	while (!is_generator(g, p))
		g++;
	for (int64_t q = 0; q < p - 1; q++, x = multiply_mod(x, g, p)) {
		powers[q] = (int32_t)x;
		inverse_powers[q ? p - 1 - q : 0] = (int32_t)x;
	}
	*powers_out = powers;
	*inverse_out = inverse_powers;
}

void sr_fft_transform_table(struct sr_fft_planner *m, double *x, int64_t n)
{
	/* n has small prime factors only, so the plan for this transform needs no transformed table, and the recursion ends */
	struct sr_fft_planner own = {.arena = m->temporary, .temporary = m->temporary, .code = &m->codes->f64, .codes = m->codes};
	const struct sr_fft_line *f = sr_fft_make_line(&own, n);
	void *scratch = sr_fft_table(&own, sr_ceil_div(f->scratch * own.code->lanes, 2));
	own.code->lines(f, &(struct sr_fft_task){.in = x, .out = x, .scratch = scratch, .count = 1, .scale = 1});
}

int64_t sr_fft_largest_factor(int64_t n)
{
	int64_t largest_factor = 1;
	for (int64_t f = 2; f * f <= n; f++)
		for (; n % f == 0; n /= f)
			largest_factor = f;
	return n > largest_factor ? n : largest_factor;
}
