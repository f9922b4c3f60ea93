/* The table of --profile, and its rows for the JSON report. */
#include "exec/profile/profile.h"
#include "plan/estimate/estimate.h"
#include <stdlib.h>

enum { MAX_ROWS = 24 };

static int by_place(const void *x, const void *y)
{
	const struct sr_profile_row *a = x, *b = y;
	if (a->op != b->op)
		return a->op < b->op ? -1 : 1;
	return a->place != b->place ? (a->place < b->place ? -1 : 1) : 0;
}

static int by_seconds(const void *x, const void *y)
{
	const struct sr_profile_row *a = x, *b = y;
	return a->seconds != b->seconds ? (a->seconds > b->seconds ? -1 : 1) : by_place(x, y);
}

/* Return true for an instruction that only runs other instructions (a loop or branch), which have rows of their own. */
static bool only_runs_nested(const struct sr_gathered_profile *g, uint64_t step)
{
	enum sr_instr_kind kind = (enum sr_instr_kind)sr_program_instrs(g->program)[step].kind;
	const struct sr_while_instr *w = (const void *)(sr_program_params(g->program) + sr_program_instrs(g->program)[step].params);
	if (kind == SR_INSTR_WHILE) /* a compiled loop has no records of the instructions in its body */
		return sr_program_computations(g->program)[w->cond].n && g->calls[sr_program_computations(g->program)[w->cond].first];
	return kind == SR_INSTR_CASE || kind == SR_INSTR_PARALLEL;
}

static struct sr_profile_row row_of(const struct sr_gathered_profile *g, uint64_t step, const struct sr_cost *cost)
{
	const struct sr_instr *instr = sr_program_instrs(g->program) + step;
	double n = (double)g->calls[step] / (double)g->executions;
	bool is_collective = sr_instr_is_collective(instr);
	/* the wait or release of a collective is counted in the row of its start */
	bool is_end = is_collective && instr->kind != SR_INSTR_COLLECTIVE;
	struct sr_profile_row r = {
	    .op = instr->op, .place = instr->place, .collective = is_collective, .calls = is_end ? 0 : g->calls[step]};
	r.seconds = g->seconds[step] / (double)g->executions;
	if (g->n_waits[step])
		r.wait = g->wait[step] / (double)g->n_waits[step] * n;
	r.bytes = (double)sr_program_instr_bytes(g->program, instr) * n;
	r.flops = cost->flops * n;
	r.estimate = cost->seconds * n;
	return r;
}

/* Merge rows with equal op and location. Returns the number of rows left. */
static int64_t merge_rows(struct sr_profile_row *rows, int64_t n)
{
	int64_t n_merged = 0;
	qsort(rows, (size_t)n, sizeof *rows, by_place);
	for (int64_t i = 0; i < n; i++) {
		if (!n_merged || by_place(&rows[n_merged - 1], &rows[i]) != 0) {
			rows[n_merged++] = rows[i];
			continue;
		}
		struct sr_profile_row *to = &rows[n_merged - 1];
		to->calls += rows[i].calls;
		to->seconds += rows[i].seconds;
		to->wait += rows[i].wait;
		to->bytes += rows[i].bytes;
		to->flops += rows[i].flops;
		to->estimate += rows[i].estimate;
	}
	qsort(rows, (size_t)n_merged, sizeof *rows, by_seconds);
	return n_merged;
}

static void put_number(struct sr_buf *out, const char *format, double x, int width)
{
	if (x > 0)
		sr_buf_printf(out, format, width, x);
	else
		sr_buf_printf(out, "%*s", width, "-");
}

static void print_row(const struct sr_gathered_profile *g, const struct sr_profile_row *r, double total, struct sr_buf *out)
{
	double active = r->seconds - r->wait;
	sr_buf_printf(out, "  %10.3f %5.1f%% %8lld", 1e3 * r->seconds, total > 0 ? 100 * r->seconds / total : 0,
		      (long long)(r->calls / g->executions));
	put_number(out, " %*.1f", active > 0 ? r->bytes / active / 1e9 : 0, 7);
	put_number(out, " %*.1f", active > 0 ? r->flops / active / 1e9 : 0, 7);
	put_number(out, " %*.0f%%", active > 0 ? 100 * r->estimate / active : 0, 7);
	put_number(out, " %*.3f", 1e3 * r->wait, 9);
	sr_buf_printf(out, "  %s %s\n", sr_program_string(g->program, r->op), sr_program_string(g->program, r->place));
}

struct sr_profile_rows sr_profile_rows_of(const struct sr_gathered_profile *g, const struct sr_machine *machine,
					  struct sr_arena *arena)
{
	uint64_t n_steps = g->program->instrs.n;
	struct sr_cost *costs = SR_NEW_ARRAY(arena, struct sr_cost, n_steps + 1);
	struct sr_profile_rows rows = {.rows = SR_NEW_ARRAY(arena, struct sr_profile_row, n_steps + 1)};
	sr_estimate_instrs(g->program, machine, arena, costs);
	for (uint64_t i = 0; i < n_steps; i++)
		if (g->calls[i] && !only_runs_nested(g, i))
			rows.rows[rows.n++] = row_of(g, i, &costs[i]);
	rows.n = merge_rows(rows.rows, rows.n);
	return rows;
}

void sr_profile_table(const struct sr_gathered_profile *g, const struct sr_profile_rows *rows, struct sr_buf *out)
{
	int64_t n = rows->n;
	double total = 0, rest_seconds = 0;
	for (int64_t i = 0; i < n; i++)
		total += rows->rows[i].seconds;
	sr_buf_printf(out, "profile of one execution, mean of %d device%s and %lld execution%s: %.3f ms in steps\n", g->n_devices,
		      g->n_devices == 1 ? "" : "s", (long long)g->executions, g->executions == 1 ? "" : "s", 1e3 * total);
	sr_buf_printf(out, "  %10s %6s %8s %7s %7s %8s %9s  %s\n", "ms", "share", "calls", "GB/s", "GF/s", "machine", "wait ms", "step");
	for (int64_t i = 0; i < n && i < MAX_ROWS; i++)
		print_row(g, &rows->rows[i], total, out);
	for (int64_t i = MAX_ROWS; i < n; i++)
		rest_seconds += rows->rows[i].seconds;
	if (n > MAX_ROWS)
		sr_buf_printf(out, "  %10.3f %5.1f%%  %lld more\n", 1e3 * rest_seconds, total > 0 ? 100 * rest_seconds / total : 0,
			      (long long)(n - MAX_ROWS));
}

void sr_profile_report(struct sr_json *j, const struct sr_gathered_profile *g, const struct sr_profile_rows *rows)
{
	sr_json_open(j, "ops", '[');
	for (int64_t i = 0; i < rows->n; i++) {
		const struct sr_profile_row *r = &rows->rows[i];
		sr_json_open(j, NULL, '{');
		sr_json_string(j, "op", sr_program_string(g->program, r->op));
		sr_json_string(j, "place", sr_program_string(g->program, r->place));
		sr_json_bool(j, "collective", r->collective);
		sr_json_int(j, "calls", r->calls / g->executions);
		sr_json_double(j, "seconds", r->seconds);
		sr_json_double(j, "wait_s", r->wait);
		sr_json_double(j, "bytes", r->bytes);
		sr_json_double(j, "flops", r->flops);
		sr_json_double(j, "machine_s", r->estimate);
		sr_json_close(j);
	}
	sr_json_close(j);
}
