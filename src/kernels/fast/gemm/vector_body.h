/* Micro-kernel of the product of a vector and a matrix with few columns, contiguous rows of VECTORS vectors: the rows are read as
 * STREAMS sequences at once, which the processor prefetches faster than one. Row i of sequence s is row s * (k / STREAMS) + i.
 * Row 0 of each sequence is added, then row 1, and the rows after the last sequence at the end; K_BLOCK rows have a sum of their
 * own. Included by vectors_body.h with
 * VECTORS; NAME(VECTORS), the function's name; B, the element type of b; and TILE_VECTOR, which loads a vector of b. */
#define UNROLL _Pragma("GCC unroll 8")
static void NAME(VECTORS)(int64_t k, const S *restrict a, const void *from, int64_t b_k, S *restrict c)
{
	const B *restrict b = from;
	FN(lanes) sums[VECTORS], totals[VECTORS];
	int64_t length = k / STREAMS;

	UNROLL
	for (int j = 0; j < VECTORS; j++)
		sums[j] = totals[j] = (FN(lanes)){0};
	for (int64_t p = 0, end; p < length; p = end) {
		for (end = length - p < K_BLOCK / STREAMS ? length : p + K_BLOCK / STREAMS; p < end; p++) {
			UNROLL
			for (int s = 0; s < STREAMS; s++) {
				int64_t at = s * length + p;
				UNROLL
				for (int j = 0; j < VECTORS; j++)
					sums[j] += a[at] * TILE_VECTOR(FN(lanes), b + at * b_k + j * LANES);
			}
		}
		UNROLL
		for (int j = 0; j < VECTORS; j++) {
			totals[j] += sums[j];
			sums[j] = (FN(lanes)){0};
		}
	}
	for (int64_t p = STREAMS * length; p < k; p++) {
		UNROLL
		for (int j = 0; j < VECTORS; j++)
			sums[j] += a[p] * TILE_VECTOR(FN(lanes), b + p * b_k + j * LANES);
	}
	UNROLL
	for (int j = 0; j < VECTORS; j++)
		*(FN(lanes) *)(c + j * LANES) = totals[j] + sums[j];
}
#undef UNROLL
#undef VECTORS
