/* The table of passes of this folder. */
#include "optimize/optimize.h"
#include "optimize/pass_functions.h"

const struct sr_pass sr_optimize_passes[] = {
	{
		.name = "canonicalize",
		.options = "test-convergence:bool=false, max-iterations:int=10, enable-patterns:str, disable-patterns:str",
		.run = sr_run_canonicalize,
		.doc = "Apply each op's simplifying patterns until nothing changes, merge equal constants at the top of their "
		       "function, and remove ops whose results nobody uses.",
	},
	{
		.name = "chlo-legalize-to-stablehlo",
		.options = "",
		.run = sr_run_chlo_legalize,
		.doc = "Rewrite every chlo op as stablehlo ops.",
		.leaves = "no chlo ops",
	},
	{
		.name = "cse",
		.options = "",
		.run = sr_run_cse,
		.doc = "Replace a pure op by an equal one that dominates it.",
	},
	{
		.name = "dce",
		.options = "",
		.run = sr_run_dce,
		.doc = "Remove what no result needs: ops without effects, collectives among them, and values that loops only "
		       "carry round.",
	},
	{
		.name = "inline",
		.options = "",
		.run = sr_run_inline,
		.doc = "Put the bodies of called functions in place of the calls, callees first, and remove private functions "
		       "that are left "
		       "without a call.",
	},
	{
		.name = "loop-invariant-motion",
		.options = "max-bytes:int=67108864",
		.run = sr_run_loop_invariant_motion,
		.doc = "Move ops that every round of a loop computes alike before the loop, where their results are no larger "
		       "than max-bytes.",
	},
	{
		.name = "symbol-dce",
		.options = "",
		.run = sr_run_symbol_dce,
		.doc = "Remove private symbols that nothing refers to, directly or through others.",
	},
	{
		.name = "shardrun-decompose",
		.options = "",
		.run = sr_run_decompose,
		.doc = "Rewrite batch normalization, torch_index_select and custom calls that name an op as ops that have kernels.",
	},
	{
		.name = "stablehlo-canonicalize-dynamism",
		.options = "",
		.run = sr_run_canonicalize_dynamism,
		.doc = "Rewrite ops whose shapes are constant operands as the ops that have them as attributes.",
	},
	{
		.name = "stablehlo-complex-math-expander",
		.options = "",
		.run = sr_run_complex_math_expander,
		.doc = "Rewrite exponential, log, log_plus_one and sqrt of complex numbers as ops on real ones.",
	},
	{
		.name = "stablehlo-legalize-composite-to-call",
		.options = "",
		.run = sr_run_legalize_composite_to_call,
		.doc = "Rewrite each composite as a call of its decomposition.",
	},
	{
		.name = "stablehlo-legalize-deprecated-ops",
		.options = "",
		.run = sr_run_legalize_deprecated_ops,
		.doc = "Rewrite broadcast, create_token, cross-replica-sum, einsum and unary_einsum as the ops that replace them.",
	},
	{
		.name = "stablehlo-legalize-quant-to-math",
		.options = "",
		.run = sr_run_legalize_quant_to_math,
		.doc = "Rewrite quantized values as their stored integers, and ops on them as ops on the expressed values.",
		.leaves = "no quantized types",
	},
	{0},
};
