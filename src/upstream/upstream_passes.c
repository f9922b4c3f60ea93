/* Table of the passes that only upstream's pipelines need. */
#include "upstream/upstream.h"
#include "upstream/upstream_passes.h"

const struct sr_pass sr_upstream_passes[] = {
	{.name = "sdy-reshard-to-collectives",
	 .options = "keep-redundant-reshards:bool=false",
	 .run = sr_reshard_to_collectives,
	 .doc = "Lowers every sdy.reshard to sdy collectives (slice, permute, all_to_all, gather) as upstream chooses them.",
	 .requires = "sdy.reshard ops",
	 .ensures = "sdy collectives; sdy.reshard between meshes with different axes"},
	{.name = "sdy-remove-all-gather-reduce-scatter-for-cmv1",
	 .options = "",
	 .on_func = true,
	 .run = sr_remove_all_gather_reduce_scatter,
	 .doc = "Removes gathers of operands and scatters of results of matrix products, for a backend that does both within "
		"the product.",
	 .requires = "sdy collectives"},
	{.name = "sdy-per-instruction-partitioning",
	 .options = "filter:str, enable-halo-exchange:bool=true",
	 .run = sr_partition_instructions,
	 .doc = "Partitions the ops that the filter selects (parts of names, selectLow=N, selectHigh=N; empty: all) one by one, "
		"each inside of a manual computation.",
	 .requires = "propagation done, calls inlined",
	 .ensures = "the rest of the module unchanged"},
	{.name = "sdy-resolve-permutation-factors",
	 .options = "enable-halo-exchange:bool=true, replica-count:int=1, partition-count:int=1",
	 .run = sr_resolve_permutation_factors,
	 .doc = "Expands pads, slices, reverses and uneven reshapes along sharded dimensions into exchanges with neighbors; "
		"other ops that move elements along a dimension get it replicated.",
	 .requires = "sdy-insert-explicit-reshards, full",
	 .ensures = "manual computations and reshards"},
	{.name = "sdy-pad-for-divisibility",
	 .options = "",
	 .on_func = true,
	 .run = sr_pad_for_divisibility,
	 .doc = "Pads inner values that are not divisible by their shards, slices the padding off where they are gathered, and "
		"zeroes padding in contracted dimensions, in upstream's forms.",
	 .requires = "arguments and results of functions divisible, sdy collectives",
	 .ensures = "divisible extents"},
	{.name = "sdy-resolve-single-device-sharding",
	 .options = "replica-count:int=1, partition-count:int=1",
	 .on_func = true,
	 .run = sr_resolve_single_device_sharding,
	 .doc = "Computes ops whose results are on one device only there, and sends the results to every device.",
	 .requires = "a mesh of several devices",
	 .ensures = "stablehlo.if ops and sdy.all_reduce; single-device shardings on reshards only"},
	{.name = "sdy-convert-global-to-local",
	 .options = "per-dim-all-gather:bool=false, enable-rgv3:bool=false, replica-count:int=1, partition-count:int=1, "
		    "combine-multi-dimension-reduce-scatter:bool=false",
	 .run = sr_convert_global_to_local,
	 .doc = "As shardrun-global-to-local, in upstream's forms: shardings stay on the ops, one collective moves several "
		"dimensions, offsets are looked up by device, gathers and scatters by sharded indices are masked.",
	 .requires = "no conflicting shardings, extents divisible",
	 .ensures = "local types; named computations"},
	{0},
};
