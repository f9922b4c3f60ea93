/* The pass functions of this folder, and what several of them ask. Internal to partition. */
#ifndef SR_PARTITION_PARTITION_PASSES_H
#define SR_PARTITION_PARTITION_PASSES_H

#include "ir/pass.h"

sr_pass_fn sr_localize, sr_replicate_values, sr_pad_shards, sr_lower_reshards_simple, sr_reshard_to_collectives, sr_lower_reshards;
sr_pass_fn sr_insert_explicit_reshards; /* explicit_reshards.c */
sr_pass_fn sr_insert_reshards; /* insert_reshards.c */
sr_pass_fn sr_search_layouts; /* search/search.c */
sr_pass_fn sr_exchange_halos; /* halo.c */
sr_pass_fn sr_scatter_reductions; /* reshard/scatter_reductions.c */
sr_pass_fn sr_merge_reductions; /* reshard/merge_reductions.c */
sr_pass_fn sr_sink_all_gathers; /* reshard/sink_all_gathers.c */
sr_pass_fn sr_sink_into_loops; /* reshard/sink_into_loops.c */
sr_pass_fn sr_hoist_reductions; /* reshard/hoist_reductions.c */
sr_pass_fn sr_remove_all_gather_reduce_scatter;
sr_pass_fn sr_insert_probes, sr_unshard; /* insert_probes.c, replicate.c */
sr_pass_fn sr_partition_instructions; /* per_instruction.c */
sr_pass_fn sr_convert_global_to_local, sr_pad_for_divisibility, sr_resolve_permutation_factors,
	sr_resolve_single_device_sharding; /* upstream/ */

#endif
