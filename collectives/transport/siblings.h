/* The wire of processes that play several devices. Siblings hand messages to each other where they are (mail.c); those for other
 * processes go to the thread that serves them (serve.c), which alone speaks MPI: over a transport of the processes, one device
 * each. A message's number there says which call it is of, and the two siblings. Internal to transport. */
#ifndef SR_COLLECTIVES_SIBLINGS_H
#define SR_COLLECTIVES_SIBLINGS_H

#include "collectives/transport/player.h"
#include <pthread.h>

enum sr_letter_state { SR_LETTER_UNDER_WAY, SR_LETTER_DONE, SR_LETTER_FAILED };

struct sr_letter { /* a message, in the memory of its request */
	_Atomic int state; /* enum sr_letter_state; once it is another, the letter is its owner's again */
	bool send;
	int peer;        /* process, or sibling */
	unsigned number;
	struct sr_group *line; /* among the processes; NULL: between siblings */
	unsigned group;  /* between siblings: the number of the group */
	void *data;
	int64_t bytes;
	struct sr_letter *next;
	_Alignas(16) char request[SR_MOST_REQUEST];
};

struct sr_letters {
	struct sr_letter *first, **end;
};

enum sr_errand { SR_ERRAND_NONE, SR_ERRAND_BARRIER, SR_ERRAND_SPREAD };

struct sr_place_of_device {
	int process, k;
};

struct sr_siblings {
	struct sr_transport *ranks; /* one device for each process; NULL: this is the only one */
	const struct sr_place_of_device *places; /* [devices of the world] */
	const int *first;           /* [processes + 1]: of the devices in order of processes */
	int n, most, process;       /* siblings here, at most in a process, the number of mine */
	int n_processes;
	const int *counts_here;     /* [processes of my node]: siblings of each */
	int processes_here;
	unsigned n_calls, n_groups; /* numbers of calls; groups made */
	_Atomic int broken;         /* sibling; -1 */
	pthread_mutex_t lock;       /* of all below, but what is atomic */
	pthread_cond_t work, met;   /* for the server, for siblings */
	struct sr_letters posted;   /* for the server */
	struct sr_letters *mail;    /* [n * n]: between siblings, from * n + to, that wait for their other half */
	int arrived, left;
	_Atomic unsigned meetings;  /* that are over */
	enum sr_errand errand;      /* of the last who came to a meeting, for the server */
	struct {
		int root;           /* process */
		void *data;
		uint64_t n;
		enum sr_status status;
	} spread;
	void **offers;              /* [n]: memory of each in a spread */
};

struct sr_sibling {
	struct sr_transport transport; /* first */
	struct sr_siblings *all;
};

struct sr_sibling_group {
	struct sr_group group; /* first */
	const int *devices;    /* [group.size] */
	struct sr_group *line; /* of all processes, for messages of this group and those made with it; NULL: one process */
	unsigned number;
};

static inline struct sr_siblings *sr_siblings_of(const struct sr_transport *t)
{
	return ((const struct sr_sibling *)t)->all;
}

/* As sr_transport_open, where some rank plays several devices, or there is no MPI. */
enum sr_status sr_siblings_open(struct sr_arena *arena, const void *mpi_comm, const int *rank_of_device, int n_devices,
				const struct sr_transport_options *options, struct sr_transport **out);
void sr_letters_add(struct sr_letters *l, struct sr_letter *one);
/* Wire functions. mail.c */
enum sr_status sr_sibling_post(struct sr_group *g, bool send, int peer, unsigned call, void *data, int64_t bytes, void *request);
enum sr_status sr_sibling_test(struct sr_group *g, void *requests, int n, bool *done, int *culprit);
/* meet.c */
void sr_sibling_barrier(struct sr_transport *t);
enum sr_status sr_sibling_spread(struct sr_transport *t, int root, void *data, uint64_t n);
/* mpi.c: of an MPI_Comm. */
void sr_mpi_look(const void *comm, int *rank, int *size);

#endif
