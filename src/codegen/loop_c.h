/* Generate C for a small while loop: one function for condition and body. Its instructions are loop nests, kernels, custom calls,
 * collectives, or loops and branches of these. Values stay in their buffers, except that regions of a few bytes are copied to
 * local arrays, which the C compiler keeps in registers.
 *
 *	static void sr_loop_K(void *const *regions, int64_t first, int64_t last, int64_t cache_bytes)
 *
 * One thread executes it with first 0 and last 1. If threads divide the loop's work (loop_threads.h), `last` threads may call it at
 * the same time, each with its number in `first`. Then regions[n] is the address of a barrier: a struct whose first member is a
 * function that returns when all threads have called it, with the arguments (barrier, number of the thread, number of threads).
 *
 * The function does not contain the loop's collectives, custom calls, and kernels for which no C code is generated, such as sorts,
 * large products and those of LAPACK: it calls the executor for each. One thread executes such a loop. Then
 * regions[n] is the address of a struct whose first member is a function with the arguments (struct, k). That function executes
 * instruction calls[k] of struct sr_regions. If it returns nonzero, the instruction has failed, and the loop's function returns
 * without executing the rest.
 *
 * A region is a range of the arena that the loop's buffers cover without a gap. Buffers that overlap are in one region, so that no
 * two regions overlap. Compiling saves only the fixed cost of each instruction, so only loops whose iterations touch little memory
 * are compiled. */
#ifndef SR_CODEGEN_LOOP_C_H
#define SR_CODEGEN_LOOP_C_H

#include "codegen/scalar_c.h"
#include "program/program.h"

struct sr_regions {
	const int32_t *buffers; /* first buffer of each region; length n */
	const int64_t *bytes;   /* size of each region; length n */
	const bool *is_written; /* for each region: true if the loop's function stores to it; length n */
	const bool *is_called;  /* for each region: true if the executor accesses it for an instruction in `calls`; length n */
	int n, n_calls, n_collectives; /* n_collectives: number of collectives among the calls */
	const uint64_t *calls;  /* the loop's instructions that the executor executes; length n_calls */
};
/* Return true if an instruction is a loop that can be compiled. Depends on the program alone; unsupported element types are found
 * later. */
bool sr_loop_is_compilable(const struct sr_program *p, uint64_t instr);
/* Compute the regions of a loop that can be compiled. */
void sr_loop_regions(const struct sr_program *p, uint64_t instr, struct sr_arena *arena, struct sr_regions *out);

/* Callback that generates a loop nest's function in the same file: sets its number and its number of iterations. Returns false if
 * the nest is not compiled. */
struct sr_loop_nest_functions {
	bool (*find)(void *data, uint64_t instr, int *number, int64_t *iterations);
	void *data;
};
/* Append the parameters and the body of the C function. `units`: sr_loop_units, or 0 for a function that one thread executes. The
 * text is equal for loops that differ only in the addresses of their regions. Return false if an element type or a nest of the loop
 * is not compiled, or if its instructions cannot be divided among threads; `out` is invalid then. */
bool sr_loop_c(const struct sr_program *p, uint64_t instr, const struct sr_regions *regions,
	       const struct sr_loop_nest_functions *nests, int64_t units, struct sr_buf *out, struct sr_c_functions *functions);

#endif
