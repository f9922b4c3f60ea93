/* The entry's arguments and results, and for each argument the result that is its value in the next step. This is the result to
 * which the argument's memory is donated (tf.aliasing_output). Without donation, if the function has equally many arguments and
 * results of a type, the k-th such argument takes the k-th such result. */
#ifndef SR_DRIVER_ENTRY_H
#define SR_DRIVER_ENTRY_H

#include "dialect/ops.h"

struct sr_entry {
	struct sr_context *ctx;
	struct sr_op *func;
	int n_arguments, n_results;
	int *result_of_argument; /* for each argument, the index of its result; -1: none; length n_arguments */
};

/* Read the entry. function NULL: the module's own entry. Return SR_USAGE, after reporting it, if there is no such function. */
enum sr_status sr_entry_read(struct sr_context *ctx, struct sr_op *module, const char *function, struct sr_entry *e);
/* Remove the unreduced axes from the shardings of the entry's arguments and results, for callers that give and read global values:
 * the value of an argument is then on each device, and a result is reduced. */
enum sr_status sr_entry_drop_unreduced_axes(struct sr_context *ctx, struct sr_op *module, const char *function);
const struct sr_type *sr_entry_type(const struct sr_entry *e, bool result, int i);
bool sr_may_be_sharded(const struct sr_type *type);

#endif
