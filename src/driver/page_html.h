/* Writing the page: what its sections share. Internal to the page. */
#ifndef SR_DRIVER_PAGE_HTML_H
#define SR_DRIVER_PAGE_HTML_H

#include "driver/page.h"

struct sr_page_writer {
	struct sr_page *page;
	const struct sr_compiled *compiled;
	struct sr_buf *out;
	int64_t most; /* wire bytes of one row or group, for the bars */
};

void sr_html_text(struct sr_buf *out, const char *s); /* escaped */
void sr_html_bytes(struct sr_buf *out, int64_t bytes);
void sr_html_bar(struct sr_page_writer *w, int64_t bytes);
void sr_html_source(struct sr_page_writer *w, const struct sr_page_row *row);

/* Lines of the summary: what a step takes. */
void sr_page_write_time(struct sr_page_writer *w);
/* The sections of the memory: buffers where the most is alive, arguments. */
void sr_page_write_memory(struct sr_page_writer *w);
/* The section of the collectives: one line for all of a kind that come from one op and line. */
void sr_page_write_collectives(struct sr_page_writer *w);

#endif
