/* Table of canonicalization patterns by op. Patterns of one op are tried in this order. Labels are those of the upstream
 * patterns. */
#include "optimize/patterns/patterns.h"

const struct sr_pattern sr_canonical_patterns[] = {
	{SR_OP_sdy_all_gather, sr_pattern_empty_collective, "sdy-collective"},
	{SR_OP_sdy_all_reduce, sr_pattern_empty_collective, "sdy-collective"},
	{SR_OP_sdy_all_reduce, sr_pattern_reduce_of_unreduced, "sdy-collective"},
	{SR_OP_sdy_all_reduce, sr_pattern_reduce_of_sharded, "sdy-collective"},
	{SR_OP_sdy_all_slice, sr_pattern_slice_of_gather, "sdy-collective"},
	{SR_OP_sdy_all_slice, sr_pattern_empty_collective, "sdy-collective"},
	{SR_OP_sdy_all_slice, sr_pattern_reduce_scatter, "sdy-collective"},
	{SR_OP_sdy_all_to_all, sr_pattern_all_to_all_of_all_to_all, "sdy-collective"},
	{SR_OP_sdy_all_to_all, sr_pattern_unused_all_to_all, "sdy-collective"},
	{SR_OP_sdy_collective_permute, sr_pattern_permute_noop, "sdy-collective"},
	{SR_OP_sdy_manual_computation, sr_pattern_unused_manual_inputs},
	{SR_OP_sdy_manual_computation, sr_pattern_redundant_manual},
	{SR_OP_sdy_reduce_scatter, sr_pattern_empty_collective, "sdy-collective"},
	{SR_OP_sdy_reshard, sr_pattern_repeated_reshard},
	{SR_OP_sdy_reshard, sr_pattern_reshard_of_reshard, "sdy-reshard"},
	{SR_OP_stablehlo_case, sr_pattern_case_of_constant},
	{SR_OP_stablehlo_dynamic_slice, sr_pattern_dynamic_slice_of_dynamic_slice},
	{0},
};
