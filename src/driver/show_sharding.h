/* --show-sharding: pictures of which device holds what. */
#ifndef SR_DRIVER_SHOW_SHARDING_H
#define SR_DRIVER_SHOW_SHARDING_H

#include "driver/driver.h"

/* what: "" for the entry's arguments and results, of a module that is cut; "all" for every value with a sharding, or which values
 * as propagate/explain.h has it, of one whose values have shardings. function: the entry, NULL for the usual one. SR_USAGE,
 * reported: no such value. */
enum sr_status sr_show_sharding(struct sr_context *ctx, struct sr_op *module, const char *function, const char *what,
				struct sr_buf *out);

#endif
