/* --placement: which rank plays which device, by the nodes that ranks are on and what the program sends between them. */
#ifndef SR_EXEC_PLACEMENT_H
#define SR_EXEC_PLACEMENT_H

#include "exec/run.h"

/* Collective on all ranks of the client, before the program is opened on it; rank 0 has the program. Sets the client's list of
 * ranks, or leaves it where they play in order; a line for -v goes to `node` on rank 0. SR_USAGE, reported, where the text names no
 * order of the mesh's axes. */
enum sr_status sr_placement_choose(struct sr_client *client, const struct sr_program *program, const struct sr_run_options *options,
				   struct sr_arena *arena, struct sr_diags *diags, struct sr_buf *node);

#endif
