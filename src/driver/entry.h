/* The entry's arguments and results, and which of them are one value from step to step: the result that an argument's memory is
 * given to (tf.aliasing_output), or else, where a function has as many arguments as results of a type, the k-th of them each. */
#ifndef SR_DRIVER_ENTRY_H
#define SR_DRIVER_ENTRY_H

#include "dialect/ops.h"

struct sr_entry {
	struct sr_context *ctx;
	struct sr_op *func;
	int n_arguments, n_results;
	int *result_of; /* [n_arguments]; -1: none */
};

/* SR_USAGE, reported: the module has no such function; NULL: its own entry. */
enum sr_status sr_entry_read(struct sr_context *ctx, struct sr_op *module, const char *function, struct sr_entry *e);
const struct sr_type *sr_entry_type(const struct sr_entry *e, bool result, int i);
bool sr_may_be_sharded(const struct sr_type *type);

#endif
