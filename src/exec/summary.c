/* The summary, and notes on programs that do not use their devices. */
#include "driver/collective_summaries.h"
#include "exec/needs.h"
#include "exec/summary.h"
#include "plan/internode_traffic.h"
#include "run/executable.h"
#include <stdlib.h>
#include <string.h>

static const char *plural(int64_t n)
{
	return n == 1 ? "" : "s";
}

/* Append the source of the arguments. */
static void put_argument_source(const struct sr_summary *s, struct sr_buf *out)
{
	static const char *const modes[] = {[SR_ARGS_RANDOM] = "random",
					    [SR_ARGS_SHARED_RANDOM] = "random, all from the same values",
					    [SR_ARGS_ZEROS] = "zeros",
					    [SR_ARGS_DEVICE_ID] = "device ids",
					    [SR_ARGS_UNINITIALIZED] = "uninitialized"};
	int mode = s->options->argument_mode;
	if (!s->program->n_arguments)
		sr_buf_puts(out, "no arguments");
	else if (s->options->inputs.n)
		sr_buf_puts(out, "arguments as given");
	else if (mode == SR_ARGS_RANDOM || mode == SR_ARGS_SHARED_RANDOM)
		sr_buf_printf(out, "arguments %s (seed %lld)", modes[mode], (long long)s->options->seed);
	else
		sr_buf_printf(out, "arguments %s", modes[mode]);
}

static void put_run(const struct sr_summary *s, struct sr_buf *out)
{
	sr_buf_printf(out, ", %d rank%s", s->ranks, plural(s->ranks));
	if (s->ranks > s->program->n_devices)
		sr_buf_printf(out, " (%d idle)", s->ranks - s->program->n_devices);
	sr_buf_puts(out, "; ");
	put_argument_source(s, out);
	sr_buf_printf(out, "; step %.6f s", s->step_s);
}

static void put_few_cores(const struct sr_summary *s, struct sr_buf *out)
{
	const struct sr_run_options *o = s->options;
	if (s->ran && o->few_cores && s->program->n_devices > 1)
		sr_buf_printf(out,
			      "  devices: threads of one process, since -n %lld is more than the %d core%s here; "
			      "--devices-per-rank=1 starts a process for each\n",
			      (long long)o->ranks, o->few_cores, plural(o->few_cores));
}

/* Append "  argument 0: 4x2xf32  params['w']" for the first values. */
static void put_values(const struct sr_program *p, const char *what, int32_t first, int32_t n, struct sr_buf *out)
{
	enum { MAX_LINES = 16 };
	for (int32_t i = 0; i < n && i < MAX_LINES; i++) {
		const struct sr_io *io = sr_program_values(p) + first + i;
		const char *name = sr_program_string(p, io->name);
		sr_buf_printf(out, "  %s %d: %s%s%s\n", what, i, sr_program_string(p, io->type), *name ? "  " : "", name);
	}
	if (n > MAX_LINES)
		sr_buf_printf(out, "  and %d more %ss in the report (--report)\n", n - MAX_LINES, what);
}

/* Append the values that are replicated as a last resort; only the first few unless all are requested. */
static void put_replicated(const struct sr_program *p, bool all, struct sr_buf *out)
{
	enum { MAX_LINES = 3 };
	for (uint64_t i = 0; i < p->replicated.n && (all || i < MAX_LINES); i++) {
		const struct sr_replicated_value *replicated = sr_program_replicated(p) + i;
		sr_buf_printf(out, "  replicated on every device: %lld bytes for %s at %s; %s\n", (long long)replicated->bytes,
			      sr_program_string(p, replicated->op), sr_program_string(p, replicated->place),
			      sr_program_string(p, replicated->cure));
	}
	if (!all && p->replicated.n > MAX_LINES)
		sr_buf_printf(out, "  and %llu more; -v lists them\n", (unsigned long long)p->replicated.n - MAX_LINES);
}

/* Append the placement if there are several nodes, or --ranks-per-node or -v is given. */
static void put_nodes(const struct sr_summary *s, struct sr_buf *out)
{
	const struct sr_placed *p = s->placed;
	if (p->n_nodes > 1 || p->plan.n_nodes || (s->options->verbose && p->name))
		sr_placement_print(s->program, p, out);
}

static bool are_similar(const struct sr_collective_summary *a, const struct sr_collective_summary *b)
{
	return a->kind == b->kind && !strcmp(a->op, b->op) && !strcmp(a->cause, b->cause) && !strcmp(a->from, b->from) &&
	       !strcmp(a->to, b->to) && !strcmp(a->axes, b->axes) && a->bytes / a->count == b->bytes / b->count;
}

static int by_seconds(const void *x, const void *y)
{
	const struct sr_collective_summary *a = x, *b = y;
	return a->seconds != b->seconds ? (a->seconds < b->seconds) - (a->seconds > b->seconds) : strcmp(a->place, b->place);
}

/* Merge collectives that are equal except for their source location, as the layers of a model have them. */
static void merge_similar(struct sr_collective_summaries *summaries, struct sr_arena *arena)
{
	size_t n = 0;
	int64_t *more = SR_NEWS(arena, int64_t, summaries->n + 1);
	for (size_t i = 0; i < summaries->n; i++) {
		size_t k = 0;
		while (k < n && !are_similar(&summaries->at[k], &summaries->at[i]))
			k++;
		if (k == n) {
			summaries->at[n++] = summaries->at[i];
			continue;
		}
		more[k]++;
		summaries->at[k].count += summaries->at[i].count;
		summaries->at[k].bytes += summaries->at[i].bytes;
		summaries->at[k].wire_bytes += summaries->at[i].wire_bytes;
		summaries->at[k].seconds += summaries->at[i].seconds;
	}
	summaries->n = n;
	for (size_t k = 0; k < n; k++)
		if (more[k])
			summaries->at[k].place = sr_printf(arena, "%s and %lld more place%s", summaries->at[k].place,
							   (long long)more[k], plural(more[k]));
	if (n)
		qsort(summaries->at, n, sizeof *summaries->at, by_seconds);
}

/* Append the most expensive collectives by the plan's estimate. */
static void put_collectives(const struct sr_summary *s, struct sr_buf *out)
{
	enum { MAX_LINES = 10 };
	struct sr_collective_summaries summaries = sr_collective_summaries_of(s->program, s->arena);
	merge_similar(&summaries, s->arena);
	for (size_t i = 0; i < summaries.n && i < MAX_LINES; i++) {
		const struct sr_collective_summary *m = &summaries.at[i];
		sr_buf_printf(out, "  %.6f s, %lld byte%s on the wire: %lld x ", m->seconds, (long long)m->wire_bytes,
			      plural(m->wire_bytes), (long long)m->count);
		sr_collective_summary_print(m, out);
		sr_buf_putc(out, '\n');
		if (sr_collective_summary_cure(m))
			sr_buf_printf(out, "    replicated on every device; %s\n", sr_collective_summary_cure(m));
	}
	if (summaries.n > MAX_LINES)
		sr_buf_printf(out, "  and %zu more in the report (--report)\n", summaries.n - MAX_LINES);
}

void sr_summary_print(const struct sr_summary *s, struct sr_buf *out)
{
	const struct sr_program *p = s->program;
	sr_buf_puts(out, "shardrun: mesh ");
	sr_program_mesh_text(p, out);
	sr_buf_printf(out, "; %d device%s", p->n_devices, plural(p->n_devices));
	if (s->ran)
		put_run(s, out);
	sr_buf_printf(out, "; planned %lld bytes per device",
		      (long long)(p->argument_bytes + p->output_bytes - p->alias_bytes + p->temp_bytes));
	if (s->ran)
		sr_buf_printf(out, "; peak memory %.1f MB", (double)s->rss / 1e6);
	sr_buf_putc(out, '\n');
	put_few_cores(s, out);
	put_nodes(s, out);
	put_replicated(p, s->options->verbose, out);
	if (!s->options->verbose)
		return;
	sr_needs_print(p, s->arena, out);
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
			      (long long)p->decomposed_matmuls, plural(p->decomposed_matmuls));
	put_collectives(s, out);
	if (s->node && s->node->n)
		sr_buf_printf(out, "  node: %.*s\n", (int)s->node->n, s->node->data);
}

/* ---- notes ---- */

static bool is_sharded(const struct sr_program *p)
{
	for (int32_t i = 0; i < p->n_arguments + p->n_results; i++) {
		const struct sr_io *io = sr_program_values(p) + i;
		const int64_t *refs = sr_program_ids(p) + io->refs;
		for (int d = 0; d < io->rank; d++, refs++) {
			if (*refs)
				return true;
		}
	}
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		enum sr_instr_kind kind = (enum sr_instr_kind)sr_program_instrs(p)[i].kind;
		if (kind == SR_INSTR_COLLECTIVE || kind == SR_INSTR_DEVICE_ID || kind == SR_INSTR_PARALLEL)
			return true;
	}
	return false;
}

void sr_note_sharding(const struct sr_program *p, const struct sr_run_options *o, int ranks, struct sr_diags *diags)
{
	static const char advice[] = "lower it by jax.jit with in_shardings of a Mesh (doc/guide/export.md)";
	struct sr_src_loc place = {.file = o->model};
	if (p->n_devices == 1 && ranks > 1)
		sr_report(diags, SR_NOTE, place, "has no mesh, so it runs on one rank and %d idle%s; to share the work, %s", ranks - 1,
			  ranks == 2 ? "s" : "", advice);
	else if (p->n_devices > 1 && p->n_devices > p->n_replicas && o->partition != SR_PARTITION_REPLICATE && !is_sharded(p))
		sr_report(diags, SR_NOTE, place,
			  "has a mesh, but nothing in it is sharded, so each of the %d devices computes all of it; to share the work, %s",
			  p->n_devices, advice);
}
