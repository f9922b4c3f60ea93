/* shardrun -n: starts the ranks from this process through the MPI's launcher. */
#ifndef SR_EXEC_SPAWN_H
#define SR_EXEC_SPAWN_H

#include "exec/run.h"

/* Replace this process by `launcher` (of the MPI that shardrun is built with, such as "mpirun.mpich"), which runs the same
 * command on n ranks of this machine. Returns only on failure. `arguments` ends with NULL. */
enum sr_status sr_spawn_ranks(const char *launcher, int n, char *const *arguments, struct sr_diags *diags);
/* Return the number of cores if n ranks would outnumber them and no option concerns ranks: then one process runs n devices, a
 * thread each, with equal results. 0: start ranks. */
int sr_spawn_threads_instead(const struct sr_run_options *options, int n);

#endif
