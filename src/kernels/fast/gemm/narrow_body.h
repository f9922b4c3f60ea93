/* Batches of products whose rows are at most one vector, and single products of few columns. Included by type_body.h. */

#define NARROW_OF(width) SR_CAT(FN(narrow), width)
/* Compute `rows` rows of a product: a vector of each row is accumulated over k. The number of rows is a constant in each case, so
 * that the sums are in registers. */
#define NARROW_WIDTH(width) \
	static inline __attribute__((always_inline)) void SR_CAT(NARROW_OF(width), _of)(int rows, int64_t k, const S *restrict a, \
			int64_t a_m, int64_t a_k, const S *restrict b, int64_t b_k, S *restrict c, int64_t c_m) \
	{ \
		SR_CAT(FN(vector), width) sums[MAX_TILE_ROWS]; \
		for (int r = 0; r < rows; r++) \
			sums[r] = (SR_CAT(FN(vector), width)){0}; \
		for (int64_t p = 0; p < k; p++) { \
			SR_CAT(FN(vector), width) y = *(const SR_CAT(FN(vector), width) *)(b + p * b_k); \
			_Pragma("GCC unroll 8") \
			for (int r = 0; r < rows; r++) \
				sums[r] += a[r * a_m + p * a_k] * y; \
		} \
		_Pragma("GCC unroll 8") \
		for (int r = 0; r < rows; r++) \
			*(SR_CAT(FN(vector), width) *)(c + r * c_m) = sums[r]; \
	} \
	static void NARROW_OF(width)(int64_t rows, int64_t k, const S *a, int64_t a_m, int64_t a_k, const S *b, int64_t b_k, \
			S *c, int64_t c_m) \
	{ \
		switch (rows) { \
		case 1: SR_CAT(NARROW_OF(width), _of)(1, k, a, a_m, a_k, b, b_k, c, c_m); break; \
		case 2: SR_CAT(NARROW_OF(width), _of)(2, k, a, a_m, a_k, b, b_k, c, c_m); break; \
		case 3: SR_CAT(NARROW_OF(width), _of)(3, k, a, a_m, a_k, b, b_k, c, c_m); break; \
		case 4: SR_CAT(NARROW_OF(width), _of)(4, k, a, a_m, a_k, b, b_k, c, c_m); break; \
		NARROW_MORE_ROWS(width) \
		default: break; \
		} \
	}
#if MAX_ROWS > 4
#define NARROW_MORE_ROWS(width) \
	case 5: SR_CAT(NARROW_OF(width), _of)(5, k, a, a_m, a_k, b, b_k, c, c_m); break; \
	case 6: SR_CAT(NARROW_OF(width), _of)(6, k, a, a_m, a_k, b, b_k, c, c_m); break; \
	case 7: SR_CAT(NARROW_OF(width), _of)(7, k, a, a_m, a_k, b, b_k, c, c_m); break; \
	case 8: SR_CAT(NARROW_OF(width), _of)(8, k, a, a_m, a_k, b, b_k, c, c_m); break;
#else
#define NARROW_MORE_ROWS(width)
#endif
NARROW_WIDTH(16)
#if BYTES > 16
NARROW_WIDTH(32)
#endif
#if BYTES > 32
NARROW_WIDTH(64)
#endif

/* The functions for rows of at most `bytes` bytes, for at most MAX_TILE_ROWS rows. */
static const struct {
	int64_t bytes;
	void (*rows)(int64_t rows, int64_t k, const S *a, int64_t a_m, int64_t a_k, const S *b, int64_t b_k, S *c, int64_t c_m);
} FN(narrow_widths)[] = {
	{16, NARROW_OF(16)},
#if BYTES > 16
	{32, NARROW_OF(32)},
#endif
#if BYTES > 32
	{64, NARROW_OF(64)},
#endif
};

/* Compute rows [begin, end) of a batch of products with few columns. A full vector is written per row: elements beyond the row are
 * overwritten when the next rows are computed, and the last rows are computed in an array. Rows of the right operand are read in
 * place if the elements after them are in the operand, too, else from a copy. */
static void FN(narrow_rows)(const struct sr_product_params *p, void *const *buffers, int64_t begin, int64_t end)
{
	S panel[NARROW_MAX_K * LANES], last_rows[MAX_TILE_ROWS * LANES];
	int w = 0;
	while (FN(narrow_widths)[w].bytes < p->n * (int64_t)sizeof(S))
		w++;
	int64_t lanes = FN(narrow_widths)[w].bytes / (int64_t)sizeof(S), in_panel = -1;
	memset(panel, 0, (size_t)(p->k * lanes) * sizeof *panel);
	for (int64_t b = begin / p->m, row = begin % p->m, rows, at = begin; at < end; at += rows) {
		const S *x = (const S *)buffers[0] + b * p->lhs_batch + row * p->lhs_m;
		const S *y = (const S *)buffers[1] + b * p->rhs_batch;
		bool is_in_place = p->rhs_n == 1 && p->rhs_k >= 0 && (p->batch - 1 - b) * p->rhs_batch >= lanes - p->n;
		for (int64_t k = 0; k < p->k && !is_in_place && in_panel != b * p->rhs_batch; k++)
			for (int64_t j = 0; j < p->n; j++)
				panel[k * lanes + j] = y[k * p->rhs_k + j * p->rhs_n];
		in_panel = is_in_place ? in_panel : b * p->rhs_batch;
		rows = p->m - row < end - at ? p->m - row : end - at;
		rows = rows < MAX_TILE_ROWS ? rows : MAX_TILE_ROWS;
		S *out = (S *)buffers[2] + at * p->n;
		bool is_last = (at + rows - 1) * p->n + lanes > end * p->n;
		FN(narrow_widths)[w].rows(rows, p->k, x, p->lhs_m, p->lhs_k, is_in_place ? y : panel,
					  is_in_place ? p->rhs_k : lanes, is_last ? last_rows : out, is_last ? lanes : p->n);
		for (int64_t r = 0; r < rows && is_last; r++)
			memcpy(out + r * p->n, last_rows + r * lanes, (size_t)p->n * sizeof(S));
		row += rows;
		b += row == p->m;
		row = row == p->m ? 0 : row;
	}
}

/* Return how many rows of the product one vector holds: the largest number, at least 1, for which the rows of the left operand
 * fit in a vector and their results fit in another. */
static int64_t FN(rows_of_tiny_product)(const struct sr_product_params *p)
{
	int64_t lanes = BYTES / (int64_t)sizeof(S), rows = lanes / p->n;
	while (rows > 1 && !tiny_span(rows, p->lhs_m, p->k, p->lhs_k, lanes))
		rows--;
	return rows;
}

/* Compute rows [begin, end) of a batch of products with few columns. Products whose rows are all in the range are computed by the
 * kernel for tiny products, if they are tiny; the other rows in blocks. A single product counts as a batch of products of so many
 * of its rows as fit in a vector. */
static void FN(narrow)(const struct sr_product_params *p, void *const *buffers, int64_t begin, int64_t end)
{
	struct sr_product_params tiny = *p;
	if (p->batch == 1) {
		tiny.m = FN(rows_of_tiny_product)(p);
		tiny.lhs_batch = tiny.m * p->lhs_m;
		tiny.rhs_batch = 0;
	}
	/* products of which all rows are in the range */
	int64_t full_begin = (begin + tiny.m - 1) / tiny.m, full_end = end / tiny.m;
	if (FN(tiny_products)(&tiny, buffers, full_begin, full_end)) {
		FN(narrow_rows)(p, buffers, begin, full_begin * tiny.m);
		FN(narrow_rows)(p, buffers, full_end * tiny.m, end);
	} else {
		FN(narrow_rows)(p, buffers, begin, end);
	}
}

#undef NARROW_OF
#undef NARROW_WIDTH
#undef NARROW_MORE_ROWS
