/* Memory and time of a plan, in words. */
#include "exec/needs.h"
#include "driver/moves.h"
#include "support/words.h"
#include <stdlib.h>
#include <string.h>

enum { SAID = 20, SAID_VALUES = 5 };

/* ---- arguments ---- */

struct argument {
	int32_t i;
	int64_t bytes; /* on a device */
};

static int by_bytes(const void *x, const void *y)
{
	const struct argument *a = x, *b = y;
	return a->bytes != b->bytes ? (a->bytes < b->bytes) - (a->bytes > b->bytes) : (a->i > b->i) - (a->i < b->i);
}

/* Whether a dimension of the value is sharded over a part of the axis or all of it. */
static bool is_over(const struct sr_program *p, const struct sr_io *io, int64_t axis)
{
	const int64_t *ref = sr_program_ids(p) + io->refs;
	for (int d = 0; d < io->rank; d++)
		for (int64_t n = *ref++; n > 0; n--, ref += 3)
			if (ref[0] == axis)
				return true;
	return false;
}

/* The axes that would make it smaller: "; whole along data=64, model=8". */
static void put_whole_along(const struct sr_program *p, const struct sr_io *io, struct sr_buf *out)
{
	const char *between = "; whole along ";
	for (uint64_t i = 0; !io->mesh && i < p->mesh.n; i++) {
		const struct sr_program_axis *axis = sr_program_mesh(p) + i;
		if (axis->size == 1 || is_over(p, io, (int64_t)i))
			continue;
		sr_buf_printf(out, "%s%s=%lld", between, sr_program_string(p, axis->name), (long long)axis->size);
		between = ", ";
	}
}

static void put_arguments(const struct sr_program *p, struct sr_arena *arena, struct sr_buf *out)
{
	struct argument *all = SR_NEWS(arena, struct argument, p->n_arguments + 1);
	for (int32_t i = 0; i < p->n_arguments; i++)
		all[i] = (struct argument){i, sr_program_buffers(p)[sr_program_values(p)[i].buffer].bytes};
	qsort(all, (size_t)p->n_arguments, sizeof *all, by_bytes);
	for (int32_t k = 0; k < p->n_arguments && k < SAID_VALUES && all[k].bytes; k++) {
		const struct sr_io *io = sr_program_values(p) + all[k].i;
		sr_buf_puts(out, "      ");
		sr_buf_bytes(out, all[k].bytes);
		sr_buf_printf(out, " of %s, %s", sr_program_argument_words(p, all[k].i, arena), sr_program_string(p, io->type));
		put_whole_along(p, io, out);
		sr_buf_putc(out, '\n');
	}
}

/* ---- temporaries ---- */

struct group { /* of buffers of one op and size */
	const struct sr_alive *first;
	int64_t bytes, buffers, places;
};

static int by_sum(const void *x, const void *y)
{
	const struct group *a = x, *b = y;
	return a->bytes != b->bytes ? (a->bytes < b->bytes) - (a->bytes > b->bytes) : (a->first > b->first) - (a->first < b->first);
}

/* Layers of a model leave a buffer each, of one size and op: they are one line. */
static struct group *group_alive(const struct sr_program *p, struct sr_arena *arena, int *n)
{
	const struct sr_alive *all = sr_program_alive(p);
	struct group *groups = SR_NEWS(arena, struct group, p->alive.n + 1);
	*n = 0;
	for (uint64_t i = 0; i < p->alive.n; i++) {
		int g = 0;
		while (g < *n && (groups[g].first->op != all[i].op ||
				  groups[g].first->bytes / groups[g].first->count != all[i].bytes / all[i].count))
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

/* What was gathered is smaller where it stays cut along these axes: "; gathered over fsdp". */
static void put_gathered(const struct sr_program *p, const struct group *g, const struct sr_moves *moves, struct sr_buf *out)
{
	const char *place = sr_program_string(p, g->first->place);
	for (size_t i = 0; i < moves->n; i++) {
		const struct sr_move *m = &moves->at[i];
		if (m->kind != SR_ALL_GATHER || strcmp(m->place, place) != 0 ||
		    m->bytes != g->first->bytes / g->first->count * m->count)
			continue;
		sr_buf_printf(out, "; gathered over %s, and as much smaller where it stays cut so", m->axes);
		return;
	}
}

static void put_group(const struct sr_program *p, const struct group *g, const struct sr_moves *moves, struct sr_buf *out)
{
	const char *op = sr_program_string(p, g->first->op);
	sr_buf_puts(out, "      ");
	sr_buf_bytes(out, g->bytes);
	if (!*op) {
		sr_buf_printf(out, " in %lld donated argument%s\n", (long long)g->buffers, g->buffers == 1 ? "" : "s");
		return;
	}
	sr_buf_printf(out, " in %lld of %s", (long long)g->buffers, op);
	if (g->buffers > 1) {
		sr_buf_puts(out, ", ");
		sr_buf_bytes(out, g->bytes / g->buffers);
		sr_buf_puts(out, " each,");
	}
	sr_buf_printf(out, " at %s", sr_program_string(p, g->first->place));
	if (g->places > 1)
		sr_buf_printf(out, " and %lld more place%s", (long long)g->places - 1, g->places == 2 ? "" : "s");
	put_gathered(p, g, moves, out);
	sr_buf_putc(out, '\n');
}

/* At the moment with the most bytes alive. */
static void put_alive(const struct sr_program *p, struct sr_arena *arena, struct sr_buf *out)
{
	int n;
	int64_t rest = 0;
	const struct group *groups = group_alive(p, arena, &n);
	const struct sr_moves moves = sr_moves_of(p, arena);
	for (int i = 0; i < n; i++) {
		if (i < SAID)
			put_group(p, &groups[i], &moves, out);
		else
			rest += groups[i].bytes;
	}
	if (!rest)
		return;
	sr_buf_puts(out, "      ");
	sr_buf_bytes(out, rest);
	sr_buf_puts(out, " in others\n");
}

/* ---- time ---- */

static void put_time(const struct sr_program *p, struct sr_buf *out)
{
	const struct sr_estimate *e = &p->estimate;
	sr_buf_printf(out, "  time by the machine's figures: %.4g s a step, %.4g s of it to compute and %.4g s in collectives",
		      e->step_s, e->compute_s, e->collectives_s);
	if (e->unknown_loops)
		sr_buf_printf(out, "; %lld loop%s counted once", (long long)e->unknown_loops,
			      e->unknown_loops == 1 ? " is" : "s are");
	sr_buf_puts(out, "\n    computing reads and writes ");
	sr_buf_bytes(out, e->memory_bytes);
	sr_buf_printf(out, ", which memory alone would take %.4g s for; collectives send ", e->memory_s);
	sr_buf_bytes(out, e->wire_bytes[SR_LINK_NODE]);
	sr_buf_puts(out, " within the node and ");
	sr_buf_bytes(out, e->wire_bytes[SR_LINK_NETWORK]);
	sr_buf_puts(out, " to other nodes\n");
}

void sr_needs_print(const struct sr_program *p, struct sr_arena *arena, struct sr_buf *out)
{
	sr_buf_puts(out, "  memory of a device: ");
	sr_buf_bytes(out, p->argument_bytes + p->output_bytes - p->alias_bytes + p->temp_bytes);
	sr_buf_puts(out, "\n    ");
	sr_buf_bytes(out, p->argument_bytes);
	sr_buf_puts(out, " for arguments; the largest:\n");
	put_arguments(p, arena, out);
	sr_buf_puts(out, "    ");
	sr_buf_bytes(out, p->output_bytes - p->alias_bytes);
	sr_buf_puts(out, " for results, beside ");
	sr_buf_bytes(out, p->alias_bytes);
	sr_buf_puts(out, " in the memory of donated arguments\n    ");
	sr_buf_bytes(out, p->temp_bytes);
	sr_buf_puts(out, p->alive.n ? " for temporaries; where the most is alive:\n" : " for temporaries\n");
	put_alive(p, arena, out);
	put_time(p, out);
}
