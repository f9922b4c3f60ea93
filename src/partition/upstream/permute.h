/* sdy-resolve-permutation-factors: what its ways of treating an op share. Internal to partition. */
#ifndef SR_PARTITION_UPSTREAM_PERMUTE_H
#define SR_PARTITION_UPSTREAM_PERMUTE_H

#include "dialect/ops.h"

struct sr_permutation_pass {
	struct sr_context *ctx;
	struct sr_op *module;
	bool by_replica, halo;
	int64_t next_channel, next_name;
	/* of the op at work */
	const struct sr_mesh *mesh;
	const char **manual; /* axes of the manual computation, by name */
	int n_manual;
	struct sr_builder at;
};

/* One sharded dimension: which part of it a device needs, and how far away it lies. */
struct sr_neighbor_range {
	int64_t shards, out, taken; /* local extents of the result, and of what is cut out for it */
	int64_t left, right;        /* how many neighbours on each side have some of it */
	bool moves, by_halo;
	struct sr_axes axes;        /* that the neighbours differ along */
	int64_t *offsets;           /* by shard, in the shards put together; NULL: they follow from the shard's number */
};

void sr_permute_add_manual_axes(struct sr_permutation_pass *p, struct sr_axes axes);
bool sr_permute_is_manual(const struct sr_permutation_pass *p, const char *axis);
int64_t sr_permute_manual_shards(const struct sr_permutation_pass *p, struct sr_axes axes);
const struct sr_attr *sr_permute_sharding_inside(struct sr_permutation_pass *p, const struct sr_attr *sharding); /* less the manual axes */
const struct sr_sharding *sr_permute_sharding(struct sr_permutation_pass *p, const struct sr_attr *sharding);
void sr_permute_reshard_value(struct sr_permutation_pass *p, struct sr_value *v, const struct sr_attr *sharding);

/* ---- permute_halo.c ---- */
/* A manual computation; the builder stands in its body, whose arguments have these types. */
struct sr_op *sr_permute_begin(struct sr_permutation_pass *p, struct sr_value *const *operands, const struct sr_attr *const *in, int n,
			       const struct sr_type *const *locals, const struct sr_attr *out, const struct sr_type *result);
struct sr_value *sr_permute_end(struct sr_permutation_pass *p, struct sr_op *manual, struct sr_value *local);
/* v of the device that stands `offset` places before me along the axes; NULL: nobody has one. */
struct sr_value *sr_permute_from_neighbor(struct sr_permutation_pass *p, struct sr_value *v, struct sr_axes axes, int64_t offset);

struct sr_halo_exchange {
	struct sr_value *input, *fill; /* input: divisible */
	const struct sr_attr *in, *out;
	const struct sr_type *result;  /* before its extents are rounded up */
	const struct sr_neighbor_range *dims;  /* [input's rank] */
	const int64_t *low, *interior; /* NULL: zeros */
	struct sr_value *(*finish)(void *data, struct sr_permutation_pass *p, struct sr_value *local, struct sr_value *fill,
				   const struct sr_type *global); /* on what was exchanged, still local */
	void *data;
};
struct sr_value *sr_permute_exchange(struct sr_permutation_pass *p, const struct sr_halo_exchange *e);

/* ---- each on one op: true where it is settled, false where its permuted dimensions have to be replicated ---- */
typedef bool sr_permute_fn(struct sr_permutation_pass *p, struct sr_op *op);
sr_permute_fn sr_permute_pad, sr_permute_slice; /* permute_pad.c */
sr_permute_fn sr_permute_reverse;               /* permute_reverse.c */
enum sr_status sr_permute_reshape(struct sr_permutation_pass *p, struct sr_op *op); /* permute_reshape.c */

#endif
