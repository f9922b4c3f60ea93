/* Batches of products whose left operands, right operands and results fit in one AVX-512 vector each, such as those of 3x3 and 4x4
 * matrices. Included by code.h.
 *
 * Lane i * n + j of the result is the sum over k of lhs[i, k] * rhs[k, j]. For each k, one permutation of the left operand's vector
 * and one of the right operand's bring the factors to their lanes. The sums are in the order of k. */
#ifndef SR_KERNELS_FAST_GEMM_TINY_PRODUCTS_H
#define SR_KERNELS_FAST_GEMM_TINY_PRODUCTS_H

#include "kernels/kernel.h"

/* Return the number of elements from the first to the last one of a matrix; 0: more than `max_elements`, or none. */
static inline int64_t tiny_span(int64_t rows, int64_t row_stride, int64_t columns, int64_t column_stride, int64_t max_elements)
{
	bool fits = rows > 0 && columns > 0 && rows <= max_elements && columns <= max_elements && row_stride >= 0 &&
		    column_stride >= 0 && row_stride <= max_elements && column_stride <= max_elements;
	int64_t span = fits ? (rows - 1) * row_stride + (columns - 1) * column_stride + 1 : 0;
	return span <= max_elements ? span : 0;
}

#ifdef __AVX512F__
#include <immintrin.h>

/* TINY_LEAST: minimum number of products. For fewer, computing the indices of the permutations takes longer than they save. */
enum { TINY_MAX_LANES = 16, TINY_LEAST = 8 };

/* Compute the products [first, last) of the batch. Return false, without a result, if they are not tiny or too few. */
#define TINY_PRODUCTS(id, type, index_type, mask_type, suffix) \
	static bool tiny_products_##id(const struct sr_product_params *p, void *const *buffers, int64_t first, int64_t last) \
	{ \
		enum { VECTOR_LANES = 64 / sizeof(type) }; \
		index_type of_x[TINY_MAX_LANES][VECTOR_LANES] = {0}, of_y[TINY_MAX_LANES][VECTOR_LANES] = {0}; \
		int64_t spans[] = {tiny_span(p->m, p->lhs_m, p->k, p->lhs_k, VECTOR_LANES), \
				   tiny_span(p->k, p->rhs_k, p->n, p->rhs_n, VECTOR_LANES), \
				   tiny_span(p->m, p->n, p->n, 1, VECTOR_LANES)}; \
		mask_type masks[3]; \
		if (last - first < TINY_LEAST || !spans[0] || !spans[1] || !spans[2] || sr_product_out_m(p) != p->n) \
			return false; \
		for (int i = 0; i < 3; i++) \
			masks[i] = (mask_type)((1u << spans[i]) - 1); \
		for (int64_t k = 0; k < p->k; k++) \
			for (int64_t lane = 0; lane < p->m * p->n; lane++) { \
				of_x[k][lane] = (index_type)(lane / p->n * p->lhs_m + k * p->lhs_k); \
				of_y[k][lane] = (index_type)(k * p->rhs_k + lane % p->n * p->rhs_n); \
			} \
		for (int64_t b = first; b < last; b++) { \
			__typeof__(_mm512_setzero_##suffix()) sum = _mm512_setzero_##suffix(); \
			__typeof__(sum) x = _mm512_maskz_loadu_##suffix(masks[0], (const type *)buffers[0] + b * p->lhs_batch); \
			__typeof__(sum) y = _mm512_maskz_loadu_##suffix(masks[1], (const type *)buffers[1] + b * p->rhs_batch); \
			for (int64_t k = 0; k < p->k; k++) \
				sum = _mm512_fmadd_##suffix(_mm512_permutexvar_##suffix(_mm512_loadu_si512(of_x[k]), x), \
							    _mm512_permutexvar_##suffix(_mm512_loadu_si512(of_y[k]), y), sum); \
			_mm512_mask_storeu_##suffix((type *)buffers[2] + b * p->m * p->n, masks[2], sum); \
		} \
		return true; \
	}
TINY_PRODUCTS(F32, float, int32_t, __mmask16, ps)
TINY_PRODUCTS(F64, double, int64_t, __mmask8, pd)
#else
#define tiny_products_F32(p, buffers, first, last) ((void)(p), (void)(buffers), (void)(first), (void)(last), false)
#define tiny_products_F64 tiny_products_F32
#endif
/* There is no kernel for tiny products of integers. */
#define tiny_products_UI32(p, buffers, first, last) ((void)(p), (void)(buffers), (void)(first), (void)(last), false)
#define tiny_products_UI64 tiny_products_UI32

#endif
