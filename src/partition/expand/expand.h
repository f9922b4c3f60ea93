/* Forms of ops that no sharding rule lets a device compute alone: each device computes on its own part, and what is left to
 * exchange is less than the operand. A form is a manual computation over all axes of the mesh, with reshards around it, made
 * while shardrun-insert-reshards decides on the op, and only where it moves less than what would be chosen else.
 *
 * An extent need not be divisible: parts are ceil(extent / shards) long, the last ones hold anything behind the extent, and a
 * form minds it. Internal to partition. */
#ifndef SR_PARTITION_EXPAND_EXPAND_H
#define SR_PARTITION_EXPAND_EXPAND_H

#include "dialect/comparison.h"
#include "partition/insert_reshards/insert_reshards.h"

struct sr_expansion {
	struct sr_reshard_inserter *c;
	struct sr_context *ctx;
	const struct sr_op_view *v;
	struct sr_op *op;
	const struct sr_mesh *mesh;
	double wire;          /* bytes that the form sends, and `latency` for each of its collectives */
	double latency;       /* bytes that a collective's latency counts as (sr_cost_model_loop_latency) */
	bool divides;         /* what else would be chosen computes more for as many bytes */
	bool asks, would;     /* only whether it pays; and that it would */
	struct sr_builder at; /* in the body of the manual computation being made */
	struct sr_op *manual;
};

/* A form of an op: true where it took the op's place. */
typedef bool sr_expand_fn(struct sr_expansion *p);
sr_expand_fn sr_expand_cumulative, sr_expand_dynamic_slice, sr_expand_dynamic_update, sr_expand_gather, sr_expand_scatter,
	sr_expand_sort, sr_expand_triangular_solve;

/* ---- layouts: axes per dimension ---- */
/* Of a tensor of the op (operands, then results), as it was given. */
struct sr_axes *sr_expand_given_axes(struct sr_expansion *p, int tensor);
struct sr_axes *sr_expand_no_axes(struct sr_expansion *p, int rank); /* no axes at all */
struct sr_axes sr_expand_all_axes(struct sr_expansion *p, const struct sr_axes *axes, int rank); /* of all dimensions */
/* What follows `front` in a list that starts with it, else none. */
struct sr_axes sr_axes_after_prefix(struct sr_axes all, struct sr_axes front);
int64_t sr_expand_shard_extent(int64_t extent, struct sr_axes axes); /* of a part */
const struct sr_type *sr_expand_local_type(struct sr_expansion *p, const struct sr_type *global, const struct sr_axes *axes);

/* ---- what it costs: bytes are added up in p->wire ---- */
double sr_expand_type_bytes(const struct sr_type *type);
void sr_expand_cost(struct sr_expansion *p, double bytes, int collectives); /* add what collectives of so many bytes in all cost */
void sr_expand_cost_reshard(struct sr_expansion *p, const struct sr_value *v, int tensor, const struct sr_axes *to);
/* Results are resharded the other way: from what the form leaves to what is given. */
void sr_expand_cost_result(struct sr_expansion *p, int result, const struct sr_axes *from);
bool sr_expand_pays(struct sr_expansion *p); /* less than what else would be chosen, or as much where it divides work */

/* ---- the manual computation ---- */
/* Operands resharded as `axes` say; returns the arguments of the body, where the builder stands. */
struct sr_value **sr_expand_begin(struct sr_expansion *p, struct sr_value *const *operands, struct sr_axes *const *axes, int n,
				 const struct sr_type *const *results, struct sr_axes *const *result_axes, int n_results);
/* Returns `locals` from the body. The manual computation's results stay to be used: sr_expand_replace gives readers of a value one
 * of them, resharded as that value is; sr_expand_finish erases the op. */
void sr_expand_end(struct sr_expansion *p, struct sr_value *const *locals, int n);
void sr_expand_replace(struct sr_expansion *p, struct sr_value *v, int result);
void sr_expand_finish(struct sr_expansion *p);

/* ---- ops of the body (spmd_ops.c) ---- */
struct sr_value *sr_spmd_binary(struct sr_expansion *p, enum sr_op_code code, struct sr_value *a, struct sr_value *b);
struct sr_value *sr_spmd_select(struct sr_expansion *p, struct sr_value *which, struct sr_value *yes, struct sr_value *no);
struct sr_value *sr_spmd_clamp(struct sr_expansion *p, struct sr_value *v, int64_t least, int64_t most);
struct sr_value *sr_spmd_convert(struct sr_expansion *p, struct sr_value *v, enum sr_dtype dtype);
/* The unsigned integer type as wide as a float type; SR_DTYPE_NONE for other types. */
enum sr_dtype sr_spmd_bits_type(enum sr_dtype dtype);
/* The bits of v as elements of a type as wide; v itself for SR_DTYPE_NONE. */
struct sr_value *sr_spmd_bitcast(struct sr_expansion *p, struct sr_value *v, enum sr_dtype to);
struct sr_value *sr_spmd_constant(struct sr_expansion *p, const struct sr_type *type, int64_t value);
struct sr_value *sr_spmd_reshape(struct sr_expansion *p, struct sr_value *v, int rank, const int64_t *shape);
/* v in every place of `shape` along other dimensions than `dims`, which are v's. */
struct sr_value *sr_spmd_broadcast(struct sr_expansion *p, struct sr_value *v, const int64_t *dims, int rank, const int64_t *shape);
struct sr_value *sr_spmd_iota(struct sr_expansion *p, enum sr_dtype dtype, int rank, const int64_t *shape, int dim);
struct sr_value *sr_spmd_slice(struct sr_expansion *p, struct sr_value *v, int dim, int64_t first, int64_t n);
/* A slice of n along dim from a scalar index on, moved to where all of it is inside. */
struct sr_value *sr_spmd_dynamic_slice(struct sr_expansion *p, struct sr_value *v, int dim, struct sr_value *first, int64_t n);
struct sr_value *sr_spmd_pad(struct sr_expansion *p, struct sr_value *v, int dim, int64_t low, int64_t high, struct sr_value *fill);
/* A scalar: where this device's part begins. */
struct sr_value *sr_spmd_shard_offset(struct sr_expansion *p, struct sr_axes axes, int64_t part, enum sr_dtype dtype);
/* The type that places in an extent are computed in; twice the extent fits. */
enum sr_dtype sr_spmd_index_type(int64_t extent);
/* An index of any integer type in that one, held between least and most. */
struct sr_value *sr_spmd_clamped_index(struct sr_expansion *p, struct sr_value *v, enum sr_dtype dtype, int64_t least, int64_t most);
/* i1 of v's shape: first <= v < last. */
struct sr_value *sr_spmd_in_range(struct sr_expansion *p, struct sr_value *v, int64_t first, int64_t last);

/* ---- collectives of the body ---- */
struct sr_value *sr_spmd_all_gather(struct sr_expansion *p, struct sr_value *v, int dim, struct sr_axes axes);
struct sr_value *sr_spmd_all_reduce(struct sr_expansion *p, struct sr_value *v, struct sr_axes axes, enum sr_op_code code);
struct sr_value *sr_spmd_reduce_scatter(struct sr_expansion *p, struct sr_value *v, int dim, struct sr_axes axes,
					 enum sr_op_code code);
struct sr_value *sr_spmd_all_to_all(struct sr_expansion *p, struct sr_value *v, int split, int concat, struct sr_axes axes);
/* From the neighbour `step` places on along the axes; zeros where there is none. */
struct sr_value *sr_spmd_neighbor_permute(struct sr_expansion *p, struct sr_value *v, struct sr_axes axes, int step);

/* Of every element all devices but one hold zero, or what `found` (i1, NULL: zero) says is none: the sum, bit by bit the one. */
struct sr_owned_reduction {
	struct sr_axes everywhere; /* along these all get it */
	struct sr_axes scattered;  /* along these each gets its part of dimension dim */
	int dim;
};
struct sr_value *sr_spmd_sum_owned(struct sr_expansion *p, struct sr_value *v, struct sr_value *found, struct sr_owned_reduction how);
void sr_expand_cost_owned(struct sr_expansion *p, double bytes, struct sr_owned_reduction how); /* bytes: of v */

#endif
