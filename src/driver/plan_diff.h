/* Compare two reports and print the differences as a table. */
#ifndef SR_DRIVER_PLAN_DIFF_H
#define SR_DRIVER_PLAN_DIFF_H

#include "support/buf.h"
#include "support/diag.h"

struct sr_report_text {
	const char *file; /* name of the report's file, for messages */
	const char *text;
	size_t n;
};

/* Compare the plans of two reports, and their runs if both have one. Return SR_USAGE, after reporting it, if one of them is no
 * report. */
enum sr_status sr_plan_diff(struct sr_arena *arena, struct sr_diags *diags, const struct sr_report_text *old,
			    const struct sr_report_text *new, struct sr_buf *out);
/* Return SR_USAGE, after reporting it, if the text is no report. */
enum sr_status sr_report_check(struct sr_arena *arena, struct sr_diags *diags, const struct sr_report_text *report);

#endif
