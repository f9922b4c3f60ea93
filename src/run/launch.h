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

struct sr_launch {
	int rank, size;      /* rank of this process, and number of ranks */
	bool mpi;            /* MPI is initialized */
	bool started;        /* MPI was initialized here, and will be finalized here */
	bool wants_threads;  /* set by the caller: initialize MPI so that any thread may call it, if MPI can do so */
	bool is_funneled;    /* only the thread that initialized MPI may call it: its level is below MPI_THREAD_MULTIPLE */
	/* Called on all ranks when one has failed, before any continues; `diags` is NULL except on the rank that is to print its
	 * messages. NULL: the caller prints the messages of the rank that failed. */
	void (*tell)(void *data, enum sr_status status, const struct sr_diags *diags);
	void *data;
	/* Set if a rank has ended, hangs or failed: functions here do not wait any more, results that others would have sent are 0, and
	 * sr_launch_agree returns the status of the abort. MPI is not called after it, and not finalized. */
	struct sr_abort_word abort;
	double wait_limit; /* seconds after which a wait sets it, until heartbeats are sent; 0: none */
	/* Atomic for a monitoring thread (support/thread.h): waits for other ranks now; number of waits that have ended. */
	_Atomic bool waits;
	_Atomic uint64_t waited;
	union {
		int number;
		void *address;
	} comm;              /* an MPI_Comm of all ranks, owned; its type is internal to launch.c */
	/* values that are exchanged: MPI may write them after a wait was given up, so the struct outlives the use of MPI */
	uint64_t exchanged[2][32];
};

/* Initialize MPI if a launcher's variables are set; otherwise there is one rank. l->tell, l->data, l->wants_threads and l->wait_limit are
 * kept, all else is set.
 * SR_USAGE, reported, if N independent processes were started instead of one job of N (singletons), unless allowed. Commands
 * that only print something (runs == false) may be singletons, and initialize MPI only if there are other ranks. */
enum sr_status sr_launch_begin(struct sr_launch *l, struct sr_diags *diags, bool runs, bool allow_singleton);
/* Collective on *comm, the address of an MPI_Comm (NULL: all ranks): join MPI that the caller may have initialized, and which
 * then stays initialized, with the error handlers of its communicators. SR_USAGE, reported, if MPI is finalized, if a communicator is
 * given without MPI, or if this thread may not call MPI (MPI_Query_thread). */
enum sr_status sr_launch_join(struct sr_launch *l, const void *comm, struct sr_diags *diags);
/* Collective on the n ranks of `from` listed in ascending order: a launch of these ranks alone, which ends with sr_launch_end. `from`
 * stays open longer. No other rank takes part; the same ranks make one such launch at a time. */
enum sr_status sr_launch_part(struct sr_launch *l, const struct sr_launch *from, const int *ranks, int n, struct sr_diags *diags);
/* Collective on all ranks: wait until all are here; if some are not after `grace` seconds, call late(data) once and go on waiting. */
void sr_launch_leave(struct sr_launch *l, double grace, void (*late)(void *data), void *data);
/* Return true if this thread may call MPI: any thread may, or it is the one that initialized MPI. */
bool sr_launch_may_call_mpi(const struct sr_launch *l);
/* Collective on all ranks: gather n bytes of each rank of this node in *all, in `arena`. Returns how many ranks there are. */
int sr_launch_gather_node(struct sr_launch *l, struct sr_arena *arena, const void *mine, uint64_t n, const void **all);
/* Return the address of the MPI_Comm of all ranks, or NULL without MPI. */
const void *sr_launch_comm(const struct sr_launch *l);
/* Collective on all ranks: return the status of the lowest rank that failed, whose messages have been printed before any rank
 * returns. Waiting ranks sleep. */
enum sr_status sr_launch_agree(struct sr_launch *l, enum sr_status status, struct sr_diags *diags);
/* Return `status`; after an abort, where it is SR_OK, the status of the abort, reported to diags (NULL: not). Not collective. */
enum sr_status sr_launch_report_abort(struct sr_launch *l, enum sr_status status, struct sr_diags *diags);
/* Collective on all ranks: each x[k] becomes the maximum over all ranks. Waiting ranks sleep. */
void sr_launch_max(struct sr_launch *l, uint64_t *x, int n);
/* Collective on all ranks: minimum and maximum of x over all ranks. Waiting ranks sleep. */
void sr_launch_min_max(struct sr_launch *l, uint64_t x, uint64_t *least, uint64_t *most);
/* Collective on all ranks: return true if all have the same x. */
bool sr_launch_all_equal(struct sr_launch *l, uint64_t x);
/* Collective on all ranks: broadcast n bytes from rank 0. Waiting ranks sleep. */
void sr_launch_broadcast(struct sr_launch *l, void *data, uint64_t n);
/* Collective on all ranks: gather n bytes of every rank on rank 0, in order of rank (`out` is NULL elsewhere). */
void sr_launch_gather(struct sr_launch *l, const void *mine, void *out, uint64_t n);
/* Collective: finalize MPI if it was initialized here. */
void sr_launch_end(struct sr_launch *l);
/* Collective: as sr_launch_end for a program that exits with `status`, which is equal on all ranks and already reported. May not
 * return, so that the launcher prints nothing about it. */
void sr_launch_exit(struct sr_launch *l, enum sr_status status);
/* Return true if the launcher ends the job silently when a process asks for it. */
bool sr_launch_ends_on_request(const struct sr_launch *l);
/* Ask the launcher to end the job; does not return where sr_launch_ends_on_request. May be called on any thread at any time. */
void sr_launch_request_end(enum sr_status status);
/* Abort the job from one rank, while others may be waiting for it: print messages, then MPI_Abort with this status. Returns
 * without MPI. */
void sr_launch_abort(struct sr_launch *l, enum sr_status status, struct sr_diags *diags);
/* Return true if this process is the first of its job by the launcher's variables, so that it prints while MPI is not
 * initialized. */
bool sr_launch_is_reporter(void);
/* Return true if a launcher started this process, by its variables. */
bool sr_launch_is_launched(void);
/* Return true if the launcher's variables say that all `size` ranks are on this machine. */
bool sr_launch_is_single_node(int size);
/* Return the command that starts n ranks with the launcher in use, for messages: "`mpirun -np 8 shardrun ...` or ...". */
const char *sr_launch_advice(struct sr_arena *arena, int n);
const char *sr_launch_version(struct sr_arena *arena); /* first line of the MPI library's version */
bool sr_launch_is_open_mpi(void); /* the MPI that shardrun is built with */

#endif
