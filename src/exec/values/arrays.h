/* The arguments and results of a program between its executions: arrays in, an execution, arrays out. A result that is carried
 * replaces an argument of the next execution; no data is copied.
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
	/* arguments of the next execution, length: n_arguments; NULL for a donated argument that the last execution has consumed */
	struct sr_array **arguments;
	struct sr_array **results;   /* results of the last execution, length: n_results; NULL before the first one */
	/* for each argument: true if it is donated but kept, so that several executions start from one value. Each execution gets a
	 * copy of it. */
	bool *is_kept;
	struct sr_array **kept_arguments; /* the kept arguments while an execution consumes their copies; length: n_arguments */
	struct sr_execution_times *times; /* times of the last execution; length: number of this rank's devices */
};

/* A result that is carried to an argument. Both have equal types, and equal slices on all devices; an argument occurs in one pair
 * only. */
struct sr_carried {
	int result, argument;
};

/* Allocate the arguments of this rank's devices, with undefined contents. Returns SR_NO_MEMORY, reported, if a pool is full. Not
 * collective. */
enum sr_status sr_arrays_open(struct sr_arrays *arrays, struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags);
/* Keep the values of all donated arguments, for executions that start from the same values. */
void sr_arrays_keep_donated(struct sr_arrays *arrays);
/* Collective on the ranks that have devices: execute the program once. is_aligned: all devices wait at a barrier before they begin.
 * If a rank fails, it must abort the job. */
enum sr_status sr_arrays_execute(struct sr_arrays *arrays, bool is_aligned, struct sr_diags *diags);
/* Let results of the last execution become arguments of the next one; they are then no longer results. A result that is carried to
 * two arguments is copied once. */
enum sr_status sr_arrays_carry(struct sr_arrays *arrays, const struct sr_carried *pairs, int n, struct sr_diags *diags);
/* Return a new array for argument i, with undefined contents; NULL, reported, if a pool is full. */
struct sr_array *sr_arrays_new_argument(const struct sr_arrays *arrays, int i, struct sr_diags *diags);
/* Replace argument i by `array` and release the old one. Takes over the caller's reference. */
void sr_arrays_set_argument(struct sr_arrays *arrays, int i, struct sr_array *array);
/* Release all arguments and results. Does nothing if the struct is zeroed. */
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
