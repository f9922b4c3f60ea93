/* --show-sharding: draw which device holds which shard. */
#ifndef SR_DRIVER_SHOW_SHARDING_H
#define SR_DRIVER_SHOW_SHARDING_H

#include "driver/driver.h"

/* Draw shardings to `out`. request: "" for the entry's arguments and results after partition; "all" for every value with a
 * sharding, or a request as in propagate/explain.h, before partition. function: the entry; NULL: the module's own. Return
 * SR_USAGE, after reporting it, if no value matches. */
enum sr_status sr_show_sharding(struct sr_context *ctx, struct sr_op *module, const char *function, const char *request,
				struct sr_buf *out);

#endif
