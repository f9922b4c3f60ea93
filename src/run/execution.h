/* One execution of a program: arrays in, arrays out. A program computes in the memory of the arrays where its memory plan allows
 * that; if buffers of other values overlap an argument's or result's bounds, that value is copied.
 *
 *	sr_executable_make_layouts(e);                            once per executable
 *	sr_execute(&(struct sr_execution){e, arguments, n_arguments, results, n_results}, diags);
 *
 * When an execution is accepted, it takes over the arguments that the program donates: the memory of a donated argument becomes
 * that of the result which aliases it. */
#ifndef SR_RUN_EXECUTION_H
#define SR_RUN_EXECUTION_H

#include "run/array.h"
#include "run/executable.h"

/* Return the hash of a value's element type, shape and slices. Takes time proportional to the number of devices. */
uint64_t sr_layout_hash(const struct sr_program *p, const struct sr_io *io);
/* Create the layouts e->layouts of arguments and results, which sr_executable_close releases. Returns false if memory runs out. */
bool sr_executable_make_layouts(struct sr_executable *e);

struct sr_execution_times { /* times of one device's execution */
	double start;          /* time when the execution began, in seconds of sr_now */
	double step_s, collective_s; /* seconds of the execution, and of collectives in it */
};

struct sr_execution {
	struct sr_executable *e;
	struct sr_array *const *arguments;
	int n_arguments;
	struct sr_array **results;
	int n_results;                     /* number of results that the caller receives; further results are dropped */
	struct sr_ffi_user_data user_data; /* user data for FFI handlers; the caller keeps it until the execution has ended */
	/* true if all processes are known to accept the execution and all arguments to be ready: devices do not agree before they
	 * run */
	bool is_agreed;
	bool is_aligned; /* true: devices wait at a barrier before they begin */
	struct sr_execution_times *times;  /* times of each local device, set when the program has run; NULL: not wanted */
};

/* The functions below may be called from any thread. If the device set spans several processes, all of them begin the same
 * executions in the same order. An execution whose argument has a `ready` event waits for it. If an earlier execution on the same
 * device set computes the argument, a device waits only for its own shard. If the event has failed, the program does not run, and
 * the execution fails with the same status and message. If a process refuses an execution (SR_USAGE if arrays are not those that
 * the program requires, SR_NO_MEMORY), the program runs nowhere: the execution fails on all devices, with the status and message of
 * the lowest device that refuses, and the client stays usable. Idle ranks wait for the end of an execution and return its status
 * too; what they refuse themselves does not keep the others from running. */

/* Execute the program once on all devices of this process: check the arrays, create the results, run, wait. Returns SR_OK; or one
 * of the statuses above, or that of the failing instruction, with all results NULL. If the program did not run, no argument is
 * donated. Messages and scratch are in diags->arena. */
enum sr_status sr_execute(const struct sr_execution *x, struct sr_diags *diags);
/* Begin an execution as sr_execute does, but return when this process has accepted or refused the execution. If it is accepted, the
 * donated arguments are consumed, the results exist, and *done_event, owned by the caller, is set when the program has run on all
 * devices of this process, with its status and message; it is the event `ready` of the results. The execution keeps its arrays
 * until then. If the execution fails, the results stay arrays with undefined contents. If it is refused, *done_event is NULL and no
 * argument is donated.
 *
 * A small program may run on the calling thread if there is one device. Where MPI may be called only by the thread that initialized
 * it (sr_launch::is_funneled), executions advance only while that thread waits for an execution. */
enum sr_status sr_execute_begin(const struct sr_execution *x, struct sr_event **done_event, struct sr_diags *diags);
/* Execute the program on arrays that the caller keeps, without checks. x->results contains all results; a result that aliases a
 * donated argument has no memory of its own, and its value is written to the argument's memory. */
enum sr_status sr_execute_in_place(const struct sr_execution *x, struct sr_diags *diags);
/* Return the donated argument that result i aliases, or -1. The same on all devices. */
int sr_executable_aliased(const struct sr_executable *e, int i);

/* ---- internal to run ---- */
/* Check the arguments of an execution (check_arguments.c). Called by sr_execute. */
enum sr_status sr_execution_check(const struct sr_execution *x, struct sr_diags *diags);
/* Return true if the program donates the argument. */
static inline bool sr_execution_donates(const struct sr_execution *x, int argument)
{
	return sr_program_values(x->e->program)[argument].donated;
}

#endif
