/* Bodies of forms (form/form.h) that compute on shards and exchange data: gathers and scatters by index, dynamic slices and
 * updates, cumulative ops, sorts. A body is a manual computation over all axes of the mesh. Extents need not be divisible: shards
 * have ceil(extent / shards) elements, elements beyond the extent are undefined, and each form masks them where they matter.
 * Internal to partition. */
#ifndef SR_PARTITION_EXPAND_EXPAND_H
#define SR_PARTITION_EXPAND_EXPAND_H

#include "dialect/comparison.h"
#include "dialect/op_builders.h"
#include "partition/form/form.h"

struct sr_expansion {
	struct sr_context *ctx;
	struct sr_arena *arena; /* arena that owns what the form needs until its body is built */
	struct sr_op *module, *op;
	const struct sr_mesh *mesh; /* mesh on which the op is sharded */
	struct sr_cost_model *costs;
	int64_t max_listed; /* maximum number of devices of a mesh for which source-target pairs and tables list every device */
	const char *cause;  /* shardrun.cause of the body's collectives */
	struct sr_builder builder; /* builder that inserts in the body of the manual computation */
	struct sr_op *manual_op;
};
struct sr_expansion sr_expansion_of(const struct sr_form_query *q);

/* Return true if manual computations over all devices may be built at the op. */
bool sr_expand_is_allowed(const struct sr_op *module, const struct sr_op *op);

/* Return the extent of a shard of a dimension sharded along the axes: ceil(extent / shards). */
int64_t sr_expand_shard_extent(int64_t extent, struct sr_axes axes);
const struct sr_type *sr_expand_local_type(struct sr_expansion *p, const struct sr_type *global_type, const struct sr_axes *axes);

/* ---- ops of the body (spmd_ops.c) ---- */
struct sr_value *sr_spmd_clamp(struct sr_expansion *p, struct sr_value *v, int64_t low, int64_t high);
/* Return the unsigned integer type with the width of a float type; SR_DTYPE_NONE for other types. */
enum sr_dtype sr_spmd_bits_type(enum sr_dtype dtype);
/* Bitcast v to a type of the same width; if `to` is SR_DTYPE_NONE return v. */
struct sr_value *sr_spmd_bitcast(struct sr_expansion *p, struct sr_value *v, enum sr_dtype to);
/* Return the offset of this device's shard in the global dimension as a scalar: coordinate along the axes times `shard`. */
struct sr_value *sr_spmd_shard_offset(struct sr_expansion *p, struct sr_axes axes, int64_t shard, enum sr_dtype dtype);
/* Build the sum of the scalar `first` and each element's position along dim, in the shape of `like`. */
struct sr_value *sr_spmd_positions(struct sr_expansion *p, enum sr_dtype dtype, const struct sr_type *like, int dim,
				   struct sr_value *first);
/* Return an integer type for indices into a dimension of this extent; values up to twice the extent fit. */
enum sr_dtype sr_spmd_index_type(int64_t extent);
/* Clamp an index of any integer type to [low, high], and convert it to `dtype`. */
struct sr_value *sr_spmd_clamped_index(struct sr_expansion *p, struct sr_value *v, enum sr_dtype dtype, int64_t low,
				       int64_t high);
/* Build the comparison first <= v < last, an i1 tensor of v's shape. */
struct sr_value *sr_spmd_in_range(struct sr_expansion *p, struct sr_value *v, int64_t first, int64_t last);

/* ---- collectives of the body ---- */
struct sr_value *sr_spmd_all_gather(struct sr_expansion *p, struct sr_value *v, int dim, struct sr_axes axes);
struct sr_value *sr_spmd_all_to_all(struct sr_expansion *p, struct sr_value *v, int split_dim, int concat_dim, struct sr_axes axes);
/* Sources of a permute along axes: device j of each group receives from device list[j]; -1: from none. If `list` is NULL, it
 * receives from its neighbor j + step, if that exists. */
struct sr_permute_sources {
	const int64_t *list; /* length: number of devices along the axes */
	int step;            /* direction of the neighbor that sends: 1 or -1 */
};
int64_t sr_spmd_source(struct sr_axes axes, struct sr_permute_sources sources, int64_t j); /* Return device j's source, -1: none. */
/* Return the value of v on the device's source; zeros on devices without a source. */
struct sr_value *sr_spmd_permute(struct sr_expansion *p, struct sr_value *v, struct sr_axes axes,
				 struct sr_permute_sources sources);

/* How partial results, which each device has for the elements that it owns, are summed over devices. */
struct sr_owned_reduction {
	struct sr_axes replicated_axes; /* axes along which all devices get the result */
	/* for each dimension: axes along which the sum is scattered, in addition to those that shard the partial results; length:
	 * rank */
	struct sr_axes *scattered_axes;
};
/* Find how results that are partial along the axes `reduced_axes`, and sharded by `base`, are reduced and scattered to the layout of the
 * op's only result. Return false if that layout cannot be reached. */
bool sr_owned_reduction_of(const struct sr_form_query *q, struct sr_axes reduced_axes, const struct sr_axes *base,
			   struct sr_owned_reduction *out);
struct sr_value *sr_spmd_reduce(struct sr_expansion *p, struct sr_value *v, const struct sr_owned_reduction *reduction,
				enum sr_op_code code);
/* Return the sum of v over the devices, where one device (the owner) has the value of an element and the others have zero, or any
 * value that the i1 mask `is_owned` excludes (NULL: all have zero). The result is the owner's value bit for bit. */
struct sr_value *sr_spmd_sum_owned(struct sr_expansion *p, struct sr_value *v, struct sr_value *is_owned,
				   const struct sr_owned_reduction *reduction);

/* ---- forms ---- */
/* Return true if the body of a form may be built at the op: the op is not inside the body of another form, and collectives support
 * the op's types. */
bool sr_spmd_is_supported(const struct sr_op_view *v);
/* Return the axes of tensor t by dimension. */
struct sr_axes *sr_form_axes(const struct sr_form_query *q, int t);
/* Start the manual computation that replaces the op. operands[n]; NULL: the op's own, and n is not used. layouts: those of the
 * operands, then of the op's results. If the shards do not divide an extent, the last shards end in padding. Returns the arguments
 * of the body, in which p->builder inserts. */
struct sr_value **sr_form_begin(struct sr_expansion *p, struct sr_value *const *operands, int n,
				const struct sr_attr *const *layouts);
/* Build in the body a copy of the op with other operands and result types. */
struct sr_op *sr_form_clone(struct sr_expansion *p, struct sr_value *const *operands, int n, const struct sr_type *const *types,
			    int n_results);
/* End the manual computation: return `locals` from its body, and replace the op by it. */
void sr_form_end(struct sr_expansion *p, struct sr_value *const *locals);

#endif
