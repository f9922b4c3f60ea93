/* Results written during a loop. An --output whose file name contains * is written every --output-every steps, with the step number
 * in place of the *.
 *
 * Internal to exec/loop. */
#ifndef SR_EXEC_LOOP_OUTPUTS_H
#define SR_EXEC_LOOP_OUTPUTS_H

#include "exec/run.h"

/* Return SR_USAGE, reported, if --output-every is given without an --output whose name contains *, or such an output without
 * --output-every. */
enum sr_status sr_loop_check_outputs(const struct sr_run_options *o, struct sr_diags *diags);
/* Return the options with only the outputs to write after `step`. After the last step these include the outputs without * and the
 * expected results. */
struct sr_run_options sr_loop_outputs(const struct sr_run_options *o, int64_t step, bool is_last, struct sr_arena *arena);

#endif
