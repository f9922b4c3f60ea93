/* Figures in words, for readers. */
#ifndef SR_SUPPORT_WORDS_H
#define SR_SUPPORT_WORDS_H

#include "support/buf.h"

void sr_buf_bytes(struct sr_buf *buf, int64_t bytes); /* "57.3 GB" */

#endif
