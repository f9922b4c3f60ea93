/* Write the HTML page as one file without references to other files. */
#include "driver/page_html.h"
#include <inttypes.h>
#include <string.h>

enum { AXIS_COLOURS = 8, MAX_OPEN_ROWS = 3000 }; /* MAX_OPEN_ROWS: the section on the program starts closed if it has more rows */

/* In narrow windows, the cells of a table of class "flow" are stacked, each labelled with its column's name. */
static const char html_head[] =
	"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
	"<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
	"<style>\n"
	"body{font:14px/1.45 system-ui,sans-serif;margin:1.5em auto;max-width:1500px;padding:0 1em;color:#1b1f24;background:#fff}\n"
	"h1{font-size:1.35em;margin:0 0 .3em;overflow-wrap:anywhere}h2{font-size:1.1em;display:inline}\n"
	".part{margin:1.4em 0 0}summary{cursor:pointer}.part>summary{margin:0 0 .4em}\n"
	"table{border-collapse:collapse;width:100%}\n"
	"th{text-align:left;font-weight:600;border-bottom:2px solid #d0d7de;position:sticky;top:0;background:#fff}\n"
	"th button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer}\n"
	"th[aria-sort=ascending] button::after{content:\" \\2191\"}th[aria-sort=descending] button::after{content:\" \\2193\"}\n"
	"td,th{padding:.15em .6em;vertical-align:top}td{border-bottom:1px solid #eef1f4}\n"
	"tr:target{background:#fff8c5}tbody tr:hover{background:#f6f8fa}\n"
	"code,.m{font:12.5px/1.45 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}\n"
	".n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
	".t{color:#57606a}.s{color:#57606a;font-size:12px;overflow-wrap:anywhere}.s code{font-size:11.5px;color:#1b1f24}\n"
	".f td{background:#f6f8fa;font-weight:600}.w{min-width:22em}.o{white-space:nowrap}\n"
	"#collectives .s{min-width:9em}#program .t{white-space:nowrap}ol{margin:.3em 0;padding-left:1.6em}\n"
	".d{padding-left:calc(1em + 2em*var(--d,0))}\n"
	".c{color:#8c959f}.bar{display:inline-block;height:.65em;background:#cf5f2e;margin-right:.4em}\n"
	".a{border-radius:3px;padding:0 .25em;color:#fff}.a0{background:#0969da}.a1{background:#1a7f37}.a2{background:#9a4a00}\n"
	".a3{background:#8250df}.a4{background:#bf3989}.a5{background:#57606a}.a6{background:#0e7490}.a7{background:#7a6a00}\n"
	"#q{font:inherit;padding:.3em .6em;width:28em;max-width:100%;box-sizing:border-box;margin:.3em 0}\n"
	"dl{display:grid;grid-template-columns:max-content auto;gap:.1em 1em;margin:0}dt{color:#57606a}dd{margin:0}\n"
	"@media(max-width:800px){\n"
	".flow,.flow tbody,.flow tr,.flow td{display:block}.flow thead{display:none}#collectives thead{display:block}\n"
	"#collectives th{display:inline-block;border:0;position:static;padding:0 .8em .3em 0}\n"
	".flow tr{border-bottom:1px solid #d0d7de;padding:.3em 0}.flow td{border:0;padding:0 0 0 .2em;text-align:left}\n"
	".flow .o,#program .t{white-space:normal}\n"
	".flow .w,#collectives .s{min-width:0}\n"
	".flow tr[hidden],.flow td:empty{display:none}.flow .d{padding-left:calc(.2em + .6em*var(--d,0))}\n"
	".flow td::before{color:#8c959f;font:12px system-ui,sans-serif}\n"
	"#collectives td:nth-child(2)::before{content:\"count \"}#collectives td:nth-child(3)::before{content:\"result bytes \"}\n"
	"#collectives td:nth-child(4)::before{content:\"wire bytes \"}#program td:nth-child(3)::before{content:\"before propagation \"}\n"
	"#program td:nth-child(4)::before{content:\"after propagation \"}\n"
	"#program td:nth-child(5)::before{content:\"wire bytes \"}\n"
	".flow td:first-child{font-weight:600}}\n"
	"@media(prefers-color-scheme:dark){body,th{background:#0d1117;color:#e6edf3}td{border-color:#21262d}\n"
	"tbody tr:hover,.f td{background:#161b22}tr:target{background:#3b2f00}.t,.s,dt{color:#8b949e}.s code{color:#e6edf3}\n"
	"a{color:#58a6ff}}\n"
	"</style>\n";

static const char html_script[] =
	"<script>\n"
	"const q=document.getElementById('q'),rows=[...document.querySelectorAll('#program tbody tr')];\n"
	"q.oninput=()=>{const w=q.value.toLowerCase();for(const r of rows)r.hidden=w&&!r.textContent.toLowerCase().includes(w)};\n"
	"const table=document.getElementById('collectives'),heads=[...table.tHead.rows[0].cells],body=table.tBodies[0];\n"
	"heads.forEach((h,i)=>h.onclick=()=>{\n"
	"const number=h.classList.contains('n'),old=h.getAttribute('aria-sort'),down=old?old=='ascending':number;\n"
	"for(const o of heads)o.removeAttribute('aria-sort');\n"
	"h.setAttribute('aria-sort',down?'descending':'ascending');\n"
	"const value=r=>number?+r.cells[i].dataset.v:r.cells[i].textContent,sign=down?-1:1;\n"
	"const compare=(a,b)=>{const x=value(a),y=value(b);return sign*(number?x-y:x.localeCompare(y,undefined,{numeric:true}))};\n"
	"body.append(...[...body.rows].sort(compare))});\n"
	"const part=document.getElementById('program').closest('details');\n"
	"const show=()=>{const to=document.getElementById(location.hash.slice(1));"
	"if(to){part.open=true;to.hidden=false;to.scrollIntoView({block:'center'})}};\n"
	"addEventListener('hashchange',show);show();\n"
	"</script>\n";

void sr_html_text(struct sr_buf *out, const char *s)
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

static void put_axis(struct sr_page_writer *w, const char *name, size_t n)
{
	sr_buf_printf(w->out, "<span class=\"a a%d\">", axis_colour(w->compiled->mesh, name, n));
	for (size_t i = 0; i < n; i++)
		sr_html_text(w->out, (char[]){name[i], 0});
	sr_buf_puts(w->out, "</span>");
}

/* Print a sharding, each quoted axis in its colour. */
static void put_sharding(struct sr_page_writer *w, const char *text)
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
			sr_html_text(w->out, (char[]){*s++, 0});
		}
	}
}

void sr_html_bytes(struct sr_buf *out, int64_t bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	double v = (double)bytes;
	size_t u = 0;
	for (; v >= 1000 && u + 1 < sizeof units / sizeof *units; u++)
		v /= 1000;
	sr_buf_printf(out, u ? "%.3g&nbsp;%s" : "%.0f&nbsp;%s", v, units[u]);
}

static void put_byte_figure(struct sr_page_writer *w, const char *name, int64_t bytes)
{
	sr_buf_printf(w->out, "<dt>%s</dt><dd>", name);
	sr_html_bytes(w->out, bytes);
	sr_buf_printf(w->out, " <span class=\"c\">(%" PRId64 " bytes)</span></dd>\n", bytes);
}

static void put_summary(struct sr_page_writer *w, const char *model)
{
	const struct sr_compiled *c = w->compiled;
	const struct sr_program *p = c->program;
	sr_buf_puts(w->out, "<title>");
	sr_html_text(w->out, model);
	sr_buf_puts(w->out, "</title></head><body>\n<h1>");
	sr_html_text(w->out, model);
	sr_buf_puts(w->out, "</h1>\n<dl>\n<dt>mesh</dt><dd>");
	for (int i = 0; c->mesh && i < c->mesh->n_axes; i++) {
		put_axis(w, c->mesh->axes[i].name, strlen(c->mesh->axes[i].name));
		sr_buf_printf(w->out, "&nbsp;=&nbsp;%lld ", (long long)c->mesh->axes[i].size);
	}
	sr_buf_printf(w->out, "%s</dd>\n<dt>devices</dt><dd>%lld</dd>\n", c->mesh ? "" : "none", (long long)c->n_devices);
	put_byte_figure(w, "memory per device", p->argument_bytes + p->output_bytes - p->alias_bytes + p->temp_bytes);
	put_byte_figure(w, "arguments", p->argument_bytes);
	put_byte_figure(w, "results", p->output_bytes);
	put_byte_figure(w, "results in donated memory", p->alias_bytes);
	put_byte_figure(w, "temporaries", p->temp_bytes);
	sr_buf_printf(w->out, "<dt>FLOPs</dt><dd>%.4g</dd>\n", (double)p->flops);
	sr_page_write_time(w);
	sr_buf_puts(w->out, "</dl>\n");
}

static void put_kinds(struct sr_page_writer *w)
{
	sr_buf_puts(w->out, "<details class=\"part\" open><summary><h2>Collectives by kind</h2></summary>\n");
	sr_buf_puts(w->out, "<table><thead><tr><th>kind<th class=\"n\">count<th class=\"n\">result "
			    "bytes<th class=\"n\">wire bytes"
			    "</tr></thead><tbody>\n");
	for (int i = 0; i < SR_COLL_COUNT; i++) {
		const struct sr_collective_cost *c = &w->compiled->program->collectives[i];
		if (!c->count)
			continue;
		sr_buf_printf(w->out, "<tr><td>%s<td class=\"n\">%" PRId64 "<td class=\"n\">", sr_coll_report_name((enum sr_coll)i), c->count);
		sr_html_bytes(w->out, c->bytes);
		sr_buf_puts(w->out, "<td class=\"n\">");
		sr_html_bytes(w->out, c->wire_bytes);
		sr_buf_puts(w->out, "</tr>\n");
	}
	sr_buf_puts(w->out, "</tbody></table></details>\n");
}

void sr_html_bar(struct sr_page_writer *w, int64_t bytes)
{
	if (!bytes)
		return;
	sr_buf_printf(w->out, "<span class=\"bar\" style=\"width:%.0fpx\"></span>",
		      w->max_value ? 60.0 * (double)bytes / (double)w->max_value : 0);
	sr_html_bytes(w->out, bytes);
}

void sr_html_source(struct sr_page_writer *w, const struct sr_page_row *row)
{
	if (row->source_name)
		sr_html_text(w->out, row->source_name);
	if (row->source_name && row->place)
		sr_buf_puts(w->out, "<br>");
	if (!row->place)
		return;
	const char *slash = strrchr(row->place, '/');
	sr_buf_puts(w->out, "<span title=\"");
	sr_html_text(w->out, row->place);
	sr_buf_puts(w->out, "\">");
	sr_html_text(w->out, slash ? slash + 1 : row->place);
	sr_buf_puts(w->out, "</span>");
	if (!row->source)
		return;
	sr_buf_puts(w->out, "<br><code>");
	sr_html_text(w->out, row->source);
	sr_buf_puts(w->out, "</code>");
}

static void put_row(struct sr_page_writer *w, size_t i)
{
	const struct sr_page_row *row = &w->page->rows.data[i];
	sr_buf_printf(w->out, "<tr id=\"r%zu\"%s><td class=\"m d\" style=\"--d:%d\">", i,
		      row->is_heading ? " class=\"f\"" : "", row->depth);
	if (row->name) {
		sr_html_text(w->out, row->name);
		sr_buf_puts(w->out, *row->text ? " = " : "");
	}
	sr_html_text(w->out, row->text);
	sr_buf_puts(w->out, "<td class=\"m t\">");
	sr_html_text(w->out, row->type ? row->type : "");
	sr_buf_puts(w->out, "<td class=\"m\">");
	if (row->type)
		put_sharding(w, row->shardings_before);
	sr_buf_puts(w->out, "<td class=\"m\">");
	if (row->type)
		put_sharding(w, row->sharding_after);
	sr_buf_puts(w->out, "<td class=\"n\">");
	sr_html_bar(w, row->wire_bytes);
	sr_buf_puts(w->out, "<td class=\"s\">");
	sr_html_source(w, row);
	sr_buf_puts(w->out, "</tr>\n");
}

void sr_page_write(struct sr_page *page, const struct sr_compiled *compiled, struct sr_buf *out)
{
	struct sr_page_writer w = {page, compiled, out, 0};
	sr_buf_puts(out, html_head);
	put_summary(&w, page->model);
	sr_page_write_memory(&w);
	put_kinds(&w);
	sr_page_write_collectives(&w);
	for (size_t i = w.max_value = 0; i < page->rows.n; i++)
		if (page->rows.data[i].wire_bytes > w.max_value)
			w.max_value = page->rows.data[i].wire_bytes;
	sr_buf_printf(out, "<details class=\"part\"%s><summary><h2>Program</h2></summary>\n",
		      page->rows.n <= MAX_OPEN_ROWS ? " open" : "");
	sr_buf_puts(out,
		    "<p><input id=\"q\" placeholder=\"filter rows by text\" aria-label=\"filter\"></p>\n"
		    "<table id=\"program\" class=\"flow\"><thead><tr><th>op<th>type<th>sharding before propagation<th>after<th "
		    "class=\"n\">wire bytes<th>source"
		    "</tr></thead><tbody>\n");
	for (size_t i = 0; i < page->rows.n; i++)
		put_row(&w, i);
	sr_buf_puts(out, "</tbody></table></details>\n");
	sr_buf_puts(out, html_script);
	sr_buf_puts(out, "</body></html>\n");
}
