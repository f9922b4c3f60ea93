/* Patterns; each says above its body what it turns into what. A family of ops is a file. */
#ifndef SR_OPTIMIZE_PATTERNS_H
#define SR_OPTIMIZE_PATTERNS_H

#include "optimize/patterns/rewrite.h"

extern const struct sr_pattern sr_canonical_patterns[];   /* patterns.c */
extern const struct sr_pattern sr_folding_patterns[];     /* target_independent.c */
extern const struct sr_pattern sr_simplifying_patterns[];

/* of sdy: patterns/collective.c, patterns/manual.c, patterns/reshard.c */
sr_pattern_fn sr_pattern_common_reshard, sr_pattern_empty_collective, sr_pattern_fuse_all_to_all, sr_pattern_null_permute,
	sr_pattern_redundant_manual, sr_pattern_reduce_of_sharded, sr_pattern_reduce_of_unreduced, sr_pattern_reduce_scatter,
	sr_pattern_reshard_of_reshard, sr_pattern_slice_of_gather, sr_pattern_unused_all_to_all, sr_pattern_unused_manual_inputs;
/* patterns/concatenate.c */
sr_pattern_fn sr_pattern_concatenate_empty, sr_pattern_concatenate_flatten, sr_pattern_concatenate_noop,
	sr_pattern_concatenate_splats;
/* patterns/control.c */
sr_pattern_fn sr_pattern_constant_case, sr_pattern_inline_case, sr_pattern_while_capture, sr_pattern_while_dead,
	sr_pattern_while_false;
/* patterns/dynamic.c */
sr_pattern_fn sr_pattern_dynamic_broadcast_constant, sr_pattern_dynamic_broadcast_noop, sr_pattern_dynamic_broadcast_of_broadcast,
	sr_pattern_dynamic_broadcast_of_reshape, sr_pattern_dynamic_iota_broadcast, sr_pattern_dynamic_reshape_again,
	sr_pattern_dynamic_reshape_of_reshape,
	sr_pattern_known_size, sr_pattern_set_known_size, sr_pattern_shape_of_reshape, sr_pattern_static_form;
/* patterns/elementwise.c */
sr_pattern_fn sr_pattern_cancel, sr_pattern_compare_constant_right, sr_pattern_compare_same, sr_pattern_compare_truth,
	sr_pattern_complex_of_parts, sr_pattern_constant_right, sr_pattern_neutral, sr_pattern_part_of_complex,
	sr_pattern_exactly_neutral, sr_pattern_same_type, sr_pattern_select_known, sr_pattern_select_not;
/* patterns/other.c */
sr_pattern_fn sr_pattern_element_of_tuple, sr_pattern_fold, sr_pattern_no_elements, sr_pattern_tuple_again, sr_pattern_typed_config;
/* patterns/pattern_reduce.c */
sr_pattern_fn sr_pattern_reduce_constant, sr_pattern_reduce_empty, sr_pattern_reduce_nothing, sr_pattern_reduce_splat,
	sr_pattern_reduce_unused;
/* patterns/shape.c */
sr_pattern_fn sr_pattern_broadcast_noop, sr_pattern_broadcast_of_broadcast, sr_pattern_broadcast_reshape,
	sr_pattern_broadcast_transpose, sr_pattern_iota_broadcast, sr_pattern_iota_of_one, sr_pattern_pad_empty,
	sr_pattern_pad_noop, sr_pattern_reshape_of_reshape, sr_pattern_reverse_noop, sr_pattern_transpose_noop,
	sr_pattern_transpose_of_transpose, sr_pattern_transpose_reshape;
/* patterns/pattern_slice.c */
sr_pattern_fn sr_pattern_dynamic_slice_constant, sr_pattern_dynamic_slice_splat, sr_pattern_dynamic_slice_twice,
	sr_pattern_gather_constant, sr_pattern_slice_noop, sr_pattern_slice_of_concatenate, sr_pattern_update_slice;
/* patterns/pattern_sort.c */
sr_pattern_fn sr_pattern_sort_dimension, sr_pattern_sort_unused;

#endif
