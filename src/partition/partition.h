/* From a sharded module (global shapes, every value with a sharding) to one device's program with stablehlo collectives.
 *
 * A chain of module passes: choose (every conflict becomes an sdy.reshard), route (reshards to sdy collectives), permute (halo), pad,
 * local. `--partition=replicate` is the short way that is right for every program: arguments gathered, all computed on every device,
 * results sliced; and what every other way is compared with.
 *
 * The local module's entry keeps, as attributes, what binding needs: per argument and result `shardrun.global` (the global type) beside its
 * sdy.sharding, and the sdy.mesh stays in the module. A dimension that its axes do not divide is padded at the end: local extent is
 * ceil(global / shards), padding never shows in a result. */
#ifndef SR_PARTITION_PARTITION_H
#define SR_PARTITION_PARTITION_H

#include "dialect/ops.h"
#include "ir/pass.h"

extern const struct sr_pass sr_partition_passes[]; /* ended by a row without name */

/* How a dimension's padding may be left before an op reads it (PAD column). */
enum sr_pad { SR_PAD_any, SR_PAD_zero, SR_PAD_one, SR_PAD_identity, SR_PAD_masked, SR_PAD_special, SR_PAD_none };

#endif
