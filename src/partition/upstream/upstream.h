/* Functions shared by upstream's partition passes. Internal to partition. */
#ifndef SR_PARTITION_UPSTREAM_H
#define SR_PARTITION_UPSTREAM_H

#include "ir/pass.h"

int64_t sr_upstream_next_channel(struct sr_op *module); /* Return a channel number that is greater than every channel in use. */
/* Read the options replica-count and partition-count. *is_by_replica: true if replica_id numbers the devices. Reports an error if
 * both counts are above 1. */
enum sr_status sr_upstream_by_replica(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options,
				      bool *is_by_replica);

#endif
