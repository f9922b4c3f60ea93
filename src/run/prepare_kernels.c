/* Preparation of kernels by libraries, once per instruction, entirely or chunk by chunk. */
#include "run/device.h"

/* Prepare n chunks of an instruction. Returns NULL, with all chunks released, if the library cannot prepare one of them. */
static struct sr_ready_chunk *prepare(const struct sr_device *d, const struct sr_instr *s, const struct sr_ready_instr *r,
				      int64_t n, struct sr_arena *arena)
{
	sr_kernel_prepare_fn *make = d->kernels->prepare[s->kernel];
	struct sr_ready_chunk *parts = SR_NEWS(arena, struct sr_ready_chunk, n);
	for (int64_t i = 0; i < n; i++) {
		const void *params = r->params;
		int64_t range = s->range;
		if (n > 1) {
			sr_kernel_get_chunk((enum sr_kernel)s->kernel, (enum sr_dtype)s->dtype, r->params, i, n, &parts[i].chunk);
			params = &parts[i].chunk.params;
			range = parts[i].chunk.range;
		}
		parts[i].prepared = make(d->kernels, (enum sr_dtype)s->dtype, params, range);
		if (parts[i].prepared)
			continue;
		while (i-- > 0)
			parts[i].prepared->release(parts[i].prepared);
		return NULL;
	}
	return parts;
}

void sr_device_prepare_kernels(struct sr_device *d, struct sr_arena *arena)
{
	const struct sr_program *p = d->program;
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		struct sr_ready_instr *r = &d->instrs[i];
		if (s->kind != SR_INSTR_KERNEL || !d->kernels->prepare[s->kernel])
			continue;
		r->n_chunks = sr_kernel_chunk_count((enum sr_kernel)s->kernel, r->params);
		r->chunks = prepare(d, s, r, r->n_chunks, arena);
		for (int64_t k = 0; r->chunks && k < r->n_chunks; k++)
			sr_device_require_scratch(d, r->chunks[k].prepared->scratch, r->n_chunks > 1);
	}
}

void sr_device_release_kernels(struct sr_device *d)
{
	for (uint64_t i = 0; d->instrs && i < d->program->instrs.n; i++)
		for (int64_t k = 0; d->instrs[i].chunks && k < d->instrs[i].n_chunks; k++)
			d->instrs[i].chunks[k].prepared->release(d->instrs[i].chunks[k].prepared);
}
