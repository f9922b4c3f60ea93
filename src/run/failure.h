/* Record of why an execution failed. The first device that reports is recorded; later reports are dropped. Any thread may
 * report. */
#ifndef SR_RUN_FAILURE_H
#define SR_RUN_FAILURE_H

#include "support/diag.h"
#include <stdbool.h>

enum { SR_FAILURE_BYTES = 768 }; /* size of a message; longer messages are truncated */

struct sr_failure { /* record of a failure; zeroed: no failure */
	/* set by the first thread that reports; the members below may be read after all threads have finished */
	_Atomic bool is_reported;
	enum sr_status status;
	struct sr_src_loc place;
	char message[SR_FAILURE_BYTES];
};

/* Record a failure, unless one has been recorded. Returns `status`. */
enum sr_status sr_failure_set(struct sr_failure *failure, enum sr_status status, struct sr_src_loc place, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Write "file:line:col: message" to `text`, a buffer of n bytes. */
void sr_failure_text(const struct sr_failure *failure, char *text, size_t n);

#endif
