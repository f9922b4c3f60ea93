/* Abort of a rank that cannot continue while others may wait for it. */
#ifndef SR_EXEC_ABORT_H
#define SR_EXEC_ABORT_H

#include "run/launch.h"

/* Print the messages and end all ranks with exit status `status`. Does not return. */
_Noreturn void sr_abort_ranks(struct sr_launch *l, enum sr_status status, struct sr_diags *diags);

#endif
