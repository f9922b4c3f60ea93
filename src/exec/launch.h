/* The launch: MPI started only where a launcher started us, how many we are, agreement on a status, and the few exchanges outside a
 * program's collectives. The only header of exec that stands for MPI; mpi.h itself is in launch.c. */
#ifndef SR_EXEC_LAUNCH_H
#define SR_EXEC_LAUNCH_H

#include "support/diag.h"
#include <stdbool.h>
#include <stdint.h>

struct sr_launch {
	int rank, size;      /* of all ranks */
	bool mpi;            /* MPI was started */
	const void
		*comm; /* address of the communicator of the device ranks (rank < n_devices), for the transport; NULL without MPI */
	bool spare;          /* this rank plays no device */
	bool started;        /* MPI was started here, and ends here */
	FILE *err; /* where sr_launch_agree and sr_launch_abort print; NULL: the caller reads the messages of the rank that failed */
	struct sr_launch_comms *comms; /* owned; NULL without MPI */
};

/* Start MPI where a launcher's variables say so; else one rank. l->err is kept, all else is set. SR_USAGE, with its message, where N
 * single processes were started instead of one job of N (singletons), unless allowed. What only says something (not `runs`) may be
 * alone, and needs MPI only where there are others who may run. */
enum sr_status sr_launch_begin(struct sr_launch *l, struct sr_diags *diags, bool runs, bool allow_singleton);
/* Collective on *comm, the address of an MPI_Comm (NULL: all ranks): take part where MPI may be running already; it stays
 * running then. SR_USAGE, reported, where MPI is finished, or where a communicator is given without MPI. */
enum sr_status sr_launch_join(struct sr_launch *l, const void *comm, struct sr_diags *diags);
/* Collective: the same ranks once more, with a communicator of its own. `of` outlives it, and ends MPI. */
enum sr_status sr_launch_share(struct sr_launch *l, const struct sr_launch *of);
/* Collective on all ranks: how many of them are on my node, and n bytes of each, in `arena`. */
int sr_launch_on_node(struct sr_launch *l, struct sr_arena *arena, const void *mine, uint64_t n, const void **all);
/* Collective on all ranks: every rank's status in, one status out: that of the lowest rank that failed, whose messages are printed
 * before anybody returns. Waiting ranks sleep. */
enum sr_status sr_launch_agree(struct sr_launch *l, enum sr_status status, struct sr_diags *diags);
/* Collective: the first n ranks play devices, the others are spare. */
enum sr_status sr_launch_devices(struct sr_launch *l, int n);
/* Collective on all ranks: the least and the greatest x of all. Waiting ranks sleep. */
void sr_launch_range(struct sr_launch *l, uint64_t x, uint64_t *least, uint64_t *most);
/* Collective on all ranks: all have the same x. */
bool sr_launch_same(struct sr_launch *l, uint64_t x);
/* Collective on all ranks: n bytes from rank 0. Waiting ranks sleep. */
void sr_launch_broadcast(struct sr_launch *l, void *data, uint64_t n);
/* Collective on all ranks: n bytes of every rank to rank 0, in order of rank (out NULL elsewhere). */
void sr_launch_gather(struct sr_launch *l, const void *mine, void *out, uint64_t n);
/* Collective on the device ranks: n bytes from the rank that plays device `root`. */
enum sr_status sr_launch_spread(struct sr_launch *l, int root, void *data, uint64_t n);
/* Collective on the device ranks. */
void sr_launch_barrier(struct sr_launch *l);
/* All ranks reach the end together; MPI is finished. */
void sr_launch_end(struct sr_launch *l);
/* Collective: the same for a program that ends with `status`, which all ranks have, and has said why. It may not return: a launcher is to
 * keep quiet about it. */
void sr_launch_leave(struct sr_launch *l, enum sr_status status);
/* What is said where no message could be made. */
extern const char sr_out_of_memory[];
/* This rank cannot go on and the others may be waiting for it: messages out, everybody is taken down with this status. */
_Noreturn void sr_launch_abort(struct sr_launch *l, enum sr_status status, struct sr_diags *diags);
/* Run this same command on n ranks of this machine by `launcher`, which is the MPI's own ("mpirun.mpich"); returns only where that
 * fails. `arguments` ends with NULL. */
enum sr_status sr_launch_spawn(const char *launcher, int n, char *const *arguments, struct sr_diags *diags);
/* This process is the one of its job that speaks while MPI is not there: the launcher's first, as its variables say. */
bool sr_launch_speaks(void);
/* A launcher started this process (its variables are there). */
bool sr_launch_is_launched(void);

#endif
