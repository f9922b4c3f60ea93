/* The pass functions of this folder, and what several of them ask. Internal to partition. */
#ifndef SR_PARTITION_PASSES_H
#define SR_PARTITION_PASSES_H

#include "ir/pass.h"

sr_pass_fn sr_localize, sr_choose_replicate, sr_pad_parts, sr_route_simple, sr_reshard_to_collectives, sr_route_reshards;
sr_pass_fn sr_insert_explicit_reshards; /* explicit_reshards.c */
sr_pass_fn sr_choose; /* choose.c */
sr_pass_fn sr_search_layouts; /* search/search.c */
sr_pass_fn sr_exchange_halos; /* halo.c */
sr_pass_fn sr_scatter_reductions; /* route/reductions.c */
sr_pass_fn sr_merge_reductions; /* route/merge_reductions.c */
sr_pass_fn sr_late_gathers; /* route/late_gathers.c */
sr_pass_fn sr_into_loops; /* route/into_loops.c */
sr_pass_fn sr_behind_loops; /* route/behind_loops.c */
sr_pass_fn sr_remove_all_gather_reduce_scatter;
sr_pass_fn sr_tap_module, sr_unshard; /* tap.c, replicate.c */
sr_pass_fn sr_partition_instructions; /* per_instruction.c */
sr_pass_fn sr_convert_global_to_local, sr_pad_for_divisibility, sr_resolve_permutation_factors,
	sr_resolve_single_device_sharding; /* upstream/ */

#endif
