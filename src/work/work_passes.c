/* The table of passes of this folder. */
#include "work/work_passes.h"

const struct sr_pass sr_work_passes[] = {
	{.name = "shardrun-lower-to-work",
	 .options = "",
	 .run = sr_run_lower_to_work,
	 .doc = "Make a work.nest of each op that computes, moves, fills or reduces elements; calls, collectives, loops and "
		"branches stay.",
	 .requires = "a local module of static shapes",
	 .ensures = "work.nest, and ops with kernels of their own"},
	{.name = "shardrun-fuse",
	 .options = "",
	 .run = sr_run_fuse,
	 .doc = "Make one work.nest of several: what a tile makes is made where it is read, and tiles over the same loops go over "
		"memory once.",
	 .requires = "work.nest",
	 .ensures = "fewer work.nest"},
	{.name = "shardrun-schedule",
	 .options = "overlap:bool=false, memory:int=0",
	 .run = sr_run_schedule,
	 .doc = "Order the ops of every block so that the most bytes that live at once are few, and make cheap values again near "
		"far readers where that lowers the peak; "
		"with overlap then so that collectives are under way while other ops run, which may take more. memory: bytes "
		"that a "
		"function is to take at most, arguments and results among them; for that more is made again, products and "
		"collectives too.",
	 .requires = "a local module of static shapes, as work",
	 .ensures = "the same ops in another order, some of them twice"},
	{0},
};
