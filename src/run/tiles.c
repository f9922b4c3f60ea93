/* The tiles of a device's program: compiled ones are called; others are made ready once and interpreted, with memory that they share. */
#include "run/device.h"
#include "support/checked.h"
#include <stdlib.h>

struct sr_device_tiles {
	uint64_t n_steps;
	char *scratch;
	struct sr_tile_ready *ready[]; /* [n_steps]; NULL: no tile, or compiled */
};

static enum sr_status too_large(struct sr_device *d, struct sr_diags *diags)
{
	sr_device_release_tiles(d);
	return sr_error(diags, SR_NO_MEMORY, (struct sr_place){0}, "out of memory while tiles are made ready");
}

enum sr_status sr_device_prepare_tiles(struct sr_device *d, struct sr_diags *diags)
{
	const struct sr_program *p = d->program;
	size_t most = 0;
	d->tiles = calloc(1, sizeof *d->tiles + (size_t)p->steps.n * sizeof *d->tiles->ready);
	if (!d->tiles)
		return too_large(d, diags);
	d->tiles->n_steps = p->steps.n;
	for (uint64_t i = 0; i < p->steps.n; i++) {
		const struct sr_step *step = sr_program_steps(p) + i;
		if (step->kind != SR_STEP_TILE || sr_unit_tile(d->unit, i))
			continue;
		d->tiles->ready[i] = sr_tile_prepare((const void *)(sr_program_params(p) + step->params), d->kernels);
		if (!d->tiles->ready[i])
			return too_large(d, diags);
		size_t bytes = sr_tile_scratch(d->tiles->ready[i]);
		most = bytes > most ? bytes : most;
	}
	if (most && !(d->tiles->scratch = aligned_alloc(64, (most + 63) / 64 * 64)))
		return too_large(d, diags);
	return SR_OK;
}

void sr_device_release_tiles(struct sr_device *d)
{
	if (!d->tiles)
		return;
	for (uint64_t i = 0; i < d->tiles->n_steps; i++)
		sr_tile_release(d->tiles->ready[i]);
	free(d->tiles->scratch);
	free(d->tiles);
	d->tiles = NULL;
}

void sr_play_tile(struct sr_device *d, const struct sr_step *s)
{
	const struct sr_program *p = d->program;
	const int32_t *operands = sr_program_operands(p) + s->first_operand;
	uint64_t number = (uint64_t)(s - sr_program_steps(p));
	const struct sr_tile_ready *ready = d->tiles->ready[number];
	const struct sr_unit_tile *compiled = sr_unit_tile(d->unit, number);
	void *buffers[SR_TILE_BUFFERS];
	for (uint32_t i = 0; i < s->n_operands; i++)
		buffers[i] = sr_device_buffer(d, operands[i]);
	if (compiled)
		compiled->run(buffers, 0, compiled->pieces);
	else
		sr_tile_run(ready, buffers, d->tiles->scratch, 0, sr_tile_pieces(ready));
}
