/* Fast Fourier transforms in vectors.
 *
 * There is one basic routine: it computes W transforms at once, one in each lane of the vectors. A *cell* is one element of all W
 * transforms: a vector of real parts, then one of imaginary parts. The routine is Stockham's self-sorting form of the
 * Cooley-Tukey factorization (1965), with passes of radix 2, 3, 4, 5, 7, 8, 11, 13. Other primes are computed by the defining
 * sum, using its symmetry, by Rader's convolution (1968) or by Bluestein's (1970), whichever is cheapest. Neighbouring lines fill
 * the lanes if there are many. A single long line is treated as a matrix of n = n1 x n2 (Gentleman and Sande's four-step
 * algorithm, 1966): its columns in lanes, multiplication by roots of unity, a transposition in registers, its rows in lanes.
 *
 * Real lines cost half: an even length is computed as complex lines of half the length; an odd length by one real pass of radix
 * p, after which only half of the complex parts are needed; a prime length by Rader's convolution of reals, as a Hartley
 * transform.
 *
 * A plan holds what does not change, in an arena: factors, roots of unity (computed in double), transformed chirps. It is
 * read-only while it is executed; only results and scratch are written. */
#ifndef SR_KERNELS_FAST_FFT_FFT_H
#define SR_KERNELS_FAST_FFT_FFT_H

#include "kernels/fast/fast.h"
#include "support/arena.h"
#include "support/checked.h"

enum { SR_FFT_MAX_PASSES = 64, SR_FFT_MAX_SPLIT = 61, SR_FFT_MAX_SMOOTH = 13 };

/* ---- W transforms in lanes ---- */

struct sr_fft_lanes;

/* A prime radix without a pass of its own. `inner` NULL: defining sum. `chirp` NULL: Rader's algorithm, otherwise Bluestein's. */
struct sr_fft_prime {
	int64_t p, m;
	const struct sr_fft_lanes *inner; /* transform of length m */
	const void *roots;                /* defining sum: p complex numbers */
	const void *kernel;               /* m complex numbers: the transformed convolution kernel, divided by m */
	const void *chirp;                /* Bluestein: p complex numbers */
	const int32_t *from, *to;         /* Rader: m indices, in the order of the generator's powers and of their inverses */
};

/* A pass: transform (before x radix x after) cells to (radix x before x after), and multiply the results by roots of order radix
 * x after. */
struct sr_fft_pass {
	int64_t radix, before, after;
	const void *roots; /* after x (radix - 1) complex numbers; NULL if after is 1 */
	const void *small; /* odd radix: its own roots, radix complex numbers */
	const struct sr_fft_prime *prime;
};

struct sr_fft_lanes {
	int64_t n, scratch; /* in vectors, besides two buffers of n cells */
	double cost;        /* estimated cycles */
	int n_passes;
	struct sr_fft_pass passes[SR_FFT_MAX_PASSES];
};

enum sr_fft_real_kind { SR_FFT_EVEN, SR_FFT_SPLIT, SR_FFT_PRIME, SR_FFT_COMPLEX };

/* A real transform: n reals, n / 2 + 1 cells. */
struct sr_fft_real {
	enum sr_fft_real_kind kind;
	int64_t n, p, scratch;            /* SPLIT: n = p * complex->n */
	double cost;
	const struct sr_fft_lanes *complex; /* EVEN: length n / 2; SPLIT: n / p; COMPLEX: n */
	const struct sr_fft_real *rest;     /* SPLIT: length n / p; PRIME: n - 1 */
	const void *roots;                  /* EVEN: n / 4 + 1 complex numbers, -i w^k / 2; SPLIT: (p - 1) / 2 x n / p */
	const void *small;                  /* SPLIT: p complex numbers */
	const void *kernel;                 /* PRIME: (n - 1) / 2 + 1 complex numbers */
	const int32_t *from, *to;           /* PRIME: n - 1 indices */
};

/* ---- one contiguous line ---- */

enum sr_fft_line_kind { SR_FFT_SINGLE, SR_FFT_FOUR_STEPS, SR_FFT_CHIRP };

struct sr_fft_line {
	enum sr_fft_line_kind kind;
	int64_t n, n1, n2, scratch; /* in vectors */
	double cost;
	const struct sr_fft_lanes *first, *second; /* lengths n1 and n2; SINGLE: length n */
	const void *roots;                         /* FOUR_STEPS: n1 cells per block of columns */
	const struct sr_fft_line *inner;           /* CHIRP: length n1 >= 2 n - 1 */
	const void *kernel, *chirp;                /* CHIRP: n1 and n complex numbers */
};

/* A real line: an even length as half as many complex numbers, an odd length as complex numbers, a prime length by Rader's
 * convolution of reals. */
struct sr_fft_real_line {
	enum sr_fft_real_kind kind;
	int64_t n, m, scratch;                /* PRIME: m, even, is the length of the convolution */
	const struct sr_fft_line *line;       /* EVEN, COMPLEX */
	const void *roots;                    /* EVEN: as in sr_fft_real */
	const struct sr_fft_real_line *inner; /* PRIME: length m */
	const void *kernel;                   /* PRIME: m / 2 + 1 complex numbers */
	const int32_t *from, *to;             /* PRIME: n - 1 indices */
};

/* ---- routines of an instruction set, for one element type ---- */

/* `count` lines to transform. Distances count reals. */
struct sr_fft_task {
	const void *in;
	void *out, *scratch;         /* scratch is aligned for vectors */
	int64_t count, in_row, out_row;
	int64_t inner;               /* columns: number of neighbouring lines, and distance of a line's elements */
	double scale;
	bool inverse;
};
typedef void sr_fft_run(const void *plan, const struct sr_fft_task *task);

struct sr_fft_routines {
	int lanes, largest_radix, real_bytes;
	sr_fft_run *rows, *columns; /* plan: struct sr_fft_lanes */
	sr_fft_run *real_rows;      /* plan: struct sr_fft_real */
	sr_fft_run *lines;          /* plan: struct sr_fft_line */
	sr_fft_run *real_lines;     /* plan: struct sr_fft_real_line */
};

/* Routines for f32 and f64. */
struct sr_fft_isa_routines {
	struct sr_fft_routines f32, f64;
};
#define ISA(ID, name, ...) extern const struct sr_fft_isa_routines sr_fft_##name;
#include "kernels/fast/isa.def"

/* ---- plans ---- */

struct sr_fft_planner {
	struct sr_arena *arena, *temporary; /* `temporary` lives until the plan is complete */
	const struct sr_fft_routines *code;
	const struct sr_fft_isa_routines *codes; /* the f64 routines compute tables */
};

const struct sr_fft_lanes *sr_fft_make_lanes(struct sr_fft_planner *m, int64_t n);
const struct sr_fft_real *sr_fft_make_real(struct sr_fft_planner *m, int64_t n);
const struct sr_fft_line *sr_fft_make_line(struct sr_fft_planner *m, int64_t n);
const struct sr_fft_real_line *sr_fft_make_real_line(struct sr_fft_planner *m, int64_t n);
/* Estimated cycles, without building a plan. */
double sr_fft_lanes_cost(const struct sr_fft_routines *code, int64_t n); /* of W lines in cells, W the number of lanes */
double sr_fft_real_cost(const struct sr_fft_routines *code, int64_t n);
double sr_fft_line_cost(const struct sr_fft_routines *code, int64_t n); /* of one line in memory */
double sr_fft_real_line_cost(const struct sr_fft_routines *code, int64_t n);

struct sr_prepared_kernel *sr_fft_prepare(const struct sr_fft_isa_routines *codes, enum sr_dtype t, const struct sr_fft_params *p);

/* ---- tables ---- */

/* The complex number exp(-2 pi i k / n). */
struct sr_fft_number {
	double re, im;
};
struct sr_fft_number sr_fft_root(int64_t k, int64_t n);
void *sr_fft_table(struct sr_fft_planner *m, int64_t n);           /* Allocate n complex numbers, aligned for vectors. */
const void *sr_fft_roots(struct sr_fft_planner *m, int64_t n); /* n numbers exp(-2 pi i k / n) */
/* convert complex doubles to the plan's type, multiplied by `scale` */
const void *sr_fft_convert_table(struct sr_fft_planner *m, const double *x, int64_t n, double scale);
void sr_fft_set_real(const struct sr_fft_planner *m, void *table, int64_t at, double x);
void sr_fft_set(const struct sr_fft_planner *m, void *table, int64_t at, double re, double im);
const void *sr_fft_even_roots(struct sr_fft_planner *m, int64_t n); /* n / 4 + 1 roots -i w^k / 2 for real lines of even length */
/* The powers of a generator g modulo p: from[q] = g^q; to[q] = g^-q. */
void sr_fft_generator_powers(struct sr_fft_planner *m, int64_t p, const int32_t **from, const int32_t **to);
/* Transform n complex doubles in place. */
void sr_fft_transform_table(struct sr_fft_planner *m, double *x, int64_t n);
int64_t sr_fft_largest_factor(int64_t n);
/* Return the cheapest length of at least `min` that has no large prime factors. */
typedef double sr_fft_cost(const struct sr_fft_routines *code, int64_t n);
int64_t sr_fft_convolution_length(const struct sr_fft_routines *code, int64_t min, sr_fft_cost *cost);
/* Bluestein's tables: exp(-pi i k^2 / n), and the transform of their inverses, arranged cyclically in `length` places, divided by
 * `length`. */
void sr_fft_make_chirp(struct sr_fft_planner *m, int64_t n, int64_t length, const void **chirps, const void **kernel);

#endif
