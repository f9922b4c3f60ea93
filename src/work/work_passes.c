/* Table of the passes that this folder defines. */
#include "work/work_passes.h"

const struct sr_pass sr_work_passes[] = {
	{.name = "shardrun-merge-products",
	 .options = "mode:str=auto",
	 .run = sr_run_merge_products,
	 .doc = "Compute matrix products of few rows with the same weights, none of which depends on another, as one "
		"product, and sums of products with few terms each as one product, as in an unrolled recurrent network. "
		"mode: auto; on, wherever possible; or off.",
	 .requires = "a local module of static shapes",
	 .ensures = "fewer products"},
	{.name = "shardrun-chunk-loops",
	 .options = "mode:str=auto, iterations:int=0",
	 .run = sr_run_chunk_loops,
	 .doc = "Compute matrix products of few rows for several iterations of a loop at once, as a product of many rows: "
		"products with loop-invariant weights before or after a loop over the iterations of a chunk, and sums of "
		"products over the iterations. mode: auto; on, wherever possible in chunks of 3 iterations; or off. "
		"iterations: of a chunk; 0: by the mode, from the rows of the products or 3.",
	 .requires = "a local module of static shapes",
	 .ensures = "stablehlo.while over chunks"},
	{.name = "shardrun-strip-mine",
	 .options = "mode:str=auto, min-bytes:int=-1, rows:int=0, threads:int=0",
	 .run = sr_run_strip_mine,
	 .doc = "Compute attention and other groups of ops between matrix products in a loop over blocks of rows, so that the large values "
		"between the products are not in memory as a whole. A backward pass computes them again. Large updates of a "
		"scatter, such as messages of a graph's edges, are computed and scattered in blocks if nothing else reads them. "
		"mode: auto; on, wherever possible in blocks of 8 rows; or off. min-bytes: minimum bytes of a product's result, "
		"an eighth of those of updates; -1: by the mode, those of the caches or 0. rows: rows of a block, of one matrix of "
		"a batch; 0: by the mode, from the caches or 8. threads: number of threads, for each of which a block has a matrix "
		"of the batch; 0: unknown.",
	 .requires = "a local module of static shapes",
	 .ensures = "stablehlo.while with the group's ops on blocks"},
	{.name = "shardrun-lower-to-work",
	 .options = "interpreted:bool=false",
	 .run = sr_run_lower_to_work,
	 .doc = "Turn each op that computes, moves, fills or reduces elements into a loop nest (work.nest); matrix products, sorts, "
		"collectives, loops and branches stay. Products with few rows read narrow weights in place of their converted copy. A softmax with "
		"sharded rows computes its exponentials before the maximum over devices is known. Sums over pairs of vectors with "
		"few components, such as forces between particles, are computed component by component. interpreted: nests are "
		"not compiled, so that more batches of products of matrices and vectors stay products.",
	 .requires = "a local module of static shapes",
	 .ensures = "work.nest, and ops with kernels of their own"},
	{.name = "shardrun-channels-last",
	 .options = "",
	 .run = sr_run_channels_last,
	 .doc = "Store the data of channels-first convolutions (NCHW), and the values that loop nests compute from it or for it, with the "
		"channels as the last dimension. Values that other ops define or use keep their layout.",
	 .requires = "work.nest",
	 .ensures = "the same ops with other dimension numbers, indexing maps and types"},
	{.name = "shardrun-fuse",
	 .options = "",
	 .run = sr_run_fuse,
	 .doc = "Fuse loop nests: a producer is computed inside its consumer, and nests over the same loops become one with the results "
		"of both. Long sums of f32 are then divided into sums over blocks of terms, which another nest adds.",
	 .requires = "work.nest",
	 .ensures = "fewer work.nest"},
	{.name = "shardrun-schedule",
	 .options = "overlap:bool=false, memory:int=0",
	 .run = sr_run_schedule,
	 .doc = "Order the ops of every block for a low peak of live memory, and rematerialize cheap values near distant readers if that "
		"lowers the peak. overlap: then start collectives early, to run while other ops compute, even if that takes more memory. "
		"memory: limit of a function in bytes, arguments and results included; expensive values, matrix products and collectives "
		"are rematerialized to meet it.",
	 .requires = "a local module of static shapes, lowered to work",
	 .ensures = "the same ops in another order, some of them duplicated; those that need no instruction have the attribute "
		    "shardrun.elided"},
	{0},
};
