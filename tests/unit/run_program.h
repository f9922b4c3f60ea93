/* Build a program by hand: elementwise instructions on f32[4] on one device, in the order they are added. */
#pragma once
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
	p->params.n = sizeof m->params;
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
