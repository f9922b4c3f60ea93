/* LAPACK factorizations on batches of row-major matrices, for the custom calls that JAX emits on CPUs (struct sr_lapack_params).
 * LAPACK is column-major: but for Cholesky, matrices are transposed into scratch, factored there, and transposed back. */
#include "kernels/element.h"
#include "kernels/fast/blas.h"
#include "kernels/fast/fast.h"
#include <complex.h>
#include <string.h>

struct call { /* Arguments of a LAPACK call for one matrix of the batch. */
	const struct sr_lapack_params *p;
	enum sr_dtype type;
	int type_number; /* element type: 0 float, 1 double, 2 complex float, 3 complex double */
	bool is_complex;
	size_t element, real; /* bytes */
	void *const *buffers;
	int64_t i;
	char *scratch;
	int m, n, k;
};

#define ROUTINE(c, s, d, cc, z) \
	((c)->type_number == 0 ? sr_blas.s : (c)->type_number == 1 ? sr_blas.d : (c)->type_number == 2 ? sr_blas.cc : sr_blas.z)
#define REAL_ROUTINE(c, s, d) ((c)->type_number % 2 ? sr_blas.d : sr_blas.s)

/* Return the address of this matrix's data in a buffer that holds `n` elements of `bytes` bytes per matrix. */
static void *matrix_of(const struct call *c, int buffer, int64_t n, size_t bytes)
{
	return (char *)c->buffers[buffer] + (size_t)(c->i * n) * bytes;
}

static void *allocate_scratch(struct call *c, int64_t n, size_t bytes)
{
	void *at = c->scratch;
	c->scratch += ((size_t)n * bytes + 63) / 64 * 64;
	return at;
}

typedef uint32_t four_bytes __attribute__((may_alias));
typedef uint64_t eight_bytes __attribute__((may_alias));
typedef struct {
	uint64_t halves[2];
} __attribute__((may_alias)) sixteen_bytes;

/* Number of source rows that are transposed together: enough to fill cache lines of the destination, and so few that one cache line
 * of each source row stays in L1. */
enum { TRANSPOSE_ROWS = 16 };

#define TRANSPOSE(type) \
	static void transpose_##type(const type *restrict src, type *restrict dst, int64_t m, int64_t n) \
	{ \
		for (int64_t i = 0; i < m; i += TRANSPOSE_ROWS) \
			for (int64_t j = 0; j < n; j++) \
				for (int64_t k = i; k < m && k < i + TRANSPOSE_ROWS; k++) \
					dst[j * m + k] = src[k * n + j]; \
	}
TRANSPOSE(four_bytes)
TRANSPOSE(eight_bytes)
TRANSPOSE(sixteen_bytes)

/* Transpose m x n elements of 4, 8 or 16 bytes: dst[j][i] = src[i][j]. */
static void transpose(const void *src, void *dst, int64_t m, int64_t n, size_t bytes)
{
	if (bytes == 4)
		transpose_four_bytes(src, dst, m, n);
	else if (bytes == 8)
		transpose_eight_bytes(src, dst, m, n);
	else
		transpose_sixteen_bytes(src, dst, m, n);
}

static void *load_columns(struct call *c, int buffer, int64_t m, int64_t n)
{
	void *to = allocate_scratch(c, m * n, c->element);
	transpose(matrix_of(c, buffer, m * n, c->element), to, m, n, c->element);
	return to;
}

static void store_rows(struct call *c, const void *src, int buffer, int64_t m, int64_t n, size_t bytes)
{
	transpose(src, matrix_of(c, buffer, m * n, bytes), n, m, bytes);
}

static void store_info(const struct call *c, int buffer, int value)
{
	*(int32_t *)matrix_of(c, buffer, 1, sizeof(int32_t)) = value;
}

static int work_of(const struct call *c)
{
	return (int)sr_lapack_work_elements(c->p);
}

/* ---- factorizations ---- */

/* Factor in the result's memory: a row-major triangle is the other triangle of the column-major transpose, which for a Hermitian matrix
 * is the conjugate, and so is its factor. */
static void potrf(struct call *c)
{
	char uplo = c->p->uplo == 'L' ? 'U' : 'L';
	int status = 0;
	int64_t elements = (int64_t)c->n * c->n;
	void *a = matrix_of(c, 1, elements, c->element);
	memcpy(a, matrix_of(c, 0, elements, c->element), (size_t)elements * c->element);
	ROUTINE(c, spotrf_, dpotrf_, cpotrf_, zpotrf_)(&uplo, &c->n, a, &c->n, &status, 1);
	store_info(c, 2, status);
}

static void getrf(struct call *c)
{
	int status = 0, min_mn = c->m < c->n ? c->m : c->n;
	void *a = load_columns(c, 0, c->m, c->n);
	ROUTINE(c, sgetrf_, dgetrf_, cgetrf_, zgetrf_)(&c->m, &c->n, a, &c->m, matrix_of(c, 2, min_mn, sizeof(int)), &status);
	store_rows(c, a, 1, c->m, c->n, c->element);
	store_info(c, 3, status);
}

static void geqrf(struct call *c)
{
	int status = 0, min_mn = c->m < c->n ? c->m : c->n, lwork = work_of(c);
	void *a = load_columns(c, 0, c->m, c->n), *work = allocate_scratch(c, lwork, c->element);
	ROUTINE(c, sgeqrf_, dgeqrf_, cgeqrf_, zgeqrf_)(&c->m, &c->n, a, &c->m, matrix_of(c, 2, min_mn, c->element), work, &lwork,
			&status);
	store_rows(c, a, 1, c->m, c->n, c->element);
}

static void geqp3(struct call *c)
{
	int status = 0, min_mn = c->m < c->n ? c->m : c->n, lwork = work_of(c) + 3 * c->n + 1;
	void *a = load_columns(c, 0, c->m, c->n), *work = allocate_scratch(c, lwork, c->element), *rwork = allocate_scratch(c,
			2 * (int64_t)c->n, c->real);
	void *tau = matrix_of(c, 4, min_mn, c->element);
	int *pivots = matrix_of(c, 3, c->n, sizeof(int));
	memcpy(pivots, matrix_of(c, 1, c->n, sizeof(int)), (size_t)c->n * sizeof(int));
	if (c->is_complex)
		REAL_ROUTINE(c, cgeqp3_, zgeqp3_)(&c->m, &c->n, a, &c->m, pivots, tau, work, &lwork, rwork, &status);
	else
		REAL_ROUTINE(c, sgeqp3_, dgeqp3_)(&c->m, &c->n, a, &c->m, pivots, tau, work, &lwork, &status);
	store_rows(c, a, 2, c->m, c->n, c->element);
}

static void orgqr(struct call *c)
{
	int status = 0, lwork = work_of(c);
	void *a = load_columns(c, 0, c->m, c->n), *work = allocate_scratch(c, lwork, c->element);
	ROUTINE(c, sorgqr_, dorgqr_, cungqr_, zungqr_)
	(&c->m, &c->n, &c->k, a, &c->m, matrix_of(c, 1, c->k, c->element), work, &lwork, &status);
	store_rows(c, a, 2, c->m, c->n, c->element);
}

/* Multiply a matrix by the factor Q of a QR factorization; a is r x k, where r is the order of Q. */
static void ormqr(struct call *c)
{
	char side = (char)c->p->side, trans = (char)c->p->trans;
	int status = 0, lwork = work_of(c), order = side == 'L' ? c->m : c->n;
	void *a = load_columns(c, 0, order, c->k), *x = load_columns(c, 2, c->m, c->n), *work = allocate_scratch(c, lwork,
			c->element);
	ROUTINE(c, sormqr_, dormqr_, cunmqr_, zunmqr_)
	(&side, &trans, &c->m, &c->n, &c->k, a, &order, matrix_of(c, 1, c->k, c->element), x, &c->m, work, &lwork, &status, 1, 1);
	store_rows(c, x, 3, c->m, c->n, c->element);
}

static void trsm(struct call *c)
{
	const struct sr_lapack_params *p = c->p;
	int64_t order = p->side == 'L' ? c->m : c->n;
	enum CBLAS_SIDE side = p->side == 'L' ? CblasLeft : CblasRight;
	enum CBLAS_UPLO uplo = p->uplo == 'L' ? CblasLower : CblasUpper;
	enum CBLAS_TRANSPOSE trans = p->trans == 'T' ? CblasTrans : p->trans == 'C' ? CblasConjTrans : CblasNoTrans;
	enum CBLAS_DIAG diag = p->diag == 'U' ? CblasUnit : CblasNonUnit;
	const void *a = matrix_of(c, 0, order * order, c->element);
	void *x = matrix_of(c, 2, (int64_t)c->m * c->n, c->element);
	static const float one_c64[2] = {1, 0};
	static const double one_c128[2] = {1, 0};
	memcpy(x, matrix_of(c, 1, (int64_t)c->m * c->n, c->element), (size_t)c->m * (size_t)c->n * c->element);
	if (c->type == SR_F32)
		sr_blas.cblas_strsm(CblasRowMajor, side, uplo, trans, diag, c->m, c->n, 1, a, (int)order, x, c->n);
	else if (c->type == SR_F64)
		sr_blas.cblas_dtrsm(CblasRowMajor, side, uplo, trans, diag, c->m, c->n, 1, a, (int)order, x, c->n);
	else if (c->type == SR_C64)
		sr_blas.cblas_ctrsm(CblasRowMajor, side, uplo, trans, diag, c->m, c->n, one_c64, a, (int)order, x, c->n);
	else
		sr_blas.cblas_ztrsm(CblasRowMajor, side, uplo, trans, diag, c->m, c->n, one_c128, a, (int)order, x, c->n);
}

static void gehrd(struct call *c)
{
	int status = 0, lwork = work_of(c), low = (int)c->p->low, high = (int)c->p->high;
	void *a = load_columns(c, 0, c->n, c->n), *work = allocate_scratch(c, lwork, c->element);
	ROUTINE(c, sgehrd_, dgehrd_, cgehrd_, zgehrd_)
	(&c->n, &low, &high, a, &c->n, matrix_of(c, 2, c->n - 1, c->element), work, &lwork, &status);
	store_rows(c, a, 1, c->n, c->n, c->element);
	store_info(c, 3, status);
}

static void sytrd(struct call *c)
{
	char uplo = (char)c->p->uplo;
	int status = 0, lwork = work_of(c), n = c->n;
	void *a = load_columns(c, 0, n, n), *work = allocate_scratch(c, lwork, c->element);
	ROUTINE(c, ssytrd_, dsytrd_, chetrd_, zhetrd_)
	(&uplo, &n, a, &n, matrix_of(c, 2, n, c->real), matrix_of(c, 3, n - 1, c->real), matrix_of(c, 4, n - 1, c->element), work,
			&lwork, &status,
	 1);
	store_rows(c, a, 1, n, n, c->element);
	store_info(c, 5, status);
}

/* Solve tridiagonal systems. All diagonals have n elements; the first of the lower and the last of the upper one are unused.
 * There are m right-hand rows. */
static void gtsv(struct call *c)
{
	int status = 0, n = c->m, rhs = c->n;
	for (int i = 0; i < 3; i++)
		memcpy(matrix_of(c, 4 + i, n, c->element), matrix_of(c, i, n, c->element), (size_t)n * c->element);
	void *b = load_columns(c, 3, n, rhs);
	ROUTINE(c, sgtsv_, dgtsv_, cgtsv_, zgtsv_)
	(&n, &rhs, (char *)matrix_of(c, 4, n, c->element) + c->element, matrix_of(c, 5, n, c->element), matrix_of(c, 6, n,
			c->element), b, &n,
	 &status);
	store_rows(c, b, 7, n, rhs, c->element);
	store_info(c, 8, status);
}

/* ---- eigenvalues and singular values ---- */

static void syevd(struct call *c)
{
	char mode = (char)c->p->mode, uplo = (char)c->p->uplo;
	int status = 0, n = c->n, liwork = 3 + 5 * n;
	int64_t lwork = c->is_complex ? 2 * (int64_t)n + (int64_t)n * n : 1 + 6 * (int64_t)n + 2 * (int64_t)n * n,
		lrwork = 1 + 5 * (int64_t)n + 2 * (int64_t)n * n;
	int work_n = (int)lwork, rwork_n = (int)lrwork;
	void *a = load_columns(c, 0, n, n), *w = matrix_of(c, 2, n, c->real), *work = allocate_scratch(c, lwork, c->element),
	     *rwork = allocate_scratch(c, c->is_complex ? lrwork : 0, c->real);
	int *iwork = allocate_scratch(c, liwork, sizeof(int));
	if (c->is_complex)
		REAL_ROUTINE(c, cheevd_, zheevd_)
		(&mode, &uplo, &n, a, &n, w, work, &work_n, rwork, &rwork_n, iwork, &liwork, &status, 1, 1);
	else
		REAL_ROUTINE(c, ssyevd_, dsyevd_)(&mode, &uplo, &n, a, &n, w, work, &work_n, iwork, &liwork, &status, 1, 1);
	store_rows(c, a, 1, n, n, c->element);
	store_info(c, 3, status);
}

/* Compute a singular value decomposition, by divide and conquer or by QR iteration. u has k columns and vt k rows, if the mode asks
 * for them ('A': all, 'S': the first min(m, n)). */
static void svd(struct call *c, bool divide)
{
	char mode = (char)c->p->mode;
	int status = 0, m = c->m, n = c->n, min_mn = m < n ? m : n, max_mn = m < n ? n : m;
	int u_n = mode == 'A' ? m : min_mn, vt_n = mode == 'A' ? n : min_mn, ldu = mode == 'N' ? 1 : m,
			ldvt = mode == 'N' ? 1 : vt_n;
	int64_t mn = min_mn, mx = max_mn,
		lwork = c->is_complex ? mn * mn + 2 * mn + 2 * mx + mn * mn : 4 * mn * mn + 7 * mn + 2 * mx + 3 * mn + mx;
	int64_t lrwork = c->is_complex ? 5 * mn * mn + 5 * mn + 2 * mx * mn + 2 * mn * mn + mn : 0;
	int work_n = (int)lwork;
	void *a = load_columns(c, 0, m, n), *u = allocate_scratch(c, (int64_t)m * u_n, c->element), *vt = allocate_scratch(c,
			(int64_t)vt_n * n, c->element);
	void *work = allocate_scratch(c, lwork, c->element), *rwork = allocate_scratch(c, lrwork, c->real), *s = matrix_of(c, 2,
			min_mn, c->real);
	int *iwork = allocate_scratch(c, 8 * mn, sizeof(int));
	if (divide && c->is_complex)
		REAL_ROUTINE(c, cgesdd_, zgesdd_)
		(&mode, &m, &n, a, &m, s, u, &ldu, vt, &ldvt, work, &work_n, rwork, iwork, &status, 1);
	else if (divide)
		REAL_ROUTINE(c, sgesdd_, dgesdd_)(&mode, &m, &n, a, &m, s, u, &ldu, vt, &ldvt, work, &work_n, iwork, &status, 1);
	else if (c->is_complex)
		REAL_ROUTINE(c, cgesvd_, zgesvd_)
		(&mode, &mode, &m, &n, a, &m, s, u, &ldu, vt, &ldvt, work, &work_n, rwork, &status, 1, 1);
	else
		REAL_ROUTINE(c, sgesvd_, dgesvd_)(&mode, &mode, &m, &n, a, &m, s, u, &ldu, vt, &ldvt, work, &work_n, &status, 1, 1);
	store_rows(c, a, 1, m, n, c->element);
	if (mode != 'N') {
		store_rows(c, u, 3, m, u_n, c->element);
		store_rows(c, vt, 4, vt_n, n, c->element);
	}
	store_info(c, 5, status);
}

static void gesdd(struct call *c)
{
	svd(c, true);
}

static void gesvd(struct call *c)
{
	svd(c, false);
}

/* Convert LAPACK's packed real eigenvectors to row-major complex ones: a conjugate pair is stored as two columns, real and
 * imaginary part. */
#define UNPACK(name, R) \
	static void name(const R *packed, const R *imaginary, R _Complex *out, int n) \
	{ \
		for (int j = 0; j < n; j++) { \
			bool pair = imaginary[j] != 0 && j + 1 < n; \
			for (int i = 0; i < n; i++) { \
				R re = packed[(size_t)j * (size_t)n + (size_t)i], \
				  im = pair ? packed[(size_t)(j + 1) * (size_t)n + (size_t)i] : 0; \
				out[(size_t)i * (size_t)n + (size_t)j] = re + im * (R _Complex)_Complex_I; \
				if (pair) \
					out[(size_t)i * (size_t)n + (size_t)j + 1] = re - im * (R _Complex)_Complex_I; \
			} \
			j += pair; \
		} \
	}
UNPACK(unpack_f, float)
UNPACK(unpack_d, double)

static void geev(struct call *c)
{
	char left_job = (char)c->p->left, right_job = (char)c->p->right;
	int status = 0, n = c->n, lwork = work_of(c);
	int first = c->is_complex ? 2 : 3; /* index of the first eigenvector buffer */
	int64_t nn = (int64_t)n * n;
	void *a = load_columns(c, 0, n, n), *vl = allocate_scratch(c, nn, c->element), *vr = allocate_scratch(c, nn, c->element),
	     *work = allocate_scratch(c, lwork, c->element);
	void *rwork = allocate_scratch(c, 2 * (int64_t)n, c->real), *w = matrix_of(c, 1, n, c->element), *wi = matrix_of(c, 2, n,
			c->element);
	if (c->is_complex)
		REAL_ROUTINE(c, cgeev_, zgeev_)
		(&left_job, &right_job, &n, a, &n, w, vl, &n, vr, &n, work, &lwork, rwork, &status, 1, 1);
	else
		REAL_ROUTINE(c, sgeev_, dgeev_)
		(&left_job, &right_job, &n, a, &n, w, wi, vl, &n, vr, &n, work, &lwork, &status, 1, 1);
	for (int side = 0; side < 2; side++) {
		void *v = side ? vr : vl;
		if ((side ? right_job : left_job) != 'V')
			continue;
		if (c->is_complex)
			store_rows(c, v, first + side, n, n, c->element);
		else if (c->type == SR_F32)
			unpack_f(v, wi, matrix_of(c, first + side, nn, 2 * c->element), n);
		else
			unpack_d(v, wi, matrix_of(c, first + side, nn, 2 * c->element), n);
	}
	store_info(c, first + 2, status);
}

static void gees(struct call *c)
{
	char mode = (char)c->p->mode, sort = 'N';
	int status = 0, n = c->n, lwork = work_of(c), selected = 0, info_buffer = c->is_complex ? 4 : 5;
	void *a = load_columns(c, 0, n, n), *vs = allocate_scratch(c, (int64_t)n * n, c->element), *work = allocate_scratch(c,
			lwork, c->element),
	     *rwork = allocate_scratch(c, n, c->real);
	void *w = matrix_of(c, 3, n, c->element);
	int *bwork = allocate_scratch(c, n, sizeof(int));
	if (c->is_complex)
		REAL_ROUTINE(c, cgees_, zgees_)
		(&mode, &sort, NULL, &n, a, &n, &selected, w, vs, &n, work, &lwork, rwork, bwork, &status, 1, 1);
	else
		REAL_ROUTINE(c, sgees_, dgees_)
	(&mode, &sort, NULL, &n, a, &n, &selected, w, matrix_of(c, 4, n, c->element), vs, &n, work, &lwork, bwork, &status, 1, 1);
	store_rows(c, a, 1, n, n, c->element);
	if (mode == 'V')
		store_rows(c, vs, 2, n, n, c->element);
	store_info(c, info_buffer, selected);
	store_info(c, info_buffer + 1, status);
}

/* ---- the kernel ---- */

static void lapack(const void *params, enum sr_dtype type, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	static void (*const routines[SR_LAPACK_COUNT])(struct call *) = {
#define LAPACK(id, name, operands, results, complex_results) [SR_LAPACK_##id] = name,
#include "kernels/lapack.def"
	};
	const struct sr_lapack_params *p = params;
	struct call c = {.p = p,
			 .type = type,
			 .is_complex = sr_dtype_is_complex(type),
			 .element = (size_t)sr_dtype_bytes(type),
			 .buffers = buffers,
			 .m = (int)p->m,
			 .n = (int)p->n,
			 .k = (int)p->k};
	c.real = c.is_complex ? c.element / 2 : c.element;
	c.type_number = type == SR_F32 ? 0 : type == SR_F64 ? 1 : type == SR_C64 ? 2 : 3;
	for (c.i = begin; c.i < end; c.i++) {
		c.scratch = scratch;
		routines[p->routine](&c);
	}
}

#define ROW(name, type) \
	static void name(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		lapack(params, type, buffers, scratch, begin, end); \
	}
ROW(lapack_s, SR_F32)
ROW(lapack_d, SR_F64)
ROW(lapack_c, SR_C64)
ROW(lapack_z, SR_C128)

void sr_kernels_fast_lapack(struct sr_kernels *table)
{
	sr_kernels_set(table, SR_KERNEL_LAPACK, SR_F32, lapack_s);
	sr_kernels_set(table, SR_KERNEL_LAPACK, SR_F64, lapack_d);
	sr_kernels_set(table, SR_KERNEL_LAPACK, SR_C64, lapack_c);
	sr_kernels_set(table, SR_KERNEL_LAPACK, SR_C128, lapack_z);
}
