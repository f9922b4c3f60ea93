/* What a program asks of whoever runs it, because it needs more than a device has: a folder to write to, words for a person. A hook that is
 * NULL is not there, and a step that needs it ends with SR_UNSUPPORTED. */
#ifndef SR_RUN_HOOKS_H
#define SR_RUN_HOOKS_H

#include "program/program.h"

struct sr_device;

struct sr_hooks {
	void *data; /* the caller's, given back to it */
	/* A check, print or probe (SR_INSTR_CHECK), on every device; run/compare_values.h helps. SR_DIFFERS where a check does not hold; the
	 * hook has said why. */
	enum sr_status (*inspect)(void *data, struct sr_device *d, const struct sr_instr *step);
};

#endif
