/* Writing of --report's JSON: the plan, the ranks and hosts, and the measurements. */
#include "driver/collective_summaries.h"
#include "exec/state.h"
#include "exec/values/bind.h"
#include "kernels/fast/fast.h"
#include "plan/internode_traffic.h"
#include "support/knobs/knobs.h"
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- ranks ---- */

void sr_run_gather_hosts(struct sr_run_state *r)
{
	struct sr_launch *l = &r->client.launch;
	struct sr_host own_host = {0}, *all = l->rank ? NULL : SR_NEW_ARRAY(r->ctx->arena, struct sr_host, l->size);
	gethostname(own_host.name, sizeof own_host.name - 1);
	sr_launch_gather(l, &own_host, all, sizeof own_host);
	r->hosts = all;
}

/* Return the ranks >= `first` on the same host as rank `first`, as text such as "0-3,8"; set their entries of `is_listed`. */
static const char *ranks_with(const struct sr_host *all, int size, int first, bool *is_listed, struct sr_arena *arena)
{
	const char *text = "";
	for (int i = first; i < size; i++) {
		int end = i;
		while (end < size && !strcmp(all[end].name, all[first].name))
			is_listed[end++] = true;
		if (end == i)
			continue;
		text = sr_printf(arena, end == i + 1 ? "%s%s%d" : "%s%s%d-%d", text, *text ? "," : "", i, end - 1);
		i = end;
	}
	return text;
}

static void report_ranks(struct sr_run_state *r, struct sr_json *j)
{
	int size = r->client.launch.size;
	const struct sr_host *all = r->hosts;
	bool *is_listed = SR_NEW_ARRAY(r->ctx->arena, bool, size);
	sr_json_int(j, "ranks", size);
	sr_json_open(j, "hosts", '[');
	for (int i = 0; i < size; i++) {
		if (is_listed[i])
			continue;
		sr_json_open(j, NULL, '{');
		sr_json_string(j, "host", all[i].name);
		sr_json_string(j, "ranks", ranks_with(all, size, i, is_listed, r->ctx->arena));
		sr_json_close(j);
	}
	sr_json_close(j);
}

static void report_versions(struct sr_json *j, bool ran, struct sr_arena *arena)
{
	struct sr_buf dnnl;
	sr_buf_init(&dnnl, arena);
	sr_json_open(j, "versions", '{');
	sr_json_string(j, "shardrun", PACKAGE_VERSION);
	if (ran)
		sr_json_string(j, "mpi", sr_launch_version(arena));
	if (sr_blas_is_open())
		sr_json_string(j, "blas", sr_blas_version());
	if (sr_dnnl_is_open()) {
		sr_dnnl_describe(&dnnl);
		sr_json_string(j, "dnnl", sr_buf_string(&dnnl));
	}
	sr_json_close(j);
}

static void report_time(struct sr_json *j, const char *name, time_t t)
{
	char text[32] = "";
	struct tm utc;
	if (gmtime_r(&t, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
		sr_json_string(j, name, text);
}

/* Write the job's data for accounting: the scheduler's job id, start and end, processor hours, exit status. */
static void report_job(struct sr_run_state *r, struct sr_json *j)
{
	static const struct {
		const char *scheduler, *variable;
	} rows[] = {{"slurm", "SLURM_JOB_ID"},
		    {"pbs", "PBS_JOBID"},
		    {"lsf", "LSB_JOBID"},
		    {"flux", "FLUX_JOB_ID"},
		    {"sge", "JOB_ID"}};
	sr_json_open(j, "job", '{');
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *id = sr_env(rows[i].variable);
		if (!id || !*id)
			continue;
		sr_json_string(j, "scheduler", rows[i].scheduler);
		sr_json_string(j, "id", id);
		break;
	}
	report_time(j, "started", r->started);
	report_time(j, "ended", time(NULL));
	sr_json_double(j, "processor_hours", r->processor_s / 3600);
	sr_json_int(j, "exit_status", r->result);
	sr_json_close(j);
}

/* ---- arguments and results ---- */

static void report_value(const struct sr_program *p, struct sr_json *j, const struct sr_io *io)
{
	sr_json_open(j, NULL, '{');
	sr_json_string(j, "name", sr_program_string(p, io->name));
	sr_json_string(j, "type", sr_program_string(p, io->type));
	sr_json_int(j, "device_bytes", sr_program_buffers(p)[io->buffer].bytes);
	sr_json_close(j);
}

static void report_texts(struct sr_json *j, const char *name, const sr_strings_list *list)
{
	if (!list->n)
		return;
	sr_json_open(j, name, '[');
	for (size_t i = 0; i < list->n; i++)
		sr_json_string(j, NULL, list->data[i]);
	sr_json_close(j);
}

/* Write names and types of arguments and results, and the sources of the arguments. */
static void report_values(struct sr_run_state *r, struct sr_json *j)
{
	const struct sr_program *p = r->program;
	sr_json_open(j, "arguments", '[');
	for (int32_t i = 0; i < p->n_arguments; i++)
		report_value(p, j, sr_program_values(p) + i);
	sr_json_close(j);
	sr_json_open(j, "results", '[');
	for (int32_t i = p->n_arguments; i < p->n_arguments + p->n_results; i++)
		report_value(p, j, sr_program_values(p) + i);
	sr_json_close(j);
	report_texts(j, "input", &r->o->inputs);
	report_texts(j, "inputs", &r->o->input_bundles);
}

/* ---- measurements ---- */

static void report_range(struct sr_json *j, const char *name, struct sr_min_max range)
{
	sr_json_open(j, name, '{');
	sr_json_int(j, "min", range.min);
	sr_json_int(j, "max", range.max);
	sr_json_close(j);
}

static void report_run(struct sr_run_state *r, struct sr_json *j)
{
	double lo = r->step_s[0], hi = r->step_s[0];
	for (int64_t i = 1; i < r->n_measured; i++) {
		lo = r->step_s[i] < lo ? r->step_s[i] : lo;
		hi = r->step_s[i] > hi ? r->step_s[i] : hi;
	}
	sr_json_open(j, "run", '{');
	sr_json_int(j, "devices_per_rank", r->executable.device_set->max_local);
	sr_json_int(j, "repeats", r->n_measured);
	sr_json_bool(j, "compiled", sr_executable_is_compiled(&r->executable));
	sr_json_open(j, "step_s", '{');
	sr_json_double(j, "median", r->step_median);
	sr_json_double(j, "min", lo);
	sr_json_double(j, "max", hi);
	sr_json_close(j);
	sr_json_double(j, "compute_s", r->compute_s);
	sr_json_double(j, "collective_s", r->collective_median);
	sr_json_double(j, "wait_s", r->wait_s);
	report_range(j, "pss_bytes", r->pss);
	report_range(j, "peak_rss_bytes", r->rss);
	if (r->o->profile)
		sr_profile_report(j, &r->profile, &r->ops);
	sr_json_close(j);
}

void sr_run_report(struct sr_run_state *r, bool ran, struct sr_buf *out)
{
	struct sr_json json;
	sr_buf_init(out, r->ctx->arena);
	sr_json_init(&json, out);
	sr_report_plan(&json, r->program, &r->times, r->ctx->arena);
	if (r->candidates.n)
		sr_report_candidates(&json, &r->candidates);
	report_versions(&json, ran, r->ctx->arena);
	report_values(r, &json);
	if (ran) {
		report_job(r, &json);
		report_ranks(r, &json);
		report_run(r, &json);
	}
	if (r->placed.plan.n_nodes)
		sr_report_nodes(&json, r->program, &r->placed.plan, r->placed.name);
	sr_json_close(&json);
	sr_buf_putc(out, '\n');
}
