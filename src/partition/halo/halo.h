/* Halo exchange: what its patterns share. Internal to partition. */
#ifndef SR_PARTITION_HALO_H
#define SR_PARTITION_HALO_H

#include "dialect/ops.h"
#include "ir/pass.h"

struct sr_halo {
	struct sr_context *ctx;
	struct sr_op *module;
	const struct sr_mesh *mesh; /* of the op at work */
	int64_t listed;             /* devices up to which pairs and tables are listed device by device */
	struct sr_builder at;       /* in the body of the manual computation being made */
};

/* One dimension of the op at work: k shards over axes, local extents. */
struct sr_halo_dim {
	struct sr_axes axes;
	int64_t shards;
};
struct sr_halo_dim sr_halo_dim_of(struct sr_halo *h, const struct sr_written_sharding *s, int dim);

/* A manual computation over every axis of the mesh in place of op: operands, their shardings and the result's. The builder
 * stands in its body; args are the local parts. Every extent must be divisible by its shards. sr_halo_end returns `local` from
 * the body and replaces op. */
struct sr_op *sr_halo_begin(struct sr_halo *h, struct sr_op *op, struct sr_value *const *operands,
			    const struct sr_attr *const *shardings, int n, const struct sr_attr *out);
void sr_halo_end(struct sr_halo *h, struct sr_op *op, struct sr_op *manual, struct sr_value *local);
bool sr_halo_divides(struct sr_halo *h, const struct sr_type *t, const struct sr_written_sharding *s);

/* [first, first + n) of dimension dim. */
struct sr_value *sr_halo_slice(struct sr_halo *h, struct sr_value *v, int dim, int64_t first, int64_t n);
struct sr_value *sr_halo_concatenate(struct sr_halo *h, struct sr_value *const *parts, int n, int dim);
/* Whom device j of each group along a dimension's axes gets from: at[j], -1 nobody; at NULL: its neighbour j + step, who is missing
 * at one end. */
struct sr_halo_sources {
	const int64_t *at; /* [shards], no more than are listed */
	int step;          /* 1 or -1 */
};
/* Each device gets v of its source; zeros where it has none. */
struct sr_value *sr_halo_permute(struct sr_halo *h, struct sr_value *v, struct sr_halo_dim d, struct sr_halo_sources from);
/* On devices that have a source: v. On others `fill`, a scalar or of v's type. */
struct sr_value *sr_halo_filled(struct sr_halo *h, struct sr_value *v, struct sr_halo_dim d, struct sr_halo_sources from,
				struct sr_value *fill);
/* A scalar in every element of type. */
struct sr_value *sr_halo_splat(struct sr_halo *h, struct sr_value *scalar, const struct sr_type *type);

typedef bool sr_halo_fn(struct sr_halo *h, struct sr_op *op); /* true: rewritten, op is gone */
sr_halo_fn sr_halo_of_concatenate, sr_halo_of_convolution, sr_halo_of_reduce_window, sr_halo_of_shift;

#endif
