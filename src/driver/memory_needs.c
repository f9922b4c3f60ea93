/* Find what takes the memory of a plan: its arguments, and the buffers live at the peak. */
#include "driver/memory_needs.h"
#include "driver/collective_summaries.h"
#include "support/buf.h"
#include <stdlib.h>
#include <string.h>

/* ---- arguments ---- */

static int by_bytes(const void *x, const void *y)
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

static const char *replicated_along(const struct sr_program *p, const struct sr_io *io, struct sr_arena *arena)
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
				(struct sr_argument_memory){i, bytes, replicated_along(p, io, arena)};
	}
	qsort(needs->arguments, (size_t)needs->n_arguments, sizeof *needs->arguments, by_bytes);
}

/* ---- temporaries ---- */

struct group {
	const struct sr_live_buffers *first;
	int64_t bytes, buffers, places;
};

static int by_sum(const void *x, const void *y)
{
	const struct group *a = x, *b = y;
	return a->bytes != b->bytes ? (a->bytes < b->bytes) - (a->bytes > b->bytes) : (a->first > b->first) - (a->first < b->first);
}

static int64_t bytes_each(const struct sr_live_buffers *a)
{
	return a->bytes / a->count;
}

static struct group *group_live_buffers(const struct sr_program *p, struct sr_arena *arena, int *n)
{
	const struct sr_live_buffers *all = sr_program_live_at_peak(p);
	struct group *groups = SR_NEW_ARRAY(arena, struct group, p->live_at_peak.n + 1);
	*n = 0;
	for (uint64_t i = 0; i < p->live_at_peak.n; i++) {
		int g = 0;
		while (g < *n && (groups[g].first->op != all[i].op || bytes_each(groups[g].first) != bytes_each(&all[i])))
			g++;
		*n += g == *n;
		groups[g].first = groups[g].first ? groups[g].first : &all[i];
		groups[g].bytes += all[i].bytes;
		groups[g].buffers += all[i].count;
		groups[g].places++;
	}
	qsort(groups, (size_t)*n, sizeof *groups, by_sum);
	return groups;
}

static const char *gathered_over(const struct sr_program *p, const struct sr_live_buffers *a,
				 const struct sr_collective_summaries *summaries)
{
	const char *location = sr_program_string(p, a->place);
	for (size_t i = 0; i < summaries->n; i++) {
		const struct sr_collective_summary *m = &summaries->summaries[i];
		if (m->kind == SR_ALL_GATHER && !strcmp(m->place, location) && m->bytes == bytes_each(a) * m->count)
			return m->axes;
	}
	return "";
}

struct sr_memory_needs sr_memory_needs_of(const struct sr_program *p, struct sr_arena *arena)
{
	struct sr_memory_needs needs = {.peak_bytes = p->argument_bytes + p->output_bytes - p->alias_bytes + p->temp_bytes};
	const struct sr_collective_summaries summaries = sr_collective_summaries_of(p, arena);
	find_arguments(&needs, p, arena);
	const struct group *groups = group_live_buffers(p, arena, &needs.n_live);
	needs.live = SR_NEW_ARRAY(arena, struct sr_live_memory, needs.n_live + 1);
	for (int i = 0; i < needs.n_live; i++) {
		const struct group *g = &groups[i];
		const char *op = sr_program_string(p, g->first->op);
		needs.live[i] = (struct sr_live_memory){op,	   sr_program_string(p, g->first->place), g->bytes, g->buffers,
							g->places, *op ? gathered_over(p, g->first, &summaries) : ""};
	}
	return needs;
}
