/* Compute how many bytes an instruction reads and writes. */
#include "program/program.h"
#include "support/checked.h"

static const struct sr_buffer *operand(const struct sr_program *p, const struct sr_instr *instr, uint32_t i)
{
	return sr_program_buffers(p) + sr_program_operands(p)[instr->first_operand + i];
}

/* Return the number of iterations of a loop nest; INT64_MAX on overflow. */
static int64_t iteration_count(const struct sr_nest *nest)
{
	int64_t n = 1;
	for (int l = 0; l < nest->n_loops; l++)
		if (sr_mul_overflows(n, nest->extent[l], &n))
			return INT64_MAX;
	return n;
}

int64_t sr_program_max_offset(const struct sr_program *p, const struct sr_instr *instr, uint32_t operand)
{
	int64_t bytes = 0;
	for (uint32_t i = 0; i < instr->n_dynamic_offsets; i++) {
		const struct sr_dynamic_offset *shift = sr_program_dynamic_offsets(p) + instr->first_dynamic_offset + i;
		if (shift->operand == (int32_t)operand)
			bytes += shift->limit * shift->stride;
	}
	return bytes;
}

struct sr_coll_call sr_program_collective_call(const struct sr_program *p, const struct sr_instr *collective)
{
	const struct sr_collective_instr *c = (const void *)(sr_program_params(p) + collective->params);
	struct sr_coll_call call = {.coll = (enum sr_coll)c->coll,
				    .n = 1,
				    .count = c->count,
				    .type = (enum sr_dtype)collective->dtype,
				    .form = {c->form[SR_IN], c->form[SR_OUT]}};
	if (c->group >= 0)
		call.n = (int)sr_program_groups(p)[c->group].size;
	return call;
}

int64_t sr_program_instr_bytes(const struct sr_program *p, const struct sr_instr *instr)
{
	int64_t bytes = 0, max_bytes = INT64_MAX;
	if (instr->kind == SR_INSTR_FINISH) /* The bytes are counted at the instruction that starts the collective. */
		return 0;
	if (instr->kind == SR_INSTR_NEST &&
	    sr_mul_overflows(iteration_count((const void *)(sr_program_params(p) + instr->params)), (int64_t)8, &max_bytes))
		max_bytes = INT64_MAX;
	if (instr->kind == SR_INSTR_KERNEL && instr->kernel == SR_KERNEL_DYNAMIC_UPDATE_SLICE &&
	    operand(p, instr, 0)->offset == operand(p, instr, instr->n_operands - 1)->offset)
		max_bytes = operand(p, instr, 1)->bytes;
	for (uint32_t i = 0; i < instr->n_operands; i++) {
		int64_t n = operand(p, instr, i)->bytes - sr_program_max_offset(p, instr, i);
		if (sr_add_overflows(bytes, n < max_bytes ? n : max_bytes, &bytes))
			return INT64_MAX;
	}
	return bytes;
}
