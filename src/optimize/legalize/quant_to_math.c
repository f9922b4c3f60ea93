/* stablehlo-legalize-quant-to-math: rewrite quantized values as their stored integers.
 *
 * An op on quantized values becomes: dequantize the operands, the same op on expressed values, quantize the results (specification,
 * "Quantization"). uniform_dequantize is (stored - zero point) * scale; uniform_quantize is x / scale + zero point, clamped to the
 * storage range and rounded to nearest even. Ops that only forward values (calls, loops, functions, barriers, bitcasts) forward the
 * integers. Values keep their quantized types until the end of the pass, so that each op finds the scales of its operands. */
#include "optimize/legalize/decompose.h"
#include "optimize/pass_functions.h"
#include "support/vec.h"
#include <string.h>

struct pass {
	struct sr_context *ctx;
	SR_VEC(struct sr_op *) worklist;
};

static bool quantized_element(const struct sr_type *t, struct sr_quant *q)
{
	struct sr_quant quant_storage;
	return t->kind == SR_TYPE_TENSOR && t->element->kind == SR_TYPE_OPAQUE && sr_type_quant(t->element, q ? q : &quant_storage);
}

static const struct sr_type *type_with_element(struct sr_context *ctx, const struct sr_type *t, enum sr_dtype type)
{
	return sr_type_tensor_of(ctx, sr_type_scalar(ctx, type), t->rank, t->shape, NULL);
}

static bool carries_quantized_types(const struct sr_op *op)
{
	static const enum sr_op_code codes[] = {SR_OP_builtin_module, SR_OP_func_func,   SR_OP_func_call,
						SR_OP_func_return,    SR_OP_stablehlo_return, SR_OP_stablehlo_while,
						SR_OP_stablehlo_if,   SR_OP_stablehlo_case,   SR_OP_stablehlo_optimization_barrier,
						SR_OP_stablehlo_constant, SR_OP_stablehlo_tuple, SR_OP_stablehlo_get_tuple_element,
						SR_OP_stablehlo_composite, SR_OP_stablehlo_bitcast_convert};
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (sr_op_is(op, codes[i]))
			return true;
	return false;
}

/* ---------------------------------------------------------------- scales */

/* Build scales or zero points in the shape of t: one number for the tensor, or one for each slice along the quantized axis. */
static struct sr_value *build_parameters(struct sr_builder *b, const struct sr_type *t, const struct sr_quant *q,
					 double (*number)(const struct sr_quant *q, int i))
{
	struct sr_context *ctx = b->ctx;
	enum sr_dtype type = q->expressed_type;
	if (q->axis < 0)
		return sr_build_splat(b, type_with_element(ctx, t, type), number(q, 0));
	int64_t n = q->n, bytes = sr_dtype_bytes(type);
	char *data = sr_alloc(ctx->arena, (size_t)n, (size_t)bytes);
	for (int i = 0; i < n; i++)
		sr_element_set(type, data + i * bytes, 0, number(q, i), 0);
	struct sr_value *list = sr_build_constant(b, sr_attr_dense(ctx, sr_type_tensor(ctx, type, 1, &n), data, n * bytes));
	return sr_build_broadcast(b, list, t, &q->axis);
}

static double scale(const struct sr_quant *q, int i)
{
	return q->scales[i];
}

static double zero_point(const struct sr_quant *q, int i)
{
	return (double)q->zero_points[i];
}

static double min_of(const struct sr_quant *q, int i)
{
	(void)i;
	return (double)q->min;
}

static double max_of(const struct sr_quant *q, int i)
{
	(void)i;
	return (double)q->max;
}

static struct sr_value *binary(struct sr_builder *b, enum sr_op_code code, struct sr_value *x, struct sr_value *y)
{
	return sr_build_infer(b, code, (struct sr_value *[]){x, y}, 2, NULL, 0);
}

static struct sr_value *convert(struct sr_builder *b, struct sr_value *v, const struct sr_type *to)
{
	return sr_result(sr_build(b, SR_OP_stablehlo_convert, &v, 1, NULL, 0, &to, 1), 0);
}

static struct sr_value *dequantize(struct sr_builder *b, struct sr_value *v)
{
	struct sr_quant q;
	if (v->type->kind != SR_TYPE_TENSOR || !sr_type_quant_values(b->ctx, v->type->element, &q))
		return v;
	struct sr_value *x = convert(b, v, type_with_element(b->ctx, v->type, q.expressed_type));
	x = binary(b, SR_OP_stablehlo_subtract, x, build_parameters(b, v->type, &q, zero_point));
	return binary(b, SR_OP_stablehlo_multiply, x, build_parameters(b, v->type, &q, scale));
}

static struct sr_value *quantize(struct sr_builder *b, struct sr_value *v, const struct sr_type *to)
{
	struct sr_quant q;
	if (!sr_type_quant_values(b->ctx, to->element, &q))
		return v;
	if (v->type->dtype != q.expressed_type)
		v = sr_build_convert(b, v, q.expressed_type);
	struct sr_value *x = binary(b, SR_OP_stablehlo_divide, v, build_parameters(b, to, &q, scale));
	x = binary(b, SR_OP_stablehlo_add, x, build_parameters(b, to, &q, zero_point));
	struct sr_quant per_tensor_quant = q;
	per_tensor_quant.axis = -1;
	struct sr_value *bounds[] = {build_parameters(b, to, &per_tensor_quant, min_of), x,
				     build_parameters(b, to, &per_tensor_quant, max_of)};
	x = sr_build_infer(b, SR_OP_stablehlo_clamp, bounds, 3, NULL, 0);
	x = sr_build_infer(b, SR_OP_stablehlo_round_nearest_even, &x, 1, NULL, 0);
	return convert(b, x, to);
}

/* ---------------------------------------------------------------- ops */

static const struct sr_type *expressed_type(struct sr_context *ctx, const struct sr_type *t)
{
	struct sr_quant q;
	return quantized_element(t, &q) ? type_with_element(ctx, t, q.expressed_type) : t;
}

/* Give the expressed types to all values inside a body. */
static bool set_expressed_types(void *data, struct sr_op *op)
{
	struct pass *p = data;
	for (int i = 0; i < op->n_results; i++)
		op->results[i].type = expressed_type(p->ctx, op->results[i].type);
	for (int i = 0; i < op->n_regions; i++)
		for (struct sr_block *block = op->regions[i].first; block; block = block->next)
			for (int k = 0; k < block->n_args; k++)
				block->args[k]->type = expressed_type(p->ctx, block->args[k]->type);
	return true;
}

/* Replace an op on quantized values by the op on expressed values. */
static void rewrite(struct pass *p, struct sr_op *op)
{
	struct sr_builder b = {.ctx = p->ctx, .block = op->block, .anchor = op, .loc = op->loc};
	struct sr_value **operands = SR_NEW_ARRAY(p->ctx->arena, struct sr_value *, op->n_operands);
	const struct sr_type **types = SR_NEW_ARRAY(p->ctx->arena, const struct sr_type *, op->n_results);
	for (int i = 0; i < op->n_operands; i++)
		operands[i] = dequantize(&b, sr_operand(op, i));
	for (int i = 0; i < op->n_results; i++)
		types[i] = expressed_type(p->ctx, sr_result(op, i)->type);
	if (sr_op_is(op, SR_OP_stablehlo_uniform_quantize) || sr_op_is(op, SR_OP_stablehlo_uniform_dequantize)) {
		struct sr_value *v = operands[0];
		if (sr_op_is(op, SR_OP_stablehlo_uniform_quantize))
			v = quantize(&b, v, sr_result(op, 0)->type);
		else if (v->type != types[0])
			v = sr_build_convert(&b, v, types[0]->dtype);
		sr_value_replace_all(sr_result(op, 0), v);
		sr_op_erase(op);
		return;
	}
	struct sr_op_spec spec = {.info = op->info,
				  .loc = op->loc,
				  .operands = operands,
				  .n_operands = op->n_operands,
				  .results = types,
				  .n_results = op->n_results,
				  .attrs = op->attrs,
				  .n_attrs = op->n_attrs,
				  .n_regions = op->n_regions};
	struct sr_op *new_op = sr_op_new(p->ctx, &spec);
	sr_op_insert_before(op, new_op);
	for (int i = 0; i < op->n_regions; i++)
		sr_region_take(&new_op->regions[i], &op->regions[i]);
	if (op->n_regions)
		sr_walk(new_op, set_expressed_types, p);
	for (int i = 0; i < op->n_results; i++) {
		bool is_quantized = quantized_element(sr_result(op, i)->type, NULL);
		sr_value_replace_all(sr_result(op, i),
				     is_quantized ? quantize(&b, sr_result(new_op, i), sr_result(op, i)->type) : sr_result(new_op, i));
	}
	sr_op_erase(op);
}

static bool uses_quantized(const struct sr_op *op)
{
	for (int i = 0; i < op->n_operands; i++)
		if (quantized_element(sr_operand(op, i)->type, NULL))
			return true;
	for (int i = 0; i < op->n_results; i++)
		if (quantized_element(op->results[i].type, NULL))
			return true;
	return false;
}

/* Collect ops on quantized values. An op in the region of a reduction or similar op is rewritten together with its parent. */
static bool collect(void *data, struct sr_op *op)
{
	struct pass *p = data;
	struct sr_op *parent = sr_op_parent(op);
	if (parent && !carries_quantized_types(parent) && uses_quantized(parent))
		return true;
	if (!carries_quantized_types(op) && uses_quantized(op))
		sr_push(p->ctx->arena, &p->worklist, op);
	return true;
}

/* ---------------------------------------------------------------- stored types */

static const struct sr_type *stored_type(struct sr_context *ctx, const struct sr_type *t)
{
	struct sr_quant q;
	return quantized_element(t, &q) ? type_with_element(ctx, t, q.storage_type) : t;
}

static bool set_stored_types(void *data, struct sr_op *op)
{
	struct sr_context *ctx = ((struct pass *)data)->ctx;
	const struct sr_type *type = sr_op_is(op, SR_OP_func_func) ? sr_func_type(op) : NULL;
	for (int i = 0; i < op->n_results; i++)
		op->results[i].type = stored_type(ctx, op->results[i].type);
	for (int i = 0; i < op->n_regions; i++)
		for (struct sr_block *block = op->regions[i].first; block; block = block->next)
			for (int k = 0; k < block->n_args; k++)
				block->args[k]->type = stored_type(ctx, block->args[k]->type);
	if (type) {
		const struct sr_type **in = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, type->n_inputs);
		const struct sr_type **out = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, type->n_results);
		for (int i = 0; i < type->n_inputs; i++)
			in[i] = stored_type(ctx, type->inputs[i]);
		for (int i = 0; i < type->n_results; i++)
			out[i] = stored_type(ctx, type->results[i]);
		sr_func_set_type(ctx, op, sr_type_function(ctx, in, type->n_inputs, out, type->n_results));
	}
	return true;
}

enum sr_status sr_run_legalize_quant_to_math(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct pass p = {.ctx = ctx};
	(void)options;
	sr_walk(root, collect, &p);
	for (size_t i = 0; i < p.worklist.n; i++)
		rewrite(&p, p.worklist.data[i]);
	sr_walk(root, set_stored_types, &p);
	return SR_OK;
}
