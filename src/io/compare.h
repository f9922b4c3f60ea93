/* Compare results with expected values: |actual - expected| <= atol + rtol * |expected|. NaN equals NaN, infinities equal
 * themselves, integers and i1 are compared exactly. Each rank compares its own slice; the caller merges counts and first
 * differences. */
#ifndef SR_IO_COMPARE_H
#define SR_IO_COMPARE_H

#include "mesh/mesh.h"
#include "support/buf.h"
#include "support/dtype.h"

enum { SR_MAX_KEPT_DIFFERENCES = 5 };

/* Tolerances of a comparison. They have the meaning of iree-run-module's --expected_*_threshold and --expected_rtol. */
struct sr_tolerances {
	double f8, f16, bf16, f32, f64; /* absolute tolerance for each type; a complex type uses the tolerance of its real type */
	double rtol;
	/* --equality_mode=exact: elements match if their bits are equal, or both are NaN, or both are zeros of any sign */
	bool is_exact;
};

extern const struct sr_tolerances sr_tolerances_default;
/* Return the absolute tolerance for a type; 0 for integers. */
double sr_tolerance_of(const struct sr_tolerances *tolerances, enum sr_dtype type);

struct sr_difference {
	int64_t index[SR_MAX_RANK]; /* indices of the element in the global array */
	int64_t position;           /* row-major position of the element in the global array, by which differences are ordered */
	unsigned char actual[16], expected[16]; /* the actual and the expected element, each as stored in its type */
};

struct sr_comparison {
	int64_t n_compared, n_differing;
	double max_distance; /* maximum of |actual - expected| over differing elements; infinity if one is NaN */
	int n_recorded;
	struct sr_difference first_differences[SR_MAX_KEPT_DIFFERENCES]; /* the first elements that differ, ordered by position */
};

/* Compare a slice with extents `size` that begins at `start` of a global array with extents `dims`. Both buffers are row-major
 * with extents `local` (NULL: size). dims NULL: the slice is the whole array. Adds to *result, which the caller has
 * zero-initialized. */
void sr_compare_values(enum sr_dtype type, const void *actual, const void *expected, const int64_t *dims, const int64_t *start,
		       const int64_t *size, const int64_t *local_dims, int rank, const struct sr_tolerances *tolerances,
		       struct sr_comparison *result);
/* Add the comparison of another rank's slice to *total. */
void sr_comparison_merge(struct sr_comparison *total, const struct sr_comparison *other);
/* Print the comparison as a message: "3 of 16 elements differ, by up to 0.5: element at index 1,2 (-2) does not match the
 * expected (123)". */
void sr_comparison_print(struct sr_buf *buf, enum sr_dtype type, int rank, const struct sr_comparison *result);

#endif
