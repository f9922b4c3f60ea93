/* Preparation of the loop nests and loops of a device's program: compiled ones are called; other loop nests are prepared once for
 * interpretation, with common scratch memory. */
#include "codegen/loop_c.h"
#include "run/device.h"
#include "support/checked.h"
#include <stdlib.h>

static enum sr_status no_memory(struct sr_diags *diags)
{
	return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "out of memory while preparing loop nests");
}

static struct sr_ready_loop *prepare_loop(const struct sr_device *d, uint64_t step, struct sr_arena *arena)
{
	struct sr_ready_loop *loop = SR_NEW(arena, struct sr_ready_loop);
	struct sr_regions regions;
	sr_loop_regions(d->program, step, arena, &regions);
	*loop = (struct sr_ready_loop){
	    .n = regions.n, .buffers = regions.buffers, .addresses = SR_NEWS(arena, void *, regions.n + 1)};
	return loop;
}

void sr_device_set_jit(struct sr_device *d, const struct sr_jit_module *module)
{
	d->jit = module;
	for (uint64_t i = 0; i < d->program->instrs.n; i++) {
		struct sr_ready_instr *r = d->instrs + i;
		r->compiled = sr_jit_function_of(module, i);
		if (r->kind == SR_INSTR_NEST)
			r->range = r->compiled ? r->compiled->n_chunks : sr_nest_chunk_count(r->nest);
	}
}

enum sr_status sr_device_prepare_nests(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags)
{
	size_t max_bytes = 0;
	for (uint64_t i = 0; i < d->program->instrs.n; i++) {
		struct sr_ready_instr *r = d->instrs + i;
		if (r->kind == SR_INSTR_WHILE && sr_loop_is_compilable(d->program, i))
			r->loop = prepare_loop(d, i, arena);
		if (r->kind != SR_INSTR_NEST || sr_jit_function_of(d->jit, i))
			continue;
		r->nest = sr_nest_prepare(r->params, d->kernels);
		if (!r->nest)
			return no_memory(diags);
		size_t bytes = sr_nest_scratch(r->nest);
		max_bytes = bytes > max_bytes ? bytes : max_bytes;
	}
	max_bytes = d->nest_scratch_bytes = (max_bytes + 63) / 64 * 64;
	if (max_bytes && !(d->nest_scratch = aligned_alloc(64, max_bytes * (size_t)sr_workers_count(d->workers))))
		return no_memory(diags);
	sr_device_set_jit(d, d->jit);
	return SR_OK;
}

void sr_device_release_nests(struct sr_device *d)
{
	for (uint64_t i = 0; d->instrs && i < d->program->instrs.n; i++)
		sr_nest_release(d->instrs[i].nest);
	free(d->nest_scratch);
	d->nest_scratch = NULL;
}
