/* Infer result types of data movement ops: slices, broadcasts, padding, permutations, constants. */
#include "dialect/infer/infer.h"
#include "support/checked.h"

sr_infer_fn sr_infer_bitcast_convert, sr_infer_broadcast, sr_infer_broadcast_in_dim, sr_infer_concatenate, sr_infer_constant,
	sr_infer_dynamic_slice, sr_infer_dynamic_update_slice, sr_infer_iota, sr_infer_pad, sr_infer_reshape, sr_infer_reverse,
	sr_infer_slice, sr_infer_transpose;

/* Infer the result of a constant: the type of its value, or the declared type if that is quantized and stores the value's
 * elements. */
enum sr_status sr_infer_constant(struct sr_infer *in)
{
	const struct sr_attr *value = sr_op_attr(in->op, "value");
	if (!sr_type_is_static(value->type))
		return sr_infer_error(in, "result #0 must be %s, but got '%s'",
				      sr_type_class_str(in->ctx, SR_TYPES_static_tensor), sr_infer_type_str(in, value->type));
	/* Keep a declared quantized type if the value has elements of its storage type. */
	struct sr_quant q;
	bool is_quantized = in->types[0] && sr_is_ranked(in->types[0]) && sr_type_quant(in->types[0]->element, &q);
	if (is_quantized && value->type->element->dtype == q.storage_type && sr_shapes_compatible(value->type, in->types[0]))
		return SR_OK;
	in->types[0] = value->type;
	return SR_OK;
}

/* Check that iota_dimension is a dimension of the result. */
enum sr_status sr_infer_iota(struct sr_infer *in)
{
	if (!in->types[0])
		return SR_OK;
	if (in->types[0]->rank == 0)
		return sr_infer_error(in, "does not support scalars.");
	if (sr_op_int(in->op, "iota_dimension", 0) >= in->types[0]->rank)
		return sr_infer_error(in, "iota dimension cannot go beyond the output rank.");
	return SR_OK;
}

enum sr_status sr_infer_broadcast(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	struct sr_ints sizes = sr_infer_ints(in, "broadcast_sizes");
	int64_t *shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, sizes.n + t->rank);
	for (int64_t i = 0; i < sizes.n; i++) {
		if (sizes.v[i] < 0)
			return sr_infer_error(in, "Broadcast with negative dimension size %lld", (long long)sizes.v[i]);
		shape[i] = sizes.v[i];
	}
	for (int i = 0; i < t->rank; i++)
		shape[sizes.n + i] = t->shape[i];
	in->types[0] = sr_infer_tensor(in, t, (int)sizes.n + t->rank, shape, NULL);
	return SR_OK;
}

/* Check constraints C2-C5 of broadcast_in_dim and dynamic_broadcast_in_dim: broadcast_dimensions are distinct dimensions of the
 * result, and each operand extent is 1 or that of the result. `is_strict`: an unknown result extent is compatible only with an
 * operand extent of 1 or an unknown one. */
enum sr_status sr_check_broadcast_dimensions(struct sr_infer *in, const struct sr_type *result, bool is_strict)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	struct sr_ints dims = sr_infer_ints(in, "broadcast_dimensions");
	if (dims.n != t->rank)
		return sr_infer_error(in, "broadcast_dimensions size (%lld) does not match operand rank (%d)", (long long)dims.n,
				      t->rank);
	if (!is_strict && result->rank < t->rank)
		return sr_infer_error(in, "result rank (%d) is less than operand rank (%d)", result->rank, t->rank);
	if (!sr_is_unique(dims.v, dims.n))
		return sr_infer_error(in, "broadcast_dimensions should not have duplicates");
	for (int i = 0; i < t->rank; i++) {
		int64_t d = dims.v[i], extent = t->shape[i];
		if (d < 0 || d >= result->rank)
			return sr_infer_error(in, "broadcast_dimensions contains invalid value %lld for result with rank %d",
					      (long long)d, result->rank);
		if (sr_is_dynamic(extent) || extent == 1)
			continue;
		if (is_strict ? extent != result->shape[d] : !sr_dims_compatible(extent, result->shape[d]))
			return sr_infer_error(in,
					      "size of operand dimension %d (%lld) is not %s size of result dimension %lld (%s)", i,
					      (long long)extent, is_strict ? "equal to 1 or" : "compatible with", (long long)d,
					      sr_dims_str(in->ctx, &result->shape[d], 1));
	}
	return SR_OK;
}

enum sr_status sr_infer_broadcast_in_dim(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	if (!in->types[0])
		return SR_OK;
	if (!sr_elements_compatible(t->element, in->types[0]->element))
		return sr_infer_error(in, "requires compatible element types for all operands and results");
	enum sr_status st = sr_check_broadcast_dimensions(in, in->types[0], true);
	return st ? st : sr_check_quantized_broadcast(in, in->types[0]);
}

static enum sr_status check_concatenated(struct sr_infer *in, const struct sr_type *first, const struct sr_type *t, int i,
					 int64_t dim)
{
	if (t->element != first->element)
		return sr_infer_error(in, "requires the same element type for all operands and results");
	if (t->rank != first->rank)
		return sr_infer_error(in, "operands (0) and (%d) do not match rank", i);
	for (int d = 0; d < t->rank; d++)
		if (d != dim && !sr_dims_compatible(first->shape[d], t->shape[d]))
			return sr_infer_error(
				in, "shapes of operand (0) and (%d) are not compatible at non-concat index %d: (%s) != (%s)", i, d,
				sr_dims_str(in->ctx, first->shape, first->rank), sr_dims_str(in->ctx, t->shape, t->rank));
	return SR_OK;
}

/* Add `addend` to the extent or bound *sum; the sum is unknown if either is unknown. Return false on overflow. */
static bool add_extent(int64_t *sum, int64_t addend)
{
	if (sr_is_dynamic(*sum) || sr_is_dynamic(addend)) {
		*sum = SR_DYNAMIC;
		return true;
	}
	return !sr_add_overflows(*sum, addend, sum);
}

enum sr_status sr_infer_concatenate(struct sr_infer *in)
{
	const struct sr_op *op = in->op;
	int64_t dim = sr_op_int(op, "dimension", 0);
	in->is_verifying = op->n_operands == 0;
	if (in->is_verifying)
		return sr_infer_error(in, "expected 1 or more operands, but found 0");
	const struct sr_type *first = sr_infer_operand(in, 0);
	if (first->rank == 0)
		return sr_infer_error(in, "rank-0 values cannot be concatenated");
	if (dim >= first->rank)
		return sr_infer_error(in, "dimension %lld is out-of-bounds for input rank %d", (long long)dim, first->rank);
	/* Compare the operands' shapes with the extents along `dim` taken as equal. */
	const struct sr_type **unit_types = SR_NEW_ARRAY(in->ctx->arena, const struct sr_type *, op->n_operands);
	int64_t extent = 0, limit = 0;
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_type *t = sr_infer_operand(in, i);
		if (i && check_concatenated(in, first, t, i, dim))
			return SR_INVALID;
		if (!add_extent(&extent, t->shape[dim]) || !add_extent(&limit, sr_dimension_upper_bound(t, dim)))
			return sr_infer_error(in, "the result's dimension %lld is too large", (long long)dim);
		int64_t *shape = sr_dup(in->ctx->arena, t->shape, (size_t)t->rank, sizeof *shape);
		shape[dim] = 1;
		unit_types[i] = sr_infer_tensor(in, first, t->rank, shape, sr_type_bounds(t));
	}
	const struct sr_type *merged = sr_types_merge(in->ctx, unit_types, op->n_operands);
	const int64_t *bounds = sr_type_bounds(merged);
	int64_t *shape = sr_dup(in->ctx->arena, merged->shape, (size_t)merged->rank, sizeof *shape);
	int64_t *limits = SR_NEW_ARRAY(in->ctx->arena, int64_t, merged->rank);
	for (int d = 0; d < merged->rank; d++)
		limits[d] = bounds ? bounds[d] : SR_DYNAMIC;
	shape[dim] = extent;
	limits[dim] = limit;
	in->types[0] = sr_infer_tensor(in, first, first->rank, shape, limits);
	return SR_OK;
}

static enum sr_status check_slice(struct sr_infer *in, const struct sr_type *t, int d, int64_t start, int64_t limit, int64_t stride)
{
	if (start < 0)
		return sr_infer_error(in, "negative start index %lld in dimension %d", (long long)start, d);
	const int64_t *bounds = sr_type_bounds(t);
	if (bounds && !sr_is_dynamic(bounds[d]) && limit > bounds[d])
		return sr_infer_error(in, "limit index %lld is larger than dimension bound %lld in dimension %d", (long long)limit,
				      (long long)bounds[d], d);
	if (!sr_is_dynamic(t->shape[d]) && limit > t->shape[d])
		return sr_infer_error(in, "limit index %lld is larger than dimension size %lld in dimension %d", (long long)limit,
				      (long long)t->shape[d], d);
	if (start > limit)
		return sr_infer_error(in, "start index %lld is larger than limit index %lld in dimension %d", (long long)start,
				      (long long)limit, d);
	if (stride <= 0)
		return sr_infer_error(in, "stride must be positive but got %lld in dimension %d", (long long)stride, d);
	return SR_OK;
}

enum sr_status sr_infer_slice(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	struct sr_ints start = sr_infer_ints(in, "start_indices"), limit = sr_infer_ints(in, "limit_indices"),
		       stride = sr_infer_ints(in, "strides");
	if (start.n != limit.n || start.n != stride.n)
		return sr_infer_error(in, "failed to verify that all of {start_indices, limit_indices, strides} have same size");
	if (start.n != t->rank)
		return sr_infer_error(in,
				      "the number of elements in start_indices (%lld) does not match the rank of the operand (%d)",
				      (long long)start.n, t->rank);
	int64_t *shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, t->rank);
	for (int d = 0; d < t->rank; d++) {
		enum sr_status st = check_slice(in, t, d, start.v[d], limit.v[d], stride.v[d]);
		if (st)
			return st;
		shape[d] = sr_ceil_div(limit.v[d] - start.v[d], stride.v[d]);
	}
	in->types[0] = sr_infer_tensor(in, t, t->rank, shape, NULL);
	return SR_OK;
}

static enum sr_status check_same_indices(struct sr_infer *in, int first)
{
	for (int i = first + 1; i < in->op->n_operands; i++)
		if (sr_infer_operand(in, i)->element != sr_infer_operand(in, first)->element)
			return sr_infer_error(in, "start indices must have same element type");
	return SR_OK;
}

enum sr_status sr_infer_dynamic_slice(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	struct sr_ints sizes = sr_infer_ints(in, "slice_sizes");
	int n_indices = in->op->n_operands - 1;
	if (sizes.n != n_indices)
		return sr_infer_error(in, "has mismatched number of slice sizes (%lld) and number of start indices (%d)",
				      (long long)sizes.n, n_indices);
	if (t->rank != n_indices)
		return sr_infer_error(in, "has mismatched number of start indices (%d) and the rank of operand (%d)", n_indices,
				      t->rank);
	if (check_same_indices(in, 1))
		return SR_INVALID;
	for (int d = 0; d < t->rank; d++) {
		if (sizes.v[d] < 0)
			return sr_infer_error(in, "has negative size index to dynamic slice: %lld", (long long)sizes.v[d]);
		if (!sr_is_dynamic(t->shape[d]) && sizes.v[d] > t->shape[d])
			return sr_infer_error(in, "has slice size %lld greater than dimension size %lld in dimension %d of operand",
					      (long long)sizes.v[d], (long long)t->shape[d], d);
	}
	in->types[0] = sr_infer_tensor(in, t, t->rank, sizes.v, NULL);
	return SR_OK;
}

enum sr_status sr_infer_dynamic_update_slice(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0), *update = sr_infer_operand(in, 1);
	int n_indices = in->op->n_operands - 2;
	if (update->element != t->element)
		return sr_infer_error(in, "failed to verify that all of {operand, update, result} have same element type");
	if (update->rank != t->rank)
		return sr_infer_error(in, "update rank does not match operand rank: %d vs %d.", update->rank, t->rank);
	if (n_indices != t->rank)
		return sr_infer_error(in, "expects number of start_indices to match operand rank: %d vs %d.", n_indices, t->rank);
	if (check_same_indices(in, 2))
		return SR_INVALID;
	for (int d = 0; d < t->rank; d++)
		if (!sr_is_dynamic(update->shape[d]) && !sr_is_dynamic(t->shape[d]) && update->shape[d] > t->shape[d])
			return sr_infer_error(in, "expects size at dimension %d of update to be in range [0, %lld]. Got: %lld.", d,
					      (long long)t->shape[d], (long long)update->shape[d]);
	in->types[0] = t;
	return SR_OK;
}

/* Compute size + low + high + max(size - 1, 0) * interior; return false on overflow. */
bool sr_padded_extent(int64_t size, int64_t low, int64_t high, int64_t interior, int64_t *out)
{
	int64_t interior_total = size > 0 ? size - 1 : 0;
	return !sr_mul_overflows(interior_total, interior, &interior_total) && !sr_add_overflows(size, interior_total, &size) &&
	       !sr_add_overflows(size, low, &size) && !sr_add_overflows(size, high, out);
}

enum sr_status sr_infer_pad(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0), *value = sr_infer_operand(in, 1);
	struct sr_ints low = sr_infer_ints(in, "edge_padding_low"), high = sr_infer_ints(in, "edge_padding_high"),
		       interior = sr_infer_ints(in, "interior_padding");
	if (value->element != t->element)
		return sr_infer_error(in, "requires the same element type for all operands and results");
	if (low.n != high.n || low.n != interior.n)
		return sr_infer_error(in, "failed to verify that all of {edge_padding_low, edge_padding_high, interior_padding} "
					  "have same size");
	if (low.n != t->rank)
		return sr_infer_error(in, "edge_padding_low length (%lld) must match operand rank (%d)", (long long)low.n, t->rank);
	int64_t *shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, t->rank), *limits = SR_NEW_ARRAY(in->ctx->arena, int64_t, t->rank);
	for (int d = 0; d < t->rank; d++) {
		if (interior.v[d] < 0)
			return sr_infer_error(in, "Interior padding cannot be negative: %lld", (long long)interior.v[d]);
		bool is_known = !sr_is_dynamic(t->shape[d]);
		int64_t extent = sr_dimension_upper_bound(t, d);
		shape[d] = limits[d] = SR_DYNAMIC;
		if (sr_is_dynamic(extent))
			continue;
		if (!sr_padded_extent(extent, low.v[d], high.v[d], interior.v[d], &extent))
			return sr_infer_error(in, "Padding result is too large for dimension %d", d);
		if (extent < 0)
			return sr_infer_error(in, "Padding result in negative %s for dimension %d", is_known ? "size" : "bound", d);
		*(is_known ? &shape[d] : &limits[d]) = extent;
	}
	in->types[0] = sr_infer_tensor(in, t, t->rank, shape, limits);
	return SR_OK;
}

enum sr_status sr_infer_reverse(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	struct sr_ints dims = sr_infer_ints(in, "dimensions");
	in->is_verifying = true;
	if (!sr_is_unique(dims.v, dims.n))
		return sr_infer_error(in, "dimensions should be unique. Got: %s", sr_dims_str(in->ctx, dims.v, dims.n));
	for (int64_t i = 0; i < dims.n; i++) {
		if (dims.v[i] < 0)
			return sr_infer_error(in, "all dimensions should be non-negative. Got dimension: %lld.",
					      (long long)dims.v[i]);
		if (dims.v[i] >= t->rank)
			return sr_infer_error(in, "all dimensions should be between [0, %d). Got dimension: %lld.", t->rank,
					      (long long)dims.v[i]);
	}
	in->types[0] = t;
	return SR_OK;
}

enum sr_status sr_infer_transpose(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	struct sr_ints p = sr_infer_ints(in, "permutation");
	if (p.n != t->rank)
		return sr_infer_error(in, "TransposeOp operand rank %d does not match permutation size %lld", t->rank,
				      (long long)p.n);
	int64_t *shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, t->rank), *all_dims = SR_NEW_ARRAY(in->ctx->arena, int64_t, t->rank);
	for (int d = 0; d < t->rank; d++)
		all_dims[d] = d;
	if (!sr_is_unique(p.v, p.n) || !sr_in_range(p.v, p.n, 0, t->rank))
		return sr_infer_error(in, "attribute permutation must be a permutation of [%s] but got %s",
				      sr_dims_str(in->ctx, all_dims, t->rank), sr_dims_str(in->ctx, p.v, p.n));
	const int64_t *bounds = sr_type_bounds(t);
	int64_t *result_bounds = bounds ? SR_NEW_ARRAY(in->ctx->arena, int64_t, t->rank) : NULL;
	for (int d = 0; d < t->rank; d++) {
		shape[d] = t->shape[p.v[d]];
		if (bounds)
			result_bounds[d] = bounds[p.v[d]];
	}
	/* Use the declared element type of a quantized result, since a per-axis one has another quantized dimension (transpose C1,
	 * C4). */
	struct sr_quant q;
	const struct sr_type *like = t;
	if (in->types[0] && sr_type_quant(t->element, &q)) {
		in->is_verifying = true;
		if (sr_check_quantized_transpose(in, in->types[0]))
			return SR_INVALID;
		in->is_verifying = false;
		like = sr_tensor_like(in, in->types[0]->element, t);
	}
	in->types[0] = sr_infer_tensor(in, like, t->rank, shape, result_bounds);
	return SR_OK;
}

enum sr_status sr_infer_reshape(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0), *result = in->types[0];
	int64_t n_operand_elements, n_result_elements;
	if (!result)
		return SR_OK;
	if (!sr_elements_compatible(t->element, result->element))
		return sr_infer_error(in, "requires compatible element types for all operands and results");
	if (!sr_type_is_static(t) || !sr_type_is_static(result))
		return SR_OK;
	if (!sr_type_elements(t, &n_operand_elements) || !sr_type_elements(result, &n_result_elements))
		return sr_infer_error(in, "has more elements than can be counted");
	if (n_operand_elements != n_result_elements)
		return sr_infer_error(in, "number of output elements (%lld) doesn't match expected number of elements (%lld)",
				      (long long)n_result_elements, (long long)n_operand_elements);
	return sr_check_quantized_reshape(in, result);
}

static int64_t element_bits(const struct sr_type *t)
{
	struct sr_quant q;
	return sr_type_quant(t, &q) ? q.width : sr_dtypes[t->dtype].bits;
}

/* Check a bitcast_convert: if the widths differ, the operand or result of the narrower type has one more, innermost, dimension,
 * whose elements make one of the wider type. */
enum sr_status sr_infer_bitcast_convert(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0), *result = in->types[0];
	if (!result)
		return SR_OK;
	const char *types_text = sr_printf(in->ctx->arena, "'%s' and '%s'", sr_infer_type_str(in, t),
					   sr_infer_type_str(in, result));
	if ((t->element->kind == SR_TYPE_COMPLEX) != (result->element->kind == SR_TYPE_COMPLEX))
		return sr_infer_error(in, "cannot convert between real and complex types, but got: %s", types_text);
	int64_t operand_bits = element_bits(t->element), result_bits = element_bits(result->element);
	const struct sr_type *narrow_type = operand_bits < result_bits ? t : result,
			     *wide_type = operand_bits < result_bits ? result : t;
	int64_t narrow_bits = operand_bits < result_bits ? operand_bits : result_bits,
		wide_bits = operand_bits < result_bits ? result_bits : operand_bits;
	int prefix = narrow_type->rank;
	if (operand_bits != result_bits) {
		if (narrow_type->rank != wide_type->rank + 1)
			return sr_infer_error(in,
					      "rank of smaller element type (%d) should be 1 more than rank of larger element type "
					      "(%d), but %d != %d + 1.",
					      narrow_type->rank, wide_type->rank, narrow_type->rank, wide_type->rank);
		int64_t last_extent = narrow_type->shape[--prefix];
		if (!sr_is_dynamic(last_extent) && (wide_bits % narrow_bits != 0 || last_extent != wide_bits / narrow_bits))
			return sr_infer_error(in, "requires compatible bit widths. Got: %s, but %lld * %lld != %lld.", types_text,
					      (long long)narrow_bits, (long long)last_extent, (long long)wide_bits);
	}
	for (int d = 0; d < prefix && d < wide_type->rank; d++)
		if (!sr_dims_compatible(narrow_type->shape[d], wide_type->shape[d]))
			return sr_infer_error(in,
					      "operand and result shapes must match except for the innermost dimension of the "
					      "shape with the smaller element type. Got: %s.",
					      types_text);
	if (prefix != wide_type->rank)
		return sr_infer_error(in,
				      "operand and result shapes must match except for the innermost dimension of the shape with "
				      "the smaller element type. Got: %s.",
				      types_text);
	return SR_OK;
}
