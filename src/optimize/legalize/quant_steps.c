/* Two passes that rewrite quantized arithmetic as dequantize, compute, quantize ("qdq"), and back:
 *
 *	stablehlo-legalize-quantized-op-to-qdq     %r = add %a, %b : quantized
 *	=> %x = uniform_dequantize %a, %y = uniform_dequantize %b, %s = add %x, %y : float, %r = uniform_quantize %s
 *	stablehlo-legalize-qdq-to-quantized-op     the reverse
 *
 * Ops that only move elements stay quantized. For the reverse, all operands must be dequantized values, and the op must have one
 * result and no regions. */
#include "dialect/infer/infer.h"
#include "optimize/patterns/match.h"
#include "optimize/pass_functions.h"

/* ---------------------------------------------------------------- quantized op to qdq */

/* Ops that compute with their operands' values. Elementwise ops with equal types do so, too, and are not listed. */
static const enum sr_op_code computing[] = {
	SR_OP_stablehlo_abs,		     SR_OP_stablehlo_batch_norm_grad,  SR_OP_stablehlo_batch_norm_inference,
	SR_OP_stablehlo_batch_norm_training, SR_OP_stablehlo_cholesky,	       SR_OP_stablehlo_clamp,
	SR_OP_stablehlo_compare,	     SR_OP_stablehlo_convolution,      SR_OP_stablehlo_dot,
	SR_OP_stablehlo_dot_general,	     SR_OP_stablehlo_reduce_precision, SR_OP_stablehlo_select,
	SR_OP_stablehlo_triangular_solve,
};

static bool is_computation(const struct sr_op *op)
{
	for (size_t i = 0; i < sizeof computing / sizeof *computing; i++)
		if (sr_op_is(op, computing[i]))
			return true;
	return sr_op_has(op, SR_ELEMENTWISE | SR_SAME_TYPE);
}

/* Return the tensor type with the expressed element type of a quantized type; NULL: t is not quantized. */
static const struct sr_type *expressed_type(struct sr_context *ctx, const struct sr_type *t)
{
	struct sr_quant q;
	if (!t->element || !sr_type_quant(t->element, &q))
		return NULL;
	return sr_type_tensor_of(ctx, sr_type_scalar(ctx, q.expressed_type), t->rank, t->shape, t->encoding);
}

static bool is_any_quantized(struct sr_context *ctx, const struct sr_op *op)
{
	for (int i = 0; i < op->n_operands; i++)
		if (expressed_type(ctx, sr_operand(op, i)->type))
			return true;
	for (int i = 0; i < op->n_results; i++)
		if (expressed_type(ctx, op->results[i].type))
			return true;
	return false;
}

static bool rewrite_to_qdq(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_context *ctx = rw->ctx;
	struct sr_builder b = sr_rewrite_before(rw, op);
	if (!is_computation(op) || !is_any_quantized(ctx, op))
		return false;
	struct sr_value **operands = SR_NEW_ARRAY(ctx->arena, struct sr_value *, op->n_operands);
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, op->n_results);
	for (int i = 0; i < op->n_operands; i++) {
		operands[i] = sr_operand(op, i);
		const struct sr_type *t = expressed_type(ctx, operands[i]->type);
		if (t)
			operands[i] =
				sr_result(sr_build(&b, SR_OP_stablehlo_uniform_dequantize, &operands[i], 1, NULL, 0, &t, 1), 0);
	}
	for (int i = 0; i < op->n_results; i++) {
		const struct sr_type *t = expressed_type(ctx, sr_result(op, i)->type);
		types[i] = t ? t : sr_result(op, i)->type;
	}
	struct sr_op *new_op = sr_build(&b, sr_op_code_of(op), operands, op->n_operands, op->attrs, op->n_attrs, types, op->n_results);
	for (int i = 0; i < op->n_results; i++) {
		struct sr_value *old = sr_result(op, i), *v = sr_result(new_op, i);
		if (old->type != types[i])
			v = sr_result(sr_build(&b, SR_OP_stablehlo_uniform_quantize, &v, 1, NULL, 0, &old->type, 1), 0);
		if (v->def)
			sr_rewrite_notify_inserted(rw, v->def);
		sr_rewrite_replace_value(rw, old, v);
	}
	sr_rewrite_erase(rw, op);
	return true;
}

/* ---------------------------------------------------------------- qdq to quantized op */

static bool rewrite_to_quantized_op(struct sr_rewriter *rw, struct sr_op *quantize)
{
	struct sr_op *op = sr_operand(quantize, 0)->def;
	if (!op || op->n_regions || op->n_results != 1 || !op->n_operands)
		return false;
	struct sr_value **operands = SR_NEW_ARRAY(rw->ctx->arena, struct sr_value *, op->n_operands);
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_op *dequantize = sr_value_def_of(sr_operand(op, i), SR_OP_stablehlo_uniform_dequantize);
		if (!dequantize)
			return false;
		operands[i] = sr_operand(dequantize, 0);
	}
	struct sr_op *new_op = sr_rewrite_create(rw, quantize, sr_op_code_of(op), operands, op->n_operands, op->attrs, op->n_attrs,
						 sr_result(quantize, 0)->type);
	new_op->loc = op->loc;
	sr_rewrite_replace(rw, quantize, sr_result(new_op, 0));
	return true;
}

/* ---------------------------------------------------------------- */

enum { ROUNDS = 10 };

enum sr_status sr_run_quantized_op_to_qdq(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	static const struct sr_pattern patterns[] = {{SR_OP_UNREGISTERED, rewrite_to_qdq}, {0}};
	struct sr_rewrite_config config = {.tables = {patterns}, .max_rounds = ROUNDS};
	(void)options;
	sr_rewrite_greedily(ctx, root, &config);
	return SR_OK;
}

enum sr_status sr_run_qdq_to_quantized_op(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	static const struct sr_pattern patterns[] = {{SR_OP_stablehlo_uniform_quantize, rewrite_to_quantized_op}, {0}};
	struct sr_rewrite_config config = {.tables = {patterns}, .max_rounds = ROUNDS};
	(void)options;
	sr_rewrite_greedily(ctx, root, &config);
	return SR_OK;
}
