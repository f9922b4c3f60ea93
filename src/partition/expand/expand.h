/* SPMD expansions of ops that the sharding rule alone cannot partition: each device computes on its shards, and the devices
 * exchange less than the operand. An expansion is a manual computation over all axes of the mesh with reshards around it. It is
 * built while shardrun-insert-reshards handles the op, if it sends less than computing the op by its sharding rule.
 *
 * Extents need not be divisible: shards have ceil(extent / shards) elements, elements beyond the extent are undefined, and each
 * expansion masks them where they matter. Internal to partition. */
#ifndef SR_PARTITION_EXPAND_EXPAND_H
#define SR_PARTITION_EXPAND_EXPAND_H

#include "dialect/comparison.h"
#include "partition/form/form.h"
#include "partition/insert_reshards/insert_reshards.h"

struct sr_expansion {
	struct sr_reshard_inserter *c;
	struct sr_context *ctx;
	const struct sr_op_view *v;
	struct sr_op *module, *op;
	const struct sr_mesh *mesh;
	double price;               /* price of the expansion: bytes on the wire, plus `latency` bytes per collective */
	double latency; /* number of bytes on the wire that take as long as a collective's latency (sr_cost_model_loop_latency) */
	/* if the prices are equal, the expansion is chosen, since the alternative repeats computation on several devices */
	bool divides_work;
	bool query_only, would_pay; /* query_only: only find out whether the expansion pays, and set would_pay accordingly */
	struct sr_builder builder;  /* builder that inserts in the body of the manual computation */
	struct sr_op *manual;
};

/* Expand an op. Returns true if the op was replaced and erased. */
typedef bool sr_expand_fn(struct sr_expansion *p);
sr_expand_fn sr_expand_sort;

/* Return true if manual computations over all devices may be built at the op. */
bool sr_expand_is_allowed(const struct sr_op *module, const struct sr_op *op);

/* ---- shardings as axes per dimension ---- */
/* Return the axes by dimension of tensor number `tensor` of the op (operands, then results), by its sharding before the pass. */
struct sr_axes *sr_expand_tensor_axes(struct sr_expansion *p, int tensor);
/* Return empty lists of axes for `rank` dimensions, which mean replicated. */
struct sr_axes *sr_expand_no_axes(struct sr_expansion *p, int rank);
/* Return the axes of all dimensions, concatenated. */
struct sr_axes sr_expand_all_axes(struct sr_expansion *p, const struct sr_axes *axes, int rank);
/* Return the axes of `all` after the prefix `front`; an empty list if `front` is not a prefix. */
struct sr_axes sr_axes_after_prefix(struct sr_axes all, struct sr_axes front);
/* Return the extent of a shard of a dimension sharded along the axes: ceil(extent / shards). */
int64_t sr_expand_shard_extent(int64_t extent, struct sr_axes axes);
const struct sr_type *sr_expand_local_type(struct sr_expansion *p, const struct sr_type *global, const struct sr_axes *axes);

/* ---- price, summed in p->price ---- */
double sr_expand_type_bytes(const struct sr_type *type);
/* Add the price of n equal collectives whose results have r bytes in total. */
void sr_expand_cost(struct sr_expansion *p, enum sr_coll coll, double r, struct sr_axes axes, int n);
void sr_expand_cost_reshard(struct sr_expansion *p, const struct sr_value *v, int tensor, const struct sr_axes *to);
/* Add the price of resharding a result from the expansion's sharding to its sharding before the pass. */
void sr_expand_cost_result(struct sr_expansion *p, int result, const struct sr_axes *from);
/* Return true if the price is below that of the alternative, or equal to it if p->divides_work. */
bool sr_expand_pays(struct sr_expansion *p);

/* ---- the manual computation ---- */
/* Reshard the operands to `axes` and start the manual computation. Returns the arguments of its body; p->builder is in the body. */
struct sr_value **sr_expand_begin(struct sr_expansion *p, struct sr_value *const *operands, struct sr_axes *const *axes, int n,
				  const struct sr_type *const *results, struct sr_axes *const *result_axes, int n_results);
/* End the manual computation; its body returns `locals`. Afterwards sr_expand_replace replaces a value by one of the results,
 * resharded to the value's sharding, and sr_expand_finish erases the op. */
void sr_expand_end(struct sr_expansion *p, struct sr_value *const *locals, int n);
void sr_expand_replace(struct sr_expansion *p, struct sr_value *v, int result);
void sr_expand_finish(struct sr_expansion *p);

/* ---- ops of the body (spmd_ops.c) ---- */
struct sr_value *sr_spmd_binary(struct sr_expansion *p, enum sr_op_code code, struct sr_value *a, struct sr_value *b);
struct sr_value *sr_spmd_select(struct sr_expansion *p, struct sr_value *predicate, struct sr_value *yes, struct sr_value *no);
struct sr_value *sr_spmd_clamp(struct sr_expansion *p, struct sr_value *v, int64_t low, int64_t high);
struct sr_value *sr_spmd_convert(struct sr_expansion *p, struct sr_value *v, enum sr_dtype dtype);
/* Return the unsigned integer type with the width of a float type; SR_DTYPE_NONE for other types. */
enum sr_dtype sr_spmd_bits_type(enum sr_dtype dtype);
/* Bitcast v to a type of the same width; if `to` is SR_DTYPE_NONE return v. */
struct sr_value *sr_spmd_bitcast(struct sr_expansion *p, struct sr_value *v, enum sr_dtype to);
struct sr_value *sr_spmd_constant(struct sr_expansion *p, const struct sr_type *type, int64_t value);
struct sr_value *sr_spmd_reshape(struct sr_expansion *p, struct sr_value *v, int rank, const int64_t *shape);
/* Broadcast v to `shape`; dimension i of v becomes dimension dims[i] of the result. */
struct sr_value *sr_spmd_broadcast(struct sr_expansion *p, struct sr_value *v, const int64_t *dims, int rank, const int64_t *shape);
struct sr_value *sr_spmd_iota(struct sr_expansion *p, enum sr_dtype dtype, int rank, const int64_t *shape, int dim);
struct sr_value *sr_spmd_slice(struct sr_expansion *p, struct sr_value *v, int dim, int64_t first, int64_t n);
/* Slice n elements along dim, starting at the scalar index `first`, which is clamped so that all are inside of v. */
struct sr_value *sr_spmd_dynamic_slice(struct sr_expansion *p, struct sr_value *v, int dim, struct sr_value *first, int64_t n);
struct sr_value *sr_spmd_pad(struct sr_expansion *p, struct sr_value *v, int dim, int64_t low, int64_t high, struct sr_value *fill);
/* Return the offset of this device's shard in the global dimension as a scalar: coordinate along the axes times `shard`. */
struct sr_value *sr_spmd_shard_offset(struct sr_expansion *p, struct sr_axes axes, int64_t shard, enum sr_dtype dtype);
/* Return an integer type for indices into a dimension of this extent; values up to twice the extent fit. */
enum sr_dtype sr_spmd_index_type(int64_t extent);
/* Clamp an index of any integer type to [least, most], and convert it to `dtype`. */
struct sr_value *sr_spmd_clamped_index(struct sr_expansion *p, struct sr_value *v, enum sr_dtype dtype, int64_t low,
				       int64_t high);
/* Build the comparison first <= v < last, an i1 tensor of v's shape. */
struct sr_value *sr_spmd_in_range(struct sr_expansion *p, struct sr_value *v, int64_t first, int64_t last);

/* ---- collectives of the body ---- */
struct sr_value *sr_spmd_all_gather(struct sr_expansion *p, struct sr_value *v, int dim, struct sr_axes axes);
struct sr_value *sr_spmd_all_reduce(struct sr_expansion *p, struct sr_value *v, struct sr_axes axes, enum sr_op_code code);
struct sr_value *sr_spmd_reduce_scatter(struct sr_expansion *p, struct sr_value *v, int dim, struct sr_axes axes,
					enum sr_op_code code);
struct sr_value *sr_spmd_all_to_all(struct sr_expansion *p, struct sr_value *v, int split, int concat, struct sr_axes axes);
/* Return the value of v on the neighbor at coordinate + step along the axes; zeros on devices without that neighbor. */
struct sr_value *sr_spmd_neighbor_permute(struct sr_expansion *p, struct sr_value *v, struct sr_axes axes, int step);

/* How partial results, which each device has for the elements that it owns, are summed over devices. */
struct sr_owned_reduction {
	struct sr_axes replicated_axes; /* axes along which all devices get the result */
	/* for each dimension: axes along which the sum is scattered, in addition to those that shard the partial results; length:
	 * rank */
	struct sr_axes *scattered;
};
/* Find how results that are partial along the axes `reduced`, and sharded by `base`, are reduced and scattered to the layout of the
 * op's only result. Return false if that layout cannot be reached. */
bool sr_owned_reduction_of(const struct sr_form_query *q, struct sr_axes reduced, const struct sr_axes *base,
			   struct sr_owned_reduction *out);
struct sr_value *sr_spmd_reduce(struct sr_expansion *p, struct sr_value *v, const struct sr_owned_reduction *reduction,
				enum sr_op_code code);
/* Return the sum of v over the devices, where one device (the owner) has the value of an element and the others have zero, or any
 * value that the i1 mask `is_owned` excludes (NULL: all have zero). The result is the owner's value bit for bit. */
struct sr_value *sr_spmd_sum_owned(struct sr_expansion *p, struct sr_value *v, struct sr_value *is_owned,
				   const struct sr_owned_reduction *reduction);

/* ---- forms ---- */
/* Return true if the body of a form may be built at the op: it is not in another one, and collectives support its types. */
bool sr_spmd_is_supported(const struct sr_op_view *v);
/* Return the axes of tensor t by dimension. */
struct sr_axes *sr_form_axes(const struct sr_form_query *q, int t);
/* Start the manual computation that replaces the op, with these layouts of operands and results. Returns the arguments of its body;
 * p->builder inserts in the body. */
struct sr_value **sr_form_begin(struct sr_expansion *p, const struct sr_form_query *q, const struct sr_attr *const *layouts);
/* Return `locals` from the body, and replace the op. */
void sr_form_end(struct sr_expansion *p, struct sr_value *const *locals);

#endif
