/* The program as one blob: sections one after another, 16-byte aligned, reached by offsets from its start. */
#include "plan/builder.h"
#include "support/checked.h"
#include <string.h>

struct writer {
	struct sr_arena *arena;
	char *blob; /* NULL on the first round, which only measures */
	uint64_t at;
};

static struct sr_section put(struct writer *w, const void *data, uint64_t n, uint64_t size)
{
	uint64_t bytes;
	w->at = (w->at + 15) / 16 * 16;
	struct sr_section s = {w->at, n};
	if (sr_mul_overflows(n, size, &bytes) || sr_add_overflows(w->at, bytes, &w->at))
		sr_arena_unwind(w->arena);
	if (w->blob && bytes)
		memcpy(w->blob + s.offset, data, bytes);
	return s;
}

static void sections(struct writer *w, struct sr_plan_builder *b, struct sr_program *p, const struct sr_plan *plans, const struct sr_step *steps,
		     uint64_t n_steps, const struct sr_program_axis *axes)
{
	w->at = sizeof(struct sr_program);
	p->buffers = put(w, b->buffers.data, b->buffers.n, sizeof(struct sr_buffer));
	p->steps = put(w, steps, n_steps, sizeof(struct sr_step));
	p->plans = put(w, plans, b->plans.n, sizeof(struct sr_plan));
	p->operands = put(w, b->operands.data, b->operands.n, sizeof(int32_t));
	p->params = put(w, b->params.data, b->params.n, 1);
	p->ids = put(w, b->ids.data, b->ids.n, sizeof(int64_t));
	p->groups = put(w, b->groups.data, b->groups.n, sizeof(struct sr_group_list));
	p->values = put(w, b->values.data, b->values.n, sizeof(struct sr_io));
	p->inits = put(w, b->inits.data, b->inits.n, sizeof(struct sr_init));
	p->data = put(w, b->data.data, b->data.n, 1);
	p->text = put(w, b->text.data, b->text.n, 1);
	p->mesh = put(w, axes, b->mesh ? (uint64_t)b->mesh->n_axes : 0, sizeof *axes);
	p->device_ids = put(w, b->mesh ? b->mesh->device_ids : NULL, b->mesh && b->mesh->device_ids ? (uint64_t)b->mesh->n_device_ids : 0,
			    sizeof(int64_t));
	p->bytes = w->at;
}

static int64_t output_bytes(const struct sr_plan_builder *b, int n_arguments, bool aliased)
{
	int64_t n = 0;
	for (size_t i = (size_t)n_arguments; i < b->values.n; i++)
		if (!aliased || b->values.data[i].aliases >= 0)
			n += b->buffers.data[b->values.data[i].buffer].bytes;
	return n;
}

static void figures(struct sr_plan_builder *b, struct sr_program *p, int64_t arena_bytes)
{
	int64_t pinned = 0;
	p->arena_bytes = arena_bytes;
	p->scratch_bytes = b->scratch_bytes;
	p->flops = b->flops;
	for (int i = 0; i < p->n_arguments; i++)
		p->argument_bytes += b->buffers.data[b->values.data[i].buffer].bytes;
	p->output_bytes = output_bytes(b, p->n_arguments, false);
	p->alias_bytes = output_bytes(b, p->n_arguments, true);
	for (size_t i = 0; i < b->inits.n; i++)
		p->constant_bytes += b->buffers.data[b->inits.data[i].buffer].bytes;
	for (size_t i = 0; i < b->buffers.n; i++)
		if (b->live.data[i].pinned)
			pinned += (b->buffers.data[i].bytes + 63) / 64 * 64;
	p->temp_bytes = arena_bytes - pinned + b->scratch_bytes;
}

const struct sr_program *sr_plan_write(struct sr_plan_builder *b, int64_t arena_bytes, int n_arguments, int n_results)
{
	struct writer w = {.arena = b->arena};
	struct sr_plan *plans = SR_NEWS(b->arena, struct sr_plan, b->plans.n);
	uint32_t n = 0;
	for (size_t i = 0; i < b->plans.n; i++) {
		plans[i] = (struct sr_plan){n, (uint32_t)b->plans.data[i].steps.n};
		n += plans[i].n;
	}
	struct sr_step *steps = SR_NEWS(b->arena, struct sr_step, n);
	for (size_t i = 0; i < b->plans.n; i++)
		if (plans[i].n)
			memcpy(steps + plans[i].first, b->plans.data[i].steps.data, plans[i].n * sizeof *steps);
	int n_axes = b->mesh ? b->mesh->n_axes : 0;
	struct sr_program_axis *axes = SR_NEWS(b->arena, struct sr_program_axis, n_axes);
	for (int i = 0; i < n_axes; i++)
		axes[i] = (struct sr_program_axis){sr_plan_text(b, b->mesh->axes[i].name), b->mesh->axes[i].size};

	struct sr_program head = {.magic = SR_PROGRAM_MAGIC, .n_arguments = n_arguments, .n_results = n_results};
	head.n_devices = (int32_t)b->options->n_devices;
	head.n_replicas = (int32_t)b->options->n_replicas;
	figures(b, &head, arena_bytes);
	sections(&w, b, &head, plans, steps, n, axes);
	w.blob = sr_alloc(b->arena, 1, head.bytes);
	sections(&w, b, &head, plans, steps, n, axes);
	memcpy(w.blob, &head, sizeof head);
	return (const struct sr_program *)w.blob;
}
