/* The section on collectives of the HTML page. Collectives are grouped by kind, op and source line (or result type, if the program
 * has no source lines), largest group first; a click on a group shows its members. */
#include "driver/page_html.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS_SHOWN = 500, MEMBERS_SHOWN = 100 };

struct collective_group {
	const char *key;
	SR_VEC(const struct sr_page_collective *) members;
	int64_t bytes, wire_bytes;
};

typedef SR_VEC(struct collective_group) groups;

static const struct sr_page_row *program_row(const struct sr_page_writer *w, const struct sr_page_collective *c)
{
	return c->row == SIZE_MAX ? NULL : &w->page->rows.data[c->row];
}

static bool is_in_model(const struct sr_page_writer *w, const struct sr_page_row *row)
{
	size_t n = strlen(w->page->model);
	return row->place && !strncmp(row->place, w->page->model, n) && row->place[n] == ':';
}

static const char *group_key(const struct sr_page_writer *w, const struct sr_page_collective *c)
{
	const struct sr_page_row *row = program_row(w, c);
	if (!row)
		return sr_printf(w->page->ctx->arena, "%s\n%s", sr_coll_report_name(c->kind), c->cause);
	return sr_printf(w->page->ctx->arena, "%s\n%s\n%s", sr_coll_report_name(c->kind), row->op,
			 row->place && !is_in_model(w, row) ? row->place : c->type);
}

struct keyed_collective {
	const char *key;
	const struct sr_page_collective *c;
};

static int compare_by_key(const void *a, const void *b)
{
	const struct keyed_collective *x = a, *y = b;
	int order = strcmp(x->key, y->key);
	return order ? order : x->c < y->c ? -1 : x->c > y->c; /* collectives with equal keys are ordered as in the program */
}

static int compare_by_wire_bytes(const void *a, const void *b)
{
	const struct collective_group *x = a, *y = b;
	if (x->wire_bytes != y->wire_bytes)
		return x->wire_bytes < y->wire_bytes ? 1 : -1;
	return strcmp(x->key, y->key);
}

static groups make_groups(struct sr_page_writer *w)
{
	struct sr_arena *arena = w->page->ctx->arena;
	size_t n = w->page->collectives.n;
	struct keyed_collective *all = SR_NEW_ARRAY(arena, struct keyed_collective, n + 1);
	groups list = {0};
	for (size_t i = 0; i < n; i++) {
		all[i].c = &w->page->collectives.data[i];
		all[i].key = group_key(w, all[i].c);
	}
	qsort(all, n, sizeof *all, compare_by_key);
	for (size_t i = 0; i < n; i++) {
		if (!i || strcmp(all[i].key, all[i - 1].key))
			sr_push(arena, &list, (struct collective_group){.key = all[i].key});
		struct collective_group *group = &list.data[list.n - 1];
		sr_push(arena, &group->members, all[i].c);
		group->bytes += all[i].c->cost.bytes;
		group->wire_bytes += all[i].c->cost.wire_bytes;
	}
	if (list.n)
		qsort(list.data, list.n, sizeof *list.data, compare_by_wire_bytes);
	return list;
}

static void put_link(struct sr_page_writer *w, const struct sr_page_collective *c)
{
	const struct sr_page_row *row = program_row(w, c);
	if (!row)
		return;
	sr_buf_printf(w->out, "<a class=\"m\" href=\"#r%zu\">", c->row);
	if (row->function) {
		sr_html_text(w->out, row->function);
		sr_buf_putc(w->out, ' ');
	}
	sr_html_text(w->out, row->name ? row->name : row->op);
	sr_buf_puts(w->out, "</a>: ");
}

/* Print a collective: value, cause, type, group size. */
static void put_member(struct sr_page_writer *w, const struct sr_page_collective *c)
{
	put_link(w, c);
	sr_html_text(w->out, c->cause);
	sr_buf_puts(w->out, " <span class=\"s m\">");
	sr_html_text(w->out, c->type);
	if (c->group_size)
		sr_buf_printf(w->out, " in groups of %" PRId64, c->group_size);
	sr_buf_puts(w->out, "</span>");
}

static void put_members(struct sr_page_writer *w, const struct collective_group *group)
{
	size_t n = group->members.n;
	if (n == 1) {
		put_member(w, group->members.data[0]);
		return;
	}
	sr_buf_puts(w->out, "<details><summary>");
	put_link(w, group->members.data[0]);
	sr_html_text(w->out, group->members.data[0]->cause);
	sr_buf_printf(w->out, " <span class=\"s\">and %zu more</span></summary><ol>", n - 1);
	for (size_t i = 0; i < n && i < MEMBERS_SHOWN; i++) {
		sr_buf_puts(w->out, "<li>");
		put_member(w, group->members.data[i]);
	}
	sr_buf_puts(w->out, "</ol>");
	if (n > MEMBERS_SHOWN)
		sr_buf_printf(w->out, "<p class=\"t\">%d of %zu</p>", MEMBERS_SHOWN, n);
	sr_buf_puts(w->out, "</details>");
}

static void put_group(struct sr_page_writer *w, const struct collective_group *group)
{
	const struct sr_page_collective *first_member = group->members.data[0];
	const struct sr_page_row *row = program_row(w, first_member);
	sr_buf_printf(w->out, "<tr><td class=\"o\">%s<td class=\"n\" data-v=\"%zu\">%zu", sr_coll_report_name(first_member->kind), group->members.n,
		      group->members.n);
	sr_buf_printf(w->out, "<td class=\"n\" data-v=\"%" PRId64 "\">", group->bytes);
	sr_html_bytes(w->out, group->bytes);
	sr_buf_printf(w->out, "<td class=\"n\" data-v=\"%" PRId64 "\">", group->wire_bytes);
	sr_html_bar(w, group->wire_bytes);
	sr_buf_puts(w->out, "<td class=\"m o\">");
	sr_html_text(w->out, row ? row->op : "");
	sr_buf_puts(w->out, "<td class=\"s\">");
	if (row)
		sr_html_source(w, row);
	sr_buf_puts(w->out, "<td class=\"w\">");
	put_members(w, group);
	sr_buf_puts(w->out, "</tr>\n");
}

void sr_page_write_collectives(struct sr_page_writer *w)
{
	static const char *const headings[] = {"kind", "count", "result bytes", "wire bytes", "op", "source", "cause"};
	groups list = make_groups(w);
	size_t n_shown = list.n < GROUPS_SHOWN ? list.n : GROUPS_SHOWN;
	sr_buf_printf(w->out, "<details class=\"part\" open><summary><h2>Collectives by op and line</h2></summary>\n");
	if (n_shown < list.n)
		sr_buf_printf(w->out,
			      "<p class=\"t\">%zu of %zu groups are shown; the table below counts all of them at their ops.</p>\n",
			      n_shown, list.n);
	sr_buf_puts(w->out, "<table id=\"collectives\" class=\"flow\"><thead><tr>");
	for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
		sr_buf_printf(w->out, "<th%s><button>%s</button>", i >= 1 && i <= 3 ? " class=\"n\"" : "", headings[i]);
	sr_buf_puts(w->out, "</tr></thead><tbody>\n");
	w->max_value = n_shown ? list.data[0].wire_bytes : 0;
	for (size_t i = 0; i < n_shown; i++)
		put_group(w, &list.data[i]);
	sr_buf_puts(w->out, "</tbody></table></details>\n");
}
