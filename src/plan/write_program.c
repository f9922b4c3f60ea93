/* Write the program as one blob: sections one after another, 16-byte aligned, addressed by offsets from its start. */
#include "plan/program_builder.h"
#include "support/checked.h"
#include <stdlib.h>
#include <string.h>

struct writer {
	struct sr_arena *arena;
	char *blob; /* NULL in the first pass, which only measures the size */
	uint64_t offset;
};

static struct sr_section put_section(struct writer *w, const void *data, uint64_t n, uint64_t size)
{
	uint64_t bytes;
	w->offset = (w->offset + SR_PROGRAM_ALIGN - 1) / SR_PROGRAM_ALIGN * SR_PROGRAM_ALIGN;
	struct sr_section s = {w->offset, n};
	if (sr_mul_overflows(n, size, &bytes) || sr_add_overflows(w->offset, bytes, &w->offset))
		sr_arena_unwind(w->arena);
	if (w->blob && bytes)
		memcpy(w->blob + s.offset, data, bytes);
	return s;
}

static void put_sections(struct writer *w, struct sr_plan_builder *b, struct sr_program *p,
			 const struct sr_computation *computations, const struct sr_instr *instrs, uint64_t n_steps,
			 const struct sr_program_axis *axes, const struct sr_replicated_value *replicated_list)
{
	w->offset = sizeof(struct sr_program);
	p->buffers = put_section(w, b->buffers.data, b->buffers.n, sizeof(struct sr_buffer));
	p->instrs = put_section(w, instrs, n_steps, sizeof(struct sr_instr));
	p->computations = put_section(w, computations, b->computations.n, sizeof(struct sr_computation));
	p->operands = put_section(w, b->operands.data, b->operands.n, sizeof(int32_t));
	p->dynamic_offsets = put_section(w, b->dynamic_offsets.data, b->dynamic_offsets.n, sizeof(struct sr_dynamic_offset));
	p->params = put_section(w, b->params.data, b->params.n, 1);
	p->ids = put_section(w, b->ids.data, b->ids.n, sizeof(int64_t));
	p->groups = put_section(w, b->groups.data, b->groups.n, sizeof(struct sr_group_list));
	p->values = put_section(w, b->values.data, b->values.n, sizeof(struct sr_io));
	p->constants = put_section(w, b->constants.data, b->constants.n, sizeof(struct sr_constant));
	p->data = put_section(w, b->data.data, b->data.n, 1);
	p->text = put_section(w, b->text.data, b->text.n, 1);
	p->mesh = put_section(w, axes, b->mesh ? (uint64_t)b->mesh->n_axes : 0, sizeof *axes);
	p->device_ids = put_section(w, b->mesh ? b->mesh->device_ids : NULL,
				    b->mesh && b->mesh->device_ids ? (uint64_t)b->mesh->n_device_ids : 0, sizeof(int64_t));
	p->replicated = put_section(w, replicated_list, b->options->n_replicated, sizeof *replicated_list);
	p->live_at_peak = put_section(w, b->live_at_peak.data, b->live_at_peak.n, sizeof(struct sr_live_buffers));
	p->probes = put_section(w, b->probes.data, b->probes.n, sizeof(struct sr_probe));
	p->bytes = w->offset;
}

/* ---- figures ---- */

struct span { /* A range of bytes of the arena: [from, to). */
	int64_t from, to;
};

static int compare_offsets(const void *x, const void *y)
{
	const struct span *a = x, *b = y;
	return (a->from > b->from) - (a->from < b->from);
}

/* Return the number of bytes that the spans cover; sorts and merges the spans. */
static int64_t merge_spans(struct span *s, size_t *n)
{
	size_t n_merged = 0;
	int64_t bytes = 0;
	if (*n)
		qsort(s, *n, sizeof *s, compare_offsets);
	for (size_t i = 0; i < *n; i++) {
		if (n_merged && s[i].from <= s[n_merged - 1].to)
			s[n_merged - 1].to = s[i].to > s[n_merged - 1].to ? s[i].to : s[n_merged - 1].to;
		else
			s[n_merged++] = s[i];
	}
	for (size_t i = 0; i < n_merged; i++)
		bytes += s[i].to - s[i].from;
	*n = n_merged;
	return bytes;
}

/* Return the number of bytes of s that are in the sorted, disjoint spans. */
static int64_t bytes_within(struct span s, const struct span *spans, size_t n)
{
	size_t low = 0, high = n; /* binary search: index of the first span that ends after s begins */
	int64_t bytes = 0;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (spans[middle].to <= s.from)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < n && spans[low].from < s.to; low++)
		bytes += (s.to < spans[low].to ? s.to : spans[low].to) - (s.from > spans[low].from ? s.from : spans[low].from);
	return bytes;
}

/* List the arena ranges of the buffers that have one of these uses, with sizes rounded up to `align`. */
static struct span *spans_of(struct sr_plan_builder *b, unsigned uses, int64_t align, size_t *n)
{
	struct span *out = SR_NEW_ARRAY(b->arena, struct span, b->buffers.n);
	*n = 0;
	for (size_t i = 0; i < b->buffers.n; i++) {
		const struct sr_buffer *buffer = &b->buffers.data[i];
		if (buffer->bytes && b->uses.data[i] & uses)
			out[(*n)++] = (struct span){buffer->offset, buffer->offset + (buffer->bytes + align - 1) / align * align};
	}
	return out;
}

/* Compute the memory figures: results in donated memory count once; temporaries are bytes that hold no argument, result or
 * constant. */
static void set_memory_figures(struct sr_plan_builder *b, struct sr_program *p, const struct sr_arena_size *size)
{
	size_t n_donated = 0, n_permanent;
	struct span *permanent = spans_of(b, SR_USE_ARGUMENT | SR_USE_PERMANENT | SR_USE_RESULT, 64, &n_permanent);
	struct span *donated_spans = SR_NEW_ARRAY(b->arena, struct span, p->n_arguments);
	p->arena_bytes = size->bytes;
	p->peak_live_bytes = size->lower_bound;
	p->scratch_bytes = b->scratch_bytes;
	p->flops = b->flops;
	p->decomposed_matmuls = b->options->decomposed_matmuls;
	for (size_t i = 0; i < b->values.n; i++) {
		const struct sr_buffer *buffer = &b->buffers.data[b->values.data[i].buffer];
		bool result = i >= (size_t)p->n_arguments;
		*(result ? &p->output_bytes : &p->argument_bytes) += buffer->bytes;
		if (!result && b->values.data[i].donated && buffer->bytes)
			donated_spans[n_donated++] = (struct span){buffer->offset, buffer->offset + buffer->bytes};
	}
	merge_spans(donated_spans, &n_donated);
	for (size_t i = (size_t)p->n_arguments; i < b->values.n; i++) {
		const struct sr_buffer *buffer = &b->buffers.data[b->values.data[i].buffer];
		p->alias_bytes += bytes_within((struct span){buffer->offset, buffer->offset + buffer->bytes}, donated_spans,
					       n_donated);
	}
	for (size_t i = 0; i < b->constants.n; i++)
		p->constant_bytes += b->buffers.data[b->constants.data[i].buffer].bytes;
	p->temp_bytes = size->bytes - merge_spans(permanent, &n_permanent) + b->scratch_bytes;
}

static struct sr_replicated_value *replicated_values(struct sr_plan_builder *b)
{
	struct sr_replicated_value *out = SR_NEW_ARRAY(b->arena, struct sr_replicated_value, b->options->n_replicated);
	for (size_t i = 0; i < b->options->n_replicated; i++) {
		const struct sr_replication_note *note = &b->options->replicated[i];
		out[i] = (struct sr_replicated_value){note->bytes, sr_plan_add_text(b, note->op), sr_plan_add_loc(b, note->place),
					   sr_plan_add_text(b, note->cure)};
	}
	return out;
}

struct sr_program *sr_plan_write(struct sr_plan_builder *b, const struct sr_arena_size *size, int n_arguments, int n_results)
{
	struct writer w = {.arena = b->arena};
	struct sr_computation *computations = SR_NEW_ARRAY(b->arena, struct sr_computation, b->computations.n);
	uint32_t n = 0;
	for (size_t i = 0; i < b->computations.n; i++) {
		computations[i] = (struct sr_computation){n, (uint32_t)b->computations.data[i].instrs.n};
		n += computations[i].n;
	}
	struct sr_instr *instrs = SR_NEW_ARRAY(b->arena, struct sr_instr, n);
	for (size_t i = 0; i < b->computations.n; i++)
		if (computations[i].n)
			memcpy(instrs + computations[i].first, b->computations.data[i].instrs.data, computations[i].n * sizeof *instrs);
	const struct sr_replicated_value *replicated_list = replicated_values(b);
	int n_axes = b->mesh ? b->mesh->n_axes : 0;
	struct sr_program_axis *axes = SR_NEW_ARRAY(b->arena, struct sr_program_axis, n_axes);
	for (int i = 0; i < n_axes; i++)
		axes[i] = (struct sr_program_axis){sr_plan_add_text(b, b->mesh->axes[i].name), b->mesh->axes[i].size};

	struct sr_program head = {.magic = SR_PROGRAM_MAGIC, .version = sr_program_version(), .n_arguments = n_arguments, .n_results = n_results};
	head.model = sr_plan_add_text(b, b->options->model ? b->options->model : "");
	if (b->options->collectives)
		memcpy(head.collectives, b->options->collectives, sizeof head.collectives);
	head.n_devices = (int32_t)b->options->n_devices;
	head.n_replicas = (int32_t)b->options->n_replicas;
	head.keep_denormals = b->options->keep_denormals;
	set_memory_figures(b, &head, size);
	put_sections(&w, b, &head, computations, instrs, n, axes, replicated_list);
	w.blob = sr_alloc(b->arena, 1, head.bytes);
	put_sections(&w, b, &head, computations, instrs, n, axes, replicated_list);
	memcpy(w.blob, &head, sizeof head);
	return (struct sr_program *)(void *)w.blob;
}
