/* Environment variables of a process that is the program's own. The library changes no variable of its host; what third-party libraries
 * read from the environment alone is set here, by the main functions of shardrun and shardbench before they start threads or MPI.
 * Variables that the user has set stay. */
#ifndef SR_RUN_PROCESS_ENVIRONMENT_H
#define SR_RUN_PROCESS_ENVIRONMENT_H

#include "kernels/fast/fast.h"

/* Set the variables for OpenBLAS, whose kernels are to be of at most the given instruction set, for hwloc, and for MPI_Init if a launcher
 * started the process. */
void sr_process_environment_set(enum sr_isa isa);

#endif
