/* The HTML page's sections on memory and on time, with advice on what would make a plan smaller. */
#include "driver/memory_needs.h"
#include "driver/page_html.h"
#include <inttypes.h>
#include <string.h>

enum { BUFFERS_SHOWN = 20, ARGUMENTS_SHOWN = 20 };

static void open_table(struct sr_page_writer *w, const char *title, const char *columns)
{
	sr_buf_printf(w->out, "<details class=\"part\" open><summary><h2>%s</h2></summary>\n", title);
	sr_buf_printf(w->out, "<table><thead><tr>%s</tr></thead><tbody>\n", columns);
}

static void close_table(struct sr_page_writer *w)
{
	sr_buf_puts(w->out, "</tbody></table></details>\n");
}

static void put_bar(struct sr_page_writer *w, int64_t bytes)
{
	sr_buf_puts(w->out, "<tr><td class=\"n\">");
	sr_html_bar(w, bytes);
}

static void put_live_buffers(struct sr_page_writer *w, const struct sr_live_memory *a)
{
	const char *slash = strrchr(a->place, '/');
	put_bar(w, a->bytes);
	sr_buf_printf(w->out, "<td class=\"n\">%" PRId64 "<td class=\"n\">", a->n_buffers);
	sr_html_bytes(w->out, a->bytes / a->n_buffers);
	sr_buf_puts(w->out, "<td class=\"m\">");
	sr_html_text(w->out, *a->op ? a->op : "donated arguments");
	sr_buf_puts(w->out, "<td class=\"s\" title=\"");
	sr_html_text(w->out, a->place);
	sr_buf_puts(w->out, "\">");
	sr_html_text(w->out, slash ? slash + 1 : a->place);
	if (*a->op && a->n_places > 1)
		sr_buf_printf(w->out, " and %" PRId64 " more", a->n_places - 1);
	sr_buf_puts(w->out, "<td>");
	if (*a->gathered_axes) {
		sr_buf_puts(w->out, "if it stays sharded over ");
		sr_html_text(w->out, a->gathered_axes);
	}
	sr_buf_puts(w->out, "</tr>\n");
}

static void put_argument(struct sr_page_writer *w, const struct sr_argument_memory *a)
{
	const struct sr_program *p = w->compiled->program;
	put_bar(w, a->bytes);
	sr_buf_puts(w->out, "<td>");
	sr_html_text(w->out, sr_program_argument_label(p, a->i, w->page->ctx->arena));
	sr_buf_puts(w->out, "<td class=\"m\">");
	sr_html_text(w->out, sr_program_string(p, sr_program_values(p)[a->i].type));
	sr_buf_puts(w->out, "<td>");
	if (*a->replicated_axes) {
		sr_buf_puts(w->out, "if it is sharded over ");
		sr_html_text(w->out, a->replicated_axes);
	}
	sr_buf_puts(w->out, "</tr>\n");
}

void sr_page_write_memory(struct sr_page_writer *w)
{
	const struct sr_memory_needs needs = sr_memory_needs_of(w->compiled->program, w->page->ctx->arena);
	if (needs.n_live_buffers) {
		open_table(w, "Buffers live at the peak",
			   "<th class=\"n\">bytes<th class=\"n\">buffers<th class=\"n\">each<th>op<th>source<th>would be smaller");
		w->max_value = needs.live_buffers[0].bytes;
		for (int i = 0; i < needs.n_live_buffers && i < BUFFERS_SHOWN; i++)
			put_live_buffers(w, &needs.live_buffers[i]);
		close_table(w);
	}
	if (!needs.n_arguments)
		return;
	open_table(w, "Largest arguments", "<th class=\"n\">bytes<th>argument<th>type<th>would be smaller");
	w->max_value = needs.arguments[0].bytes;
	for (int i = 0; i < needs.n_arguments && i < ARGUMENTS_SHOWN; i++)
		put_argument(w, &needs.arguments[i]);
	close_table(w);
}

void sr_page_write_time(struct sr_page_writer *w)
{
	const struct sr_estimate *e = &w->compiled->program->estimate;
	sr_buf_printf(w->out,
		      "<dt>estimated time of a step</dt><dd>%.4g&nbsp;s: %.4g&nbsp;s compute, %.4g&nbsp;s "
		      "collectives",
		      e->step_s, e->compute_s, e->collectives_s);
	if (e->unknown_loops)
		sr_buf_printf(w->out, "; %" PRId64 " loops of unknown trip count count once", e->unknown_loops);
	sr_buf_puts(w->out, "</dd>\n<dt>memory traffic</dt><dd>");
	sr_html_bytes(w->out, e->memory_bytes);
	sr_buf_printf(w->out, " (%.4g&nbsp;s at the machine's bandwidth)</dd>\n", e->memory_s);
	sr_buf_puts(w->out, "<dt>sent within the node</dt><dd>");
	sr_html_bytes(w->out, e->wire_bytes[SR_LINK_NODE]);
	sr_buf_puts(w->out, "</dd>\n<dt>sent to other nodes</dt><dd>");
	sr_html_bytes(w->out, e->wire_bytes[SR_LINK_NETWORK]);
	sr_buf_puts(w->out, "</dd>\n");
}
