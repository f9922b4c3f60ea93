/* sdy-resolve-permutation-factors: functions that the expansions of single ops share. Internal to partition. */
#ifndef SR_PARTITION_UPSTREAM_PERMUTE_H
#define SR_PARTITION_UPSTREAM_PERMUTE_H

#include "dialect/ops.h"

struct sr_permutation_pass {
	struct sr_context *ctx;
	struct sr_op *module;
	bool by_replica, halo;
	int64_t next_channel, next_name;
	/* of the op being expanded */
	const struct sr_mesh *mesh;
	const char **manual; /* names of the manual computation's axes */
	int n_manual;
	struct sr_builder at;
};

/* One sharded dimension: the range of the operand that a device needs, and how many neighbors have parts of it. */
struct sr_neighbor_range {
	int64_t shards, out, read_extent; /* local extents of the result, and of the range read for it */
	int64_t left, right;              /* number of neighbors on each side that have parts of it */
	bool moves, by_halo;
	struct sr_axes axes;        /* axes along which the neighbors differ */
	int64_t *offsets;           /* [shards]: start in the concatenated shards; NULL: computed from the coordinate */
};

void sr_permute_add_manual_axes(struct sr_permutation_pass *p, struct sr_axes axes);
bool sr_permute_is_manual(const struct sr_permutation_pass *p, const char *axis);
int64_t sr_permute_manual_shards(const struct sr_permutation_pass *p, struct sr_axes axes);
/* Return the sharding without the manual axes. */
const struct sr_attr *sr_permute_sharding_inside(struct sr_permutation_pass *p, const struct sr_attr *sharding);
const struct sr_sharding *sr_permute_sharding(struct sr_permutation_pass *p, const struct sr_attr *sharding);
void sr_permute_reshard_value(struct sr_permutation_pass *p, struct sr_value *v, const struct sr_attr *sharding);

/* ---- permute_halo.c ---- */
/* Start a manual computation; p->at is in its body, whose arguments have the types `locals`. */
struct sr_op *sr_permute_begin(struct sr_permutation_pass *p, struct sr_value *const *operands, const struct sr_attr *const *in,
			       int n, const struct sr_type *const *locals, const struct sr_attr *out, const struct sr_type *result);
struct sr_value *sr_permute_end(struct sr_permutation_pass *p, struct sr_op *manual, struct sr_value *local);
/* Return v of the device `offset` coordinates before this one along the axes; NULL: no device has such a neighbor. */
struct sr_value *sr_permute_from_neighbor(struct sr_permutation_pass *p, struct sr_value *v, struct sr_axes axes, int64_t offset);

struct sr_halo_exchange {
	struct sr_value *input, *fill; /* input: extents divisible by their shards */
	const struct sr_attr *in, *out;
	const struct sr_type *result;         /* before its extents are rounded up */
	const struct sr_neighbor_range *dims; /* [input's rank] */
	const int64_t *low, *interior;        /* NULL: zeros */
	struct sr_value *(*finish)(void *data, struct sr_permutation_pass *p, struct sr_value *local, struct sr_value *fill,
				   const struct sr_type *global); /* called on the exchanged local value */
	void *data;
};
struct sr_value *sr_permute_exchange(struct sr_permutation_pass *p, const struct sr_halo_exchange *e);

/* ---- expansions of one op; true: done, false: its permutation factors have to be replicated ---- */
typedef bool sr_permute_fn(struct sr_permutation_pass *p, struct sr_op *op);
sr_permute_fn sr_permute_pad, sr_permute_slice;
sr_permute_fn sr_permute_reverse;
enum sr_status sr_permute_reshape(struct sr_permutation_pass *p, struct sr_op *op);

#endif
