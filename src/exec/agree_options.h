/* Check at launch that all ranks of a job have the same options and model, so that no rank waits for another that does something
 * else. */
#ifndef SR_EXEC_AGREE_OPTIONS_H
#define SR_EXEC_AGREE_OPTIONS_H

#include "run/launch.h"
#include "exec/run.h"

/* Collective on all ranks: return SR_USAGE on all, reported by rank 0, if an option that may not differ between ranks (see
 * the option table) differs. The message lists the options and which ranks have which value. */
enum sr_status sr_agree_options(struct sr_launch *l, const struct sr_command *command, struct sr_arena *arena,
				struct sr_diags *diags);

#endif
