/* -n: the ranks started by this process itself. */
#ifndef SR_EXEC_SPAWN_H
#define SR_EXEC_SPAWN_H

#include "support/diag.h"

/* Run this same command on n ranks of this machine by `launcher`, which is the MPI's own ("mpirun.mpich"); returns only where that
 * fails. `arguments` ends with NULL. */
enum sr_status sr_spawn_ranks(const char *launcher, int n, char *const *arguments, struct sr_diags *diags);

#endif
