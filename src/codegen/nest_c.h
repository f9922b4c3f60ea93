/* A tile as C: one function over pieces of its outermost parallel loop.
 *
 *	static void sr_tile_K(void *const *buffers, int64_t begin, int64_t end)
 *
 * It is made in one of three forms, by the tile's shape alone:
 *	MAP      no inner loops: all loops around the instructions of all stages, in blocks where accesses cross (transposes)
 *	ROWS     each parallel point by itself; a stage runs along the inner loops, reductions in lanes side by side
 *	COLUMNS  parallel points side by side in blocks, the inner loops around them; reductions are a block of accumulators
 * The innermost loop of each form is one that the compiler vectorises. What a piece computes, and in which order it sums, does not
 * depend on how pieces are dealt out. */
#ifndef SR_CODEGEN_NEST_C_H
#define SR_CODEGEN_NEST_C_H

#include "codegen/scalar_c.h"

/* Append the function; false: the tile holds what is not compiled, and `out` may hold the beginning of it. *pieces: how many it has. */
bool sr_nest_c(const struct sr_nest *tile, int number, struct sr_buf *out, struct sr_c_functions *functions, int64_t *pieces);

#endif
