/* Two reports compared, as a table. */
#ifndef SR_DRIVER_PLAN_DIFF_H
#define SR_DRIVER_PLAN_DIFF_H

#include "support/buf.h"
#include "support/diag.h"

/* `file` names the old report in messages; SR_USAGE, reported, where it is none. */
enum sr_status sr_plan_diff(struct sr_arena *arena, struct sr_diags *diags, const char *file, const char *old, size_t n_old,
			    const char *new, size_t n_new, struct sr_buf *out);

#endif
