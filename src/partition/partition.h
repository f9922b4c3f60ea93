/* From a sharded module (global shapes, every value with a sharding) to one device's program with stablehlo collectives.
 *
 * A chain of module passes: choose (every conflict becomes an sdy.reshard), route (reshards to sdy collectives), permute
 * (halo), pad, local. `--partition=replicate` is the short way that is right for every program: arguments gathered, all
 * computed on every device, results sliced; and what every other way is compared with.
 *
 * The local module's entry keeps, as attributes, what binding needs: per argument and result `shardrun.global_type` (the global
 * type) beside its sdy.sharding, and the sdy.mesh stays in the module. A dimension that its axes do not divide is padded at
 * the end: local extent is ceil(global / shards), padding never shows in a result. */
#ifndef SR_PARTITION_PARTITION_H
#define SR_PARTITION_PARTITION_H

#include "dialect/ops.h"
#include "ir/pass.h"

extern const struct sr_pass sr_partition_passes[]; /* ended by a row without name */

/* Words of the LOCAL column: what partition knows an op by. A pass that has to tell ops apart keeps a table by word. */
enum sr_local_kind {
	SR_LOCAL_none, /* the rule and the types say it all, as they do of from_rule and region */
	SR_LOCAL_from_rule,
	SR_LOCAL_region,
	SR_LOCAL_all_gather, /* collectives of the global module */
	SR_LOCAL_all_reduce,
	SR_LOCAL_all_slice,
	SR_LOCAL_all_to_all,
	SR_LOCAL_collective_permute,
	SR_LOCAL_reduce_scatter,
	SR_LOCAL_replicated_to_unreduced,
	SR_LOCAL_sharded_to_unreduced,
	SR_LOCAL_broadcast,
	SR_LOCAL_concatenate,
	SR_LOCAL_constant,
	SR_LOCAL_convolution,
	SR_LOCAL_custom_call,
	SR_LOCAL_drop,
	SR_LOCAL_dynamic_slice,
	SR_LOCAL_dynamic_update_slice,
	SR_LOCAL_gather,
	SR_LOCAL_iota,
	SR_LOCAL_unshardable, /* no part of it can be computed alone */
	SR_LOCAL_pad,
	SR_LOCAL_product,
	SR_LOCAL_reduce,
	SR_LOCAL_reduce_window,
	SR_LOCAL_reverse,
	SR_LOCAL_scatter,
	SR_LOCAL_select_and_scatter,
	SR_LOCAL_slice,
	SR_LOCAL_sort,
	SR_LOCAL_probe, /* looks at its operand as it lies */
	SR_LOCAL_triangular_solve,
	SR_LOCAL_COUNT
};
enum sr_local_kind sr_local_kind_of(const struct sr_op *op); /* local_kind.c */

/* What an entry's argument or result is where the module has a device's part of it. */
#define SR_GLOBAL_TYPE "shardrun.global_type"
/* The types that arguments and results have now as their SR_GLOBAL_TYPE, but where they have one (local.c). */
void sr_func_keep_global_types(struct sr_context *ctx, struct sr_op *func);

/* At an entry's argument whose sharding the search is to find: the number of the result that is to lie alike, -1: of none. At a
 * result whose sharding is to be found: the number of that argument, -1: of none. */
#define SR_UNCONSTRAINED "shardrun.unconstrained"

#endif
