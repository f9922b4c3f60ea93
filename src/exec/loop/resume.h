/* --resume: the newest checkpoint that is whole, and its values as arguments, on whatever mesh: each rank reads the parts that
 * meet its own. Internal to exec/loop. */
#ifndef SR_EXEC_LOOP_RESUME_H
#define SR_EXEC_LOOP_RESUME_H

#include "exec/loop/checkpoint.h"

struct sr_resumed {
	const char *folder; /* of the checkpoint; NULL: there is none */
	struct sr_manifest manifest;
};

/* Collective on all ranks: rank 0 looks, all read the files against their checksums, each some. One that is not whole is told
 * in a line to `out` (rank 0's; NULL: not) and the one before is taken. SR_USAGE where the folder is needed and has none that
 * is whole, and where a run that does not resume is to write where there are some. */
enum sr_status sr_resume_choose(struct sr_launch *l, const struct sr_loop_options *o, FILE *out, struct sr_resumed *resumed,
				struct sr_arena *arena, struct sr_diags *diags);
/* The values are those that are carried. SR_USAGE, the same on all ranks, where they are not. */
enum sr_status sr_resume_check(const struct sr_resumed *resumed, const struct sr_manifest *carried, struct sr_diags *diags);
/* Into the arguments of this rank's devices. */
enum sr_status sr_resume_load(const struct sr_resumed *resumed, const struct sr_manifest *carried,
			      const struct sr_carried *pairs, struct sr_executable *e, struct sr_arena *arena,
			      struct sr_diags *diags);

#endif
