/* Preparation of a program's loop nests and loops: compiled ones are called; other loop nests are prepared once for interpretation,
 * with common scratch memory. */
#include "codegen/loop_c.h"
#include "run/loaded_program.h"

static const struct sr_ready_loop *prepare_loop(struct sr_loaded_program *l, uint64_t instr, struct sr_arena *arena)
{
	struct sr_ready_loop *loop = SR_NEW(arena, struct sr_ready_loop);
	struct sr_regions regions;
	sr_loop_regions(l->program, instr, arena, &regions);
	*loop = (struct sr_ready_loop){
	    .n = regions.n, .buffers = regions.buffers, .calls = regions.calls, .has_collectives = regions.n_collectives > 0};
	l->max_regions = regions.n + 1 > l->max_regions ? regions.n + 1 : l->max_regions; /* and the barrier or the caller */
	return loop;
}

/* Return true if one of the next instructions of the computation `c` reads an output of the loop nest of instruction i. */
static bool is_read_soon(const struct sr_program *program, const struct sr_computation *c, uint64_t i, const struct sr_nest *nest)
{
	enum { NEXT = 4 };
	const struct sr_instr *instrs = sr_program_instrs(program), *in = &instrs[i];
	const int32_t *operands = sr_program_operands(program), *outputs = operands + in->first_operand + nest->n_inputs;
	uint64_t end = (uint64_t)c->first + c->n;
	for (uint64_t k = i + 1; k < end && k <= i + NEXT; k++)
		for (uint32_t m = 0; m < instrs[k].n_operands; m++)
			for (int32_t o = 0; o < nest->n_outputs; o++)
				if (operands[instrs[k].first_operand + m] == outputs[o])
					return true;
	return false;
}

/* Return the least bytes of outputs that the loop nest of instruction i writes past the caches. In a loop's body the next iteration
 * reads them, from the caches if they fit. Outputs that are read soon are in the caches still if they are a fraction of them. */
static int64_t least_streamed_bytes(const struct sr_loaded_program *l, uint64_t i, const struct sr_nest *nest)
{
	enum { FRACTION = 4 };
	const struct sr_computation *entry = sr_program_computations(l->program);
	bool is_in_loop = i < entry->first || i - entry->first >= entry->n;
	int64_t bytes = SR_NEST_STREAM_BYTES;
	if (is_in_loop)
		bytes = l->cache_bytes;
	else if (is_read_soon(l->program, entry, i, nest))
		bytes = l->cache_bytes / FRACTION;
	return bytes > SR_NEST_STREAM_BYTES ? bytes : SR_NEST_STREAM_BYTES;
}

enum sr_status sr_loaded_prepare_nests(struct sr_loaded_program *l, struct sr_arena *arena, struct sr_diags *diags)
{
	for (uint64_t i = 0; i < l->program->instrs.n; i++) {
		struct sr_ready_instr *r = l->instrs + i;
		if (r->kind == SR_INSTR_WHILE && sr_loop_is_compilable(l->program, i))
			r->loop = prepare_loop(l, i, arena);
		if (r->kind != SR_INSTR_NEST || sr_jit_function_of(l->jit, i))
			continue;
		r->nest = sr_nest_prepare(r->params, l->kernels, least_streamed_bytes(l, i, r->params));
		if (!r->nest)
			return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "out of memory while preparing loop nests");
		int64_t bytes = ((int64_t)sr_nest_scratch(r->nest) + 63) / 64 * 64;
		l->nest_scratch = bytes > l->nest_scratch ? bytes : l->nest_scratch;
		r->range = sr_nest_chunk_count(r->nest);
	}
	return SR_OK;
}

void sr_loaded_release_nests(struct sr_loaded_program *l)
{
	for (uint64_t i = 0; l->instrs && i < l->program->instrs.n; i++)
		sr_nest_release(l->instrs[i].nest);
}
