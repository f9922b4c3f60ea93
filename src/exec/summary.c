/* Printing of the summary, and notes on programs that do not use their devices. */
#include "driver/plan_summary.h"
#include "exec/summary.h"
#include "plan/internode_traffic.h"
#include "run/executable.h"
#include "support/characters.h"
#include <stdlib.h>
#include <string.h>

/* Append where the argument values come from: files, text or random numbers. */
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
	sr_buf_printf(out, ", %d rank%s", s->ranks, sr_plural(s->ranks));
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
			      (long long)o->ranks, o->few_cores, sr_plural(o->few_cores));
}

/* Append the placement of devices on nodes if there are several nodes, or if --ranks-per-node or -v is given. */
static void put_nodes(const struct sr_summary *s, struct sr_buf *out)
{
	const struct sr_placed *p = s->placed;
	if (p->n_nodes > 1 || p->plan.n_nodes || (s->options->verbose && p->name))
		sr_placement_print(s->program, p, out);
}

void sr_summary_print(const struct sr_summary *s, struct sr_buf *out)
{
	const struct sr_program *p = s->program;
	sr_buf_puts(out, "shardrun: mesh ");
	sr_program_mesh_text(p, out);
	sr_buf_printf(out, "; %d device%s", p->n_devices, sr_plural(p->n_devices));
	if (s->ran)
		put_run(s, out);
	sr_buf_printf(out, "; planned %lld bytes per device",
		      (long long)(p->argument_bytes + p->output_bytes - p->alias_bytes + p->temp_bytes));
	if (s->ran)
		sr_buf_printf(out, "; peak memory %.1f MB", (double)s->rss / 1e6);
	sr_buf_putc(out, '\n');
	put_few_cores(s, out);
	put_nodes(s, out);
	sr_plan_replicated_print(p, s->options->verbose, out);
	if (!s->options->verbose)
		return;
	sr_plan_details_print(p, s->arena, out);
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
	struct sr_src_loc location = {.file = o->model};
	if (p->n_devices == 1 && ranks > 1)
		sr_report(diags, SR_NOTE, location, "has no mesh, so it runs on one rank and %d idle%s; to share the work, %s",
			  ranks - 1, ranks == 2 ? "s" : "", advice);
	else if (p->n_devices == 1 || p->n_devices == p->n_replicas || o->partition == SR_PARTITION_REPLICATE || is_sharded(p))
		return;
	else if (o->auto_shard)
		sr_report(diags, SR_NOTE, location,
			  "--auto-shard estimates that no sharding is faster, so each of the %d devices computes all of it",
			  p->n_devices);
	else
		sr_report(diags, SR_NOTE, location,
			  "has a mesh, but nothing in it is sharded, so each of the %d devices computes all of it; to share the work, %s",
			  p->n_devices, advice);
}
