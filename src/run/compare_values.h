/* Evaluation of check instructions (SR_INSTR_CHECK), used by the hooks of the caller that runs the program. */
#ifndef SR_RUN_COMPARE_VALUES_H
#define SR_RUN_COMPARE_VALUES_H

#include "run/execution_context.h"
#include "support/diag.h"

/* Return true if this device reports failed checks: device 0, or any device inside of interpreter.run_parallel, where values may
 * differ between devices. */
static inline bool sr_check_reports(const struct sr_execution_context *x)
{
	return !x->device->id || x->in_parallel;
}
/* Evaluate a check of kind <= SR_CHECK_CLOSE. Returns SR_DIFFERS if it fails, and reports the first differing element and the
 * number of them, at the source location in `file` of the instruction (diags NULL: no report). */
enum sr_status sr_check_compare(const struct sr_program *p, const struct sr_instr *s, const char *file, const char *actual,
				const char *expected, struct sr_diags *diags);
/* Return the source location of the instruction's op. */
struct sr_src_loc sr_check_place(const struct sr_program *p, const struct sr_instr *s, const char *file);

#endif
