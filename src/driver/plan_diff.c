/* Compare two reports: environment, figures of plan and run, collectives that only one of them has, and the time of each op. */
#include "driver/plan_diff.h"
#include "support/json_read.h"
#include "support/vec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct row {
	const char *name;
	double old, new;
};

typedef SR_VEC(struct row) rows;

struct report_diff {
	struct sr_arena *arena;
	rows rows;
};

static struct row *find_or_add_row(struct report_diff *d, const char *name)
{
	for (size_t i = 0; i < d->rows.n; i++)
		if (!strcmp(d->rows.data[i].name, name))
			return &d->rows.data[i];
	sr_push(d->arena, &d->rows, (struct row){name, 0, 0});
	return &d->rows.data[d->rows.n - 1];
}

static const char *text_of(const struct sr_json_value *v, const char *key)
{
	const struct sr_json_value *text = sr_json_get(v, key);
	return text && text->kind == SR_JSON_STRING ? text->string : "";
}

static double number_of(const struct sr_json_value *v, const char *key)
{
	const struct sr_json_value *item = sr_json_get(v, key);
	return item && item->kind == SR_JSON_NUMBER ? item->number : 0;
}

/* Add every number in a JSON object, and in objects inside it, to the differences. A number's name is its path. */
static void add_figures(struct report_diff *d, const char *path, const struct sr_json_value *v, bool is_new)
{
	for (size_t i = 0; v && v->kind == SR_JSON_OBJECT && i < v->n; i++) {
		const struct sr_json_value *item = &v->items[i];
		const char *name = *path ? sr_printf(d->arena, "%s.%s", path, item->key) : item->key;
		if (item->kind == SR_JSON_NUMBER) {
			struct row *row = find_or_add_row(d, name);
			*(is_new ? &row->new : &row->old) = item->number;
		}
		add_figures(d, name, item, is_new);
	}
}

/* ---- environment ---- */

/* Return the hosts of a run as text: "0-3 on node1, 4-7 on node2". */
static const char *hosts_text(struct sr_arena *arena, const struct sr_json_value *hosts)
{
	const char *text = "";
	for (size_t i = 0; hosts && hosts->kind == SR_JSON_ARRAY && i < hosts->n; i++)
		text = sr_printf(arena, "%s%s%s on %s", text, i ? ", " : "", text_of(&hosts->items[i], "ranks"),
				 text_of(&hosts->items[i], "host"));
	return text;
}

/* Return a mesh as text: "x=4,y=2". */
static const char *mesh_text(struct sr_arena *arena, const struct sr_json_value *mesh)
{
	const char *text = "";
	for (size_t i = 0; mesh && mesh->kind == SR_JSON_OBJECT && i < mesh->n; i++)
		text = sr_printf(arena, "%s%s%s=%lld", text, i ? "," : "", mesh->items[i].key, (long long)mesh->items[i].number);
	return text;
}

static const char *count_text(struct sr_arena *arena, const struct sr_json_value *v)
{
	return v && v->kind == SR_JSON_NUMBER ? sr_printf(arena, "%lld", (long long)v->number) : "";
}

static void put_texts(struct sr_buf *out, const char *name, const char *old, const char *new)
{
	if (*old && *new && strcmp(old, new) != 0)
		sr_buf_printf(out, "%s: %s -> %s\n", name, old, new);
}

/* Print a line for each setting that both reports have and that differs. */
static void put_environment(struct sr_buf *out, struct sr_arena *arena, const struct sr_json_value *a, const struct sr_json_value *b)
{
	static const char *const versions[] = {"shardrun", "mpi", "blas", "dnnl"}, *const counts[] = {"devices", "ranks"};
	put_texts(out, "model", text_of(a, "model"), text_of(b, "model"));
	put_texts(out, "mesh", mesh_text(arena, sr_json_get(a, "mesh")), mesh_text(arena, sr_json_get(b, "mesh")));
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		put_texts(out, counts[i], count_text(arena, sr_json_get(a, counts[i])), count_text(arena, sr_json_get(b, counts[i])));
	put_texts(out, "hosts", hosts_text(arena, sr_json_get(a, "hosts")), hosts_text(arena, sr_json_get(b, "hosts")));
	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
		put_texts(out, versions[i], text_of(sr_json_get(a, "versions"), versions[i]),
			  text_of(sr_json_get(b, "versions"), versions[i]));
}

/* ---- figures ---- */

/* Add up the wire bytes of collectives with the same kind, shardings and cause. Locations are ignored: they change when a line
 * is inserted above. */
static void add_collectives(struct report_diff *d, const struct sr_json_value *plan, bool is_new)
{
	const struct sr_json_value *list = sr_json_get(plan, "collective_ops");
	for (size_t i = 0; list && list->kind == SR_JSON_ARRAY && i < list->n; i++) {
		const struct sr_json_value *m = &list->items[i];
		const char *from_layout = text_of(m, "from"), *axes = text_of(m, "axes");
		const char *layouts = *from_layout ? sr_printf(d->arena, " from %s to %s", from_layout, text_of(m, "to")) : "";
		const char *name = sr_printf(d->arena, "%s%s%s%s (%s)", text_of(m, "kind"), layouts, *axes ? " over " : "", axes,
					     text_of(m, "cause"));
		struct row *row = find_or_add_row(d, name);
		*(is_new ? &row->new : &row->old) += number_of(m, "wire_bytes");
	}
}

static void put_number(struct sr_buf *out, double v)
{
	if (v == (double)(int64_t)v)
		sr_buf_printf(out, " %16lld", (long long)v);
	else
		sr_buf_printf(out, " %16.6g", v);
}

static void put_rows(struct sr_buf *out, const char *title, const struct report_diff *d)
{
	size_t n = 0;
	for (size_t i = 0; i < d->rows.n; i++) {
		const struct row *row = &d->rows.data[i];
		if (row->old == row->new)
			continue;
		if (!n++)
			sr_buf_printf(out, "%16s %16s %9s  %s\n", "old", "new", "change", title);
		put_number(out, row->old);
		put_number(out, row->new);
		if (row->old == 0)
			sr_buf_printf(out, " %9s  %s\n", "new", row->name);
		else if (row->new == 0)
			sr_buf_printf(out, " %9s  %s\n", "gone", row->name);
		else
			sr_buf_printf(out, " %+8.1f%%  %s\n", 100 * (row->new - row->old) / row->old, row->name);
	}
	if (!n)
		sr_buf_printf(out, "%s: the same\n", title);
}

/* Add up the seconds per execution by op and location, as --profile writes them. */
static void add_ops(struct report_diff *d, const struct sr_json_value *run, bool new)
{
	const struct sr_json_value *list = sr_json_get(run, "ops");
	for (size_t i = 0; list && list->kind == SR_JSON_ARRAY && i < list->n; i++) {
		const struct sr_json_value *op = &list->items[i];
		const char *location = text_of(op, "place");
		struct row *row = find_or_add_row(d, sr_printf(d->arena, "%s%s%s", text_of(op, "op"), *location ? " " : "", location));
		*(new ? &row->new : &row->old) += number_of(op, "seconds");
	}
}

static int compare_by_change(const void *x, const void *y)
{
	const struct row *a = x, *b = y;
	double p = fabs(a->new - a->old), q = fabs(b->new - b->old);
	return p != q ? (p > q ? -1 : 1) : strcmp(a->name, b->name);
}

/* Compare the runs, if both reports have one; print the ops whose time changed most. */
static void put_runs(struct sr_buf *out, struct sr_arena *arena, const struct sr_json_value *a, const struct sr_json_value *b)
{
	enum { MAX_OPS = 24 };
	struct report_diff figures = {.arena = arena}, ops = {.arena = arena};
	if (!a || !b)
		return;
	add_figures(&figures, "", a, false);
	add_figures(&figures, "", b, true);
	put_rows(out, "figures of the run", &figures);
	if (!sr_json_get(a, "ops") || !sr_json_get(b, "ops"))
		return;
	add_ops(&ops, a, false);
	add_ops(&ops, b, true);
	size_t n = ops.rows.n;
	qsort(ops.rows.data, n, sizeof *ops.rows.data, compare_by_change);
	ops.rows.n = n < MAX_OPS ? n : MAX_OPS;
	put_rows(out, "seconds of ops and collectives", &ops);
	if (n > MAX_OPS)
		sr_buf_printf(out, "and %zu more with smaller changes\n", n - MAX_OPS);
}

static enum sr_status read_report(struct sr_arena *arena, struct sr_diags *diags, const struct sr_report_text *r,
				  const struct sr_json_value **out)
{
	int line;
	*out = sr_json_read(arena, r->text, r->n, &line);
	if (sr_json_get(*out, "plan"))
		return SR_OK;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = r->file, .line = *out ? 0 : line},
			*out ? "is JSON, but not a report of shardrun: it has no \"plan\""
			     : "is not JSON, so not a report of shardrun");
}

enum sr_status sr_report_check(struct sr_arena *arena, struct sr_diags *diags, const struct sr_report_text *report)
{
	const struct sr_json_value *json;
	return read_report(arena, diags, report, &json);
}

enum sr_status sr_plan_diff(struct sr_arena *arena, struct sr_diags *diags, const struct sr_report_text *old,
			    const struct sr_report_text *new, struct sr_buf *out)
{
	const struct sr_json_value *a, *b;
	struct report_diff figures = {.arena = arena}, collectives = {.arena = arena};
	enum sr_status status = read_report(arena, diags, old, &a);
	if (!status)
		status = read_report(arena, diags, new, &b);
	if (status)
		return status;
	add_figures(&figures, "", sr_json_get(a, "plan"), false);
	add_figures(&figures, "", sr_json_get(b, "plan"), true);
	add_collectives(&collectives, sr_json_get(a, "plan"), false);
	add_collectives(&collectives, sr_json_get(b, "plan"), true);
	put_environment(out, arena, a, b);
	put_rows(out, "figures of the plan", &figures);
	put_rows(out, "wire bytes by collective", &collectives);
	put_runs(out, arena, sr_json_get(a, "run"), sr_json_get(b, "run"));
	return SR_OK;
}
