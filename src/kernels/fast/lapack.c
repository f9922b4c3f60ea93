/* LAPACK's factorizations on batches of row-major matrices, as the custom calls that JAX emits for CPUs ask for them (struct
 * sr_lapack_params). LAPACK works on columns: matrices are transposed into scratch, factored there, and transposed back.
 */
#include "kernels/element.h"
#include "kernels/fast/blas.h"
#include "kernels/fast/fast.h"
#include <complex.h>
#include <string.h>

struct call { /* one matrix of the batch */
	const struct sr_lapack_params *p;
	enum sr_dtype type;
	int type_number; /* 0 s, 1 d, 2 c, 3 z */
	bool is_complex;
	size_t element, real; /* bytes */
	void *const *buffers;
	int64_t i;
	char *scratch;
	int m, n, k;
};

#define PICK(c, s, d, cc, z) \
	((c)->type_number == 0 ? sr_blas.s : (c)->type_number == 1 ? sr_blas.d : (c)->type_number == 2 ? sr_blas.cc : sr_blas.z)
#define PICK_REAL(c, s, d) ((c)->type_number % 2 ? sr_blas.d : sr_blas.s)

/* This matrix's part of a buffer that holds `n` elements of `bytes` for each. */
static void *part(const struct call *c, int buffer, int64_t n, size_t bytes)
{
	return (char *)c->buffers[buffer] + (size_t)(c->i * n) * bytes;
}

static void *take(struct call *c, int64_t n, size_t bytes)
{
	void *at = c->scratch;
	c->scratch += ((size_t)n * bytes + 63) / 64 * 64;
	return at;
}

/* to[j][i] = from[i][j] for m x n elements. */
static void transpose(const void *from, void *to, int64_t m, int64_t n, size_t bytes)
{
	for (int64_t i = 0; i < m; i++)
		for (int64_t j = 0; j < n; j++)
			memcpy((char *)to + (size_t)(j * m + i) * bytes, (const char *)from + (size_t)(i * n + j) * bytes, bytes);
}

static void *columns(struct call *c, int buffer, int64_t m, int64_t n)
{
	void *to = take(c, m * n, c->element);
	transpose(part(c, buffer, m * n, c->element), to, m, n, c->element);
	return to;
}

static void rows(struct call *c, const void *from, int buffer, int64_t m, int64_t n, size_t bytes)
{
	transpose(from, part(c, buffer, m * n, bytes), n, m, bytes);
}

static void info(const struct call *c, int buffer, int value)
{
	*(int32_t *)part(c, buffer, 1, sizeof(int32_t)) = value;
}

static int work_of(const struct call *c)
{
	return (int)sr_lapack_work(c->p);
}

/* ---- factorizations ---- */

static void potrf(struct call *c)
{
	char uplo = (char)c->p->uplo;
	int status = 0;
	void *a = columns(c, 0, c->n, c->n);
	PICK(c, spotrf_, dpotrf_, cpotrf_, zpotrf_)(&uplo, &c->n, a, &c->n, &status, 1);
	rows(c, a, 1, c->n, c->n, c->element);
	info(c, 2, status);
}

static void getrf(struct call *c)
{
	int status = 0, least = c->m < c->n ? c->m : c->n;
	void *a = columns(c, 0, c->m, c->n);
	PICK(c, sgetrf_, dgetrf_, cgetrf_, zgetrf_)(&c->m, &c->n, a, &c->m, part(c, 2, least, sizeof(int)), &status);
	rows(c, a, 1, c->m, c->n, c->element);
	info(c, 3, status);
}

static void geqrf(struct call *c)
{
	int status = 0, least = c->m < c->n ? c->m : c->n, lwork = work_of(c);
	void *a = columns(c, 0, c->m, c->n), *work = take(c, lwork, c->element);
	PICK(c, sgeqrf_, dgeqrf_, cgeqrf_, zgeqrf_)(&c->m, &c->n, a, &c->m, part(c, 2, least, c->element), work, &lwork, &status);
	rows(c, a, 1, c->m, c->n, c->element);
}

static void geqp3(struct call *c)
{
	int status = 0, least = c->m < c->n ? c->m : c->n, lwork = work_of(c) + 3 * c->n + 1;
	void *a = columns(c, 0, c->m, c->n), *work = take(c, lwork, c->element), *rwork = take(c, 2 * (int64_t)c->n, c->real);
	void *tau = part(c, 4, least, c->element);
	int *pivots = part(c, 3, c->n, sizeof(int));
	memcpy(pivots, part(c, 1, c->n, sizeof(int)), (size_t)c->n * sizeof(int));
	if (c->is_complex)
		PICK_REAL(c, cgeqp3_, zgeqp3_)(&c->m, &c->n, a, &c->m, pivots, tau, work, &lwork, rwork, &status);
	else
		PICK_REAL(c, sgeqp3_, dgeqp3_)(&c->m, &c->n, a, &c->m, pivots, tau, work, &lwork, &status);
	rows(c, a, 2, c->m, c->n, c->element);
}

static void orgqr(struct call *c)
{
	int status = 0, lwork = work_of(c);
	void *a = columns(c, 0, c->m, c->n), *work = take(c, lwork, c->element);
	PICK(c, sorgqr_, dorgqr_, cungqr_, zungqr_)
	(&c->m, &c->n, &c->k, a, &c->m, part(c, 1, c->k, c->element), work, &lwork, &status);
	rows(c, a, 2, c->m, c->n, c->element);
}

/* Q of a factorization times a matrix: a is r x k, where r is the order of Q. */
static void ormqr(struct call *c)
{
	char side = (char)c->p->side, trans = (char)c->p->trans;
	int status = 0, lwork = work_of(c), order = side == 'L' ? c->m : c->n;
	void *a = columns(c, 0, order, c->k), *x = columns(c, 2, c->m, c->n), *work = take(c, lwork, c->element);
	PICK(c, sormqr_, dormqr_, cunmqr_, zunmqr_)
	(&side, &trans, &c->m, &c->n, &c->k, a, &order, part(c, 1, c->k, c->element), x, &c->m, work, &lwork, &status, 1, 1);
	rows(c, x, 3, c->m, c->n, c->element);
}

static void trsm(struct call *c)
{
	const struct sr_lapack_params *p = c->p;
	int64_t order = p->side == 'L' ? c->m : c->n;
	enum CBLAS_SIDE side = p->side == 'L' ? CblasLeft : CblasRight;
	enum CBLAS_UPLO uplo = p->uplo == 'L' ? CblasLower : CblasUpper;
	enum CBLAS_TRANSPOSE trans = p->trans == 'T' ? CblasTrans : p->trans == 'C' ? CblasConjTrans : CblasNoTrans;
	enum CBLAS_DIAG diag = p->diag == 'U' ? CblasUnit : CblasNonUnit;
	const void *a = part(c, 0, order * order, c->element);
	void *x = part(c, 2, (int64_t)c->m * c->n, c->element);
	static const float one_c[2] = {1, 0};
	static const double one_z[2] = {1, 0};
	memcpy(x, part(c, 1, (int64_t)c->m * c->n, c->element), (size_t)c->m * (size_t)c->n * c->element);
	if (c->type == SR_F32)
		sr_blas.cblas_strsm(CblasRowMajor, side, uplo, trans, diag, c->m, c->n, 1, a, (int)order, x, c->n);
	else if (c->type == SR_F64)
		sr_blas.cblas_dtrsm(CblasRowMajor, side, uplo, trans, diag, c->m, c->n, 1, a, (int)order, x, c->n);
	else if (c->type == SR_C64)
		sr_blas.cblas_ctrsm(CblasRowMajor, side, uplo, trans, diag, c->m, c->n, one_c, a, (int)order, x, c->n);
	else
		sr_blas.cblas_ztrsm(CblasRowMajor, side, uplo, trans, diag, c->m, c->n, one_z, a, (int)order, x, c->n);
}

static void gehrd(struct call *c)
{
	int status = 0, lwork = work_of(c), low = (int)c->p->low, high = (int)c->p->high;
	void *a = columns(c, 0, c->n, c->n), *work = take(c, lwork, c->element);
	PICK(c, sgehrd_, dgehrd_, cgehrd_, zgehrd_)
	(&c->n, &low, &high, a, &c->n, part(c, 2, c->n - 1, c->element), work, &lwork, &status);
	rows(c, a, 1, c->n, c->n, c->element);
	info(c, 3, status);
}

static void sytrd(struct call *c)
{
	char uplo = (char)c->p->uplo;
	int status = 0, lwork = work_of(c), n = c->n;
	void *a = columns(c, 0, n, n), *work = take(c, lwork, c->element);
	PICK(c, ssytrd_, dsytrd_, chetrd_, zhetrd_)
	(&uplo, &n, a, &n, part(c, 2, n, c->real), part(c, 3, n - 1, c->real), part(c, 4, n - 1, c->element), work, &lwork, &status,
	 1);
	rows(c, a, 1, n, n, c->element);
	info(c, 5, status);
}

/* Tridiagonal systems; the diagonals have n elements each, the lower one's first and the upper one's last not used. m
 * right-hand rows. */
static void gtsv(struct call *c)
{
	int status = 0, n = c->m, rhs = c->n;
	for (int i = 0; i < 3; i++)
		memcpy(part(c, 4 + i, n, c->element), part(c, i, n, c->element), (size_t)n * c->element);
	void *b = columns(c, 3, n, rhs);
	PICK(c, sgtsv_, dgtsv_, cgtsv_, zgtsv_)
	(&n, &rhs, (char *)part(c, 4, n, c->element) + c->element, part(c, 5, n, c->element), part(c, 6, n, c->element), b, &n,
	 &status);
	rows(c, b, 7, n, rhs, c->element);
	info(c, 8, status);
}

/* ---- eigenvalues and singular values ---- */

static void syevd(struct call *c)
{
	char mode = (char)c->p->mode, uplo = (char)c->p->uplo;
	int status = 0, n = c->n, liwork = 3 + 5 * n;
	int64_t lwork = c->is_complex ? 2 * (int64_t)n + (int64_t)n * n : 1 + 6 * (int64_t)n + 2 * (int64_t)n * n,
		lrwork = 1 + 5 * (int64_t)n + 2 * (int64_t)n * n;
	int work_n = (int)lwork, rwork_n = (int)lrwork;
	void *a = columns(c, 0, n, n), *w = part(c, 2, n, c->real), *work = take(c, lwork, c->element),
	     *rwork = take(c, c->is_complex ? lrwork : 0, c->real);
	int *iwork = take(c, liwork, sizeof(int));
	if (c->is_complex)
		PICK_REAL(c, cheevd_, zheevd_)
		(&mode, &uplo, &n, a, &n, w, work, &work_n, rwork, &rwork_n, iwork, &liwork, &status, 1, 1);
	else
		PICK_REAL(c, ssyevd_, dsyevd_)(&mode, &uplo, &n, a, &n, w, work, &work_n, iwork, &liwork, &status, 1, 1);
	rows(c, a, 1, n, n, c->element);
	info(c, 3, status);
}

/* Singular values by the two drivers; u has k columns, vt k rows where the mode asks for them ('A': all, 'S': the first ones). */
static void svd(struct call *c, bool divide)
{
	char mode = (char)c->p->mode;
	int status = 0, m = c->m, n = c->n, least = m < n ? m : n, most = m < n ? n : m;
	int u_n = mode == 'A' ? m : least, vt_n = mode == 'A' ? n : least, ldu = mode == 'N' ? 1 : m, ldvt = mode == 'N' ? 1 : vt_n;
	int64_t mn = least, mx = most,
		lwork = c->is_complex ? mn * mn + 2 * mn + 2 * mx + mn * mn : 4 * mn * mn + 7 * mn + 2 * mx + 3 * mn + mx;
	int64_t lrwork = c->is_complex ? 5 * mn * mn + 5 * mn + 2 * mx * mn + 2 * mn * mn + mn : 0;
	int work_n = (int)lwork;
	void *a = columns(c, 0, m, n), *u = take(c, (int64_t)m * u_n, c->element), *vt = take(c, (int64_t)vt_n * n, c->element);
	void *work = take(c, lwork, c->element), *rwork = take(c, lrwork, c->real), *s = part(c, 2, least, c->real);
	int *iwork = take(c, 8 * mn, sizeof(int));
	if (divide && c->is_complex)
		PICK_REAL(c, cgesdd_, zgesdd_)
		(&mode, &m, &n, a, &m, s, u, &ldu, vt, &ldvt, work, &work_n, rwork, iwork, &status, 1);
	else if (divide)
		PICK_REAL(c, sgesdd_, dgesdd_)(&mode, &m, &n, a, &m, s, u, &ldu, vt, &ldvt, work, &work_n, iwork, &status, 1);
	else if (c->is_complex)
		PICK_REAL(c, cgesvd_, zgesvd_)
		(&mode, &mode, &m, &n, a, &m, s, u, &ldu, vt, &ldvt, work, &work_n, rwork, &status, 1, 1);
	else
		PICK_REAL(c, sgesvd_, dgesvd_)(&mode, &mode, &m, &n, a, &m, s, u, &ldu, vt, &ldvt, work, &work_n, &status, 1, 1);
	rows(c, a, 1, m, n, c->element);
	if (mode != 'N') {
		rows(c, u, 3, m, u_n, c->element);
		rows(c, vt, 4, vt_n, n, c->element);
	}
	info(c, 5, status);
}

static void gesdd(struct call *c)
{
	svd(c, true);
}

static void gesvd(struct call *c)
{
	svd(c, false);
}

/* Row-major complex eigenvectors from LAPACK's packed real ones: a conjugate pair has real and imaginary part as two columns. */
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
	char left = (char)c->p->left, right = (char)c->p->right;
	int status = 0, n = c->n, lwork = work_of(c);
	int first = c->is_complex ? 2 : 3; /* of the vectors' buffers */
	int64_t nn = (int64_t)n * n;
	void *a = columns(c, 0, n, n), *vl = take(c, nn, c->element), *vr = take(c, nn, c->element),
	     *work = take(c, lwork, c->element);
	void *rwork = take(c, 2 * (int64_t)n, c->real), *w = part(c, 1, n, c->element), *wi = part(c, 2, n, c->element);
	if (c->is_complex)
		PICK_REAL(c, cgeev_, zgeev_)(&left, &right, &n, a, &n, w, vl, &n, vr, &n, work, &lwork, rwork, &status, 1, 1);
	else
		PICK_REAL(c, sgeev_, dgeev_)(&left, &right, &n, a, &n, w, wi, vl, &n, vr, &n, work, &lwork, &status, 1, 1);
	for (int side = 0; side < 2; side++) {
		void *v = side ? vr : vl;
		if ((side ? right : left) != 'V')
			continue;
		if (c->is_complex)
			rows(c, v, first + side, n, n, c->element);
		else if (c->type == SR_F32)
			unpack_f(v, wi, part(c, first + side, nn, 2 * c->element), n);
		else
			unpack_d(v, wi, part(c, first + side, nn, 2 * c->element), n);
	}
	info(c, first + 2, status);
}

static void gees(struct call *c)
{
	char mode = (char)c->p->mode, sort = 'N';
	int status = 0, n = c->n, lwork = work_of(c), selected = 0, last = c->is_complex ? 4 : 5;
	void *a = columns(c, 0, n, n), *vs = take(c, (int64_t)n * n, c->element), *work = take(c, lwork, c->element),
	     *rwork = take(c, n, c->real);
	void *w = part(c, 3, n, c->element);
	int *bwork = take(c, n, sizeof(int));
	if (c->is_complex)
		PICK_REAL(c, cgees_, zgees_)
		(&mode, &sort, NULL, &n, a, &n, &selected, w, vs, &n, work, &lwork, rwork, bwork, &status, 1, 1);
	else
		PICK_REAL(c, sgees_, dgees_)
	(&mode, &sort, NULL, &n, a, &n, &selected, w, part(c, 4, n, c->element), vs, &n, work, &lwork, bwork, &status, 1, 1);
	rows(c, a, 1, n, n, c->element);
	if (mode == 'V')
		rows(c, vs, 2, n, n, c->element);
	info(c, last, selected);
	info(c, last + 1, status);
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
