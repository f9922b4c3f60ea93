/* Planning of the transform of one line: choice of the algorithm and of the factors of the length. */
#include "kernels/fast/fft/fft.h"
#include <math.h>

/* Estimated cycles per cell of an additional transposition, and of an additional multiplication. */
static const double TRANSPOSE_COST = 20, MULTIPLY_COST = 3;

/* Find the cheapest factorization n = n1 n2 with both factors at least the number of lanes. Returns its cost; INFINITY if there is
 * none. */
static double cheapest_factorization(const struct sr_fft_routines *code, int64_t n, int64_t *n1, int64_t *n2)
{
	double best_cost = INFINITY;
	for (int64_t a = code->lanes; a <= n / code->lanes && a * a <= 64 * n; a++) {
		int64_t b = n / a;
		if (n % a || b > 64 * a)
			continue;
		double blocks = (double)sr_ceil_div(b, code->lanes), rows = (double)sr_ceil_div(a, code->lanes);
		double cost = blocks * (sr_fft_lanes_cost(code, a) + TRANSPOSE_COST * (double)a) + rows * sr_fft_lanes_cost(code,
				b);
		if (cost < best_cost) {
			best_cost = cost;
			*n1 = a;
			*n2 = b;
		}
	}
	return best_cost;
}

static double chirp_cost(const struct sr_fft_routines *code, int64_t n, int64_t m)
{
	return 2 * sr_fft_line_cost(code, m) + (4 * (double)m + MULTIPLY_COST * (double)n) / code->lanes;
}

/* Choose the kind of the plan for length n, and its n1 and n2; return the cost. */
static double choose_line_kind(const struct sr_fft_routines *code, int64_t n, struct sr_fft_line *f)
{
	double single_cost = sr_fft_lanes_cost(code, n) + TRANSPOSE_COST * (double)n,
	       four_steps_cost = cheapest_factorization(code, n, &f->n1, &f->n2), best_cost = single_cost;
	f->kind = SR_FFT_SINGLE;
	if (four_steps_cost < best_cost) {
		f->kind = SR_FFT_FOUR_STEPS;
		best_cost = four_steps_cost;
	}
	if (n < 64 || sr_fft_largest_factor(n) <= SR_FFT_MAX_SMOOTH)
		return best_cost;
	int64_t m = sr_fft_convolution_length(code, 2 * n - 1, sr_fft_line_cost);
	double chirp = chirp_cost(code, n, m);
	if (chirp < best_cost) {
		f->kind = SR_FFT_CHIRP;
		f->n1 = m;
		best_cost = chirp;
	}
	return best_cost;
}

double sr_fft_line_cost(const struct sr_fft_routines *code, int64_t n)
{
	struct sr_fft_line unused_line;
	return choose_line_kind(code, n, &unused_line);
}

static void make_four_steps(struct sr_fft_planner *m, struct sr_fft_line *f)
{
	int64_t lanes = m->code->lanes, blocks = sr_ceil_div(f->n2, lanes), longest = f->n1 > f->n2 ? f->n1 : f->n2, at = 0;
	f->first = sr_fft_make_lanes(m, f->n1);
	f->second = f->n1 == f->n2 ? f->first : sr_fft_make_lanes(m, f->n2);
	char *roots = sr_fft_table(m, blocks * f->n1 * lanes);
	for (int64_t block = 0; block < blocks; block++)
		for (int64_t k = 0; k < f->n1; k++, at += 2 * lanes)
			for (int64_t i = 0; i < lanes; i++) {
				int64_t column = (block + 1) * lanes <= f->n2 ? block * lanes : f->n2 - lanes;
				struct sr_fft_number w = sr_fft_root((column + i) * k, f->n);
				sr_fft_set_real(m, roots, at + i, w.re);
				sr_fft_set_real(m, roots, at + lanes + i, w.im);
			}
	f->roots = roots;
	int64_t inner = f->first->scratch > f->second->scratch ? f->first->scratch : f->second->scratch;
	f->scratch = 4 * longest + 2 * f->n2 * sr_ceil_div(f->n1, lanes) + inner;
}

const struct sr_fft_line *sr_fft_make_line(struct sr_fft_planner *m, int64_t n)
{
	struct sr_fft_line *f = SR_NEW(m->arena, struct sr_fft_line);
	f->n = n;
	f->cost = choose_line_kind(m->code, n, f);
	switch (f->kind) {
	case SR_FFT_SINGLE:
		f->first = sr_fft_make_lanes(m, n);
		f->scratch = 4 * n + f->first->scratch;
		break;
	case SR_FFT_FOUR_STEPS:
		make_four_steps(m, f);
		break;
	case SR_FFT_CHIRP:
		f->inner = sr_fft_make_line(m, f->n1);
		sr_fft_make_chirp(m, n, f->n1, &f->chirp, &f->kernel);
		f->scratch = sr_ceil_div(2 * f->n1, m->code->lanes) + f->inner->scratch;
		break;
	}
	return f;
}

/* Return half the length of a real cyclic convolution of length m: m / 2, or a padded length at which the convolution does not
 * wrap around. */
static int64_t half_convolution_length(const struct sr_fft_routines *code, int64_t m)
{
	int64_t padded_length = sr_fft_convolution_length(code, m, sr_fft_line_cost);
	bool is_padding_slower = sr_fft_largest_factor(m) <= SR_FFT_MAX_SMOOTH &&
				 sr_fft_line_cost(code, m / 2) <= sr_fft_line_cost(code, padded_length);
	return is_padding_slower ? m / 2 : padded_length;
}

/* Choose the kind of the plan for a real line of length n and, for primes, half the length of the convolution; return the cost. */
static double choose_real_line_kind(const struct sr_fft_routines *code, int64_t n, enum sr_fft_real_kind *kind,
				    int64_t *half_length)
{
	double pass_cost = 2 * MULTIPLY_COST * (double)n / code->lanes, complex_cost = sr_fft_line_cost(code,
			n % 2 ? n : n / 2) + pass_cost;
	*kind = n % 2 ? SR_FFT_COMPLEX : SR_FFT_EVEN;
	if (n % 2 == 0 || n < 64 || n > INT32_MAX || sr_fft_largest_factor(n) != n)
		return complex_cost;
	*half_length = half_convolution_length(code, n - 1);
	double gather_cost = 4, prime_cost = 2 * sr_fft_line_cost(code, *half_length) + 4 * pass_cost + gather_cost * (double)n;
	if (prime_cost >= complex_cost)
		return complex_cost;
	*kind = SR_FFT_PRIME;
	return prime_cost;
}

double sr_fft_real_line_cost(const struct sr_fft_routines *code, int64_t n)
{
	enum sr_fft_real_kind kind;
	int64_t half_length;
	return choose_real_line_kind(code, n, &kind, &half_length);
}

static void make_prime(struct sr_fft_planner *m, struct sr_fft_real_line *f)
{
	int64_t p = f->n;
	f->inner = sr_fft_make_real_line(m, f->m);
	sr_fft_generator_powers(m, p, &f->powers, &f->inverse_powers);
	double *x = SR_NEW_ARRAY(m->temporary, double, 2 * f->m);
	for (int64_t q = 0; q < p - 1; q++) {
		struct sr_fft_number w = sr_fft_root(f->inverse_powers[q], p);
		x[2 * q] = w.re - w.im;
		if (q > 0)
			x[2 * (f->m - (p - 1 - q))] = w.re - w.im;
	}
	sr_fft_transform_table(m, x, f->m);
	f->kernel = sr_fft_convert_table(m, x, f->m / 2 + 1, 1 / (double)f->m);
	f->scratch = 2 * sr_ceil_div(f->m + 2, m->code->lanes) + f->inner->scratch;
}

const struct sr_fft_real_line *sr_fft_make_real_line(struct sr_fft_planner *m, int64_t n)
{
	struct sr_fft_real_line *f = SR_NEW(m->arena, struct sr_fft_real_line);
	int64_t half_length = 0;
	f->n = n;
	choose_real_line_kind(m->code, n, &f->kind, &half_length);
	f->m = 2 * half_length;
	if (f->kind == SR_FFT_PRIME) {
		make_prime(m, f);
		return f;
	}
	f->line = sr_fft_make_line(m, n % 2 ? n : n / 2);
	f->roots = n % 2 ? NULL : sr_fft_even_roots(m, n);
	f->scratch = sr_ceil_div(2 * f->line->n, m->code->lanes) + f->line->scratch;
	return f;
}
