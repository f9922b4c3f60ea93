/* Matchers and replacement functions that several patterns use. */
#ifndef SR_OPTIMIZE_MATCH_H
#define SR_OPTIMIZE_MATCH_H

#include "dialect/infer/infer.h"
#include "optimize/fold.h"
#include "optimize/patterns/rewrite.h"

static inline struct sr_ints sr_match_ints(struct sr_context *ctx, const struct sr_op *op, const char *attr)
{
	struct sr_ints list = {0};
	sr_op_ints(ctx, op, attr, &list.v, &list.n);
	return list;
}
bool sr_match_iota(struct sr_ints list);              /* Return true for the list 0, 1, 2, ... */
bool sr_match_all_equal(struct sr_ints list, int64_t value); /* Return true if all elements of the list equal `value`. */
/* Return true if both types are static and have the same number of elements. */
bool sr_match_same_elements(const struct sr_type *a, const struct sr_type *b);
/* Return the value x if the op is reshape(reshape(x)) or reshape(broadcast_in_dim(x)) to x's type, with the elements in the same
 * order; else NULL. */
struct sr_value *sr_match_undone_reshape(struct sr_context *ctx, const struct sr_op *op);
/* Return true if v is a scalar, a constant of equal elements or a broadcast of a scalar. */
bool sr_match_uniform(const struct sr_value *v);
bool sr_match_empty(const struct sr_type *t); /* Return true for a static tensor type without elements. */
/* Return the dimension of the op's result that dimension d of its operand is, if the op, a reshape or broadcast_in_dim, only adds
 * dimensions of extent 1; else -1. */
int sr_match_viewed_dim(struct sr_rewriter *rw, const struct sr_op *op, int d);
/* Return the type t with this extent of dimension dim. */
const struct sr_type *sr_match_with_extent(struct sr_context *ctx, const struct sr_type *t, int dim, int64_t extent);
/* Store the attributes of a pad of a tensor of this rank, by `low` and `high` elements at the ends of dim. */
void sr_match_pad_attrs(struct sr_context *ctx, int rank, int dim, int64_t low, int64_t high, struct sr_named_attr attrs[3]);

/* Lists and combination of a scatter of one tensor. */
struct sr_match_scatter {
	struct sr_ints window, inserted, to; /* update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims */
	int64_t index_vector_dim;
	const struct sr_reducer *reducer; /* op that combines old and new elements; NULL: new elements replace old ones */
};
/* Read a scatter of one tensor of static shape without batching dimensions, which replaces elements or combines them by one op.
 * Returns false for others. */
bool sr_match_read_scatter(struct sr_context *ctx, const struct sr_op *op, struct sr_match_scatter *s);
/* Return true if v is an operand of a concatenate to which sr_pattern_roll_sharded_first applies (pattern_roll.c). */
bool sr_match_rolled_twice(struct sr_rewriter *rw, const struct sr_value *v);

/* Replace an op with one result by a value. The value's defining op receives op's discardable attributes. Returns false, and
 * changes nothing, if the types differ or, with config->sharded, the shardings. */
bool sr_rewrite_to_value(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *value);
/* Replace an op by a constant with the elements `dense`. Returns false if dense is NULL. */
bool sr_rewrite_to_constant(struct sr_rewriter *rw, struct sr_op *op, const struct sr_attr *dense);
/* Create an op with one result before `op`, whose result has op's sharding, and return the result. */
struct sr_value *sr_rewrite_create_like(struct sr_rewriter *rw, struct sr_op *op, enum sr_op_code code,
					struct sr_value *const *operands, int n, const struct sr_named_attr *attrs, int n_attrs,
					const struct sr_type *type);
/* Create, in the same way, a slice of n elements of v along dim from index `first` with this stride; v itself if these are all
 * elements. */
struct sr_value *sr_rewrite_slice_along(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *v, int dim, int64_t first, int64_t n,
					int64_t stride);

#endif
