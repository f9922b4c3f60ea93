/* Environment variables of the commands shardrun and shardbench. libshardrun changes no variable of its host process; settings that
 * third-party libraries read only from the environment are made here, by the commands' main functions before they start threads or
 * MPI. Variables that the user has set are kept. */
#ifndef SR_RUN_PROCESS_ENVIRONMENT_H
#define SR_RUN_PROCESS_ENVIRONMENT_H

#include "kernels/fast/fast.h"

/* Set the variables for OpenBLAS (which may use kernels of at most the given instruction set), for hwloc, and for MPI_Init if a
 * launcher started the process. */
void sr_process_environment_set(enum sr_isa isa);

#endif
