/* PRODUCT computed by BLAS, if transpose flags and leading dimensions can express the operands' layouts. The reference kernel
 * computes other layouts. gemm/ replaces these kernels for real matrices, but uses them for products with a vector. */
#include "kernels/element.h"
#include "kernels/fast/blas.h"
#include "kernels/fast/fast.h"
#include <limits.h>
#include <string.h>

/* Layout of one operand in BLAS's terms: transposed or not, and leading dimension. */
struct layout {
	CBLAS_TRANSPOSE trans;
	int64_t ld;
};

/* Describe a [rows][cols] matrix with the given strides: not transposed if its rows are contiguous, transposed if its columns are.
 * Returns false for other strides. */
static bool describe_layout(int64_t rows, int64_t cols, int64_t row_stride, int64_t col_stride, struct layout *s)
{
	if ((col_stride == 1 || cols == 1) && (row_stride >= cols || rows == 1)) {
		s->trans = CblasNoTrans;
		s->ld = rows == 1 || row_stride < cols ? cols : row_stride;
	} else if ((row_stride == 1 || rows == 1) && (col_stride >= rows || cols == 1)) {
		s->trans = CblasTrans;
		s->ld = cols == 1 || col_stride < rows ? rows : col_stride;
	} else {
		return false;
	}
	return s->ld <= INT_MAX;
}

static bool blas_layout(const struct sr_product_params *p, struct layout *a, struct layout *b)
{
	return p->m <= INT_MAX && p->n <= INT_MAX && p->k <= INT_MAX && p->m > 0 && p->n > 0 && p->k > 0 &&
	       describe_layout(p->m, p->k, p->lhs_m, p->lhs_k, a) && describe_layout(p->k, p->n, p->rhs_k, p->rhs_n, b);
}

/* Loop over the rows [begin, end) of all batches, as (batch, first row, number of rows). */
#define EACH_BATCH(p, begin, end, b, row, rows) \
	for (int64_t b = begin / p->m, row = begin % p->m, rows; b * p->m + row < end; b++, row = 0) \
		if ((rows = (end < (b + 1) * p->m ? end - b * p->m : p->m) - row) > 0)

#define F32_GEMM(...) sr_blas.cblas_sgemm(CblasRowMajor, __VA_ARGS__)
#define F64_GEMM(...) sr_blas.cblas_dgemm(CblasRowMajor, __VA_ARGS__)
#define C64_GEMM(...) sr_blas.cblas_cgemm(CblasRowMajor, __VA_ARGS__)
#define C128_GEMM(...) sr_blas.cblas_zgemm(CblasRowMajor, __VA_ARGS__)

#define GEMM(id, type, prefix, one, zero, fallback) \
	static void product_##id(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		const struct sr_product_params *p = params; \
		struct layout a, b; \
		if (begin >= end) \
			return; \
		if (p->out != SR_##id || p->rhs != SR_##id || !blas_layout(p, &a, &b)) { \
			fallback(params, buffers, scratch, begin, end); \
			return; \
		} \
		EACH_BATCH(p, begin, end, batch, row, rows) \
		{ \
			const type *x = (const type *)buffers[0] + batch * p->lhs_batch + row * p->lhs_m; \
			const type *y = (const type *)buffers[1] + batch * p->rhs_batch; \
			type *out = (type *)buffers[2] + (batch * p->m + row) * p->n; \
			if (p->n == 1 && p->rhs_k > 0 && p->rhs_k <= INT_MAX) { \
				int64_t r = a.trans == CblasNoTrans ? rows : p->k, c = a.trans == CblasNoTrans ? p->k : rows; \
				memset(out, 0, (size_t)rows * sizeof(type)); \
				sr_blas.cblas_##prefix##gemv(CblasRowMajor, a.trans, (int)r, (int)c, one, x, (int)a.ld, y, (int)p->rhs_k, \
						     zero, out, 1); \
			} else if (rows == 1 && p->lhs_k > 0 && p->lhs_k <= INT_MAX) { \
				int64_t r = b.trans == CblasNoTrans ? p->k : p->n, c = b.trans == CblasNoTrans ? p->n : p->k; \
				memset(out, 0, (size_t)p->n * sizeof(type)); \
				sr_blas.cblas_##prefix##gemv(CblasRowMajor, b.trans == CblasNoTrans ? CblasTrans : CblasNoTrans, (int)r, \
						     (int)c, one, y, (int)b.ld, x, (int)p->lhs_k, zero, out, 1); \
			} else { \
				id##_GEMM(a.trans, b.trans, (int)rows, (int)p->n, (int)p->k, one, x, (int)a.ld, y, (int)b.ld, zero, out, \
					  (int)p->n); \
			} \
		} \
	}

#define REFERENCE(id) \
	static void reference_##id(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		sr_product_reference(params, SR_##id, buffers, begin, end); \
	}
REFERENCE(F32)
REFERENCE(F64)
REFERENCE(C64)
REFERENCE(C128)

static const sr_c64 one_c64 = 1, zero_c64 = 0;
static const sr_c128 one_c128 = 1, zero_c128 = 0;
GEMM(F32, float, s, 1, 0, reference_F32)
GEMM(F64, double, d, 1, 0, reference_F64)
GEMM(C64, sr_c64, c, &one_c64, &zero_c64, reference_C64)
GEMM(C128, sr_c128, z, &one_c128, &zero_c128, reference_C128)

void sr_kernels_fast_product(struct sr_kernels *table)
{
	sr_kernels_set(table, SR_KERNEL_PRODUCT, SR_F32, product_F32);
	sr_kernels_set(table, SR_KERNEL_PRODUCT, SR_F64, product_F64);
	sr_kernels_set(table, SR_KERNEL_PRODUCT, SR_C64, product_C64);
	sr_kernels_set(table, SR_KERNEL_PRODUCT, SR_C128, product_C128);
}
