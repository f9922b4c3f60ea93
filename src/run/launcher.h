/* What a launcher's variables say before MPI is started: who started this process, how many there are and where, whether MPI
 * will connect them, and what MPI is to be told first. */
#ifndef SR_RUN_LAUNCHER_H
#define SR_RUN_LAUNCHER_H

#include "support/diag.h"
#include <stdbool.h>

/* How many processes the job was asked to have, as far as variables tell; 0: they do not. */
int sr_launcher_ranks(void);
/* Of these, on my node; 0: not known. */
int sr_launcher_node_ranks(void);
/* Slurm's list "4(x2),3" at place `node`; 0 where it has none. */
int sr_launcher_tasks(const char *list, int node);
/* MPI would fail, with a page of its own or none: SR_USAGE, reported, with what to give srun instead. */
enum sr_status sr_launcher_check(struct sr_diags *diags);
/* This process is one of n that do not know of each other: SR_USAGE, reported by one of them. */
enum sr_status sr_launcher_report_singleton(struct sr_diags *diags, int n);
/* Set environment variables that tell MPI_Init what it would find out too late, or not at all; what the user chose stands. Returns
 * those that were set, for sr_launcher_restore, which unsets them once MPI is initialized: the environment is the host's. */
unsigned sr_launcher_prepare(void);
void sr_launcher_restore(unsigned made);

#endif
