/* Functions that write the sections of the HTML page, and what the sections share. Internal to the page. */
#ifndef SR_DRIVER_PAGE_HTML_H
#define SR_DRIVER_PAGE_HTML_H

#include "driver/page.h"

struct sr_page_writer {
	struct sr_page *page;
	const struct sr_compiled *compiled;
	struct sr_buf *out;
	int64_t max_value; /* largest value in the current table, which gives the bars their scale */
};

void sr_html_text(struct sr_buf *out, const char *s); /* Write text with HTML's special characters escaped. */
void sr_html_bytes(struct sr_buf *out, int64_t bytes);
void sr_html_bar(struct sr_page_writer *w, int64_t bytes);
void sr_html_source(struct sr_page_writer *w, const struct sr_page_row *row);

/* Write the lines of the summary about the time of a step. */
void sr_page_write_time(struct sr_page_writer *w);
/* Write the sections on memory: buffers live at the peak, arguments. */
void sr_page_write_memory(struct sr_page_writer *w);
/* Write the section on collectives, one row per kind, op and source line. */
void sr_page_write_collectives(struct sr_page_writer *w);

#endif
