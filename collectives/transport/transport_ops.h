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
	size_t request_bytes; /* size of a request; at most SR_MAX_REQUEST_BYTES for the transport between processes */
	/* Begin a message of at most INT32_MAX bytes; `data` may not be touched until test reports it done. `call` numbers the
	 * group's calls, equally on both sides; messages of a pair within a call match in posting order. */
	enum sr_status (*post)(struct sr_group *g, bool send, int peer, unsigned call, void *data, int64_t bytes, void *request);
	/* Set *done if all n requests are complete; completed requests may be tested again. *culprit: the request that failed,
	 * -1 if none or unknown. A failure of test, post or native leaves a description in the transport's `error`. */
	enum sr_status (*test)(struct sr_group *g, void *requests, int n, bool *done, int *culprit);
	/* Give up n requests of an aborted transport. Where possible, the memory of their receives is not written any more. */
	void (*abandon)(struct sr_group *g, void *requests, int n);
	/* Return true if the library has a collective with exactly the meaning of the call. */
	bool (*has_native)(const struct sr_coll_call *call);
	enum sr_status (*native)(struct sr_group *g, const struct sr_coll_call *call, const void *in, void *out);
	enum sr_status (*barrier)(struct sr_transport *t);
	enum sr_status (*broadcast)(struct sr_transport *t, int root, void *data, uint64_t n);
	enum sr_status (*join)(struct sr_transport *t, const int64_t *group, const int64_t *index, struct sr_group **out);
	/* Collective on the processes of this node: `mine` has n bytes for each local device, `all` has n bytes for each device
	 * of the node, ordered by node_index. */
	enum sr_status (*gather_node)(struct sr_transport *t, const void *mine, size_t n, void *all);
	/* Gather n bytes of each process in `all`, ordered by device, if each process has one device. */
	enum sr_status (*gather)(struct sr_transport *t, const void *mine, size_t n, void *all);
	enum sr_status (*process_barrier)(struct sr_transport *t); /* Barrier of the processes, called by one thread of each. */
	void (*progress)(struct sr_transport *t); /* Advance the messages in flight. */
	int (*device)(const struct sr_group *g, int member);
	void (*close)(struct sr_transport *t);
};

struct sr_transport {
	const struct sr_transport_ops *ops;
	struct sr_arena *arena;
	const struct sr_selection *selection;
	struct sr_abort_word *abort;   /* the caller's abort word; NULL: none */
	bool oversubscribed;           /* more devices than cores on this node: yield at every wait */
	int64_t cache_bytes;           /* last-level cache of the node in bytes, as in struct sr_transport_options */
	struct scratch *scratch; /* list of scratch blocks, one per collective in flight, which are reused */
	struct sr_prepared_collective *in_flight; /* collectives started and not complete, in order of their starts */
	/* transports of this process's local devices; this one is at local_index; length n_local_devices */
	struct sr_transport **local_devices;
	int n_local_devices, local_index;
	int device, n_devices;  /* this device's id; number of devices of the transport */
	unsigned n_calls;       /* number of call numbers that a message tag can distinguish */
	int node;               /* number of this node, equal for all devices of the node and different for others */
	int n_node_devices, node_index;       /* number of devices on this node; index of this device among them */
	bool spans_nodes;       /* true if some devices are on other nodes */
	/* segment that the local devices share; NULL if there is none, for the reason in no_segment_reason of the first local
	 * device */
	struct sr_shared_segment *segment;
	char no_segment_reason[128];
	struct sr_group_cache *group_cache; /* list of the groups created so far; only in the first local device */
	/* local device that failed first, -1: none; shared by the local devices. NULL: only one device per process */
	_Atomic int *first_failed;
	/* true while the device waits for other members. `waits`, `rounds` and `calls` are atomic, for a monitoring thread
	 * (support/thread.h) */
	_Atomic bool waits;
	_Atomic uint64_t rounds, calls; /* number of waits that have ended, and of collectives finished */
	char error[256];        /* failing operation and its error: "MPI_Isend: message truncated" */
	char failure[512];      /* failure message with collective, group and peer */
};

/* Record that a wait for other members begins, for sr_transport_read_state; sr_wait_end records its end. */
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
	unsigned sequence; /* number of the group's calls so far; equal on all members, it distinguishes calls in flight */
	/* enum sr_carrier. With SR_CARRIER_SHM all members, with SR_CARRIER_HIERARCHICAL some members share a node and have a
	 * shared segment, and the following are set */
	uint8_t carrier;
	int *node;                /* node number of each member, as in struct sr_coll_call; length: size */
	int *node_index;                /* index of a member among the devices of this node; -1: on another node; length: size */
	int64_t staging;          /* number of bytes that every member can stage at once */
	/* slot s of member k at s * size + k; NULL: the member is on another node, or no other member is on this node */
	struct sr_call_slot **slots;
	void **data;              /* data of slot s of member k at s * size + k */
	struct sr_prepared_collective **slot_calls; /* this member's call that uses each slot, or NULL; length SR_CALL_SLOTS */
	struct sr_call_progress **ended_counts; /* each member's count of ended calls; NULL as in `slots`; length: size */
	uint32_t *known_ended_counts;     /* for each member, a number that its count of ended calls has reached; length: size */
};

/* Handshake when a group is created: what a member sends to the others, and how the group is completed from all [g->size] of
 * them. */
struct sr_group_handshake {
	/* offset of the member's slots in region 0, -1 if it has no shared segment; number of bytes it can stage */
	int64_t slots, staging;
	int node, node_index;
};
struct sr_group_handshake sr_group_make_handshake(struct sr_transport *t);
void sr_group_complete_handshake(struct sr_group *g, const struct sr_group_handshake *all);

struct sr_group_record { /* record that every device sends when groups are created */
	int64_t group, index;
	struct sr_group_handshake handshake;
	int device;
};
/* Complete group g, whose transport is set, from the records of all devices and that of its own device. Return the device ids
 * of its members. */
const int *sr_group_init(struct sr_group *g, const struct sr_group_record *all, const struct sr_group_record *own);

/* Return true if a local device has failed or the client is aborted, so that the awaited event may never come. The reason is
 * stored in t->error. */
bool sr_transport_is_broken(struct sr_transport *t);
/* Return true if a collective in flight has posted messages for which it has not waited. */
bool sr_transport_has_messages(const struct sr_transport *t);
/* Return the status of operations on a broken transport: SR_TIMEOUT after a stall, else SR_INTERNAL. */
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
