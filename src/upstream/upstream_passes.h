/* Run functions of the passes of src/upstream, and functions that they share. Internal to upstream. */
#ifndef SR_UPSTREAM_UPSTREAM_PASSES_H
#define SR_UPSTREAM_UPSTREAM_PASSES_H

#include "ir/pass.h"

sr_pass_fn sr_reshard_to_collectives, sr_remove_all_gather_reduce_scatter, sr_partition_instructions, sr_resolve_permutation_factors,
	sr_pad_for_divisibility, sr_resolve_single_device_sharding, sr_convert_global_to_local;

int64_t sr_upstream_next_channel(struct sr_op *module); /* Return a channel number that is greater than every channel in use. */
/* Read the options replica-count and partition-count. *is_by_replica: true if replica_id numbers the devices. Reports an error if
 * both counts are above 1. */
enum sr_status sr_upstream_by_replica(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options,
				      bool *is_by_replica);

#endif
