/* One execution of a program: arrays in, arrays out. A program computes in the memory of the arrays where its layout allows that; where
 * buffers of other values lie across an argument's or result's bounds, that one is copied.
 *
 *	types = sr_execution_types(e, 0, arena);                                       once
 *	sr_execute(&(struct sr_execution){e, types, arguments, n_arguments, results, n_results, pool}, diags);
 *
 * A rank plays one device here. An argument that the program donates is given away: its memory becomes a result's, which has its
 * place in the program. */
#ifndef SR_RUN_EXECUTION_H
#define SR_RUN_EXECUTION_H

#include "run/array.h"
#include "run/executable.h"

/* The types of all arguments, then of all results, on the k-th device here (any k on a spare rank), in the arena. Takes time by
 * devices and values; to be made once. */
const struct sr_array_type *sr_execution_types(const struct sr_executable *e, int k, struct sr_arena *arena);
struct sr_execution {
	struct sr_executable *e;
	const struct sr_array_type *types; /* of this executable */
	struct sr_array *const *arguments;
	int n_arguments;
	struct sr_array **results;
	int n_results;                     /* further results are dropped */
	struct sr_array_pool *pool;        /* which the results' memory comes from */
};

/* Collective on all ranks. Check the arrays, make the results, run the program once. All ranks return the status of the first that
 * fails before the program runs: SR_USAGE where arrays are not those that the program wants, SR_NO_MEMORY; no argument is given
 * away then. Else as sr_executable_step. The results are NULL where it fails. Messages and its scratch are in diags->arena. */
enum sr_status sr_execute(const struct sr_execution *x, struct sr_diags *diags);
/* Arguments and results lie in the executable's own memory again, as before the first execution. */
void sr_execution_unbind(struct sr_executable *e);

#endif
