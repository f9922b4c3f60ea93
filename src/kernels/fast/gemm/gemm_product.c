/* PRODUCT by the built-in matrix multiplication, one batch element after another. A result of another type than the computation's
 * is computed in blocks, which are converted. */
#include "kernels/fast/gemm/gemm.h"

enum { ROWS = 128, COLUMNS = 384 }; /* rows and columns of a block of results that is converted */

static void multiply_and_convert(const struct sr_gemm_code *code, const struct sr_gemm *g, const struct sr_product_params *p,
		void *out,
		      int64_t at)
{
	double *block = (double *)(void *)(g->scratch + code->scratch);
	for (int64_t n = 0; n < g->n; n += COLUMNS)
		for (int64_t m = 0; m < g->m; m += ROWS) {
			struct sr_gemm part = *g;
			part.m = g->m - m < ROWS ? g->m - m : ROWS;
			part.n = g->n - n < COLUMNS ? g->n - n : COLUMNS;
			part.a_at += m * g->a_m;
			part.b_at += n * g->b_n;
			part.c = block;
			part.c_m = part.n;
			code->multiply(&part);
			code->store[p->out](block, part.c_m, part.m, part.n, out, at + m * sr_product_out_m(p) + n,
					    sr_product_out_m(p), 1);
		}
}

/* Turn the product of a matrix and a vector into that of a row and the transposed matrix, whose rows are contiguous. Elements of
 * the result are then lanes of vectors; each sum keeps its order. */
static void transpose(struct sr_gemm *g)
{
	struct sr_gemm original = *g;
	g->m = 1;
	g->n = original.m;
	g->a_type = original.b_type, g->a = original.b, g->a_at = original.b_at, g->a_k = original.b_k, g->a_m = original.b_n;
	g->b_type = original.a_type, g->b = original.a, g->b_at = original.a_at, g->b_k = original.a_k, g->b_n = original.a_m;
	g->c_m = original.m;
}

/* Convert the rows of a to the computation's type, in scratch. */
static void convert_left_operand(const struct sr_gemm_code *code, enum sr_dtype own_type, struct sr_gemm *g)
{
	for (int64_t r = 0; r < g->m; r++)
		code->pack[g->a_type](g->a, g->a_at + r * g->a_m, 1, 1, 1, 1, g->k,
				      g->scratch + r * g->k * sr_dtype_bytes(own_type), 0);
	g->a = g->scratch;
	g->a_at = 0;
	g->a_m = g->k;
	g->a_type = own_type;
}

bool sr_gemm_multiplies_by_dots(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p)
{
	enum { MAX_ROWS = 32, MIN_DEPTH = 64 };
	bool is_narrow = code->is_narrow_operand[p->rhs], is_left_packed = p->m * p->k * (int64_t)sizeof(float) <= code->scratch;
	bool has_kernel = code->own[t] ? code->own[p->rhs] || is_narrow : is_narrow && is_left_packed;
	/* A vector times a matrix of its own type is left to other kernels. */
	bool is_for_others = p->m == 1 && (enum sr_dtype)p->rhs == t;
	return has_kernel && !is_for_others && p->m <= MAX_ROWS && p->k >= MIN_DEPTH && p->lhs_k == 1 && p->rhs_k == 1;
}

int64_t sr_gemm_product_scratch(const struct sr_gemm_code *code, const struct sr_product_params *p)
{
	return code->scratch + (code->own[p->out] ? 0 : (int64_t)sizeof(double) * ROWS * COLUMNS);
}

void sr_gemm_product(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p, void *const *buffers,
		     void *scratch, int64_t begin, int64_t end)
{
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
		if (p->n == 1 && out_m == 1 && p->lhs_m == 1 && p->lhs_k != 1)
			transpose(&g);
		if (g.by_dots && !code->own[t])
			convert_left_operand(code, SR_F32, &g);
		if (code->own[p->out])
			code->multiply(&g);
		else
			multiply_and_convert(code, &g, p, buffers[2], at);
	}
}
