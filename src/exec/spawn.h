/* -n: the ranks started by this process itself. */
#ifndef SR_EXEC_SPAWN_H
#define SR_EXEC_SPAWN_H

#include "exec/run.h"

/* Run this same command on n ranks of this machine by `launcher`, which is the MPI's own ("mpirun.mpich"); returns only where that
 * fails. `arguments` ends with NULL. */
enum sr_status sr_spawn_ranks(const char *launcher, int n, char *const *arguments, struct sr_diags *diags);
/* Return how many cores this process may use if n ranks would outnumber them and nothing among the options is about ranks: then one
 * process is to play n devices, a thread each, with the same results. 0: ranks are to be started. */
int sr_spawn_threads_instead(const struct sr_run_options *options, int n);

#endif
