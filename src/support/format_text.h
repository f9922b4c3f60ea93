/* Format numbers and untrusted text for people. */
#ifndef SR_SUPPORT_FORMAT_TEXT_H
#define SR_SUPPORT_FORMAT_TEXT_H

#include "support/arena.h"
#include "support/buf.h"

void sr_buf_byte_size(struct sr_buf *buf, int64_t bytes); /* Append a byte count with a decimal unit: "57.3 GB". */
/* Return `text` with control characters escaped as in MLIR strings ("\0A"), for terminals and logs. A newline followed by two
 * spaces is kept, since it continues a multi-line message. Returns `text` itself if nothing needs escaping, else a copy in the
 * arena. */
const char *sr_printable(struct sr_arena *arena, const char *text);

#endif
