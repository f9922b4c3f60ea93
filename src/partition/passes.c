/* The partitioner's passes and their chain. */
#include "partition/passes.h"
#include "partition/partition.h"

const struct sr_pass sr_partition_passes[] = {
	{.name = "shardrun-choose-replicate",
	 .options = "",
	 .run = sr_choose_replicate,
	 .doc = "Gather arguments, compute everything on every device, cut results: right for every program.",
	 .requires = "calls inlined",
	 .leaves = "sdy.reshard at the borders of functions and manual computations"},
	{.name = "shardrun-route-simple",
	 .options = "",
	 .run = sr_route_simple,
	 .doc = "Every sdy.reshard as an all_gather of the axes that go and an all_slice of the axes that come.",
	 .requires = "sdy.reshard ops",
	 .leaves = "sdy collectives"},
	{.name = "sdy-convert-global-to-local",
	 .options = "per-dim-all-gather:bool=false, enable-rgv3:bool=false, replica-count:int=1, partition-count:int=1, "
		    "combine-multi-dimension-reduce-scatter:bool=false",
	 .run = sr_convert_global_to_local,
	 .doc = "Local shapes for all values, stablehlo collectives for sdy collectives, manual computations inlined.",
	 .requires = "no conflict between shardings, extents divisible",
	 .leaves = "one device's program"},
	{.name = "shardrun-replicate",
	 .options = "",
	 .pipeline = "shardrun-choose-replicate,shardrun-route-simple,sdy-convert-global-to-local",
	 .doc = "Partition by replication.",
	 .requires = "calls inlined",
	 .leaves = "one device's program"},
	{.name = "shardrun-partition",
	 .options = "",
	 .pipeline = "shardrun-choose-replicate,shardrun-route-simple,sdy-convert-global-to-local",
	 .doc = "The partitioner's chain: choose, route, pad, local.",
	 .requires = "every value has a sharding, calls inlined",
	 .leaves = "one device's program"},
	{0},
};
