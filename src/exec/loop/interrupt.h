/* Handling of SIGUSR1 during a loop with checkpoints, as sent by `sbatch --signal=USR1@120` before a job's time limit and forwarded
 * by mpirun. The handler sets a flag that the loop reads. Internal to exec/loop. */
#ifndef SR_EXEC_LOOP_INTERRUPT_H
#define SR_EXEC_LOOP_INTERRUPT_H

#include <stdbool.h>

/* Handle SIGUSR1 until the process ends: without a handler, a signal after the last step would kill a rank that has finished. */
void sr_interrupt_begin(void);
bool sr_interrupt_came(void);

#endif
