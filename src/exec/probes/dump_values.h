/* --dump-values: write each inspected value as a .npy file of the global value, which the devices write shard by shard. */
#ifndef SR_EXEC_PROBES_DUMP_VALUES_H
#define SR_EXEC_PROBES_DUMP_VALUES_H

#include "exec/probes/spool.h"

/* Collective, after a step: write the files FOLDER/NUMBER_OP[_iN].npy, and the index FOLDER/values.tsv. */
enum sr_status sr_dump_write(const struct sr_spool *spool, const char *folder, struct sr_arena *arena, struct sr_diags *diags);

#endif
