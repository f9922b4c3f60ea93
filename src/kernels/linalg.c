/* Reference kernels of CHOLESKY and TRIANGULAR_SOLVE on batches of row-major matrices; sums are in double. */
#include "kernels/element.h"

#define REAL_CONJ(v) (v)
#define COMPLEX_CONJ(v) __builtin_complex(RE(v), -IM(v))
#define PLAIN_MUL(a, b) ((a) * (b))

/* Compute L with a = L L^H, row by row. For the upper factor U = L^H, the same loops read the upper triangle with swapped indices.
 * A matrix that is not positive definite gives NaN. */
#define CHOLESKY(id, wide, conj, mul, root) \
	static void cholesky_##id(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		const struct sr_linalg_params *p = params; \
		int64_t n = p->n, row = p->lower ? n : 1, col = p->lower ? 1 : n; \
		for (int64_t b = begin; b < end; b++) { \
			const S_##id *a = (const S_##id *)buffers[0] + b * n * n; \
			S_##id *l = (S_##id *)buffers[1] + b * n * n; \
			for (int64_t i = 0; i < n; i++) { \
				for (int64_t j = 0; j <= i; j++) { \
					wide sum = a[i * row + j * col]; \
					if (!p->lower) \
						sum = conj(sum); \
					for (int64_t k = 0; k < j; k++) { \
						wide x = l[i * row + k * col], y = l[j * row + k * col]; \
						sum -= p->lower ? mul(x, conj(y)) : mul(conj(x), y); \
					} \
					wide d = l[j * row + j * col]; \
					sum = i == j ? root : sum / d; \
					l[i * row + j * col] = (S_##id)(p->lower ? sum : conj(sum)); \
				} \
				for (int64_t j = i + 1; j < n; j++) \
					l[i * row + j * col] = 0; \
			} \
		} \
	}
CHOLESKY(F32, double, REAL_CONJ, PLAIN_MUL, sqrt(sum))
CHOLESKY(F64, double, REAL_CONJ, PLAIN_MUL, sqrt(sum))
CHOLESKY(C64, sr_c128, COMPLEX_CONJ, CMUL, sqrt(RE(sum)))
CHOLESKY(C128, sr_c128, COMPLEX_CONJ, CMUL, sqrt(RE(sum)))

/* Solve triangular systems by substitution, one vector of b at a time. x op(a) = b is op(a)^T x^T = b^T; so for a right-side solve,
 * as for a transposed one, the matrix is read with swapped indices and lower becomes upper. */
#define TRIANGULAR(id, wide, conj, mul) \
	static void triangular_##id(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		const struct sr_linalg_params *p = params; \
		int64_t size = p->left ? p->m : p->n, vectors = p->left ? p->n : p->m; \
		int64_t step = p->left ? p->n : 1, next = p->left ? 1 : p->n; \
		bool swap = (p->transpose != 0) != !p->left, lower = (p->lower != 0) != swap; \
		int64_t row = swap ? 1 : size, col = swap ? size : 1; \
		for (int64_t v = begin * vectors; v < end * vectors; v++) { \
			const S_##id *a = (const S_##id *)buffers[0] + v / vectors * size * size; \
			int64_t at = v / vectors * p->m * p->n + v % vectors * next; \
			const S_##id *b = (const S_##id *)buffers[1] + at; \
			S_##id *x = (S_##id *)buffers[2] + at; \
			for (int64_t s = 0; s < size; s++) { \
				int64_t i = lower ? s : size - 1 - s; \
				wide sum = b[i * step]; \
				for (int64_t k = lower ? 0 : i + 1, stop = lower ? i : size; k < stop; k++) { \
					wide y = a[i * row + k * col], z = x[k * step]; \
					y = p->transpose == 2 ? conj(y) : y; \
					sum -= mul(y, z); \
				} \
				wide d = a[i * row + i * col]; \
				x[i * step] = (S_##id)(p->unit ? sum : sum / (p->transpose == 2 ? conj(d) : d)); \
			} \
		} \
	}
TRIANGULAR(F32, double, REAL_CONJ, PLAIN_MUL)
TRIANGULAR(F64, double, REAL_CONJ, PLAIN_MUL)
TRIANGULAR(C64, sr_c128, COMPLEX_CONJ, CMUL)
TRIANGULAR(C128, sr_c128, COMPLEX_CONJ, CMUL)

void sr_kernels_init_linalg(struct sr_kernels *table)
{
#define ROW(id) \
	table->fn[SR_KERNEL_CHOLESKY][SR_##id] = cholesky_##id; \
	table->fn[SR_KERNEL_TRIANGULAR_SOLVE][SR_##id] = triangular_##id;
	ROW(F32)
	ROW(F64)
	ROW(C64)
	ROW(C128)
#undef ROW
}
