/* The default road as pipelines of pass names, so that each stage can be run alone by shardopt; and what it does before them. */
#include "driver/driver.h"

#define OPS_WITH_KERNELS \
	"stablehlo-legalize-deprecated-ops{fail-on-unused=false},stablehlo-canonicalize-dynamism,stablehlo-legalize-quant-to-math," \
	"shardrun-decompose,chlo-legalize-to-stablehlo,stablehlo-canonicalize-dynamism"
/* Before partition: what nobody needs is not partitioned. */
#define SMALLER "inline,symbol-dce,dce,shardrun-simplify{sharded=true}"

const struct sr_pass sr_driver_passes[] = {
	{.name = "shardrun-import-pipeline",
	 .options = "",
	 .pipeline = "stablehlo-legalize-composite-to-call," OPS_WITH_KERNELS
		     ",shardrun-library-rules,inline{unsharded=true},symbol-dce",
	 .doc = "What a program goes through before propagation: ops that have no kernel to ops that have, sharding rules of calls "
		"into libraries, and calls inlined, so that shardings pass through them, unless the call or its function has some.",
	 .requires = "a verified module",
	 .ensures = "StableHLO and sdy ops"},
	{.name = "chlo-pre-serialization-pipeline",
	 .options = "",
	 .pipeline = "chlo-legalize-to-stablehlo",
	 .doc = "CHLO and shape ops to StableHLO, as before writing a portable artifact.",
	 .requires = "a verified module",
	 .ensures = "StableHLO ops alone"},
	{.name = "shardrun-interpret-pipeline",
	 .options = "",
	 .pipeline = OPS_WITH_KERNELS,
	 .doc = "What a program goes through that is run as written: what has no kernel of its own is rewritten.",
	 .requires = "a verified module",
	 .ensures = "StableHLO ops with kernels"},
	{.name = "shardrun-mark-unconstrained-results",
	 .options = "function:str",
	 .run = sr_mark_unconstrained_results_pass,
	 .doc = "Marks results of the entry that have no sharding and do not become arguments: the search may leave them as it "
		"sends least.",
	 .requires = "a verified module, before propagation",
	 .ensures = "shardrun.unconstrained on results"},
	{.name = "shardrun-partition-pipeline",
	 .options = "memory-price:str=0, keep-slice-shardings:bool=false",
	 .pipeline = SMALLER ",shardrun-partition{memory-price=$memory-price keep-slice-shardings=$keep-slice-shardings}",
	 .doc = "From a sharded module to one device's program: calls inlined, conflicts to reshards, reshards to collectives, padding, local shapes.",
	 .requires = "every value has a sharding",
	 .ensures = "one device's shapes, stablehlo collectives"},
	{.name = "shardrun-partition-as-propagated-pipeline",
	 .options = "",
	 .pipeline = SMALLER ",shardrun-partition-as-propagated",
	 .doc = "The same with the shardings that propagation gave, and conflicts decided as upstream decides them.",
	 .requires = "every value has a sharding",
	 .ensures = "one device's shapes, stablehlo collectives"},
	{.name = "shardrun-replicate-pipeline",
	 .options = "",
	 .pipeline = SMALLER ",shardrun-replicate",
	 .doc = "The partition that is right for every program: arguments gathered, all computed on every device, results sliced.",
	 .requires = "shardings on arguments and results at least",
	 .ensures = "one device's shapes, stablehlo collectives"},
	{.name = "shardrun-optimize-pipeline",
	 .options = "",
	 .pipeline = "dce,canonicalize,"
		     "stablehlo-aggressive-folder{optimize-float=false convert-numbers=true fold-op-element-limit=64},"
		     "shardrun-simplify,cse,shardrun-move-converts,loop-invariant-motion,canonicalize,cse{collectives=true}",
	 .doc = "Clean-up of the local module before planning.",
	 .requires = "a local module",
	 .ensures = "a local module"},
	{.name = "shardrun-work-pipeline",
	 .options = "combine:bool=true, overlap:bool=false, memory:int=0",
	 .pipeline = "$combine?shardrun-combine-collectives,shardrun-lower-to-work,shardrun-fuse,"
		     "shardrun-schedule{overlap=$overlap memory=$memory}",
	 .doc = "From ops to work: small collectives packed, fused tiles, and calls, collectives, loops and branches, in an order "
		"that takes little memory.",
	 .requires = "a local module of static shapes",
	 .ensures = "what a program is planned from"},
	{0},
};
