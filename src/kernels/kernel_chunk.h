/* Parts of a kernel's work that libraries make ready one by one, so that workers can share them: each is the same kernel with
 * params of its own, on buffers that begin later. How many there are follows from the shape alone. Convolutions are cut by images,
 * products by whole matrices or rows, Fourier transforms by lines, or whatever has their dimensions. */
#ifndef SR_KERNELS_KERNEL_CHUNK_H
#define SR_KERNELS_KERNEL_CHUNK_H

#include "kernels/kernel.h"

enum { SR_CHUNK_MAX_BUFFERS = 3 };

struct sr_kernel_chunk {
	union {
		struct sr_conv_params conv;
		struct sr_product_params product;
		struct sr_fft_params fft;
	} params;
	int64_t range;
	int n_buffers;
	int64_t offset[SR_CHUNK_MAX_BUFFERS]; /* bytes */
};

/* At least 1; 1: the whole. */
int64_t sr_kernel_chunk_count(enum sr_kernel k, const void *params);
/* Part i of so many. */
void sr_kernel_get_chunk(enum sr_kernel k, enum sr_dtype t, const void *params, int64_t i, int64_t n, struct sr_kernel_chunk *out);

#endif
