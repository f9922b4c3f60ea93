/* Run functions of the passes of src/partition. Internal to partition. */
#ifndef SR_PARTITION_PARTITION_PASSES_H
#define SR_PARTITION_PARTITION_PASSES_H

#include "ir/pass.h"

sr_pass_fn sr_localize, sr_replicate_values, sr_pad_shards, sr_lower_reshards_simple, sr_lower_reshards;
sr_pass_fn sr_insert_explicit_reshards;
sr_pass_fn sr_insert_reshards;
sr_pass_fn sr_search_layouts;
sr_pass_fn sr_emit_forms;
sr_pass_fn sr_scatter_reductions;
sr_pass_fn sr_merge_reductions;
sr_pass_fn sr_sink_all_gathers;
sr_pass_fn sr_sink_into_loops;
sr_pass_fn sr_hoist_reductions;
sr_pass_fn sr_insert_probes, sr_unshard;

#endif
