/* shardrun -n: start of ranks from this process through the MPI launcher. */
#ifndef SR_EXEC_SPAWN_H
#define SR_EXEC_SPAWN_H

#include "exec/run.h"

/* Run the same command on n ranks of this machine with the MPI launcher `launcher` (such as "mpirun.mpich", of the MPI that
 * shardrun is built with). Returns only on failure: this process is replaced by the launcher, or, with a time limit of `timeout`
 * seconds (0: none), waits for it and exits with its status. A launcher that has not ended some seconds after the limit, by
 * which the ranks end themselves, is ended: SR_TIMEOUT, reported. `arguments` ends with NULL. */
enum sr_status sr_spawn_ranks(const char *launcher, int n, char *const *arguments, double timeout, struct sr_diags *diags);
/* Return the number of cores if it is less than n and no option concerns ranks: then one process runs n devices with a thread each,
 * with equal results. Otherwise return 0: ranks are to be started. */
int sr_spawn_threads_instead(const struct sr_run_options *options, int n);

#endif
