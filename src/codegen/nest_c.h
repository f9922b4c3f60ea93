/* Generate C for a loop nest: one function over iterations [first, last) of its outermost parallel loop.
 *
 *	static void sr_nest_K(void *const *buffers, int64_t first, int64_t last, int64_t cache_bytes)
 *
 * The function has one of three forms, which depends on the nest's shape alone:
 *	MAP      no reduction loops: all loops around all instructions, in blocks where an input is transposed
 *	ROWS     one parallel point at a time; each stage runs along the reduction loops, a reduction in several lanes
 *	COLUMNS  a block of parallel points inside the reduction loops; a reduction has a block of accumulators
 * The C compiler vectorizes the innermost loop of each form. Results, and the order of their sums, do not depend on how iterations
 * are distributed over threads. */
#ifndef SR_CODEGEN_NEST_C_H
#define SR_CODEGEN_NEST_C_H

#include "codegen/scalar_c.h"

/* Append the function of a loop nest. *iterations: the number of iterations of its outermost parallel loop, 1 without one; *grain:
 * the least number of these iterations that is worth a thread's task. Return false if the nest has types or functions that are
 * not compiled; `out` is incomplete then. */
bool sr_nest_c(const struct sr_nest *nest, int number, struct sr_buf *out, struct sr_c_functions *functions, int64_t *iterations,
	       int64_t *grain);

#endif
