/* The launch: the ranks of a job or communicator. MPI is started only in a process that was started by a launcher. Provides the
 * number of ranks, agreement on a status, and the few exchanges outside of a program's collectives. mpi.h is used only in
 * launch.c and launcher.c. */
#ifndef SR_RUN_LAUNCH_H
#define SR_RUN_LAUNCH_H

#include "collectives/transport/abort_word.h"
#include "support/diag.h"
#include "support/thread.h"
#include <stdbool.h>
#include <stdint.h>

enum { SR_LAUNCH_CHUNK = 1 << 16 }; /* maximum number of bytes of a message of a broadcast */

/* The struct must outlive the use of MPI if abort.has_pending is set. */
struct sr_launch {
	int rank, size;      /* rank of this process, and number of ranks */
	bool mpi;            /* true if MPI is initialized, by this library or by the caller, so that `comm` is valid */
	bool owns_mpi;        /* MPI was initialized by this library, which will finalize it */
	bool wants_threads;  /* set by the caller: request MPI_THREAD_MULTIPLE, so that any thread may call MPI */
	/* true if only the thread that initialized MPI may call it, since the thread level is below MPI_THREAD_MULTIPLE */
	bool is_funneled;
	/* callback on all ranks when one has failed, before any continues; `diags` is NULL except on the rank that is to print its
	 * messages. NULL: the caller prints the messages of the rank that failed */
	void (*report)(void *data, enum sr_status status, const struct sr_diags *diags);
	void *data;
	/* Abort word, set if a rank has ended, hangs or failed. Functions of this file then do not wait any more, results that
	 * other ranks would have sent are 0, and sr_launch_agree returns the status of the abort. MPI is not called after it, and
	 * not finalized. */
	struct sr_abort_word abort;
	double wait_limit; /* seconds after which a wait sets the abort word, until heartbeats are sent; 0: none */
	/* Atomic for a monitoring thread (support/thread.h): true while this rank waits for others; number of waits that have
	 * ended. */
	_Atomic bool is_waiting;
	_Atomic uint64_t n_waits;
	union {
		int number;
		void *address;
	} comm;              /* an MPI_Comm of all ranks, owned; its type is internal to launch.c */
	/* Data that MPI sends and receives, except those of sr_launch_send and sr_launch_receive. MPI never accesses the memory of a
	 * caller, which may be freed after an abort while requests are pending (abort_word.h). */
	uint64_t exchanged[2][32];
	char chunk[SR_LAUNCH_CHUNK];
	_Atomic(struct sr_launch_message *) abandoned; /* list of the messages of abandoned requests, never freed */
};

/* Initialize MPI if the environment variables of a launcher are set; otherwise there is one rank. Keeps l->report, l->data,
 * l->wants_threads and l->wait_limit, and sets all other members. Unless allow_singleton is set, returns SR_USAGE, reported, if N
 * independent processes (singletons) were started instead of one job of N. Commands that only print something (runs == false) may
 * be singletons, and initialize MPI only if there are other ranks. */
enum sr_status sr_launch_begin(struct sr_launch *l, struct sr_diags *diags, bool runs, bool allow_singleton);
/* Create a launch of the ranks of *comm, the address of an MPI_Comm (NULL: all ranks). Collective on them. MPI that the caller has
 * initialized stays initialized, and its communicators keep their error handlers. Returns SR_USAGE, reported, if MPI is finalized,
 * if a communicator is given without MPI, or if this thread may not call MPI (MPI_Query_thread). */
enum sr_status sr_launch_join(struct sr_launch *l, const void *comm, struct sr_diags *diags);
/* Create a launch of the n listed ranks of `parent`, in ascending order; it ends with sr_launch_end. Collective on these ranks; no
 * other rank takes part. `parent` must stay open until then. The same ranks may have one such launch at a time. */
enum sr_status sr_launch_subset(struct sr_launch *l, const struct sr_launch *parent, const int *ranks, int n,
				struct sr_diags *diags);
/* Wait until all ranks have called this function; if some have not after `grace` seconds, call on_timeout(data) once and continue
 * to wait. Collective on all ranks. */
void sr_launch_leave(struct sr_launch *l, double grace, void (*on_timeout)(void *data), void *data);
/* Return true if this thread may call MPI: any thread may, or it is the one that initialized MPI. */
bool sr_launch_may_call_mpi(const struct sr_launch *l);
/* Gather n bytes of each rank of this node in *all, allocated in `arena`. Collective on all ranks. Returns the number of the node's
 * ranks. */
int sr_launch_gather_node(struct sr_launch *l, struct sr_arena *arena, const void *own_data, uint64_t n, const void **all);
/* Return the address of the MPI_Comm of all ranks, or NULL without MPI. */
const void *sr_launch_comm(const struct sr_launch *l);
/* Return the status of the lowest rank that failed, whose messages have been printed before any rank returns. Collective on all
 * ranks. Waiting ranks sleep. */
enum sr_status sr_launch_agree(struct sr_launch *l, enum sr_status status, struct sr_diags *diags);
/* Return `status`; but if that is SR_OK after an abort, the status of the abort, reported to diags (NULL: not reported). Not
 * collective. */
enum sr_status sr_launch_report_abort(struct sr_launch *l, enum sr_status status, struct sr_diags *diags);
/* Replace each x[k] by its maximum over all ranks. Collective on all ranks. Waiting ranks sleep. */
void sr_launch_max(struct sr_launch *l, uint64_t *x, int n);
/* Compute the minimum and maximum of x over all ranks. Collective on all ranks. Waiting ranks sleep. */
void sr_launch_min_max(struct sr_launch *l, uint64_t x, uint64_t *min_value, uint64_t *max_value);
/* Return true if all ranks have the same x. Collective on all ranks. */
bool sr_launch_all_equal(struct sr_launch *l, uint64_t x);
/* Broadcast n bytes from rank 0. Collective on all ranks. Waiting ranks sleep. */
void sr_launch_broadcast(struct sr_launch *l, void *data, uint64_t n);
/* Gather n bytes of every rank on rank 0, in order of rank; `out` is NULL on other ranks. Collective on all ranks. */
void sr_launch_gather(struct sr_launch *l, const void *own_data, void *out, uint64_t n);
/* Send n bytes to another rank, which calls sr_launch_receive with the same tag (1 to 16384) and at least as many bytes. Waiting
 * threads sleep. Return false after an abort. Any thread that may call MPI may call these functions. */
bool sr_launch_send(struct sr_launch *l, int rank, int tag, const void *data, uint64_t n);
bool sr_launch_receive(struct sr_launch *l, int rank, int tag, void *data, uint64_t n);
/* End the launch, and finalize MPI if this library initialized it. Collective. */
void sr_launch_end(struct sr_launch *l);
/* End the launch like sr_launch_end, for a process that then exits with `status`, which is equal on all ranks and already reported.
 * Collective. May not return, so that the launcher prints nothing about the status. */
void sr_launch_exit(struct sr_launch *l, enum sr_status status);
/* Return true if the launcher ends the job silently when a process asks for it. */
bool sr_launch_ends_on_request(const struct sr_launch *l);
/* Ask the launcher to end the job. Does not return if sr_launch_ends_on_request. May be called on any thread at any time. */
void sr_launch_request_end(enum sr_status status);
/* Abort the job from one rank, while others may be waiting for it: print the messages, then call MPI_Abort with this status.
 * Returns if MPI is not initialized. */
void sr_launch_abort(struct sr_launch *l, enum sr_status status, struct sr_diags *diags);
/* Return true if this process is the first of its job by the launcher's environment variables. That process prints while MPI is not
 * initialized. */
bool sr_launch_is_reporter(void);
/* Return true if the environment variables of a launcher are set. */
bool sr_launch_is_launched(void);
/* Return true if the launcher's variables say that all `size` ranks are on this machine. */
bool sr_launch_is_single_node(int size);
/* Return the command that starts n ranks with the launcher in use, for messages: "`mpirun -np 8 shardrun ...` or ...". */
const char *sr_launch_advice(struct sr_arena *arena, int n);
const char *sr_launch_version(struct sr_arena *arena); /* Return the first line of the MPI library's version text. */
bool sr_launch_is_open_mpi(void); /* Return true if shardrun is built with Open MPI. */

#endif
