/* Information from a launcher's environment variables before MPI is initialized: the launcher that started this process, the number
 * of ranks and their nodes, whether MPI will connect them, and the settings that MPI needs. */
#ifndef SR_RUN_LAUNCHER_H
#define SR_RUN_LAUNCHER_H

#include "support/diag.h"
#include <stdbool.h>

/* Return the number of ranks in the job, or 0 if unknown. */
int sr_launcher_ranks(void);
/* Return the number of ranks on this node, or 0 if unknown. */
int sr_launcher_node_ranks(void);
/* Return entry `node` of Slurm's list of tasks per node, such as "4(x2),3"; 0 if there is none. */
int sr_launcher_tasks(const char *list, int node);
/* Check that MPI_Init will not fail. Returns SR_USAGE, reported with the right option for srun, if it would. */
enum sr_status sr_launcher_check(struct sr_diags *diags);
/* Report that this process is one of n singletons. Only one of them prints. Returns SR_USAGE. */
enum sr_status sr_launcher_report_singleton(struct sr_diags *diags, int n);
/* Return the number of environment variables {name, value}, in *out, that must be set in this process before MPI_Init: settings
 * that MPI would detect too late or not at all. */
int sr_launcher_mpi_settings(const char *const (**out)[2]);

#endif
