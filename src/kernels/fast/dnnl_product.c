/* PRODUCT computed by oneDNN: 8-bit integers with exact 32-bit result; and bf16 with result bf16 or f32, if the processor has
 * instructions for it, and f32, where oneDNN is faster than kernels/fast/gemm. */
#include "kernels/fast/dnnl.h"
#include "kernels/fast/gemm/bf16.h"

#ifdef HAVE_DNNL
struct matrix {
	dnnl_memory_desc_t md;
	int memory;
};

/* Describe a [batch][rows][columns] operand whose rows or columns are contiguous; return false for other operands. A matrix that
 * all batch elements share has batch 1. */
static bool describe(struct matrix *m, enum sr_dtype t, int64_t batch, int64_t rows, int64_t columns, int64_t batch_stride, int64_t row, int64_t column)
{
	bool is_row_major = columns == 1 || column == 1, is_column_major = rows == 1 || row == 1;

	if (!is_row_major && !is_column_major)
		return false;
	if (rows == 1)
		row = is_row_major ? columns : 1;
	if (columns == 1)
		column = is_row_major ? 1 : rows;
	if (is_row_major ? row < columns : column < rows) /* the rows or columns overlap in memory */
		return false;
	if (batch > 1 && batch_stride == 0)
		batch = 1;
	dnnl_dims_t dims = {batch, rows, columns}, strides = {batch == 1 ? rows * row + columns * column : batch_stride, row, column};
	return !sr_dnnl.dnnl_memory_desc_init_by_strides(&m->md, 3, dims, sr_dnnl_type(t), strides);
}

static bool build(struct sr_dnnl_ready *r, const struct sr_product_params *p, enum sr_dtype t)
{
	struct matrix m[3];
	dnnl_matmul_desc_t d;

	if (!describe(&m[0], t, p->batch, p->m, p->k, p->lhs_batch, p->lhs_m, p->lhs_k) ||
	    !describe(&m[1], (enum sr_dtype)p->rhs, p->batch, p->k, p->n, p->rhs_batch, p->rhs_k, p->rhs_n) ||
	    !describe(&m[2], (enum sr_dtype)p->out, p->batch, p->m, p->n, p->m * sr_product_out_m(p), sr_product_out_m(p), 1) ||
	    sr_dnnl.dnnl_matmul_desc_init(&d, &m[0].md, &m[1].md, NULL, &m[2].md))
		return false;
	dnnl_primitive_desc_t pd = sr_dnnl_find_implementation(&d, NULL);
	if (!pd)
		return false;
	for (int i = 0; i < 3; i++)
		m[i].memory = sr_dnnl_memory(r, &m[i].md, i, 0);
	bool succeeded = sr_dnnl_add_primitive(
	    r, pd, (const int[][2]){{DNNL_ARG_SRC, m[0].memory}, {DNNL_ARG_WEIGHTS, m[1].memory}, {DNNL_ARG_DST, m[2].memory}}, 3);
	sr_dnnl.dnnl_primitive_desc_destroy(pd);
	return succeeded;
}

static bool are_types_supported(enum sr_dtype lhs, enum sr_dtype rhs, enum sr_dtype out)
{
	if (lhs == SR_BF16)
		return rhs == SR_BF16 && (out == SR_BF16 || out == SR_F32) && sr_dnnl_type(lhs) != dnnl_data_type_undef;
	if (lhs == SR_F32)
		return rhs == SR_F32 && out == SR_F32;
	return (lhs == SR_I8 || lhs == SR_UI8) && rhs == SR_I8 && out == SR_I32 && sr_dnnl_has_int8();
}

/* Return true if the leading dimensions are too small to cause cache conflicts, or if oneDNN packs operands anyway. */
static bool avoids_cache_conflicts(const struct sr_product_params *p)
{
	enum { MAX_LEADING_DIMENSION = 512 };
	return sr_dnnl_packs_matmul_operands() || (p->rhs_k < MAX_LEADING_DIMENSION && p->lhs_k < MAX_LEADING_DIMENSION);
}

/* Return true for a transposed left operand if one of the operands has rows far apart in memory, and the result is too small for
 * oneDNN to pack both operands: it then reads each row of an operand from another page, while gemm packs them and is faster by up
 * to a third. Products of few columns or great depth are as fast with oneDNN. */
static bool reads_distant_rows(const struct sr_product_params *p)
{
	enum { PAGE_ELEMENTS = 1024, MIN_COLUMNS = 256, MAX_DEPTH = 2048, MIN_PACKED_EXTENT = 512 };
	bool is_transposed = p->lhs_k != 1, packs_both = p->m * p->n >= MIN_PACKED_EXTENT * (p->m + p->n);
	return is_transposed && !packs_both && (p->lhs_k > PAGE_ELEMENTS || p->rhs_k > PAGE_ELEMENTS) && p->n >= MIN_COLUMNS &&
	       p->k <= MAX_DEPTH;
}

/* Return true if the result divides into complete vectors and register tiles of AVX-512. oneDNN is then faster by up to a tenth,
 * except where it reads distant rows. With partial vectors gemm is faster. */
static bool has_complete_tiles(const struct sr_product_params *p)
{
	enum { MIN_ROWS = 64, LANES = 16 };
	return sr_dnnl_packs_matmul_operands() && p->m >= MIN_ROWS && p->n % LANES == 0 && !reads_distant_rows(p) &&
	       (p->lhs_k == 1 || p->m % LANES == 0);
}

/* Return true for AVX-512 and products for which kernels/fast/gemm packs operands in less time than oneDNN. gemm packs a right
 * operand of long sums between its multiplications, which hide the time. It takes 0.7 to 1.0 of oneDNN's time if that operand is
 * contiguous along k, as in x W^T, and 0.9 to 1.0 if the distance of its rows is a multiple of a page, since oneDNN packs it,
 * too. Others oneDNN reads in place. gemm also takes 0.5 to 0.95 for few columns if left operand and result fit in the cache
 * (from memory: 1.05 to 1.15), and for few rows times a long and shallow operand that is contiguous along k, which occur in
 * attention. */
static bool is_packed_faster_by_gemm(const struct sr_product_params *p)
{
	enum { MIN_MULTIPLIES = 1 << 18, MIN_ROWS = 64, LANES = 16, MAX_COLUMNS = 256, FEW_ROWS = 128, SHALLOW = 128, LONG = 2048,
	       DEEP = 256, PAGE_ELEMENTS = 1024, MAX_ROWS_OF_PAGES = 256, MAX_CACHED = 1 << 20 };
	bool is_shallow = p->m <= FEW_ROWS && p->k <= SHALLOW && p->n >= LONG, is_deep = p->k >= DEEP;
	bool is_large = p->m >= MIN_ROWS && p->m >= MIN_MULTIPLIES / p->n / p->k;
	bool is_cached = (double)p->m * ((double)p->n + (double)p->k) <= MAX_CACHED;
	if (!sr_dnnl_packs_matmul_operands() || p->lhs_k != 1 || !is_large)
		return false;
	if (p->rhs_k == 1)
		return is_deep || (p->n % LANES == 0 && ((p->n <= MAX_COLUMNS && is_cached) || is_shallow));
	return (p->n == 4 * LANES && is_cached) || (is_deep && p->rhs_k % PAGE_ELEMENTS == 0 && p->m <= MAX_ROWS_OF_PAGES);
}

/* Return true if oneDNN multiplies these f32 matrices faster than kernels/fast/gemm. Measured: oneDNN is faster for batches (gemm
 * is one call per matrix), for shallow transposed right operands (which gemm has to transpose), for results of complete tiles,
 * and for small matrices, unless they cost less than the library's call overhead. gemm is faster for few rows times a large matrix,
 * transposed or not. */
static bool is_faster_for_f32(const struct sr_product_params *p)
{
	enum { MIN_EXTENT = 8, MAX_SMALL_ELEMENTS = 1 << 17, MIN_MULTIPLIES = 1 << 15, MIN_ROWS_OF_TRANSPOSED = 33 };
	bool is_small = p->n <= MAX_SMALL_ELEMENTS / p->k && avoids_cache_conflicts(p),
	     is_transposed = p->rhs_k == 1 && p->rhs_n > 1 && p->m >= MIN_ROWS_OF_TRANSPOSED;
	bool is_tiny = p->batch == 1 && p->m < MIN_MULTIPLIES / p->n / p->k;
	return p->m >= MIN_EXTENT && p->n >= MIN_EXTENT && p->k >= MIN_EXTENT && !is_tiny && !is_packed_faster_by_gemm(p) &&
	       (p->batch > 1 || is_transposed || is_small || has_complete_tiles(p));
}

/* Return true if kernels/fast/gemm multiplies these bf16 matrices faster than oneDNN, if it supports them: it takes 0.5 to 0.95 of
 * the time with operands from memory, which it packs between its multiplications, and 0.8 to 1.0 with a transposed left operand.
 * Matrices in the cache with few columns or short sums take up to 1.1. */
static bool is_bf16_faster_by_gemm(const struct sr_product_params *p)
{
	enum { MIN_ROWS = 2, MIN_EXTENT = 256, MIN_EXTENT_OF_TRANSPOSED = 128 };
	int64_t min_extent = p->lhs_k == 1 ? MIN_EXTENT : MIN_EXTENT_OF_TRANSPOSED;
	return p->m >= MIN_ROWS && p->n >= min_extent && p->k >= min_extent;
}

static struct sr_prepared_kernel *prepare(const struct sr_kernels *table, enum sr_dtype t, const void *params, int64_t range)
{
	const struct sr_product_params *p = params;

	if (!are_types_supported(t, (enum sr_dtype)p->rhs, (enum sr_dtype)p->out) || p->batch <= 0 || p->m <= 0 || p->n <= 0 ||
			p->k <= 0)
		return NULL;
	/* without instructions for bf16, kernels/fast/gemm is faster: it converts operands in registers or while packing them */
	if (t == SR_BF16 && !sr_dnnl_has_bf16())
		return NULL;
	if (t == SR_F32 && (sr_product_is_small(t, p) || !is_faster_for_f32(p)))
		return NULL;
	struct sr_prepared_kernel *own = t == SR_BF16 && is_bf16_faster_by_gemm(p) ? sr_gemm_prepare_bf16(p) : NULL;
	if (own)
		return own;
	struct sr_dnnl_ready *r = sr_dnnl_begin(table, SR_KERNEL_PRODUCT, t, params, range);
	return r ? sr_dnnl_end(r, build(r, p, t)) : NULL;
}

void sr_kernels_fast_dnnl(struct sr_kernels *table)
{
	table->prepare[SR_KERNEL_PRODUCT] = prepare;
	sr_kernels_fast_dnnl_convolution(table);
}
#else
void sr_kernels_fast_dnnl(struct sr_kernels *table)
{
}
#endif
