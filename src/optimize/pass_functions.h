/* Run functions of the passes in the table of src/optimize, each defined in a file of its own. */
#ifndef SR_OPTIMIZE_PASS_FUNCTIONS_H
#define SR_OPTIMIZE_PASS_FUNCTIONS_H

#include "ir/pass.h"

sr_pass_fn sr_run_canonicalize, sr_run_chlo_legalize, sr_run_cse, sr_run_dce, sr_run_inline, sr_run_loop_invariant_motion,
	sr_run_symbol_dce, sr_run_decompose, sr_run_canonicalize_dynamism, sr_run_legalize_deprecated_ops,
	sr_run_legalize_composite_to_call, sr_run_legalize_quant_to_math, sr_run_complex_math_expander, sr_run_refine_shapes,
	sr_run_refine_arguments, sr_run_check_shape_assertions, sr_run_aggressive_folder, sr_run_aggressive_simplification,
	sr_run_simplify,
	sr_run_target_independent, sr_run_quantized_op_to_qdq, sr_run_qdq_to_quantized_op, sr_run_wrap_in_composite,
	sr_run_compatibility_expander, sr_run_instrument_with_probe, sr_run_shape_legalize, sr_run_combine_collectives,
	sr_run_move_converts, sr_run_collective_matmul, sr_run_skip_partial_windows;

/* Let collective_permutes of the block whose elements are a part of another one's read its result. Defined in nested_permutes.c. */
void sr_share_nested_permutes(struct sr_context *ctx, struct sr_block *block);

#endif
