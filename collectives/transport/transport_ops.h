/* Transport operations, and the structures that they share with the schedule executor (schedule_executor.c). The executor runs
 * rounds; transport operations move bytes between members: mpi.c for one device per process, local_devices.c for several. */
#ifndef SR_COLLECTIVES_TRANSPORT_TRANSPORT_OPS_H
#define SR_COLLECTIVES_TRANSPORT_TRANSPORT_OPS_H

#include "collectives/transport.h"
#include "collectives/transport/abort_word.h"
#include "support/thread.h"

struct sr_shared_segment;
struct sr_group_cache;
struct sr_call_progress;
struct sr_call_slot;

enum { SR_MAX_REQUEST_BYTES = 16 };

struct sr_transport_ops {
	enum sr_carrier carrier;
	size_t request_bytes; /* at most SR_MAX_REQUEST_BYTES for the transport between processes */
	/* Begin a message of at most INT32_MAX bytes; `data` may not be touched until test reports it done. `call` numbers the
	 * group's calls, equally on both sides; messages of a pair within a call match in posting order. */
	enum sr_status (*post)(struct sr_group *g, bool send, int peer, unsigned call, void *data, int64_t bytes, void *request);
	/* Set *done if all n requests are complete; completed requests may be tested again. *culprit: the request that failed,
	 * -1 if none or unknown. A failure of test, post or native leaves a description in the transport's `error`. */
	enum sr_status (*test)(struct sr_group *g, void *requests, int n, bool *done, int *culprit);
	/* Give up n requests of an aborted transport: memory that is received into is not written any more where that can be prevented. */
	void (*abandon)(struct sr_group *g, void *requests, int n);
	/* Return true if the library has a collective with exactly this meaning. */
	bool (*has_native)(const struct sr_coll_call *call);
	enum sr_status (*native)(struct sr_group *g, const struct sr_coll_call *call, const void *in, void *out);
	enum sr_status (*barrier)(struct sr_transport *t);
	enum sr_status (*broadcast)(struct sr_transport *t, int root, void *data, uint64_t n);
	enum sr_status (*join)(struct sr_transport *t, const int64_t *group, const int64_t *index, struct sr_group **out);
	/* Collective on the processes of this node: `mine` has n bytes per local device, `all` n bytes per device of the node,
	 * ordered by node_index. */
	enum sr_status (*gather_node)(struct sr_transport *t, const void *mine, size_t n, void *all);
	/* Gather n bytes of each process in `all`, ordered by device, if each process has one device. */
	enum sr_status (*gather)(struct sr_transport *t, const void *mine, size_t n, void *all);
	enum sr_status (*process_barrier)(struct sr_transport *t); /* barrier of the processes */
	void (*progress)(struct sr_transport *t); /* advance messages in flight */
	int (*device)(const struct sr_group *g, int member);
	void (*close)(struct sr_transport *t);
};

struct sr_transport {
	const struct sr_transport_ops *ops;
	struct sr_arena *arena;
	const struct sr_selection *selection;
	struct sr_abort_word *abort;   /* NULL: the caller has none */
	bool oversubscribed;           /* more devices than cores on this node: yield at every wait */
	struct scratch *scratch; /* scratch blocks, one per collective in flight, reused */
	struct sr_prepared_collective *in_flight; /* collectives started and not complete, in order of their starts */
	struct sr_transport **local_devices; /* [n_local_devices] of this process; this one is at local_index */
	int n_local_devices, local_index;
	int device, n_devices;  /* this device's id; number of devices */
	unsigned n_calls;       /* call numbers that fit in a message tag */
	int node;               /* number of this node: equal for all its devices and no others */
	int n_node_devices, node_index;       /* devices on this node; index of this one among them */
	bool spans_nodes;       /* some devices are on other nodes */
	struct sr_shared_segment *segment; /* shared by the local devices, or NULL; then the reason is in the first one: */
	char no_segment_reason[128];
	struct sr_group_cache *group_cache; /* groups created so far, in the first local device */
	/* local device that failed first, -1: none; shared by the local devices. NULL: only one device per process */
	_Atomic int *first_failed;
	_Atomic bool waits;      /* waits for other members; atomic, as the next two, for a monitoring thread (support/thread.h): */
	_Atomic uint64_t rounds, calls; /* number of waits that have ended, and of collectives finished */
	char error[256];        /* of the operation: "MPI_Isend: message truncated" */
	char failure[512];      /* failure message with collective, group and peer */
};

/* Called around every wait for other members (sr_transport_read_state). */
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
	unsigned sequence; /* calls started so far; equal on all members, it distinguishes calls in flight */
	/* enum sr_carrier; SHM or LEVELS: all or some members share a node and have a shared segment, and these are set: */
	uint8_t carrier;
	int *node;                /* [size] node number of each member, as in struct sr_coll_call */
	int *node_index;                /* [size] index of a member among the devices of this node; -1: on another node */
	int64_t staging;          /* bytes that every member can stage at once */
	/* [SR_CALL_SLOTS * size] slot s of member k at s * size + k; NULL: on another node, or no other member on this one */
	struct sr_call_slot **slots;
	void **data;              /* [SR_CALL_SLOTS * size] data of the slots */
	struct sr_prepared_collective **users; /* [SR_CALL_SLOTS] this member's call that uses the slot, or NULL */
	struct sr_call_progress **ended; /* [size] each member's count of ended calls; NULL as in `slots` */
	uint32_t *seen_ended;     /* [size] a value that the member's count has reached */
};

/* Handshake when a group is created: what a member sends to the others, and how the group is completed from all [g->size] of
 * them. */
struct sr_group_handshake {
	int64_t slots, staging; /* place of its slots in region 0, and bytes it can stage; slots -1: it has no shared segment */
	int node, node_index;
};
struct sr_group_handshake sr_group_make_handshake(struct sr_transport *t);
void sr_group_complete_handshake(struct sr_group *g, const struct sr_group_handshake *all);

struct sr_group_record { /* what every device sends when groups are created */
	int64_t group, index;
	struct sr_group_handshake handshake;
	int device;
};
/* Complete g, whose transport is set, from the records of all devices and that of its own. Return its members' devices. */
const int *sr_group_init(struct sr_group *g, const struct sr_group_record *all, const struct sr_group_record *own);

/* Return true if a local device has failed or the client is aborted, so that the awaited event may never come; t->error says which. */
bool sr_transport_is_broken(struct sr_transport *t);
/* Return the status of operations on a broken transport. */
static inline enum sr_status sr_broken_status(const struct sr_transport *t)
{
	enum sr_status status = sr_abort_status(sr_abort_read(t->abort));
	return status ? status : SR_INTERNAL;
}
/* Return true at every 64th poll of a wait if the transport is broken. */
static inline bool sr_wait_has_failed(struct sr_transport *t, int polls)
{
	return polls % 64 == 0 && sr_transport_is_broken(t);
}

#endif
