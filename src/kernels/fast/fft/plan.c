/* Planning of transforms in lanes: choice of radices, and of the algorithm for prime radices. */
#include "kernels/fast/fft/fft.h"
#include <math.h>

/* Estimated cycles of a pass per cell, indexed by radix, for any vector length; 0: there is no pass of that radix. */
static const double pass_cost[] = {[2] = 3, [3] = 3.5, [4] = 3.5, [5] = 4.5, [7] = 6, [8] = 5, [11] = 10, [13] = 12};
enum { ROUTINES = sizeof pass_cost / sizeof *pass_cost };

static bool has_pass(const struct sr_fft_routines *code, int64_t radix)
{
	return radix < ROUTINES && pass_cost[radix] > 0 && (radix % 2 || radix <= code->largest_radix);
}

/* Return the radix of the next pass of a transform of length n, or 0. Large radices are preferred. */
static int64_t next_radix(const struct sr_fft_routines *code, int64_t n)
{
	static const int64_t powers[] = {8, 4, 2};
	/* two passes of radix 4 are faster than radix 8 and radix 2 */
	if (code->largest_radix == 8 && n % 16 == 0 && n % 64 != 0 && n % 128 != 0)
		return 4;
	for (int i = 0; i < 3; i++)
		if (powers[i] <= code->largest_radix && n % powers[i] == 0)
			return powers[i];
	for (int64_t f = 3; f * f <= n; f += 2)
		if (n % f == 0)
			return f;
	return n;
}

enum { MAX_SUM = 127 };

static double smooth_cost(const struct sr_fft_routines *code, int64_t n)
{
	double cost = 0, cells = (double)n;
	while (n > 1) {
		int64_t radix = next_radix(code, n);
		cost += pass_cost[radix] * cells;
		n /= radix;
	}
	return cost;
}

int64_t sr_fft_convolution_length(const struct sr_fft_routines *code, int64_t min, sr_fft_cost *cost)
{
	int64_t best_length = 0, power = 1;
	double best_cost = INFINITY;
	while (power < min)
		power *= 2;
	for (int64_t odd = 1; odd <= 63; odd += 2) {
		if (sr_fft_largest_factor(odd) > 7)
			continue;
		int64_t n = power;
		for (; n > 1 && n / 2 * odd >= min; n /= 2)
			;
		double c = n * odd < min ? INFINITY : cost(code, n * odd);
		if (c < best_cost) {
			best_length = n * odd;
			best_cost = c;
		}
	}
	return best_length;
}

enum algorithm { BY_SUM, BY_RADER, BY_BLUESTEIN };
struct prime_algorithm {
	enum algorithm algorithm;
	int64_t m;
	double cost; /* estimated cycles of one butterfly */
};

static struct prime_algorithm algorithm_for_prime(const struct sr_fft_routines *code, int64_t p)
{
	struct prime_algorithm best = {BY_SUM, 0, p <= MAX_SUM ? (double)p * (double)(p + 8) : INFINITY};
	if (p < INT32_MAX && sr_fft_largest_factor(p - 1) <= SR_FFT_MAX_SMOOTH) {
		double cost = 2 * smooth_cost(code, p - 1) + 10 * (double)p;
		if (cost < best.cost)
			best = (struct prime_algorithm){BY_RADER, p - 1, cost};
	}
	int64_t m = sr_fft_convolution_length(code, 2 * p - 1, smooth_cost);
	double cost = 2 * smooth_cost(code, m) + 6 * (double)p + 4 * (double)m;
	if (cost < best.cost)
		best = (struct prime_algorithm){BY_BLUESTEIN, m, cost};
	return best;
}

/* Return the estimated cycles per element of memory traffic in one pass over n elements; they are higher if the elements exceed the
 * first, second or third cache. */
static double memory_cost(const struct sr_fft_routines *code, int64_t n)
{
	double bytes = 4.0 * (double)n * code->lanes * code->real_bytes;
	return bytes > 1.5e6 ? 12 : bytes > 5e5 ? 4 : bytes > 4e4 ? 1.5 : 0;
}

double sr_fft_lanes_cost(const struct sr_fft_routines *code, int64_t n)
{
	double cost = 0, cells = (double)n, memory = memory_cost(code, n);
	while (n > 1) {
		int64_t radix = next_radix(code, n);
		cost += cells * (has_pass(code, radix) ? pass_cost[radix] + memory : algorithm_for_prime(code,
				radix).cost / (double)radix + 3 * memory);
		n /= radix;
	}
	return cost;
}

/* Return Bluestein's factor exp(-pi i k^2 / n). */
static struct sr_fft_number chirp(int64_t k, int64_t n)
{
	return sr_fft_root((int64_t)((unsigned __int128)k * (uint64_t)k % (2 * (unsigned __int128)n)), 2 * n);
}

void sr_fft_make_chirp(struct sr_fft_planner *m, int64_t n, int64_t length, const void **chirps, const void **kernel)
{
	void *table = sr_fft_table(m, n);
	double *x = SR_NEW_ARRAY(m->temporary, double, 2 * length);
	for (int64_t k = 0; k < n; k++) {
		struct sr_fft_number w = chirp(k, n);
		sr_fft_set(m, table, k, w.re, w.im);
		x[2 * k] = w.re;
		x[2 * k + 1] = -w.im;
		if (k > 0) {
			x[2 * (length - k)] = w.re;
			x[2 * (length - k) + 1] = -w.im;
		}
	}
	sr_fft_transform_table(m, x, length);
	*chirps = table;
	*kernel = sr_fft_convert_table(m, x, length, 1 / (double)length);
}

static void make_rader(struct sr_fft_planner *m, struct sr_fft_prime *f)
{
	double *x = SR_NEW_ARRAY(m->temporary, double, 2 * f->m);
	sr_fft_generator_powers(m, f->p, &f->powers, &f->inverse_powers);
	for (int64_t q = 0; q < f->m; q++) {
		struct sr_fft_number w = sr_fft_root(f->inverse_powers[q], f->p);
		x[2 * q] = w.re;
		x[2 * q + 1] = w.im;
	}
	sr_fft_transform_table(m, x, f->m);
	f->kernel = sr_fft_convert_table(m, x, f->m, 1 / (double)f->m);
}

static const struct sr_fft_prime *make_prime(struct sr_fft_planner *m, int64_t p, int64_t *scratch)
{
	struct sr_fft_prime *f = SR_NEW(m->arena, struct sr_fft_prime);
	struct prime_algorithm prime_algorithm = algorithm_for_prime(m->code, p);
	f->p = p;
	f->m = prime_algorithm.m;
	if (prime_algorithm.algorithm == BY_SUM) {
		f->roots = sr_fft_roots(m, p);
		*scratch = 2 * p;
		return f;
	}
	f->inner = sr_fft_make_lanes(m, f->m);
	*scratch = 4 * f->m + f->inner->scratch;
	if (prime_algorithm.algorithm == BY_RADER)
		make_rader(m, f);
	else
		sr_fft_make_chirp(m, p, f->m, &f->chirp, &f->kernel);
	return f;
}

static const void *pass_roots(struct sr_fft_planner *m, int64_t radix, int64_t n_after)
{
	if (n_after == 1)
		return NULL;
	void *table = sr_fft_table(m, n_after * (radix - 1));
	for (int64_t i = 0; i < n_after; i++)
		for (int64_t j = 1; j < radix; j++) {
			struct sr_fft_number w = sr_fft_root(i * j, radix * n_after);
			sr_fft_set(m, table, i * (radix - 1) + j - 1, w.re, w.im);
		}
	return table;
}

const struct sr_fft_lanes *sr_fft_make_lanes(struct sr_fft_planner *m, int64_t n)
{
	struct sr_fft_lanes *f = SR_NEW(m->arena, struct sr_fft_lanes);
	int64_t n_before = 1;
	f->n = n;
	f->cost = sr_fft_lanes_cost(m->code, n);
	while (n_before < n) {
		int64_t radix = next_radix(m->code, n / n_before), n_after = n / n_before / radix, scratch = 0;
		struct sr_fft_pass *pass = &f->passes[f->n_passes++];
		*pass = (struct sr_fft_pass){
		    .radix = radix, .n_before = n_before, .n_after = n_after, .roots = pass_roots(m, radix, n_after)};
		if (!has_pass(m->code, radix))
			pass->prime = make_prime(m, radix, &scratch);
		else if (radix % 2)
			pass->radix_roots = sr_fft_roots(m, radix);
		if (scratch > f->scratch)
			f->scratch = scratch;
		n_before *= radix;
	}
	return f;
}
