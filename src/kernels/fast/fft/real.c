/* Planning of real transforms in lanes. */
#include "kernels/fast/fft/fft.h"
#include <math.h>

/* Return the radix p of the real pass for an odd length, or 0 if no pass has a radix that divides the length. */
static int64_t odd_radix(int64_t n)
{
	static const int64_t first[] = {5, 3, 7};
	for (int i = 0; i < 3; i++)
		if (n % first[i] == 0)
			return first[i];
	for (int64_t p = 11; p <= SR_FFT_MAX_SPLIT && p <= n; p += 2)
		if (n % p == 0)
			return p;
	return 0;
}

static enum sr_fft_real_kind kind_of(int64_t n)
{
	if (n % 2 == 0)
		return SR_FFT_EVEN;
	if (n > 1 && odd_radix(n))
		return SR_FFT_SPLIT;
	bool is_prime = n > 1 && n < INT32_MAX && sr_fft_largest_factor(n) == n;
	return is_prime && sr_fft_largest_factor(n - 1) <= SR_FFT_MAX_SMOOTH ? SR_FFT_PRIME : SR_FFT_COMPLEX;
}

double sr_fft_real_cost(const struct sr_fft_routines *code, int64_t n)
{
	int64_t p;
	switch (kind_of(n)) {
	case SR_FFT_EVEN:
		return sr_fft_lanes_cost(code, n / 2) + 4 * (double)n;
	case SR_FFT_SPLIT:
		p = odd_radix(n);
		return (double)(p / 2) * sr_fft_lanes_cost(code, n / p) + sr_fft_real_cost(code, n / p) + (4 + (double)p / 2) * (double)n;
	case SR_FFT_PRIME:
		return 2 * sr_fft_real_cost(code, n - 1) + 12 * (double)n;
	default:
		return sr_fft_lanes_cost(code, n) + 3 * (double)n;
	}
}

static void make_split(struct sr_fft_planner *m, struct sr_fft_real *f)
{
	int64_t p = f->p = odd_radix(f->n), q = f->n / p;
	f->complex = sr_fft_make_lanes(m, q);
	f->rest = sr_fft_make_real(m, q);
	f->radix_roots = sr_fft_roots(m, p);
	void *roots = sr_fft_table(m, p / 2 * q);
	for (int64_t k = 1; k <= p / 2; k++)
		for (int64_t i = 0; i < q; i++) {
			struct sr_fft_number w = sr_fft_root(i * k, f->n);
			sr_fft_set(m, roots, (k - 1) * q + i, w.re, w.im);
		}
	f->roots = roots;
	f->scratch = 2 * q + 2 + (f->complex->scratch > f->rest->scratch ? f->complex->scratch : f->rest->scratch);
}

static void make_prime(struct sr_fft_planner *m, struct sr_fft_real *f)
{
	int64_t p = f->n;
	f->rest = sr_fft_make_real(m, p - 1);
	sr_fft_generator_powers(m, p, &f->powers, &f->inverse_powers);
	double *x = SR_NEW_ARRAY(m->temporary, double, 2 * (p - 1));
	for (int64_t q = 0; q < p - 1; q++) {
		struct sr_fft_number w = sr_fft_root(f->inverse_powers[q], p);
		x[2 * q] = w.re - w.im;
	}
	sr_fft_transform_table(m, x, p - 1);
	f->kernel = sr_fft_convert_table(m, x, (p - 1) / 2 + 1, 1 / (double)(p - 1));
	f->scratch = p + 1 + f->rest->scratch;
}

const struct sr_fft_real *sr_fft_make_real(struct sr_fft_planner *m, int64_t n)
{
	struct sr_fft_real *f = SR_NEW(m->arena, struct sr_fft_real);
	*f = (struct sr_fft_real){.kind = kind_of(n), .n = n, .cost = sr_fft_real_cost(m->code, n)};
	switch (f->kind) {
	case SR_FFT_EVEN:
		f->complex = sr_fft_make_lanes(m, n / 2);
		f->roots = sr_fft_even_roots(m, n);
		f->scratch = f->complex->scratch;
		break;
	case SR_FFT_SPLIT:
		make_split(m, f);
		break;
	case SR_FFT_PRIME:
		make_prime(m, f);
		break;
	case SR_FFT_COMPLEX:
		f->complex = sr_fft_make_lanes(m, n);
		f->scratch = 4 * n + f->complex->scratch;
		break;
	}
	return f;
}
