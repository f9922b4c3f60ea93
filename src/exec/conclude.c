/* Output of rank 0 at the end of a run: compiled program, HTML page, profile, report and summary. */
#include "exec/program_file.h"
#include "exec/state.h"
#include "exec/summary.h"
#include "exec/values/bind.h"

void sr_run_emit(FILE *out, const struct sr_buf *text)
{
	if (out)
		sr_buf_write(text, out);
}

/* Write the profile: its table goes to the stream of the summary, its trace to the file of --profile=FILE. */
static enum sr_status write_profile(struct sr_run_state *r)
{
	struct sr_buf text;
	enum sr_status status = sr_read_machine(r->ctx, r->o->machine);
	if (status)
		return status;
	r->ops = sr_profile_rows_of(&r->profile, r->ctx->machine, r->ctx->arena);
	sr_buf_init(&text, r->ctx->arena);
	sr_profile_table(&r->profile, &r->ops, &text);
	sr_run_emit(r->o->err, &text);
	if (!*r->o->profile)
		return SR_OK;
	sr_buf_init(&text, r->ctx->arena);
	sr_profile_trace(&r->profile, r->ctx->arena, &text);
	return sr_bind_write_text(r->o->profile, &text, r->o->out, r->ctx->arena, &r->ctx->diags);
}

enum sr_status sr_run_read_old_report(struct sr_run_state *r)
{
	struct sr_report_text *old = &r->old_report;
	if (!r->o->plan_diff)
		return SR_OK;
	old->file = r->o->plan_diff;
	enum sr_status status = sr_read_file(r->ctx, old->file, 0, &old->text, &old->n);
	return status ? status : sr_report_check(r->ctx->arena, &r->ctx->diags, old);
}

/* Print on standard output how this run's plan differs from the plan of an earlier report. */
static enum sr_status compare_plans(struct sr_run_state *r, const struct sr_buf *report)
{
	struct sr_buf table;
	sr_buf_init(&table, r->ctx->arena);
	enum sr_status status = sr_plan_diff(r->ctx->arena, &r->ctx->diags, &r->old_report,
					     &(struct sr_report_text){"the report", report->data, report->n}, &table);
	if (!status && r->o->out)
		sr_run_emit(r->o->out, &table);
	return status;
}

enum sr_status sr_run_compare_reports(struct sr_run_state *r)
{
	struct sr_report_text reports[] = {{.file = r->o->compare}, {.file = r->o->model}};
	enum sr_status status = SR_OK;
	struct sr_buf table;
	for (int i = 0; i < 2 && !status; i++)
		status = sr_read_file(r->ctx, reports[i].file, 0, &reports[i].text, &reports[i].n);
	sr_buf_init(&table, r->ctx->arena);
	if (!status)
		status = sr_plan_diff(r->ctx->arena, &r->ctx->diags, &reports[0], &reports[1], &table);
	if (!status)
		sr_run_emit(r->o->out, &table);
	return status;
}

/* Write the files of a run: compiled program, HTML page, profile and report. */
static enum sr_status write_files(struct sr_run_state *r, bool ran)
{
	struct sr_buf buf;
	enum sr_status status =
	    r->o->program ? sr_program_write(r->program, r->o, &r->objects, r->ctx->arena, &r->ctx->diags) : SR_OK;
	if (!status)
		status = r->o->html ? sr_bind_write_text(r->o->html, &r->page, r->o->out, r->ctx->arena, &r->ctx->diags) : SR_OK;
	if (!status && ran && r->o->profile)
		status = write_profile(r);
	if (status || (!r->o->report && !r->o->plan_diff && !r->o->json))
		return status;
	sr_run_report(r, ran, &buf);
	if (r->o->plan_diff)
		status = compare_plans(r, &buf);
	if (!status && r->o->json)
		sr_run_emit(r->o->out, &buf);
	return status || !r->o->report ? status : sr_bind_write_text(r->o->report, &buf, r->o->out, r->ctx->arena, &r->ctx->diags);
}

static void print_summary(struct sr_run_state *r, bool ran, const struct sr_buf *node)
{
	struct sr_buf buf;
	sr_buf_init(&buf, r->ctx->arena);
	sr_summary_print(&(struct sr_summary){.options = r->o,
					      .program = r->program,
					      .node = node,
					      .placed = &r->placed,
					      .ranks = r->client.launch.size,
					      .ran = ran,
					      .step_s = r->step_median,
					      .rss = r->rss.max,
					      .arena = r->ctx->arena},
			 &buf);
	if (r->candidates.n)
		sr_candidates_print(&r->candidates, r->ctx->arena, &buf);
	if (!r->o->quiet)
		sr_run_emit(r->o->err, &buf);
}

/* Write the files; then print the summary, after everything for standard output is written. */
enum sr_status sr_run_conclude(struct sr_run_state *r, bool ran, const struct sr_buf *node)
{
	enum sr_status status = ran ? SR_OK : sr_placement_plan(r->ctx, (struct sr_program *)(uintptr_t)r->program, r->o, &r->placed);
	if (!status)
		status = write_files(r, ran);
	if (!status && r->o->out)
		status = sr_flush_stream(&r->ctx->diags, r->o->out, "standard output");
	if (!status)
		print_summary(r, ran, node);
	return status;
}
