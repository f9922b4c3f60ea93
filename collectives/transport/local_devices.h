/* The wire of processes that play several devices. Siblings hand messages to each other where they are (message_queue.c); those for other
 * processes go to the thread that serves them (progress_thread.c), which alone speaks MPI: over a transport of the processes, one device
 * each. A message's number there says which call it is of, and the two siblings. Internal to transport. */
#ifndef SR_COLLECTIVES_TRANSPORT_LOCAL_DEVICES_H
#define SR_COLLECTIVES_TRANSPORT_LOCAL_DEVICES_H

#include "collectives/transport/transport_ops.h"
#include <pthread.h>

enum sr_message_state { SR_MESSAGE_IN_FLIGHT, SR_MESSAGE_DONE, SR_MESSAGE_FAILED };

struct sr_message { /* a message, in the memory of its request */
	_Atomic int state; /* enum sr_message_state; once it is another, the letter is its owner's again */
	bool send;
	int peer;        /* process, or sibling */
	unsigned number;
	struct sr_group *line; /* among the processes; NULL: between siblings */
	unsigned group;  /* between siblings: the number of the group */
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
	struct sr_transport *ranks; /* one device for each process; NULL: this is the only one */
	const struct sr_device_location *places; /* [devices of the world] */
	const int *first;           /* [processes + 1]: of the devices in order of processes */
	int n, most, process;       /* siblings here, at most in a process, the number of mine */
	int n_processes;
	const int *counts_here;     /* [processes of my node]: siblings of each */
	int processes_here;
	unsigned n_calls, n_groups; /* numbers of calls; groups made */
	_Atomic int broken;         /* sibling; -1 */
	pthread_mutex_t lock;       /* of all below, but what is atomic */
	pthread_cond_t work, met;   /* for the server, for siblings */
	struct sr_message_queue posted;   /* for the server */
	struct sr_message_queue *mail;    /* [n * n]: between siblings, from * n + to, that wait for their other half */
	int arrived, left;
	_Atomic unsigned meetings;  /* that are over */
	enum sr_progress_request errand;      /* of the last who came to a meeting, for the server */
	struct {
		int root;           /* process */
		void *data;
		uint64_t n;
		enum sr_status status;
	} spread;
	void **offers;              /* [n]: memory of each in a spread */
};

struct sr_local_device {
	struct sr_transport transport; /* first */
	struct sr_local_devices *all;
};

struct sr_local_device_group {
	struct sr_group group; /* first */
	const int *devices;    /* [group.size] */
	struct sr_group *line; /* of all processes, for messages of this group and those made with it; NULL: one process */
	unsigned number;
};

static inline struct sr_local_devices *sr_local_devices_of(const struct sr_transport *t)
{
	return ((const struct sr_local_device *)t)->all;
}

/* As sr_transport_open, where some rank plays several devices, or there is no MPI. */
enum sr_status sr_local_devices_open(struct sr_arena *arena, const void *mpi_comm, const int *rank_of_device, int n_devices,
				const struct sr_transport_options *options, struct sr_transport **out);
void sr_message_queue_add(struct sr_message_queue *l, struct sr_message *one);
/* Wire functions. message_queue.c */
enum sr_status sr_local_device_post(struct sr_group *g, bool send, int peer, unsigned call, void *data, int64_t bytes, void *request);
enum sr_status sr_local_device_test(struct sr_group *g, void *requests, int n, bool *done, int *culprit);
/* rendezvous.c */
void sr_local_device_barrier(struct sr_transport *t);
enum sr_status sr_local_device_broadcast(struct sr_transport *t, int root, void *data, uint64_t n);
/* mpi.c: of an MPI_Comm. */
void sr_mpi_rank_and_size(const void *comm, int *rank, int *size);

#endif
