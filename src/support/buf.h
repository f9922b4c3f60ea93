/* A growing byte buffer in an arena. Printers append text to it; the result is written to a file or used as a string. */
#ifndef SR_SUPPORT_BUF_H
#define SR_SUPPORT_BUF_H

#include "support/arena.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sr_buf {
	struct sr_arena *arena; /* arena that holds `data` */
	char *data;             /* the bytes, not NUL-terminated (see sr_buf_string) */
	size_t n, cap;
	FILE *drain; /* file to which sr_buf_drain writes; NULL: sr_buf_drain does nothing */
	bool write_failed;   /* true if a write to `drain` failed; sr_buf_write then returns false */
};

void sr_buf_init(struct sr_buf *buf, struct sr_arena *arena);
void sr_buf_put(struct sr_buf *buf, const char *s, size_t n);
/* Append n bytes at the next multiple of 16, filling the gap with zeros. Return their offset. */
uint32_t sr_buf_put_aligned(struct sr_buf *buf, const void *data, size_t n);
void sr_buf_puts(struct sr_buf *buf, const char *s);
void sr_buf_putc(struct sr_buf *buf, char c);
void sr_buf_int(struct sr_buf *buf, int64_t x);
void sr_buf_uint(struct sr_buf *buf, uint64_t x);
void sr_buf_printf(struct sr_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Return the bytes as a NUL-terminated string, valid until the next write to the buffer. */
const char *sr_buf_string(struct sr_buf *buf);
bool sr_buf_write(const struct sr_buf *buf, FILE *out); /* Write the whole buffer to a file; return false on error. */

/* Write the contents to buf->drain and empty the buffer, if `drain` is set and the buffer holds at least 64 KB. Printers of long
 * texts call it between entries. Offsets into the buffer become invalid. */
void sr_buf_drain(struct sr_buf *buf);

#endif
