/* LAPACK's Cholesky, LU and QR factorizations and triangular solves for small matrices, a vector of matrices at a time:
 * small_factors.h and small_reflectors.h, for each instruction set and type. Calls of LAPACK for matrices of a few rows take most
 * of their time for anything but arithmetic. A single matrix takes this path, too, so that a batch has the same bits however it is
 * sharded. Eigenvalues stay LAPACK's: another rounding of the same algorithm exchanges the signs of some eigenvectors.
 *
 * Larger Cholesky factorizations are blocked here, with a triangular solve that is faster than OpenBLAS's. */
#include "kernels/fast/blas.h"
#include "support/thread.h"
#include <math.h>
#include <string.h>

enum {
	MAX_ORDER = 32,
	MAX_VECTOR_BYTES = 64,
	PANEL = 64 /* columns of a panel of the blocked Cholesky factorization */
};

/* A triangular system. Elements (i, j) and (j, i) of the stored triangle are exchanged if it is transposed. */
struct triangle {
	int64_t order, columns, row, column, x_row, x_column;
	bool lower, unit;
};

/* LAPACK's kernels, which were registered before those of this file. They are equal for all kernel tables, so several threads may
 * store them. */
static sr_kernel_fn *_Atomic lapack[2];

static sr_kernel_fn *lapack_of(size_t element)
{
	return sr_relaxed_load(lapack[element == sizeof(double)]);
}

static bool is_small(const struct sr_lapack_params *p)
{
	switch (p->routine) {
	case SR_LAPACK_POTRF:
		return p->n > 0 && p->n <= MAX_ORDER;
	case SR_LAPACK_GETRF:
	case SR_LAPACK_TRSM:
	case SR_LAPACK_GEQRF:
	case SR_LAPACK_ORGQR:
		return p->m > 0 && p->n > 0 && p->m <= MAX_ORDER && p->n <= MAX_ORDER;
	default:
		return false;
	}
}

/* Return the number of rows of the matrix. The params of routines for square matrices have n alone. */
static int64_t rows_of(const struct sr_lapack_params *p)
{
	return p->routine == SR_LAPACK_POTRF ? p->n : p->m;
}

static struct triangle triangle_of(const struct sr_lapack_params *p)
{
	bool is_left = p->side == 'L', is_transposed = (p->trans != 'N') != !is_left; /* X T = B is solved as T^T X^T = B^T */
	struct triangle t = {.order = is_left ? p->m : p->n, .columns = is_left ? p->n : p->m, .x_row = is_left ? p->n : 1,
			     .x_column = is_left ? 1 : p->n, .lower = (p->uplo == 'L') != is_transposed, .unit = p->diag == 'U'};
	t.row = is_transposed ? 1 : t.order;
	t.column = is_transposed ? t.order : 1;
	return t;
}

/* Return the scratch bytes for the matrices in lanes; 0 if LAPACK computes them, whose scratch sr_kernel_planned_scratch covers. */
static int64_t factor_scratch(enum sr_dtype t, const void *params)
{
	const struct sr_lapack_params *p = params;
	if ((t != SR_F32 && t != SR_F64) || !is_small(p))
		return 0;
	int64_t order = p->routine == SR_LAPACK_TRSM ? triangle_of(p).order : 0;
	return (rows_of(p) * p->n + order * order) * MAX_VECTOR_BYTES;
}

#if defined(__x86_64__)
#pragma GCC push_options
#pragma GCC target("avx2", "fma")
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=fast")
#define BYTES 32
#define BITS 32
#define FN(name) name##_avx2_F32
#include "kernels/fast/small_factors.h"
#define BITS 64
#define FN(name) name##_avx2_F64
#include "kernels/fast/small_factors.h"
#undef BYTES
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f", "avx512bw", "avx512dq", "avx512vl", "fma", "prefer-vector-width=512")
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=fast")
#define BYTES 64
#define BITS 32
#define FN(name) name##_avx512_F32
#include "kernels/fast/small_factors.h"
#define BITS 64
#define FN(name) name##_avx512_F64
#include "kernels/fast/small_factors.h"
#undef BYTES
#pragma GCC pop_options
#endif

void sr_kernels_fast_small_factors(struct sr_kernels *table, enum sr_isa isa)
{
#if defined(__x86_64__)
	static sr_kernel_fn *const by_isa[SR_ISA_COUNT][2] = {
		[SR_ISA_AVX2] = {lapack_avx2_F32, lapack_avx2_F64},
		[SR_ISA_AVX512] = {lapack_avx512_F32, lapack_avx512_F64},
	};
	for (int i = 0; i < 2 && by_isa[isa][i]; i++) {
		enum sr_dtype t = i ? SR_F64 : SR_F32;
		sr_relaxed_store(lapack[i], table->fn[SR_KERNEL_LAPACK][t]);
		sr_kernels_set(table, SR_KERNEL_LAPACK, t, by_isa[isa][i]);
	}
	if (by_isa[isa][0])
		table->scratch[SR_KERNEL_LAPACK] = factor_scratch;
#else
	(void)table;
	(void)isa;
#endif
}
