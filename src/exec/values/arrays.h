/* The arguments and results of a program between its executions: arrays in, an execution, arrays out. Results that are carried become
 * arguments of the next execution by taking their places; nothing is copied.
 *
 *	sr_arrays_open(&arrays, &executable, arena, diags);      then fill sr_arrays_argument(&arrays, i, k)
 *	sr_arrays_execute(&arrays, false, diags);
 *	sr_arrays_carry(&arrays, pairs, n, diags);
 *	sr_arrays_execute(&arrays, false, diags);
 *	... read sr_arrays_result(&arrays, i, k)
 *	sr_arrays_close(&arrays);                                 before the executable is closed */
#ifndef SR_EXEC_VALUES_ARRAYS_H
#define SR_EXEC_VALUES_ARRAYS_H

#include "run/execution.h"

struct sr_arrays {
	struct sr_executable *e;
	struct sr_array **arguments; /* [n_arguments] of the next execution; NULL where the last one has consumed it */
	struct sr_array **results;   /* [n_results] of the last execution; NULL each before the first */
	/* [n_arguments] donated arguments whose copies are donated instead, so that several executions start from one value */
	bool *is_kept;
	struct sr_array **kept;      /* [n_arguments] these arguments while an execution consumes their copies */
	struct sr_execution_times *times; /* [devices of this rank] of the last execution */
};

struct sr_carried { /* of equal types and slices on all devices; an argument occurs once */
	int result, argument;
};

/* Allocate the arguments of this rank's devices, whose contents are not set. SR_NO_MEMORY, reported, if a pool is full. Not collective. */
enum sr_status sr_arrays_open(struct sr_arrays *arrays, struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags);
/* Keep the values of all donated arguments, for executions that start from the same values. */
void sr_arrays_keep_donated(struct sr_arrays *arrays);
/* Collective on the ranks that have devices: execute the program once. is_aligned: all devices begin after a barrier. A rank that fails
 * must abort the others. */
enum sr_status sr_arrays_execute(struct sr_arrays *arrays, bool is_aligned, struct sr_diags *diags);
/* Make results of the last execution arguments of the next one, and no results any more. A result that is carried twice is copied once. */
enum sr_status sr_arrays_carry(struct sr_arrays *arrays, const struct sr_carried *pairs, int n, struct sr_diags *diags);
/* Return a new array for argument i, whose contents are not set; NULL, reported, if a pool is full. */
struct sr_array *sr_arrays_new_argument(const struct sr_arrays *arrays, int i, struct sr_diags *diags);
/* Replace argument i by an array, whose reference it takes. */
void sr_arrays_set_argument(struct sr_arrays *arrays, int i, struct sr_array *array);
/* A zeroed struct is allowed. */
void sr_arrays_close(struct sr_arrays *arrays);

/* Return the memory of argument or result i on the k-th device of this rank. */
static inline void *sr_arrays_argument(const struct sr_arrays *a, int i, int k)
{
	return a->arguments[i]->shards[k].data;
}
static inline void *sr_arrays_result(const struct sr_arrays *a, int i, int k)
{
	return a->results[i]->shards[k].data;
}

#endif
