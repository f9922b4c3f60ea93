/* Builders of shape ops. Each takes operands, infers the result type and returns the result. Internal to partition. */
#ifndef SR_PARTITION_OP_BUILDERS_H
#define SR_PARTITION_OP_BUILDERS_H

#include "dialect/ops.h"

struct sr_value *sr_make_scalar(struct sr_builder *b, enum sr_dtype type, int64_t value);
struct sr_value *sr_make_zero(struct sr_builder *b, const struct sr_type *element); /* Build a scalar zero of this element type. */
struct sr_value *sr_make_convert(struct sr_builder *b, struct sr_value *v, enum sr_dtype to);
struct sr_value *sr_make_reshape(struct sr_builder *b, struct sr_value *v, int rank, const int64_t *shape);
struct sr_value *sr_make_transpose(struct sr_builder *b, struct sr_value *v, const int64_t *permutation);
/* Broadcast v to the shape of `like`, keeping v's element type. dims[i]: dimension of the result for dimension i of v. */
struct sr_value *sr_make_broadcast(struct sr_builder *b, struct sr_value *v, const struct sr_type *like, const int64_t *dims);
/* Slice v. strides NULL: all strides are 1. */
struct sr_value *sr_make_slice(struct sr_builder *b, struct sr_value *v, const int64_t *start, const int64_t *limit,
			       const int64_t *strides);
struct sr_value *sr_make_pad(struct sr_builder *b, struct sr_value *v, struct sr_value *fill, const int64_t *low,
			     /* Pad v. low and interior may be NULL, which means 0 in all dimensions. */
			     const int64_t *high, const int64_t *interior);
struct sr_value *sr_make_dynamic_slice(struct sr_builder *b, struct sr_value *v, struct sr_value *const *starts,
				       const int64_t *sizes);
/* Build a binary op whose result has the type of x. */
struct sr_value *sr_make_binary(struct sr_builder *b, enum sr_op_code code, struct sr_value *x, struct sr_value *y);
struct sr_value *sr_make_select(struct sr_builder *b, struct sr_value *predicate, struct sr_value *yes, struct sr_value *no);
struct sr_value *sr_make_concatenate(struct sr_builder *b, struct sr_value *const *operands, int n, int dim);
/* Build the device's number, replica_id or partition_id, as an i64 scalar. */
struct sr_value *sr_make_device_id(struct sr_builder *b, bool is_by_replica);
int64_t *sr_make_ints(struct sr_context *ctx, int64_t n, int64_t value); /* Return a list of n times `value`, in scratch memory. */

#endif
