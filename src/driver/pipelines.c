/* The stages of the default pipeline, and passes that the driver runs before them. */
#include "driver/driver.h"

#define OPS_WITH_KERNELS \
	"stablehlo-legalize-deprecated-ops{fail-on-unused=false},stablehlo-canonicalize-dynamism,stablehlo-legalize-quant-to-math," \
	"shardrun-decompose,chlo-legalize-to-stablehlo,stablehlo-canonicalize-dynamism"
/* Passes that run before partition, so that dead code is not partitioned and equal ops, also those that patterns create, are
 * partitioned once. */
#define SHRINK_MODULE "inline,symbol-dce,dce,cse,shardrun-simplify{sharded=true},cse"

const struct sr_pass sr_driver_passes[] = {
	{.name = "shardrun-import-pipeline",
	 .options = "",
	 .pipeline = "stablehlo-legalize-composite-to-call," OPS_WITH_KERNELS
		     ",shardrun-library-rules,inline{unsharded=true},symbol-dce",
	 .doc = "Prepare a program for propagation: decompose ops without kernels, add sharding rules of library calls, and inline calls, "
		"so that shardings propagate through them, unless the call or its function has shardings.",
	 .requires = "a verified module",
	 .ensures = "StableHLO and sdy ops"},
	{.name = "chlo-pre-serialization-pipeline",
	 .options = "",
	 .pipeline = "chlo-legalize-to-stablehlo",
	 .doc = "Convert CHLO and shape ops to StableHLO, as before writing a portable artifact.",
	 .requires = "a verified module",
	 .ensures = "StableHLO ops alone"},
	{.name = "shardrun-interpret-pipeline",
	 .options = "",
	 .pipeline = OPS_WITH_KERNELS,
	 .doc = "Prepare a program that is run as written: decompose ops without kernels.",
	 .requires = "a verified module",
	 .ensures = "StableHLO ops with kernels"},
	{.name = "shardrun-mark-unconstrained-results",
	 .options = "function:str",
	 .run = sr_mark_unconstrained_results_pass,
	 .doc = "Mark results of the entry that have no sharding and do not become arguments as unconstrained: the search chooses the "
		"sharding that needs least communication.",
	 .requires = "a verified module, before propagation",
	 .ensures = "shardrun.unconstrained on results"},
	{.name = "shardrun-partition-pipeline",
	 .options = "memory-price:str=0, keep-slice-shardings:bool=false",
	 .pipeline = SHRINK_MODULE ",shardrun-partition{memory-price=$memory-price keep-slice-shardings=$keep-slice-shardings}",
	 .doc = "Partition a sharded module into one device's program: inline calls, search shardings, insert reshards, lower them to "
		"collectives, pad, make shapes local.",
	 .requires = "every value has a sharding",
	 .ensures = "one device's shapes, stablehlo collectives"},
	{.name = "shardrun-partition-as-propagated-pipeline",
	 .options = "",
	 .pipeline = SHRINK_MODULE ",shardrun-partition-as-propagated",
	 .doc = "Partition with the shardings that propagation gave, resolving conflicts as upstream does.",
	 .requires = "every value has a sharding",
	 .ensures = "one device's shapes, stablehlo collectives"},
	{.name = "shardrun-replicate-pipeline",
	 .options = "",
	 .pipeline = SHRINK_MODULE ",shardrun-replicate",
	 .doc = "Partition any program: gather the arguments, compute everything on every device, slice the results.",
	 .requires = "shardings on arguments and results at least",
	 .ensures = "one device's shapes, stablehlo collectives"},
	{.name = "shardrun-optimize-pipeline",
	 .options = "hoist-masks:bool=false",
	 .pipeline = "dce,canonicalize,"
		     "stablehlo-aggressive-folder{optimize-float=false convert-numbers=true fold-op-element-limit=64},"
		     "shardrun-simplify,cse,shardrun-move-converts,loop-invariant-motion{hoist-masks=$hoist-masks},canonicalize,"
		     "cse{collectives=true}",
	 .doc = "Clean up the local module before planning; with hoist-masks, for loop nests that are not compiled.",
	 .requires = "a local module",
	 .ensures = "a local module"},
	{.name = "shardrun-work-pipeline",
	 .options = "combine:bool=true, strip-mine:str=auto, threads:int=0, overlap:bool=false, memory:int=0, interpreted:bool=false",
	 .pipeline = "$combine?shardrun-combine-collectives,shardrun-merge-products{mode=$strip-mine},"
		     "shardrun-chunk-loops{mode=$strip-mine},"
		     "shardrun-strip-mine{mode=$strip-mine threads=$threads},"
		     "shardrun-lower-to-work{interpreted=$interpreted},shardrun-channels-last,shardrun-fuse,"
		     "shardrun-schedule{overlap=$overlap memory=$memory}",
	 .doc = "Lower ops to work: combine small collectives, compute several products of few rows at once, also those of a "
		"loop's iterations, and strip-mine attention (strip-mine: auto, on or off), make and fuse loop nests, and "
		"schedule the ops for little live memory. interpreted: loop nests are not compiled.",
	 .requires = "a local module of static shapes",
	 .ensures = "a module ready for planning"},
	{0},
};
