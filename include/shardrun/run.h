/* A run: a plan loaded on the ranks of a communicator; rank d executes device d. Open a run once, then fill arguments, step and
 * read results any number of times. A step allocates no memory.
 *
 * MPI. If the caller has initialized MPI, the run uses a communicator of its own and leaves MPI running. Otherwise, if mpirun or
 * srun started the process, opening a run calls MPI_Init and closing it calls MPI_Finalize, so that such a program can open only
 * one run; a program that needs several calls MPI_Init itself or opens them on a client (<shardrun/client.h>). Without a launcher
 * there is one rank, and MPI is not used. If there are more ranks than devices, the last ranks are idle: they call the collective
 * functions too and hold no data.
 *
 * Compiled loops. Opening a run may start the system's C compiler on rank 0 (`codegen` below), at most four times and for at most
 * a minute in total, if neither the program's file nor the cache holds the compiled code. The compiler is an ordinary child
 * process: SIGCHLD is raised when it ends, and a host that waits for any child may reap it. Both are harmless, also if the host
 * ignores SIGCHLD or reaps the child's status. Signal handlers and masks of the process do not change; the child inherits none of
 * them and no open files. "off" starts no process. "background" starts
 * one at a time, with low priority, from a thread of the client; closing the run kills it.
 *
 * Each rank accesses only its own slice of a value. Fill an argument from a file, of which only the slice is read, or write it
 * through a buffer:
 *
 *	struct shardrun_run *run;
 *	struct shardrun_buffer x;
 *	if (shardrun_run_open(plan, NULL, &run))
 *		fputs(shardrun_run_message(run), stderr);       "" on all ranks but the one that failed first
 *	shardrun_run_fill(run, 0, "@weights.npy");
 *	shardrun_run_argument(run, 1, &x);                      this rank's slice: x.size[0] rows from x.start[0] on
 *	memcpy(x.data, mine, x.bytes);
 *	shardrun_run_step(run);
 *	shardrun_run_result(run, 0, &x);
 *	shardrun_run_close(run);
 *
 * Conventions: see <shardrun.h>. After a collective function all ranks have the same status, unless its comment says otherwise. */
#ifndef SHARDRUN_RUN_H
#define SHARDRUN_RUN_H

#include <shardrun/plan.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct shardrun_run;
struct shardrun_client;

enum { SHARDRUN_MAX_RANK = 16 }; /* maximum rank of a tensor */

struct shardrun_run_options {
	size_t size;             /* sizeof this struct, set by SHARDRUN_RUN_OPTIONS_INIT */
	const void *comm;        /* address of an MPI_Comm (MPI must be initialized then); NULL: MPI_COMM_WORLD */
	const char *collectives; /* algorithm selection, same syntax as shardrun --collectives; NULL: the defaults */
	int threads;             /* worker threads of this process; 0: from the number of cores and of ranks on the node */
	/* use this client's ranks, algorithms and threads instead of the three fields above (<shardrun/client.h>); NULL: none */
	struct shardrun_client *client;
	/* Rank 0's values of the fields below are used. With "background", `compiler` and `cache` are used on every rank. */
	/* compile loops with the system's C compiler: "off", "on", "auto" (if it saves time), or "background": the run starts
	 * interpreted, and each rank takes compiled code, which gives the same bits, between two steps; NULL: auto */
	const char *codegen;
	const char *compiler;    /* name in PATH or path of the C compiler; NULL: cc */
	/* instruction sets to compile for: "base", "avx2", "avx512", separated by commas; NULL: the best one that all ranks have */
	const char *target;
	const char *cache;       /* folder of the compile cache, or "off"; NULL: XDG_CACHE_HOME/shardrun or HOME/.cache/shardrun */
};
#define SHARDRUN_RUN_OPTIONS_INIT {sizeof(struct shardrun_run_options), 0, 0, 0, 0, 0, 0, 0, 0}

/* One device's slice of an argument or result. */
struct shardrun_buffer {
	/* dense, row-major with extents local[]; NULL on an idle rank. Valid until the run is closed. Elements narrower than 8 bits take a
	 * byte each: i1 is 0 or 1, other integers are sign- or zero-extended, floats have zeros above their bits */
	void *data;
	int64_t bytes; /* size of `data` in bytes */
	int rank;
	/* the slice: global elements start[d] .. start[d] + size[d] - 1 */
	int64_t start[SHARDRUN_MAX_RANK], size[SHARDRUN_MAX_RANK];
	int64_t local[SHARDRUN_MAX_RANK];                          /* extents of data, at least size[]; the rest is padding */
};

/* Open a run. Collective. Rank 0's plan is used; other ranks may pass theirs or NULL, which saves compiling there. Arguments are
 * zero-filled. Returns SR_OK; SR_USAGE if there are fewer ranks than devices, an option is malformed, rank 0 has no plan, or the
 * process runs alone though the launcher started several; SR_NO_MEMORY if a device's memory does not fit. All ranks get the
 * status of the first rank that failed, and may try again. The caller closes *out, also after an error (NULL only with
 * SR_NO_MEMORY). The plan may be freed at once: the run copies what it needs. */
enum sr_status shardrun_run_open(const struct shardrun_plan *plan, const struct shardrun_run_options *options,
				 struct shardrun_run **out);

/* Close and free the run; NULL is allowed. Calls MPI_Finalize if opening the run called MPI_Init. Collective. */
void shardrun_run_close(struct shardrun_run *run);

/* Return the last error message of this rank, or "" if there was none. Owned by the run; valid until the next call on it. */
const char *shardrun_run_message(const struct shardrun_run *run);
/* Return the device that this rank executes, the selected one if it executes several; -1 on an idle rank. */
int64_t shardrun_run_device(const struct shardrun_run *run);
/* Return how many devices this rank executes (see struct shardrun_client_options); 0 on an idle rank. */
int shardrun_run_devices(const struct shardrun_run *run);
/* Return true if loop nests or loops of the program run as code that the system's C compiler made, false if all are interpreted: on an
 * idle rank, with codegen off, where compiling does not pay off, and without a compiler. The results have the same bits. */
bool shardrun_run_is_compiled(const struct shardrun_run *run);
/* Select the k-th device of this rank, initially 0, as the one whose slices shardrun_run_argument, _result, _fill and _device
 * refer to. Steps and shardrun_run_write always apply to all devices. Returns SR_USAGE if this rank has no such device. */
enum sr_status shardrun_run_select(struct shardrun_run *run, int k);

/* Return the slice of argument or result i on the selected device: write arguments before a step, read results after it. Returns
 * SR_USAGE if there is no such value. An argument keeps its value over steps, unless it is donated (struct shardrun_value). */
enum sr_status shardrun_run_argument(struct shardrun_run *run, int i, struct shardrun_buffer *out);
enum sr_status shardrun_run_result(struct shardrun_run *run, int i, struct shardrun_buffer *out);

/* Fill the selected device's slice of argument i from a global value, in the syntax of shardrun --input: "@x.npy",
 * "4xf32=1 2 3 4", "4xf32=@raw.bin", "4xf32" (zeros), "@w.safetensors:KEY", "@w.npz:KEY" (its checksum is not verified here,
 * since it also covers bytes that only other ranks read). Returns SR_USAGE if the value cannot be read or its type differs from
 * the argument's. */
enum sr_status shardrun_run_fill(struct shardrun_run *run, int i, const char *value);

/* Run the program once. Collective. Returns SR_DIFFERS if one of its check ops fails; rank 0's message has the location and the
 * first element that differs, and the ops after it have not run. Inside a function of interpreter.run_parallel, only the rank
 * that executes the function gets the message and the status. Returns SR_UNSUPPORTED, on all ranks, for ops that only shardrun
 * --interpret implements: interpreter.print and check.expect_serialized_eq. interpreter.probe passes its value through. After
 * any other status the client is broken: the others get a status too, within its stall_timeout, and later calls fail at once. */
enum sr_status shardrun_run_step(struct shardrun_run *run);

/* Write results 0..n-1 to .npy files of global shape, each rank its shards; a NULL path skips the result. Either all files appear
 * under their final names once all ranks have finished, or none does. Collective. Returns SR_USAGE if a file cannot be written or
 * n is too large. */
enum sr_status shardrun_run_write(struct shardrun_run *run, const char *const *paths, int n);

#ifdef __cplusplus
}
#endif
#endif
