/* Windows over sharded dimensions, as convolution and reduce_window have them. Internal to halo. */
#ifndef SR_PARTITION_HALO_HALO_WINDOW_H
#define SR_PARTITION_HALO_HALO_WINDOW_H

#include "partition/halo/halo.h"

/* One window dimension. Places are counted in the input as it is dilated (base): element i is at i * base. Window t begins at
 * t * stride - low and reads `size` places, `dilation` apart. */
struct sr_halo_window {
	int in, kernel, out; /* dimension of the input, of the kernel and of the result; kernel -1: none */
	int64_t size, stride, low, high, base, dilation;
	bool reversed;

	/* what each device reads, where the dimension is worked on in parts */
	struct sr_halo_dim along; /* 0 shards: it is not */
	bool sums;                /* in parts of the window, to be summed; else in parts of the result */
	int64_t start, step, n;   /* device j reads n places from start + j * step on */
	int64_t part, extent;     /* of the input on a device, and of all of it */
	struct sr_halo_transfer *exchange;
};

int64_t sr_halo_window_attr(struct sr_halo *h, const struct sr_op *op, const char *name, int64_t i, int64_t missing);
/* The i-th number of each of the op's window lists; its dilations go by two names. */
void sr_halo_window_read(struct sr_halo *h, const struct sr_op *op, struct sr_halo_window *d, int64_t i, const char *base,
		    const char *dilation);
/* In parts of the result (n_out elements), or of the window, over `along`; the input has `extent` elements. False: no exchange
 * serves it. */
bool sr_halo_window_shard(struct sr_halo *h, struct sr_halo_window *d, struct sr_halo_dim along, bool sums, int64_t n_out, int64_t extent);
/* The places that a device reads of v, the input's local part. The op's own attributes for them are in *d. fill: zeros, or a
 * value. */
struct sr_value *sr_halo_window_exchange(struct sr_halo *h, struct sr_halo_window *d, struct sr_value *v, struct sr_halo_fill fill);
/* padding, and the dilation of the input, as the n dims say now. */
void sr_halo_window_write(struct sr_halo *h, struct sr_op *op, const struct sr_halo_window *dims, int n, const char *base);

#endif
