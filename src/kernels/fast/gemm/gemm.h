/* Built-in matrix multiplication, for types that no library supports or for which libraries are slower. Internal to
 * kernels/fast/gemm.
 *
 * The algorithm resembles GotoBLAS and BLIS: the right operand is packed into panels, the left one into strips of rows, and a
 * micro-kernel accumulates a register tile over k. With AVX-512, the micro-kernel also packs the right operand's next panel
 * between its multiplications, and prefetches the left operand's next rows and the next tile of the result. */
#ifndef SR_KERNELS_FAST_GEMM_GEMM_H
#define SR_KERNELS_FAST_GEMM_GEMM_H

#include "kernels/element.h"
#include "kernels/fast/fast.h"

/* Arguments of a multiplication c = a b, or c += a b, in one type's arithmetic: a [m][k] and b [k][n] of any supported types, c
 * [m][n] of the computation's type with rows c_m elements apart. */
struct sr_gemm {
	int64_t m, n, k;
	enum sr_dtype a_type, b_type;
	const void *a, *b;
	int64_t a_at, a_m, a_k, b_at, b_k, b_n; /* offsets of the operands' first elements, and strides, in elements */
	void *c;
	int64_t c_m;
	char *scratch; /* scratch of sr_gemm_code.scratch bytes, 64-byte aligned */
	bool accumulates; /* add the product to c instead of overwriting c */
	bool by_dots;     /* compute dot products (sr_gemm_multiplies_by_dots); a has the computation's type, and c is overwritten */
	bool by_streams;  /* multiply a vector by a matrix (sr_gemm_multiplies_by_streams); as for by_dots */
	bool may_be_uncached; /* a and b may be in main memory; false: they have just been written to cache */
	bool is_a_packed;     /* a is the result of sr_gemm_code.pack_left for the same m and k */
};

/* Pack an operand into strips of `width`:
 *	to[i / width * strip_stride + p * width + i % width] = from[at + i * i_stride + p * k_stride]
 * n is a multiple of the width, or less than the width; in the second case the rest of the strip is zero. */
typedef void sr_gemm_pack_fn(const void *from, int64_t at, int64_t i_stride, int64_t k_stride, int64_t n, int64_t width, int64_t k,
			     void *to, int64_t strip_stride);
/* Store a block of results as elements of another type: to[at + r * to_m + c * to_n] = from[r * from_m + c]. */
typedef void sr_gemm_store_fn(const void *from, int64_t from_m, int64_t rows, int64_t cols, void *to, int64_t at, int64_t to_m,
			      int64_t to_n);

struct sr_gemm_code { /* functions of the multiplication in one type's arithmetic for one instruction set */
	void (*multiply)(const struct sr_gemm *g);
	int64_t scratch; /* bytes of scratch for packed operands that `multiply` needs */
	/* Pack the whole left operand of g, m * k elements of the computation's type, for several multiplications. */
	void (*pack_left)(const struct sr_gemm *g, void *to);
	void (*narrow)(const struct sr_product_params *p, void *const *buffers, int64_t begin, int64_t end);
	bool own[SR_DTYPE_COUNT]; /* true for operand types whose representation in memory is the computation's type */
	sr_gemm_pack_fn *pack[SR_DTYPE_COUNT];   /* packing function for each operand type; NULL: the type is not supported */
	/* function that stores results, for each result type; NULL: the type is not supported */
	sr_gemm_store_fn *store[SR_DTYPE_COUNT];
	/* true for the narrower types of right operands that are read in place if the product has few rows */
	bool is_narrow_operand[SR_DTYPE_COUNT];
	enum sr_dtype type; /* the computation's type */
	int64_t lanes; /* elements of the computation's type in a vector */
};

/* Return true if few rows times a matrix that is contiguous along k, x W^T, are computed as the transposed product, W x^T, which
 * reads W once and in place as the left operand: with rows for a full vector, or if x is not contiguous along k. */
bool sr_gemm_multiplies_transposed(const struct sr_gemm_code *code, const struct sr_product_params *p);

/* Return true for a product with few rows whose operands are contiguous along k, as in a linear layer x W^T: its elements are
 * computed as dot products, which read the right operand once and in place. */
bool sr_gemm_multiplies_by_dots(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p);
/* Return true for a vector times a matrix with few columns and contiguous rows, as probabilities times the values of attention with
 * a cache: several sequences of rows are read at once. */
bool sr_gemm_multiplies_by_streams(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p);
/* Compute rows [begin, end) of a product; sr_gemm_convolution does so for a convolution, and returns false for one that only the
 * reference supports. `scratch` has sr_gemm_product_scratch or sr_gemm_convolution_scratch bytes. */
void sr_gemm_product(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p, void *const *buffers,
		     void *scratch, int64_t begin, int64_t end);
bool sr_gemm_convolution(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_conv_params *p, void *const *buffers,
		     void *scratch, int64_t begin, int64_t end);
int64_t sr_gemm_product_scratch(const struct sr_gemm_code *code, enum sr_dtype t, const struct sr_product_params *p);
int64_t sr_gemm_convolution_scratch(const struct sr_gemm_code *code);

#endif
