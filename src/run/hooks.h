/* Callbacks into the program that runs an executable, for instructions that need more than a device: files to write, messages to
 * print. An instruction whose hook is NULL fails with SR_UNSUPPORTED. */
#ifndef SR_RUN_HOOKS_H
#define SR_RUN_HOOKS_H

#include "program/program.h"

struct sr_execution_context;

struct sr_hooks {
	void *data; /* pointer passed to the callbacks */
	/* Callback for a check, print or probe (SR_INSTR_CHECK) on every device; run/compare_values.h has helper functions. Returns
	 * SR_DIFFERS if a check fails, after reporting why. */
	enum sr_status (*inspect)(void *data, struct sr_execution_context *x, const struct sr_instr *instr);
};

#endif
