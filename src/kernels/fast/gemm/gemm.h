/* Products of our own: of types that no library has, or has slower. Internal to this folder. */
#ifndef SR_KERNELS_FAST_GEMM_GEMM_H
#define SR_KERNELS_FAST_GEMM_GEMM_H

#include "kernels/element.h"
#include "kernels/fast/fast.h"

/* c = a b, or c += a b, in one type's arithmetic: a [m][k] and b [k][n] of any types that it reads, c [m][n] of its own with rows
 * c_m apart. */
struct sr_gemm {
	int64_t m, n, k;
	enum sr_dtype a_type, b_type;
	const void *a, *b;
	int64_t a_at, a_m, a_k, b_at, b_k, b_n; /* first elements and strides */
	void *c;
	int64_t c_m;
	char *scratch; /* sr_gemm_code.scratch bytes, 64-aligned */
	bool more;
	bool far; /* a and b may be in memory, and are not just written */
};

/* Strips of a width, so many elements apart: to[i / width * apart + p * width + i % width] = from[at + i * across + p * along].
 * n is a multiple of the width, or less than it: then there is 0 from i = n on. */
typedef void sr_gemm_pack_fn(const void *from, int64_t at, int64_t across, int64_t along, int64_t n, int64_t width, int64_t k,
			     void *to, int64_t apart);
/* to[at + r * to_m + c * to_n] = from[r * from_m + c] */
typedef void sr_gemm_store_fn(const void *from, int64_t from_m, int64_t rows, int64_t cols, void *to, int64_t at, int64_t to_m,
			      int64_t to_n);

struct sr_gemm_code { /* one type's arithmetic, in an instruction set */
	void (*multiply)(const struct sr_gemm *g);
	int64_t scratch; /* bytes that multiply uses: operands in order */
	void (*narrow)(const struct sr_product_params *p, void *const *buffers, int64_t begin, int64_t end);
	bool own[SR_DTYPE_COUNT];                /* these types are what it computes with, as they stand in memory */
	sr_gemm_pack_fn *pack[SR_DTYPE_COUNT];   /* by the operands' types; NULL: not read */
	sr_gemm_store_fn *store[SR_DTYPE_COUNT]; /* by the result's */
};

/* Rows [begin, end) of a product, and of a convolution; false: it has a form that is the reference's. The scratch has
 * sr_gemm_product_scratch or sr_gemm_convolution_scratch bytes. */
void sr_gemm_product(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p, void *const *buffers,
		     void *scratch, int64_t begin, int64_t end);
bool sr_gemm_convolution(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_conv_params *p, void *const *buffers,
		     void *scratch, int64_t begin, int64_t end);
int64_t sr_gemm_product_scratch(const struct sr_gemm_code *code, const struct sr_product_params *p);
int64_t sr_gemm_convolution_scratch(const struct sr_gemm_code *code);

#endif
