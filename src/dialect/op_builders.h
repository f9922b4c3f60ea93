/* Builders of common stablehlo ops. Each inserts at the builder's position and returns the result. Ops that would change nothing (a
 * slice of all elements, a reshape to the same shape) are not built: the operand is returned. */
#ifndef SR_DIALECT_OP_BUILDERS_H
#define SR_DIALECT_OP_BUILDERS_H

#include "dialect/ops.h"

/* Build a constant all of whose elements are this integer. Exact for every 64-bit integer. */
struct sr_value *sr_build_integer(struct sr_builder *b, const struct sr_type *type, int64_t value);
struct sr_value *sr_build_scalar(struct sr_builder *b, enum sr_dtype type, int64_t value);
/* Build a scalar zero of this element type. */
struct sr_value *sr_build_zero_scalar(struct sr_builder *b, const struct sr_type *element);
struct sr_value *sr_build_convert(struct sr_builder *b, struct sr_value *v, enum sr_dtype to);
struct sr_value *sr_build_reshape(struct sr_builder *b, struct sr_value *v, int rank, const int64_t *shape);
struct sr_value *sr_build_transpose(struct sr_builder *b, struct sr_value *v, const int64_t *permutation);
struct sr_value *sr_build_reverse(struct sr_builder *b, struct sr_value *v, int64_t dim);
/* Build the positions along dim, in the shape of `like`. */
struct sr_value *sr_build_iota(struct sr_builder *b, enum sr_dtype type, const struct sr_type *like, int64_t dim);
/* Broadcast v to the shape of `like`, keeping v's element type. dims[i]: dimension of the result for dimension i of v. */
struct sr_value *sr_build_broadcast(struct sr_builder *b, struct sr_value *v, const struct sr_type *like, const int64_t *dims);
/* Slice v. strides NULL: all strides are 1. */
struct sr_value *sr_build_slice(struct sr_builder *b, struct sr_value *v, const int64_t *start, const int64_t *limit,
				const int64_t *strides);
/* Return a slice along dimension dim: n elements from element `first` on, with this stride. */
struct sr_value *sr_build_slice_dim(struct sr_builder *b, struct sr_value *v, int dim, int64_t first, int64_t n, int64_t stride);
/* Pad v. low and interior may be NULL, which means 0 in all dimensions. */
struct sr_value *sr_build_pad(struct sr_builder *b, struct sr_value *v, struct sr_value *fill, const int64_t *low,
			      const int64_t *high, const int64_t *interior);
/* Padding along one dimension; negative numbers remove elements. */
struct sr_dim_padding {
	int64_t low, high, interior;
};
/* Pad dimension dim. fill: the padding scalar; NULL: zero. */
struct sr_value *sr_build_pad_dim(struct sr_builder *b, struct sr_value *v, int dim, struct sr_dim_padding padding,
				  struct sr_value *fill);
struct sr_value *sr_build_dynamic_slice(struct sr_builder *b, struct sr_value *v, struct sr_value *const *starts,
					const int64_t *sizes);
/* Slice n elements of dimension dim from the scalar index `first` on, which is clamped so that all of them are inside of v. */
struct sr_value *sr_build_dynamic_slice_dim(struct sr_builder *b, struct sr_value *v, int dim, struct sr_value *first, int64_t n);
/* Build v with `update` in place of the elements from these start indices on. */
struct sr_value *sr_build_update_slice(struct sr_builder *b, struct sr_value *v, struct sr_value *update,
				       struct sr_value *const *starts);
/* Build v with `update` in place of the elements of dimension dim from the scalar index `first` on. */
struct sr_value *sr_build_update_slice_dim(struct sr_builder *b, struct sr_value *v, struct sr_value *update, int dim,
					   struct sr_value *first);
/* Build a binary op whose result has the type of x. */
struct sr_value *sr_build_binary(struct sr_builder *b, enum sr_op_code code, struct sr_value *x, struct sr_value *y);
struct sr_value *sr_build_select(struct sr_builder *b, struct sr_value *predicate, struct sr_value *yes, struct sr_value *no);
/* Build the reduction of v along n_dims dimensions by the binary op `code`. init: a scalar. */
struct sr_value *sr_build_reduction(struct sr_builder *b, struct sr_value *v, struct sr_value *init, enum sr_op_code code,
				    const int64_t *dims, int64_t n_dims);
/* Build the sums of the elements up to each element, inclusive, along the last dimension of integers or floats. */
struct sr_value *sr_build_prefix_sums(struct sr_builder *b, struct sr_value *v);
/* Build a gather of the rows of v, its slices along dimension 0, at these indices (a vector). Those out of range are clamped. */
struct sr_value *sr_build_rows_at(struct sr_builder *b, struct sr_value *v, struct sr_value *indices);
/* Build v with the rows `updates` added at these indices (a vector). Rows at indices out of range are dropped. */
struct sr_value *sr_build_add_rows_at(struct sr_builder *b, struct sr_value *v, struct sr_value *indices, struct sr_value *updates);
struct sr_value *sr_build_concatenate(struct sr_builder *b, struct sr_value *const *operands, int n, int dim);
/* Build a while op with this initial state of n values, and set regions[0] and regions[1] to builders of its condition and its
 * body: each of the two blocks has the state's n values as arguments, and no op. */
struct sr_op *sr_build_while(struct sr_builder *b, struct sr_value *const *state, int n, struct sr_builder regions[2]);
/* Build the device's number, replica_id or partition_id, as an i64 scalar. */
struct sr_value *sr_build_device_id(struct sr_builder *b, bool is_by_replica);
int64_t *sr_make_ints(struct sr_context *ctx, int64_t n, int64_t value); /* Return a list of n times `value`, in scratch memory. */

#endif
