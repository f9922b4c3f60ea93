/* Results of every K-th step: an --output whose name has a * is written then, with the step's number in its place. Internal to
 * exec/loop. */
#ifndef SR_EXEC_LOOP_OUTPUTS_H
#define SR_EXEC_LOOP_OUTPUTS_H

#include "exec/run.h"

/* SR_USAGE, reported, where nothing is to be written every so often, or nothing says how often. */
enum sr_status sr_loop_check_outputs(const struct sr_run_options *o, struct sr_diags *diags);
/* The options with outputs as they are after `step`, and for the last one also those that are written once, and what is
 * expected. */
struct sr_run_options sr_loop_outputs(const struct sr_run_options *o, int64_t step, bool is_last, struct sr_arena *arena);

#endif
