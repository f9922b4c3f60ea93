/* Micro-kernel: a tile of ROWS rows of VECTORS vectors of WIDTH bytes, accumulated in registers over k. Included by type_body.h,
 * which defines NAME, the function's name; B, the element type of b; TILE_VECTOR, which loads a vector of b; AHEAD; and PACKS. If
 * AHEAD is not 0, b is in main memory: elements AHEAD columns further in each row are prefetched by instructions, since the
 * processor does not prefetch so many short parts of rows. They are prefetched into the second-level cache. In the first level they
 * would evict each other, because rows whose distance is a multiple of a page share one of its sets. If PACKS is 1, the tile also
 * packs `blocks` blocks of the next panel, one at a time between multiplications, which hide the time of loads, stores and
 * transposition. */
#define VECTOR SR_CAT(FN(vector), WIDTH)
#define EACH ((int64_t)(WIDTH / sizeof(S)))
#define UNROLL _Pragma("GCC unroll 8")

/* Compute a tile; mode: what becomes of the sums in c. If a has fewer than ROWS rows, its last row is repeated. */
static void NAME(ROWS, VECTORS, WIDTH)(int64_t k, int64_t rows, const S *restrict a, int64_t a_m, int64_t a_k,
				       const void *from, int64_t b_k,
				       S *restrict c, int64_t c_m, enum tile_mode mode
#if PACKS
				       , struct FN(packing) *next, int64_t blocks
#endif
				       )
{
	const B *restrict b = from;
	VECTOR sums[ROWS][VECTORS];
	const S *row[ROWS];

	UNROLL
	for (int r = 0; r < ROWS; r++) {
		row[r] = a + (r < rows ? r : rows - 1) * a_m;
		UNROLL
		for (int j = 0; j < VECTORS; j++)
			sums[r][j] = mode == TILE_CONTINUES ? *(const VECTOR *)(c + r * c_m + j * EACH) : (VECTOR){0};
	}
#if PACKS
	for (int64_t first = 0, end, step = k / blocks + 1; first < k; first = end) {
		FN(pack_block)(next);
		end = k - first < step ? k : first + step;
#else
	const int64_t first = 0, end = k;
	{
#endif
	for (int64_t p = first; p < end; p++) {
		VECTOR y[VECTORS];
		UNROLL
		for (int j = 0; j < VECTORS; j++) {
			y[j] = TILE_VECTOR(VECTOR, b + p * b_k + j * EACH);
			if (AHEAD)
				__builtin_prefetch(b + p * b_k + j * EACH + AHEAD, 0, 2);
		}
		UNROLL
		for (int r = 0; r < ROWS; r++) {
			UNROLL
			for (int j = 0; j < VECTORS; j++)
				sums[r][j] += row[r][p * a_k] * y[j];
		}
	}
	}
	if (mode == TILE_ADDS) {
		UNROLL
		for (int r = 0; r < ROWS; r++) {
			UNROLL
			for (int j = 0; j < VECTORS; j++)
				sums[r][j] += *(const VECTOR *)(c + r * c_m + j * EACH);
		}
	}
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		UNROLL
		for (int j = 0; j < VECTORS; j++)
			*(VECTOR *)(c + r * c_m + j * EACH) = sums[r][j];
	}
}
#undef UNROLL
#undef EACH
#undef VECTOR
#undef ROWS
