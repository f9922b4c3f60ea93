/* Results of every K-th step: an --output whose name contains * is written then, with the step number in place of the *.
 * Internal to exec/loop. */
#ifndef SR_EXEC_LOOP_OUTPUTS_H
#define SR_EXEC_LOOP_OUTPUTS_H

#include "exec/run.h"

/* SR_USAGE, reported, if --output-every is given without such an output, or such an output without --output-every. */
enum sr_status sr_loop_check_outputs(const struct sr_run_options *o, struct sr_diags *diags);
/* Return the options with the outputs to write after `step`; for the last step also the outputs without *, and expected results. */
struct sr_run_options sr_loop_outputs(const struct sr_run_options *o, int64_t step, bool is_last, struct sr_arena *arena);

#endif
