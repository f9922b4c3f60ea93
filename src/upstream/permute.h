/* sdy-resolve-permutation-factors: functions shared by the expansions of single ops. Internal to upstream. */
#ifndef SR_UPSTREAM_PERMUTE_H
#define SR_UPSTREAM_PERMUTE_H

#include "dialect/ops.h"

struct sr_permutation_pass {
	struct sr_context *ctx;
	struct sr_op *module;
	bool uses_replica_id, uses_halo;
	int64_t next_channel, next_name;
	/* mesh of the op being expanded */
	const struct sr_mesh *mesh;
	const char **manual_axes; /* names of the manual axes of the manual computation */
	int n_manual;
	struct sr_builder builder;
};

/* The range of the operand that a device needs along one sharded dimension, and the number of neighbors that have parts of the
 * range. */
struct sr_neighbor_range {
	/* number of shards; local extent of the result; extent of the range that a device reads for its shard of the result */
	int64_t shards, out, read_extent;
	int64_t left, right;              /* number of neighbors on each side that have parts of the range */
	bool needs_neighbors, uses_halo;
	struct sr_axes axes;        /* mesh axes along which neighbor shards are on different devices */
	/* start of the range in the concatenated shards, for each device; length: number of shards; NULL: computed from the
	 * coordinate */
	int64_t *offsets;
};

void sr_permute_add_manual_axes(struct sr_permutation_pass *p, struct sr_axes axes);
bool sr_permute_is_manual(const struct sr_permutation_pass *p, const char *axis);
int64_t sr_permute_manual_shards(const struct sr_permutation_pass *p, struct sr_axes axes);
/* Return the sharding with the manual axes removed. */
const struct sr_attr *sr_permute_sharding_inside(struct sr_permutation_pass *p, const struct sr_attr *sharding);
const struct sr_sharding *sr_permute_sharding(struct sr_permutation_pass *p, const struct sr_attr *sharding);
void sr_permute_reshard_value(struct sr_permutation_pass *p, struct sr_value *v, const struct sr_attr *sharding);

/* ---- permute_halo.c ---- */
/* Start a manual computation; p->builder is in its body, whose arguments have the types `locals`. */
struct sr_op *sr_permute_begin(struct sr_permutation_pass *p, struct sr_value *const *operands, const struct sr_attr *const *in,
			       int n, const struct sr_type *const *locals, const struct sr_attr *out, const struct sr_type *result);
struct sr_value *sr_permute_end(struct sr_permutation_pass *p, struct sr_op *manual_op, struct sr_value *local_value);
/* Return the value of v on the device `offset` coordinates before this one along the axes; NULL if no device has such a
 * neighbor. */
struct sr_value *sr_permute_from_neighbor(struct sr_permutation_pass *p, struct sr_value *v, struct sr_axes axes, int64_t offset);

struct sr_halo_exchange {
	struct sr_value *input, *fill; /* operand, with extents divisible by their shards, and padding value */
	const struct sr_attr *in, *out;
	const struct sr_type *result;         /* type of the result before its extents are rounded up */
	const struct sr_neighbor_range *dims; /* range along each dimension of the input; length: rank of the input */
	const int64_t *low, *interior;        /* padding of each dimension at its beginning and between elements; NULL: zeros */
	struct sr_value *(*finish)(void *data, struct sr_permutation_pass *p, struct sr_value *local, struct sr_value *fill,
				   /* function called on the exchanged local value; it applies the op to dimensions that are not
				    * sharded */
				   const struct sr_type *global);
	void *data;
};
struct sr_value *sr_permute_exchange(struct sr_permutation_pass *p, const struct sr_halo_exchange *e);

/* ---- expansions of one op; true: done, false: its permutation factors have to be replicated ---- */
typedef bool sr_permute_fn(struct sr_permutation_pass *p, struct sr_op *op);
sr_permute_fn sr_permute_pad, sr_permute_slice;
sr_permute_fn sr_permute_reverse;
enum sr_status sr_permute_reshape(struct sr_permutation_pass *p, struct sr_op *op);

#endif
