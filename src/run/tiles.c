/* The tiles of a device's program: compiled ones are called; others are made ready once and interpreted, with memory that they share. */
#include "run/device.h"
#include "support/checked.h"
#include <stdlib.h>

static enum sr_status too_large(struct sr_diags *diags)
{
	return sr_error(diags, SR_NO_MEMORY, (struct sr_place){0}, "out of memory while tiles are made ready");
}

enum sr_status sr_device_prepare_tiles(struct sr_device *d, struct sr_diags *diags)
{
	size_t most = 0;
	for (uint64_t i = 0; i < d->program->steps.n; i++) {
		struct sr_ready_step *r = d->steps + i;
		if (r->kind != SR_STEP_TILE || (r->compiled = sr_unit_tile_of(d->unit, i)))
			continue;
		r->tile = sr_tile_prepare(r->params, d->kernels);
		if (!r->tile)
			return too_large(diags);
		size_t bytes = sr_tile_scratch(r->tile);
		most = bytes > most ? bytes : most;
	}
	if (most && !(d->tile_scratch = aligned_alloc(64, (most + 63) / 64 * 64)))
		return too_large(diags);
	return SR_OK;
}

void sr_device_release_tiles(struct sr_device *d)
{
	for (uint64_t i = 0; d->steps && i < d->program->steps.n; i++)
		sr_tile_release(d->steps[i].tile);
	free(d->tile_scratch);
	d->tile_scratch = NULL;
}
