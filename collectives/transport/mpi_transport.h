/* The MPI transport's structs. Internal to the files mpi*.c. */
#ifndef SR_COLLECTIVES_TRANSPORT_MPI_TRANSPORT_H
#define SR_COLLECTIVES_TRANSPORT_MPI_TRANSPORT_H

#include "collectives/transport/transport_ops.h"
#include <mpi.h>

struct mpi_group {
	struct sr_group group; /* first member, so that pointers can be cast */
	const int *devices;    /* [group.size] */
	unsigned number;       /* distinguishes its messages from those of other groups */
	bool owns_comm;
	MPI_Comm comm;         /* the transport's; or its own, whose ranks are members */
	struct mpi_group *next;
};

struct mpi_circle { /* the devices of the transport, or of this node, in order */
	const int *ranks;   /* [n] */
	int n, me;          /* size, and index of this device */
	unsigned count;     /* exchanges so far, equal on all members */
	unsigned first_tag; /* of n_calls / 2 that its messages use */
};

struct mpi_transport {
	struct sr_transport transport; /* first member, so that pointers can be cast */
	struct sr_transport *self;
	MPI_Comm comm;         /* duplicate of the caller's, with idle ranks */
	struct mpi_circle devices, of_node;
	unsigned n_groups, max_groups; /* groups so far, and group numbers that fit in a tag; number 0: control messages */
	struct mpi_group *groups;
};

static inline struct mpi_transport *sr_mpi_transport(struct sr_transport *t)
{
	return (struct mpi_transport *)t;
}

/* Return SR_OK, or SR_INTERNAL after storing MPI's error string for `call` in t->error and telling all ranks. */
enum sr_status sr_mpi_status(struct sr_transport *t, int code, const char *call);
/* Wait for requests by testing with backoff, since MPI's blocking calls may yield for ever (backoff.h) and see no abort. */
enum sr_status sr_mpi_wait(struct sr_transport *t, MPI_Request *requests, int n, const char *call);
/* Give up requests of an aborted transport: they are cancelled where MPI can, and freed. */
void sr_mpi_abandon(struct sr_transport *t, MPI_Request *requests, int n);

/* mpi_control.c: collectives on all devices or those of the node, as in struct sr_transport_ops. They need no communicator of the devices alone. */
enum sr_status sr_mpi_barrier(struct sr_transport *t);
enum sr_status sr_mpi_broadcast(struct sr_transport *t, int root, void *data, uint64_t n);
enum sr_status sr_mpi_gather(struct sr_transport *t, const void *mine, size_t n, void *all);
enum sr_status sr_mpi_gather_node(struct sr_transport *t, const void *mine, size_t n, void *all);

/* mpi_native.c: MPI's own collectives. */
bool sr_mpi_has_native(const struct sr_coll_call *call);
enum sr_status sr_mpi_native(struct sr_group *g, const struct sr_coll_call *call, const void *in, void *out);

#endif
