/* Preparation of kernels by libraries, once per instruction, entirely or chunk by chunk. */
#include "run/device.h"

/* Prepare n chunks. Returns NULL, with everything released, if the library cannot prepare one of them. */
static struct sr_ready_chunk *prepare(const struct sr_loaded_program *l, const struct sr_instr *s, const struct sr_ready_instr *r,
				      int64_t n, struct sr_arena *arena)
{
	sr_kernel_prepare_fn *make = l->kernels->prepare[s->kernel];
	struct sr_ready_chunk *chunks = SR_NEW_ARRAY(arena, struct sr_ready_chunk, n);
	for (int64_t i = 0; i < n; i++) {
		const void *params = r->params;
		int64_t range = s->range;
		if (n > 1) {
			sr_kernel_get_chunk((enum sr_kernel)s->kernel, (enum sr_dtype)s->dtype, r->params, i, n, &chunks[i].chunk);
			params = &chunks[i].chunk.params;
			range = chunks[i].chunk.range;
		}
		chunks[i].prepared = make(l->kernels, (enum sr_dtype)s->dtype, params, range);
		if (chunks[i].prepared)
			continue;
		while (i-- > 0)
			chunks[i].prepared->release(chunks[i].prepared);
		return NULL;
	}
	return chunks;
}

void sr_device_prepare_kernels(struct sr_device *d, struct sr_loaded_program *l, struct sr_arena *arena)
{
	const struct sr_program *p = l->program;
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		struct sr_device_instr *own = &d->own[i];
		if (s->kind != SR_INSTR_KERNEL || !l->kernels->prepare[s->kernel])
			continue;
		own->n_chunks = sr_kernel_chunk_count((enum sr_kernel)s->kernel, l->instrs[i].params);
		own->chunks = prepare(l, s, &l->instrs[i], own->n_chunks, arena);
		for (int64_t k = 0; own->chunks && k < own->n_chunks; k++)
			sr_loaded_require_scratch(l, own->chunks[k].prepared->scratch, own->n_chunks > 1);
		int64_t terms = own->chunks ? (own->n_chunks - 1) * sr_ready_chunk_term_bytes(&own->chunks[0]) : 0;
		l->term_bytes = terms > l->term_bytes ? terms : l->term_bytes;
	}
}

void sr_device_release_kernels(struct sr_device *d)
{
	for (uint64_t i = 0; d->own && i < d->program->instrs.n; i++)
		for (int64_t k = 0; d->own[i].chunks && k < d->own[i].n_chunks; k++)
			d->own[i].chunks[k].prepared->release(d->own[i].chunks[k].prepared);
}
