/* The ranks of a job were given the same: their options and their model are compared at launch, before any of them waits for
 * another that does something else. */
#ifndef SR_EXEC_AGREE_OPTIONS_H
#define SR_EXEC_AGREE_OPTIONS_H

#include "run/launch.h"
#include "exec/run.h"

/* Collective on all ranks: SR_USAGE, the same on all and said by rank 0 alone, where options that are not `apart` in the table
 * differ: which, and which ranks have which value. */
enum sr_status sr_agree_options(struct sr_launch *l, const struct sr_command *command, struct sr_arena *arena, struct sr_diags *diags);

#endif
