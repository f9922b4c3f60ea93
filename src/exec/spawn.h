/* shardrun -n: start of ranks from this process through the MPI launcher. */
#ifndef SR_EXEC_SPAWN_H
#define SR_EXEC_SPAWN_H

#include "exec/run.h"

/* Replace this process by the MPI launcher `launcher` (such as "mpirun.mpich", of the MPI that shardrun is built with), which runs
 * the same command on n ranks of this machine. Returns only on failure. `arguments` ends with NULL. */
enum sr_status sr_spawn_ranks(const char *launcher, int n, char *const *arguments, struct sr_diags *diags);
/* Return the number of cores if it is less than n and no option concerns ranks: then one process runs n devices with a thread each,
 * with equal results. Otherwise return 0: ranks are to be started. */
int sr_spawn_threads_instead(const struct sr_run_options *options, int n);

#endif
