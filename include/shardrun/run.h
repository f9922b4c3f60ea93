/* A run: a plan on the ranks of a communicator, rank d playing device d. Open it once, then fill, step and read as often as needed;
 * nothing is allocated in a step.
 *
 * MPI. Where the caller has initialized MPI, the run takes part with a communicator of its own and leaves MPI running. Where nobody
 * has, and mpirun or srun started the process, opening a run initializes MPI and closing it finalizes MPI, so that such a program
 * has one run; one that wants several calls MPI_Init itself, or opens them on a client (<shardrun/client.h>). Without a launcher
 * there is one rank, and MPI is not touched. With more ranks than devices the last ones are spare:
 * they call the collective functions too and hold no data.
 *
 * Compiled loops. Opening a run may start the system's C compiler on rank 0 (`codegen` below), at most four times and a minute in
 * all, where neither the program's file nor the cache has what it makes. It is a child of the process like any other: SIGCHLD comes
 * when it ends, and a host that waits for any child may see its number; that is harmless, also where the signal is ignored or the
 * host takes the child's status. Signal handlers and masks stay as they are; the child has none of them, and no open files.
 * "off" starts nothing.
 *
 * Each rank sees its own slice of a value only: fill it from a file, of which just that part is read, or write it through a buffer:
 *
 *	struct shardrun_run *run;
 *	struct shardrun_buffer x;
 *	if (shardrun_run_open(plan, NULL, &run))
 *		fputs(shardrun_run_message(run), stderr);       "" on all ranks but the one that failed first
 *	shardrun_run_fill(run, 0, "@weights.npy");
 *	shardrun_run_argument(run, 1, &x);                      my slice: x.size[0] rows from x.start[0] on
 *	memcpy(x.data, mine, x.bytes);
 *	shardrun_run_step(run);
 *	shardrun_run_result(run, 0, &x);
 *	shardrun_run_close(run);
 *
 * Conventions: see <shardrun.h>. After a collective function all ranks have the same status. */
#ifndef SHARDRUN_RUN_H
#define SHARDRUN_RUN_H

#include <shardrun/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

struct shardrun_run;
struct shardrun_client;

enum { SHARDRUN_MAX_RANK = 16 }; /* dimensions of a tensor that can be run */

struct shardrun_run_options {
	size_t size;             /* of this struct, set by SHARDRUN_RUN_OPTIONS_INIT */
	const void *comm;        /* address of an MPI_Comm; NULL: MPI_COMM_WORLD. MPI must be initialized where it is given */
	const char *collectives; /* which algorithm for which collective, as shardrun --collectives; NULL: the defaults */
	int threads;             /* that share the work of this process; 0: by the machine's cores and the ranks on the node */
	struct shardrun_client *client; /* whose ranks, algorithms and threads are taken, in place of these (<shardrun/client.h>); NULL: none */
	/* Rank 0's: */
	const char *codegen;     /* compile loops by the system's C compiler: "off", "on", "auto" (where it pays); NULL: auto */
	const char *compiler;    /* that compiler, a name that PATH knows or a path; NULL: cc */
	const char *target;      /* for at most "base", "avx2", "avx512", or several with commas between; NULL: what all ranks run */
	const char *cache;       /* the folder where they are kept; "off"; NULL: XDG_CACHE_HOME/shardrun or HOME/.cache/shardrun */
};
#define SHARDRUN_RUN_OPTIONS_INIT {sizeof(struct shardrun_run_options), 0, 0, 0, 0, 0, 0, 0, 0}

/* This rank's slice of an argument or result. */
struct shardrun_buffer {
	void *data;    /* dense, row-major with extents local[]; NULL on a spare rank. Valid until the run is closed */
	int64_t bytes; /* of data */
	int rank;
	int64_t start[SHARDRUN_MAX_RANK], size[SHARDRUN_MAX_RANK]; /* the part of the global value */
	int64_t local[SHARDRUN_MAX_RANK];                          /* extents of data, at least size[]; the rest is padding */
};

/* Open a run. Collective on the communicator. Rank 0's plan counts; other ranks may give theirs or NULL, which saves compiling
 * there. Arguments are zeros.
 * Returns SR_OK; SR_USAGE for fewer ranks than devices, a malformed option, no plan on rank 0, or a process that is alone though
 * several were started; SR_NO_MEMORY where a device does not fit. All ranks have the status of the
 * first that failed, and may try again. *out is for the caller to close, also after an error (NULL only with SR_NO_MEMORY). The
 * plan may be freed at once: the run keeps what it needs. */
enum sr_status shardrun_run_open(const struct shardrun_plan *plan, const struct shardrun_run_options *options,
				 struct shardrun_run **out);

/* Free the run; finalize MPI where opening it initialized it. Collective on the communicator. NULL is fine. */
void shardrun_run_close(struct shardrun_run *run);

/* What went wrong last on this rank; "" where nothing did. Owned by the run, until its next call. Not collective. */
const char *shardrun_run_message(const struct shardrun_run *run);
/* The device that this rank plays, or the one of them that was selected; -1 on a spare rank. Not collective. */
int64_t shardrun_run_device(const struct shardrun_run *run);
/* How many devices this rank plays (struct shardrun_client_options): 1, or more; 0 on a spare rank. Not collective. */
int shardrun_run_devices(const struct shardrun_run *run);
/* From now on "my slice" is that of the k-th device of this rank, 0 at first: argument, result, fill and device go by it, while a
 * step and what is written are of all. Not collective. SR_USAGE where there is no such device here. */
enum sr_status shardrun_run_select(struct shardrun_run *run, int k);

/* My slice of argument or result i: write arguments before a step, read results after it. Not collective.
 * SR_USAGE where there is no such value. An argument keeps its value over steps, unless it is donated (struct shardrun_value). */
enum sr_status shardrun_run_argument(struct shardrun_run *run, int i, struct shardrun_buffer *out);
enum sr_status shardrun_run_result(struct shardrun_run *run, int i, struct shardrun_buffer *out);

/* Fill my slice of argument i from a global value, told as shardrun --input does: "@x.npy", "4xf32=1 2 3 4", "4xf32=@raw.bin",
 * "4xf32" (zeros), "@w.safetensors:KEY", "@w.npz:KEY" (whose checksum, of bytes that other ranks read, is not looked at here). Not
 * collective. SR_USAGE where it cannot be read or has another type than the argument. */
enum sr_status shardrun_run_fill(struct shardrun_run *run, int i, const char *value);

/* Run the program once. Collective. SR_DIFFERS where one of its check ops does not hold, with the place and the first element that
 * differs in the message of rank 0 (in a function of interpreter.run_parallel, of the rank that runs it, which alone has the
 * status); what comes behind it has not run. SR_UNSUPPORTED, on all ranks, for what shardrun --interpret alone has:
 * interpreter.print, which needs somewhere to print, and check.expect_serialized_eq, which needs the folder that probes write to;
 * interpreter.probe passes its value on. A rank that fails inside a collective cannot tell the others, which may wait for it: after
 * any other status call MPI_Abort. */
enum sr_status shardrun_run_step(struct shardrun_run *run);

/* Write results 0..n-1 to .npy files of global shape, each rank its part; a NULL path is left out. The files appear under their
 * names when all ranks are done, or not at all. Collective. SR_USAGE where a file cannot be written or n is too large. */
enum sr_status shardrun_run_write(struct shardrun_run *run, const char *const *paths, int n);

#ifdef __cplusplus
}
#endif
#endif
