/* Convert a work.nest to struct sr_nest, one block of memory. The op's body becomes stages of instructions (emit_body.c). */
#include "work/emit/nest_emitter.h"
#include <string.h>

static int last_phase(struct sr_nest_emitter *e)
{
	int last = 0;
	for (struct sr_op *op = e->op->regions[0].first->first; op; op = op->next)
		for (int i = 0; i < op->n_results; i++) {
			int phase = sr_nest_stage_info_of(e, sr_result(op, i)).phase;
			last = phase > last ? phase : last;
		}
	return last;
}

static bool writes_inner(const struct sr_nest_emitter *e, const struct sr_indexing_map *a)
{
	for (int d = 0; d < a->rank; d++)
		for (int l = e->nest.parallel; l < a->n_loops; l++)
			if (sr_indexing_map_row(a, d)[l])
				return true;
	return false;
}

/* Emit the store of result i; return its stage. */
static int emit_store(struct sr_nest_emitter *e, int i)
{
	struct sr_value *v = sr_operand(sr_block_terminator(e->op->regions[0].first), i);
	struct sr_nest_stage_info f = sr_nest_stage_info_of(e, v);
	const struct sr_indexing_map *a = &e->nest.result_indexing_maps[i];
	int stage = 2 * f.phase + (f.inner || writes_inner(e, a));
	int value = sr_nest_emit_value(e, v, stage);
	struct sr_nest_instr instr = {.op = SR_NEST_STORE, .type = (uint8_t)v->type->dtype, .n_args = 1, .result = -1, .args = {value}};
	instr.access = sr_nest_emit_access(e, a, e->nest.result_types[i]->shape, e->op->n_operands + i, stage);
	sr_push(e->arena, &e->stages.data[stage].instrs, instr);
	return stage;
}

/* Return true if a result other than number `excluded_result` yields the operand's element itself, so that the operand is still
 * read while results are written. */
static bool is_yielded(const struct sr_nest_emitter *e, int operand, int excluded_result)
{
	struct sr_op *end = sr_block_terminator(e->op->regions[0].first);
	for (int i = 0; i < end->n_operands; i++) {
		struct sr_value *v = sr_operand(end, i);
		if (i != excluded_result && !v->def && e->nest.operands[v->index] == e->nest.operands[operand])
			return true;
	}
	return false;
}

/* Return true if every iteration accesses the same element of memory by map a of a tensor of type t as by map b of type u. */
static bool is_same_element(const struct sr_nest_emitter *e, const struct sr_indexing_map *a, const struct sr_type *t,
			    const struct sr_indexing_map *b, const struct sr_type *u)
{
	if (t == u && sr_indexing_map_equal(a, b))
		return true;
	int64_t n, m;
	if (t->dtype != u->dtype || !sr_type_elements(t, &n) || !sr_type_elements(u, &m) || n != m ||
	    !sr_indexing_map_is_affine(a) || a->limit || !sr_indexing_map_is_affine(b) || b->limit)
		return false;
	for (int l = 0; l <= a->n_loops; l++) {
		int64_t difference = 0, size = 1; /* of the loop's strides, or of the offsets */
		if (l < a->n_loops && e->nest.loops[l] <= 1)
			continue;
		for (int d = a->rank - 1; d >= 0; size *= t->shape[d--])
			difference += sr_indexing_map_row(a, d)[l] * size;
		size = 1;
		for (int d = b->rank - 1; d >= 0; size *= u->shape[d--])
			difference -= sr_indexing_map_row(b, d)[l] * size;
		if (difference)
			return false;
	}
	return true;
}

/* Find the operands whose memory result i may use: those that are read only at the elements that are written, and not after the
 * result is written. */
static struct sr_nest_output reusable_operands(const struct sr_nest_emitter *e, int i, int stage)
{
	struct sr_nest_output out = {0};
	for (int j = 0; j < e->op->n_operands; j++) {
		const struct sr_type *t = e->nest.operands[j]->type;
		bool is_reusable = t->shape && e->last_load[j] <= stage && !is_yielded(e, j, i) &&
				   is_same_element(e, &e->nest.accesses[j], t, &e->nest.result_indexing_maps[i],
						   e->nest.result_types[i]);
		for (int k = 0; is_reusable && k < e->op->n_operands;
		     k++) /* all operands that are this value must have the same indexing map */
			is_reusable = e->nest.operands[k] != e->nest.operands[j] ||
				      sr_indexing_map_equal(&e->nest.accesses[k], &e->nest.accesses[j]);
		if (is_reusable)
			out.may_share |= (uint64_t)1 << j;
	}
	return out;
}

/* ---- the block ---- */

static void put_stages(struct sr_nest_emitter *e, struct sr_nest *nest, struct sr_buf *out)
{
	SR_VEC(struct sr_nest_instr) instrs = {0};
	struct sr_nest_stage *stages = SR_NEW_ARRAY(e->arena, struct sr_nest_stage, e->stages.n + 1);
	int n = 0, *new_numbers = SR_NEW_ARRAY(e->arena, int, e->stages.n + 1);
	for (size_t s = 0; s < e->stages.n; s++) {
		struct sr_nest_stage_builder *list = &e->stages.data[s];
		new_numbers[s] = n;
		if (!list->instrs.n)
			continue;
		stages[n++] = (struct sr_nest_stage){(int32_t)instrs.n, (int32_t)list->instrs.n, s % 2};
		for (int is_store_pass = 0; is_store_pass < 2;
		     is_store_pass++) /* in each stage, emit the loads before the stores */
			for (size_t i = 0; i < list->instrs.n; i++)
				if ((list->instrs.data[i].op == SR_NEST_STORE) == (is_store_pass == 1))
					sr_push(e->arena, &instrs, list->instrs.data[i]);
	}
	size_t n_before = instrs.n;
	for (size_t i = 0; i < n_before; i++)
		if (instrs.data[i].op == SR_NEST_FOLD)
			instrs.data[i].body += (int32_t)n_before;
	for (size_t i = 0; i < e->bodies.n; i++)
		sr_push(e->arena, &instrs, e->bodies.data[i]);
	for (size_t i = 0; i < e->values.n; i++)
		if (e->values.data[i].stage >= 0)
			e->values.data[i].stage = (int16_t)new_numbers[e->values.data[i].stage];
	nest->n_stages = n;
	nest->n_instrs = (int32_t)instrs.n;
	nest->stages = sr_buf_put_aligned(out, stages, (size_t)n * sizeof *stages);
	nest->instrs = sr_buf_put_aligned(out, instrs.data, instrs.n * sizeof *instrs.data);
}

static struct sr_nest *serialize_nest(struct sr_nest_emitter *e, const struct sr_nest_output *outputs)
{
	struct sr_nest nest = {.n_loops = e->nest.n_loops, .n_parallel = e->nest.parallel, .n_inputs = e->op->n_operands,
			    .n_outputs = e->op->n_results, .n_values = (int32_t)e->values.n, .n_accesses = (int32_t)e->accesses.n,
			    .n_dims = (int32_t)e->dims.n, .constant_bytes = (uint32_t)e->constants.n};
	struct sr_buf out;
	sr_buf_init(&out, e->arena);
	sr_buf_put(&out, (const char *)&nest, sizeof nest);
	memcpy(nest.extent, e->nest.loops, sizeof *e->nest.loops * (size_t)e->nest.n_loops);
	put_stages(e, &nest, &out);
	nest.values = sr_buf_put_aligned(&out, e->values.data, e->values.n * sizeof *e->values.data);
	nest.accesses = sr_buf_put_aligned(&out, e->accesses.data, e->accesses.n * sizeof *e->accesses.data);
	nest.dims = sr_buf_put_aligned(&out, e->dims.data, e->dims.n * sizeof *e->dims.data);
	nest.outputs = sr_buf_put_aligned(&out, outputs, (size_t)nest.n_outputs * sizeof *outputs);
	nest.constants = sr_buf_put_aligned(&out, e->constants.data, e->constants.n);
	sr_buf_put_aligned(&out, NULL, 0);
	nest.bytes = (uint32_t)out.n;
	memcpy(out.data, &nest, sizeof nest);
	struct sr_nest *block = (struct sr_nest *)(void *)out.data;
	sr_nest_set_order(block, e->arena);
	return block;
}

struct sr_nest *sr_work_emit(struct sr_context *ctx, struct sr_arena *arena, struct sr_op *op)
{
	struct sr_nest_emitter e = {.ctx = ctx, .arena = arena, .op = op, .nest = sr_work_read(ctx, op)};
	struct sr_nest_output outputs[SR_NEST_MAX_BUFFERS];
	int stages[SR_NEST_MAX_BUFFERS];
	if (op->n_operands + op->n_results > SR_NEST_MAX_BUFFERS)
		return NULL;
	sr_map_init(&e.stage_infos, arena);
	sr_map_init(&e.value_numbers, arena);
	e.last_load = SR_NEW_ARRAY(arena, int, op->n_operands + 1);
	for (int i = 2 * (last_phase(&e) + 1); i > 0; i--) {
		struct sr_nest_stage_builder list = {0};
		sr_map_init(&list.value_numbers, arena);
		sr_push(arena, &e.stages, list);
	}
	for (int i = 0; i < op->n_results; i++)
		stages[i] = emit_store(&e, i);
	for (int i = 0; i < op->n_results; i++)
		outputs[i] = reusable_operands(&e, i, stages[i]);
	return serialize_nest(&e, outputs);
}
