/* Halo exchange: what its patterns share. Internal to partition. */
#ifndef SR_PARTITION_HALO_H
#define SR_PARTITION_HALO_H

#include "dialect/ops.h"
#include "ir/pass.h"
#include "partition/insert_reshards/explicit_reshards.h"

struct sr_halo {
	struct sr_context *ctx;
	struct sr_op *module;
	const struct sr_mesh *mesh; /* of the op at work */
	struct sr_cost_model *costs;
	double latency;             /* bytes that a collective's latency counts as at the op (sr_cost_model_loop_latency) */
	int64_t listed;             /* devices up to which pairs and tables are listed device by device */
	struct sr_builder at;       /* in the body of the manual computation being made */
};

/* One dimension of the op at work: k shards over axes, local extents. */
struct sr_halo_dim {
	struct sr_axes axes;
	int64_t shards;
};
struct sr_halo_dim sr_halo_dim_of(struct sr_halo *h, const struct sr_sdy_sharding *s, int dim);

/* A manual computation over every axis of the mesh in place of op: operands, their shardings and the result's. The builder
 * stands in its body; args are the local parts. Where shards do not divide an extent, the last ones end in padding. sr_halo_end
 * returns `local` from the body and replaces op. */
struct sr_op *sr_halo_begin(struct sr_halo *h, struct sr_op *op, struct sr_value *const *operands,
			    const struct sr_attr *const *shardings, int n, const struct sr_attr *out);
void sr_halo_end(struct sr_halo *h, struct sr_op *op, struct sr_op *manual, struct sr_value *local);
/* A tensor of known extents, none of them zero, of the sharding's rank. */
bool sr_halo_is_supported(const struct sr_type *t, const struct sr_sdy_sharding *s);

/* [first, first + n) of dimension dim. */
struct sr_value *sr_halo_slice(struct sr_halo *h, struct sr_value *v, int dim, int64_t first, int64_t n);
struct sr_value *sr_halo_strided_slice(struct sr_halo *h, struct sr_value *v, int dim, int64_t first, int64_t n, int64_t step);
struct sr_value *sr_halo_concatenate(struct sr_halo *h, struct sr_value *const *parts, int n, int dim);
/* Whom device j of each group along a dimension's axes gets from: at[j], -1 nobody; at NULL: its neighbour j + step, who is missing
 * at one end. */
struct sr_halo_permute_sources {
	const int64_t *at; /* [shards], no more than are listed */
	int step;          /* 1 or -1 */
};
/* Each device gets v of its source; zeros where it has none. */
struct sr_value *sr_halo_permute(struct sr_halo *h, struct sr_value *v, struct sr_halo_dim d, struct sr_halo_permute_sources from);
/* On devices that have a source: v. On others `fill`, a scalar or of v's type. */
struct sr_value *sr_halo_filled(struct sr_halo *h, struct sr_value *v, struct sr_halo_dim d, struct sr_halo_permute_sources from,
				struct sr_value *fill);
/* Padding along one dimension; a negative number cuts. */
struct sr_halo_padding {
	int64_t low, high, interior;
};
struct sr_value *sr_halo_pad(struct sr_halo *h, struct sr_value *v, int dim, struct sr_halo_padding by,
			     struct sr_value *scalar); /* NULL: zeros */
/* A scalar that differs between devices: table[j] on device j along the dimension. */
struct sr_value *sr_halo_table_lookup(struct sr_halo *h, struct sr_halo_dim d, const int64_t *table, enum sr_dtype type);
/* [first[j], first[j] + n) of dimension dim on device j along d. */
struct sr_value *sr_halo_slice_per_device(struct sr_halo *h, struct sr_value *v, int dim, struct sr_halo_dim d, const int64_t *first, int64_t n);
/* v, the local part of `extent` elements along dim, with `scalar` (NULL: zero) where the last shards end in padding. */
struct sr_value *sr_halo_masked(struct sr_halo *h, struct sr_value *v, int dim, struct sr_halo_dim d, int64_t extent,
				struct sr_value *scalar);
/* A scalar in every element of type. */
struct sr_value *sr_halo_splat(struct sr_halo *h, struct sr_value *scalar, const struct sr_type *type);

/* ---- exchanges: ranges of one dimension, from wherever they lie (halo/halo_transfer.c) ---- */

/* Where the elements [begin, end) of a value lie along the dimension: in parts of `part` elements, one a device; 0: all on each. */
struct sr_halo_range_source {
	int64_t part, begin, end;
};
/* Of elements that come from nowhere. */
struct sr_halo_fill {
	enum { SR_FILL_ANY, SR_FILL_ZERO, SR_FILL_VALUE } kind;
	struct sr_value *value; /* a scalar; NULL: zero */
};

/* Each device of d is to get n elements. */
struct sr_halo_transfer *sr_halo_transfer_new(struct sr_halo *h, struct sr_halo_dim d, int64_t n);
/* Device `to` gets [first, first + n) of the value-th of values for its own [dst, dst + n); what lies outside of [begin, end)
 * does not come. No two ranges of a device may overlap. */
void sr_halo_transfer_add(struct sr_halo_transfer *x, int value, struct sr_halo_range_source s, int64_t to, int64_t dst, int64_t first,
			  int64_t n);
/* How many elements along the dimension a device sends at most; -1: it takes too many messages. What was added is complete. */
int64_t sr_halo_transfer_elements(struct sr_halo_transfer *x);
/* Return what the exchange costs, and what gathering `bytes` from k devices does: bytes on the wire and latency. */
double sr_halo_transfer_cost(struct sr_halo_transfer *x, double element_bytes); /* HUGE_VAL: it takes too many messages */
double sr_halo_gather_cost(const struct sr_halo *h, double bytes, double k);
/* Return the bytes on a device of one element along a dimension of a value of that sharding. */
double sr_halo_bytes_along(const struct sr_halo *h, const struct sr_type *t, const struct sr_sdy_sharding *s, int dim);
/* values: the local parts, or scalars that stand for any extent; like: the result's type, but for its extent along dim. */
struct sr_value *sr_halo_transfer_build(struct sr_halo_transfer *x, struct sr_value *const *values, const struct sr_type *like,
					int dim, struct sr_halo_fill fill);

typedef bool sr_halo_fn(struct sr_halo *h, struct sr_op *op); /* true: rewritten, op is gone */
sr_halo_fn sr_halo_expand_concatenate, sr_halo_expand_convolution, sr_halo_expand_slice_pad_reverse, sr_halo_expand_reduce_window,
	sr_halo_expand_select_and_scatter;

#endif
