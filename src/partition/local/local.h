/* Global to local: functions shared by the rewrites of single ops. Internal to partition. */
#ifndef SR_PARTITION_LOCAL_H
#define SR_PARTITION_LOCAL_H

#include "dialect/ops.h"
#include "ir/pass.h"

/* Types of a value before and after the pass. Values that the pass creates have no entry. */
struct sr_local_value {
	const struct sr_type *global_type, *local_type;
	const struct sr_sdy_sharding *sharding; /* the value's sharding; NULL: replicated */
	const struct sr_mesh *mesh;             /* mesh of the sharding */
};

/* Options and state of upstream's pass, sdy-convert-global-to-local. */
struct sr_local_upstream {
	int64_t next_channel;
	bool uses_replica_id; /* true: replica_id is the device number; false: partition_id is */
	bool per_dim_gather; /* true: build one all_gather for each dimension; false: one for all dimensions */
	bool combines_scatters;    /* true: build one reduce_scatter for several dimensions; false: an all_reduce and a slice */
};

struct sr_local {
	struct sr_context *ctx;
	struct sr_op *module;
	int64_t n_replicas;
	int64_t max_listed;                 /* maximum number of devices for which groups, pairs and offsets list every device */
	bool groups_by_axes;                /* true: always write replica groups as mesh axes */
	struct sr_map values;               /* map from value to struct sr_local_value */
	struct sr_op *op;                   /* op that is rewritten; its operands already have local types */
	const struct sr_mesh *mesh;         /* mesh of the op's results or operands; NULL: none of them is sharded */
	struct sr_builder builder;          /* builder that inserts before the op */
	struct sr_local_upstream *upstream; /* state of upstream's pass; NULL: the pass is shardrun-global-to-local */
};
typedef enum sr_status sr_local_fn(struct sr_local *l, struct sr_op *op);
/* Set the local types of all values, then run the table's function for each op's LOCAL value (NULL: types suffice), then inline
 * manual computations. */
enum sr_status sr_local_rewrite_module(struct sr_local *l, sr_local_fn *const *table);

/* Return the entry of a value; NULL if the pass created the value. */
const struct sr_local_value *sr_local_find(const struct sr_local *l, const struct sr_value *v);
int64_t sr_local_shards(const struct sr_local *l, const struct sr_value *v, int dim);
/* Return the axes of dimension dim of a value. */
struct sr_axes sr_local_axes(const struct sr_local *l, const struct sr_value *v, int dim);
/* Return the scalar table[partition_id]; length of the table: number of partitions. */
struct sr_value *sr_local_lookup(struct sr_local *l, const int64_t *table, enum sr_dtype type);
enum sr_dtype sr_local_index_type(int64_t extent); /* Return i32 if indices up to the extent fit, else i64. */
/* Return the device's coordinate along `axes` times `unit`, as a scalar of the index type. */
struct sr_value *sr_local_offset(struct sr_local *l, struct sr_axes axes, int64_t unit);
/* Return the device's coordinate along `axes` times `unit`, as a scalar of this element type. */
struct sr_value *sr_local_offset_of_type(struct sr_local *l, struct sr_axes axes, int64_t unit, enum sr_dtype type);
/* Return the channel handle of every collective that the pass builds. */
const struct sr_attr *sr_local_channel(struct sr_context *ctx);
/* Return v's type with the extent of dim multiplied by `times` and divided by `divisor`. */
const struct sr_type *sr_local_scaled_type(struct sr_local *l, const struct sr_value *v, int64_t dim, int64_t times, int64_t divisor);
/* Store the dimensions and the number of parts of a stablehlo.all_to_all that moves n shards from dimension src to tgt, which it
 * splits, in attrs, and its type. Returns the number of attributes. */
int sr_local_all_to_all_attrs(struct sr_local *l, const struct sr_value *v, int64_t n, int64_t src, int64_t tgt,
			      struct sr_named_attr *attrs, const struct sr_type **type);
/* Return the value of the attribute shardrun.cause of the op being rewritten, or else the op's name. */
const struct sr_attr *sr_local_cause(struct sr_local *l);
/* Return the text of shardrun.shardings: operand and result sharding of the op being rewritten, and the axes of its collective:
 * "[{x}, {}] to [{}, {}] over x". */
const struct sr_attr *sr_local_shardings_attr(struct sr_local *l, struct sr_axes axes);
/* Return the device's shard of v when dimension `dim` is sharded along `axes`. */
struct sr_value *sr_local_slice_along(struct sr_local *l, struct sr_value *v, int dim, struct sr_axes axes);
/* Set an i64 list attribute. */
void sr_local_set_ints(struct sr_local *l, struct sr_op *op, const char *name, const int64_t *v, int64_t n);
/* Replace the op's results by `replacements` and erase the op. The replacements get the entries (struct sr_local_value) of the
 * results. */
void sr_local_replace(struct sr_local *l, struct sr_op *op, struct sr_value *const *replacements);

sr_local_fn sr_local_collective_permute;
sr_local_fn sr_local_all_gather, sr_local_all_slice, sr_local_all_to_all, sr_local_all_reduce, sr_local_reduce_scatter,
	sr_local_replicated_to_unreduced, sr_local_sharded_to_unreduced;
sr_local_fn sr_local_constant, sr_local_iota, sr_local_slice, sr_local_pad, sr_local_slice_sizes, sr_local_convolution,
	sr_local_reduce_window, sr_local_drop, sr_local_probe;

#endif
