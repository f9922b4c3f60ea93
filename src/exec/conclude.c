/* What rank 0 says at the end of a run: the compiled program, the page, the profile, the report, the summary. */
#include "driver/plan_diff.h"
#include "exec/program_file.h"
#include "exec/state.h"
#include "exec/summary.h"
#include "exec/values/bind.h"
#include "plan/nodes.h"

void sr_run_emit(FILE *out, const struct sr_buf *text)
{
	if (out)
		sr_buf_write(text, out);
}

static void report_range(struct sr_json *j, const char *name, struct sr_extremes range)
{
	sr_json_open(j, name, '{');
	sr_json_int(j, "min", range.min);
	sr_json_int(j, "max", range.max);
	sr_json_close(j);
}

static void report_run(struct sr_run_state *r, struct sr_json *j)
{
	double lo = r->step_s[0], hi = r->step_s[0];
	for (int64_t i = 1; i < r->measured; i++) {
		lo = r->step_s[i] < lo ? r->step_s[i] : lo;
		hi = r->step_s[i] > hi ? r->step_s[i] : hi;
	}
	sr_json_open(j, "run", '{');
	sr_json_int(j, "devices_per_rank", r->executable.world->most);
	sr_json_int(j, "repeats", r->measured);
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
	sr_json_close(j);
}

/* The table to where the summary goes, and the trace. */
static enum sr_status write_profile(struct sr_run_state *r)
{
	struct sr_buf text;
	enum sr_status status = sr_read_machine(r->ctx, r->o->machine);
	if (status)
		return status;
	sr_buf_init(&text, r->ctx->arena);
	sr_profile_table(&r->profile, r->ctx->machine, r->ctx->arena, &text);
	sr_run_emit(r->o->err, &text);
	if (!*r->o->profile)
		return SR_OK;
	sr_buf_init(&text, r->ctx->arena);
	sr_profile_trace(&r->profile, r->ctx->arena, &text);
	return sr_bind_write_text(r->o->profile, &text, r->o->out, r->ctx->arena, &r->ctx->diags);
}

static void make_report(struct sr_run_state *r, bool ran, struct sr_buf *out)
{
	struct sr_json json;
	struct sr_node_plan nodes;
	sr_buf_init(out, r->ctx->arena);
	sr_json_init(&json, out);
	sr_report_plan(&json, r->program, &r->times, r->ctx->arena);
	if (r->candidates.n)
		sr_report_candidates(&json, &r->candidates);
	if (ran)
		report_run(r, &json);
	if (r->o->ranks_per_node && sr_plan_nodes(r->program, (int)r->o->ranks_per_node, r->ctx->arena, &nodes))
		sr_report_nodes(&json, r->program, &nodes);
	sr_json_close(&json);
	sr_buf_putc(out, '\n');
}

/* The plan beside an earlier one, on standard output. */
static enum sr_status compare_plans(struct sr_run_state *r, const struct sr_buf *report)
{
	const char *old;
	size_t n;
	struct sr_buf table;
	enum sr_status status = sr_read_file(r->ctx, r->o->plan_diff, 0, &old, &n);
	sr_buf_init(&table, r->ctx->arena);
	if (!status)
		status = sr_plan_diff(r->ctx->arena, &r->ctx->diags, r->o->plan_diff, old, n, report->data, report->n, &table);
	if (!status && r->o->out)
		sr_run_emit(r->o->out, &table);
	return status;
}

/* The compiled program, the page and the report. */
static enum sr_status write_files(struct sr_run_state *r, bool ran)
{
	struct sr_buf buf;
	enum sr_status status =
	    r->o->program ? sr_program_write(r->program, r->o, &r->units, r->ctx->arena, &r->ctx->diags) : SR_OK;
	if (!status)
		status = r->o->html ? sr_bind_write_text(r->o->html, &r->page, r->o->out, r->ctx->arena, &r->ctx->diags) : SR_OK;
	if (!status && ran && r->o->profile)
		status = write_profile(r);
	if (status || (!r->o->report && !r->o->plan_diff))
		return status;
	make_report(r, ran, &buf);
	if (r->o->plan_diff)
		status = compare_plans(r, &buf);
	return status || !r->o->report ? status : sr_bind_write_text(r->o->report, &buf, r->o->out, r->ctx->arena, &r->ctx->diags);
}

static void say_summary(struct sr_run_state *r, bool ran, const struct sr_buf *node)
{
	struct sr_buf buf;
	sr_buf_init(&buf, r->ctx->arena);
	sr_summary_print(&(struct sr_summary){.options = r->o,
					      .program = r->program,
					      .node = node,
					      .ranks = r->client.launch.size,
					      .ran = ran,
					      .step_s = r->step_median,
					      .rss = r->rss.max,
					      .arena = r->ctx->arena},
			 &buf);
	if (r->candidates.n)
		sr_candidates_print(&r->candidates, &buf);
	if (!r->o->quiet)
		sr_run_emit(r->o->err, &buf);
}

/* The files; the summary once nothing that was printed is lost. */
enum sr_status sr_run_conclude(struct sr_run_state *r, bool ran, const struct sr_buf *node)
{
	enum sr_status status = write_files(r, ran);
	if (!status && r->o->out)
		status = sr_flush(&r->ctx->diags, r->o->out, "standard output");
	if (!status)
		say_summary(r, ran, node);
	return status;
}
