/* Generate C for a loop nest: one function over chunks of its outermost parallel loop.
 *
 *	static void sr_nest_K(void *const *buffers, int64_t begin, int64_t end)
 *
 * The function has one of three forms, which depends on the nest's shape alone:
 *	MAP      no reduction loops: all loops around all instructions, in blocks where an input is transposed
 *	ROWS     one parallel point at a time; each stage runs along the reduction loops, a reduction in several lanes
 *	COLUMNS  a block of parallel points inside the reduction loops; a reduction has a block of accumulators
 * The C compiler vectorizes the innermost loop of each form. Results, and the order of their sums, do not depend on how chunks are
 * distributed over threads. */
#ifndef SR_CODEGEN_NEST_C_H
#define SR_CODEGEN_NEST_C_H

#include "codegen/scalar_c.h"

/* Append the function of a loop nest. *n_chunks: the number of its chunks. Return false if the nest has types or functions that
 * are not compiled; `out` is incomplete then. */
bool sr_nest_c(const struct sr_nest *nest, int number, struct sr_buf *out, struct sr_c_functions *functions, int64_t *n_chunks);

#endif
