/* Halo exchange: functions shared by the forms (form/form.h) of ops that move elements along a sharded dimension. Each device sends
 * boundary elements to the devices that need them. Internal to partition. */
#ifndef SR_PARTITION_HALO_H
#define SR_PARTITION_HALO_H

#include "dialect/ops.h"
#include "ir/pass.h"
#include "partition/form/form.h"

struct sr_halo {
	struct sr_context *ctx;
	struct sr_arena *arena; /* arena that owns the transfers and the tables of offsets */
	struct sr_op *module;
	const struct sr_mesh *mesh; /* mesh on which the op is sharded */
	struct sr_cost_model *costs;
	int64_t max_listed;   /* maximum number of devices of a mesh for which source-target pairs and tables list every device */
	struct sr_builder builder; /* builder that inserts in the body of the manual computation */
};

/* The sharding of one dimension of the op: its axes and number of shards. */
struct sr_halo_dim {
	struct sr_axes axes;
	int64_t shards;
};
struct sr_halo sr_halo_of(const struct sr_form_query *q);
struct sr_halo_dim sr_halo_dim_of(struct sr_halo *h, const struct sr_sdy_sharding *s, int dim);

/* Build a manual computation over all axes of the mesh before `op`, with these operands and shardings and the result sharding
 * `out`. Afterwards h->builder is in its body, whose arguments are the local shards. If the shards do not divide an extent, the
 * last shards end in padding. sr_halo_end returns `local` from the body and replaces op. */
struct sr_op *sr_halo_begin(struct sr_halo *h, struct sr_op *op, struct sr_value *const *operands,
			    const struct sr_attr *const *shardings, int n, const struct sr_attr *out);
void sr_halo_end(struct sr_halo *h, struct sr_op *op, struct sr_op *manual_op, struct sr_value *local_value);
/* Return true for a static tensor type without empty dimensions whose rank is that of the sharding. */
bool sr_halo_is_supported(const struct sr_type *t, const struct sr_sdy_sharding *s);

/* Return elements [first, first + n) of dimension dim. */
struct sr_value *sr_halo_slice(struct sr_halo *h, struct sr_value *v, int dim, int64_t first, int64_t n);
struct sr_value *sr_halo_strided_slice(struct sr_halo *h, struct sr_value *v, int dim, int64_t first, int64_t n, int64_t step);
struct sr_value *sr_halo_concatenate(struct sr_halo *h, struct sr_value *const *operands, int n, int dim);
/* Sources of a permute along a dimension's axes. Device j of each group receives from device sources[j]; -1: from none. If
 * `sources` is NULL, it receives from its neighbor j + step, if that exists. */
struct sr_halo_permute_sources {
	const int64_t *sources; /* source of each device, length: number of shards; only on meshes small enough to be listed */
	int step;          /* direction of the neighbor that sends: 1 or -1 */
};
/* Return the value of v on the device's source; zeros on devices without a source. */
struct sr_value *sr_halo_permute(struct sr_halo *h, struct sr_value *v, struct sr_halo_dim d,
				 struct sr_halo_permute_sources permute_sources);
/* Return v on devices that have a source, and `fill` (a scalar, or of v's type) on the others. */
struct sr_value *sr_halo_filled(struct sr_halo *h, struct sr_value *v, struct sr_halo_dim d,
				struct sr_halo_permute_sources permute_sources, struct sr_value *fill);
/* Padding along one dimension; negative numbers remove elements. */
struct sr_halo_padding {
	int64_t low, high, interior;
};
struct sr_value *sr_halo_pad(struct sr_halo *h, struct sr_value *v, int dim, struct sr_halo_padding padding,
			     struct sr_value *scalar); /* scalar: the padding value; NULL: zero */
/* On device j along d, slice elements [first[j], first[j] + n) of dimension dim. */
struct sr_value *sr_halo_slice_per_device(struct sr_halo *h, struct sr_value *v, int dim, struct sr_halo_dim d,
					  const int64_t *first, int64_t n);
/* Return v, a local shard of a dimension of `extent` elements, with its padding replaced by `scalar` (NULL: 0). */
struct sr_value *sr_halo_masked(struct sr_halo *h, struct sr_value *v, int dim, struct sr_halo_dim d, int64_t extent,
				struct sr_value *scalar);
/* Broadcast a scalar to `type`. */
struct sr_value *sr_halo_splat(struct sr_halo *h, struct sr_value *scalar, const struct sr_type *type);

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
struct sr_halo_transfer *sr_halo_transfer_new(struct sr_halo *h, struct sr_halo_dim d, int64_t n);
/* Add a range: device `to` gets elements [first, first + n) of value number `value` as its elements [dst, dst + n). Elements
 * outside of [begin, end) are not transferred. Ranges of one device must not overlap. */
void sr_halo_transfer_add(struct sr_halo_transfer *transfer, int value, struct sr_halo_range_source s, int64_t to, int64_t dst,
			  int64_t first, int64_t n);
/* Return the number of elements sent along the dimension by the device that sends most; -1: too many messages. No range may be
 * added afterwards. */
int64_t sr_halo_transfer_elements(struct sr_halo_transfer *transfer);
/* Add the price of the transfer. Returns false if it has too many messages. */
bool sr_halo_transfer_price(struct sr_halo_transfer *transfer, double element_bytes, struct sr_collective_price *price);
/* Return the local bytes per element along dimension dim. */
double sr_halo_bytes_along(const struct sr_halo *h, const struct sr_type *t, const struct sr_sdy_sharding *s, int dim);
/* Build the transfer's ops in the body. values: local shards, or scalars that stand for any number of elements. like: type of the
 * result except for its extent along dim. Returns NULL if there are too many messages. */
struct sr_value *sr_halo_transfer_build(struct sr_halo_transfer *transfer, struct sr_value *const *values,
					const struct sr_type *like, int dim, struct sr_halo_fill fill);

#endif
