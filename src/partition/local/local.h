/* Global to local: what the functions of the LOCAL column share. Internal to partition. */
#ifndef SR_PARTITION_LOCAL_H
#define SR_PARTITION_LOCAL_H

#include "dialect/ops.h"
#include "ir/pass.h"

/* A value before and after: values made by the pass itself have none. */
struct sr_local_value {
	const struct sr_type *global, *local;
	const struct sr_sdy_sharding *sharding; /* NULL: replicated */
	const struct sr_mesh *mesh;         /* the sharding's */
};

/* What upstream's pass of this kind is told and counts. */
struct sr_local_upstream {
	int64_t next_channel;
	bool by_replica;     /* a device is known by its replica_id */
	bool per_dim_gather; /* an all_gather per dimension, not one of all */
	bool one_scatter;    /* one reduce_scatter of several dimensions, not an all_reduce and a slice */
};

struct sr_local {
	struct sr_context *ctx;
	struct sr_op *module;
	int64_t n_replicas;
	int64_t listed;      /* devices up to which what follows from axes is listed device by device, */
	bool groups_by_axes; /* but for replica groups */
	struct sr_map values; /* value -> struct sr_local_value */
	struct sr_op *op;     /* being rewritten; its types are local already */
	const struct sr_mesh *mesh; /* its results' or operands'; NULL: nothing of it is sharded */
	struct sr_builder at; /* just before it */
	struct sr_local_upstream *upstream; /* NULL: in our own forms */
};
typedef enum sr_status sr_local_fn(struct sr_local *l, struct sr_op *op);
/* Types of all values, then a function per word of the LOCAL column (NULL: types say it all), then manual computations inlined. */
enum sr_status sr_local_rewrite_module(struct sr_local *l, sr_local_fn *const *table);

const struct sr_local_value *sr_local_find(const struct sr_local *l, const struct sr_value *v); /* NULL: made by the pass */
int64_t sr_local_shards(const struct sr_local *l, const struct sr_value *v, int dim);
/* The axes of a value's dimension. */
struct sr_axes sr_local_axes(const struct sr_local *l, const struct sr_value *v, int dim);
/* A scalar of `type` (i32 as a rule): table[partition_id], table[n partitions]. */
struct sr_value *sr_local_lookup(struct sr_local *l, const int64_t *table, enum sr_dtype type);
enum sr_dtype sr_local_index_type(int64_t extent); /* i32 where places of the extent fit, else i64 */
/* The scalar coordinate along `axes` times `unit`, of the index type. */
struct sr_value *sr_local_offset(struct sr_local *l, struct sr_axes axes, int64_t unit);
struct sr_value *sr_local_offset_of_type(struct sr_local *l, struct sr_axes axes, int64_t unit, enum sr_dtype type); /* of this type */
struct sr_value *sr_local_scalar(struct sr_local *l, enum sr_dtype type, int64_t value);
const struct sr_attr *sr_local_channel(struct sr_context *ctx); /* of every collective that the pass makes */
const struct sr_attr *sr_local_cause(struct sr_local *l);       /* why the op being rewritten is there: what it says, or its name */
/* "[{x}, {}] to [{}, {}] over x": the shardings on both sides of the op being rewritten, and the axes of its collective. */
const struct sr_attr *sr_local_shardings_attr(struct sr_local *l, struct sr_axes axes);
/* Cut dimension `dim` of v into the parts of `axes` and take mine. */
struct sr_value *sr_local_slice_along(struct sr_local *l, struct sr_value *v, int dim, struct sr_axes axes);
/* Change an i64 list attribute element by element where a dimension is sharded: local extent of the value's dim. */
void sr_local_set_ints(struct sr_local *l, struct sr_op *op, const char *name, const int64_t *v, int64_t n);
/* The op is done with: its results are replaced one by one; what was known of them is known of what stands for them. */
void sr_local_replace(struct sr_local *l, struct sr_op *op, struct sr_value *const *with);

sr_local_fn sr_local_collective_permute; /* local_permute.c */
sr_local_fn sr_local_all_gather, sr_local_all_slice, sr_local_all_to_all, sr_local_all_reduce, sr_local_reduce_scatter,
	sr_local_replicated_to_unreduced, sr_local_sharded_to_unreduced; /* local_collective.c */
sr_local_fn sr_local_constant, sr_local_iota, sr_local_slice, sr_local_pad, sr_local_slice_sizes, sr_local_convolution,
	sr_local_reduce_window, sr_local_drop, sr_local_probe; /* local_special.c */

#endif
