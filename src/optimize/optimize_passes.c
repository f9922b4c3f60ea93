/* The table of passes of this folder. */
#include "optimize/optimize.h"
#include "optimize/pass_functions.h"

#define LIMIT "fold-op-element-limit:int=65536"
#define FOLDING LIMIT ", optimize-float:bool=true, convert-numbers:bool=false, assume-no-undeclared-side-effects:bool=false"

/* A row: name, options, whether it runs on each function, function, what it does, what it leaves (NULL: nothing more to say). */
#define PASS(pass, taken, each_func, function, says, gone) \
	{.name = pass, .options = taken, .on_func = each_func, .run = function, .doc = says, .ensures = gone}

const struct sr_pass sr_optimize_passes[] = {
	PASS("canonicalize", "test-convergence:bool=false, max-iterations:int=10, enable-patterns:str, disable-patterns:str", false, sr_run_canonicalize,
	     "Apply each op's simplifying patterns until nothing changes, merge equal constants at the top of their "
	     "function, and remove ops whose results nobody uses.", NULL),
	PASS("chlo-legalize-to-stablehlo", "", false, sr_run_chlo_legalize,
	     "Rewrite every chlo op as stablehlo ops.", "no chlo ops"),
	PASS("cse", "collectives:bool=false", false, sr_run_cse,
	     "Replace a pure op by an equal one that dominates it; with collectives those of a local module too.", NULL),
	PASS("dce", "", false, sr_run_dce,
	     "Remove what no result needs: ops without effects, collectives among them, and values that loops only "
	     "carry round.", NULL),
	PASS("inline", "unsharded:bool=false", false, sr_run_inline,
	     "Put the bodies of called functions in place of the calls, callees first, and remove private functions "
	     "that are left without a call; with unsharded, where neither call nor function has shardings.", NULL),
	PASS("interpreter-instrument-with-probe", "useDebugInfo:bool=false", false, sr_run_instrument_with_probe,
	     "Let each value that an op makes pass a probe, which the interpreter writes to a file; with useDebugInfo, of "
	     "the location's name.", NULL),
	PASS("loop-invariant-motion", "max-bytes:int=67108864", false, sr_run_loop_invariant_motion,
	     "Move ops that every round of a loop computes alike before the loop, where their results are no larger "
	     "than max-bytes.", NULL),
	PASS("shape-legalize-to-stablehlo", "", false, sr_run_shape_legalize,
	     "Rewrite computations of shapes by index values as ops on tensors of i32; casts join them to what wants index "
	     "values.", "no shape ops"),
	PASS("shardrun-combine-collectives", "", false, sr_run_combine_collectives,
	     "Make one all_reduce or all_gather, of a packed buffer, of small ones over the same groups that do not need each "
	     "other, where the rounds saved take longer than the copies by the machine's figures.",
	     "fewer collectives; concatenations before them, slices behind"),
	PASS("shardrun-move-converts", "", false, sr_run_move_converts,
	     "Convert to fewer bytes, slice and reduce before a collective that moves elements, convert to more and broadcast "
	     "behind it; make one collective of one that reads nothing but another of its kind.",
	     NULL),
	PASS("shardrun-collective-matmul", "number:int=0", false, sr_run_collective_matmul,
	     "Make pieces of products, and of the gathers before them or the sums over devices behind them, where by the machine's "
	     "figures it takes less time to send one between nodes while another is computed; with number of all that can be, so "
	     "many pieces.",
	     "shardrun.decomposed_matmuls on the module where there are any"),
	PASS("shardrun-decompose", "", false, sr_run_decompose,
	     "Rewrite batch normalization, torch_index_select and custom calls that stand for an op as ops that have "
	     "kernels; custom calls that make a tuple get results of their own.", NULL),
	PASS("shardrun-simplify", "sharded:bool=false", false, sr_run_simplify,
	     "Remove ops whose result is an operand bit by bit, NaN, infinities and signed zeros too, and make one transpose of "
	     "two. With sharded, only where the operand has the result's sharding.", NULL),
	PASS("stablehlo-aggressive-folder", FOLDING, true, sr_run_aggressive_folder,
	     "Compute ops of constants, and take loops and branches that constants decide; results of more than "
	     "fold-op-element-limit elements stay ops unless all elements are equal. Without optimize-float those of floats stay, but with "
	     "convert-numbers conversions of one number.", NULL),
	PASS("stablehlo-aggressive-simplification", LIMIT, true, sr_run_aggressive_simplification,
	     "Replace ops and small groups of ops by simpler ones of the same value.", NULL),
	PASS("stablehlo-canonicalize-dynamism", "", false, sr_run_canonicalize_dynamism,
	     "Rewrite ops whose shapes are constant operands as the ops that have them as attributes.", NULL),
	PASS("stablehlo-check-shape-assertions", "enable-shape-assertions:bool=true", false, sr_run_check_shape_assertions,
	     "Remove custom calls @shape_assertion that hold; one that does not is an error with its own message.", NULL),
	PASS("stablehlo-compatibility-expander", "target:str", false, sr_run_compatibility_expander,
	     "Rewrite what StableHLO before the version target does not know: tan, batching dimensions of gather and "
	     "scatter, replica groups as mesh axes, ranges as locations.", NULL),
	PASS("stablehlo-complex-math-expander", "", false, sr_run_complex_math_expander,
	     "Rewrite exponential, log, log_plus_one and sqrt of complex numbers as ops on real ones.", NULL),
	PASS("stablehlo-legalize-composite-to-call", "except:str", false, sr_run_legalize_composite_to_call,
	     "Rewrite each composite, but those named in except, as a call of its decomposition.", NULL),
	PASS("stablehlo-legalize-deprecated-ops", "fail-on-unused:bool=true", false, sr_run_legalize_deprecated_ops,
	     "Rewrite broadcast, create_token, cross-replica-sum, dot, einsum and unary_einsum as the ops that replace "
	     "them; map and rng, which nothing replaces, are errors unless fail-on-unused is false.", NULL),
	PASS("stablehlo-legalize-quant-to-math", "", false, sr_run_legalize_quant_to_math,
	     "Rewrite quantized values as their stored integers, and ops on them as ops on the expressed values.", "no quantized types"),
	PASS("stablehlo-legalize-quantized-op-to-qdq", "", true, sr_run_quantized_op_to_qdq,
	     "Rewrite ops that compute with quantized values as dequantize, the op on floats, quantize.", NULL),
	PASS("stablehlo-legalize-qdq-to-quantized-op", "", true, sr_run_qdq_to_quantized_op,
	     "Rewrite dequantize, an op on floats, quantize as the op on quantized values.", NULL),
	PASS("stablehlo-refine-arguments", "types:str", false, sr_run_refine_arguments,
	     "Give the arguments of the program's function these types; uses see them through a custom call that shape "
	     "refinement removes.", NULL),
	PASS("stablehlo-refine-shapes", "", false, sr_run_refine_shapes,
	     "Give every value the best type that follows from the arguments' types, folding what computes shapes.", NULL),
	PASS("stablehlo-target-independent-optimization", FOLDING, true, sr_run_target_independent,
	     "The folder and the simplification together: each makes work for the other.", NULL),
	PASS("stablehlo-wrap-in-composite", "op-names:str, version:int=1", false, sr_run_wrap_in_composite,
	     "Make a composite of each op that op-names lists; its decomposition is a private function of the op.", NULL),
	PASS("symbol-dce", "", false, sr_run_symbol_dce,
	     "Remove private symbols that nothing refers to, directly or through others.", NULL),
	{0},
};
