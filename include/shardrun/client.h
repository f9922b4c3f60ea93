/* Values that stay on the devices between executions, and several programs that work on them. A client is the ranks of a
 * communicator, taken once; the runs that are opened on it share its MPI. An array is a value on the devices, each rank holding its
 * slice: results of one execution are arguments of the next, of the same program or of another one, without a way over files.
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
 * Conventions: see <shardrun.h>. examples/capi/train.c is a whole program. */
#ifndef SHARDRUN_CLIENT_H
#define SHARDRUN_CLIENT_H

#include <shardrun/run.h>

#ifdef __cplusplus
extern "C" {
#endif

struct shardrun_client_options {
	size_t size;             /* of this struct, set by SHARDRUN_CLIENT_OPTIONS_INIT */
	const void *comm;        /* address of an MPI_Comm; NULL: MPI_COMM_WORLD. MPI must be initialized where it is given */
	const char *collectives; /* which algorithm for which collective, as shardrun --collectives; NULL: the defaults */
	int threads;             /* that share the work of this process; 0: by the machine's cores and the ranks on the node */
	const char *kernels;     /* at most these in this process: "base", "avx2", "avx512"; NULL: what the processor has */
	const int *ranks;        /* [n_ranks] the rank of device 0, 1, ..., for programs of n_ranks devices alone; NULL: device d is rank d */
	int n_ranks;
	int devices_per_rank;    /* that a rank plays at most, each on a thread of its own; 0: 1; -1: all that a program has */
};
#define SHARDRUN_CLIENT_OPTIONS_INIT {sizeof(struct shardrun_client_options), 0, 0, 0, 0, 0, 0, 0}

/* Take the ranks of a communicator. All of them compute with the least kernels among them, so that values which several devices
 * hold are equal bit by bit; the number of threads changes no bit. options NULL: the defaults; collectives, ranks and
 * devices_per_rank are the same on all ranks. A run whose ranks play several devices goes by shardrun_run_select; arrays are of
 * one device. MPI is initialized where nobody has and a launcher started the process. Collective. SR_USAGE for a process that is
 * alone though several were started, and for malformed options. All ranks have the status of the first that failed. *out is for
 * the caller to close, also after an error (NULL only with SR_NO_MEMORY).
 *
 * While a client is open the process's OpenBLAS computes on the calling thread alone, in the host's calls, too; when the last one
 * is closed it has as many threads as before. While the library loads OpenBLAS and looks at
 * the machine, and where it initializes MPI, it sets environment variables and unsets them again: no other thread of the host may
 * read the environment while the first client is opened. */
enum sr_status shardrun_client_open(const struct shardrun_client_options *options, struct shardrun_client **out);
/* The runs on it must have been closed. MPI is finalized where opening it initialized it. Collective. NULL is fine. */
void shardrun_client_close(struct shardrun_client *client);
/* What went wrong when it was opened; "" where nothing did. Not collective. */
const char *shardrun_client_message(const struct shardrun_client *client);
/* Not collective. */
int shardrun_client_rank(const struct shardrun_client *client);
int shardrun_client_ranks(const struct shardrun_client *client);
/* The name of the kernels that all ranks use, and the number of threads of this one. Not collective. */
const char *shardrun_client_kernels(const struct shardrun_client *client);
int shardrun_client_threads(const struct shardrun_client *client);

struct shardrun_array;

/* A value with the type and the layout of argument i of a program: told as for shardrun_run_fill; zeros where `value` is NULL. Not
 * collective. SR_USAGE where there is no such argument or the value cannot be read; *out is NULL then,
 * and the run has the message. */
enum sr_status shardrun_array_make(struct shardrun_run *run, int i, const char *value, struct shardrun_array **out);
/* The same in the caller's memory, which holds the value: my slice as struct shardrun_buffer says, `bytes` of it and the rest up to
 * a multiple of 64, beginning at such a multiple. It is written where the argument is donated, and lives as long as the array and
 * the results that it was given to. Several arrays may be over one memory, as long as none of them is donated to an execution that
 * has another of them. Not collective. SR_USAGE where there is no such argument or the memory does not begin so. */
enum sr_status shardrun_array_over(struct shardrun_run *run, int i, void *memory, struct shardrun_array **out);
/* NULL is fine. It may outlive the run that made it, and its client. Any thread may free it. Not collective. */
void shardrun_array_free(struct shardrun_array *array);
/* My slice, to be read or written between executions. SR_USAGE where the array was given away. Not collective. */
enum sr_status shardrun_array_slice(const struct shardrun_array *array, struct shardrun_buffer *out);

/* Run the program once on arrays, in their memory where the program's layout allows it: one for each argument, of its type and with
 * its layout over the devices, whichever program made it. Fills results[0..n_results - 1], new arrays that the caller frees;
 * further results are dropped. An argument that the program donates (struct shardrun_value) is given away: its memory becomes a
 * result's where one has its size, and the handle is of no use but to be freed. Collective. SR_USAGE where arrays do not fit, or
 * share memory with one that is donated, on any rank; SR_NO_MEMORY; both on all ranks alike, before the program runs; nothing is
 * given away then. Else as shardrun_run_step. The results are NULL then. */
enum sr_status shardrun_execute(struct shardrun_run *run, struct shardrun_array *const *arguments, int n_arguments,
				struct shardrun_array **results, int n_results);

#ifdef __cplusplus
}
#endif
#endif
