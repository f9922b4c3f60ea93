/* Table of the passes of src/optimize. */
#include "optimize/optimize.h"
#include "optimize/pass_functions.h"

#define LIMIT "fold-op-element-limit:int=65536"
#define FOLDING LIMIT ", optimize-float:bool=true, convert-numbers:bool=false, assume-no-undeclared-side-effects:bool=false"

/* A row of the table: name, options, whether the pass runs on each function, run function, description, postcondition (NULL:
 * none). */
#define PASS(pass, opts, each_func, function, text, post) \
	{.name = pass, .options = opts, .on_func = each_func, .run = function, .doc = text, .ensures = post}

const struct sr_pass sr_optimize_passes[] = {
	PASS("canonicalize", "test-convergence:bool=false, max-iterations:int=10, enable-patterns:str, disable-patterns:str",
	     false, sr_run_canonicalize,
	     "Apply each op's simplifying patterns until nothing changes, merge equal constants at the top of their "
	     "function, and remove ops whose results nobody uses.", NULL),
	PASS("chlo-legalize-to-stablehlo", "", false, sr_run_chlo_legalize,
	     "Rewrite every chlo op as stablehlo ops.", "no chlo ops"),
	PASS("cse", "collectives:bool=false", false, sr_run_cse,
	     "Replace a pure op by an equal one that dominates it; with collectives, collectives of a local module too.", NULL),
	PASS("dce", "", false, sr_run_dce,
	     "Remove ops without side effects, collectives included, and loop-carried values, that no result depends on.", NULL),
	PASS("inline", "unsharded:bool=false", false, sr_run_inline,
	     "Inline called functions, callees first, and remove private functions without calls; with unsharded, only "
	     "where neither call nor function has shardings.", NULL),
	PASS("interpreter-instrument-with-probe", "useDebugInfo:bool=false", false, sr_run_instrument_with_probe,
	     "Insert a probe for each op result, which the interpreter writes to a file; with useDebugInfo, probes are "
	     "named after locations.", NULL),
	PASS("loop-invariant-motion", "max-bytes:int=67108864, hoist-masks:bool=false", false, sr_run_loop_invariant_motion,
	     "Hoist loop-invariant ops out of loops if their results are no larger than max-bytes; masks of borders only with "
	     "hoist-masks, since compiled loop nests compute them in less time than they read them.", NULL),
	PASS("shape-legalize-to-stablehlo", "", false, sr_run_shape_legalize,
	     "Rewrite ops of the shape dialect as ops on tensors of i32; casts connect them to users of index values.", "no shape ops"),
	PASS("shardrun-combine-collectives", "", false, sr_run_combine_collectives,
	     "Let collective_permutes whose operands are parts of another one's be slices of its result, and combine small "
	     "independent collectives over the same groups into one on a concatenated buffer, if by the machine's figures "
	     "the saved rounds take longer than the copies.",
	     "fewer collectives; concatenates before them, slices after"),
	PASS("shardrun-move-converts", "", false, sr_run_move_converts,
	     "Move narrowing converts, slices and reductions before collectives that only move elements, widening converts "
	     "and broadcasts after them; fold a collective of another one of its kind.",
	     NULL),
	PASS("shardrun-collective-matmul", "number:int=0, chunk-bytes:int=0", false, sr_run_collective_matmul,
	     "Decompose products, with the all_gathers before or the reductions after them, into chunks, if by the machine's "
	     "figures it saves time to send one chunk between nodes while another is computed; with number, into so many "
	     "chunks wherever possible; with chunk-bytes, only those whose gathered operands or partial sums take at least so much "
	     "memory.",
	     "shardrun.decomposed_matmuls on the module where there are any"),
	PASS("shardrun-decompose", "", false, sr_run_decompose,
	     "Rewrite batch normalization, torch_index_select, complex convolutions and custom calls with a StableHLO equivalent "
	     "as ops that have kernels; custom calls that return a tuple get several results.", NULL),
	PASS("shardrun-simplify", "sharded:bool=false", false, sr_run_simplify,
	     "Remove ops whose result is bit for bit an operand, including NaN, infinities and signed zeros, and fold transposes of "
	     "transposes. With sharded, only if the operand has the result's sharding.", NULL),
	PASS("shardrun-skip-partial-windows", "", false, sr_run_skip_partial_windows,
	     "Let scatters skip windows that are partly out of bounds, as XLA does, where StableHLO skips their elements out of "
	     "bounds alone.", NULL),
	PASS("stablehlo-aggressive-folder", FOLDING, true, sr_run_aggressive_folder,
	     "Fold ops of constants, and loops and branches with constant predicates; results of more than "
	     "fold-op-element-limit elements are folded only if all elements are equal. Without optimize-float, ops on floats are not "
	     "folded, except with convert-numbers conversions of one number.", NULL),
	PASS("stablehlo-aggressive-simplification", LIMIT, true, sr_run_aggressive_simplification,
	     "Replace ops and small groups of ops by simpler ones of the same value.", NULL),
	PASS("stablehlo-canonicalize-dynamism", "", false, sr_run_canonicalize_dynamism,
	     "Rewrite dynamic ops whose shape operands are constant as their static forms.", NULL),
	PASS("stablehlo-check-shape-assertions", "enable-shape-assertions:bool=true", false, sr_run_check_shape_assertions,
	     "Remove custom calls @shape_assertion that hold; one that fails is an error with its own message.", NULL),
	PASS("stablehlo-compatibility-expander", "target:str", false, sr_run_compatibility_expander,
	     "Rewrite features that StableHLO lacks in the version target: tan, batching dimensions of gather and scatter, "
	     "replica groups by mesh axes, location ranges.", NULL),
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
	     "Refine every value's type from the arguments' types, folding computations of shapes.", NULL),
	PASS("stablehlo-target-independent-optimization", FOLDING, true, sr_run_target_independent,
	     "Fold and simplify together, since each enables the other.", NULL),
	PASS("stablehlo-wrap-in-composite", "op-names:str, version:int=1", false, sr_run_wrap_in_composite,
	     "Make a composite of each op that op-names lists; its decomposition is a private function of the op.", NULL),
	PASS("symbol-dce", "", false, sr_run_symbol_dce,
	     "Remove private symbols that nothing refers to, directly or through others.", NULL),
	{0},
};
