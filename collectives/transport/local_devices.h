/* Transport operations of processes with several local devices. Local devices copy messages to each other directly
 * (message_queue.c). Messages for other processes go to the progress thread (progress_thread.c), the only one that calls MPI: it
 * uses a transport between processes, with one device each, and encodes the call and both local devices in the message number.
 * Internal to transport. */
#ifndef SR_COLLECTIVES_TRANSPORT_LOCAL_DEVICES_H
#define SR_COLLECTIVES_TRANSPORT_LOCAL_DEVICES_H

#include "collectives/transport/transport_ops.h"
#include <pthread.h>

enum sr_message_state { SR_MESSAGE_IN_FLIGHT, SR_MESSAGE_DONE, SR_MESSAGE_FAILED };

struct sr_message { /* a message, stored in the memory of its request */
	/* enum sr_message_state; in any state but SR_MESSAGE_IN_FLIGHT the message belongs to the thread that posted it */
	_Atomic int state;
	bool send;
	int peer;        /* number of the process, or of the local device, at the other end */
	unsigned number;
	/* group of all processes, for a message to another process; NULL for a message between local devices */
	struct sr_group *processes;
	unsigned group;  /* number of the group, for a message between local devices */
	void *data;
	int64_t bytes;
	struct sr_message *next;
	_Alignas(16) char request[SR_MAX_REQUEST_BYTES];
};

struct sr_message_queue {
	struct sr_message *first, **end;
};

enum sr_progress_request { SR_REQUEST_NONE, SR_REQUEST_BARRIER, SR_REQUEST_BROADCAST };

struct sr_device_location {
	int process, k;
};

struct sr_local_devices {
	struct sr_transport *ranks; /* transport between processes, one device each; NULL: this is the only process */
	const struct sr_device_location *locations; /* process and local index of each device; length n_devices */
	const int *first;           /* number of devices on processes 0 .. p - 1, for each p; length n_processes + 1 */
	int n, max_local, process;       /* local devices of this process; most local devices of any process; number of this process */
	int n_processes;
	const int *node_process_counts;     /* number of local devices of each process of this node; length n_node_processes */
	int n_node_processes;
	unsigned n_calls, n_groups; /* number of distinct call numbers; number of groups created so far */
	_Atomic int first_failed;         /* local device that failed first; -1: none */
	pthread_mutex_t lock;       /* protects all non-atomic fields below */
	/* work_posted wakes the progress thread, rendezvous_ended the local devices */
	pthread_cond_t work_posted, rendezvous_ended;
	struct sr_message_queue in_flight; /* messages posted to MPI; accessed by the progress thread only */
	struct sr_message_queue posted;   /* messages that the progress thread has to post */
	struct sr_message_queue *unmatched;    /* [n * n] unmatched messages between local devices, at from * n + to */
	int n_arrived;
	uint64_t *leave_counts;             /* [n] number of times that each local device has left (sr_transport_leave) */
	uint64_t n_ended_progress_loops;            /* number of completed calls of sr_transport_run_progress */
	_Atomic unsigned rendezvous;  /* number of completed rendezvous */
	enum sr_progress_request request;      /* what the progress thread has to do in the current rendezvous */
	struct {
		int root;           /* number of the process that has the root of the broadcast */
		void *data;
		uint64_t n;
		enum sr_status status;
	} broadcast;
	void **buffers;              /* [n] buffer of each local device in a broadcast */
};

struct sr_local_device {
	/* must be the first member: pointers to this struct and to `transport` are cast into each other */
	struct sr_transport transport;
	struct sr_local_devices *local_devices;
};

struct sr_local_device_group {
	struct sr_group group; /* must be the first member: pointers to this struct and to `group` are cast into each other */
	const int *devices;    /* device ids of the members; length group.size */
	struct sr_group *processes; /* group of all processes that carries this group's messages; NULL if there is one process */
	unsigned number;
};

static inline struct sr_local_devices *sr_local_devices_of(const struct sr_transport *t)
{
	return ((const struct sr_local_device *)t)->local_devices;
}

/* Open transports as sr_transport_open does, if some process has several devices or if MPI is not used. */
enum sr_status sr_local_devices_open(struct sr_arena *arena, const void *mpi_comm, const int *rank_of_device, int n_devices,
				     const struct sr_transport_options *options, struct sr_transport **out);
void sr_message_queue_add(struct sr_message_queue *queue, struct sr_message *message);
/* Transport operations defined in message_queue.c. */
enum sr_status sr_local_device_post(struct sr_group *g, bool send, int peer, unsigned call, void *data, int64_t bytes,
				    void *request);
enum sr_status sr_local_device_test(struct sr_group *g, void *requests, int n, bool *is_done, int *culprit);
/* Rendezvous of local devices, defined in rendezvous.c. */
enum sr_status sr_local_device_barrier(struct sr_transport *t);
enum sr_status sr_local_device_broadcast(struct sr_transport *t, int root, void *data, uint64_t n);
/* Defined in mpi.c; `comm` is the address of an MPI_Comm. */
void sr_mpi_rank_and_size(const void *comm, int *rank, int *size);

#endif
