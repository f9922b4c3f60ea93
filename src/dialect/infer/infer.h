/* Helpers for the functions of the INFER column. An INFER function sets in->types[i] for every result type that follows from
 * operands, attributes and regions, and leaves the others unchanged (the declared type when verifying, NULL when building). If a
 * constraint fails, it reports an error and returns SR_INVALID.
 *
 * The messages state the constraints of the StableHLO specification in the words of upstream's verifier, which tests compare. */
#ifndef SR_DIALECT_INFER_H
#define SR_DIALECT_INFER_H

#include "dialect/ops.h"
#include "dialect/signature.h"
#include "support/integers.h"

enum sr_status sr_op_infer(struct sr_infer *in); /* Run the INFER function of the op. */
/* Verify an op by its signature and its INFER function. This is the `verify` function of every registered op. */
enum sr_status sr_op_verify(struct sr_context *ctx, struct sr_op *op, struct sr_diags *diags);
/* Verify the sdy attributes that any op may have: sdy.sharding, sdy.sharding_rule. */
enum sr_status sr_sdy_verify_attributes(struct sr_context *ctx, struct sr_op *op, struct sr_diags *diags);
/* Verify the sdy attributes of a function's arguments and results. */
enum sr_status sr_sdy_verify_func(struct sr_context *ctx, struct sr_op *func, struct sr_diags *diags);

/* Report "'stablehlo.add' op <message>" at the op; return SR_INVALID. */
enum sr_status sr_infer_error(const struct sr_infer *in, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Report "inferred type(s) ... are incompatible with return type(s) ...". The op may have another number of results than n. */
enum sr_status sr_infer_mismatch(struct sr_infer *in, const struct sr_type *const *types, int n);

static inline const struct sr_type *sr_infer_operand(const struct sr_infer *in, int i)
{
	return sr_operand(in->op, i)->type;
}
/* Return the type as text, including bounds, in the context's arena. */
const char *sr_bounded_type_str(struct sr_context *ctx, const struct sr_type *t);
static inline const char *sr_infer_type_str(const struct sr_infer *in, const struct sr_type *t)
{
	return sr_bounded_type_str(in->ctx, t);
}

/* ---- shapes ---- */
static inline bool sr_is_dynamic(int64_t dim)
{
	return dim == SR_DYNAMIC;
}
/* Return true if the extents are equal or one is unknown. */
static inline bool sr_dims_compatible(int64_t a, int64_t b)
{
	return a == b || sr_is_dynamic(a) || sr_is_dynamic(b);
}
static inline bool sr_is_ranked(const struct sr_type *t)
{
	return t->kind == SR_TYPE_TENSOR;
}
/* Return true if a type is unranked, or if both are tensors of equal rank whose extents are equal or unknown, or if both are the
 * same type. */
bool sr_shapes_compatible(const struct sr_type *a, const struct sr_type *b);
/* Return true if shapes and element types are compatible, as is required of inferred and declared types. */
bool sr_types_compatible(const struct sr_type *a, const struct sr_type *b);
/* Return true if the element types are equal, or are quantized types that may be mixed. */
bool sr_elements_compatible(const struct sr_type *a, const struct sr_type *b);
/* Merge tensor types: each extent from the first type that knows it, the element type of the first, the smallest bounds. NULL if
 * incompatible. */
const struct sr_type *sr_types_merge(struct sr_context *ctx, const struct sr_type *const *types, int n);
const struct sr_type *sr_tensor_like(const struct sr_infer *in, const struct sr_type *element, const struct sr_type *shaped);
const struct sr_type *sr_bool_type(struct sr_context *ctx);
/* Format dimensions for messages: "2, 3, ?". */
const char *sr_dims_str(struct sr_context *ctx, const int64_t *dims, int64_t n);
/* Format an integer attribute, an array or a dense list of integers for messages. */
const char *sr_attr_str(struct sr_context *ctx, const struct sr_attr *a);
bool sr_is_unique(const int64_t *v, int64_t n);
bool sr_is_sorted(const int64_t *v, int64_t n);
bool sr_in_range(const int64_t *v, int64_t n, int64_t low, int64_t high); /* Return true if low <= v < high for every v. */

/* ---- attributes ---- */
struct sr_ints { /* a list of n integers; not owned */
	const int64_t *v;
	int64_t n;
};
/* Return the integers of an attribute; empty if it is missing. */
struct sr_ints sr_infer_ints(const struct sr_infer *in, const char *attr);
/* Return the integers of a field of a structure; empty if the field is missing. */
struct sr_ints sr_field_ints(const struct sr_infer *in, const struct sr_attr *structure, const char *field);
/* Return the integer of a field of a structure; default_value if the field is missing. */
int64_t sr_field_int(const struct sr_attr *structure, const char *field, int64_t default_value);

/* ---- result types ---- */
/* Create a tensor type with the element type of `element_source`. The upper bounds of unknown dimensions, bounds[rank], become the
 * type's encoding; if bounds is NULL, the type has no encoding. */
const struct sr_type *sr_infer_tensor(const struct sr_infer *in, const struct sr_type *element_source, int rank,
				      const int64_t *shape, const int64_t *bounds);
/* Return the dimension's extent, or its bound if the extent is unknown; SR_DYNAMIC if it has neither. */
int64_t sr_dimension_upper_bound(const struct sr_type *t, int64_t dim);
/* Return the bounds of a type's dimensions, SR_DYNAMIC where unbounded; length: rank. NULL: the type has no bounds. */
const int64_t *sr_type_bounds(const struct sr_type *t);
/* Compute the extent of a padded dimension. Return false on overflow. */
bool sr_padded_extent(int64_t size, int64_t low, int64_t high, int64_t interior, int64_t *out);
enum sr_status sr_check_broadcast_dimensions(struct sr_infer *in, const struct sr_type *result, bool is_strict);
/* Verify a custom call ragged_all_to_all, as JAX emits it. */
enum sr_status sr_check_ragged_all_to_all(struct sr_infer *in);
/* Read the integers of a constant. Return false if the value is not constant. */
bool sr_value_ints(struct sr_context *ctx, const struct sr_value *v, struct sr_ints *out);

/* ---- quantized element types ---- */
enum sr_status sr_check_quantized_broadcast(struct sr_infer *in, const struct sr_type *result);
enum sr_status sr_check_quantized_reshape(struct sr_infer *in, const struct sr_type *result);
enum sr_status sr_check_quantized_transpose(struct sr_infer *in, const struct sr_type *result);
/* Check the types of a quantized dot product or convolution. To be called if sr_infer_is_quantized returns true: one of the
 * operands' or result's types is quantized. */
enum sr_status sr_check_quantized_product(struct sr_infer *in, const struct sr_type *result);
bool sr_infer_is_quantized(const struct sr_infer *in, const struct sr_type *result);

/* ---- lists of dimensions, with upstream's messages ---- */
enum sr_status sr_check_distinct(struct sr_infer *in, struct sr_ints a, const char *a_name, struct sr_ints b, const char *b_name);
enum sr_status sr_check_index_range(struct sr_infer *in, struct sr_ints list, const char *name, int64_t bound, const char *bound_name);

/* ---- windows (convolution, reduce_window, select_and_scatter) ---- */
struct sr_window_dim {
	int64_t size, stride, low, high, base_dilation, window_dilation;
};
struct sr_window_names { /* names of the op's window attributes; NULL if the op lacks one */
	const char *strides, *base_dilation, *window_dilation, *reversal;
};
/* Read a padding attribute of shape {N, 2} as pairs low, high; empty if the attribute is missing. */
enum sr_status sr_infer_padding(struct sr_infer *in, const char *attr, struct sr_ints *out);
/* Check the window attributes and build dims[n] from sizes[n] and padding[2 * n]. */
enum sr_status sr_infer_window(struct sr_infer *in, const struct sr_window_names *names, const int64_t *sizes, int64_t n,
			       struct sr_ints padding, struct sr_window_dim **dims);
/* Compute the extent of the result along a window dimension; SR_DYNAMIC if unknown. */
enum sr_status sr_infer_window_output(struct sr_infer *in, const struct sr_window_dim *w, int64_t base_extent, int64_t *out);

/* ---- regions ---- */
/* Return the region's block; NULL unless the region has exactly one block. */
struct sr_block *sr_region_block(const struct sr_op *op, int region);
/* Return the terminator of the region's block; NULL if the region does not have exactly one block that ends with one. */
const struct sr_op *sr_region_end(const struct sr_op *op, int region);
struct sr_reduced_types {
	/* types of an input and of its initial value; init NULL: the initial value is a scalar of the input's element type */
	const struct sr_type *input, *init;
};
/* Check a reducer of n values: 2n arguments, whose shapes are subsequences of the allowed dimensions, and n results of the
 * arguments' types. */
enum sr_status sr_check_reducer(struct sr_infer *in, int region, const struct sr_reduced_types *values, int n, const int64_t *allowed,
				int n_allowed);
/* Return the element type in which the region accumulates value i; the input's element type if the region does not determine it. */
const struct sr_type *sr_infer_accumulator(const struct sr_infer *in, int region, int i, const struct sr_type *input);

#endif
