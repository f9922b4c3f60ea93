#include "run/process_environment.h"
#include "run/launcher.h"
#include "support/knobs/knobs.h"
#include <stdlib.h>

/* A failure, for lack of memory, costs speed or prints a warning: it does no harm. */
static void set_default(const char *name, const char *value)
{
	if (value && !sr_env(name))
		(void)setenv(name, value, 0);
}

void sr_process_environment_set(enum sr_isa isa)
{
	const char *const(*mpi)[2];
	set_default("OPENBLAS_CORETYPE", sr_blas_core_of(isa));
	set_default("OPENBLAS_NUM_THREADS", "1"); /* start no threads while the library is loaded */
	set_default("HWLOC_HIDE_ERRORS", "2");    /* no warnings about the machine, which mpirun has printed once */
	for (int i = sr_launcher_mpi_settings(&mpi) - 1; i >= 0; i--)
		set_default(mpi[i][0], mpi[i][1]);
}
