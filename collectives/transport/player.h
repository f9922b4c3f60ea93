/* What a wire offers to the player of schedules, and the structures that both know. The player (player.c) runs rounds; a wire
 * (mpi.c) moves bytes between members. A wire that chooses per pair of devices is a wire too: its
 * post looks at the pair and hands on. */
#ifndef SR_COLLECTIVES_PLAYER_H
#define SR_COLLECTIVES_PLAYER_H

#include "collectives/transport.h"

struct sr_window;
struct sr_call_slot;

struct sr_wire {
	enum sr_carrier carrier;
	size_t request_bytes;
	/* Begin a message of at most INT32_MAX bytes; data stays the wire's until a test says done. `call` is equal on both
	 * sides and numbers the group's calls; messages of a pair in one call match in the order of posting. */
	enum sr_status (*post)(struct sr_group *g, bool send, int peer, unsigned call, void *data, int64_t bytes, void *request);
	/* Whether all of n requests are done; a request that is done is spent and may be tested again. *culprit: the one that
	 * failed, -1 where none or it is not known. What fails here,
	 * in post and in native leaves the wire's words in the transport's `error`. */
	enum sr_status (*test)(struct sr_group *g, void *requests, int n, bool *done, int *culprit);
	/* Whether there is a call of the wire's own for this, with exactly the meaning of the schedules. */
	bool (*has_native)(const struct sr_coll_call *call);
	enum sr_status (*native)(struct sr_group *g, const struct sr_coll_call *call, const void *in, void *out);
	void (*barrier)(struct sr_transport *t);
	enum sr_status (*spread)(struct sr_transport *t, int root, void *data, uint64_t n);
	/* Collective on the devices of my node (in order of t->here), or on a group: n bytes of each. */
	void (*gather_here)(struct sr_transport *t, const void *mine, size_t n, void *all);
	void (*gather)(struct sr_group *g, const void *mine, size_t n, void *all);
	void (*progress)(struct sr_transport *t); /* look after messages on their way */
	int (*device)(const struct sr_group *g, int member);
	void (*close)(struct sr_transport *t);
};

struct sr_transport {
	const struct sr_wire *wire;
	struct sr_arena *arena;
	const struct sr_selection *selection;
	bool crowded;           /* more members than cores here: give the core away at every wait */
	struct scratch *scratch; /* blocks shared by the calls, one per call under way */
	struct sr_prepared *under_way; /* calls started whose results are not there, in order of their starts */
	int device;             /* mine */
	int node;               /* mine: a number that all devices of it have, and no others */
	int n_here, here;       /* devices of my node, and my place among them */
	bool spans_nodes;       /* not all devices are on mine */
	struct sr_window *window; /* NULL: none, and why where one was wanted: */
	char without_window[128];
	volatile bool waits;     /* for other members */
	volatile uint64_t rounds, calls; /* waits that are over, and calls */
	char error[256];        /* of the wire: "MPI_Isend: message truncated" */
	char failure[512];      /* the same with the call that it was in, its group and peer */
};

/* Around whatever waits for other members (sr_transport_look). */
static inline void sr_wait_begin(struct sr_transport *t)
{
	t->waits = true;
}

static inline void sr_wait_end(struct sr_transport *t)
{
	t->waits = false;
	t->rounds++;
}

struct sr_group {
	struct sr_transport *transport;
	int index, size;
	unsigned sequence; /* calls started so far; equal on all members, so it tells the messages of calls under way apart */
	uint8_t carrier;          /* enum sr_carrier; SHM, LEVELS: all, or some, members share a node, and the windows of these nodes are there: */
	int *node;                /* [size]: as struct sr_coll_call has it */
	int *here;                /* [size]: places of members on my node; -1: of another */
	int64_t staging;          /* bytes that any member may stage at once */
	struct sr_call_slot **slots; /* [SR_CALLS * size]: slot s of member k at s * size + k; NULL: of another node, or I am alone on mine */
	void **data;              /* the same, of their data */
	struct sr_prepared **users; /* [SR_CALLS]: my call that has the slot; NULL: none */
};

/* Collective on the group, once it has its size and index: see whether it can use the window. For wires. */
void sr_group_find_window(struct sr_group *g);

#endif
