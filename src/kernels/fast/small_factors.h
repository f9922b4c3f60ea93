/* Factorizations and triangular solves of batches of small matrices for one instruction set and element type: one lane of a vector
 * for each of LANES matrices. Included by small_factors.c, which defines:
 *	BITS, BYTES   bits of an element, f32 or f64, and bytes of a vector
 *	FN(name)      the name of a function of this instruction set and type */
#if BITS == 32
#define S float
#define INTEGER int32_t
#define UNSIGNED uint32_t
#define SQUARE_ROOT __builtin_sqrtf
#define BLAS_NAME(name) s##name
#define CBLAS_NAME(name) cblas_s##name
#else
#define S double
#define INTEGER int64_t
#define UNSIGNED uint64_t
#define SQUARE_ROOT __builtin_sqrt
#define BLAS_NAME(name) d##name
#define CBLAS_NAME(name) cblas_d##name
#endif
#define LANES ((int)(BYTES / sizeof(S)))
#define SIGNLESS ((INTEGER)(~(UNSIGNED)0 >> 1)) /* the bits of an element without its sign */

typedef S FN(vector) __attribute__((vector_size(BYTES), aligned(16), may_alias));
typedef INTEGER FN(mask) __attribute__((vector_size(BYTES), aligned(16), may_alias));

/* Copy n matrices of `elements` elements into lanes. Further lanes repeat the last matrix. */
static void FN(load)(FN(vector) *to, const S *from, int64_t elements, int n)
{
	const S *matrix[LANES];
	for (int l = 0; l < LANES; l++)
		matrix[l] = from + (l < n ? l : n - 1) * elements;
	for (int64_t e = 0; e < elements; e++)
		for (int l = 0; l < LANES; l++)
			((S *)(to + e))[l] = matrix[l][e];
}

static void FN(store)(const FN(vector) *from, S *to, int64_t elements, int n)
{
	for (int l = 0; l < n; l++)
		for (int64_t e = 0; e < elements; e++)
			to[l * elements + e] = ((const S *)(from + e))[l];
}

/* Factor a = L L^T (Cholesky). Element (i, j) of the triangle is a[i * row + j * column]. Clear *good in
 * lanes where a pivot is not positive. */
static void FN(cholesky)(FN(vector) *a, int64_t n, int64_t row, int64_t column, FN(mask) *good)
{
	for (int64_t j = 0; j < n; j++) {
		for (int64_t k = 0; k < j; k++) {
			FN(vector) factor = a[j * row + k * column];
			for (int64_t i = j; i < n; i++)
				a[i * row + j * column] -= a[i * row + k * column] * factor;
		}
		FN(vector) *pivot = a + j * row + j * column;
		*good &= *pivot > 0;
		for (int l = 0; l < LANES; l++)
			((S *)pivot)[l] = SQUARE_ROOT(((S *)pivot)[l]);
		for (int64_t i = j + 1; i < n; i++)
			a[i * row + j * column] /= *pivot;
	}
}

/* Exchange rows k and at[l] of an m x n matrix in lane l; at[l] >= k. */
static void FN(exchange)(FN(vector) *a, int64_t m, int64_t n, int64_t k, const FN(mask) *at)
{
	for (int64_t i = k + 1; i < m; i++) {
		FN(mask) exchange_mask = *at == (INTEGER)i;
		int any = 0;
		for (int l = 0; l < LANES; l++)
			any |= exchange_mask[l] != 0;
		for (int64_t j = 0; any && j < n; j++) {
			FN(mask) *x = (FN(mask) *)(void *)(a + k * n + j), *y = (FN(mask) *)(void *)(a + i * n + j);
			FN(mask) differing = (*x ^ *y) & exchange_mask;
			*x ^= differing;
			*y ^= differing;
		}
	}
}

/* Factor a = P L U with partial pivoting; a is m x n. pivots[k]: the row that was exchanged with row k. Clear *good in
 * lanes where a pivot is zero or not finite, or its column has a NaN. */
static void FN(lu)(FN(vector) *a, int64_t m, int64_t n, FN(mask) *pivots, FN(mask) *good)
{
	for (int64_t k = 0; k < m && k < n; k++) {
		FN(vector) largest = {0};
		FN(mask) *bits = (FN(mask) *)(void *)&largest, at = (FN(mask)){0} + (INTEGER)k;
		for (int64_t i = k; i < m; i++) {
			FN(mask) magnitude = *(const FN(mask) *)(const void *)(a + i * n + k) & SIGNLESS;
			FN(mask) larger = (FN(vector))magnitude > largest;
			*good &= (FN(vector))magnitude >= 0;
			*bits = (larger & magnitude) | (~larger & *bits);
			at = (larger & (INTEGER)i) | (~larger & at);
		}
		*good &= (largest > 0) & (largest - largest == 0);
		pivots[k] = at;
		FN(exchange)(a, m, n, k, &at);
		for (int64_t i = k + 1; i < m; i++) {
			FN(vector) factor = a[i * n + k] / a[k * n + k];
			a[i * n + k] = factor;
			for (int64_t j = k + 1; j < n; j++)
				a[i * n + j] -= factor * a[k * n + j];
		}
	}
}

/* Solve T X = B in place. Element (i, j) of the triangle T is a[i * row + j * column], element (i, c) of X is
 * x[i * x_row + c * x_column]. */
static void FN(solve)(const struct triangle *t, const FN(vector) *a, FN(vector) *x)
{
	for (int64_t step = 0; step < t->order; step++) {
		int64_t i = t->lower ? step : t->order - 1 - step;
		for (int64_t step_before = 0; step_before < step; step_before++) {
			int64_t j = t->lower ? step_before : t->order - 1 - step_before;
			for (int64_t c = 0; c < t->columns; c++)
				x[i * t->x_row + c * t->x_column] -= a[i * t->row + j * t->column] * x[j * t->x_row + c * t->x_column];
		}
		for (int64_t c = 0; !t->unit && c < t->columns; c++)
			x[i * t->x_row + c * t->x_column] /= a[i * t->row + i * t->column];
	}
}

/* Solve one triangular system T X = B. The columns of T and X are contiguous in `scratch`. Each element is computed by the same
 * operations in the same order as by `solve`. */
static void FN(solve_single)(const struct triangle *t, const S *from, const S *b, S *to, S *scratch)
{
	int64_t n = t->order;
	S *a = scratch, *x = a + n * n;
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n; i++)
			a[j * n + i] = from[i * t->row + j * t->column];
	for (int64_t c = 0; c < t->columns; c++, x += n) {
		for (int64_t i = 0; i < n; i++)
			x[i] = b[i * t->x_row + c * t->x_column];
		for (int64_t step = 0; step < n; step++) {
			int64_t j = t->lower ? step : n - 1 - step, first = t->lower ? j + 1 : 0, end = t->lower ? n : j;
			S factor = t->unit ? x[j] : x[j] / a[j * n + j];
			x[j] = factor;
			for (int64_t i = first; i < end; i++)
				x[i] -= a[j * n + i] * factor;
		}
		for (int64_t i = 0; i < n; i++)
			to[i * t->x_row + c * t->x_column] = x[i];
	}
}

#include "kernels/fast/small_reflectors.h"

/* Compute matrix l of the batch with LAPACK if the lane of its vector had numbers for which the loops over lanes are not meant. */
static void FN(repair)(const struct sr_lapack_params *p, void *const *buffers, void *scratch, int64_t begin, int n, const FN(mask) *good)
{
	for (int l = 0; l < n; l++)
		if (!(*good)[l])
			lapack_of(sizeof(S))(p, buffers, scratch, begin + l, begin + l + 1);
}

/* Factor up to LANES matrices by Cholesky or LU. */
static void FN(factor)(const struct sr_lapack_params *p, void *const *buffers, void *scratch, int64_t begin, int n)
{
	bool is_lu = p->routine == SR_LAPACK_GETRF;
	int64_t rows = rows_of(p), elements = rows * p->n, n_pivots = rows < p->n ? rows : p->n;
	FN(vector) *a = scratch;
	FN(mask) pivots[MAX_ORDER], good = ~(FN(mask)){0};
	FN(load)(a, (const S *)buffers[0] + begin * elements, elements, n);
	if (is_lu)
		FN(lu)(a, rows, p->n, pivots, &good);
	else
		FN(cholesky)(a, p->n, p->uplo == 'L' ? p->n : 1, p->uplo == 'L' ? 1 : p->n, &good);
	FN(store)(a, (S *)buffers[1] + begin * elements, elements, n);
	for (int l = 0; l < n; l++) {
		for (int64_t k = 0; is_lu && k < n_pivots; k++)
			((int32_t *)buffers[2])[(begin + l) * n_pivots + k] = (int32_t)pivots[k][l] + 1;
		((int32_t *)buffers[is_lu ? 3 : 2])[begin + l] = 0;
	}
	FN(repair)(p, buffers, scratch, begin, n, &good);
}

/* Solve up to LANES triangular systems. */
static void FN(solve_batch)(const struct sr_lapack_params *p, void *const *buffers, void *scratch, int64_t begin, int n)
{
	struct triangle t = triangle_of(p);
	int64_t elements = p->m * p->n, triangle_elements = t.order * t.order;
	FN(vector) *a = scratch, *x = a + triangle_elements;
	if (n == 1) {
		FN(solve_single)(&t, (const S *)buffers[0] + begin * triangle_elements, (const S *)buffers[1] + begin * elements,
				 (S *)buffers[2] + begin * elements, scratch);
		return;
	}
	FN(load)(a, (const S *)buffers[0] + begin * triangle_elements, triangle_elements, n);
	FN(load)(x, (const S *)buffers[1] + begin * elements, elements, n);
	FN(solve)(&t, a, x);
	FN(store)(x, (S *)buffers[2] + begin * elements, elements, n);
}

/* Factor up to LANES matrices by QR, or compute Q from the factors. */
static void FN(orthogonal)(const struct sr_lapack_params *p, void *const *buffers, void *scratch, int64_t begin, int n)
{
	bool is_factor = p->routine == SR_LAPACK_GEQRF;
	int64_t elements = p->m * p->n, reflections = is_factor ? (p->m < p->n ? p->m : p->n) : p->k;
	FN(vector) *a = scratch, tau[MAX_ORDER];
	FN(mask) good = ~(FN(mask)){0};
	FN(load)(a, (const S *)buffers[0] + begin * elements, elements, n);
	if (is_factor) {
		FN(qr)(a, p->m, p->n, tau, &good);
		FN(store)(tau, (S *)buffers[2] + begin * reflections, reflections, n);
	} else {
		FN(load)(tau, (const S *)buffers[1] + begin * reflections, reflections, n);
		FN(generate)(a, p->m, p->n, p->n, reflections, tau);
	}
	FN(store)(a, (S *)buffers[is_factor ? 1 : 2] + begin * elements, elements, n);
	FN(repair)(p, buffers, scratch, begin, n, &good);
}

/* Solve x D^T = x in place for the lower triangle D of order PANEL. The rows of both are at a distance of `row` elements. x has m
 * rows; as many as fill two vectors are solved at once, transposed. */
static void FN(solve_panel)(const S *d, S *x, int64_t row, int64_t m)
{
	FN(vector) t[PANEL][2] __attribute__((aligned(64)));
	S *elements = (S *)t, inverse[PANEL];
	for (int64_t j = 0; j < PANEL; j++)
		inverse[j] = 1 / d[j * row + j];
	for (int64_t i = 0; i < m; i += 2 * LANES) {
		int64_t rows = m - i < 2 * LANES ? m - i : 2 * LANES;
		for (int64_t r = 0; r < 2 * LANES; r++)
			for (int64_t j = 0; j < PANEL; j++)
				elements[j * 2 * LANES + r] = x[(i + (r < rows ? r : rows - 1)) * row + j];
		for (int64_t j = 0; j < PANEL; j += 4) {
			FN(vector) a[4][2];
			const S *factor = d + j * row;
			for (int c = 0; c < 4; c++)
				a[c][0] = t[j + c][0], a[c][1] = t[j + c][1];
			for (int64_t k = 0; k < j; k++)
				for (int c = 0; c < 4; c++) {
					a[c][0] -= t[k][0] * factor[c * row + k];
					a[c][1] -= t[k][1] * factor[c * row + k];
				}
			for (int c = 0; c < 4; c++)
				for (int v = 0; v < 2; v++) {
					for (int k = 0; k < c; k++)
						a[c][v] -= a[k][v] * factor[c * row + j + k];
					a[c][v] *= inverse[j + c];
					t[j + c][v] = a[c][v];
				}
		}
		for (int64_t r = 0; r < rows; r++)
			for (int64_t j = 0; j < PANEL; j++)
				x[(i + r) * row + j] = elements[j * 2 * LANES + r];
	}
}

/* Factor a lower triangle by the right-looking blocked algorithm: LAPACK factors the diagonal blocks, BLAS updates the rest. */
static int FN(factor_panels)(S *a, int n)
{
	int status = 0, panel = PANEL;
	for (int j = 0; !status && j < n; j += PANEL) {
		S *d = a + (int64_t)j * n + j, *x = d + (int64_t)PANEL * n;
		int m = n - j - PANEL, order = m < 0 ? n - j : PANEL;
		/* in column-major order, d is the upper triangle */
		sr_blas.BLAS_NAME(potrf_)("U", &order, d, &n, &status, 1);
		status += status > 0 ? j : 0;
		if (status || m <= 0)
			break;
		FN(solve_panel)(d, x, n, m);
		sr_blas.CBLAS_NAME(syrk)(CblasRowMajor, CblasLower, CblasNoTrans, m, panel, -1, x, n, 1, x + PANEL, n);
	}
	return status;
}

static void FN(large_cholesky)(const struct sr_lapack_params *p, void *const *buffers, int64_t begin, int64_t end)
{
	for (int64_t i = begin; i < end; i++) {
		S *a = (S *)buffers[1] + i * p->n * p->n;
		memcpy(a, (const S *)buffers[0] + i * p->n * p->n, (size_t)(p->n * p->n) * sizeof(S));
		((int32_t *)buffers[2])[i] = FN(factor_panels)(a, (int)p->n);
	}
}

static void FN(lapack)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	static void (*const by_routine[SR_LAPACK_COUNT])(const struct sr_lapack_params *, void *const *, void *, int64_t, int) = {
		[SR_LAPACK_POTRF] = FN(factor),
		[SR_LAPACK_GETRF] = FN(factor),
		[SR_LAPACK_TRSM] = FN(solve_batch),
		[SR_LAPACK_GEQRF] = FN(orthogonal),
		[SR_LAPACK_ORGQR] = FN(orthogonal),
	};
	const struct sr_lapack_params *p = params;
	if (p->routine == SR_LAPACK_POTRF && p->uplo == 'L' && p->n > PANEL) {
		FN(large_cholesky)(p, buffers, begin, end);
		return;
	}
	if (!is_small(p)) {
		lapack_of(sizeof(S))(params, buffers, scratch, begin, end);
		return;
	}
	for (int64_t i = begin; i < end; i += LANES)
		by_routine[p->routine](p, buffers, scratch, i, end - i < LANES ? (int)(end - i) : LANES);
}
#undef BITS
#undef LANES
#undef SIGNLESS
#undef S
#undef INTEGER
#undef UNSIGNED
#undef FN
#undef SQUARE_ROOT
#undef BLAS_NAME
#undef CBLAS_NAME
