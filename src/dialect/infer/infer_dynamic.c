/* Infer result types of ops with dynamic shapes and of random numbers. Constraints on operands are checked if they are constant. */
#include "dialect/infer/infer.h"
#include "support/checked.h"
#include <string.h>

sr_infer_fn sr_infer_dynamic_broadcast_in_dim, sr_infer_dynamic_iota, sr_infer_dynamic_pad, sr_infer_dynamic_reshape,
	sr_infer_get_dimension_size, sr_infer_real_dynamic_slice, sr_infer_rng, sr_infer_rng_bit_generator,
	sr_infer_set_dimension_size;

/* Check a constant output shape against the declared result. */
static enum sr_status check_output_shape(struct sr_infer *in, int operand, const struct sr_type *result)
{
	struct sr_ints shape;
	if (!sr_value_ints(in->ctx, sr_operand(in->op, operand), &shape))
		return SR_OK;
	bool is_compatible = shape.n == result->rank;
	for (int d = 0; is_compatible && d < result->rank; d++)
		is_compatible = sr_dims_compatible(shape.v[d], result->shape[d]);
	if (is_compatible)
		return SR_OK;
	return sr_infer_error(in, "output shape [%s] is incompatible with return type of operation '%s'",
			      sr_dims_str(in->ctx, shape.v, shape.n), sr_infer_type_str(in, result));
}

/* Check that known_expanding_dimensions and known_nonexpanding_dimensions contain only operand dimensions, each at most once. */
static enum sr_status check_expansion_hints(struct sr_infer *in)
{
	struct sr_ints a = sr_infer_ints(in, "known_expanding_dimensions"), b = sr_infer_ints(in, "known_nonexpanding_dimensions");
	int rank = sr_infer_operand(in, 0)->rank;
	for (int64_t i = 0; i < a.n + b.n; i++) {
		int64_t d = i < a.n ? a.v[i] : b.v[i - a.n];
		if (sr_list_has(a.v, i < a.n ? i : a.n, d) || (i >= a.n && sr_list_has(b.v, i - a.n, d)))
			return sr_infer_error(in, "duplicate expansion hint for at least one operand dimension");
		if (d < 0 || d >= rank)
			return sr_infer_error(in, "hint for expanding dimension %lld does not refer to a valid operand dimension",
					      (long long)d);
	}
	return SR_OK;
}

static enum sr_status check_element(struct sr_infer *in, const struct sr_type *t, const struct sr_type *result)
{
	if (sr_elements_compatible(t->element, result->element))
		return SR_OK;
	return sr_infer_error(in, "expects operand and result to have compatible element type. Got: '%s' and '%s'",
			      sr_infer_type_str(in, t), sr_infer_type_str(in, result));
}

enum sr_status sr_infer_dynamic_broadcast_in_dim(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0), *result = in->types[0];
	if (!result)
		return SR_OK;
	if (check_element(in, t, result) ||
	    sr_check_broadcast_dimensions(in, result, false) ||
	    check_output_shape(in, 1, result) || check_expansion_hints(in))
		return SR_INVALID;
	struct sr_ints dims = sr_infer_ints(in, "broadcast_dimensions"), shape;
	if (sr_check_quantized_broadcast(in, result))
		return SR_INVALID;
	if (!sr_type_is_static(t) || !sr_value_ints(in->ctx, sr_operand(in->op, 1), &shape))
		return SR_OK;
	for (int i = 0; i < t->rank; i++)
		if (t->shape[i] != 1 && t->shape[i] != shape.v[dims.v[i]])
			return sr_infer_error(
				in, "size of operand dimension %d (%lld) is not equal to 1 or value of shape at index %lld (%lld)",
				i, (long long)t->shape[i], (long long)dims.v[i], (long long)shape.v[dims.v[i]]);
	return SR_OK;
}

enum sr_status sr_infer_dynamic_iota(struct sr_infer *in)
{
	if (!in->types[0])
		return SR_OK;
	if (sr_op_int(in->op, "iota_dimension", 0) >= in->types[0]->rank)
		return sr_infer_error(in, "iota dimension cannot go beyond the output rank.");
	return check_output_shape(in, 0, in->types[0]);
}

enum sr_status sr_infer_dynamic_pad(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0), *result = in->types[0];
	struct sr_ints low, high, interior;
	if (sr_infer_operand(in, 1)->element != t->element || (result && result->element != t->element))
		return sr_infer_error(in, "failed to verify that all of {operand, padding_value, result} have same element type");
	if (result && result->rank != t->rank)
		return sr_infer_error(in, "failed to verify that all of {operand, result} have same rank");
	for (int i = 3; i < 5; i++)
		if (sr_infer_operand(in, i) != sr_infer_operand(in, 2))
			return sr_infer_error(in, "failed to verify that all of {edge_padding_low, edge_padding_high, "
						  "interior_padding} have same "
						  "type");
	int64_t n = sr_infer_operand(in, 2)->shape[0];
	if (n != t->rank)
		return sr_infer_error(in, "padding operands size (%lld) must match operand rank (%d)", (long long)n, t->rank);
	if (!sr_value_ints(in->ctx, sr_operand(in->op, 4), &interior))
		return SR_OK;
	for (int64_t i = 0; i < interior.n; i++)
		if (interior.v[i] < 0)
			return sr_infer_error(in, "interior_padding must be non-negative, but got %s",
					      sr_dims_str(in->ctx, interior.v, interior.n));
	if (!result || !sr_type_is_static(t) || !sr_type_is_static(result) ||
	    !sr_value_ints(in->ctx, sr_operand(in->op, 2), &low) || !sr_value_ints(in->ctx, sr_operand(in->op, 3), &high))
		return SR_OK;
	for (int d = 0; d < t->rank; d++) {
		int64_t expected;
		if (!sr_padded_extent(t->shape[d], low.v[d], high.v[d], interior.v[d], &expected) || result->shape[d] != expected)
			return sr_infer_error(in, "expected output dimension at index %d to equal %lld, but got %lld", d,
					      (long long)expected, (long long)result->shape[d]);
	}
	return SR_OK;
}

enum sr_status sr_infer_dynamic_reshape(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0), *result = in->types[0];
	struct sr_ints shape;
	int64_t n_elements, expected;
	if (!result)
		return SR_OK;
	if (check_element(in, t, result))
		return SR_INVALID;
	if (sr_type_is_static(t) && sr_type_is_static(result) && sr_type_elements(t, &n_elements) &&
	    sr_type_elements(result, &expected) && n_elements != expected)
		return sr_infer_error(in, "number of output elements (%lld) doesn't match expected number of elements (%lld)",
				      (long long)expected, (long long)n_elements);
	if (check_output_shape(in, 1, result))
		return SR_INVALID;
	if (sr_infer_operand(in, 1)->shape[0] != result->rank)
		return sr_infer_error(in, "result should have a rank equal to the number of elements in output_shape");
	if (sr_check_quantized_reshape(in, result))
		return SR_INVALID;
	if (!sr_type_is_static(t) || !sr_value_ints(in->ctx, sr_operand(in->op, 1), &shape) || !sr_type_elements(t, &n_elements))
		return SR_OK;
	if (sr_product_overflows(shape.v, (int)shape.n, &expected))
		return sr_infer_error(in, "output_shape [%s] has more elements than can be counted",
				      sr_dims_str(in->ctx, shape.v, shape.n));
	if (n_elements != expected)
		return sr_infer_error(in,
				      "output_shape is incompatible with input type of operation: input has %lld elements, but "
				      "output_shape has %lld",
				      (long long)n_elements, (long long)expected);
	return SR_OK;
}

enum sr_status sr_infer_real_dynamic_slice(struct sr_infer *in)
{
	static const char *const names[] = {"start_indices", "limit_indices", "strides"};
	const struct sr_type *t = sr_infer_operand(in, 0);
	if (in->types[0] && in->types[0]->element != t->element)
		return sr_infer_error(in, "failed to verify that all of {operand, result} have same element type");
	for (int i = 1; i < 4; i++) {
		if (sr_infer_operand(in, i) != sr_infer_operand(in, 1))
			return sr_infer_error(in, "failed to verify that all of {start_indices, limit_indices, strides} have same "
						  "type");
		int64_t n = sr_infer_operand(in, i)->shape[0];
		if (!sr_dims_compatible(n, t->rank))
			return sr_infer_error(in, "has mismatched number of operand rank (%d) and %s size (%lld)", t->rank,
					      names[i - 1], (long long)n);
	}
	return SR_OK;
}

static enum sr_status check_dimension(struct sr_infer *in, const struct sr_type *t)
{
	int64_t dim = sr_op_int(in->op, "dimension", 0);
	if (dim < t->rank)
		return SR_OK;
	return sr_infer_error(in, "requires dimension attribute in range [0, %d); found (%lld)", t->rank, (long long)dim);
}

enum sr_status sr_infer_get_dimension_size(struct sr_infer *in)
{
	in->types[0] = sr_type_tensor(in->ctx, SR_I32, 0, NULL);
	return check_dimension(in, sr_infer_operand(in, 0));
}

/* Infer the result of set_dimension_size: the dimension is dynamic, bounded by its old extent. A constant size equal to the bound
 * makes the dimension static again. */
enum sr_status sr_infer_set_dimension_size(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	int64_t dim = sr_op_int(in->op, "dimension", 0);
	struct sr_ints size;
	if (sr_infer_operand(in, 1)->rank != 0)
		return sr_infer_error(in, "size operand should be of rank-0");
	if (check_dimension(in, t))
		return SR_INVALID;
	int64_t *shape = sr_dup(in->ctx->arena, t->shape, (size_t)t->rank, sizeof *shape);
	int64_t *bounds = SR_NEW_ARRAY(in->ctx->arena, int64_t, t->rank);
	const int64_t *old_bounds = sr_type_bounds(t);
	for (int d = 0; d < t->rank; d++)
		bounds[d] = old_bounds ? old_bounds[d] : SR_DYNAMIC;
	if (!sr_is_dynamic(shape[dim]))
		bounds[dim] = shape[dim];
	shape[dim] = SR_DYNAMIC;
	if (sr_value_ints(in->ctx, sr_operand(in->op, 1), &size) && size.n == 1 && size.v[0] == bounds[dim]) {
		shape[dim] = size.v[0];
		bounds[dim] = SR_DYNAMIC;
	}
	in->types[0] = sr_infer_tensor(in, t, t->rank, shape, bounds);
	return SR_OK;
}

enum sr_status sr_infer_rng(struct sr_infer *in)
{
	const struct sr_type *a = sr_infer_operand(in, 0), *b = sr_infer_operand(in, 1);
	struct sr_ints shape;
	int64_t n = sr_infer_operand(in, 2)->shape[0];
	bool is_normal = strcmp(sr_attr_enum_name(sr_op_attr(in->op, "rng_distribution")), "NORMAL") == 0;
	if (a->element != b->element)
		return sr_infer_error(in, "failed to verify that all of {a, b, result} have same element type");
	if (is_normal && a->element->kind != SR_TYPE_FLOAT)
		return sr_infer_error(in, "mu and sigma must be floats");
	int64_t *dims = SR_NEW_ARRAY(in->ctx->arena, int64_t, n);
	bool is_known = sr_value_ints(in->ctx, sr_operand(in->op, 2), &shape);
	for (int64_t d = 0; d < n; d++) {
		dims[d] = is_known ? shape.v[d] : SR_DYNAMIC;
		if (is_known && dims[d] < 0)
			return sr_infer_error(in, "shape must not be negative, but got [%s]",
					      sr_dims_str(in->ctx, shape.v, shape.n));
	}
	in->types[0] = sr_infer_tensor(in, a, (int)n, dims, NULL);
	return SR_OK;
}

enum sr_status sr_infer_rng_bit_generator(struct sr_infer *in)
{
	const struct sr_type *state_type = sr_infer_operand(in, 0);
	if (in->types[0] && !sr_shapes_compatible(state_type, in->types[0]))
		return sr_infer_error(in, "output state shape must be compatible with initial state shape. Got: '%s' and '%s'",
				      sr_infer_type_str(in, state_type), sr_infer_type_str(in, in->types[0]));
	if (!in->types[0])
		in->types[0] = state_type;
	return SR_OK;
}
