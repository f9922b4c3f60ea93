/* Text on a plan: its memory and time, its arguments and results, its collectives. */
#include "driver/plan_summary.h"
#include "driver/collective_summaries.h"
#include "driver/plan_needs.h"
#include "support/characters.h"
#include <stdlib.h>
#include <string.h>

/* Append the types and names of the first arguments or results: " argument 0: 4x2xf32 params['w']". */
static void put_values(const struct sr_program *p, const char *kind, int32_t first_value, int32_t n, struct sr_buf *out)
{
	enum { MAX_LINES = 16 };
	for (int32_t i = 0; i < n && i < MAX_LINES; i++) {
		const struct sr_io *io = sr_program_values(p) + first_value + i;
		const char *name = sr_program_string(p, io->name);
		sr_buf_printf(out, "  %s %d: %s%s%s\n", kind, i, sr_program_string(p, io->type), *name ? "  " : "", name);
	}
	if (n > MAX_LINES)
		sr_buf_printf(out, "  and %d more %ss in the report (--report)\n", n - MAX_LINES, kind);
}

void sr_plan_replicated_print(const struct sr_program *p, bool all, struct sr_buf *out)
{
	enum { MAX_LINES = 3 };
	for (uint64_t i = 0; i < p->replicated.n && (all || i < MAX_LINES); i++) {
		const struct sr_replicated_value *replicated_value = sr_program_replicated(p) + i;
		sr_buf_printf(out, "  replicated on every device: %lld bytes for %s at %s; %s\n", (long long)replicated_value->bytes,
			      sr_program_string(p, replicated_value->op), sr_program_string(p, replicated_value->place),
			      sr_program_string(p, replicated_value->hint));
	}
	if (!all && p->replicated.n > MAX_LINES)
		sr_buf_printf(out, "  and %llu more; -v lists them\n", (unsigned long long)p->replicated.n - MAX_LINES);
}

static bool are_similar(const struct sr_collective_summary *a, const struct sr_collective_summary *b)
{
	return a->kind == b->kind && !strcmp(a->op, b->op) && !strcmp(a->cause, b->cause) && !strcmp(a->from_sharding, b->from_sharding) &&
	       !strcmp(a->to_sharding, b->to_sharding) && !strcmp(a->axes, b->axes) && a->bytes / a->count == b->bytes / b->count;
}

static int compare_by_seconds(const void *x, const void *y)
{
	const struct sr_collective_summary *a = x, *b = y;
	return a->seconds != b->seconds ? (a->seconds < b->seconds) - (a->seconds > b->seconds) : strcmp(a->place, b->place);
}

/* Merge collectives that are equal except for their source location, such as those of a model's layers. */
static void merge_similar(struct sr_collective_summaries *summaries, struct sr_arena *arena)
{
	size_t n = 0;
	int64_t *n_similar = SR_NEW_ARRAY(arena, int64_t, summaries->n + 1);
	for (size_t i = 0; i < summaries->n; i++) {
		size_t k = 0;
		while (k < n && !are_similar(&summaries->summaries[k], &summaries->summaries[i]))
			k++;
		if (k == n) {
			summaries->summaries[n++] = summaries->summaries[i];
			continue;
		}
		n_similar[k]++;
		summaries->summaries[k].count += summaries->summaries[i].count;
		summaries->summaries[k].bytes += summaries->summaries[i].bytes;
		summaries->summaries[k].wire_bytes += summaries->summaries[i].wire_bytes;
		summaries->summaries[k].seconds += summaries->summaries[i].seconds;
	}
	summaries->n = n;
	for (size_t k = 0; k < n; k++)
		if (n_similar[k])
			summaries->summaries[k].place = sr_printf(arena, "%s and %lld more place%s", summaries->summaries[k].place,
								  (long long)n_similar[k], sr_plural(n_similar[k]));
	if (n)
		qsort(summaries->summaries, n, sizeof *summaries->summaries, compare_by_seconds);
}

/* Append the collectives that take the most time according to the plan's estimate. */
static void put_collectives(const struct sr_program *p, struct sr_arena *arena, struct sr_buf *out)
{
	enum { MAX_LINES = 10 };
	struct sr_collective_summaries summaries = sr_collective_summaries_of(p, arena);
	merge_similar(&summaries, arena);
	for (size_t i = 0; i < summaries.n && i < MAX_LINES; i++) {
		const struct sr_collective_summary *m = &summaries.summaries[i];
		sr_buf_printf(out, "  %.6f s, %lld byte%s on the wire: %lld x ", m->seconds, (long long)m->wire_bytes,
			      sr_plural(m->wire_bytes), (long long)m->count);
		sr_collective_summary_print(m, out);
		sr_buf_putc(out, '\n');
		if (sr_collective_summary_cure(m))
			sr_buf_printf(out, "    replicated on every device; %s\n", sr_collective_summary_cure(m));
	}
	if (summaries.n > MAX_LINES)
		sr_buf_printf(out, "  and %zu more in the report (--report)\n", summaries.n - MAX_LINES);
}

void sr_plan_details_print(const struct sr_program *p, struct sr_arena *arena, struct sr_buf *out)
{
	sr_needs_print(p, arena, out);
	put_values(p, "argument", 0, p->n_arguments, out);
	put_values(p, "result", p->n_arguments, p->n_results, out);
	for (int i = 0; i < SR_COLL_COUNT; i++) {
		const struct sr_collective_cost *c = &p->collectives[i];
		if (c->count)
			sr_buf_printf(out, "  %-22s %6lld ops %14lld bytes %14lld on the wire\n", sr_coll_report_name((enum sr_coll)i),
				      (long long)c->count, (long long)c->bytes, (long long)c->wire_bytes);
	}
	if (p->decomposed_matmuls)
		sr_buf_printf(out, "  decomposed collective matmuls: %lld matmul%s\n",
			      (long long)p->decomposed_matmuls, sr_plural(p->decomposed_matmuls));
	put_collectives(p, arena, out);
}
