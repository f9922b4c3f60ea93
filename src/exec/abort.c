/* Abort of a job: end all ranks with MPI_Abort, or only this process if MPI is not running. */
#include "exec/abort.h"
#include <unistd.h>

_Noreturn void sr_abort_ranks(struct sr_launch *l, enum sr_status status, struct sr_diags *diags)
{
	sr_launch_abort(l, status, diags);
	_exit((int)status);
}
