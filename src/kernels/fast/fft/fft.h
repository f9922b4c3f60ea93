/* Fast Fourier transforms in vectors.
 *
 * There is one basic routine: it computes W transforms at once, one in each lane of the vectors. A *cell* is one element of all W
 * transforms: a vector of real parts, then one of imaginary parts. The algorithm is Stockham's self-sorting form of the
 * Cooley-Tukey factorization (1965), with passes of radix 2, 3, 4, 5, 7, 8, 11, 13. Other primes are computed by the defining sum,
 * using its symmetry, by Rader's convolution (1968) or by Bluestein's (1970), whichever is cheapest. Neighbouring lines fill the
 * lanes if there are many. A single long line is treated as a matrix of n = n1 x n2 (Gentleman and Sande's four-step algorithm,
 * 1966): its columns in lanes, multiplication by roots of unity, a transposition in registers, its rows in lanes.
 *
 * A line of reals costs half as much as one of complex numbers: an even length is computed as complex lines of half the length; an
 * odd length by one real pass of radix p, after which only half of the complex parts are needed; a prime length by Rader's
 * convolution of reals, as a Hartley transform.
 *
 * A plan holds in an arena the data that depends on the length alone: factors, roots of unity (computed in double), transformed
 * chirps. It is read-only while it is executed; only results and scratch are written. */
#ifndef SR_KERNELS_FAST_FFT_FFT_H
#define SR_KERNELS_FAST_FFT_FFT_H

#include "kernels/fast/fast.h"
#include "support/arena.h"
#include "support/checked.h"

enum { SR_FFT_MAX_PASSES = 64, SR_FFT_MAX_SPLIT = 61, SR_FFT_MAX_SMOOTH = 13 };

/* ---- W transforms in lanes ---- */

struct sr_fft_lanes;

/* Transform for a prime radix that has no pass of its own. inner == NULL: by the defining sum; otherwise chirp == NULL: by Rader's
 * algorithm; otherwise by Bluestein's. */
struct sr_fft_prime {
	int64_t p, m;
	const struct sr_fft_lanes *inner; /* transform of length m, the length of the convolution */
	const void *roots;                /* for the defining sum: p roots of unity, complex numbers */
	const void *kernel;               /* m complex numbers: the transformed convolution kernel, divided by m */
	const void *chirp;                /* for Bluestein's algorithm: p complex factors */
	/* for Rader's algorithm: m indices in the order of the generator's powers, and of their inverses */
	const int32_t *powers, *inverse_powers;
};

/* A pass of the FFT: transforms (n_before x radix x n_after) cells to (radix x n_before x n_after), and multiplies the results by
 * roots of unity of order radix x n_after. */
struct sr_fft_pass {
	int64_t radix, n_before, n_after;
	const void *roots; /* roots of unity to multiply by: n_after x (radix - 1) complex numbers; NULL if n_after is 1 */
	const void *radix_roots; /* for an odd radix: its own roots of unity, `radix` complex numbers */
	const struct sr_fft_prime *prime;
};

struct sr_fft_lanes {
	int64_t n, scratch; /* length in cells; scratch in vectors, besides two buffers of n cells */
	double cost;        /* estimated cycles */
	int n_passes;
	struct sr_fft_pass passes[SR_FFT_MAX_PASSES];
};

enum sr_fft_real_kind { SR_FFT_EVEN, SR_FFT_SPLIT, SR_FFT_PRIME, SR_FFT_COMPLEX };

/* A transform of a real line in lanes: n reals to n / 2 + 1 cells. */
struct sr_fft_real {
	enum sr_fft_real_kind kind;
	int64_t n, p, scratch;            /* kind SPLIT: n = p * complex->n */
	double cost;
	const struct sr_fft_lanes *complex; /* complex transform; kind EVEN: of length n / 2; SPLIT: n / p; COMPLEX: n */
	const struct sr_fft_real *rest;     /* inner real transform; kind SPLIT: of length n / p; PRIME: of length n - 1 */
	const void *roots; /* roots of unity; kind EVEN: n / 4 + 1 complex numbers, -i w^k / 2; SPLIT: (p - 1) / 2 x n / p */
	const void *radix_roots;                  /* kind SPLIT: p roots of unity of order p, complex numbers */
	const void *kernel;                 /* kind PRIME: transform of the convolution's kernel, (n - 1) / 2 + 1 complex numbers */
	const int32_t *powers,
	    *inverse_powers; /* kind PRIME: n - 1 indices in the order of the generator's powers, and of their inverses */
};

/* ---- one contiguous line ---- */

enum sr_fft_line_kind { SR_FFT_SINGLE, SR_FFT_FOUR_STEPS, SR_FFT_CHIRP };

struct sr_fft_line {
	enum sr_fft_line_kind kind;
	int64_t n, n1, n2, scratch; /* length; factors of the length; scratch in vectors */
	double cost;
	const struct sr_fft_lanes *first, *second; /* transforms of lengths n1 and n2; kind SINGLE: `first` has length n */
	const void *roots;                         /* kind FOUR_STEPS: roots of unity, n1 cells per block of columns */
	const struct sr_fft_line *inner;           /* kind CHIRP: transform of length n1 >= 2 n - 1 */
	const void *kernel, *chirp; /* kind CHIRP: transformed convolution kernel and factors, n1 and n complex numbers */
};

/* A transform of one real line in memory. An even length is computed as half as many complex numbers, an odd length as complex
 * numbers, a prime length by Rader's convolution of reals. */
struct sr_fft_real_line {
	enum sr_fft_real_kind kind;
	int64_t n, m, scratch;                /* length; kind PRIME: even length m of the convolution; scratch in vectors */
	const struct sr_fft_line *line;       /* kinds EVEN, COMPLEX: transform of complex numbers */
	const void *roots;                    /* kind EVEN: roots of unity as in sr_fft_real */
	const struct sr_fft_real_line *inner; /* kind PRIME: transform of length m */
	const void *kernel;                   /* kind PRIME: transform of the convolution's kernel, m / 2 + 1 complex numbers */
	const int32_t *powers,
	    *inverse_powers; /* kind PRIME: n - 1 indices in the order of the generator's powers, and of their inverses */
};

/* ---- routines of an instruction set, for one element type ---- */

enum { SR_FFT_STRIPS = 8 }; /* most groups of columns that are transformed at a time */

/* Return the number of groups of neighbouring columns of n cells, of vectors of this size, that are transformed at a time. */
static inline int64_t sr_fft_strips(int64_t n, int64_t vector_bytes)
{
	enum { MAX_BYTES = 1 << 19 };
	int64_t fitting = MAX_BYTES / (2 * n * vector_bytes);
	return fitting > SR_FFT_STRIPS ? SR_FFT_STRIPS : fitting > 1 ? fitting : 1;
}

/* A batch of `count` lines to transform. Distances are counted in reals. */
struct sr_fft_task {
	const void *in;
	void *out, *scratch;         /* result, and scratch memory aligned for vectors */
	int64_t count, in_row, out_row;
	int64_t inner, step; /* for columns: number of neighbouring lines; distance between a line's elements, in complex numbers */
	double scale;
	bool is_inverse;
};
typedef void sr_fft_run(const void *plan, const struct sr_fft_task *task);

struct sr_fft_routines {
	int lanes, largest_radix, real_bytes;
	sr_fft_run *rows, *columns; /* transform lines in lanes: contiguous lines, and columns; plan: struct sr_fft_lanes */
	sr_fft_run *real_rows;      /* transform contiguous real lines in lanes; plan: struct sr_fft_real */
	sr_fft_run *lines;          /* transform contiguous lines one at a time; plan: struct sr_fft_line */
	sr_fft_run *real_lines;     /* transform contiguous real lines one at a time; plan: struct sr_fft_real_line */
};

/* Routines of one instruction set for f32 and f64. */
struct sr_fft_isa_routines {
	struct sr_fft_routines f32, f64;
};
#define ISA(ID, name, ...) extern const struct sr_fft_isa_routines sr_fft_##name;
#include "kernels/fast/isa.def"

/* ---- plans ---- */

struct sr_fft_planner {
	struct sr_arena *arena, *temporary; /* arena of the plan, and one that lives until the plan is complete */
	const struct sr_fft_routines *code;
	const struct sr_fft_isa_routines *codes; /* routines of the instruction set; those for f64 compute the tables */
};

const struct sr_fft_lanes *sr_fft_make_lanes(struct sr_fft_planner *m, int64_t n);
const struct sr_fft_real *sr_fft_make_real(struct sr_fft_planner *m, int64_t n);
const struct sr_fft_line *sr_fft_make_line(struct sr_fft_planner *m, int64_t n);
const struct sr_fft_real_line *sr_fft_make_real_line(struct sr_fft_planner *m, int64_t n);
/* Return the estimated cycles of a transform of one line per lane, without building its plan. */
double sr_fft_lanes_cost(const struct sr_fft_routines *code, int64_t n);
double sr_fft_real_cost(const struct sr_fft_routines *code, int64_t n);
double sr_fft_line_cost(const struct sr_fft_routines *code, int64_t n); /* Return the estimated cycles of one line in memory. */
double sr_fft_real_line_cost(const struct sr_fft_routines *code, int64_t n);

struct sr_prepared_kernel *sr_fft_prepare(const struct sr_fft_isa_routines *codes, enum sr_dtype t, const struct sr_fft_params *p);

/* ---- tables ---- */

/* The complex number exp(-2 pi i k / n). */
struct sr_fft_number {
	double re, im;
};
struct sr_fft_number sr_fft_root(int64_t k, int64_t n);
void *sr_fft_table(struct sr_fft_planner *m, int64_t n);           /* Allocate n complex numbers, aligned for vectors. */
const void *sr_fft_roots(struct sr_fft_planner *m, int64_t n); /* Return a table of the n complex numbers exp(-2 pi i k / n). */
/* Convert n complex doubles to the plan's type, multiplied by `scale`. */
const void *sr_fft_convert_table(struct sr_fft_planner *m, const double *x, int64_t n, double scale);
void sr_fft_set_real(const struct sr_fft_planner *m, void *table, int64_t at, double x);
void sr_fft_set(const struct sr_fft_planner *m, void *table, int64_t at, double re, double im);
/* Return a table of the n / 4 + 1 complex numbers -i w^k / 2 for real lines of even length n. */
const void *sr_fft_even_roots(struct sr_fft_planner *m, int64_t n);
/* Compute the powers of a generator g modulo p: (*powers_out)[q] = g^q; (*inverse_out)[q] = g^-q. */
void sr_fft_generator_powers(struct sr_fft_planner *m, int64_t p, const int32_t **powers_out, const int32_t **inverse_out);
/* Transform n complex doubles in place. */
void sr_fft_transform_table(struct sr_fft_planner *m, double *x, int64_t n);
int64_t sr_fft_largest_factor(int64_t n);
/* Return the cheapest length of at least `min` that has no large prime factors. */
typedef double sr_fft_cost(const struct sr_fft_routines *code, int64_t n);
int64_t sr_fft_convolution_length(const struct sr_fft_routines *code, int64_t min, sr_fft_cost *cost);
/* Compute Bluestein's tables for length n: the factors exp(-pi i k^2 / n), and the transform of their inverses, placed cyclically
 * in an array of `length` numbers, divided by `length`. */
void sr_fft_make_chirp(struct sr_fft_planner *m, int64_t n, int64_t length, const void **chirps, const void **kernel);

#endif
