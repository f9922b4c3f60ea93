/* Fast Fourier transforms in vectors.
 *
 * Everything is made of one routine: `lanes` transforms at once, one in each lane of the vectors (a cell is one element of all
 * of them: a vector of real parts, then one of imaginary parts). It is Stockham's self-sorting form of Cooley and Tukey's
 * factorization (1965), passes of radix 2, 3, 4, 5, 7, 8, 11, 13; other primes by the sum that defines them with its symmetry,
 * by Rader's convolution (1968) or by Bluestein's (1970), whichever costs least. Lines that lie beside each other fill the lanes
 * where there are many. A single long line is a matrix of n = n1 x n2 (Gentleman and Sande's four steps, 1966): its columns in
 * lanes, roots of unity, a transposition in registers, its rows in lanes.
 *
 * Real lines cost half: of even length as complex lines of half the length; of odd length by one real pass of radix p, after
 * which only half of the complex parts are wanted; of prime length by Rader's convolution of reals, as a Hartley transform.
 *
 * A plan holds what does not change, in an arena: factors, roots (computed in double, from the first octant), transformed
 * chirps. It is read-only where it runs; all that is written is results and scratch. */
#ifndef SR_KERNELS_FAST_FFT_FFT_H
#define SR_KERNELS_FAST_FFT_FFT_H

#include "kernels/fast/fast.h"
#include "support/arena.h"
#include "support/checked.h"

enum { SR_FFT_PASSES = 64, SR_FFT_SPLIT_MOST = 61, SR_FFT_SMOOTH = 13 };

/* ---- in lanes ---- */

struct sr_fft_lanes;

/* A prime radix that has no routine of its own. `inner` NULL: the sum. `chirp` NULL: Rader's. */
struct sr_fft_prime {
	int64_t p, m;
	const struct sr_fft_lanes *inner; /* of m */
	const void *roots;                /* the sum: p complex */
	const void *kernel;               /* m complex: what the convolution is with, transformed, over m */
	const void *chirp;                /* Bluestein's: p complex */
	const int32_t *from, *to;         /* Rader's: m places in the order of the generator's powers, and of their inverses */
};

/* From (before x radix x after) cells to (radix x before x after), the results times roots of radix x after. */
struct sr_fft_pass {
	int64_t radix, before, after;
	const void *roots; /* after x (radix - 1) complex; NULL where after is 1 */
	const void *small; /* an odd radix: its own roots, radix complex */
	const struct sr_fft_prime *prime;
};

struct sr_fft_lanes {
	int64_t n, scratch; /* in vectors, beside two buffers of n cells */
	double cost;        /* cycles, about */
	int n_passes;
	struct sr_fft_pass passes[SR_FFT_PASSES];
};

enum sr_fft_real_kind { SR_FFT_EVEN, SR_FFT_SPLIT, SR_FFT_PRIME, SR_FFT_COMPLEX };

/* n reals and n / 2 + 1 cells. */
struct sr_fft_real {
	enum sr_fft_real_kind kind;
	int64_t n, p, scratch;            /* SPLIT: n = p * complex->n */
	double cost;
	const struct sr_fft_lanes *complex; /* EVEN: of n / 2; SPLIT: of n / p; COMPLEX: of n */
	const struct sr_fft_real *rest;     /* SPLIT: of n / p; PRIME: of n - 1 */
	const void *roots;                  /* EVEN: n / 4 + 1 complex, -i w^k / 2; SPLIT: (p - 1) / 2 x n / p */
	const void *small;                  /* SPLIT: p complex */
	const void *kernel;                 /* PRIME: (n - 1) / 2 + 1 complex */
	const int32_t *from, *to;           /* PRIME: n - 1 places */
};

/* ---- one line, contiguous ---- */

enum sr_fft_line_kind { SR_FFT_ALONE, SR_FFT_FOUR_STEPS, SR_FFT_CHIRP };

struct sr_fft_line {
	enum sr_fft_line_kind kind;
	int64_t n, n1, n2, scratch; /* scratch in vectors */
	double cost;
	const struct sr_fft_lanes *first, *second; /* of n1 and n2; ALONE: of n */
	const void *roots;                         /* FOUR_STEPS: per block of columns n1 cells */
	const struct sr_fft_line *inner;           /* CHIRP: of n1 >= 2 n - 1 */
	const void *kernel, *chirp;                /* CHIRP: n1 and n complex */
};

/* A real line: of even length as half as many complex numbers, of odd length as as many, of prime length by Rader's convolution
 * in reals. */
struct sr_fft_real_line {
	enum sr_fft_real_kind kind;
	int64_t n, m, scratch;                /* PRIME: m, even, places of the convolution */
	const struct sr_fft_line *line;       /* EVEN, COMPLEX */
	const void *roots;                    /* EVEN: as sr_fft_real's */
	const struct sr_fft_real_line *inner; /* PRIME: of m */
	const void *kernel;                   /* PRIME: m / 2 + 1 complex */
	const int32_t *from, *to;             /* PRIME: n - 1 places */
};

/* ---- what an instruction set has for a type ---- */

/* `count` lines. Distances are in reals. */
struct sr_fft_task {
	const void *in;
	void *out, *scratch;         /* scratch aligned for vectors */
	int64_t count, in_row, out_row;
	int64_t inner;               /* columns: so many lie side by side, and elements are as far apart */
	double scale;
	bool inverse;
};
typedef void sr_fft_run(const void *plan, const struct sr_fft_task *task);

struct sr_fft_code {
	int lanes, largest_radix, real_bytes;
	sr_fft_run *rows, *columns; /* of struct sr_fft_lanes */
	sr_fft_run *real_rows;      /* of struct sr_fft_real */
	sr_fft_run *lines;          /* of struct sr_fft_line */
	sr_fft_run *real_lines;     /* of struct sr_fft_real_line */
};

/* Of f32 and f64. */
struct sr_fft_codes {
	struct sr_fft_code f32, f64;
};
extern const struct sr_fft_codes sr_fft_base, sr_fft_avx2, sr_fft_avx512;

/* ---- plans ---- */

struct sr_fft_maker {
	struct sr_arena *arena, *temporary; /* the second: until all is made */
	const struct sr_fft_code *code;
	const struct sr_fft_codes *codes; /* those for f64 compute tables */
};

const struct sr_fft_lanes *sr_fft_make_lanes(struct sr_fft_maker *m, int64_t n);
const struct sr_fft_real *sr_fft_make_real(struct sr_fft_maker *m, int64_t n);
const struct sr_fft_line *sr_fft_make_line(struct sr_fft_maker *m, int64_t n);
const struct sr_fft_real_line *sr_fft_make_real_line(struct sr_fft_maker *m, int64_t n);
/* Without tables, in cycles. */
double sr_fft_lanes_cost(const struct sr_fft_code *code, int64_t n); /* of as many lines as there are lanes, in cells */
double sr_fft_real_cost(const struct sr_fft_code *code, int64_t n);
double sr_fft_line_cost(const struct sr_fft_code *code, int64_t n); /* of a line, in memory */
double sr_fft_real_line_cost(const struct sr_fft_code *code, int64_t n);

struct sr_prepared_kernel *sr_fft_prepare(const struct sr_fft_codes *codes, enum sr_dtype t, const struct sr_fft_params *p);

/* ---- tables ---- */

/* exp(-2 pi i k / n) */
struct sr_fft_number {
	double re, im;
};
struct sr_fft_number sr_fft_root(int64_t k, int64_t n);
void *sr_fft_table(struct sr_fft_maker *m, int64_t n);           /* of n complex numbers, aligned for vectors */
const void *sr_fft_roots(struct sr_fft_maker *m, int64_t n); /* exp(-2 pi i k / n), n of them */
const void *sr_fft_narrow(struct sr_fft_maker *m, const double *x, int64_t n, double scale); /* from double */
void sr_fft_set_real(const struct sr_fft_maker *m, void *table, int64_t at, double x);
void sr_fft_set(const struct sr_fft_maker *m, void *table, int64_t at, double re, double im);
const void *sr_fft_half_roots(struct sr_fft_maker *m, int64_t n); /* EVEN's */
/* The powers of a generator modulo p: from[q] = g^q; to[q] = g^-q. */
void sr_fft_powers(struct sr_fft_maker *m, int64_t p, const int32_t **from, const int32_t **to);
/* The transform of n complex numbers, in place, in double. */
void sr_fft_of_table(struct sr_fft_maker *m, double *x, int64_t n);
int64_t sr_fft_largest_factor(int64_t n);
/* The cheapest length from `least` on without large factors. */
typedef double sr_fft_cost(const struct sr_fft_code *code, int64_t n);
int64_t sr_fft_convolution_length(const struct sr_fft_code *code, int64_t least, sr_fft_cost *cost);
/* Bluestein's: exp(-pi i k^2 / n), and their inverses, cyclic in `length` places, transformed, over `length`. */
void sr_fft_make_chirp(struct sr_fft_maker *m, int64_t n, int64_t length, const void **chirps, const void **kernel);

#endif
