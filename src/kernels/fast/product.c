/* PRODUCT by BLAS, and by oneDNN of f32. A layout that transpose flags and leading dimensions can say goes to gemm (gemv for one row or column) as
 * it stands; any other, and 16-bit operands, are packed block by block into f32 panels on the stack. What is left goes to the
 * reference. */
#include "kernels/element.h"
#include "kernels/fast/blas.h"
#include "kernels/fast/dnnl.h"
#include "kernels/fast/fast.h"
#include <limits.h>
#include <string.h>

enum { MB = 128, NB = 128, KB = 256 };

/* One operand as BLAS sees it: rows are m (or n of rhs transposed), `unit` the stride of the columns. */
struct side {
	CBLAS_TRANSPOSE trans;
	int64_t ld;
};

/* A matrix [rows][cols] with the given strides: plain where columns are contiguous, transposed where rows are. */
static bool side_of(int64_t rows, int64_t cols, int64_t row_stride, int64_t col_stride, struct side *s)
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

static bool blas_layout(const struct sr_product_params *p, struct side *a, struct side *b)
{
	return p->m <= INT_MAX && p->n <= INT_MAX && p->k <= INT_MAX && p->m > 0 && p->n > 0 && p->k > 0 &&
	       side_of(p->m, p->k, p->lhs_m, p->lhs_k, a) && side_of(p->k, p->n, p->rhs_k, p->rhs_n, b);
}

/* f(batch, first row, rows) for the rows [begin, end) of all batches together. */
#define EACH_BATCH(p, begin, end, b, row, rows) \
	for (int64_t b = begin / p->m, row = begin % p->m, rows; b * p->m + row < end; b++, row = 0) \
		if ((rows = (end < (b + 1) * p->m ? end - b * p->m : p->m) - row) > 0)

/* oneDNN's products of f32 are as fast as OpenBLAS's of a core that it knows, or faster, but for small ones. */
enum { SMALL = 64 * 64 * 64 };

void sr_fast_sgemm(bool a_turned, bool b_turned, int64_t m, int64_t n, int64_t k, const float *a, int64_t lda, const float *b, int64_t ldb,
		   float beta, float *c, int64_t ldc)
{
#ifdef HAVE_DNNL
	if (sr_dnnl_is_open() && (double)m * (double)n * (double)k >= SMALL) {
		int threads = sr_dnnl_one_thread();
		bool good = !sr_dnnl.dnnl_sgemm(a_turned ? 'T' : 'N', b_turned ? 'T' : 'N', m, n, k, 1, a, lda, b, ldb, beta, c, ldc);
		sr_dnnl_threads_again(threads);
		if (good)
			return;
	}
#endif
	sr_blas.cblas_sgemm(CblasRowMajor, a_turned ? CblasTrans : CblasNoTrans, b_turned ? CblasTrans : CblasNoTrans, (int)m, (int)n, (int)k, 1,
			    a, (int)lda, b, (int)ldb, beta, c, (int)ldc);
}

#define F32_GEMM(trans_a, trans_b, m, n, k, one, a, lda, b, ldb, zero, c, ldc) \
	sr_fast_sgemm(trans_a == CblasTrans, trans_b == CblasTrans, m, n, k, a, lda, b, ldb, zero, c, ldc)
#define F64_GEMM(...) sr_blas.cblas_dgemm(CblasRowMajor, __VA_ARGS__)
#define C64_GEMM(...) sr_blas.cblas_cgemm(CblasRowMajor, __VA_ARGS__)
#define C128_GEMM(...) sr_blas.cblas_zgemm(CblasRowMajor, __VA_ARGS__)

#define GEMM(id, type, letter, one, zero, fallback) \
	static void product_##id(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		const struct sr_product_params *p = params; \
		struct side a, b; \
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
				sr_blas.cblas_##letter##gemv(CblasRowMajor, a.trans, (int)r, (int)c, one, x, (int)a.ld, y, (int)p->rhs_k, \
						     zero, out, 1); \
			} else if (rows == 1 && p->lhs_k > 0 && p->lhs_k <= INT_MAX) { \
				int64_t r = b.trans == CblasNoTrans ? p->k : p->n, c = b.trans == CblasNoTrans ? p->n : p->k; \
				memset(out, 0, (size_t)p->n * sizeof(type)); \
				sr_blas.cblas_##letter##gemv(CblasRowMajor, b.trans == CblasNoTrans ? CblasTrans : CblasNoTrans, (int)r, \
						     (int)c, one, y, (int)b.ld, x, (int)p->lhs_k, zero, out, 1); \
			} else { \
				id##_GEMM(a.trans, b.trans, (int)rows, (int)p->n, (int)p->k, one, x, (int)a.ld, y, (int)b.ld, zero, out, \
					  (int)p->n); \
			} \
		} \
	}

/* ---- packed: any strides, f32 panels ---- */

typedef void pack_fn(const void *from, int64_t at, int64_t row_stride, int64_t col_stride, int64_t rows, int64_t cols, float *to);

/* Walks the source along its shorter stride. */
#define PACK(id) \
	static void pack_##id(const void *from, int64_t at, int64_t row_stride, int64_t col_stride, int64_t rows, int64_t cols, \
			      float *to) \
	{ \
		const S_##id *in = (const S_##id *)from + at; \
		if (col_stride <= row_stride) { \
			for (int64_t r = 0; r < rows; r++) \
				for (int64_t c = 0; c < cols; c++) \
					to[r * cols + c] = load_##id(in[r * row_stride + c * col_stride]); \
		} else { \
			for (int64_t c = 0; c < cols; c++) \
				for (int64_t r = 0; r < rows; r++) \
					to[r * cols + c] = load_##id(in[r * row_stride + c * col_stride]); \
		} \
	}
PACK(F32)
PACK(F16)
PACK(BF16)
static pack_fn *const packs[SR_DTYPE_COUNT] = {[SR_F32] = pack_F32, [SR_F16] = pack_F16, [SR_BF16] = pack_BF16};

static void unpack(enum sr_dtype t, const float *from, void *out, int64_t at, int64_t row_stride, int64_t rows, int64_t cols)
{
	for (int64_t r = 0; r < rows; r++, at += row_stride)
		for (int64_t c = 0; c < cols; c++) {
			float v = from[r * cols + c];
			if (t == SR_F32)
				((float *)out)[at + c] = v;
			else if (t == SR_BF16)
				((uint16_t *)out)[at + c] = sr_f32_to_bf16(v);
			else
				((_Float16 *)out)[at + c] = (_Float16)v;
		}
}

static void packed(const struct sr_product_params *p, enum sr_dtype t, void *const *buffers, int64_t batch, int64_t row,
		   int64_t rows)
{
	float a[MB * KB], b[KB * NB], c[MB * NB];

	for (int64_t n = 0; n < p->n; n += NB) {
		int64_t cols = p->n - n < NB ? p->n - n : NB;
		memset(c, 0, sizeof(c));
		for (int64_t k = 0; k < p->k; k += KB) {
			int64_t deep = p->k - k < KB ? p->k - k : KB;
			packs[t](buffers[0], batch * p->lhs_batch + row * p->lhs_m + k * p->lhs_k, p->lhs_m, p->lhs_k, rows, deep,
				 a);
			packs[p->rhs](buffers[1], batch * p->rhs_batch + k * p->rhs_k + n * p->rhs_n, p->rhs_k, p->rhs_n, deep,
				      cols, b);
			sr_fast_sgemm(false, false, rows, cols, deep, a, deep, b, cols, 1, c, cols);
		}
		unpack((enum sr_dtype)p->out, c, buffers[2], (batch * p->m + row) * p->n + n, p->n, rows, cols);
	}
}

#define PACKED(id) \
	static void packed_##id(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		const struct sr_product_params *p = params; \
		if (begin >= end) \
			return; \
		if (!packs[p->rhs] || !packs[p->out]) { \
			sr_product_reference(params, SR_##id, buffers, begin, end); \
			return; \
		} \
		EACH_BATCH(p, begin, end, batch, row, rows) \
			for (int64_t r = 0; r < rows; r += MB) \
				packed(p, SR_##id, buffers, batch, row + r, rows - r < MB ? rows - r : MB); \
	}
PACKED(F32)
PACKED(F16)
PACKED(BF16)

#define REFERENCE(id) \
	static void reference_##id(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		sr_product_reference(params, SR_##id, buffers, begin, end); \
	}
REFERENCE(F64)
REFERENCE(C64)
REFERENCE(C128)

static const sr_c64 one_c64 = 1, zero_c64 = 0;
static const sr_c128 one_c128 = 1, zero_c128 = 0;
GEMM(F32, float, s, 1, 0, packed_F32)
GEMM(F64, double, d, 1, 0, reference_F64)
GEMM(C64, sr_c64, c, &one_c64, &zero_c64, reference_C64)
GEMM(C128, sr_c128, z, &one_c128, &zero_c128, reference_C128)

void sr_kernels_fast_product(struct sr_kernels *table)
{
	sr_kernels_set(table, SR_KERNEL_PRODUCT, SR_F32, product_F32);
	sr_kernels_set(table, SR_KERNEL_PRODUCT, SR_F64, product_F64);
	sr_kernels_set(table, SR_KERNEL_PRODUCT, SR_C64, product_C64);
	sr_kernels_set(table, SR_KERNEL_PRODUCT, SR_C128, product_C128);
	sr_kernels_set(table, SR_KERNEL_PRODUCT, SR_F16, packed_F16);
	sr_kernels_set(table, SR_KERNEL_PRODUCT, SR_BF16, packed_BF16);
}
