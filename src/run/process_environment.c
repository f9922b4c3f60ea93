/* Setting of the environment variables of the commands shardrun and shardbench. */
#include "run/process_environment.h"
#include "run/launcher.h"
#include "support/knobs/knobs.h"
#include <stdlib.h>

/* Set an environment variable unless it is set. A failure, for lack of memory, is ignored: it only costs speed or lets a warning be
 * printed. */
static void set_default(const char *name, const char *value)
{
	if (value && !sr_env(name))
		(void)setenv(name, value, 0);
}

void sr_process_environment_set(enum sr_isa isa)
{
	const char *const(*mpi)[2];
	set_default("OPENBLAS_CORETYPE", sr_blas_core_of(isa));
	set_default("OPENBLAS_NUM_THREADS", "1"); /* OpenBLAS starts no threads while it is loaded */
	set_default("HWLOC_HIDE_ERRORS", "2"); /* hwloc prints no warnings about the machine, since mpirun has printed them once */
	for (int i = sr_launcher_mpi_settings(&mpi) - 1; i >= 0; i--)
		set_default(mpi[i][0], mpi[i][1]);
}
