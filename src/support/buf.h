/* Text being written: a growing byte buffer in an arena. Printers write into it; it goes to a file or a string once. */
#ifndef SR_SUPPORT_BUF_H
#define SR_SUPPORT_BUF_H

#include "support/arena.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sr_buf {
	struct sr_arena *arena; /* where data lives */
	char *data;             /* not NUL-terminated; see sr_buf_string */
	size_t n, cap;
	FILE *drain; /* where sr_buf_drain writes; NULL: it does nothing */
	bool lost;   /* the file took less; sr_buf_write says so at the end */
};

void sr_buf_init(struct sr_buf *buf, struct sr_arena *arena);
void sr_buf_put(struct sr_buf *buf, const char *s, size_t n);
/* At the next multiple of 16, behind zeros; says where that is. */
uint32_t sr_buf_put_aligned(struct sr_buf *buf, const void *data, size_t n);
void sr_buf_puts(struct sr_buf *buf, const char *s);
void sr_buf_putc(struct sr_buf *buf, char c);
void sr_buf_int(struct sr_buf *buf, int64_t x);
void sr_buf_uint(struct sr_buf *buf, uint64_t x);
void sr_buf_printf(struct sr_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *sr_buf_string(struct sr_buf *buf); /* NUL-terminated view, valid until the next write */
bool sr_buf_write(const struct sr_buf *buf, FILE *out); /* all of it into a file; false where the file takes less */

/* Write what there is to buf->drain, where it is set, once it is much: called by writers of long texts between their parts. Offsets
 * into the text end here. */
void sr_buf_drain(struct sr_buf *buf);

#endif
