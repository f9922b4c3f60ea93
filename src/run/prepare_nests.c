/* The tiles and loops of a device's program: compiled ones are called; other tiles are made ready once and interpreted, with memory that they
 * share. */
#include "codegen/loop_c.h"
#include "run/device.h"
#include "support/checked.h"
#include <stdlib.h>

static enum sr_status too_large(struct sr_diags *diags)
{
	return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "out of memory while tiles are made ready");
}

static struct sr_ready_loop *prepare_loop(const struct sr_device *d, uint64_t step, struct sr_arena *arena)
{
	struct sr_ready_loop *loop = SR_NEW(arena, struct sr_ready_loop);
	struct sr_regions regions;
	sr_loop_regions(d->program, step, arena, &regions);
	*loop = (struct sr_ready_loop){.n = regions.n, .buffers = regions.buffers, .at = SR_NEWS(arena, void *, regions.n + 1)};
	return loop;
}

enum sr_status sr_device_prepare_nests(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags)
{
	size_t most = 0;
	for (uint64_t i = 0; i < d->program->instrs.n; i++) {
		struct sr_ready_instr *r = d->steps + i;
		r->compiled = sr_jit_function_of(d->unit, i);
		if (r->compiled && r->kind == SR_INSTR_WHILE)
			r->loop = prepare_loop(d, i, arena);
		if (r->compiled && r->kind == SR_INSTR_NEST)
			r->range = r->compiled->pieces;
		if (r->kind != SR_INSTR_NEST || r->compiled)
			continue;
		r->tile = sr_nest_prepare(r->params, d->kernels);
		if (!r->tile)
			return too_large(diags);
		r->range = sr_nest_chunk_count(r->tile);
		size_t bytes = sr_nest_scratch(r->tile);
		most = bytes > most ? bytes : most;
	}
	most = d->tile_scratch_bytes = (most + 63) / 64 * 64;
	if (most && !(d->tile_scratch = aligned_alloc(64, most * (size_t)sr_workers_count(d->workers))))
		return too_large(diags);
	return SR_OK;
}

void sr_device_release_nests(struct sr_device *d)
{
	for (uint64_t i = 0; d->steps && i < d->program->instrs.n; i++)
		sr_nest_release(d->steps[i].tile);
	free(d->tile_scratch);
	d->tile_scratch = NULL;
}
