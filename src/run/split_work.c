/* Division of instructions among the worker threads of a device. */
#include "run/device.h"

/* Minimum bytes that an instruction must access for waking workers to pay off. */
enum { MIN_SHARED_BYTES = 256 << 10 };

/* Set how workers divide an instruction. Returns true if each worker needs scratch of its own. */
static bool set_split(const struct sr_program *p, const struct sr_instr *s, struct sr_ready_instr *r)
{
	struct sr_kernel_split c = {.grain = 1};
	if (s->kind == SR_INSTR_KERNEL)
		c = sr_kernel_split_of((enum sr_kernel)s->kernel, r->params);
	if (c.apart || sr_program_instr_bytes(p, s) >= MIN_SHARED_BYTES) {
		r->grain = c.grain;
		r->one_call_per_chunk = c.apart;
	}
	return s->kind == SR_INSTR_KERNEL && (r->grain || sr_kernel_chunk_count((enum sr_kernel)s->kernel, r->params) > 1);
}

/* Set how workers divide each instruction. The division depends on shapes only, so results do not depend on the number of
 * workers. */
void sr_device_split_work(struct sr_device *d)
{
	const struct sr_program *p = d->program;
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		if (s->kind != SR_INSTR_KERNEL && s->kind != SR_INSTR_NEST)
			continue;
		bool each = set_split(p, s, &d->instrs[i]);
		if (s->kind == SR_INSTR_KERNEL)
			sr_device_require_scratch(d, sr_kernel_call_scratch(d->kernels, (enum sr_kernel)s->kernel, (enum sr_dtype)s->dtype,
				d->instrs[i].params), each);
	}
}

void sr_device_require_scratch(struct sr_device *d, int64_t bytes, bool each)
{
	bytes = (bytes + 63) / 64 * 64;
	d->first_worker_scratch = bytes > d->first_worker_scratch ? bytes : d->first_worker_scratch;
	if (each)
		d->worker_scratch = bytes > d->worker_scratch ? bytes : d->worker_scratch;
}

/* ---- execution ---- */

struct shared_work {
	const struct sr_device *d;
	const struct sr_ready_instr *r;
};

static void nest_range(void *data, int worker, int64_t begin, int64_t end)
{
	const struct shared_work *s = data;
	if (s->r->compiled)
		s->r->compiled->run(s->r->operands, begin, end);
	else
		sr_nest_execute(s->r->nest, s->r->operands, s->d->nest_scratch + (size_t)worker * s->d->nest_scratch_bytes, begin, end);
}

static char *scratch_of(const struct sr_device *d, int worker)
{
	return worker ? d->other_workers_scratch + (worker - 1) * d->worker_scratch : d->scratch;
}

static void kernel_range(void *data, int worker, int64_t begin, int64_t end)
{
	const struct shared_work *s = data;
	const struct sr_ready_instr *r = s->r;
	char *scratch = scratch_of(s->d, worker);
	int64_t each = r->one_call_per_chunk ? r->grain : end - begin;
	for (int64_t at = begin; at < end; at += each)
		r->fn(r->params, r->operands, scratch, at, end - at < each ? end : at + each);
}

static void execute_range(const struct sr_device *d, const struct sr_ready_instr *r, sr_workers_fn *part)
{
	struct shared_work s = {d, r};
	if (d->workers && r->grain && r->grain < r->range)
		sr_workers_parallel_for(d->workers, r->range, r->grain, part, &s);
	else
		part(&s, 0, 0, r->range);
}

static void prepared_range(void *data, int worker, int64_t begin, int64_t end)
{
	const struct shared_work *s = data;
	for (int64_t i = begin; i < end; i++) {
		const struct sr_ready_chunk *p = &s->r->chunks[i];
		void *buffers[SR_CHUNK_MAX_BUFFERS];
		for (int k = 0; k < p->chunk.n_buffers; k++)
			buffers[k] = (char *)s->r->operands[k] + p->chunk.offset[k];
		p->prepared->run(p->prepared, p->chunk.n_buffers ? buffers : s->r->operands, scratch_of(s->d, worker));
	}
}

void sr_execute_prepared_kernel(const struct sr_device *d, const struct sr_ready_instr *r)
{
	struct shared_work s = {d, r};
	if (d->workers && r->n_chunks > 1)
		sr_workers_parallel_for(d->workers, r->n_chunks, 1, prepared_range, &s);
	else
		prepared_range(&s, 0, 0, r->n_chunks);
}

void sr_execute_nest(const struct sr_device *d, const struct sr_ready_instr *r)
{
	execute_range(d, r, nest_range);
}

void sr_execute_kernel(const struct sr_device *d, const struct sr_ready_instr *r)
{
	execute_range(d, r, kernel_range);
}
