/* Division of instructions among the worker threads of a device. */
#include "codegen/loop_threads.h"
#include "kernels/sort_runs.h"
#include "run/execution_context.h"

/* Minimum bytes that an instruction must access for waking workers to pay off, unless it is a nest of much work. */
enum { MIN_SHARED_BYTES = 256 << 10 };
enum { MAX_SORTED_PARTS = 8 }; /* maximum parts of a row that workers sort; with more, merging takes longer than sorting */

/* Return true for a dynamic_update_slice that copies its operand to another buffer before it writes the slice. */
static bool is_separate_update(const struct sr_program *p, const struct sr_instr *s)
{
	const struct sr_buffer *buffers = sr_program_buffers(p);
	const int32_t *operands = sr_program_operands(p) + s->first_operand;
	return s->kind == SR_INSTR_KERNEL && s->kernel == SR_KERNEL_DYNAMIC_UPDATE_SLICE &&
	       (s->n_dynamic_offsets || buffers[operands[0]].offset != buffers[operands[s->n_operands - 1]].offset);
}

static bool has_much_work(const struct sr_program *p, const struct sr_instr *s)
{
	return s->kind == SR_INSTR_NEST && sr_nest_pays_for_threads((const void *)(sr_program_params(p) + s->params));
}

/* Set how workers divide an instruction. Returns true if each worker needs scratch of its own. */
static bool set_split(const struct sr_program *p, const struct sr_instr *s, struct sr_ready_instr *r)
{
	struct sr_kernel_split c = {.grain = 1};
	if (s->kind == SR_INSTR_KERNEL)
		c = sr_kernel_split_of((enum sr_kernel)s->kernel, r->params);
	if (is_separate_update(p, s))
		c.grain = 0;
	if (c.needs_fixed_chunks || sr_program_instr_bytes(p, s) >= MIN_SHARED_BYTES || has_much_work(p, s)) {
		r->grain = c.grain;
		r->one_call_per_chunk = c.needs_fixed_chunks;
	}
	if (s->kind != SR_INSTR_KERNEL)
		return false;
	int64_t parts = sr_kernel_sorted_parts((enum sr_kernel)s->kernel, (enum sr_dtype)s->dtype, r->params);
	r->sorted_parts = parts < MAX_SORTED_PARTS ? (int32_t)parts : MAX_SORTED_PARTS;
	r->type = (enum sr_dtype)s->dtype;
	return r->grain || r->sorted_parts > 1 || sr_kernel_chunk_count((enum sr_kernel)s->kernel, r->params) > 1;
}

/* Set how workers divide each instruction. The division depends on shapes only, so results do not depend on the number of
 * workers. */
void sr_loaded_split_work(struct sr_loaded_program *l)
{
	const struct sr_program *p = l->program;
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		if (s->kind != SR_INSTR_KERNEL && s->kind != SR_INSTR_NEST)
			continue;
		bool has_worker_scratch = set_split(p, s, &l->instrs[i]);
		if (s->kind == SR_INSTR_KERNEL)
			sr_loaded_require_scratch(l, sr_kernel_call_scratch(l->kernels, (enum sr_kernel)s->kernel,
				(enum sr_dtype)s->dtype, l->instrs[i].params), has_worker_scratch);
	}
}

void sr_loaded_require_scratch(struct sr_loaded_program *l, int64_t bytes, bool has_worker_scratch)
{
	bytes = (bytes + 63) / 64 * 64;
	l->first_worker_scratch = bytes > l->first_worker_scratch ? bytes : l->first_worker_scratch;
	if (has_worker_scratch)
		l->worker_scratch = bytes > l->worker_scratch ? bytes : l->worker_scratch;
}

/* ---- execution ---- */

struct shared_work {
	const struct sr_execution_context *x;
	const struct sr_ready_instr *r;
	const struct sr_jit_function *compiled; /* compiled function of a loop nest; NULL: the nest is interpreted */
	const struct sr_device_instr *own;
};

static void nest_range(void *data, int worker, int64_t begin, int64_t end)
{
	const struct shared_work *s = data;
	const struct sr_execution_context *x = s->x;
	void **operands = sr_context_operands(x, s->r);
	if (s->compiled)
		s->compiled->run(operands, begin, end, x->loaded->cache_bytes);
	else
		sr_nest_execute(s->r->nest, operands, x->device->nest_scratch + worker * x->loaded->nest_scratch, begin, end);
}

static char *scratch_of(const struct sr_execution_context *x, int worker)
{
	return worker ? x->device->other_workers_scratch + (worker - 1) * x->loaded->worker_scratch : x->device->scratch;
}

static void kernel_range(void *data, int worker, int64_t begin, int64_t end)
{
	const struct shared_work *s = data;
	const struct sr_ready_instr *r = s->r;
	char *scratch = scratch_of(s->x, worker);
	int64_t chunk = r->one_call_per_chunk ? r->grain : end - begin;
	for (int64_t at = begin; at < end; at += chunk)
		r->fn(r->params, sr_context_operands(s->x, r), scratch, at, end - at < chunk ? end : at + chunk);
}

/* Call fn for [0, range), divided among the device's workers in chunks of `grain`. If `grain` is 0, one call covers the range. */
static void execute_range(const struct sr_device *d, int64_t range, int64_t grain, sr_workers_fn *fn, struct shared_work *s)
{
	if (d->workers && grain && grain < range)
		sr_workers_parallel_for(d->workers, range, grain, fn, s);
	else
		fn(s, 0, 0, range);
}

static void prepared_range(void *data, int worker, int64_t begin, int64_t end)
{
	const struct shared_work *s = data;
	void **operands = sr_context_operands(s->x, s->r);
	for (int64_t i = begin; i < end; i++) {
		const struct sr_ready_chunk *c = &s->own->chunks[i];
		void *buffers[SR_CHUNK_MAX_BUFFERS];
		for (int k = 0; k < c->chunk.n_buffers; k++)
			buffers[k] = (char *)operands[k] + c->chunk.offset[k];
		if (c->chunk.term_bytes && i > 0)
			buffers[SR_CHUNK_MAX_BUFFERS - 1] = s->x->device->terms + (i - 1) * sr_ready_chunk_term_bytes(c);
		if (c->prepared)
			c->prepared->run(c->prepared, c->chunk.n_buffers ? buffers : operands, scratch_of(s->x, worker));
		else
			s->r->fn(&c->chunk.params, buffers, scratch_of(s->x, worker), 0, c->chunk.range);
	}
}

static void add_terms(void *data, int worker, int64_t begin, int64_t end)
{
	const struct shared_work *s = data;
	void **operands = sr_context_operands(s->x, s->r);
	int64_t stride = sr_ready_chunk_term_bytes(&s->own->chunks[0]) / (int64_t)sizeof(float);
	(void)worker;
	const float *terms = (const float *)(const void *)s->x->device->terms;
	sr_kernel_add_terms(operands[SR_CHUNK_MAX_BUFFERS - 1], terms, stride, s->own->n_chunks, begin, end);
}

void sr_execute_prepared_kernel(const struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	struct shared_work s = {.x = x, .r = r, .own = sr_context_own(x, r)};
	enum { ELEMENTS_PER_TASK = 1 << 16 };
	bool is_call = true;
	for (int64_t i = 0; i < s.own->n_chunks; i++)
		is_call &= !s.own->chunks[i].prepared;
	int64_t elements = s.own->chunks[0].chunk.term_bytes / (int64_t)sizeof(float);
	if (is_call && !elements && !x->device->workers) { /* one call reads operands in the order of memory */
		kernel_range(&s, 0, 0, r->range);
		return;
	}
	execute_range(x->device, s.own->n_chunks, 1, prepared_range, &s);
	if (elements && s.own->n_chunks > 1)
		execute_range(x->device, elements, ELEMENTS_PER_TASK, add_terms, &s);
}

void sr_execute_nest(const struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	struct shared_work s = {.x = x, .r = r, .compiled = sr_context_compiled(x, r)};
	if (s.compiled)
		execute_range(x->device, s.compiled->iterations, r->grain ? s.compiled->grain : 0, nest_range, &s);
	else
		execute_range(x->device, r->range, r->grain, nest_range, &s);
}

/* ---- sorts of a row in parts ---- */

/* Parts of a row that workers sort, or of which workers merge the two sorted runs. All but the last have `length` elements. */
struct row_parts {
	const struct shared_work *s;
	const char *in;
	char *out;
	int64_t n, length;
};

static void sort_parts(void *data, int worker, int64_t begin, int64_t end)
{
	const struct row_parts *r = data;
	const struct sr_sort_params *row = r->s->r->params;
	for (int64_t i = begin; i < end; i++) {
		struct sr_sort_params part = *row;
		int64_t offset = i * r->length * row->bytes[0];
		part.length = i + 1 < r->n ? r->length : row->length - i * r->length;
		part.n_used_results = 0;
		r->s->r->fn(&part, (void *[]){(char *)r->in + offset, r->out + offset}, scratch_of(r->s->x, worker), 0, 1);
	}
}

/* Sort a row: each worker sorts a part; then pairs of sorted parts are merged, each by two workers. Sorts and merges are stable, so
 * the result does not depend on the number of workers. */
static void sort_in_parts(struct shared_work *s)
{
	void **operands = sr_context_operands(s->x, s->r);
	const struct sr_sort_params *row = s->r->params;
	int64_t n = sr_workers_count(s->x->device->workers), n_parts = 1;
	while (2 * n_parts <= n && 2 * n_parts <= s->r->sorted_parts)
		n_parts *= 2;
	struct row_parts parts = {.s = s, .in = operands[0], .out = operands[1], .n = n_parts, .length = row->length / n_parts};
	sr_workers_parallel_for(s->x->device->workers, parts.n, 1, sort_parts, &parts);
	for (parts.in = parts.out; parts.n > 1; parts.n /= 2, parts.length *= 2) {
		for (int64_t i = 0; i < parts.n; i += 2) {
			struct sr_sort_params pair = *row;
			pair.length = i + 2 < parts.n ? 2 * parts.length : row->length - i * parts.length;
			sr_sort_divide_runs(s->r->type, &pair, parts.out + i * parts.length * row->bytes[0], parts.length);
		}
		sr_workers_parallel_for(s->x->device->workers, parts.n, 1, sort_parts, &parts);
	}
}

void sr_execute_kernel(const struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	struct shared_work s = {.x = x, .r = r};
	if (sr_workers_count(x->device->workers) > 1 && r->sorted_parts > 1)
		sort_in_parts(&s);
	else
		execute_range(x->device, r->range, r->grain, kernel_range, &s);
}
