/* PRODUCT by the built-in matrix multiplication, one batch element after another. A result of another type than the computation's
 * is computed in blocks, which are converted. */
#include "kernels/fast/gemm/gemm.h"

enum {
	/* rows, columns and elements of a block of results that is computed in scratch and then stored; a block with fewer rows
	 * has more columns, and one with fewer columns more rows */
	ROWS = 512, COLUMNS = 384, BLOCK = ROWS * COLUMNS,
	MAX_FEW_ROWS = 32, /* maximum rows of a product with few rows */
	MAX_PACKED_BYTES = 1 << 22, /* maximum bytes of a left operand that is packed for all columns */
	MAX_CONVERTED_DOTS = 16, /* maximum rows of dot products that convert the right operand again for each block of rows */
	MAX_FEW_COLUMNS = 256, /* maximum columns of a matrix that is read in several sequences of rows */
	MIN_COLUMNS = 8,   /* minimum columns of a vector's product by dot products */
	MIN_DEPTH = 64,    /* minimum terms per element of dot products and of transposed products */
};

/* Compute blocks of results in scratch, and store element (r, c) at offset at + r * to_m + c * to_n of `to`. A product with few
 * rows or columns is one block, so that the other operand is read sequentially. */
static void multiply_and_store(const struct sr_gemm_code *code, const struct sr_gemm *g, enum sr_dtype type, void *to, int64_t at,
			       int64_t to_m, int64_t to_n)
{
	char *block = g->scratch + code->scratch;
	if (!g->m || !g->n)
		return;
	int64_t rows = g->m < ROWS ? g->m : ROWS, columns = BLOCK / rows / COLUMNS * COLUMNS;
	columns = g->n < columns ? g->n : columns;
	rows = BLOCK / columns;
	for (int64_t n = 0; n < g->n; n += columns)
		for (int64_t m = 0; m < g->m; m += rows) {
			struct sr_gemm part = *g;
			part.m = g->m - m < rows ? g->m - m : rows;
			part.n = g->n - n < columns ? g->n - n : columns;
			part.a_at += m * (g->is_a_packed ? g->k : g->a_m);
			part.b_at += n * g->b_n;
			part.c = block;
			part.c_m = part.n;
			code->multiply(&part);
			code->store[type](block, part.c_m, part.m, part.n, to, at + m * to_m + n * to_n, to_m, to_n);
		}
}

/* Exchange the operands: the product becomes its transpose. Each sum keeps its order. */
static void exchange_operands(struct sr_gemm *g)
{
	struct sr_gemm original = *g;
	g->m = original.n;
	g->n = original.m;
	g->a_type = original.b_type, g->a = original.b, g->a_at = original.b_at, g->a_k = original.b_k, g->a_m = original.b_n;
	g->b_type = original.a_type, g->b = original.a, g->b_at = original.a_at, g->b_k = original.a_k, g->b_n = original.a_m;
}

/* Return the scratch bytes for the left operand of few rows in the computation's type; 0 if it is not converted beforehand. */
static int64_t converted_bytes(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p)
{
	enum { MAX_BYTES = 1 << 21 };
	int64_t row = p->k * sr_dtype_bytes(code->type);
	bool is_converted = !code->own[t] && p->lhs_k == 1 && p->m <= MAX_FEW_ROWS && row <= MAX_BYTES / MAX_FEW_ROWS;
	return is_converted ? (p->m * row + 63) / 64 * 64 : 0;
}

/* Convert the rows of a to the computation's type. */
static void convert_left_operand(const struct sr_gemm_code *code, struct sr_gemm *g, char *to)
{
	int64_t row_bytes = g->k * sr_dtype_bytes(code->type);
	for (int64_t r = 0; r < g->m; r++)
		code->pack[g->a_type](g->a, g->a_at + r * g->a_m, 1, 0, g->k, g->k, 1, to + r * row_bytes, 0);
	g->a = to;
	g->a_at = 0;
	g->a_m = g->k;
	g->a_type = code->type;
}

/* Return true if the left operand of rows * k elements is packed once. Otherwise each block of COLUMNS columns packs it or reads it
 * in place. */
static bool packs_left_operand(const struct sr_gemm_code *code, const struct sr_gemm *g)
{
	bool is_read_in_place = code->own[g->a_type] && g->a_k == 1;
	return !is_read_in_place && g->n > COLUMNS && g->k && g->m <= MAX_PACKED_BYTES / sr_dtype_bytes(code->type) / g->k;
}

static void pack_left_operand(const struct sr_gemm_code *code, struct sr_gemm *g, char *to)
{
	code->pack_left(g, to);
	g->a = to;
	g->a_at = 0;
	g->is_a_packed = true;
}

bool sr_gemm_multiplies_transposed(const struct sr_gemm_code *code, const struct sr_product_params *p)
{
	bool is_deep = p->rhs_k == 1 && p->k >= MIN_DEPTH, is_left_contiguous = p->lhs_k == 1;
	bool has_full_vectors = p->m >= code->lanes && !code->is_narrow_operand[p->rhs];
	return is_deep && p->m > 1 && p->m <= MAX_FEW_ROWS && (has_full_vectors || !is_left_contiguous);
}

/* Return true if the left operand has or is converted to the computation's type, and the right operand has that type or is read in
 * place. */
static bool reads_in_place(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p)
{
	bool is_narrow = code->is_narrow_operand[p->rhs];
	return code->own[t] ? code->own[p->rhs] || is_narrow : is_narrow && converted_bytes(code, t, p);
}

bool sr_gemm_multiplies_by_streams(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p)
{
	bool is_few_columns = p->n >= code->lanes && p->n <= MAX_FEW_COLUMNS && p->n % code->lanes == 0;
	return p->m == 1 && p->lhs_k == 1 && p->rhs_n == 1 && is_few_columns && p->k >= MIN_DEPTH && reads_in_place(code, t, p) &&
	       !sr_product_is_small(t, p);
}

bool sr_gemm_multiplies_by_dots(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p)
{
	bool is_narrow = code->is_narrow_operand[p->rhs], is_deep = p->rhs_k == 1 && p->k >= MIN_DEPTH;
	/* A vector times few columns of its own type is left to other kernels. */
	bool is_for_others = p->m == 1 && p->n < MIN_COLUMNS && (t == SR_F32 || t == SR_F64) && (enum sr_dtype)p->rhs == t;
	int64_t max_rows = is_narrow ? MAX_CONVERTED_DOTS : MAX_FEW_ROWS;
	return reads_in_place(code, t, p) && is_deep && !is_for_others && p->m <= max_rows && p->lhs_k == 1 &&
	       !sr_gemm_multiplies_transposed(code, p);
}

/* Return the scratch bytes for a block of results; 0 if results are computed in place. */
static int64_t block_bytes(const struct sr_gemm_code *code, const struct sr_product_params *p)
{
	if (code->own[p->out] && !sr_gemm_multiplies_transposed(code, p))
		return 0;
	int64_t elements = p->n && p->m < BLOCK / p->n ? p->m * p->n : BLOCK;
	return (elements * sr_dtype_bytes(code->type) + 63) / 64 * 64;
}

/* Return the scratch bytes for a converted or packed left operand. */
static int64_t left_bytes(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p)
{
	double bytes = (double)p->m * (double)p->k * (double)sr_dtype_bytes(code->type);
	int64_t converted = converted_bytes(code, t, p), packed = bytes < MAX_PACKED_BYTES ? (int64_t)bytes : MAX_PACKED_BYTES;
	return converted > packed || p->n <= COLUMNS ? converted : packed;
}

int64_t sr_gemm_product_scratch(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p)
{
	return code->scratch + block_bytes(code, p) + left_bytes(code, t, p);
}

void sr_gemm_product(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p, void *const *buffers,
		     void *scratch, int64_t begin, int64_t end)
{
	bool is_transposed = sr_gemm_multiplies_transposed(code, p);
	bool is_converted = converted_bytes(code, t, p) && !is_transposed;
	int64_t out_m = sr_product_out_m(p);
	for (int64_t b = p->m ? begin / p->m : 0, row = p->m ? begin % p->m : 0; b * p->m + row < end; b++, row = 0) {
		int64_t rows = (end < (b + 1) * p->m ? end - b * p->m : p->m) - row, at = (b * p->m + row) * out_m;
		struct sr_gemm g = {
			.m = rows, .n = p->n, .k = p->k, .a_type = t, .b_type = (enum sr_dtype)p->rhs, .a = buffers[0],
				.b = buffers[1],
			.a_at = b * p->lhs_batch + row * p->lhs_m, .a_m = p->lhs_m, .a_k = p->lhs_k,
			.b_at = b * p->rhs_batch, .b_k = p->rhs_k, .b_n = p->rhs_n, .scratch = scratch, .may_be_uncached = true,
		};
		g.c = (char *)buffers[2] + at * sr_dtype_bytes((enum sr_dtype)p->out);
		g.c_m = out_m;
		g.by_dots = sr_gemm_multiplies_by_dots(code, t, p);
		char *left = g.scratch + code->scratch + block_bytes(code, p);
		g.by_streams = sr_gemm_multiplies_by_streams(code, t, p);
		if (is_converted)
			convert_left_operand(code, &g, left);
		if (is_transposed || (p->n == 1 && out_m == 1 && p->lhs_m == 1 && p->lhs_k != 1))
			exchange_operands(&g);
		else if (packs_left_operand(code, &g))
			pack_left_operand(code, &g, left);
		if (is_transposed)
			multiply_and_store(code, &g, (enum sr_dtype)p->out, buffers[2], at, 1, out_m);
		else if (code->own[p->out])
			code->multiply(&g);
		else
			multiply_and_store(code, &g, (enum sr_dtype)p->out, buffers[2], at, out_m, 1);
	}
}
