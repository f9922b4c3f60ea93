/* Check at launch that all ranks of a job were started with equal options and the same model. Ranks with different options would
 * execute different collectives and wait for each other forever. */
#ifndef SR_EXEC_AGREE_OPTIONS_H
#define SR_EXEC_AGREE_OPTIONS_H

#include "run/launch.h"
#include "exec/run.h"

/* Collective on all ranks: return SR_USAGE on all, reported by rank 0, if ranks have different values of an option that must be
 * equal (see the option table). The message lists these options and the ranks of each value. */
enum sr_status sr_agree_options(struct sr_launch *l, const struct sr_command *command, struct sr_arena *arena,
				struct sr_diags *diags);

#endif
