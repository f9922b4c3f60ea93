/* Infer result types of elementwise ops. Also INFER functions of other ops: sr_infer_same (the type of the operands),
 * sr_infer_declared (the declared type), sr_infer_none (no results). */
#include "dialect/infer/infer.h"
#include <string.h>

sr_infer_fn sr_infer_abs, sr_infer_add, sr_infer_arith_constant, sr_infer_clamp, sr_infer_compare, sr_infer_complex,
	sr_infer_convert, sr_infer_declared, sr_infer_function, sr_infer_none, sr_infer_predicate, sr_infer_real_or_imag,
	sr_infer_reduce_precision, sr_infer_same, sr_infer_same_as_value, sr_infer_same_operands, sr_infer_select,
	sr_infer_uniform_dequantize, sr_infer_uniform_quantize;

enum sr_status sr_infer_none(struct sr_infer *in)
{
	return SR_OK;
}

enum sr_status sr_infer_declared(struct sr_infer *in)
{
	return SR_OK;
}

static const struct sr_type **operand_types(const struct sr_infer *in)
{
	const struct sr_type **types = SR_NEW_ARRAY(in->ctx->arena, const struct sr_type *, in->op->n_operands + in->op->n_results);
	for (int i = 0; i < in->op->n_operands; i++)
		types[i] = sr_infer_operand(in, i);
	return types;
}

/* Check that the merged shape is within the bounds of every operand. */
static enum sr_status check_bounds(struct sr_infer *in, const struct sr_type *const *types, int n,
				   const struct sr_type *merged_type)
{
	for (int i = 0; i < n; i++) {
		const int64_t *bounds = sr_is_ranked(types[i]) ? sr_type_bounds(types[i]) : NULL;
		for (int d = 0; bounds && d < merged_type->rank; d++)
			if (!sr_is_dynamic(bounds[d]) && !sr_is_dynamic(merged_type->shape[d]) &&
			    merged_type->shape[d] > bounds[d]) {
				in->is_verifying = false;
				return sr_infer_error(in, "Mismatched dimension size %lld and bound %lld in dimension %d",
						      (long long)merged_type->shape[d], (long long)bounds[d], d);
			}
	}
	return SR_OK;
}

/* Infer the result of an op whose operands and result have the same type: operands and the declared result must be compatible, and
 * each extent of the result is that of the first operand in which it is known. */
enum sr_status sr_infer_same(struct sr_infer *in)
{
	in->is_verifying = true;
	const struct sr_type **types = operand_types(in);
	int n = in->op->n_operands;
	for (int i = 1; i < n; i++)
		if (!sr_types_compatible(types[0], types[i]))
			return sr_infer_error(in, "requires compatible types for all operands and results");
	if (in->types[0] && !sr_types_compatible(types[0], in->types[0]))
		return sr_infer_error(in, "requires compatible types for all operands and results");
	if (!sr_is_ranked(types[0]) && n == 1) {
		in->types[0] = types[0];
		return SR_OK;
	}
	const struct sr_type *merged_type = sr_types_merge(in->ctx, types, n);
	if (!merged_type)
		return sr_infer_error(in, "requires the same shape for all operands and results");
	if (check_bounds(in, types, n, merged_type))
		return SR_INVALID;
	/* Keep a declared quantized type, whose scale may differ from that of the operands. */
	struct sr_quant q;
	in->types[0] = in->types[0] && sr_type_quant(merged_type->element, &q) ? in->types[0] : merged_type;
	return SR_OK;
}

enum sr_status sr_infer_same_operands(struct sr_infer *in)
{
	if (sr_infer_operand(in, 0) != sr_infer_operand(in, 1))
		return sr_infer_error(in, "requires all operands to have the same type");
	return SR_OK;
}

enum sr_status sr_infer_same_as_value(struct sr_infer *in)
{
	const struct sr_attr *value = sr_op_attr(in->op, "value");
	if (sr_infer_operand(in, 0) != value->type)
		return sr_infer_error(in, "failed to verify that all of {lhs, value} have same type");
	return SR_OK;
}

/* Infer the result of a function with a result_accuracy attribute, whose tolerances require mode TOLERANCE. */
enum sr_status sr_infer_function(struct sr_infer *in)
{
	const struct sr_attr *a = sr_op_attr(in->op, "result_accuracy");
	const char *error = a ? sr_attr_struct_error(in->ctx, a) : NULL;
	in->is_verifying = true;
	return error ? sr_infer_error(in, "%s", error) : sr_infer_same(in);
}

/* Check quantized operands: they agree in storage and expressed types and in the quantized dimension (add C2-C7). */
static enum sr_status check_quantized_add(struct sr_infer *in, const struct sr_type *const types[3])
{
	static const char *const operand_names[] = {"lhs", "rhs"};
	struct sr_quant q[3];
	int n = 0;
	for (int i = 0; i < 3; i++)
		n += types[i] && sr_type_quant(types[i]->element, &q[i]);
	if (n == 0 || !types[2])
		return SR_OK;
	if (n < 3)
		return sr_infer_error(in, "expects  all operands and results to be either quantized or non-quantized");
	if (q[0].width != q[1].width || q[0].width != q[2].width)
		return sr_infer_error(in, "mismatched operands and result quantization storage types");
	if (q[0].expressed_type != q[1].expressed_type || q[0].expressed_type != q[2].expressed_type)
		return sr_infer_error(in, "mismatched operands and result quantization expressed types");
	if ((q[0].axis >= 0 || q[1].axis >= 0) && q[2].axis < 0)
		return sr_infer_error(in, "result is not per_axis quantized but lhs or rhs are");
	for (int i = 0; i < 2; i++)
		if (q[i].axis >= 0 && q[i].axis != q[2].axis)
			return sr_infer_error(in, "quantization_dimension of %s and result are not same '%s' vs '%s'",
					      operand_names[i], sr_infer_type_str(in, types[i]->element),
					      sr_infer_type_str(in, types[2]->element));
	if (q[2].axis >= 0 && q[0].axis < 0 && q[1].axis < 0)
		return sr_infer_error(in, "result per_axis quantized but none from rhs and lhs are per_axis quantized");
	return SR_OK;
}

/* Infer the result of add: operands and result have the same shape, and the same element type if they are not quantized. */
enum sr_status sr_infer_add(struct sr_infer *in)
{
	const struct sr_type *types[3] = {sr_infer_operand(in, 0), sr_infer_operand(in, 1), in->types[0]};
	const struct sr_type *merged_type = sr_types_merge(in->ctx, types, 2);
	in->is_verifying = true;
	if (!merged_type || (types[2] && !sr_shapes_compatible(types[0], types[2])))
		return sr_infer_error(in, "requires the same shape for all operands and results");
	if (check_bounds(in, types, 2, merged_type))
		return SR_INVALID;
	struct sr_quant q;
	bool is_quantized = sr_type_quant(types[0]->element, &q) || sr_type_quant(types[1]->element, &q);
	if (!is_quantized && !(types[2] && sr_type_quant(types[2]->element, &q))) {
		in->types[0] = merged_type;
		if (types[0]->element != types[1]->element || (types[2] && types[2]->element != types[0]->element))
			return sr_infer_error(in, "requires the same element type for all operands and results");
		return SR_OK;
	}
	if (check_quantized_add(in, types))
		return SR_INVALID;
	if (types[2] && !sr_elements_compatible(types[0]->element, types[2]->element))
		return sr_infer_mismatch(in, &merged_type, 1);
	in->types[0] = types[2] ? types[2] : merged_type;
	return SR_OK;
}

static enum sr_status check_declared_shape(struct sr_infer *in, const struct sr_type *operand)
{
	if (in->types[0] && !sr_shapes_compatible(operand, in->types[0])) {
		in->is_verifying = true;
		return sr_infer_error(in, "all non-scalar operands/results must have the same shape and base type");
	}
	return SR_OK;
}

/* Return the element type of a complex type; return other types unchanged. */
static const struct sr_type *real_element(const struct sr_type *t)
{
	return t->kind == SR_TYPE_COMPLEX ? t->element : t;
}

enum sr_status sr_infer_arith_constant(struct sr_infer *in)
{
	const struct sr_attr *value = sr_op_attr(in->op, "value");
	in->types[0] = value->type ? value->type : sr_bool_type(in->ctx);
	return SR_OK;
}

/* Infer the result of abs: the operand's shape, with the real element type of a complex operand. */
enum sr_status sr_infer_abs(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	if (check_declared_shape(in, t))
		return SR_INVALID;
	in->types[0] = sr_tensor_like(in, real_element(t->element), t);
	return SR_OK;
}

/* Infer the result of real and imag: the operand's shape, with the real element type of a complex operand. */
enum sr_status sr_infer_real_or_imag(struct sr_infer *in)
{
	return sr_infer_abs(in);
}

/* Infer the result of is_finite and other predicates: i1 elements in the operand's shape. */
enum sr_status sr_infer_predicate(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	if (check_declared_shape(in, t))
		return SR_INVALID;
	in->types[0] = sr_tensor_like(in, sr_bool_type(in->ctx), t);
	return SR_OK;
}

/* Check the result of convert: it has the shape of the operand, and any element type. */
enum sr_status sr_infer_convert(struct sr_infer *in)
{
	return check_declared_shape(in, sr_infer_operand(in, 0));
}

/* Infer the result of complex: two operands of one shape and float type give the complex type of that float type. */
enum sr_status sr_infer_complex(struct sr_infer *in)
{
	in->is_verifying = true;
	const struct sr_type *types[] = {sr_infer_operand(in, 0), sr_infer_operand(in, 1)};
	if (types[0]->element != types[1]->element)
		return sr_infer_error(in, "requires the same element type for all operands");
	const struct sr_type *merged_type = sr_types_merge(in->ctx, types, 2);
	if (!merged_type)
		return sr_infer_error(in, "requires the same shape for all operands and results");
	enum sr_dtype t = types[0]->element->dtype == SR_F32 ? SR_C64 : SR_C128;
	in->types[0] = sr_tensor_like(in, sr_type_scalar(in->ctx, t), merged_type);
	return SR_OK;
}

/* Infer the result of compare: i1 elements in the shape of the operands, which have the same shape and element type. */
enum sr_status sr_infer_compare(struct sr_infer *in)
{
	in->is_verifying = true;
	const struct sr_type *types[] = {sr_infer_operand(in, 0), sr_infer_operand(in, 1)};
	if (!sr_elements_compatible(types[0]->element, types[1]->element))
		return sr_infer_error(in, "requires compatible element types for all operands");
	const struct sr_type *merged_type = sr_types_merge(in->ctx, types, 2);
	if (!merged_type)
		return sr_infer_error(in, "requires the same shape for all operands and results");
	in->types[0] = sr_tensor_like(in, sr_bool_type(in->ctx), merged_type);
	return SR_OK;
}

/* Infer the result of clamp: the operand's type. The limits have the operand's element type, and are scalars or of its shape. */
enum sr_status sr_infer_clamp(struct sr_infer *in)
{
	const struct sr_type *min = sr_infer_operand(in, 0), *t = sr_infer_operand(in, 1), *max = sr_infer_operand(in, 2);
	if (!sr_elements_compatible(min->element, t->element) || !sr_elements_compatible(max->element, t->element))
		return sr_infer_error(in, "requires compatible element types for all operands and results");
	if (min->rank != 0 && !sr_shapes_compatible(min, t))
		return sr_infer_error(in, "min shape [%s] is not scalar and is not compatible to operand shape [%s]",
				      sr_dims_str(in->ctx, min->shape, min->rank), sr_dims_str(in->ctx, t->shape, t->rank));
	if (max->rank != 0 && !sr_shapes_compatible(max, t))
		return sr_infer_error(in, "max shape [%s] is not scalar and is not compatible to operand shape [%s]",
				      sr_dims_str(in->ctx, max->shape, max->rank), sr_dims_str(in->ctx, t->shape, t->rank));
	in->types[0] = t;
	return SR_OK;
}

/* Infer the result of select: the common type of both branches. The predicate is a scalar or of their shape. */
enum sr_status sr_infer_select(struct sr_infer *in)
{
	const struct sr_type *pred = sr_infer_operand(in, 0), *branches[] = {sr_infer_operand(in, 1), sr_infer_operand(in, 2)};
	if (!sr_types_compatible(branches[0], branches[1]))
		return sr_infer_error(in, "requires compatible types for non-predicate operands");
	if (pred->rank != 0 && !sr_shapes_compatible(pred, branches[0]))
		return sr_infer_error(in, "requires the same shape for all operands");
	in->types[0] = sr_types_merge(in->ctx, branches, 2);
	return SR_OK;
}

/* Infer the result of reduce_precision: the operand's type. There is at least one exponent bit and no negative number of
 * mantissa bits. */
enum sr_status sr_infer_reduce_precision(struct sr_infer *in)
{
	if (sr_op_int(in->op, "exponent_bits", 0) < 1)
		return sr_infer_error(in, "exponent_bits must be at least 1.");
	if (sr_op_int(in->op, "mantissa_bits", 0) < 0)
		return sr_infer_error(in, "mantissa_bits must be at least 0.");
	return sr_infer_same(in);
}

/* Check the result of uniform_quantize: the operand's shape, with the operand's float type as the expressed type. */
enum sr_status sr_infer_uniform_quantize(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	struct sr_quant operand_quant, result_quant;
	enum sr_status st = check_declared_shape(in, t);
	if (st || !in->types[0] || !sr_type_quant(in->types[0]->element, &result_quant))
		return st;
	enum sr_dtype expressed_type = sr_type_quant(t->element, &operand_quant) ? operand_quant.expressed_type : t->element->dtype;
	if (expressed_type != result_quant.expressed_type)
		return sr_infer_error(in, "Expressed type of result expected to be '%s', but got '%s'",
				      sr_dtypes[expressed_type].name, sr_dtypes[result_quant.expressed_type].name);
	return SR_OK;
}

/* Infer the result of uniform_dequantize: the operand's shape with the expressed type as the element type. */
enum sr_status sr_infer_uniform_dequantize(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	struct sr_quant q;
	if (sr_type_quant(t->element, &q))
		in->types[0] = sr_tensor_like(in, sr_type_scalar(in->ctx, q.expressed_type), t);
	return SR_OK;
}
