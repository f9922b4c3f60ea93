/* SIGUSR1 while a loop with checkpoints runs: what `sbatch --signal=USR1@120` sends before a job's time is over, and what
 * mpirun hands on to its ranks. It is noted, and the loop looks. Internal to exec/loop. */
#ifndef SR_EXEC_LOOP_INTERRUPT_H
#define SR_EXEC_LOOP_INTERRUPT_H

#include <stdbool.h>

/* From now on until the process ends: one that comes behind the last step must not end a rank that has done all. */
void sr_interrupt_begin(void);
bool sr_interrupt_came(void);

#endif
