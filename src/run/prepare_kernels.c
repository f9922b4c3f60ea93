/* Division of kernels into chunks, and preparation by libraries, once per instruction, entirely or chunk by chunk. */
#include "run/device.h"

static void release(struct sr_ready_chunk *chunks, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		if (chunks[i].prepared)
			chunks[i].prepared->release(chunks[i].prepared);
}

/* Prepare n chunks. Returns NULL, with everything released, if one of them can neither be prepared nor be called. */
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
		chunks[i].prepared = make ? make(l->kernels, (enum sr_dtype)s->dtype, params, range) : NULL;
		if (chunks[i].prepared || chunks[i].chunk.is_call)
			continue;
		release(chunks, i);
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
		if (s->kind != SR_INSTR_KERNEL)
			continue;
		own->n_chunks = sr_kernel_chunk_count((enum sr_kernel)s->kernel, l->instrs[i].params);
		own->chunks = prepare(l, s, &l->instrs[i], own->n_chunks, arena);
		for (int64_t k = 0; own->chunks && k < own->n_chunks; k++)
			if (own->chunks[k].prepared)
				sr_loaded_require_scratch(l, own->chunks[k].prepared->scratch, own->n_chunks > 1);
		int64_t terms = own->chunks ? (own->n_chunks - 1) * sr_ready_chunk_term_bytes(&own->chunks[0]) : 0;
		l->term_bytes = terms > l->term_bytes ? terms : l->term_bytes;
	}
}

void sr_device_release_kernels(struct sr_device *d)
{
	for (uint64_t i = 0; d->own && i < d->program->instrs.n; i++)
		if (d->own[i].chunks)
			release(d->own[i].chunks, d->own[i].n_chunks);
}
