/* Rewrite patterns. Each file defines those of one family of ops. Each pattern's comment has the form "ops before -> ops after". */
#ifndef SR_OPTIMIZE_PATTERNS_H
#define SR_OPTIMIZE_PATTERNS_H

#include "optimize/patterns/rewrite.h"

extern const struct sr_pattern sr_canonical_patterns[];   /* patterns of the pass canonicalize */
extern const struct sr_pattern sr_folding_patterns[];     /* patterns that fold constants */
extern const struct sr_pattern sr_simplifying_patterns[];

/* Patterns of sdy.reshard, sdy.manual_computation and sdy's collectives. */
sr_pattern_fn sr_pattern_repeated_reshard, sr_pattern_empty_collective, sr_pattern_all_to_all_of_all_to_all,
	sr_pattern_permute_noop,
	sr_pattern_redundant_manual, sr_pattern_reduce_of_sharded, sr_pattern_reduce_of_unreduced, sr_pattern_reduce_scatter,
	sr_pattern_reshard_of_reshard, sr_pattern_slice_of_gather, sr_pattern_unused_all_to_all, sr_pattern_unused_manual_inputs;
/* Pattern of sums of slices. */
sr_pattern_fn sr_pattern_sum_of_slices;
/* Patterns of concatenate. */
sr_pattern_fn sr_pattern_concatenate_empty, sr_pattern_concatenate_flatten, sr_pattern_concatenate_noop,
	sr_pattern_concatenate_of_squeezes, sr_pattern_concatenate_splats, sr_pattern_concatenate_to_pad,
	sr_pattern_concatenate_of_converts, sr_pattern_permute_of_convert;
/* Patterns of case and while. */
sr_pattern_fn sr_pattern_case_of_constant, sr_pattern_inline_case, sr_pattern_while_capture, sr_pattern_unused_while,
	sr_pattern_while_never_runs;
/* Patterns of ops with shape operands. */
sr_pattern_fn sr_pattern_dynamic_broadcast_constant, sr_pattern_dynamic_broadcast_noop, sr_pattern_dynamic_broadcast_of_broadcast,
	sr_pattern_dynamic_broadcast_of_reshape, sr_pattern_dynamic_iota_broadcast, sr_pattern_dynamic_reshape_noop,
	sr_pattern_dynamic_reshape_of_reshape,
	sr_pattern_get_static_size, sr_pattern_set_static_size, sr_pattern_shape_of_reshape, sr_pattern_static_form;
/* Patterns of elementwise ops. */
sr_pattern_fn sr_pattern_equal_operands, sr_pattern_compare_constant_right, sr_pattern_compare_same, sr_pattern_compare_with_bool,
	sr_pattern_complex_of_real_imag, sr_pattern_constant_right, sr_pattern_identity_element, sr_pattern_real_imag_of_complex,
	sr_pattern_exact_identity_element, sr_pattern_convert_noop, sr_pattern_select_one_value, sr_pattern_select_not,
	sr_pattern_select_truth;
/* Patterns of all ops, of tuples and of custom calls. */
sr_pattern_fn sr_pattern_element_of_tuple, sr_pattern_fold, sr_pattern_empty_tensors, sr_pattern_tuple_of_elements,
	sr_pattern_ffi_backend_config;
/* Patterns of reduce. */
sr_pattern_fn sr_pattern_reduce_outer_value, sr_pattern_reduce_empty, sr_pattern_reduce_no_dims, sr_pattern_reduce_splat,
	sr_pattern_reduce_of_stack, sr_pattern_reduce_unit_dims, sr_pattern_reduce_unused;
/* Patterns of pad. */
sr_pattern_fn sr_pattern_interleave, sr_pattern_pad_empty, sr_pattern_pad_noop, sr_pattern_pad_of_pad, sr_pattern_pad_of_slice,
	sr_pattern_slice_of_pad, sr_pattern_window_of_pad;
/* Patterns of broadcast_in_dim, iota, reshape, reverse and transpose. */
sr_pattern_fn sr_pattern_broadcast_noop, sr_pattern_broadcast_of_broadcast, sr_pattern_broadcast_reshape,
	sr_pattern_broadcast_transpose, sr_pattern_iota_broadcast, sr_pattern_iota_of_unit_dim, sr_pattern_reshape_of_reshape,
	sr_pattern_reshape_undone,
	sr_pattern_reverse_noop, sr_pattern_transpose_noop,
	sr_pattern_transpose_of_transpose, sr_pattern_transpose_reshape;
/* Patterns of slices and gather. */
sr_pattern_fn sr_pattern_dynamic_slice_constant, sr_pattern_dynamic_slice_splat, sr_pattern_dynamic_slice_of_dynamic_slice,
	sr_pattern_distribute_slice, sr_pattern_gather_constant, sr_pattern_slice_noop, sr_pattern_slice_of_slice,
	sr_pattern_slice_of_concatenate, sr_pattern_slice_of_squeeze, sr_pattern_update_slice_noop;
/* Patterns of borders that repeat or reflect rows. */
sr_pattern_fn sr_pattern_repeated_row, sr_pattern_slice_of_border;
/* Patterns of rolls. */
sr_pattern_fn sr_pattern_roll_of_elementwise, sr_pattern_roll_sharded_first;
/* Patterns of scatter, dynamic_update_slice, pad, concatenate, and select by a mask of several dimensions. */
sr_pattern_fn sr_pattern_update_by_select, sr_pattern_update_to_pad, sr_pattern_update_of_padding, sr_pattern_scatter_of_window,
	sr_pattern_scatter_in_loop, sr_pattern_select_of_box;
/* Patterns of convolutions and windows. */
sr_pattern_fn sr_pattern_convolution_of_border, sr_pattern_convolution_of_constant, sr_pattern_convolution_of_transpose,
	sr_pattern_small_window;
/* Patterns of fft. */
sr_pattern_fn sr_pattern_sharded_fft;
/* Patterns of gather and select at indices that follow from iotas. */
sr_pattern_fn sr_pattern_all_of_index, sr_pattern_gather_of_iota, sr_pattern_select_of_iota;
/* Patterns of sort. */
sr_pattern_fn sr_pattern_sort_dimension, sr_pattern_sort_unused;
/* Patterns that read or find one element of a row. */
sr_pattern_fn sr_pattern_product_of_one_hot, sr_pattern_reduce_to_index, sr_pattern_reduce_to_index_in_order;

#endif
