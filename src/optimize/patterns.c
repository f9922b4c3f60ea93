/* The table of canonicalizing patterns, by op; patterns of one op are tried in this order. Labels are upstream's. */
#include "optimize/patterns.h"

const struct sr_pattern sr_canonical_patterns[] = {
	{SR_OP_sdy_all_gather, "sdy-collective", sr_pattern_empty_collective},
	{SR_OP_sdy_all_reduce, "sdy-collective", sr_pattern_empty_collective},
	{SR_OP_sdy_all_reduce, "sdy-collective", sr_pattern_reduce_of_unreduced},
	{SR_OP_sdy_all_reduce, "sdy-collective", sr_pattern_reduce_of_sharded},
	{SR_OP_sdy_all_slice, "sdy-collective", sr_pattern_slice_of_gather},
	{SR_OP_sdy_all_slice, "sdy-collective", sr_pattern_empty_collective},
	{SR_OP_sdy_all_slice, "sdy-collective", sr_pattern_reduce_scatter},
	{SR_OP_sdy_all_to_all, "sdy-collective", sr_pattern_fuse_all_to_all},
	{SR_OP_sdy_all_to_all, "sdy-collective", sr_pattern_unused_all_to_all},
	{SR_OP_sdy_collective_permute, "sdy-collective", sr_pattern_null_permute},
	{SR_OP_sdy_manual_computation, NULL, sr_pattern_unused_manual_inputs},
	{SR_OP_sdy_manual_computation, NULL, sr_pattern_redundant_manual},
	{SR_OP_sdy_reduce_scatter, "sdy-collective", sr_pattern_empty_collective},
	{SR_OP_sdy_reshard, NULL, sr_pattern_common_reshard},
	{SR_OP_sdy_reshard, "sdy-reshard", sr_pattern_reshard_of_reshard},
	{SR_OP_stablehlo_case, NULL, sr_pattern_constant_case},
	{0},
};
