/* Splitting of a kernel's work into chunks that a library prepares one by one, so that several workers can run them. A chunk is the
 * same kernel with other params and with byte offsets into its buffers. The number of chunks depends on the shape alone.
 * Convolutions are split by image, a few images into blocks of rows, and those with many weights by output feature; products by
 * matrix, by row or by column of the result; Fourier transforms by line. The gradient of a convolution's weights is a sum over
 * images: each chunk computes some features of it, or its term for some images or for a block of rows, and sr_kernel_add_terms
 * adds the terms. So it does for products with a small result and long sums. */
#ifndef SR_KERNELS_KERNEL_CHUNK_H
#define SR_KERNELS_KERNEL_CHUNK_H

#include "kernels/kernel.h"

enum {
	SR_CHUNK_MAX_BUFFERS = 3,
	SR_CHUNK_MIN_FLOPS = 1 << 28 /* minimum FLOPs of a chunk, for which calling a library is worth its overhead */
};

struct sr_kernel_chunk {
	union {
		struct sr_conv_params conv;
		struct sr_product_params product;
		struct sr_fft_params fft;
	} params;
	int64_t range;
	int n_buffers;
	/* true: the table's function computes the chunk if no library prepares it, and its elements are those of a call for the
	 * entire range; false: the range is split instead */
	bool is_call;
	int64_t offset[SR_CHUNK_MAX_BUFFERS]; /* byte offset of the chunk in each buffer */
	/* bytes of the f32 result if each chunk computes a term of it: chunk 0 in the result's buffer, the others in memory of their
	 * own; 0: chunks compute different elements */
	int64_t term_bytes;
};

/* Return the dimension whose extent is the range of a dynamic_update_slice: the first one along which the slice has several
 * elements, or 0. Workers may divide the range only if the result has the operand's memory: each call copies another operand. */
static inline int sr_update_row_dimension(const struct sr_dynamic_slice_params *p)
{
	int d = 0;
	while (d < p->rank && p->size[d] == 1)
		d++;
	return d < p->rank ? d : 0;
}

/* Return the number of chunks, at least 1; 1: the work is not split. */
int64_t sr_kernel_chunk_count(enum sr_kernel k, const void *params);
/* Describe chunk i of n: the kernel's params for it, and its byte offsets. */
void sr_kernel_get_chunk(enum sr_kernel k, enum sr_dtype t, const void *params, int64_t i, int64_t n, struct sr_kernel_chunk *out);
/* Add the terms of chunks 1..n - 1 to that of chunk 0, in this order, for elements [begin, end). The terms are `stride` elements
 * apart in memory. */
void sr_kernel_add_terms(float *restrict result, const float *restrict terms, int64_t stride, int64_t n, int64_t begin,
			 int64_t end);

#endif
