/* Execution of a program on several devices by one thread, which costs no switch of threads: each device runs until it has to wait
 * for a collective, then the next one does. */
#ifndef SR_RUN_EXECUTE_TOGETHER_H
#define SR_RUN_EXECUTE_TOGETHER_H

#include "run/device.h"

enum { SR_TOGETHER_DEPTH = 16 }; /* deepest nesting of loops and branches */

struct sr_active_computation {
	enum { SR_ACTIVE_ENTRY, SR_ACTIVE_CONDITION, SR_ACTIVE_LOOP_BODY, SR_ACTIVE_BRANCH } role;
	int64_t instr, end;        /* the current instruction, and the end of the computation */
	double begin;              /* time when the loop or branch began; set for profiles */
	struct sr_loop_frame loop; /* of a condition or loop body */
};

struct sr_instr_position { /* where a device is in its program */
	int depth; /* active computations; 0: the execution has ended */
	struct sr_active_computation active[SR_TOGETHER_DEPTH]; /* the innermost one last */
	/* next: begin the instruction; start, wait for, or release, its collective */
	enum { SR_AT_INSTR, SR_AT_START, SR_AT_WAIT, SR_AT_RELEASE } part;
	double begin;        /* time when the collective's instruction began, where times are measured */
	bool measures_times; /* sum up sr_device::collective_s */
};

/* Return true if a program may be executed so: nothing waits for other devices but collectives. All its devices must belong to this
 * process. */
bool sr_program_can_run_together(const struct sr_program *program);
/* Execute the program once on n devices. All devices of the program must execute it, by this thread or others. positions[n] is
 * scratch, measures_times is the caller's. Set statuses[n]. */
void sr_execute_together(struct sr_device *devices, int n, struct sr_instr_position *positions, enum sr_status *statuses);

#endif
