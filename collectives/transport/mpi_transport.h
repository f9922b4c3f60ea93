/* The MPI transport's structs. Internal to the files mpi*.c. */
#ifndef SR_COLLECTIVES_TRANSPORT_MPI_TRANSPORT_H
#define SR_COLLECTIVES_TRANSPORT_MPI_TRANSPORT_H

#include "collectives/transport/transport_ops.h"
#include <mpi.h>

struct mpi_group {
	struct sr_group group; /* must be the first member: pointers to this struct and to `group` are cast into each other */
	const int *devices;    /* device ids of the members; length group.size */
	unsigned number;       /* number of the group, a part of its message tags */
	bool owns_comm;
	MPI_Comm comm;         /* the transport's communicator, or one that only the members of the group share */
	struct mpi_group *next;
};

/* the ordered set of devices among which control collectives run: all of the transport, or those of this node */
struct mpi_device_list {
	const int *ranks;   /* [n] */
	int n, me;          /* number of devices; index of this device among them */
	unsigned count;     /* number of exchanges so far, equal on all members */
	unsigned first_tag; /* first of the n_calls / 2 message tags that these exchanges use */
};

struct mpi_transport {
	/* must be the first member: pointers to this struct and to `transport` are cast into each other */
	struct sr_transport transport;
	struct sr_transport *self;
	MPI_Comm comm;         /* duplicate of the caller's communicator, including ranks that have no device */
	struct mpi_device_list devices, node_devices;
	/* number of groups created so far; number of groups that message tags can distinguish. Group number 0 is for control
	 * messages */
	unsigned n_groups, max_groups;
	struct mpi_group *groups;
};

static inline struct mpi_transport *sr_mpi_transport(struct sr_transport *t)
{
	return (struct mpi_transport *)t;
}

/* Convert MPI's code of `call` to a status. After an error: store MPI's text in t->error, mark requests as pending and set the abort
 * word, which all ranks see (abort_word.h), and return SR_INTERNAL. */
enum sr_status sr_mpi_status(struct sr_transport *t, int code, const char *call);
/* Wait for requests by testing with backoff, since MPI's blocking calls may yield for ever (backoff.h) and see no abort. After an
 * abort the requests are abandoned, and MPI may still access their memory (abort_word.h). */
enum sr_status sr_mpi_wait(struct sr_transport *t, MPI_Request *requests, int n, const char *call);
/* Abandon the requests of an aborted transport: cancel those that MPI can cancel, and free them. */
void sr_mpi_abandon(struct sr_transport *t, MPI_Request *requests, int n);

/* Collectives on all devices, or on those of the node, as in struct sr_transport_ops. They need no communicator of the devices
 * alone. Defined in mpi_control.c. */
enum sr_status sr_mpi_barrier(struct sr_transport *t);
enum sr_status sr_mpi_broadcast(struct sr_transport *t, int root, void *data, uint64_t n);
enum sr_status sr_mpi_gather(struct sr_transport *t, const void *own_block, size_t n, void *all);
enum sr_status sr_mpi_gather_node(struct sr_transport *t, const void *own_block, size_t n, void *all);

/* MPI's own collectives, defined in mpi_native.c. */
bool sr_mpi_has_native(const struct sr_coll_call *call);
enum sr_status sr_mpi_native(struct sr_group *g, const struct sr_coll_call *call, const void *in, void *out);

#endif
