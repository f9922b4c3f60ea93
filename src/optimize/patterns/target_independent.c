/* stablehlo-aggressive-folder, stablehlo-aggressive-simplification, and both together: stablehlo-target-independent-optimization.
 * Also shardrun-simplify: those simplifications that may run on sharded values. They keep all bits, except that a convolution with a
 * constant kernel becomes a sum (pattern_stencil.c), and a transform along sharded dimensions several (pattern_fft.c).
 *
 * Tables of patterns by op; patterns of one op are tried in this order, folding before simplification. */
#include "optimize/fold.h"
#include "optimize/pass_functions.h"
#include "optimize/patterns/patterns.h"

const struct sr_pattern sr_folding_patterns[] = {
	{SR_OP_stablehlo_case, sr_pattern_inline_case},
	{SR_OP_stablehlo_concatenate, sr_pattern_concatenate_splats},
	{SR_OP_stablehlo_dynamic_slice, sr_pattern_dynamic_slice_splat},
	{SR_OP_stablehlo_get_dimension_size, sr_pattern_get_static_size},
	{SR_OP_stablehlo_iota, sr_pattern_iota_of_unit_dim},
	{SR_OP_stablehlo_reduce, sr_pattern_reduce_outer_value},
	{SR_OP_stablehlo_reduce, sr_pattern_reduce_no_dims},
	{SR_OP_stablehlo_reduce, sr_pattern_reduce_splat},
	{SR_OP_stablehlo_set_dimension_size, sr_pattern_set_static_size},
	{SR_OP_stablehlo_while, sr_pattern_unused_while},
	{SR_OP_stablehlo_while, sr_pattern_while_never_runs},
	{SR_OP_UNREGISTERED, sr_pattern_fold},
	{0},
};

const struct sr_pattern sr_simplifying_patterns[] = {
	{SR_OP_shape_shape_of, sr_pattern_shape_of_reshape},
	{SR_OP_stablehlo_add, sr_pattern_constant_right},
	{SR_OP_stablehlo_add, sr_pattern_identity_element},
	{SR_OP_stablehlo_and, sr_pattern_constant_right},
	{SR_OP_stablehlo_and, sr_pattern_identity_element},
	{SR_OP_stablehlo_broadcast_in_dim, sr_pattern_broadcast_noop},
	{SR_OP_stablehlo_broadcast_in_dim, sr_pattern_broadcast_of_broadcast},
	{SR_OP_stablehlo_broadcast_in_dim, sr_pattern_broadcast_reshape},
	{SR_OP_stablehlo_broadcast_in_dim, sr_pattern_broadcast_transpose},
	{SR_OP_stablehlo_compare, sr_pattern_compare_constant_right},
	{SR_OP_stablehlo_compare, sr_pattern_compare_same},
	{SR_OP_stablehlo_compare, sr_pattern_compare_with_bool},
	{SR_OP_stablehlo_complex, sr_pattern_complex_of_real_imag},
	{SR_OP_stablehlo_concatenate, sr_pattern_concatenate_noop},
	{SR_OP_stablehlo_concatenate, sr_pattern_concatenate_empty},
	{SR_OP_stablehlo_concatenate, sr_pattern_concatenate_flatten},
	{SR_OP_stablehlo_convert, sr_pattern_convert_noop},
	{SR_OP_stablehlo_custom_call, sr_pattern_ffi_backend_config},
	{SR_OP_stablehlo_dynamic_broadcast_in_dim, sr_pattern_static_form},
	{SR_OP_stablehlo_dynamic_broadcast_in_dim, sr_pattern_dynamic_broadcast_constant},
	{SR_OP_stablehlo_dynamic_broadcast_in_dim, sr_pattern_dynamic_broadcast_of_broadcast},
	{SR_OP_stablehlo_dynamic_broadcast_in_dim, sr_pattern_dynamic_broadcast_noop},
	{SR_OP_stablehlo_dynamic_broadcast_in_dim, sr_pattern_dynamic_broadcast_of_reshape},
	{SR_OP_stablehlo_dynamic_gather, sr_pattern_static_form},
	{SR_OP_stablehlo_dynamic_iota, sr_pattern_static_form},
	{SR_OP_stablehlo_dynamic_iota, sr_pattern_dynamic_iota_broadcast},
	{SR_OP_stablehlo_dynamic_pad, sr_pattern_static_form},
	{SR_OP_stablehlo_dynamic_reshape, sr_pattern_static_form},
	{SR_OP_stablehlo_dynamic_reshape, sr_pattern_dynamic_reshape_of_reshape},
	{SR_OP_stablehlo_dynamic_reshape, sr_pattern_dynamic_reshape_noop},
	{SR_OP_stablehlo_dynamic_slice, sr_pattern_dynamic_slice_constant},
	{SR_OP_stablehlo_dynamic_update_slice, sr_pattern_update_slice_noop},
	{SR_OP_stablehlo_gather, sr_pattern_gather_constant},
	{SR_OP_stablehlo_get_dimension_size, sr_pattern_get_static_size},
	{SR_OP_stablehlo_get_tuple_element, sr_pattern_element_of_tuple},
	{SR_OP_stablehlo_imag, sr_pattern_real_imag_of_complex},
	{SR_OP_stablehlo_iota, sr_pattern_iota_of_unit_dim},
	{SR_OP_stablehlo_iota, sr_pattern_iota_broadcast},
	{SR_OP_stablehlo_maximum, sr_pattern_constant_right},
	{SR_OP_stablehlo_minimum, sr_pattern_constant_right},
	{SR_OP_stablehlo_multiply, sr_pattern_constant_right},
	{SR_OP_stablehlo_multiply, sr_pattern_identity_element},
	{SR_OP_stablehlo_or, sr_pattern_constant_right},
	{SR_OP_stablehlo_or, sr_pattern_identity_element},
	{SR_OP_stablehlo_pad, sr_pattern_pad_noop},
	{SR_OP_stablehlo_pad, sr_pattern_pad_empty},
	{SR_OP_stablehlo_real, sr_pattern_real_imag_of_complex},
	{SR_OP_stablehlo_real_dynamic_slice, sr_pattern_static_form},
	{SR_OP_stablehlo_reduce, sr_pattern_reduce_no_dims},
	{SR_OP_stablehlo_reduce, sr_pattern_reduce_empty},
	{SR_OP_stablehlo_reduce, sr_pattern_reduce_outer_value},
	{SR_OP_stablehlo_reduce, sr_pattern_reduce_unused},
	{SR_OP_stablehlo_reshape, sr_pattern_convert_noop},
	{SR_OP_stablehlo_reshape, sr_pattern_reshape_of_reshape},
	{SR_OP_stablehlo_reverse, sr_pattern_reverse_noop},
	{SR_OP_stablehlo_select, sr_pattern_select_one_value},
	{SR_OP_stablehlo_select, sr_pattern_select_not},
	{SR_OP_stablehlo_select, sr_pattern_select_truth},
	{SR_OP_stablehlo_select, sr_pattern_fold},
	{SR_OP_stablehlo_slice, sr_pattern_slice_noop},
	{SR_OP_stablehlo_slice, sr_pattern_slice_of_concatenate},
	{SR_OP_stablehlo_sort, sr_pattern_sort_dimension},
	{SR_OP_stablehlo_sort, sr_pattern_sort_unused},
	{SR_OP_stablehlo_subtract, sr_pattern_equal_operands},
	{SR_OP_stablehlo_subtract, sr_pattern_identity_element},
	{SR_OP_stablehlo_transpose, sr_pattern_transpose_noop},
	{SR_OP_stablehlo_transpose, sr_pattern_transpose_of_transpose},
	{SR_OP_stablehlo_transpose, sr_pattern_transpose_reshape},
	{SR_OP_stablehlo_tuple, sr_pattern_tuple_of_elements},
	{SR_OP_stablehlo_while, sr_pattern_empty_tensors},
	{SR_OP_stablehlo_while, sr_pattern_while_capture},
	{SR_OP_stablehlo_xor, sr_pattern_constant_right},
	{SR_OP_stablehlo_xor, sr_pattern_equal_operands},
	{SR_OP_stablehlo_xor, sr_pattern_identity_element},
	{SR_OP_UNREGISTERED, sr_pattern_empty_tensors},
	{0},
};

static const struct sr_pattern exact_patterns[] = {
	{SR_OP_stablehlo_add, sr_pattern_exact_identity_element},
	{SR_OP_stablehlo_add, sr_pattern_interleave},
	{SR_OP_stablehlo_add, sr_pattern_sum_of_slices},
	{SR_OP_stablehlo_and, sr_pattern_exact_identity_element},
	{SR_OP_stablehlo_broadcast_in_dim, sr_pattern_broadcast_noop},
	{SR_OP_stablehlo_collective_permute, sr_pattern_permute_of_convert},
	{SR_OP_stablehlo_compare, sr_pattern_compare_with_bool},
	{SR_OP_stablehlo_complex, sr_pattern_complex_of_real_imag},
	{SR_OP_stablehlo_concatenate, sr_pattern_concatenate_empty},
	{SR_OP_stablehlo_concatenate, sr_pattern_concatenate_flatten},
	{SR_OP_stablehlo_concatenate, sr_pattern_concatenate_noop},
	{SR_OP_stablehlo_concatenate, sr_pattern_concatenate_of_squeezes},
	{SR_OP_stablehlo_concatenate, sr_pattern_concatenate_of_converts},
	{SR_OP_stablehlo_concatenate, sr_pattern_roll_of_elementwise},
	{SR_OP_stablehlo_concatenate, sr_pattern_roll_sharded_first},
	{SR_OP_stablehlo_concatenate, sr_pattern_update_by_select},
	{SR_OP_stablehlo_concatenate, sr_pattern_concatenate_to_pad},
	{SR_OP_stablehlo_convert, sr_pattern_convert_noop},
	{SR_OP_stablehlo_convolution, sr_pattern_window_of_pad},
	{SR_OP_stablehlo_convolution, sr_pattern_convolution_of_transpose},
	{SR_OP_stablehlo_convolution, sr_pattern_convolution_of_constant},
	{SR_OP_stablehlo_convolution, sr_pattern_convolution_of_border},
	{SR_OP_stablehlo_dot_general, sr_pattern_product_of_one_hot},
	{SR_OP_stablehlo_dynamic_slice, sr_pattern_dynamic_slice_constant},
	{SR_OP_stablehlo_dynamic_update_slice, sr_pattern_update_slice_noop},
	{SR_OP_stablehlo_dynamic_update_slice, sr_pattern_update_by_select},
	{SR_OP_stablehlo_dynamic_update_slice, sr_pattern_update_to_pad},
	{SR_OP_stablehlo_dynamic_update_slice, sr_pattern_update_of_padding},
	{SR_OP_stablehlo_fft, sr_pattern_sharded_fft},
	{SR_OP_stablehlo_gather, sr_pattern_gather_of_iota},
	{SR_OP_stablehlo_imag, sr_pattern_real_imag_of_complex},
	{SR_OP_stablehlo_multiply, sr_pattern_exact_identity_element},
	{SR_OP_stablehlo_or, sr_pattern_exact_identity_element},
	{SR_OP_stablehlo_or, sr_pattern_interleave},
	{SR_OP_stablehlo_pad, sr_pattern_pad_noop},
	{SR_OP_stablehlo_pad, sr_pattern_pad_of_pad},
	{SR_OP_stablehlo_pad, sr_pattern_pad_of_slice},
	{SR_OP_stablehlo_pad, sr_pattern_update_by_select},
	{SR_OP_stablehlo_real, sr_pattern_real_imag_of_complex},
	{SR_OP_stablehlo_reduce, sr_pattern_all_of_index},
	{SR_OP_stablehlo_reduce, sr_pattern_reduce_to_index},
	{SR_OP_stablehlo_reduce, sr_pattern_reduce_to_index_in_order},
	{SR_OP_stablehlo_reduce, sr_pattern_reduce_of_stack},
	{SR_OP_stablehlo_reduce, sr_pattern_reduce_unit_dims},
	{SR_OP_stablehlo_reduce_window, sr_pattern_window_of_pad},
	{SR_OP_stablehlo_reduce_window, sr_pattern_small_window},
	{SR_OP_stablehlo_reshape, sr_pattern_convert_noop},
	{SR_OP_stablehlo_reshape, sr_pattern_repeated_row},
	{SR_OP_stablehlo_reshape, sr_pattern_reshape_undone},
	{SR_OP_stablehlo_reverse, sr_pattern_reverse_noop},
	{SR_OP_stablehlo_scatter, sr_pattern_update_by_select},
	{SR_OP_stablehlo_scatter, sr_pattern_update_to_pad},
	{SR_OP_stablehlo_scatter, sr_pattern_update_of_padding},
	{SR_OP_stablehlo_scatter, sr_pattern_scatter_of_window},
	{SR_OP_stablehlo_scatter, sr_pattern_scatter_in_loop},
	{SR_OP_stablehlo_select, sr_pattern_select_one_value},
	{SR_OP_stablehlo_select, sr_pattern_select_truth},
	{SR_OP_stablehlo_select, sr_pattern_select_of_iota},
	{SR_OP_stablehlo_select, sr_pattern_select_of_box},
	{SR_OP_stablehlo_slice, sr_pattern_slice_noop},
	{SR_OP_stablehlo_slice, sr_pattern_distribute_slice},
	{SR_OP_stablehlo_slice, sr_pattern_slice_of_border},
	{SR_OP_stablehlo_slice, sr_pattern_slice_of_pad},
	{SR_OP_stablehlo_slice, sr_pattern_slice_of_squeeze},
	{SR_OP_stablehlo_slice, sr_pattern_slice_of_slice},
	{SR_OP_stablehlo_subtract, sr_pattern_exact_identity_element},
	{SR_OP_stablehlo_transpose, sr_pattern_transpose_noop},
	{SR_OP_stablehlo_transpose, sr_pattern_transpose_of_transpose},
	{SR_OP_stablehlo_xor, sr_pattern_exact_identity_element},
	{0},
};

enum { ROUNDS = 10 };

static enum sr_status run_patterns(struct sr_context *ctx, struct sr_op *root, const struct sr_fold_options *fold, bool assume_pure,
				   const struct sr_pattern *first, const struct sr_pattern *second)
{
	struct sr_rewrite_config config = {.tables = {first, second},
					   .max_rounds = ROUNDS,
					   .bottom_up = true,
					   .assume_pure = assume_pure,
					   .folder = sr_folder_new(ctx, fold)};
	sr_rewrite_greedily(ctx, root, &config);
	return SR_OK;
}

static struct sr_fold_options fold_options(const struct sr_pass_options *options)
{
	return (struct sr_fold_options){.max_elements = sr_option_int(options, "fold-op-element-limit"),
					.integers_only = !sr_option_bool(options, "optimize-float"),
					.convert_numbers = sr_option_bool(options, "convert-numbers")};
}

enum sr_status sr_run_aggressive_folder(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct sr_fold_options fold = fold_options(options);
	return run_patterns(ctx, root, &fold, sr_option_bool(options, "assume-no-undeclared-side-effects"), sr_folding_patterns, NULL);
}

enum sr_status sr_run_aggressive_simplification(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct sr_fold_options fold = {.max_elements = sr_option_int(options, "fold-op-element-limit")};
	return run_patterns(ctx, root, &fold, false, sr_simplifying_patterns, NULL);
}

enum sr_status sr_run_simplify(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct sr_rewrite_config config = {.tables = {exact_patterns},
					   .max_rounds = ROUNDS,
					   .keeps_shardings = sr_option_bool(options, "sharded")};
	sr_rewrite_greedily(ctx, root, &config);
	return SR_OK;
}

enum sr_status sr_run_target_independent(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct sr_fold_options fold = fold_options(options);
	return run_patterns(ctx, root, &fold, sr_option_bool(options, "assume-no-undeclared-side-effects"), sr_folding_patterns,
			    sr_simplifying_patterns);
}
