/* Why an execution failed. The first device that fails says so; what others say is dropped. Any thread may report. */
#ifndef SR_RUN_FAILURE_H
#define SR_RUN_FAILURE_H

#include "support/diag.h"
#include <stdbool.h>

enum { SR_FAILURE_BYTES = 768 }; /* longer messages are truncated */

struct sr_failure { /* zeroed: no failure */
	_Atomic bool is_taken; /* some thread has reported; the fields below are for readers after all of them */
	enum sr_status status;
	struct sr_src_loc place;
	char message[SR_FAILURE_BYTES];
};

/* Report a failure, unless one has been reported. Return `status`. */
enum sr_status sr_failure_set(struct sr_failure *failure, enum sr_status status, struct sr_src_loc place, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Write "file:line:col: message" to `text`, of n bytes. */
void sr_failure_text(const struct sr_failure *failure, char *text, size_t n);

#endif
