/* The checks of a program (SR_INSTR_CHECK), for the hooks of whoever runs it. */
#ifndef SR_RUN_COMPARE_VALUES_H
#define SR_RUN_COMPARE_VALUES_H

#include "run/device.h"
#include "support/diag.h"

/* Outside of interpreter.run_parallel all devices have the same values, so that device 0 alone says what it sees. */
static inline bool sr_check_reports(const struct sr_device *d)
{
	return !d->id || d->apart;
}
/* Of the kinds up to SR_CHECK_CLOSE: SR_DIFFERS where it does not hold. The first element that differs is reported with how many do
 * (diags NULL: nothing is), at the step's line of `file`. */
enum sr_status sr_check_compare(const struct sr_program *p, const struct sr_instr *s, const char *file, const char *actual,
				const char *expected, struct sr_diags *diags);
/* Where the step's op stands, from the program's text. */
struct sr_src_loc sr_check_place(const struct sr_program *p, const struct sr_instr *s, const char *file);

#endif
