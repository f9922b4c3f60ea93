/* Canonicalizing patterns; each says above its body what it turns into what. */
#ifndef SR_OPTIMIZE_PATTERNS_H
#define SR_OPTIMIZE_PATTERNS_H

#include "optimize/rewrite.h"

extern const struct sr_pattern sr_canonical_patterns[];

sr_pattern_fn sr_pattern_common_reshard, sr_pattern_constant_case, sr_pattern_empty_collective, sr_pattern_fuse_all_to_all,
	sr_pattern_null_permute, sr_pattern_redundant_manual, sr_pattern_reduce_of_sharded, sr_pattern_reduce_of_unreduced, sr_pattern_reduce_scatter,
	sr_pattern_reshard_of_reshard, sr_pattern_slice_of_gather, sr_pattern_unused_all_to_all, sr_pattern_unused_manual_inputs;

#endif
