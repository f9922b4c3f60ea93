/* Lookup, printing and source locations of probes, and iteration over the elements that a device holds. */
#include "exec/probes/probes.h"
#include "support/buf.h"
#include <stdlib.h>
#include <string.h>

struct sr_probe_event sr_probe_event_now(const struct sr_execution_context *x, const struct sr_probe *probe)
{
	struct sr_probe_event at = {.id = probe->id};
	for (const struct sr_loop_frame *f = x->loop; f; f = f->outer)
		at.depth++;
	int32_t i = at.depth;
	for (const struct sr_loop_frame *f = x->loop; f; f = f->outer)
		if (--i < SR_PROBE_MAX_DEPTH)
			at.iterations[i] = f->iteration;
	return at;
}

bool sr_probe_event_equal(const struct sr_probe_event *a, const struct sr_probe_event *b)
{
	return !memcmp(a, b, sizeof *a);
}

bool sr_probe_is_within(const struct sr_probe_event *at, int64_t iterations)
{
	for (int i = 0; i < SR_PROBE_MAX_DEPTH; i++)
		if (at->iterations[i] >= iterations)
			return false;
	return true;
}

const struct sr_probe *sr_probe_find(const struct sr_program *p, int64_t id)
{
	for (uint64_t i = 0; i < p->probes.n; i++) /* start the search at index `id`, since probes are nearly sorted by id */
		if (sr_program_probes(p)[(i + (uint64_t)id) % p->probes.n].id == id)
			return sr_program_probes(p) + (i + (uint64_t)id) % p->probes.n;
	return NULL;
}

int64_t sr_probe_id_count(const struct sr_program *p)
{
	int64_t n = 0;
	for (uint64_t i = 0; i < p->probes.n; i++)
		n = sr_program_probes(p)[i].id >= n ? sr_program_probes(p)[i].id + 1 : n;
	return n;
}

/* Return the source location of a probe, parsed from "model.mlir:3:5"; the file name may contain colons. */
struct sr_src_loc sr_probe_loc(const struct sr_program *p, const struct sr_probe *probe, struct sr_arena *arena)
{
	const char *text = sr_program_string(p, probe->place), *col = strrchr(text, ':'), *line = col;
	while (line && line > text && *--line != ':')
		;
	if (!line || line == text)
		return (struct sr_src_loc){.file = sr_program_string(p, p->model)};
	return (struct sr_src_loc){sr_strndup(arena, text, (size_t)(line - text)), atoi(line + 1), atoi(col + 1)};
}

void sr_probe_print(const struct sr_program *p, const struct sr_probe *probe, struct sr_buf *out)
{
	const char *name = sr_program_string(p, probe->name), *source_name = sr_program_string(p, probe->source_name);
	sr_buf_puts(out, sr_program_string(p, probe->op));
	if (*name)
		sr_buf_printf(out, " %s", name);
	if (*source_name)
		sr_buf_printf(out, " (%s)", source_name);
}

void sr_probe_print_iteration(const struct sr_probe_event *at, struct sr_buf *out)
{
	int n = at->depth < SR_PROBE_MAX_DEPTH ? at->depth : SR_PROBE_MAX_DEPTH;
	for (int i = 0; i < n; i++)
		sr_buf_printf(out, "%s%lld", i ? ", " : " in iteration ", (long long)at->iterations[i]);
	if (n > 1)
		sr_buf_puts(out, " of nested loops");
}

void sr_probe_print_index(const int64_t *index, int rank, struct sr_buf *out)
{
	sr_buf_putc(out, '[');
	for (int d = 0; d < rank; d++)
		sr_buf_printf(out, "%s%lld", d ? ", " : "", (long long)index[d]);
	sr_buf_putc(out, ']');
}

void sr_probe_for_each_row(const struct sr_device_slice *s, int rank, void (*fn)(void *data, int64_t first, int64_t n), void *data)
{
	int64_t index[SR_MAX_RANK] = {0};
	for (int d = 0; d < rank; d++)
		if (!s->size[d])
			return;
	for (;;) {
		int64_t first = 0;
		int d = rank - 2;
		for (int k = 0; k < rank; k++)
			first = first * s->local[k] + index[k];
		fn(data, first, rank ? s->size[rank - 1] : 1);
		for (; d >= 0 && ++index[d] == s->size[d]; d--)
			index[d] = 0;
		if (d < 0)
			return;
	}
}

void sr_probe_global_index(const struct sr_device_slice *s, int rank, int64_t i, int64_t *index)
{
	for (int d = rank - 1; d >= 0; d--) {
		index[d] = s->start[d] + i % s->local[d];
		i /= s->local[d];
	}
}
