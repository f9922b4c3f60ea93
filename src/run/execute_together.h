/* Execution of a small program on all devices of the process by one thread, which costs no switch of threads: each device runs until it has
 * to wait for a collective, then the next one does. */
#ifndef SR_RUN_EXECUTE_TOGETHER_H
#define SR_RUN_EXECUTE_TOGETHER_H

#include "run/device.h"

struct sr_instr_position { /* where a device is in its program */
	int64_t instr;
	enum { SR_AT_INSTR, SR_AT_WAIT, SR_AT_RELEASE } part; /* next: begin the instruction; wait for, or release, its collective */
};

/* Return true if a program may be executed so: it has no control flow, nothing that may wait but collectives, and these are waited for at
 * once. All its devices must belong to this process. */
bool sr_program_can_run_together(const struct sr_program *program);
/* Execute the program once on all n devices. positions[n] is scratch. Set statuses[n]. */
void sr_execute_together(struct sr_device *devices, int n, struct sr_instr_position *positions, enum sr_status *statuses);

#endif
