/* Windows over sharded dimensions, for convolution and reduce_window. Internal to halo. */
#ifndef SR_PARTITION_HALO_HALO_WINDOW_H
#define SR_PARTITION_HALO_HALO_WINDOW_H

#include "partition/halo/halo.h"

/* One dimension of a window. Positions are those of the dilated input (base dilation): element i is at position i * base. Window t
 * starts at position t * stride - low and reads `size` positions, `dilation` apart. */
struct sr_halo_window {
	int in, kernel, out; /* dimension of the input, of the kernel (-1: none) and of the result */
	int64_t size, stride, low, high, base, dilation;
	bool is_reversed;

	/* the members below describe the positions that each device reads, if the dimension is partitioned */
	struct sr_halo_dim shards;     /* sharding of the dimension; 0 shards: not partitioned */
	/* true: partitioned along the window, and partial results are summed; false: partitioned along the result */
	bool is_window_sharded;
	int64_t start, step, n;       /* device j reads n positions from start + j * step on */
	int64_t shard_extent, extent; /* extent of the input per device, and in total */
	struct sr_halo_transfer *transfer;
};

/* Read element i of each of the op's window attributes. base, dilation: names of its two dilation attributes; NULL if it has
 * none. */
void sr_halo_window_read(struct sr_expansion *h, const struct sr_op *op, struct sr_halo_window *d, int64_t i, const char *base,
			 const char *dilation);
/* Partition the dimension over `halo_dim`: along the window if `sums_window` (each device then has partial sums), or along the
 * result, which has n_out elements. extent: extent of the input. Returns false if no transfer can supply the positions that the
 * devices read. */
bool sr_halo_window_shard(struct sr_expansion *h, struct sr_halo_window *d, struct sr_halo_dim halo_dim, bool sums_window, int64_t n_out,
			  int64_t extent);
/* Return the positions that a device reads, from v, the local shard of the input. Sets the padding and base dilation of *d to those
 * of the local op. fill: zeros, or the reduction's init value. */
struct sr_value *sr_halo_window_exchange(struct sr_expansion *h, struct sr_halo_window *d, struct sr_value *v, struct sr_halo_fill fill);
/* Set the op's padding and base dilation attributes from dims[n]. */
void sr_halo_window_write(struct sr_expansion *h, struct sr_op *op, const struct sr_halo_window *dims, int n, const char *base);

#endif
