/* Functions of the interpreter of loop nests: copies of elements, vector code, and sums of products. They are compiled for each
 * instruction set (access_body.h), and all compute the same bits. struct sr_kernels has those of its instruction set. `bytes` is
 * the size of an element: 1, 2, 4, 8 or 16. */
#ifndef SR_KERNELS_NEST_ACCESS_H
#define SR_KERNELS_NEST_ACCESS_H

#include "support/dtype.h"
#include <stdbool.h>
#include <stdint.h>

/* A dim of an access (struct sr_nest_dim) along a run of elements: element i has y = x + step * i plus the index value i, if there
 * are index values, clamped to [0, limit], all divided by `divisor`. If extent > 0, it is in bounds if y is a multiple of the divisor
 * and the quotient is in [0, extent). */
struct sr_access_dim {
	int64_t x, step, divisor, extent, stride, limit;
	const void *indices; /* NULL: none */
	enum sr_dtype index_type;
	int64_t first_index, index_step; /* element number of the first index value, and distance to the next one */
};

/* Add the products of `rows` rows of n elements, in order, to the sums `to`: to[i] += a[row][i] * b[row][i]. Both operations are
 * rounded. n is at least the number of elements in 64 bytes. */
struct sr_product_rows {
	const void *a, *b;
	void *to;
	int64_t rows, n;
	bool is_b_scalar; /* true if one element stands for all of b */
};

/* Find the extremum of each of n columns of `rows` rows, and its row. Row i has the index first + step * i. Its elements replace
 * those in `value`, and its index those in `index`, unless the values there are greater, equal or NaN. */
struct sr_extremum_rows {
	const void *rows_at;
	void *value, *index;
	int64_t rows, n, first, step;
	bool is_least; /* smaller instead of greater */
};

struct sr_access_functions {
	/* Copy n elements that are `step` elements apart to contiguous memory. */
	void (*load_strided)(int bytes, const char *src, int64_t step, char *dst, int64_t n);
	/* The same for a step of 2 to 4. Elements between the last one and its successor, `step` elements later, may be read. */
	void (*load_steps)(int bytes, const char *src, int64_t step, char *dst, int64_t n);
	/* Copy `runs` runs of `length` elements, which begin `outer` elements apart and whose elements are `step` apart, to
	 * contiguous memory. */
	void (*load_runs)(int bytes, const char *src, int64_t outer, int64_t step, char *dst, int64_t runs, int64_t length);
	/* Copy blocks of `length` elements, `step` apart, that begin at the given offsets to contiguous memory. */
	void (*gather)(int bytes, const char *src, const int64_t *offset, int64_t length, int64_t step, char *dst, int64_t n);
	/* Add the contribution of a dim to the offsets of the elements [i, i + n) of a run, n <= SR_ACCESS_BLOCK, and clear the mask
	 * of those out of bounds, whose offsets get no contribution. */
	void (*add_dim)(const struct sr_access_dim *d, int64_t i, int64_t n, int64_t *offset, uint8_t *is_inside);
	/* Store first + i * step for the n elements i. */
	void (*count)(int64_t first, int64_t step, int64_t *to, int64_t n);
	/* Load n elements of `bytes` bytes: element i is src[offset + step * i + v], where v is the contribution of a dim with index
	 * values, without divisor and bounds. Returns false if there is no loop for such elements and indices; nothing is loaded
	 * then. */
	bool (*gather_by_indices)(int bytes, const char *src, const struct sr_access_dim *d, int64_t offset, int64_t step, char *dst,
				  int64_t n);
	/* The same for two dims, whose contributions are added. */
	bool (*gather_by_pairs)(int bytes, const char *src, const struct sr_access_dim *d, int64_t offset, int64_t step, char *dst,
				int64_t n);
	/* Store to[i * count + k] = from[k][i] for n elements i and `count` arrays k, 2 to 4. */
	void (*interleave)(int bytes, const void *const *from, int count, char *to, int64_t n);
	/* The reverse: to[k][i] = from[i * count + k]. The arrays do not overlap. */
	void (*deinterleave)(int bytes, const char *from, int count, void *const *to, int64_t n);
	/* Copy bytes by stores that do not read the destination's cache lines first. Other threads see them after end_stream.
	 * NULL: the instruction set has no such stores. */
	void (*stream)(const char *src, char *dst, int64_t bytes);
	void (*end_stream)(void);
	const struct sr_vector_functions *vectors; /* vector_code.h */
	/* by element type; NULL: none */
	void (*add_products[SR_DTYPE_COUNT])(const struct sr_product_rows *m);
	/* by element type, for indices of 4 and of 8 bytes */
	void (*find_extrema[SR_DTYPE_COUNT][2])(const struct sr_extremum_rows *m);
};

enum { SR_ACCESS_BLOCK = 256 };

extern const struct sr_access_functions sr_access_base;

#endif
