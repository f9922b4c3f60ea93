/* Convert the body of a work.nest to instructions. Each stage's stores and reductions request their values, which are emitted on
 * first use. A later stage reloads or recomputes a value of the inner loops if that is cheap, and otherwise reads it from the
 * saved row. */
#include "work/emit/nest_emitter.h"
#include "dialect/attr_names.h"
#include <string.h>

static int new_value(struct sr_nest_emitter *e, enum sr_dtype type, int stage)
{
	struct sr_nest_value v = {.dtype = (uint8_t)type, .stage = (int16_t)stage};
	sr_push(e->arena, &e->values, v);
	return (int)e->values.n - 1;
}

static void push_instr(struct sr_nest_emitter *e, int stage, struct sr_nest_instr instr)
{
	sr_push(e->arena, &e->stages.data[stage].instrs, instr);
}

static int emit_load(struct sr_nest_emitter *e, struct sr_value *v, int stage)
{
	int access = sr_nest_emit_access(e, &e->nest.accesses[v->index], e->nest.operands[v->index]->type->shape, v->index, stage);
	int result = new_value(e, v->type->dtype, stage);
	push_instr(e, stage, (struct sr_nest_instr){.op = SR_NEST_LOAD, .type = (uint8_t)v->type->dtype, .result = result, .access = access});
	return result;
}

static int emit_constant(struct sr_nest_emitter *e, struct sr_op *op, int stage, struct sr_nest_instr *out)
{
	int64_t bytes = 0;
	enum sr_dtype type = sr_result(op, 0)->type->dtype;
	const char *data = sr_dense_data(e->ctx, sr_op_attr(op, SR_NAME_value), false, &bytes);
	while (e->constants.n % 16)
		sr_push(e->arena, &e->constants, 0);
	*out = (struct sr_nest_instr){.op = SR_NEST_CONSTANT, .type = (uint8_t)type, .constant = (int32_t)e->constants.n};
	for (int64_t i = 0; i < bytes; i++)
		sr_push(e->arena, &e->constants, data[i]);
	return out->result = new_value(e, type, stage);
}

/* Build the instruction of an elementwise op on scalars; args: value numbers. */
static int emit_map(struct sr_nest_emitter *e, struct sr_op *op, const int *args, int stage, struct sr_nest_instr *out)
{
	struct sr_map_call m = sr_map_of(op);
	*out = (struct sr_nest_instr){.op = SR_NEST_MAP,
				      .type = (uint8_t)m.type,
				      .kernel = (uint16_t)m.kernel,
				      .n_args = (uint8_t)op->n_operands,
				      .variant = m.variant,
				      .exponent_bits = m.exponent_bits,
				      .mantissa_bits = m.mantissa_bits};
	for (int i = 0; i < op->n_operands; i++)
		out->args[i] = args[i];
	return out->result = new_value(e, sr_result(op, 0)->type->dtype, stage);
}

static int emit_index(struct sr_nest_emitter *e, struct sr_op *op, int stage)
{
	static const int64_t no_limit = INT64_MAX;
	struct sr_indexing_map a = sr_indexing_map_read(e->ctx, sr_op_attr(op, SR_NAME_indexing_map), 1, e->nest.n_loops);
	int access = sr_nest_emit_access(e, &a, &no_limit, -1, stage), result = new_value(e, sr_result(op, 0)->type->dtype, stage);
	push_instr(e, stage,
		   (struct sr_nest_instr){.op = SR_NEST_INDEX, .type = (uint8_t)sr_result(op, 0)->type->dtype, .result = result, .access = access});
	return result;
}

/* ---- reductions ---- */

static const enum sr_kernel monoid_kernels[SR_MONOID_COUNT] = {
	[SR_MONOID_ADD] = SR_KERNEL_ADD, [SR_MONOID_MUL] = SR_KERNEL_MULTIPLY, [SR_MONOID_MIN] = SR_KERNEL_MINIMUM, [SR_MONOID_MAX] = SR_KERNEL_MAXIMUM,
	[SR_MONOID_AND] = SR_KERNEL_AND, [SR_MONOID_OR] = SR_KERNEL_OR,	       [SR_MONOID_XOR] = SR_KERNEL_XOR};

static bool is_monoid(const struct sr_op *op, int n)
{
	for (int i = 0; i < n; i++)
		if (sr_monoid_of(op, 0, i) < 0 || sr_operand(op, i)->type != sr_result(op, i)->type)
			return false;
	return true;
}

/* Emit the body of a general reduction as instructions, which follow those of the stages. `argument_numbers` maps each value
 * of the body to its number. */
static void emit_fold_body(struct sr_nest_emitter *e, struct sr_op *reduce, struct sr_nest_instr *fold)
{
	struct sr_block *body = reduce->regions[0].first;
	struct sr_op *end = sr_block_terminator(body);
	struct sr_map argument_numbers;
	int n = reduce->n_results;
	sr_map_init(&argument_numbers, e->arena);
	fold->body_args = (int32_t)e->values.n;
	for (int i = 0; i < 2 * n; i++)
		sr_map_put(&argument_numbers, body->args[i], (void *)(intptr_t)(1 + new_value(e, body->args[i]->type->dtype, -1)));
	/* index of the body's first instruction in e->bodies; put_stages adds the number of instructions of all stages */
	fold->body = (int32_t)e->bodies.n;
	for (struct sr_op *op = body->first; op != end; op = op->next) {
		struct sr_nest_instr instr;
		int args[SR_NEST_MAX_ARGS];
		for (int i = 0; i < op->n_operands; i++)
			args[i] = (int)(intptr_t)sr_map_get(&argument_numbers, sr_operand(op, i)) - 1;
		int result = sr_op_is(op, SR_OP_stablehlo_constant) ? emit_constant(e, op, -1, &instr) : emit_map(e, op, args, -1, &instr);
		sr_map_put(&argument_numbers, sr_result(op, 0), (void *)(intptr_t)(1 + result));
		sr_push(e->arena, &e->bodies, instr);
	}
	fold->n_body = (int32_t)e->bodies.n - fold->body;
	for (int i = 0; i < n; i++)
		fold->body_results[i] = (int32_t)(intptr_t)sr_map_get(&argument_numbers, sr_operand(end, i)) - 1;
}

/* Emit a reduction of phase p, which is in stage 2 p + 1. Its results get consecutive numbers. */
static void emit_reduction(struct sr_nest_emitter *e, struct sr_op *op)
{
	int n = op->n_results, stage = 2 * (sr_nest_stage_info_of(e, sr_result(op, 0)).phase - 1) + 1, args[2 * SR_NEST_MAX_FOLDS], first = 0;
	bool monoid = is_monoid(op, n);
	for (int i = 0; i < 2 * n; i++)
		args[i] = sr_nest_emit_value(e, sr_operand(op, i), stage);
	for (int i = 0; i < n; i++) {
		int number = new_value(e, sr_result(op, i)->type->dtype, stage);
		first = i ? first : number;
		sr_map_put(&e->value_numbers, sr_result(op, i), (void *)(intptr_t)(1 + number));
		if (monoid)
			push_instr(e, stage,
				   (struct sr_nest_instr){.op = SR_NEST_REDUCE,
							  .type = (uint8_t)sr_result(op, i)->type->dtype,
							  .kernel = (uint16_t)monoid_kernels[sr_monoid_of(op, 0, i)],
							  .n_args = 2,
							  .result = number,
							  .args = {args[i], args[n + i]}});
	}
	if (monoid)
		return;
	struct sr_nest_instr fold = {.op = SR_NEST_FOLD, .n_args = (uint8_t)(2 * n), .result = first, .n_folds = n};
	fold.type = (uint8_t)sr_result(op, 0)->type->dtype;
	for (int i = 0; i < 2 * n; i++)
		fold.args[i] = args[i];
	emit_fold_body(e, op, &fold);
	push_instr(e, stage, fold);
}

/* ---- values, emitted on first use ---- */

static int emit_uncached(struct sr_nest_emitter *e, struct sr_value *v, int stage)
{
	struct sr_op *op = v->def;
	struct sr_nest_instr instr;
	int args[SR_NEST_MAX_ARGS], result;
	if (!op)
		return emit_load(e, v, stage);
	if (sr_op_is(op, SR_OP_work_index))
		return emit_index(e, op, stage);
	if (sr_op_is(op, SR_OP_stablehlo_constant)) {
		result = emit_constant(e, op, stage, &instr);
	} else {
		for (int i = 0; i < op->n_operands; i++)
			args[i] = sr_nest_emit_value(e, sr_operand(op, i), stage);
		result = emit_map(e, op, args, stage, &instr);
	}
	push_instr(e, stage, instr);
	return result;
}

int sr_nest_emit_value(struct sr_nest_emitter *e, struct sr_value *v, int stage)
{
	struct sr_nest_stage_info f = sr_nest_stage_info_of(e, v);
	int first_stage = 2 * f.phase + f.inner; /* first stage that can compute the value */
	if (v->def && sr_op_is(v->def, SR_OP_work_reduce)) {
		if (!sr_map_get(&e->value_numbers, v))
			emit_reduction(e, v->def);
		return (int)(intptr_t)sr_map_get(&e->value_numbers, v) - 1;
	}
	bool is_saved = f.inner && first_stage < stage && v->def && sr_work_is_expensive(v->def);
	struct sr_map *numbers = f.inner ? &e->stages.data[is_saved ? first_stage : stage].value_numbers : &e->value_numbers;
	int number = (int)(intptr_t)sr_map_get(numbers, v) - 1;
	if (number < 0) {
		number = emit_uncached(e, v, f.inner && !is_saved ? stage : first_stage);
		sr_map_put(numbers, v, (void *)(intptr_t)(1 + number));
	}
	if (is_saved)
		e->values.data[number].is_saved = 1;
	/* the interpreter may read the operand's memory in any stage up to this one */
	if (!v->def && e->last_load[v->index] < stage)
		e->last_load[v->index] = stage;
	return number;
}
