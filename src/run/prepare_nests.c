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
	    .n = regions.n, .buffers = regions.buffers, .calls = regions.calls};
	l->max_regions = regions.n + 1 > l->max_regions ? regions.n + 1 : l->max_regions; /* and the barrier or the caller */
	return loop;
}

/* Return the least bytes of outputs that instruction i writes past the caches. In a loop's body the next iteration reads them, from
 * the caches if they fit. */
static int64_t least_streamed_bytes(const struct sr_loaded_program *l, uint64_t i)
{
	const struct sr_computation *entry = sr_program_computations(l->program);
	bool is_in_loop = i < entry->first || i - entry->first >= entry->n;
	return is_in_loop && l->cache_bytes > SR_NEST_STREAM_BYTES ? l->cache_bytes : SR_NEST_STREAM_BYTES;
}

enum sr_status sr_loaded_prepare_nests(struct sr_loaded_program *l, struct sr_arena *arena, struct sr_diags *diags)
{
	for (uint64_t i = 0; i < l->program->instrs.n; i++) {
		struct sr_ready_instr *r = l->instrs + i;
		if (r->kind == SR_INSTR_WHILE && sr_loop_is_compilable(l->program, i))
			r->loop = prepare_loop(l, i, arena);
		if (r->kind != SR_INSTR_NEST || sr_jit_function_of(l->jit, i))
			continue;
		r->nest = sr_nest_prepare(r->params, l->kernels, least_streamed_bytes(l, i));
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
