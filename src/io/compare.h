/* Comparing results with expected ones: |actual - expected| <= atol + rtol * |expected|, NaN equal to NaN, infinities equal to
 * themselves, integers and i1 exactly. A rank compares its own slice; counts and the first differences are merged by the caller. */
#ifndef SR_IO_COMPARE_H
#define SR_IO_COMPARE_H

#include "mesh/mesh.h"
#include "support/buf.h"
#include "support/dtype.h"

enum { SR_MAX_KEPT_DIFFERENCES = 5 };

/* iree-run-module's --expected_*_threshold and --expected_rtol. */
struct sr_tolerances {
	double f8, f16, bf16, f32, f64; /* absolute; complex types by their parts */
	double rtol;
	bool exact; /* --equality_mode=exact: bits but for NaN and the sign of zero */
};

extern const struct sr_tolerances sr_tolerances_default;
double sr_tolerance_of(const struct sr_tolerances *tolerances, enum sr_dtype type); /* 0 for integers */

struct sr_difference {
	int64_t index[SR_MAX_RANK]; /* in the global array */
	int64_t position;           /* row-major, in the global array: the order of differences */
	unsigned char actual[16], expected[16]; /* the elements */
};

struct sr_comparison {
	int64_t compared, different;
	double largest; /* |actual - expected| among the different; inf where one is NaN */
	int n_first;
	struct sr_difference first[SR_MAX_KEPT_DIFFERENCES]; /* in order */
};

/* A slice of `size` elements a dimension at `start` of a global array of `dims`; both buffers are row-major with the extents local
 * (NULL: size). Adds to *result, which the caller has zeroed. dims NULL: the slice is the array. */
void sr_compare_values(enum sr_dtype type, const void *actual, const void *expected, const int64_t *dims, const int64_t *start,
		const int64_t *size, const int64_t *local, int rank, const struct sr_tolerances *tolerances,
		struct sr_comparison *result);
/* Add what another rank found. */
void sr_comparison_merge(struct sr_comparison *into, const struct sr_comparison *from);
/* "3 of 16 elements differ, by up to 0.5: element at index 1,2 (-2) does not match the expected (123); ..." */
void sr_comparison_print(struct sr_buf *buf, enum sr_dtype type, int rank, const struct sr_comparison *result);

#endif
