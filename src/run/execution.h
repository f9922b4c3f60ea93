/* One execution of a program: arrays in, arrays out. A program computes in the memory of the arrays where its layout allows that; where
 * buffers of other values lie across an argument's or result's bounds, that one is copied.
 *
 *	types = sr_execution_types(e, 0, arena);                                       once
 *	sr_execution_check(e, types, arguments, n_arguments, n_results, diags);        the same answer on all ranks
 *	sr_execute(e, types, arguments, results, n_results, pool, diags);
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
/* types: of this executable. SR_USAGE, reported, where the arrays are not those that the program wants. */
enum sr_status sr_execution_check(const struct sr_executable *e, const struct sr_array_type *types, struct sr_array *const *arguments,
				  int n_arguments, int n_results, struct sr_diags *diags);
/* Collective on all ranks. Fills results[n_results], NULL where it fails; further results are dropped. `pool` gives them memory. As
 * sr_executable_step, or SR_NO_MEMORY, before anything is run. */
enum sr_status sr_execute(struct sr_executable *e, const struct sr_array_type *types, struct sr_array *const *arguments,
			  struct sr_array **results, int n_results, struct sr_array_pool *pool, struct sr_diags *diags);
/* Arguments and results lie in the executable's own memory again, as before the first execution. */
void sr_execution_unbind(struct sr_executable *e);

#endif
