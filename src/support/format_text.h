/* Figures in words, for readers. */
#ifndef SR_SUPPORT_FORMAT_TEXT_H
#define SR_SUPPORT_FORMAT_TEXT_H

#include "support/arena.h"
#include "support/buf.h"

void sr_buf_byte_size(struct sr_buf *buf, int64_t bytes); /* "57.3 GB" */
/* Return text that was given for what a terminal or a log shows: control characters are escaped as in MLIR's strings ("\0A"), but
 * for a newline
 * in front of two spaces, which continues a message of several lines. The text itself where it has none; else in the arena. */
const char *sr_printable(struct sr_arena *arena, const char *text);

#endif
