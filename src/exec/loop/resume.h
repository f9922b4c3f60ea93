/* --resume: find the newest complete checkpoint and load its values as arguments, on any mesh: each rank reads the shards that
 * overlap its slices. Internal to exec/loop. */
#ifndef SR_EXEC_LOOP_RESUME_H
#define SR_EXEC_LOOP_RESUME_H

#include "exec/loop/checkpoint.h"

struct sr_resumed {
	const char *folder; /* path of the checkpoint's folder; NULL: no checkpoint is loaded */
	struct sr_manifest manifest;
};

/* Collective on all ranks: choose the newest complete checkpoint. Rank 0 lists the checkpoints, and all ranks share the
 * verification of checksums. An invalid checkpoint is skipped with a line on `out` (rank 0; NULL: no output). Returns SR_USAGE if
 * --resume names a folder without a complete checkpoint, or if a run that does not resume would write into a folder that has
 * checkpoints. */
enum sr_status sr_resume_choose(struct sr_launch *l, const struct sr_loop_options *o, FILE *out, struct sr_resumed *resumed,
				struct sr_arena *arena, struct sr_diags *diags);
/* Check that the checkpoint has exactly the carried values of this program. Returns SR_USAGE, on all ranks, if not. */
enum sr_status sr_resume_check(const struct sr_resumed *resumed, const struct sr_manifest *carried_values, struct sr_diags *diags);
/* Load the checkpoint's values into the arguments of this rank's devices. */
enum sr_status sr_resume_load(const struct sr_resumed *resumed, const struct sr_manifest *carried_values,
			      const struct sr_carried *pairs, const struct sr_arrays *arrays, struct sr_arena *arena,
			      struct sr_diags *diags);

#endif
