/* A loop as C: condition and body as one function, where all their steps are tiles, moves, updates of slices, small products,
 * elementwise functions and loops and branches of such. Values stay where the program puts them, but the compiler keeps those of
 * one element in registers.
 *
 *	static void sr_loop_K(void *const *regions, int64_t begin, int64_t end)
 *
 * A region is a stretch of the arena that buffers of the loop cover without a gap: those that share memory are in one, so that no
 * two regions meet. Only what a step costs by itself is gained, so a loop is compiled where a round goes through little memory. */
#ifndef SR_CODEGEN_LOOP_C_H
#define SR_CODEGEN_LOOP_C_H

#include "codegen/scalar_c.h"
#include "program/program.h"

struct sr_regions {
	const int32_t *buffers; /* [n]: the first buffer of each */
	int n;
};
/* Whether a step is a loop that is compiled: this follows from the program alone, but for its tiles' and elements' types. */
bool sr_loop_is_compilable(const struct sr_program *p, uint64_t step);
/* Of such a loop. */
void sr_loop_regions(const struct sr_program *p, uint64_t step, struct sr_arena *arena, struct sr_regions *out);

/* Where the functions of tiles are: its number and pieces; false: it is not compiled. */
struct sr_loop_nest_functions {
	bool (*find)(void *data, uint64_t step, int *number, int64_t *pieces);
	void *data;
};
/* Append the body of the function, which is the same for loops that are equal but for where they lie; false: it holds what is not compiled. */
bool sr_loop_c(const struct sr_program *p, uint64_t step, const struct sr_regions *regions, const struct sr_loop_nest_functions *tiles, struct sr_buf *out,
	       struct sr_c_functions *functions);

#endif
