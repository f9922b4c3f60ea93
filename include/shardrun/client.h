/* Clients and arrays: values that stay on the devices between executions of one or several programs. A client holds the ranks of
 * a communicator; runs opened on it share its MPI state. An array is a value on the devices, of which each rank holds its slice.
 * Results of one execution can be arguments of the next, of the same program or another, without going through files.
 *
 *	struct shardrun_client *client;
 *	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
 *	struct shardrun_run *train;
 *	struct shardrun_array *arguments[2], *results[2];
 *	shardrun_client_open(NULL, &client);
 *	options.client = client;
 *	shardrun_run_open(plan, &options, &train);
 *	shardrun_array_make(train, 0, "@weights.npy", &arguments[0]);
 *	shardrun_array_make(train, 1, "@batch.npy", &arguments[1]);
 *	for (int step = 0; step < 100; step++) {
 *		shardrun_execute(train, arguments, 2, results, 2);      new weights, loss
 *		shardrun_array_free(arguments[0]);
 *		shardrun_array_free(results[1]);
 *		arguments[0] = results[0];
 *	}
 *
 * Conventions: see <shardrun.h>. examples/capi/train.c is a complete program. */
#ifndef SHARDRUN_CLIENT_H
#define SHARDRUN_CLIENT_H

#include <shardrun/run.h>

#ifdef __cplusplus
extern "C" {
#endif

struct shardrun_client_options {
	size_t size;             /* sizeof this struct, set by SHARDRUN_CLIENT_OPTIONS_INIT */
	const void *comm;        /* address of an MPI_Comm (MPI must be initialized then); NULL: MPI_COMM_WORLD */
	const char *collectives; /* algorithm selection, same syntax as shardrun --collectives; NULL: the defaults */
	int threads;             /* worker threads of this process; 0: from the number of cores and of ranks on the node */
	/* best instruction set that this process may use: "base", "avx2", "avx512"; NULL: the best one that the processor has */
	const char *kernels;
	/* [n_ranks] rank of device 0, 1, ..., for programs of exactly n_ranks devices; NULL: device d is on rank d */
	const int *ranks;
	int n_ranks;
	/* maximum number of devices per rank, each on its own thread; 0: 1; -1: all devices of a program */
	int devices_per_rank;
	/* seconds after which the client is broken (see below) if ranks wait for one that is silent, or all wait for each other; 0:
	 * 300; negative: never. Equal on all ranks */
	double stall_timeout;
};
#define SHARDRUN_CLIENT_OPTIONS_INIT {sizeof(struct shardrun_client_options), 0, 0, 0, 0, 0, 0, 0, 0}

/* Open a client on the ranks of a communicator. All ranks use the best instruction set that all of them have, so that replicated
 * values are equal bit by bit; the number of threads does not change results. options NULL: the defaults; collectives, ranks and
 * devices_per_rank must be equal on all ranks. MPI is initialized if nobody has done so and a launcher started the process.
 * Collective. Returns SR_USAGE for malformed options, or if the process runs alone though the launcher started several. All ranks
 * get the status of the first rank that failed. The caller closes *out, also after an error (NULL only with SR_NO_MEMORY).
 *
 * While any client is open, OpenBLAS uses only the calling thread in the whole process, including the host's own calls; closing
 * the last client restores its number of threads. Opening the first client loads OpenBLAS, inspects the machine and may
 * initialize MPI; for that it sets environment variables and unsets them again, so no other thread of the host may read the
 * environment meanwhile. */
enum sr_status shardrun_client_open(const struct shardrun_client_options *options, struct shardrun_client **out);
/* A client breaks if a rank's process ends or hangs while others wait for it, or if an MPI call or a device fails on one rank: then
 * every function that waits returns a status on all ranks, and so does every later call that would execute or communicate:
 * SR_TIMEOUT after stall_timeout, else SR_INTERNAL, with a message that names the rank. The end of a process is noticed at once by
 * those on the same node, and by others as silence. Arrays of a broken client can still be read; it can be closed, and MPI is then
 * not finalized. A new client may be opened on a communicator of the ranks that are left, where MPI permits that. */

/* Close and free the client, whose runs must have been closed; NULL is allowed. Calls MPI_Finalize if opening the client called
 * MPI_Init. Collective. */
void shardrun_client_close(struct shardrun_client *client);
/* Return the error message of opening the client, or "" if there was no error. Not collective. */
const char *shardrun_client_message(const struct shardrun_client *client);
/* Return this process's rank; return the number of ranks. Not collective. */
int shardrun_client_rank(const struct shardrun_client *client);
int shardrun_client_ranks(const struct shardrun_client *client);
/* Return the instruction set that all ranks use ("avx2"); return the number of worker threads of this rank. Not collective. */
const char *shardrun_client_kernels(const struct shardrun_client *client);
int shardrun_client_threads(const struct shardrun_client *client);

struct shardrun_array;

/* Create an array with the type and sharding of argument i of a run's program, with a shard for each device of this rank in memory
 * that the node's other ranks read in place, filled from `value` (syntax: see
 * shardrun_run_fill) or with zeros if `value` is NULL. Not collective. Returns SR_USAGE if there is no such argument or the value
 * cannot be read; *out is NULL then, and the run has the message. */
enum sr_status shardrun_array_make(struct shardrun_run *run, int i, const char *value, struct shardrun_array **out);
/* Create an array in the caller's memory, on a rank that executes one device: collectives copy it first. The memory holds this
 * rank's slice (see struct shardrun_buffer). `memory` is 64-byte aligned and its size is the slice's bytes rounded up to a multiple
 * of 64. It must live as long as the array and the results that reuse it, and is overwritten if the array is donated. Several
 * arrays may share one memory, unless one of them is donated to an execution that has another of them as argument. Not collective.
 * Returns SR_USAGE if there is no such argument, the memory is misaligned, or this rank executes several devices. */
enum sr_status shardrun_array_over(struct shardrun_run *run, int i, void *memory, struct shardrun_array **out);
/* Free the array; NULL is allowed. An array may outlive the run that made it and its client. Any thread may free it. Not
 * collective. */
void shardrun_array_free(struct shardrun_array *array);
/* Return the number of shards that this rank holds, which is the number of its devices; 0 on an idle rank. Not collective. */
int shardrun_array_shards(const struct shardrun_array *array);
/* Wait until the array's shards are written. If an execution that writes them was begun, returns its status. Not collective. */
enum sr_status shardrun_array_wait(const struct shardrun_array *array);
/* Return the shard of this rank's k-th device, to be read or written between executions, as soon as it is written
 * (shardrun_array_wait). Returns SR_USAGE if the array was donated or there is no such shard, or the status of the execution that
 * failed to write it. Not collective. */
enum sr_status shardrun_array_shard(const struct shardrun_array *array, int k, struct shardrun_buffer *out);
/* Return shard 0, or a buffer without data on an idle rank. */
enum sr_status shardrun_array_slice(const struct shardrun_array *array, struct shardrun_buffer *out);

/* Run the program once on arrays, in place if their memory fits the program's layout. `arguments` has one array per argument, with
 * its type and sharding, whichever program made it. Fills results[0..n_results - 1] with new arrays that the caller frees; further
 * results are dropped. Arguments that the program donates (struct shardrun_value) are consumed: the memory is reused by a result of
 * the same size if there is one, and the handle can only be freed. Collective. Returns SR_USAGE if an array does not match or
 * shares memory with a donated one, on any rank with devices, or SR_NO_MEMORY; both on all ranks, before the program runs and with
 * nothing donated. An idle rank waits until the program has run and returns the status of device 0's rank. Otherwise returns what
 * shardrun_run_step returns. After an error the results are NULL. Several threads may execute programs of a client at the same
 * time, also the same one; the order is then undefined, so with several ranks only one thread does so. */
enum sr_status shardrun_execute(struct shardrun_run *run, struct shardrun_array *const *arguments, int n_arguments,
				struct shardrun_array **results, int n_results);

/* The completion of an execution, with its status. Any thread may call any of these functions. Not collective. */
struct shardrun_event;

/* Begin an execution and return when this rank has accepted it. The results are arrays that can at once be arguments of further
 * executions; *done (NULL: not requested) is set when this rank's devices have run the program. The caller frees both. The
 * arguments may be freed at once. Executions of a client run in the order in which they were begun; all ranks begin the same ones
 * in the same order. While 32 are queued, the call waits. On a rank with one device a small program runs before the call returns.
 *
 * Returns SR_USAGE or SR_NO_MEMORY as shardrun_execute if this rank refuses the execution: nothing is donated here, results and
 * *done are NULL. On the other ranks the execution then fails with that status and message, and their donated arguments are
 * consumed. If the execution that writes an argument fails, the executions that take the argument do not run and fail with the
 * same status. After a failure the results are arrays without contents. On an idle rank, *done is set when the program has run on
 * the others, with the same status.
 *
 * If MPI was initialized by the host with less than MPI_THREAD_MULTIPLE, executions on several ranks advance only while the
 * thread that initialized MPI waits for an event or array, executes, or closes a run; if ranks have several devices then, idle
 * ranks wait for nothing and return SR_OK. */
enum sr_status shardrun_execute_begin(struct shardrun_run *run, struct shardrun_array *const *arguments, int n_arguments,
				      struct shardrun_array **results, int n_results, struct shardrun_event **done);

/* Free the event, which may be set later; NULL is allowed. */
void shardrun_event_free(struct shardrun_event *event);
int shardrun_event_is_set(const struct shardrun_event *event); /* Return 1 if the event is set, else 0. */
/* Wait until the event is set. Returns the status of the execution: SR_OK, or as shardrun_run_step. */
enum sr_status shardrun_event_wait(const struct shardrun_event *event);
/* Return why the execution failed, or "". The event must be set; the string lives as long as the event. */
const char *shardrun_event_message(const struct shardrun_event *event);
/* Call fn once when the event is set, on a thread of the library or, if it is set already, before returning. fn may begin
 * executions and free arrays and events; it must not wait, and not close runs or clients. Returns SR_NO_MEMORY if
 * memory runs out; fn is not called then. */
typedef void shardrun_event_fn(void *data, enum sr_status status, const char *message);
enum sr_status shardrun_event_on_set(struct shardrun_event *event, shardrun_event_fn *fn, void *data);

#ifdef __cplusplus
}
#endif
#endif
