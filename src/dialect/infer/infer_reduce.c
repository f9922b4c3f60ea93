/* Infer result types of reductions: reduce, reduce_window, select_and_scatter, sort, map, batch norms. */
#include "dialect/infer/infer.h"

sr_infer_fn sr_infer_batch_norm_grad, sr_infer_batch_norm_inference, sr_infer_batch_norm_training, sr_infer_map, sr_infer_reduce,
	sr_infer_reduce_window, sr_infer_select_and_scatter, sr_infer_sort, sr_infer_torch_index_select;

static struct sr_reduced_types *split_inputs_and_inits(const struct sr_infer *in, int *n)
{
	*n = in->op->n_operands / 2;
	struct sr_reduced_types *values = SR_NEW_ARRAY(in->ctx->arena, struct sr_reduced_types, *n);
	for (int i = 0; i < *n; i++)
		values[i] = (struct sr_reduced_types){sr_infer_operand(in, i), sr_infer_operand(in, *n + i)};
	return values;
}

static enum sr_status check_inputs(struct sr_infer *in, const struct sr_reduced_types *values, int n)
{
	if (n == 0)
		return sr_infer_error(in, "requires at least 1 input value");
	for (int i = 1; i < n; i++)
		if (!sr_shapes_compatible(values[0].input, values[i].input))
			return sr_infer_error(in,
					      "expects all inputs to have compatible shapes. Shape at input-index %d is not "
					      "compatible with shape at input-index 0",
					      i);
	return SR_OK;
}

static enum sr_status set_types(struct sr_infer *in, const struct sr_type *const *types, int n)
{
	if (in->op->n_results != n)
		return sr_infer_mismatch(in, types, n);
	for (int i = 0; i < n; i++)
		in->types[i] = types[i];
	return SR_OK;
}

enum sr_status sr_infer_reduce(struct sr_infer *in)
{
	int n, rank = 0;
	struct sr_reduced_types *values = split_inputs_and_inits(in, &n);
	struct sr_ints dims = sr_infer_ints(in, "dimensions");
	in->is_verifying = true;
	if (check_inputs(in, values, n))
		return SR_INVALID;
	const struct sr_type *t = values[0].input;
	for (int64_t i = 0; i < dims.n; i++) {
		if (dims.v[i] < 0 || dims.v[i] >= t->rank)
			return sr_infer_error(in, "Out-of-bounds dimension %lld, expected to be in range [0, %d)",
					      (long long)dims.v[i], t->rank);
		if (sr_list_has(dims.v, i, dims.v[i]))
			return sr_infer_error(in, "Duplicate reduction dimension: %lld", (long long)dims.v[i]);
	}
	const int64_t *bounds = sr_type_bounds(t);
	int64_t *shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, t->rank),
		*result_bounds = bounds ? SR_NEW_ARRAY(in->ctx->arena, int64_t, t->rank) : NULL;
	for (int d = 0; d < t->rank; d++)
		if (!sr_list_has(dims.v, dims.n, d)) {
			if (bounds)
				result_bounds[rank] = bounds[d];
			shape[rank++] = t->shape[d];
		}
	if (in->op->regions[0].first && sr_check_reducer(in, 0, values, n, shape, rank))
		return SR_INVALID;
	const struct sr_type **types = SR_NEW_ARRAY(in->ctx->arena, const struct sr_type *, n);
	for (int i = 0; i < n; i++) {
		const struct sr_type *element_source = sr_tensor_like(in, sr_infer_accumulator(in, 0, i, values[i].input), t);
		types[i] = sr_infer_tensor(in, element_source, rank, shape, result_bounds);
	}
	return set_types(in, types, n);
}

static const struct sr_window_names reduce_window_names = {"window_strides", "base_dilations", "window_dilations", NULL};

/* Compute the shape of windows over t, and its bounds: shape[t->rank], window_bounds[t->rank]. */
static enum sr_status infer_window_shape(struct sr_infer *in, const struct sr_window_names *names, const struct sr_type *t,
					 int64_t *shape, int64_t *window_bounds)
{
	const int64_t *bounds = sr_type_bounds(t);
	struct sr_ints sizes = sr_infer_ints(in, "window_dimensions"), padding;
	struct sr_window_dim *w;
	enum sr_status st = sr_infer_padding(in, "padding", &padding);
	if (!st)
		st = sr_infer_window(in, names, sizes.v, sizes.n, padding, &w);
	for (int d = 0; d < t->rank && !st; d++)
		st = sr_infer_window_output(in, &w[d], t->shape[d], &shape[d]);
	for (int d = 0; d < t->rank && !st; d++)
		st = sr_infer_window_output(in, &w[d], bounds ? bounds[d] : SR_DYNAMIC, &window_bounds[d]);
	return st;
}

enum sr_status sr_infer_reduce_window(struct sr_infer *in)
{
	int n;
	struct sr_reduced_types *values = split_inputs_and_inits(in, &n);
	struct sr_ints sizes = sr_infer_ints(in, "window_dimensions");
	in->is_verifying = true;
	enum sr_status st = check_inputs(in, values, n);
	for (int i = 0; i < n && !st; i++)
		if (values[i].input->rank != sizes.n)
			return sr_infer_error(in,
					      "expects window-dimensions size == input rank, but got window-dimensions size: %lld "
					      "and input: '%s' with rank = %d.",
					      (long long)sizes.n, sr_infer_type_str(in, values[i].input), values[i].input->rank);
	if (st)
		return st;
	const struct sr_type *t = values[0].input;
	int64_t *shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, t->rank),
		*window_bounds = SR_NEW_ARRAY(in->ctx->arena, int64_t, t->rank);
	st = infer_window_shape(in, &reduce_window_names, t, shape, window_bounds);
	if (!st && in->op->regions[0].first)
		st = sr_check_reducer(in, 0, values, n, sizes.v, (int)sizes.n);
	const struct sr_type **types = SR_NEW_ARRAY(in->ctx->arena, const struct sr_type *, n);
	for (int i = 0; i < n && !st; i++) {
		const struct sr_type *element_source = sr_tensor_like(in, sr_infer_accumulator(in, 0, i, values[i].input), t);
		types[i] = sr_infer_tensor(in, element_source, t->rank, shape, window_bounds);
	}
	return st ? st : set_types(in, types, n);
}

static bool is_scalar_of(const struct sr_type *t, const struct sr_type *element)
{
	if (!sr_is_ranked(t) || t->rank != 0)
		return false;
	return t->element == element || (t->element->kind == SR_TYPE_FLOAT && element->kind == SR_TYPE_FLOAT);
}

static bool is_predicate_type(const struct sr_type *t)
{
	return sr_is_ranked(t) && t->rank == 0 && t->element->dtype == SR_I1;
}

/* Check that the select region of select_and_scatter takes two scalars of type `element` and returns an i1. */
static enum sr_status check_select(struct sr_infer *in, const struct sr_type *element)
{
	struct sr_block *block = sr_region_block(in->op, 0);
	const struct sr_op *terminator = sr_region_end(in->op, 0);
	const struct sr_type *scalar_type = sr_type_tensor_of(in->ctx, element, 0, NULL, NULL);
	if (!block || block->n_args != 2)
		return sr_infer_error(in, "expects the select-region to take 2 parameters, but takes %d",
				      block ? block->n_args : 0);
	for (int i = 0; i < 2; i++)
		if (!is_scalar_of(block->args[i]->type, element))
			return sr_infer_error(in,
					      "expects the type of select-region's parameter at index %d to be '%s', but got '%s'",
					      i, sr_infer_type_str(in, scalar_type), sr_infer_type_str(in, block->args[i]->type));
	if (!terminator || terminator->n_operands != 1)
		return sr_infer_error(in, "expects select-region to return single value, but got: %d",
				      terminator ? terminator->n_operands : 0);
	if (!is_predicate_type(sr_operand(terminator, 0)->type))
		return sr_infer_error(in, "expects the return-type of select-region to be tensor<i1>, but got: '%s'",
				      sr_infer_type_str(in, sr_operand(terminator, 0)->type));
	return SR_OK;
}

static const struct sr_window_names select_names = {"window_strides", NULL, NULL, NULL};

enum sr_status sr_infer_select_and_scatter(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0), *source = sr_infer_operand(in, 1), *init = sr_infer_operand(in, 2);
	struct sr_ints sizes = sr_infer_ints(in, "window_dimensions");
	struct sr_reduced_types value = {sr_type_tensor_of(in->ctx, source->element, 0, NULL, NULL), init};
	in->is_verifying = true;
	enum sr_status st = in->op->regions[0].first ? check_select(in, t->element) : SR_OK;
	if (!st && in->op->regions[1].first)
		st = sr_check_reducer(in, 1, &value, 1, NULL, 0);
	if (st)
		return st;
	if (t->rank != sizes.n)
		return sr_infer_error(in,
				      "expects window-dimensions size == operand rank, but got window-dimensions size: %lld and "
				      "operand-type: '%s' with rank = %d.",
				      (long long)sizes.n, sr_infer_type_str(in, t), t->rank);
	int64_t *shape = SR_NEW_ARRAY(in->ctx->arena, int64_t, t->rank),
		*window_bounds = SR_NEW_ARRAY(in->ctx->arena, int64_t, t->rank);
	st = infer_window_shape(in, &select_names, t, shape, window_bounds);
	if (st)
		return st;
	const struct sr_type *window_type = sr_infer_tensor(in, t, t->rank, shape, window_bounds);
	bool is_compatible = t->element == source->element ||
			     (t->element->kind == SR_TYPE_FLOAT && source->element->kind == SR_TYPE_FLOAT);
	if (!is_compatible || !sr_shapes_compatible(window_type, source))
		return sr_infer_error(in, "expects source-type to be '%s', but got'%s'", sr_infer_type_str(in, window_type),
				      sr_infer_type_str(in, source));
	in->types[0] = sr_tensor_like(in, sr_infer_accumulator(in, 1, 0, t), t);
	return SR_OK;
}

/* Check that the comparator of a sort takes two scalars of each operand's element type and returns an i1. */
static enum sr_status check_comparator(struct sr_infer *in)
{
	struct sr_block *block = sr_region_block(in->op, 0);
	const struct sr_op *terminator = sr_region_end(in->op, 0);
	int n = in->op->n_operands;
	if (!block || block->n_args != 2 * n)
		return sr_infer_error(in, "comparator block should have %d arguments", 2 * n);
	for (int i = 0; i < 2 * n; i++) {
		const struct sr_type *expected = sr_type_tensor_of(in->ctx, sr_infer_operand(in, i / 2)->element, 0, NULL, NULL);
		if (block->args[i]->type != expected)
			return sr_infer_error(in, "comparator block argument #%d should be of type '%s' but got '%s'", i,
					      sr_infer_type_str(in, expected), sr_infer_type_str(in, block->args[i]->type));
	}
	if (!terminator || terminator->n_operands != 1)
		return sr_infer_error(in, "comparator must return single output but got %d",
				      terminator ? terminator->n_operands : 0);
	if (!is_predicate_type(sr_operand(terminator, 0)->type))
		return sr_infer_error(in, "comparator must return tensor<i1> but got '%s'",
				      sr_infer_type_str(in, sr_operand(terminator, 0)->type));
	return SR_OK;
}

enum sr_status sr_infer_sort(struct sr_infer *in)
{
	int n = in->op->n_operands;
	int64_t dim = sr_op_int(in->op, "dimension", -1);
	if (n == 0)
		return sr_infer_error(in, "expected 1 or more operands, but found 0");
	const struct sr_type **types = SR_NEW_ARRAY(in->ctx->arena, const struct sr_type *, n);
	for (int i = 0; i < n; i++)
		types[i] = sr_infer_operand(in, i);
	if (set_types(in, types, n))
		return SR_INVALID;
	in->is_verifying = true;
	const struct sr_type *first_type = sr_infer_operand(in, 0);
	for (int i = 1; i < n; i++)
		if (!sr_shapes_compatible(first_type, sr_infer_operand(in, i)))
			return sr_infer_error(in, "requires the same shape for all operands and results");
	if (dim < -first_type->rank || dim >= first_type->rank)
		return sr_infer_error(in, "dimension attribute value must be in range [-%d, %d), but found %lld", first_type->rank,
				      first_type->rank, (long long)dim);
	return in->op->regions[0].first ? check_comparator(in) : SR_OK;
}

static enum sr_status check_map_arguments(struct sr_infer *in, const struct sr_block *block)
{
	int n = in->op->n_operands;
	if (block->n_args != n)
		return sr_infer_error(in, "expects number of operands to match the arity of map computation, but got: %d and %d", n,
				      block->n_args);
	for (int i = 0; i < n; i++) {
		const struct sr_type *arg = block->args[i]->type, *element = sr_infer_operand(in, i)->element;
		if (!sr_is_ranked(arg) || arg->rank != 0)
			return sr_infer_error(in, "computation arguments must be 0-rank tensor, but got: arg #%d of type '%s'", i,
					      sr_infer_type_str(in, arg));
		if (arg->element != element)
			return sr_infer_error(
				in, "element type of operands and computation arguments must match, but got: '%s' and '%s'",
				sr_infer_type_str(in, element), sr_infer_type_str(in, arg->element));
	}
	return SR_OK;
}

enum sr_status sr_infer_map(struct sr_infer *in)
{
	struct sr_block *block = sr_region_block(in->op, 0);
	const struct sr_op *terminator = sr_region_end(in->op, 0);
	struct sr_ints dims = sr_infer_ints(in, "dimensions");
	if (in->op->n_operands == 0)
		return sr_infer_error(in, "expected 1 or more operands, but found 0");
	if (!block)
		return sr_infer_error(in, "expect non-empty region");
	if (check_map_arguments(in, block))
		return SR_INVALID;
	if (!terminator || terminator->n_operands != 1)
		return sr_infer_error(in, "computation must return single output, but got: %d",
				      terminator ? terminator->n_operands : 0);
	const struct sr_type *result = sr_operand(terminator, 0)->type;
	if (!sr_is_ranked(result) || result->rank != 0)
		return sr_infer_error(in, "computation must return 0-rank tensor, but got: '%s'", sr_infer_type_str(in, result));
	for (int64_t i = 0; i < dims.n; i++)
		if (dims.v[i] != i)
			return sr_infer_error(in, "requires monotonically increasing dimension numbers, but got: %s",
					      sr_dims_str(in->ctx, dims.v, dims.n));
	const struct sr_type **types = SR_NEW_ARRAY(in->ctx->arena, const struct sr_type *, in->op->n_operands);
	for (int i = 0; i < in->op->n_operands; i++) {
		types[i] = sr_infer_operand(in, i);
		if (types[i]->rank != dims.n)
			return sr_infer_error(in,
					      "applied to a subset of dimensions currently not supported: operand dimensions = %d, "
					      "requested map dimensions size = %lld",
					      types[i]->rank, (long long)dims.n);
	}
	const struct sr_type *merged = sr_types_merge(in->ctx, types, in->op->n_operands);
	if (!merged)
		return sr_infer_error(in, "requires the same shape for all operands and results");
	in->types[0] = sr_tensor_like(in, result->element, merged);
	return SR_OK;
}

/* Infer a batch norm. The operands in the bit set `full_operands` have the shape of the first operand, the others one element per
 * feature. */
static enum sr_status infer_batch_norm(struct sr_infer *in, uint32_t full_operands, bool is_inference)
{
	const struct sr_type *t = sr_infer_operand(in, 0), *feature_type = sr_infer_operand(in, 1);
	int64_t feature = sr_op_int(in->op, "feature_index", 0);
	for (int i = 1; i < in->op->n_operands; i++) {
		const struct sr_type *operand_type = sr_infer_operand(in, i);
		bool is_full = full_operands >> i & 1;
		if (!sr_elements_compatible(t->element, operand_type->element))
			return sr_infer_error(in, "requires compatible element types for all operands and results");
		if (!sr_shapes_compatible(is_full ? t : feature_type, operand_type))
			return sr_infer_error(in, "expects %s-dimensional operands to have compatible shapes.",
					      is_full ? "multi" : "single");
	}
	if (feature >= t->rank)
		return sr_infer_error(in,
				      "expects featureIndex to be smaller than the rank of multi-dimensional operands; got "
				      "featureIndex %lld, and rank %d.",
				      (long long)feature, t->rank);
	if (!sr_dims_compatible(feature_type->shape[0], t->shape[feature]))
		return sr_infer_error(in,
				      "expects the size of single-dimensional operands to be compatible with feature count, but "
				      "the size of single-dimensional operands is %s and the feature count is %s.",
				      sr_dims_str(in->ctx, feature_type->shape, 1), sr_dims_str(in->ctx, &t->shape[feature], 1));
	in->types[0] = t;
	for (int i = 1; i < in->op->n_results && !is_inference; i++)
		in->types[i] = sr_infer_tensor(in, t, 1, &t->shape[feature], NULL);
	return SR_OK;
}

enum sr_status sr_infer_batch_norm_grad(struct sr_infer *in)
{
	return infer_batch_norm(in, 1 << 0 | 1 << 4, false);
}

enum sr_status sr_infer_batch_norm_inference(struct sr_infer *in)
{
	return infer_batch_norm(in, 1 << 0, true);
}

enum sr_status sr_infer_batch_norm_training(struct sr_infer *in)
{
	return infer_batch_norm(in, 1 << 0, false);
}

enum sr_status sr_infer_torch_index_select(struct sr_infer *in)
{
	int64_t dim = sr_op_int(in->op, "dim", 0), rank = sr_infer_operand(in, 0)->rank;
	if (dim < 0 || dim >= rank)
		return sr_infer_error(in, "dim %lld is out of range [0, %lld)", (long long)dim, (long long)rank);
	return SR_OK;
}
