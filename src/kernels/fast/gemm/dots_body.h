/* Micro-kernel of products with few rows: dot products of ROWS rows of a and COLUMNS columns of b, both contiguous along k. Element
 * p is added to lane p % LANES; then the upper half of the lanes is added to the lower half until one is left, and then the
 * elements after the last full vector follow. A block of DOT_COLUMNS columns prefetches the next block into the second-level cache.
 * Included by dots_rows_body.h with ROWS and COLUMNS; NAME(ROWS, COLUMNS), the function's name; B, the element type of b; and
 * DOT_VECTOR and DOT_ELEMENT, which load a vector and an element of b. */
#define UNROLL _Pragma("GCC unroll 8")
static void NAME(ROWS, COLUMNS)(int64_t k, const S *restrict a, int64_t a_m, const void *from, int64_t b_n, S *restrict c,
				int64_t c_m)
{
	const B *restrict b = from;
	FN(lanes) sums[ROWS][COLUMNS];
	int64_t p = 0;

	UNROLL
	for (int r = 0; r < ROWS; r++) {
		UNROLL
		for (int j = 0; j < COLUMNS; j++)
			sums[r][j] = (FN(lanes)){0};
	}
	for (; p + LANES <= k; p += LANES) {
		FN(lanes) y[COLUMNS];
		UNROLL
		for (int j = 0; j < COLUMNS; j++) {
			y[j] = DOT_VECTOR(b + j * b_n + p);
			if (COLUMNS == DOT_COLUMNS)
				__builtin_prefetch(b + (j + COLUMNS) * b_n + p, 0, 2);
		}
		UNROLL
		for (int r = 0; r < ROWS; r++) {
			FN(lanes) x = *(const FN(lanes) *)(a + r * a_m + p);
			UNROLL
			for (int j = 0; j < COLUMNS; j++)
				sums[r][j] += x * y[j];
		}
	}
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		UNROLL
		for (int j = 0; j < COLUMNS; j++) {
			S sum = FN(sum_of_lanes)(sums[r][j]);
			for (int64_t q = p; q < k; q++)
				sum += a[r * a_m + q] * (S)DOT_ELEMENT(b[j * b_n + q]);
			c[r * c_m + j] = sum;
		}
	}
}
#undef UNROLL
#undef ROWS
#undef COLUMNS
