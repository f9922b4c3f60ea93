/* Check constraints between quantized element types of operands and results. */
#include "dialect/infer/infer.h"
#include <string.h>

static bool is_quantized(const struct sr_infer *in, const struct sr_type *t, struct sr_quant *q)
{
	return sr_type_quant_values(in->ctx, t->element, q);
}

static bool has_equal_parameters(const struct sr_quant *p, const struct sr_quant *q)
{
	return p->n == q->n && memcmp(p->scales, q->scales, (size_t)p->n * sizeof *p->scales) == 0 &&
	       memcmp(p->zero_points, q->zero_points, (size_t)p->n * sizeof *p->zero_points) == 0;
}

/* Check equal quantization parameters: per tensor equal scale and zero point, per axis equal lists. Mixed pairs are not
 * compared. */
static enum sr_status check_same_scales(struct sr_infer *in, const struct sr_type *a, const struct sr_type *b)
{
	struct sr_quant p, q;
	if (!is_quantized(in, a, &p) || !is_quantized(in, b, &q) || (p.axis >= 0) != (q.axis >= 0))
		return SR_OK;
	if (p.axis < 0 ? a->element == b->element : has_equal_parameters(&p, &q))
		return SR_OK;
	return sr_infer_error(in, "expect same quantization %s but got '%s' vs '%s'",
			      p.axis < 0 ? "scale and zero_point" : "scales and zero_points", sr_infer_type_str(in, a),
			      sr_infer_type_str(in, b));
}

/* Check a broadcast's quantized types: equal scales and zero points, and per-axis quantization along corresponding dimensions. */
enum sr_status sr_check_quantized_broadcast(struct sr_infer *in, const struct sr_type *result)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	struct sr_ints dims = sr_infer_ints(in, "broadcast_dimensions");
	struct sr_quant p, q;
	if (!is_quantized(in, t, &p) || !is_quantized(in, result, &q))
		return SR_OK;
	if (q.axis < 0 || p.axis < 0)
		return check_same_scales(in, t, result);
	if (q.axis != dims.v[p.axis])
		return sr_infer_error(in, "result quantization_dimension %lld not same as broadcast_dimensions[%lld] = %lld",
				      (long long)q.axis, (long long)p.axis, (long long)dims.v[p.axis]);
	for (int i = 0; i < q.n && t->shape[p.axis] == 1; i++) {
		if (q.scales[i] != p.scales[0])
			return sr_infer_error(in, "mismatch result scale %d (%e) and operand scale 0 (%e)", i, q.scales[i],
					      p.scales[0]);
		if (q.zero_points[i] != p.zero_points[0])
			return sr_infer_error(in, "mismatch result zero_point %d (%lld) and operand zero_point 0 (%lld)", i,
					      (long long)q.zero_points[i], (long long)p.zero_points[0]);
	}
	return SR_OK;
}

/* Return the product of the extents before a dimension; 0 if one is unknown or on overflow. */
static int64_t product_of_extents_before(const struct sr_type *t, int64_t dim)
{
	int64_t product = 1;
	for (int64_t d = 0; d < dim && d < t->rank; d++)
		if (sr_is_dynamic(t->shape[d]) || __builtin_mul_overflow(product, t->shape[d], &product))
			return 0;
	return product;
}

/* Check a reshape's quantized types: equal scales and zero points, and per-axis quantization of the same dimension, whose
 * extent the reshape keeps. */
enum sr_status sr_check_quantized_reshape(struct sr_infer *in, const struct sr_type *result)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	struct sr_quant p, q;
	if (!is_quantized(in, t, &p) || !is_quantized(in, result, &q))
		return SR_OK;
	if (p.axis < 0 || q.axis < 0)
		return check_same_scales(in, t, result);
	if (!sr_dims_compatible(t->shape[p.axis], result->shape[q.axis]))
		return sr_infer_error(in, "expect same quantization dimension size for operand and result '%s' and '%s'",
				      sr_infer_type_str(in, t), sr_infer_type_str(in, result));
	if (check_same_scales(in, t, result))
		return SR_INVALID;
	int64_t operand_product = product_of_extents_before(t, p.axis), result_product = product_of_extents_before(result, q.axis);
	if (sr_type_is_static(t) && sr_type_is_static(result) && operand_product != result_product)
		return sr_infer_error(in,
				      "product of dimensions before quantization dimension must match between operand and result "
				      "for %lld and %lld",
				      (long long)operand_product, (long long)result_product);
	return SR_OK;
}

/* Check a transpose's quantized types: equal scales and zero points, and per-axis quantization along corresponding dimensions. */
enum sr_status sr_check_quantized_transpose(struct sr_infer *in, const struct sr_type *result)
{
	const struct sr_type *t = sr_infer_operand(in, 0);
	struct sr_ints permutation = sr_infer_ints(in, "permutation");
	struct sr_quant p, q;
	if (!is_quantized(in, t, &p) || !is_quantized(in, result, &q))
		return SR_OK;
	if (q.axis >= 0 && p.axis >= 0 && p.axis != permutation.v[q.axis] && p.n != q.n)
		return sr_infer_error(in, "operand quantization_dimension %lld is not same as permutation[%lld] = %lld",
				      (long long)p.axis, (long long)q.axis, (long long)permutation.v[q.axis]);
	if (check_same_scales(in, t, result))
		return SR_INVALID;
	if (q.axis >= 0 && p.axis >= 0 && p.axis != permutation.v[q.axis])
		return sr_infer_error(in, "operand quantization_dimension %lld is not same as permutation[%lld] = %lld",
				      (long long)p.axis, (long long)q.axis, (long long)permutation.v[q.axis]);
	return SR_OK;
}

bool sr_infer_is_quantized(const struct sr_infer *in, const struct sr_type *result)
{
	struct sr_quant q;
	return sr_type_quant(sr_infer_operand(in, 0)->element, &q) || sr_type_quant(sr_infer_operand(in, 1)->element, &q) ||
	       (result && sr_type_quant(result->element, &q));
}

/* Check the quantized types of the operands and the result of a convolution or dot_general. */
enum sr_status sr_check_quantized_product(struct sr_infer *in, const struct sr_type *result)
{
	const struct sr_type *lhs = sr_infer_operand(in, 0), *rhs = sr_infer_operand(in, 1);
	struct sr_quant p, q, r;
	bool is_lhs_quantized = is_quantized(in, lhs, &p), is_result_quantized = is_quantized(in, result, &r);
	if (!is_quantized(in, rhs, &q) || is_lhs_quantized != is_result_quantized)
		return sr_infer_error(in, "rhs should be quantized for quantized operations and "
					  "is_quantized(lhs)=is_quantized(result) should hold");
	if (!is_lhs_quantized) {
		const struct sr_type *expressed = sr_type_scalar(in->ctx, q.expressed_type);
		if (lhs->element != expressed || lhs->element != result->element)
			return sr_infer_error(in, "mismatched rhs quantization expressed type and lhs and result element type");
		return SR_OK;
	}
	if (p.width != q.width)
		return sr_infer_error(in, "mismatched lhs and rhs quantization storage types");
	if (p.expressed_type != q.expressed_type || p.expressed_type != r.expressed_type)
		return sr_infer_error(in, "mismatched lhs, rhs and result quantization expressed types");
	if (q.axis < 0 && r.axis >= 0)
		return sr_infer_error(in, "mismatched rhs and result quantization granularity");
	return SR_OK;
}
