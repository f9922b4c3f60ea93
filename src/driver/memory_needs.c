/* Find what takes the memory of a plan: its arguments, and the buffers live at the peak. */
#include "driver/memory_needs.h"
#include "driver/collective_summaries.h"
#include "support/buf.h"
#include <stdlib.h>
#include <string.h>

/* ---- arguments ---- */

static int compare_by_bytes(const void *x, const void *y)
{
	const struct sr_argument_memory *a = x, *b = y;
	return a->bytes != b->bytes ? (a->bytes < b->bytes) - (a->bytes > b->bytes) : (a->i > b->i) - (a->i < b->i);
}

/* Return true if a dimension of the value is sharded over the axis or a sub-axis of it. */
static bool is_sharded_over(const struct sr_program *p, const struct sr_io *io, int64_t axis)
{
	const int64_t *ref = sr_program_ids(p) + io->refs;
	for (int d = 0; d < io->rank; d++)
		for (int64_t n = *ref++; n > 0; n--, ref += 3)
			if (ref[0] == axis)
				return true;
	return false;
}

static const char *list_replicated_axes(const struct sr_program *p, const struct sr_io *io, struct sr_arena *arena)
{
	struct sr_buf out;
	const char *separator = "";
	sr_buf_init(&out, arena);
	for (uint64_t i = 0; !io->mesh && i < p->mesh.n; i++) {
		const struct sr_program_axis *axis = sr_program_mesh(p) + i;
		if (axis->size == 1 || is_sharded_over(p, io, (int64_t)i))
			continue;
		sr_buf_printf(&out, "%s%s=%lld", separator, sr_program_string(p, axis->name), (long long)axis->size);
		separator = ", ";
	}
	return sr_buf_string(&out);
}

static void find_arguments(struct sr_memory_needs *needs, const struct sr_program *p, struct sr_arena *arena)
{
	needs->arguments = SR_NEW_ARRAY(arena, struct sr_argument_memory, p->n_arguments + 1);
	for (int32_t i = 0; i < p->n_arguments; i++) {
		const struct sr_io *io = sr_program_values(p) + i;
		int64_t bytes = sr_program_buffers(p)[io->buffer].bytes;
		if (bytes)
			needs->arguments[needs->n_arguments++] =
				(struct sr_argument_memory){i, bytes, list_replicated_axes(p, io, arena)};
	}
	qsort(needs->arguments, (size_t)needs->n_arguments, sizeof *needs->arguments, compare_by_bytes);
}

/* ---- temporaries ---- */

struct buffer_group {
	const struct sr_live_buffers *first_buffers;
	int64_t bytes, n_buffers, n_places;
};

static int compare_groups_by_bytes(const void *x, const void *y)
{
	const struct buffer_group *a = x, *b = y;
	return a->bytes != b->bytes ? (a->bytes < b->bytes) - (a->bytes > b->bytes) : (a->first_buffers > b->first_buffers) - (a->first_buffers < b->first_buffers);
}

static int64_t bytes_per_buffer(const struct sr_live_buffers *a)
{
	return a->bytes / a->count;
}

static struct buffer_group *group_live_buffers(const struct sr_program *p, struct sr_arena *arena, int *n)
{
	const struct sr_live_buffers *all = sr_program_live_at_peak(p);
	struct buffer_group *groups = SR_NEW_ARRAY(arena, struct buffer_group, p->live_at_peak.n + 1);
	*n = 0;
	for (uint64_t i = 0; i < p->live_at_peak.n; i++) {
		int g = 0;
		while (g < *n && (groups[g].first_buffers->op != all[i].op || bytes_per_buffer(groups[g].first_buffers) != bytes_per_buffer(&all[i])))
			g++;
		*n += g == *n;
		groups[g].first_buffers = groups[g].first_buffers ? groups[g].first_buffers : &all[i];
		groups[g].bytes += all[i].bytes;
		groups[g].n_buffers += all[i].count;
		groups[g].n_places++;
	}
	qsort(groups, (size_t)*n, sizeof *groups, compare_groups_by_bytes);
	return groups;
}

static const char *find_gathered_axes(const struct sr_program *p, const struct sr_live_buffers *a,
				      const struct sr_collective_summaries *summaries)
{
	const char *location = sr_program_string(p, a->place);
	for (size_t i = 0; i < summaries->n; i++) {
		const struct sr_collective_summary *m = &summaries->summaries[i];
		if (m->kind == SR_ALL_GATHER && !strcmp(m->place, location) && m->bytes == bytes_per_buffer(a) * m->count)
			return m->axes;
	}
	return "";
}

struct sr_memory_needs sr_memory_needs_of(const struct sr_program *p, struct sr_arena *arena)
{
	struct sr_memory_needs needs = {.peak_bytes = p->argument_bytes + p->output_bytes - p->alias_bytes + p->temp_bytes};
	const struct sr_collective_summaries summaries = sr_collective_summaries_of(p, arena);
	find_arguments(&needs, p, arena);
	const struct buffer_group *groups = group_live_buffers(p, arena, &needs.n_live_buffers);
	needs.live_buffers = SR_NEW_ARRAY(arena, struct sr_live_memory, needs.n_live_buffers + 1);
	for (int i = 0; i < needs.n_live_buffers; i++) {
		const struct buffer_group *g = &groups[i];
		const char *op = sr_program_string(p, g->first_buffers->op);
		needs.live_buffers[i] = (struct sr_live_memory){op,	   sr_program_string(p, g->first_buffers->place), g->bytes, g->n_buffers,
							g->n_places, *op ? find_gathered_axes(p, g->first_buffers, &summaries) : ""};
	}
	return needs;
}
