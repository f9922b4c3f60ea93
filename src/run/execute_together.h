/* Execution of a program on several devices by one thread, which avoids thread switches: each device runs until it has to wait for
 * a collective, and then the thread changes to the next device. */
#ifndef SR_RUN_EXECUTE_TOGETHER_H
#define SR_RUN_EXECUTE_TOGETHER_H

#include "run/device.h"

enum { SR_TOGETHER_DEPTH = 16 }; /* maximum nesting of loops and branches */

struct sr_active_computation {
	enum { SR_ACTIVE_ENTRY, SR_ACTIVE_CONDITION, SR_ACTIVE_LOOP_BODY, SR_ACTIVE_BRANCH } role;
	int64_t instr, end;        /* number of the current instruction, and of the instruction after the computation's last one */
	double begin;              /* time when the loop or branch began; set for profiles */
	struct sr_loop_frame loop; /* for a loop's condition or body: iteration and enclosing loop */
};

struct sr_instr_position { /* position of a device in its program */
	int depth; /* number of active computations; 0: the execution has ended */
	struct sr_active_computation active[SR_TOGETHER_DEPTH]; /* active computations, the innermost one last */
	/* next action: begin the instruction; or start, wait for, or release its collective */
	enum { SR_AT_INSTR, SR_AT_START, SR_AT_WAIT, SR_AT_RELEASE } next_action;
	double begin;        /* time when the collective's instruction began, if times are measured */
	bool measures_times; /* true: add the duration of each collective to sr_device::collective_s */
};

/* Return true if sr_execute_together supports the program: only collectives wait for other devices. All its devices must belong to
 * this process. */
bool sr_program_can_run_together(const struct sr_program *program);
/* Execute the program once on n devices. Every device of the program must execute it, by this thread or others. positions[n]:
 * scratch, in which the caller sets measures_times. Sets statuses[n]. */
void sr_execute_together(struct sr_device *devices, int n, struct sr_instr_position *positions, enum sr_status *statuses);

#endif
