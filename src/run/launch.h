/* The launch: the ranks of a job or of a communicator. MPI is started only where a launcher started us; then how many we are,
 * agreement on a status, and the few exchanges outside a program's collectives. mpi.h itself is in launch.c and launcher.c. */
#ifndef SR_RUN_LAUNCH_H
#define SR_RUN_LAUNCH_H

#include "support/diag.h"
#include "support/thread.h"
#include <stdbool.h>
#include <stdint.h>

struct sr_launch {
	int rank, size;      /* of all ranks */
	bool mpi;            /* MPI was started */
	bool started;        /* MPI was started here, and ends here */
	/* Called on all ranks where one has failed, before anybody goes on: with messages on the rank that is to say them, NULL
	 * on others. NULL: the caller reads those of the rank that failed. */
	void (*tell)(void *data, enum sr_status status, const struct sr_diags *diags);
	void *data;
	/* Noted for a watch (support/thread.h): it waits for other ranks now; how often it has done so. */
	_Atomic bool waits;
	_Atomic uint64_t waited;
	union {
		int number;
		void *address;
	} comm;              /* an MPI_Comm of all ranks, owned: mpi.h stays inside launch.c */
};

/* Start MPI where a launcher's variables say so; else one rank. l->tell is kept, all else is set. SR_USAGE, with its message,
 * where N single processes were started instead of one job of N (singletons), unless allowed. What only says something (not
 * `runs`) may be alone, and needs MPI only where there are others who may run. */
enum sr_status sr_launch_begin(struct sr_launch *l, struct sr_diags *diags, bool runs, bool allow_singleton);
/* Collective on *comm, the address of an MPI_Comm (NULL: all ranks): take part where MPI may be running already; it stays
 * running then. SR_USAGE, reported, where MPI is finished, or where a communicator is given without MPI. */
enum sr_status sr_launch_join(struct sr_launch *l, const void *comm, struct sr_diags *diags);
/* Collective on all ranks: how many of them are on my node, and n bytes of each, in `arena`. */
int sr_launch_gather_node(struct sr_launch *l, struct sr_arena *arena, const void *mine, uint64_t n, const void **all);
/* Address of the communicator of all ranks, an MPI_Comm; NULL without MPI. */
const void *sr_launch_comm(const struct sr_launch *l);
/* Collective on all ranks: every rank's status in, one status out: that of the lowest rank that failed, which has told its messages
 * before anybody returns. Waiting ranks sleep. */
enum sr_status sr_launch_agree(struct sr_launch *l, enum sr_status status, struct sr_diags *diags);
/* Collective on all ranks: each x[k] becomes the greatest of all ranks'. Waiting ranks sleep. */
void sr_launch_max(struct sr_launch *l, uint64_t *x, int n);
/* Collective on all ranks: the least and the greatest x of all. Waiting ranks sleep. */
void sr_launch_min_max(struct sr_launch *l, uint64_t x, uint64_t *least, uint64_t *most);
/* Collective on all ranks: all have the same x. */
bool sr_launch_all_equal(struct sr_launch *l, uint64_t x);
/* Collective on all ranks: n bytes from rank 0. Waiting ranks sleep. */
void sr_launch_broadcast(struct sr_launch *l, void *data, uint64_t n);
/* Collective on all ranks: n bytes of every rank to rank 0, in order of rank (out NULL elsewhere). */
void sr_launch_gather(struct sr_launch *l, const void *mine, void *out, uint64_t n);
/* All ranks reach the end together; MPI is finished. */
void sr_launch_end(struct sr_launch *l);
/* Collective: the same for a program that ends with `status`, which all ranks have, and has said why. It may not return: a
 * launcher is to keep quiet about it. */
void sr_launch_exit(struct sr_launch *l, enum sr_status status);
/* A launcher that a process asks to end the job does so and is quiet about it. */
bool sr_launch_ends_on_request(const struct sr_launch *l);
/* Ask: does not return where the above is so. May be called on a thread of its own, whatever the others do. */
void sr_launch_request_end(enum sr_status status);
/* This rank cannot go on and the others may be waiting for it: messages are told, MPI takes everybody down with this status;
 * returns without MPI. */
void sr_launch_abort(struct sr_launch *l, enum sr_status status, struct sr_diags *diags);
/* This process is the one of its job that speaks while MPI is not there: the launcher's first, as its variables say. */
bool sr_launch_is_reporter(void);
/* A launcher started this process (its variables are there). */
bool sr_launch_is_launched(void);
/* It started all `size` of the job on this machine, as its variables say; false where they do not. */
bool sr_launch_is_single_node(int size);
/* The command that starts n ranks as the launcher in use is called, in words: "`mpirun -np 8 shardrun ...` or ...". */
const char *sr_launch_advice(struct sr_arena *arena, int n);
const char *sr_launch_version(struct sr_arena *arena); /* of the MPI library, its first line */
bool sr_launch_is_open_mpi(void); /* that we are built with */

#endif
