/* Build a program by hand: elementwise instructions on f32[4] on one device, in the order they are added. */
#pragma once
#include "kernels/nest/nest.h"
#include "program/program.h"
#include <string.h>

enum { PROGRAM_MAX = 16, ARENA_SLOT = 64 };

struct program_builder {
	struct sr_program head;
	_Alignas(16) struct sr_buffer buffers[PROGRAM_MAX];
	_Alignas(16) struct sr_instr instrs[PROGRAM_MAX];
	_Alignas(16) struct sr_computation computations[3];
	_Alignas(16) int32_t operands[4 * PROGRAM_MAX + 2];
	_Alignas(16) struct sr_map_params params[16];
	_Alignas(16) char nest[1024]; /* follows params: parameters of a loop nest */
	_Alignas(16) int64_t ids[2 * 8];
	_Alignas(16) struct sr_io values[PROGRAM_MAX];
	_Alignas(16) struct sr_constant inits[PROGRAM_MAX];
	_Alignas(16) float data[4 * PROGRAM_MAX];
	_Alignas(16) char text[32];
};

/* Add a buffer of n floats at slot `slot` of the arena. */
static inline int add_buffer(struct program_builder *m, int slot, int n)
{
	m->buffers[m->head.buffers.n] = (struct sr_buffer){slot * ARENA_SLOT, 4 * n, SR_F32};
	if ((slot + (4 * n + 63) / 64) * ARENA_SLOT > m->head.arena_bytes)
		m->head.arena_bytes = (slot + (4 * n + 63) / 64) * ARENA_SLOT;
	return (int)m->head.buffers.n++;
}

/* Append the instruction c = a op b. */
static inline void add_instr(struct program_builder *m, const char *op, int a, int b, int c)
{
	const int32_t operands[] = {a, b, c};
	struct sr_instr *instr = &m->instrs[m->head.instrs.n++];
	*instr = (struct sr_instr){.kind = SR_INSTR_KERNEL, .dtype = SR_F32, .kernel = (uint16_t)sr_kernel_find(op), .n_operands = 3, .range = 4};
	instr->first_operand = (uint32_t)m->head.operands.n;
	memcpy(m->operands + m->head.operands.n, operands, sizeof operands);
	m->head.operands.n += 3;
	m->computations[0].n++;
}

/* Append a loop nest: each element of c is the sum of n times the first element of a. */
static inline void add_sums(struct program_builder *m, int a, int c, int64_t n)
{
	struct sums {
		struct sr_nest head;
		_Alignas(16) struct sr_nest_stage stages[3];
		_Alignas(16) struct sr_nest_instr instrs[4];
		_Alignas(16) struct sr_nest_value values[3];
		_Alignas(16) struct sr_nest_access accesses[2];
		_Alignas(16) struct sr_nest_output outputs[1];
		_Alignas(16) float zero[4];
	} sums = {
	    .head = {.bytes = sizeof sums, .n_loops = 2, .n_parallel = 1, .n_inputs = 1, .n_outputs = 1,
		     .n_stages = 3, .n_instrs = 4, .n_values = 3, .n_accesses = 2,
		     .stages = offsetof(struct sums, stages), .instrs = offsetof(struct sums, instrs),
		     .values = offsetof(struct sums, values), .accesses = offsetof(struct sums, accesses),
		     .dims = offsetof(struct sums, outputs), .outputs = offsetof(struct sums, outputs),
		     .constants = offsetof(struct sums, zero), .constant_bytes = 4, .extent = {4, n}},
	    .stages = {{0, 1, 0, 1}, {1, 2, 1, 16}, {3, 1, 0, 1}},
	    .instrs = {{.op = SR_NEST_CONSTANT, .type = SR_F32, .result = 0, .access = -1},
		       {.op = SR_NEST_LOAD, .type = SR_F32, .result = 1, .access = 0},
		       {.op = SR_NEST_REDUCE, .type = SR_F32, .kernel = SR_KERNEL_ADD, .n_args = 2, .result = 2, .args = {1, 0},
			.access = -1},
		       {.op = SR_NEST_STORE, .type = SR_F32, .n_args = 1, .result = -1, .args = {2}, .access = 1}},
	    .values = {{SR_F32, 0, 0}, {SR_F32, 0, 1}, {SR_F32, 0, 1}},
	    .accesses = {{.buffer = 0, .fill = -1}, {.buffer = 1, .fill = -1, .stride = {1}}},
	};
	_Static_assert(sizeof sums <= sizeof m->nest, "the nest exceeds its parameters");
	memcpy(m->nest, &sums, sizeof sums);
	struct sr_instr *instr = &m->instrs[m->head.instrs.n++];
	*instr = (struct sr_instr){.kind = SR_INSTR_NEST, .n_operands = 2, .range = 4,
				   .params = offsetof(struct program_builder, nest) - offsetof(struct program_builder, params)};
	instr->first_operand = (uint32_t)m->head.operands.n;
	m->operands[m->head.operands.n++] = a;
	m->operands[m->head.operands.n++] = c;
	m->computations[0].n++;
}

/* Add an argument, or, after the arguments, a result. */
static inline void add_value(struct program_builder *m, int buffer, bool is_result, bool is_donated)
{
	m->values[m->head.values.n++] = (struct sr_io){.buffer = buffer, .aliases = -1, .dtype = SR_F32, .rank = 1, .donated = is_donated};
	m->head.n_arguments += !is_result;
	m->head.n_results += is_result;
}

static inline void add_constant(struct program_builder *m, int buffer, float value)
{
	m->data[4 * m->head.constants.n] = value;
	m->inits[m->head.constants.n] = (struct sr_constant){.buffer = buffer, .splat = 1, .data = 16 * m->head.constants.n, .n = 4};
	m->head.constants.n++;
}

/* Begin an empty program. */
static inline void program_begin(struct program_builder *m)
{
	memset(m, 0, sizeof *m);
	memcpy(m->head.magic, SR_PROGRAM_MAGIC, sizeof m->head.magic < sizeof SR_PROGRAM_MAGIC ? sizeof m->head.magic : sizeof SR_PROGRAM_MAGIC);
	m->head.version = sr_program_version();
	m->head.bytes = sizeof *m;
	m->head.n_devices = m->head.n_replicas = 1;
}

/* Finish the program: fill in all offsets, and return it. */
static inline const struct sr_program *program_end(struct program_builder *m)
{
	struct sr_program *p = &m->head;
	m->params[0].n = 4;
	m->ids[0] = 4; // the extents that all values have; the zeros after it say that no value has a sharding
	p->computations.n += !p->computations.n;
	p->params.n = offsetof(struct program_builder, nest) - offsetof(struct program_builder, params) + sizeof m->nest;
	p->ids.n = sizeof m->ids / sizeof *m->ids;
	p->data.n = sizeof m->data;
	p->text.n = sizeof m->text;
	p->buffers.offset = offsetof(struct program_builder, buffers);
	p->instrs.offset = offsetof(struct program_builder, instrs);
	p->computations.offset = offsetof(struct program_builder, computations);
	p->operands.offset = offsetof(struct program_builder, operands);
	p->params.offset = offsetof(struct program_builder, params);
	p->ids.offset = offsetof(struct program_builder, ids);
	p->values.offset = offsetof(struct program_builder, values);
	p->constants.offset = offsetof(struct program_builder, inits);
	p->data.offset = offsetof(struct program_builder, data);
	p->text.offset = offsetof(struct program_builder, text);
	for (uint64_t i = 0; i < p->values.n; i++)
		m->values[i].refs = 1;
	return p;
}
