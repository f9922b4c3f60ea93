/* The page as HTML: one file that refers to no other. */
#include "driver/page.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { AXIS_COLOURS = 8, HEAVIEST = 200 };

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
	"content=\"width=device-width\">\n"
	"<style>\n"
	"body{font:14px/1.45 system-ui,sans-serif;margin:1.5em auto;max-width:1500px;padding:0 "
	"1em;color:#1b1f24;background:#fff}\n"
	"h1{font-size:1.35em;margin:0 0 .3em}h2{font-size:1.1em;margin:1.6em 0 .4em}\n"
	"table{border-collapse:collapse;width:100%}th{text-align:left;font-weight:600;border-bottom:2px solid "
	"#d0d7de;position:sticky;top:0;background:#fff}\n"
	"td,th{padding:.15em .6em;vertical-align:top}td{border-bottom:1px solid #eef1f4}\n"
	"tbody tr:target{background:#fff8c5}tbody tr:hover{background:#f6f8fa}\n"
	"code,.m{font:12.5px/1.45 "
	"ui-monospace,Menlo,Consolas,monospace}.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
	".t{color:#57606a}.s{color:#57606a;font-size:12px;overflow-wrap:anywhere}.f td{background:#f6f8fa;font-weight:600}\n"
	".h{white-space:nowrap}.c{color:#8c959f}.bar{display:inline-block;height:.65em;background:#cf5f2e;margin-right:.4em}\n"
	".a{border-radius:3px;padding:0 "
	".25em;color:#fff}.a0{background:#0969da}.a1{background:#1a7f37}.a2{background:#9a4a00}.a3{background:#8250df}\n"
	".a4{background:#bf3989}.a5{background:#57606a}.a6{background:#0e7490}.a7{background:#7a6a00}\n"
	"#q{font:inherit;padding:.3em .6em;width:28em;max-width:100%;margin:.3em "
	"0}dl{display:grid;grid-template-columns:max-content auto;gap:.1em 1em;margin:0}\n"
	"dt{color:#57606a}dd{margin:0}\n"
	"@media(prefers-color-scheme:dark){body,th{background:#0d1117;color:#e6edf3}td{border-color:#21262d}tbody tr:hover,.f "
	"td{background:#161b22}"
	"tbody tr:target{background:#3b2f00}.t,.s,dt{color:#8b949e}}\n"
	"</style>\n";

static const char script[] =
	"<script>\n"
	"const q=document.getElementById('q'),rows=[...document.querySelectorAll('#program tbody tr')];\n"
	"q.oninput=()=>{const w=q.value.toLowerCase();for(const r of rows)r.hidden=w&&!r.textContent.toLowerCase().includes(w)}\n"
	"</script>\n";

struct writer {
	const struct sr_page *page;
	const struct sr_compiled *compiled;
	struct sr_buf *out;
	int64_t most; /* wire bytes of one row */
};

static void put_text(struct sr_buf *out, const char *s)
{
	for (; *s; s++)
		switch (*s) {
		case '<': sr_buf_puts(out, "&lt;"); break;
		case '>': sr_buf_puts(out, "&gt;"); break;
		case '&': sr_buf_puts(out, "&amp;"); break;
		case '"': sr_buf_puts(out, "&quot;"); break;
		default: sr_buf_putc(out, *s);
		}
}

static int axis_colour(const struct sr_mesh *mesh, const char *name, size_t n)
{
	for (int i = 0; mesh && i < mesh->n_axes; i++)
		if (!strncmp(mesh->axes[i].name, name, n) && !mesh->axes[i].name[n])
			return i % AXIS_COLOURS;
	return AXIS_COLOURS - 1;
}

static void put_axis(struct writer *w, const char *name, size_t n)
{
	sr_buf_printf(w->out, "<span class=\"a a%d\">", axis_colour(w->compiled->mesh, name, n));
	for (size_t i = 0; i < n; i++)
		put_text(w->out, (char[]){name[i], 0});
	sr_buf_puts(w->out, "</span>");
}

/* A sharding as it prints, each quoted axis in its colour. */
static void put_sharding(struct writer *w, const char *text)
{
	if (!text) {
		sr_buf_puts(w->out, "<span class=\"c\">&ndash;</span>");
		return;
	}
	for (const char *s = text; *s;) {
		const char *end = *s == '"' ? strchr(s + 1, '"') : NULL;
		if (end) {
			put_axis(w, s + 1, (size_t)(end - s - 1));
			s = end + 1;
		} else {
			put_text(w->out, (char[]){*s++, 0});
		}
	}
}

static void put_bytes(struct sr_buf *out, int64_t bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	double v = (double)bytes;
	size_t u = 0;
	for (; v >= 1000 && u + 1 < sizeof units / sizeof *units; u++)
		v /= 1000;
	sr_buf_printf(out, u ? "%.3g&nbsp;%s" : "%.0f&nbsp;%s", v, units[u]);
}

static void figure(struct writer *w, const char *name, int64_t bytes)
{
	sr_buf_printf(w->out, "<dt>%s</dt><dd>", name);
	put_bytes(w->out, bytes);
	sr_buf_printf(w->out, " <span class=\"c\">(%" PRId64 " bytes)</span></dd>\n", bytes);
}

static void put_summary(struct writer *w, const char *model)
{
	const struct sr_compiled *c = w->compiled;
	const struct sr_program *p = c->program;
	sr_buf_puts(w->out, "<title>");
	put_text(w->out, model);
	sr_buf_puts(w->out, "</title></head><body>\n<h1>");
	put_text(w->out, model);
	sr_buf_puts(w->out, "</h1>\n<dl>\n<dt>mesh</dt><dd>");
	for (int i = 0; c->mesh && i < c->mesh->n_axes; i++) {
		put_axis(w, c->mesh->axes[i].name, strlen(c->mesh->axes[i].name));
		sr_buf_printf(w->out, "&nbsp;=&nbsp;%lld ", (long long)c->mesh->axes[i].size);
	}
	sr_buf_printf(w->out, "%s</dd>\n<dt>devices</dt><dd>%lld</dd>\n", c->mesh ? "" : "none", (long long)c->n_devices);
	figure(w, "arguments, a device", p->argument_bytes);
	figure(w, "results", p->output_bytes);
	figure(w, "temporaries", p->temp_bytes);
	sr_buf_printf(w->out, "<dt>operations of products</dt><dd>%.4g</dd>\n</dl>\n", (double)p->flops);
}

static void put_kinds(struct writer *w)
{
	sr_buf_puts(w->out, "<h2>Collectives by kind</h2>\n<table><thead><tr><th>kind<th class=\"n\">ops<th class=\"n\">bytes of "
			    "results<th class=\"n\">on the wire"
			    "</tr></thead><tbody>\n");
	for (int i = 0; i < SR_COST_KINDS; i++) {
		const struct sr_collective_cost *c = &w->compiled->costs[i];
		if (!c->count)
			continue;
		sr_buf_printf(w->out, "<tr><td>%s<td class=\"n\">%" PRId64 "<td class=\"n\">", c->kind, c->count);
		put_bytes(w->out, c->bytes);
		sr_buf_puts(w->out, "<td class=\"n\">");
		put_bytes(w->out, c->wire_bytes);
		sr_buf_puts(w->out, "</tr>\n");
	}
	sr_buf_puts(w->out, "</tbody></table>\n");
}

static void put_bar(struct writer *w, int64_t bytes)
{
	if (!bytes)
		return;
	sr_buf_printf(w->out, "<span class=\"bar\" style=\"width:%.0fpx\"></span>",
		      w->most ? 60.0 * (double)bytes / (double)w->most : 0);
	put_bytes(w->out, bytes);
}

static int heavier(const void *a, const void *b)
{
	const struct sr_page_collective *x = *(const struct sr_page_collective *const *)a,
					*y = *(const struct sr_page_collective *const *)b;
	if (x->cost.wire_bytes != y->cost.wire_bytes)
		return x->cost.wire_bytes < y->cost.wire_bytes ? 1 : -1;
	return x < y ? -1 : x > y; /* in the program's order */
}

static void put_source(struct writer *w, const struct sr_page_row *row)
{
	if (row->said)
		put_text(w->out, row->said);
	if (row->said && row->place)
		sr_buf_puts(w->out, "<br>");
	const char *slash = row->place ? strrchr(row->place, '/') : NULL;
	if (!row->place)
		return;
	sr_buf_puts(w->out, "<span title=\"");
	put_text(w->out, row->place);
	sr_buf_puts(w->out, "\">");
	put_text(w->out, slash ? slash + 1 : row->place);
	sr_buf_puts(w->out, "</span>");
}

static void put_collective(struct writer *w, const struct sr_page_collective *c)
{
	const struct sr_page_row *row = c->row == SIZE_MAX ? NULL : &w->page->rows.data[c->row];
	sr_buf_printf(w->out, "<tr><td>%s<td class=\"m t\">", c->cost.kind);
	put_text(w->out, c->type);
	sr_buf_puts(w->out, "<td class=\"n\">");
	if (c->group_size)
		sr_buf_printf(w->out, "%" PRId64, c->group_size);
	sr_buf_puts(w->out, "<td class=\"n\">");
	put_bar(w, c->cost.wire_bytes);
	sr_buf_puts(w->out, "<td>");
	put_text(w->out, c->cause ? c->cause : "as written");
	sr_buf_puts(w->out, "<td class=\"m\">");
	if (row) {
		sr_buf_printf(w->out, "<a href=\"#r%zu\">", c->row);
		put_text(w->out, row->name ? row->name : "");
		sr_buf_puts(w->out, "</a> ");
		put_text(w->out, row->text);
	}
	sr_buf_puts(w->out, "<td class=\"s\">");
	if (row)
		put_source(w, row);
	sr_buf_puts(w->out, "</tr>\n");
}

static void put_collectives(struct writer *w)
{
	size_t n = w->page->collectives.n, shown = n < HEAVIEST ? n : HEAVIEST;
	const struct sr_page_collective **order = SR_NEWS(w->page->ctx->arena, const struct sr_page_collective *, n ? n : 1);
	for (size_t i = 0; i < n; i++)
		order[i] = &w->page->collectives.data[i];
	qsort(order, n, sizeof *order, heavier);
	sr_buf_puts(w->out, "<h2>Collectives, the heaviest first</h2>\n");
	if (shown < n)
		sr_buf_printf(w->out, "<p class=\"t\">%zu of %zu; all are counted at their ops below.</p>\n", shown, n);
	sr_buf_puts(w->out, "<table><thead><tr><th>kind<th>result on a device<th class=\"n\">devices<th class=\"n\">on the "
			    "wire<th>cause<th>for<th>source"
			    "</tr></thead><tbody>\n");
	for (size_t i = 0; i < shown; i++)
		put_collective(w, order[i]);
	sr_buf_puts(w->out, "</tbody></table>\n");
}

static void put_row(struct writer *w, size_t i)
{
	const struct sr_page_row *row = &w->page->rows.data[i];
	sr_buf_printf(w->out, "<tr id=\"r%zu\"%s><td class=\"m\" style=\"padding-left:%dem\">", i,
		      row->heading ? " class=\"f\"" : "", 1 + 2 * row->depth);
	if (row->name) {
		put_text(w->out, row->name);
		sr_buf_puts(w->out, *row->text ? " = " : "");
	}
	put_text(w->out, row->text);
	sr_buf_puts(w->out, "<td class=\"m t\">");
	put_text(w->out, row->type ? row->type : "");
	sr_buf_puts(w->out, "<td class=\"m h\">");
	if (row->type)
		put_sharding(w, row->before);
	sr_buf_puts(w->out, "<td class=\"m h\">");
	if (row->type)
		put_sharding(w, row->after);
	sr_buf_puts(w->out, "<td class=\"n\">");
	put_bar(w, row->wire_bytes);
	sr_buf_puts(w->out, "<td class=\"s\">");
	put_source(w, row);
	sr_buf_puts(w->out, "</tr>\n");
}

void sr_page_write(struct sr_page *page, const char *model, const struct sr_compiled *compiled, struct sr_buf *out)
{
	struct writer w = {page, compiled, out, 0};
	for (size_t i = 0; i < page->rows.n; i++)
		if (page->rows.data[i].wire_bytes > w.most)
			w.most = page->rows.data[i].wire_bytes;
	sr_buf_puts(out, head);
	put_summary(&w, model);
	put_kinds(&w);
	put_collectives(&w);
	sr_buf_puts(out, "<h2>Program</h2>\n<p><input id=\"q\" placeholder=\"show lines with...\" aria-label=\"filter\"></p>\n"
			 "<table id=\"program\"><thead><tr><th>op<th>type<th>sharding given<th>after propagation<th "
			 "class=\"n\">on the wire<th>source"
			 "</tr></thead><tbody>\n");
	for (size_t i = 0; i < page->rows.n; i++)
		put_row(&w, i);
	sr_buf_puts(out, "</tbody></table>\n");
	sr_buf_puts(out, script);
	sr_buf_puts(out, "</body></html>\n");
}
