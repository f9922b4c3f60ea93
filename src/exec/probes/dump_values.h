/* --dump-values: every look at a tapped value as a .npy file of the global value, which the devices write by parts. */
#ifndef SR_EXEC_PROBES_DUMP_VALUES_H
#define SR_EXEC_PROBES_DUMP_VALUES_H

#include "exec/probes/spool.h"

/* Collective, after a step: the files FOLDER/NUMBER_OP[_iN].npy, and FOLDER/values.tsv, which says what each is. */
enum sr_status sr_dump_write(const struct sr_spool *spool, const char *folder, struct sr_arena *arena, struct sr_diags *diags);

#endif
