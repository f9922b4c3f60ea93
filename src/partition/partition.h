/* Partitioning: from a sharded module (global shapes, every value has a sharding) to the module of one device with stablehlo
 * collectives.
 *
 * A pipeline of module passes: halo exchange, search for shardings, insertion of reshards (every conflict becomes an
 * sdy.reshard), reshard lowering (to sdy collectives), padding, global to local. `--partition=replicate` is the simple pipeline
 * that is correct for every program, and the reference for the others: arguments are gathered, every device computes everything,
 * results are sliced.
 *
 * The local module's entry function keeps as attributes what the runtime needs to bind arguments and results:
 * `shardrun.global_type` (the global type) beside sdy.sharding. The sdy.mesh ops stay in the module. A dimension whose extent is
 * not divisible by its shards is padded at the end: the local extent is ceil(global / shards), and padding never reaches a
 * result. */
#ifndef SR_PARTITION_PARTITION_H
#define SR_PARTITION_PARTITION_H

#include "dialect/ops.h"
#include "ir/pass.h"

extern const struct sr_pass sr_partition_passes[]; /* passes of this folder; the last row has name NULL */

/* Values of the LOCAL column of the op table: the classes of ops that partitioning distinguishes. Passes keep tables indexed by
 * them. */
enum sr_local_kind {
	SR_LOCAL_none, /* from here to SR_LOCAL_region: ops for which the sharding rule and local types suffice */
	SR_LOCAL_from_rule,
	SR_LOCAL_region,
	SR_LOCAL_all_gather, /* from here to SR_LOCAL_sharded_to_unreduced: sdy collectives */
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
	SR_LOCAL_unshardable, /* op that runs on replicated operands only */
	SR_LOCAL_pad,
	SR_LOCAL_product,
	SR_LOCAL_reduce,
	SR_LOCAL_reduce_window,
	SR_LOCAL_reverse,
	SR_LOCAL_scatter,
	SR_LOCAL_select_and_scatter,
	SR_LOCAL_slice,
	SR_LOCAL_sort,
	SR_LOCAL_probe, /* op that reads the local shard of its operand */
	SR_LOCAL_triangular_solve,
	SR_LOCAL_COUNT
};
enum sr_local_kind sr_local_kind_of(const struct sr_op *op); /* Return the LOCAL value of an op (local/local_kind.c). */

/* Attribute of an entry argument or result: its global type, in a module whose types are local. */
#define SR_GLOBAL_TYPE "shardrun.global_type"
/* Set SR_GLOBAL_TYPE of all arguments and results to their current types where it is not set yet. */
void sr_func_keep_global_types(struct sr_context *ctx, struct sr_op *func);

/* Attribute of an entry argument or result whose sharding the search chooses. At an argument: index of the result that must get
 * the same sharding, -1: none. At a result: index of that argument, -1: none. */
#define SR_UNCONSTRAINED "shardrun.unconstrained"

/* Attribute of a module for several nodes: indices of the mesh axes in the order of placement, outermost first. The driver sets the
 * user's order; the search sets the one that it chose. */
#define SR_AXIS_ORDER "shardrun.axis_order"

/* Attribute of a function: the search's problem and its answer (search/search_export.c). */
#define SR_SEARCH_PROBLEM "shardrun.search_problem"

#endif
