/* One execution of a program on arrays. A program computes in the memory of its argument and result arrays where its buffers allow
 * that; a value whose bounds are overlapped by buffers of other values is copied.
 *
 *	types = sr_execution_types(e, 0, arena);                                       once
 *	sr_execute(&(struct sr_execution){e, types, arguments, n_arguments, results, n_results, pool}, diags);
 *
 * Only for one device per rank. The memory of a donated argument is moved to the result that the program computes in it. */
#ifndef SR_RUN_EXECUTION_H
#define SR_RUN_EXECUTION_H

#include "run/array.h"
#include "run/executable.h"

/* Return the types of all arguments, then all results, on local device k (any k on an idle rank), in the arena. Time
 * proportional to devices and values; call it once. */
const struct sr_array_type *sr_execution_types(const struct sr_executable *e, int k, struct sr_arena *arena);
struct sr_execution {
	struct sr_executable *e;
	const struct sr_array_type *types; /* from sr_execution_types of this executable */
	struct sr_array *const *arguments;
	int n_arguments;
	struct sr_array **results;
	int n_results;                     /* further results are dropped */
	struct sr_array_pool *pool;        /* pool for the memory of results */
};

/* Collective on all ranks. Check the arrays, create the results, execute the program once. If a rank fails before the execution,
 * all ranks return its status and no argument is donated: SR_USAGE if the arrays do not match the program, or SR_NO_MEMORY.
 * Otherwise as sr_executable_step. On failure the results are NULL. Messages and scratch are allocated in diags->arena. */
enum sr_status sr_execute(const struct sr_execution *x, struct sr_diags *diags);
/* Bind arguments and results to the executable's own memory again. */
void sr_execution_unbind(struct sr_executable *e);

#endif
