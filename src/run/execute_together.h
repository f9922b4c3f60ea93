/* Execution of a program on several devices by one thread, which avoids thread switches: each device runs until it has to wait for
 * a collective, and then the thread changes to the next device. */
#ifndef SR_RUN_EXECUTE_TOGETHER_H
#define SR_RUN_EXECUTE_TOGETHER_H

#include "run/execution_context.h"

/* Return true if sr_execute_together supports the program: only collectives wait for other devices. All its devices must belong to
 * this process. */
bool sr_program_can_run_together(const struct sr_program *program);
/* Execute the program once on the devices of n contexts. All devices of the program must execute it, by this thread or others.
 * Sets the contexts' statuses. */
void sr_execute_together(struct sr_execution_context *contexts, int n);

#endif
