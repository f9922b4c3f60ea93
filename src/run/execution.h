/* One execution of a program: arrays in, arrays out. A program computes in the memory of the arrays where its memory plan allows that; if
 * buffers of other values overlap an argument's or result's bounds, that value is copied.
 *
 *	sr_executable_make_layouts(e);                                                 once
 *	sr_execute(&(struct sr_execution){e, arguments, n_arguments, results, n_results}, diags);
 *
 * An argument that the program donates belongs to the execution once that is accepted: its memory becomes the memory of the result that
 * aliases it. */
#ifndef SR_RUN_EXECUTION_H
#define SR_RUN_EXECUTION_H

#include "run/array.h"
#include "run/executable.h"

/* Return the hash of a value's element type, shape and slices. Takes time proportional to the number of devices. */
uint64_t sr_layout_hash(const struct sr_program *p, const struct sr_io *io);
/* Create e->layouts, which sr_executable_close releases. Return false if memory runs out. */
bool sr_executable_make_layouts(struct sr_executable *e);

struct sr_execution {
	struct sr_executable *e;           /* opened with options.shares_memory */
	struct sr_array *const *arguments;
	int n_arguments;
	struct sr_array **results;
	int n_results;                     /* further results are dropped */
};

/* Collective on all ranks. Check the arrays, create the results, and execute the program once on all devices of this process. All ranks return the
 * status of the first that fails before the program runs: SR_USAGE if arrays are not those that the program requires, SR_NO_MEMORY; no
 * argument is donated then. Else as sr_executable_step. The results are NULL where it fails. Messages and its scratch are in
 * diags->arena. */
enum sr_status sr_execute(const struct sr_execution *x, struct sr_diags *diags);
/* As sr_execute, but return when the execution is accepted; *done, owned by the caller, is set when the program has run on all devices of
 * this process, with its status and message, and is the event `ready` of the results. If the program fails, the results stay arrays
 * without contents. Executions begun one after another run in this order; the arguments of one may be results of an earlier one that is
 * not done. *done is NULL if the execution is refused. */
enum sr_status sr_execute_begin(const struct sr_execution *x, struct sr_event **done, struct sr_diags *diags);
/* Collective on the ranks with devices: execute the program on arrays that the caller keeps, without checks. x->results has all results;
 * one that aliases a donated argument has no memory, its value is left in the argument's. */
enum sr_status sr_execute_in_place(const struct sr_execution *x, struct sr_diags *diags);
/* Return the donated argument that result i aliases, or -1. Equal on all devices. */
int sr_executable_aliased(const struct sr_executable *e, int i);

#endif
