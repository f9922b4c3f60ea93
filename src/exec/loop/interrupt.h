/* SIGUSR1 while a loop with checkpoints runs: what `sbatch --signal=USR1@120` sends before a job's time is over, and what
 * mpirun hands on to its ranks. It is noted, and the loop looks. Internal to exec/loop. */
#ifndef SR_EXEC_LOOP_INTERRUPT_H
#define SR_EXEC_LOOP_INTERRUPT_H

#include <stdbool.h>

/* One at a time in a process. */
void sr_interrupt_begin(void);
bool sr_interrupt_came(void);
/* The signal does what it did before. Fine where it was not begun. */
void sr_interrupt_end(void);

#endif
