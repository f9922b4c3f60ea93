/* What a wire offers to the player of schedules, and the structures that both know. The player (schedule_executor.c) runs rounds; a wire
 * moves bytes between members: mpi.c where a process plays one device, local_devices.c where some play several. */
#ifndef SR_COLLECTIVES_TRANSPORT_TRANSPORT_OPS_H
#define SR_COLLECTIVES_TRANSPORT_TRANSPORT_OPS_H

#include "collectives/transport.h"
#include "support/thread.h"

struct sr_shared_segment;
struct sr_group_cache;
struct sr_call_slot;

enum { SR_MAX_REQUEST_BYTES = 16 };

struct sr_transport_ops {
	enum sr_carrier carrier;
	size_t request_bytes; /* at most SR_MAX_REQUEST_BYTES where processes send to each other */
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
	enum sr_status (*join)(struct sr_transport *t, const int64_t *group, const int64_t *index, struct sr_group **out);
	/* Collective on the processes of my node: n bytes of each device; mine in order of siblings, all in order of t->here. */
	void (*gather_here)(struct sr_transport *t, const void *mine, size_t n, void *all);
	/* The same on all processes, where each plays one device; in order of devices. */
	void (*gather)(struct sr_transport *t, const void *mine, size_t n, void *all);
	void (*meet)(struct sr_transport *t); /* collective on the processes */
	void (*progress)(struct sr_transport *t); /* look after messages on their way */
	int (*device)(const struct sr_group *g, int member);
	void (*close)(struct sr_transport *t);
};

struct sr_transport {
	const struct sr_transport_ops *wire;
	struct sr_arena *arena;
	const struct sr_selection *selection;
	bool crowded;           /* more members than cores here: give the core away at every wait */
	struct scratch *scratch; /* blocks shared by the calls, one per call under way */
	struct sr_prepared_collective *under_way; /* calls started whose results are not there, in order of their starts */
	struct sr_transport **siblings; /* [n_local_devices]: of this process, this one the k-th */
	int n_local_devices, k;
	int device, n_devices;  /* mine, and of the world */
	unsigned n_calls;       /* numbers of calls that the wire tells apart */
	int node;               /* mine: a number that all devices of it have, and no others */
	int n_here, here;       /* devices of my node, and my place among them */
	bool spans_nodes;       /* not all devices are on mine */
	struct sr_shared_segment *window; /* of the siblings; NULL: none, and why where one was wanted, in the first of them: */
	char no_segment_reason[128];
	struct sr_group_cache *lists; /* of groups that were made, in the first sibling */
	_Atomic int *broken;     /* the siblings', which of them cannot go on; -1: all can. NULL: there is one */
	_Atomic bool waits;      /* for other members; noted for a watch (support/thread.h), as are: */
	_Atomic uint64_t rounds, calls; /* waits that are over, and calls */
	char error[256];        /* of the wire: "MPI_Isend: message truncated" */
	char failure[512];      /* the same with the call that it was in, its group and peer */
};

/* Around whatever waits for other members (sr_transport_read_state). */
static inline void sr_wait_begin(struct sr_transport *t)
{
	sr_relaxed_store(t->waits, true);
}

static inline void sr_wait_end(struct sr_transport *t)
{
	sr_relaxed_store(t->waits, false);
	sr_relaxed_increment(t->rounds);
}

struct sr_group {
	struct sr_transport *transport;
	int index, size;
	unsigned sequence; /* calls started so far; equal on all members, so it tells the messages of calls under way apart */
	uint8_t carrier;          /* enum sr_carrier; SHM, LEVELS: all, or some, members share a node, and the windows of these nodes are there: */
	int *node;                /* [size]: as struct sr_coll_call has it */
	int *here;                /* [size]: places of members on my node; -1: of another */
	int64_t staging;          /* bytes that any member may stage at once */
	struct sr_call_slot **slots; /* [SR_CALL_SLOTS * size]: slot s of member k at s * size + k; NULL: of another node, or I am alone on mine */
	void **data;              /* the same, of their data */
	struct sr_prepared_collective **users; /* [SR_CALL_SLOTS]: my call that has the slot; NULL: none */
};

/* For wires: what a member tells the others of its group, and what follows from all [g->size] for the window. */
struct sr_group_handshake {
	int64_t slots, staging; /* -1, and any: it has no window */
	int node, here;
};
struct sr_group_handshake sr_group_make_handshake(struct sr_transport *t);
void sr_group_complete_handshake(struct sr_group *g, const struct sr_group_handshake *all);

/* Whether what I wait for can come no more: after so many looks in vain. */
static inline bool sr_wait_has_failed(const struct sr_transport *t, int looks)
{
	return t->broken && looks % 64 == 0 && atomic_load_explicit(t->broken, memory_order_relaxed) >= 0;
}

#endif
