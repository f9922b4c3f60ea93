/* Steps that the workers of a device share, and how. */
#include "run/device.h"

/* What is worth waking workers for. */
enum { LEAST_SHARED = 256 << 10 };

/* How workers share a step; whether each needs scratch of its own. */
static bool cut(const struct sr_program *p, const struct sr_instr *s, struct sr_ready_instr *r)
{
	struct sr_kernel_split c = {.grain = 1};
	if (s->kind == SR_INSTR_KERNEL)
		c = sr_kernel_split_of((enum sr_kernel)s->kernel, r->params);
	if (c.apart || sr_program_instr_bytes(p, s) >= LEAST_SHARED) {
		r->grain = c.grain;
		r->apart = c.apart;
	}
	return s->kind == SR_INSTR_KERNEL && (r->grain || sr_kernel_chunk_count((enum sr_kernel)s->kernel, r->params) > 1);
}

/* All this follows from shapes alone. */
void sr_device_split_work(struct sr_device *d)
{
	const struct sr_program *p = d->program;
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		if (s->kind != SR_INSTR_KERNEL && s->kind != SR_INSTR_NEST)
			continue;
		bool each = cut(p, s, &d->steps[i]);
		if (s->kind == SR_INSTR_KERNEL)
			sr_device_require_scratch(d, sr_kernel_call_scratch(d->kernels, (enum sr_kernel)s->kernel, (enum sr_dtype)s->dtype,
				d->steps[i].params), each);
	}
}

void sr_device_require_scratch(struct sr_device *d, int64_t bytes, bool each)
{
	bytes = (bytes + 63) / 64 * 64;
	d->first_scratch = bytes > d->first_scratch ? bytes : d->first_scratch;
	if (each)
		d->worker_scratch = bytes > d->worker_scratch ? bytes : d->worker_scratch;
}

/* ---- playing ---- */

struct share {
	const struct sr_device *d;
	const struct sr_ready_instr *r;
};

static void tile_part(void *data, int worker, int64_t begin, int64_t end)
{
	const struct share *s = data;
	if (s->r->compiled)
		s->r->compiled->run(s->r->operands, begin, end);
	else
		sr_nest_execute(s->r->tile, s->r->operands, s->d->tile_scratch + (size_t)worker * s->d->tile_scratch_bytes, begin, end);
}

static char *scratch_of(const struct sr_device *d, int worker)
{
	return worker ? d->more_scratch + (worker - 1) * d->worker_scratch : d->scratch;
}

static void kernel_part(void *data, int worker, int64_t begin, int64_t end)
{
	const struct share *s = data;
	const struct sr_ready_instr *r = s->r;
	char *scratch = scratch_of(s->d, worker);
	int64_t each = r->apart ? r->grain : end - begin;
	for (int64_t at = begin; at < end; at += each)
		r->fn(r->params, r->operands, scratch, at, end - at < each ? end : at + each);
}

static void play_parts(const struct sr_device *d, const struct sr_ready_instr *r, sr_workers_fn *part)
{
	struct share s = {d, r};
	if (d->workers && r->grain && r->grain < r->range)
		sr_workers_parallel_for(d->workers, r->range, r->grain, part, &s);
	else
		part(&s, 0, 0, r->range);
}

static void prepared_part(void *data, int worker, int64_t begin, int64_t end)
{
	const struct share *s = data;
	for (int64_t i = begin; i < end; i++) {
		const struct sr_ready_chunk *p = &s->r->parts[i];
		void *buffers[SR_CHUNK_MAX_BUFFERS];
		for (int k = 0; k < p->part.n_buffers; k++)
			buffers[k] = (char *)s->r->operands[k] + p->part.offset[k];
		p->made->run(p->made, p->part.n_buffers ? buffers : s->r->operands, scratch_of(s->d, worker));
	}
}

void sr_execute_prepared_kernel(const struct sr_device *d, const struct sr_ready_instr *r)
{
	struct share s = {d, r};
	if (d->workers && r->n_parts > 1)
		sr_workers_parallel_for(d->workers, r->n_parts, 1, prepared_part, &s);
	else
		prepared_part(&s, 0, 0, r->n_parts);
}

void sr_execute_nest(const struct sr_device *d, const struct sr_ready_instr *r)
{
	play_parts(d, r, tile_part);
}

void sr_execute_kernel(const struct sr_device *d, const struct sr_ready_instr *r)
{
	play_parts(d, r, kernel_part);
}
