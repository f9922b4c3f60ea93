/* Halo exchange: functions shared by the forms (form/form.h) of ops that move elements along a sharded dimension. Each device sends
 * boundary elements to the devices that need them. Internal to partition. */
#ifndef SR_PARTITION_HALO_H
#define SR_PARTITION_HALO_H

#include "partition/expand/expand.h"

/* The sharding of one dimension of the op: its axes and number of shards. */
struct sr_halo_dim {
	struct sr_axes axes;
	int64_t shards;
};
struct sr_expansion sr_halo_of(const struct sr_form_query *q);
struct sr_halo_dim sr_halo_dim_of(struct sr_expansion *h, const struct sr_sdy_sharding *s, int dim);

/* Return true for a static tensor type without empty dimensions whose rank is that of the sharding. */
bool sr_halo_is_supported(const struct sr_type *t, const struct sr_sdy_sharding *s);

/* On device j along d, slice elements [first[j], first[j] + n) of dimension dim. */
struct sr_value *sr_halo_slice_per_device(struct sr_expansion *h, struct sr_value *v, int dim, struct sr_halo_dim d,
					  const int64_t *first, int64_t n);
/* Return v, a local shard of a dimension of `extent` elements, with its padding replaced by `scalar` (NULL: 0). */
struct sr_value *sr_halo_masked(struct sr_expansion *h, struct sr_value *v, int dim, struct sr_halo_dim d, int64_t extent,
				struct sr_value *scalar);
/* Return a / b rounded towards minus infinity; b > 0. */
static inline int64_t sr_halo_floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* ---- transfers: every device gets ranges of a dimension from any other device (halo_transfer.c) ---- */

/* Location of the elements [begin, end) of a value along the dimension: shards of shard_extent elements, one per device;
 * shard_extent 0: every device has all elements. */
struct sr_halo_range_source {
	int64_t shard_extent, begin, end;
};
/* Value of the result elements that no range covers. */
struct sr_halo_fill {
	enum { SR_FILL_ANY, SR_FILL_ZERO, SR_FILL_VALUE } kind;
	struct sr_value *value; /* scalar that fills missing elements; NULL: zero */
};

/* Return true if a dimension has so few shards that a transfer may list each of them. */
bool sr_halo_is_listable(struct sr_halo_dim d);
/* Create a transfer whose result has n elements on each device of d, which must be listable. Allocated in the context's arena. */
struct sr_halo_transfer *sr_halo_transfer_new(struct sr_expansion *h, struct sr_halo_dim d, int64_t n);
/* Add a range: device `to` gets elements [first, first + n) of value number `value` as its elements [dst, dst + n). Elements
 * outside of [begin, end) are not transferred. Ranges of one device must not overlap. */
void sr_halo_transfer_add(struct sr_halo_transfer *transfer, int value, struct sr_halo_range_source s, int64_t to, int64_t dst,
			  int64_t first, int64_t n);
/* Return the number of elements sent along the dimension by the device that sends most; -1: too many messages. No range may be
 * added afterwards. */
int64_t sr_halo_transfer_elements(struct sr_halo_transfer *transfer);
/* Add the cost of the transfer. Returns false if it has too many messages. */
bool sr_halo_transfer_cost(struct sr_halo_transfer *transfer, double element_bytes, struct sr_wire_cost *cost);
/* Return the local bytes per element along dimension dim. */
double sr_halo_bytes_along(const struct sr_expansion *h, const struct sr_type *t, const struct sr_sdy_sharding *s, int dim);
/* Build the transfer's ops in the body. values: local shards, or scalars that stand for any number of elements. like: type of the
 * result except for its extent along dim. Returns NULL if there are too many messages. */
struct sr_value *sr_halo_transfer_build(struct sr_halo_transfer *transfer, struct sr_value *const *values,
					const struct sr_type *like, int dim, struct sr_halo_fill fill);

#endif
