/* Execution of a compiled loop by several threads. Each thread executes the loop's function, with the same control flow:
 *
 *	instruction                                         executed by
 *	expensive loop nest or product, outputs in memory   all threads: each executes its part of the iterations
 *	outputs of a few bytes                              all threads: each computes all of them, in local variables
 *	other                                               the first thread
 *
 * A barrier precedes an instruction that conflicts with an access of another thread since the last barrier. A part is a range of
 * units of the outermost loop. Accesses by the same unit of equal rows do not conflict, so that a product and the elementwise
 * nests of its rows need no barrier between them. Results do not depend on the number of threads, since a nest or product computes
 * the same bits in any division. */
#ifndef SR_CODEGEN_LOOP_THREADS_H
#define SR_CODEGEN_LOOP_THREADS_H

#include "program/program.h"

/* Which threads access a byte range: the first thread; all threads, each the entire range; each thread the rows of its units; any
 * thread any byte. */
enum sr_accessor { SR_ACCESS_BY_FIRST, SR_ACCESS_BY_ALL, SR_ACCESS_BY_ROWS, SR_ACCESS_BY_ANY };

struct sr_loop_access {
	int64_t begin, end; /* byte range in the device's arena */
	bool is_written;
	enum sr_accessor by;
	int64_t units, unit_bytes; /* SR_ACCESS_BY_ROWS: unit k is at begin + k * unit_bytes, and is accessed by its thread only */
};

enum { SR_MAX_PENDING_ACCESSES = 96 };
struct sr_pending_accesses { /* the accesses since the last barrier, without duplicates */
	struct sr_loop_access list[SR_MAX_PENDING_ACCESSES];
	int n;
};
bool sr_access_conflicts(const struct sr_pending_accesses *pending, const struct sr_loop_access *access);
/* Add an access if the list lacks it. Return false if the list is full. */
bool sr_access_add(struct sr_pending_accesses *pending, const struct sr_loop_access *access);
/* Add the accesses of `others`. Sets *has_grown, if not NULL, to whether the list lacked one. Returns false if the list is full. */
bool sr_access_add_all(struct sr_pending_accesses *pending, const struct sr_pending_accesses *others, bool *has_grown);

/* Return true if a loop nest, executed by itself, does so much elementwise work that waking threads for it pays, whatever bytes it
 * accesses: forces between all pairs of particles read the few positions alone. */
bool sr_nest_pays_for_threads(const struct sr_nest *nest);

struct sr_loop_division { /* division of a nest's or a product's outermost loop among threads */
	int64_t iterations; /* number of iterations; 0: the instruction is not divided */
	int64_t units, step; /* number of units that are divided, and of iterations in each but perhaps the last */
	bool is_batch;      /* for a product: true if its iterations are those of the batch; false: rows */
};
/* Return the division of an instruction in at most max_units units (0: no limit) if it is so expensive that dividing it pays.
 * Units of max_units are preferred if they divide the iterations, so that instructions have equal units. */
struct sr_loop_division sr_loop_divide(const struct sr_program *p, uint64_t instr, int64_t max_units, struct sr_arena *arena);
/* Return the number of units of the loop's divided instructions; 0: the loop is executed by one thread, since no instruction
 * pays for a division or all iterations together take less time than the threads need to begin. Set *seconds to the estimated time
 * of its divided instructions on one thread; DBL_MAX if the loop's trip count is unknown. */
int64_t sr_loop_units(const struct sr_program *p, uint64_t loop, struct sr_arena *arena, double *seconds);
/* Set `by`, `units` and `unit_bytes` of an access to operand `operand` of a divided instruction. */
void sr_loop_divide_access(const struct sr_program *p, uint64_t instr, uint32_t operand, const struct sr_loop_division *division,
			   struct sr_arena *arena, struct sr_loop_access *access);

#endif
