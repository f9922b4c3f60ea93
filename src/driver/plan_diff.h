/* Two reports compared, as a table. */
#ifndef SR_DRIVER_PLAN_DIFF_H
#define SR_DRIVER_PLAN_DIFF_H

#include "support/buf.h"
#include "support/diag.h"

struct sr_report_text {
	const char *file; /* for messages */
	const char *text;
	size_t n;
};

/* The plans of two reports; with their runs, where both have one. SR_USAGE, reported, where one of them is no report. */
enum sr_status sr_plan_diff(struct sr_arena *arena, struct sr_diags *diags, const struct sr_report_text *old,
			    const struct sr_report_text *new, struct sr_buf *out);

#endif
