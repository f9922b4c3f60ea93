/* Operands of custom calls and slices whose values are shapes. */
#include "optimize/shapes/shape_operands.h"
#include "support/vec.h"
#include <string.h>

static const char attribute[] = "indices_of_shape_operands";

static enum sr_status report(struct sr_context *ctx, const struct sr_op *call, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	sr_vreport(&ctx->diags, SR_ERROR, sr_loc_source(call->loc), format, args);
	va_end(args);
	return SR_INVALID;
}

/* List of result types, with tuples replaced by their elements. */
typedef SR_VEC(const struct sr_type *) type_list;

static void flatten(struct sr_context *ctx, const struct sr_type *t, type_list *out)
{
	if (t->kind != SR_TYPE_TUPLE) {
		sr_push(ctx->arena, out, t);
		return;
	}
	for (int i = 0; i < t->n_inputs; i++)
		flatten(ctx, t->inputs[i], out);
}

static type_list flat_results(struct sr_context *ctx, const struct sr_op *op)
{
	type_list list = {0};
	for (int i = 0; i < op->n_results; i++)
		flatten(ctx, op->results[i].type, &list);
	return list;
}

static enum sr_status check_attribute(struct sr_context *ctx, const struct sr_op *call, const struct sr_attr *a,
				      const type_list *results)
{
	const int64_t *v;
	int64_t n;
	if (a->kind != SR_ATTR_DENSE || a->type->rank != 1)
		return report(ctx, call, "%s: must have rank = 1", attribute);
	if (a->type->element != sr_type_scalar(ctx, SR_I64) || !sr_attr_ints(ctx, a, &v, &n))
		return report(ctx, call, "%s: must have i64 element type", attribute);
	if (n != (int64_t)results->n)
		return report(ctx, call, "%s: number of elements (%lld) must be equal to the number of operation results (%zu)",
			      attribute, (long long)n, results->n);
	for (int64_t i = 0; i < n; i++)
		if (v[i] < 0 || v[i] >= call->n_operands)
			return report(ctx, call,
				      "%s: index #%lld (%lld) must be within bounds for operation operands (from 0 to %d)",
				      attribute, (long long)i, (long long)v[i], call->n_operands);
	return SR_OK;
}

/* Return the result type with the shape that a constant operand holds; NULL if the operand is not constant or not a valid shape. */
static const struct sr_type *type_with_shape(struct sr_context *ctx, const struct sr_op *call, int64_t operand,
					     const struct sr_type *result)
{
	struct sr_ints shape;
	if (!sr_value_ints(ctx, sr_operand(call, (int)operand), &shape) || !result->element)
		return NULL;
	for (int64_t d = 0; d < shape.n; d++)
		if (shape.v[d] < 0)
			return NULL;
	return sr_type_tensor_of(ctx, result->element, (int)shape.n, shape.v, NULL);
}

enum sr_status sr_check_shape_operands(struct sr_context *ctx, struct sr_op *call)
{
	const struct sr_attr *a = sr_op_attr(call, attribute);
	type_list results = flat_results(ctx, call);
	struct sr_ints indices, shape;
	if (!a)
		return SR_OK;
	if (check_attribute(ctx, call, a, &results))
		return SR_INVALID;
	sr_attr_ints(ctx, a, &indices.v, &indices.n);
	for (int64_t i = 0; i < indices.n; i++) {
		const struct sr_type *t = type_with_shape(ctx, call, indices.v[i], results.data[i]);
		if (!t || sr_types_compatible(t, results.data[i]))
			continue;
		sr_value_ints(ctx, sr_operand(call, (int)indices.v[i]), &shape);
		return report(ctx, call, "refinement #%lld ([%s]) must be compatible with operation result #%lld ('%s')",
			      (long long)i, sr_dims_str(ctx, shape.v, shape.n), (long long)i, sr_type_string(ctx, results.data[i]));
	}
	return SR_OK;
}

struct sr_ints sr_shape_operands(struct sr_context *ctx, const struct sr_op *call)
{
	const struct sr_attr *a = sr_op_attr(call, attribute);
	type_list results = flat_results(ctx, call);
	struct sr_ints list = {0}, shape;
	if (!a || a->kind != SR_ATTR_DENSE || !sr_attr_ints(ctx, a, &list.v, &list.n) || list.n != (int64_t)results.n)
		return (struct sr_ints){0};
	for (int64_t i = 0; i < list.n; i++)
		if (list.v[i] < 0 || list.v[i] >= call->n_operands || !sr_value_ints(ctx, sr_operand(call, (int)list.v[i]), &shape))
			return (struct sr_ints){0};
	return list;
}

/* Return a type like t with its tensor types replaced by those of the list, in order. */
static const struct sr_type *unflatten(struct sr_context *ctx, const struct sr_type *t, const struct sr_type *const **next)
{
	if (t->kind != SR_TYPE_TUPLE)
		return *(*next)++;
	const struct sr_type **members = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, t->n_inputs);
	for (int i = 0; i < t->n_inputs; i++)
		members[i] = unflatten(ctx, t->inputs[i], next);
	return sr_type_intern(ctx, &(struct sr_type){.kind = SR_TYPE_TUPLE, .inputs = members, .n_inputs = t->n_inputs});
}

void sr_known_from_shape_operands(struct sr_context *ctx, struct sr_op *call, const struct sr_type **known_types)
{
	struct sr_ints indices = sr_shape_operands(ctx, call);
	type_list types = flat_results(ctx, call);
	if (!indices.n)
		return;
	for (int64_t i = 0; i < indices.n; i++)
		if (!(types.data[i] = type_with_shape(ctx, call, indices.v[i], types.data[i])))
			return;
	const struct sr_type *const *next = types.data;
	for (int i = 0; i < call->n_results; i++)
		known_types[i] = unflatten(ctx, call->results[i].type, &next);
}

bool sr_slice_sizes(struct sr_context *ctx, const struct sr_op *slice, struct sr_ints *sizes)
{
	const struct sr_value *start = sr_operand(slice, 1);
	const struct sr_op *sum = sr_operand(slice, 2)->def;
	struct sr_ints strides;
	if (!sum || !sr_op_is(sum, SR_OP_stablehlo_add) || !sr_value_ints(ctx, sr_operand(slice, 3), &strides))
		return false;
	for (int64_t i = 0; i < strides.n; i++)
		if (strides.v[i] != 1)
			return false;
	for (int i = 0; i < 2; i++)
		if (sr_operand(sum, i) == start && sr_value_ints(ctx, sr_operand(sum, 1 - i), sizes))
			return true;
	return false;
}
