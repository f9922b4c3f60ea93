/* Two reports side by side: the plan's figures that differ, and the collectives that only one of them has. */
#include "driver/plan_diff.h"
#include "support/json_read.h"
#include "support/vec.h"
#include <stdlib.h>
#include <string.h>

struct row {
	const char *name;
	double old, new;
};

typedef SR_VEC(struct row) rows;

struct diff {
	struct sr_arena *arena;
	rows rows;
};

static struct row *row_named(struct diff *d, const char *name)
{
	for (size_t i = 0; i < d->rows.n; i++)
		if (!strcmp(d->rows.data[i].name, name))
			return &d->rows.data[i];
	sr_push(d->arena, &d->rows, (struct row){name, 0, 0});
	return &d->rows.data[d->rows.n - 1];
}

/* Every number below an object, by the path to it. */
static void add_figures(struct diff *d, const char *path, const struct sr_json_value *v, bool new)
{
	for (size_t i = 0; v && v->kind == SR_JSON_OBJECT && i < v->n; i++) {
		const struct sr_json_value *item = &v->items[i];
		const char *name = *path ? sr_printf(d->arena, "%s.%s", path, item->key) : item->key;
		if (item->kind == SR_JSON_NUMBER) {
			struct row *row = row_named(d, name);
			*(new ? &row->new : &row->old) = item->number;
		}
		add_figures(d, name, item, new);
	}
}

static const char *text_of(const struct sr_json_value *v, const char *key)
{
	const struct sr_json_value *text = sr_json_get(v, key);
	return text && text->kind == SR_JSON_STRING ? text->string : "";
}

static double number_of(const struct sr_json_value *v, const char *key)
{
	const struct sr_json_value *number = sr_json_get(v, key);
	return number && number->kind == SR_JSON_NUMBER ? number->number : 0;
}

/* Bytes on the wire of collectives of one kind between the same layouts; places differ where a line was added above. */
static void add_moves(struct diff *d, const struct sr_json_value *plan, bool new)
{
	const struct sr_json_value *list = sr_json_get(plan, "moves");
	for (size_t i = 0; list && list->kind == SR_JSON_ARRAY && i < list->n; i++) {
		const struct sr_json_value *m = &list->items[i];
		const char *from = text_of(m, "from"), *axes = text_of(m, "axes");
		const char *layouts = *from ? sr_printf(d->arena, " from %s to %s", from, text_of(m, "to")) : "";
		const char *name = sr_printf(d->arena, "%s%s%s%s (%s)", text_of(m, "kind"), layouts, *axes ? " over " : "", axes,
					     text_of(m, "cause"));
		struct row *row = row_named(d, name);
		*(new ? &row->new : &row->old) += number_of(m, "wire_bytes");
	}
}

static void put_number(struct sr_buf *out, double v)
{
	if (v == (double)(int64_t)v)
		sr_buf_printf(out, " %16lld", (long long)v);
	else
		sr_buf_printf(out, " %16.6g", v);
}

static void put_rows(struct sr_buf *out, const char *title, const struct diff *d)
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

enum sr_status sr_plan_diff(struct sr_arena *arena, struct sr_diags *diags, const char *file, const char *old, size_t n_old,
			    const char *new, size_t n_new, struct sr_buf *out)
{
	int line;
	const struct sr_json_value *a = sr_json_read(arena, old, n_old, &line), *a_plan = sr_json_get(a, "plan");
	if (!a_plan)
		return sr_error(diags, SR_USAGE, (struct sr_place){.file = file, .line = a ? 0 : line},
				a ? "is JSON, but no report of shardrun: it has no \"plan\""
				  : "is no JSON, and so no report of shardrun");
	const struct sr_json_value *b = sr_json_read(arena, new, n_new, &line), *b_plan = sr_json_get(b, "plan");
	struct diff figures = {.arena = arena}, moves = {.arena = arena};
	add_figures(&figures, "", a_plan, false);
	add_figures(&figures, "", b_plan, true);
	add_moves(&moves, a_plan, false);
	add_moves(&moves, b_plan, true);
	put_rows(out, "figures of the plan", &figures);
	put_rows(out, "bytes on the wire by collective", &moves);
	return SR_OK;
}
