/* Execution of collectives. A transport is the communication endpoint of one device. A group is a list of devices; it contains the
 * transport's device. There is a transport over MPI with one device per process, and one for several devices per process; both
 * use shared memory within a node. Users are run and shardbench. Functions marked collective are called by every member of the
 * group, in the same order.
 *
 * A process may have several local devices: their transports are ordered by device. Functions that create transports, groups and
 * regions are called once per process, with an array that has a value for each local device. Collectives are called by each
 * device's own thread, while the thread that opened the transports runs the progress loop (sr_transport_run_progress). */
#ifndef SR_COLLECTIVES_TRANSPORT_H
#define SR_COLLECTIVES_TRANSPORT_H

#include "collectives/schedule.h"

struct sr_abort_word;
struct sr_transport;
struct sr_group; /* a group of devices, like an MPI communicator */

struct sr_transport_options { /* options of sr_transport_open; equal on all ranks, except cache_bytes */
	const struct sr_selection *selection; /* which algorithm runs which calls; NULL: the defaults */
	bool no_segment;     /* true: devices of a node communicate by messages, too, without a shared segment */
	/* number of consecutive ranks of a node that are treated as a node of their own, to test multi-node behaviour; 0: real
	 * nodes */
	int ranks_per_node;
	struct sr_abort_word *abort; /* abort word that ends all waits when it is set; outlives the transport; NULL: none */
	unsigned message_numbers;    /* number of a group's calls whose messages must have different tags; 0: a default */
	/* total bytes of the last-level caches of this node; may differ between nodes; 0: unknown. If the results of a
	 * collective, or the buffers of which they are slices, have more bytes than that, summed over the devices of the node, they
	 * are stored past the caches. If the size is unknown, they never are. */
	int64_t cache_bytes;
};

/* Collective on all ranks of comm (address of an MPI_Comm, so that mpi.h stays internal; NULL: this process is alone, rank 0).
 * Device d runs on rank rank_of_device[d]. *out is the first of this process's local devices, NULL on ranks without a device.
 * Groups within a node use a shared segment if the options allow it and the system supports it. SR_USAGE if the list contains
 * an invalid rank. */
enum sr_status sr_transport_open(struct sr_arena *arena, const void *mpi_comm, const int *rank_of_device, int n_devices,
				 const struct sr_transport_options *options, struct sr_transport **out);
/* Open a transport as sr_transport_open does, with at most one device per rank; SR_USAGE if a rank is listed twice. */
enum sr_status sr_transport_open_mpi(struct sr_arena *arena, const void *mpi_comm, const int *rank_of_device, int n_devices,
				     const struct sr_transport_options *options, struct sr_transport **out);
void sr_transport_close(struct sr_transport *t); /* Close the transports of all local devices of this process. NULL is allowed. */
int sr_transport_device(const struct sr_transport *t);
int sr_transport_n_local_devices(const struct sr_transport *t); /* Return the number of local devices, including this device. */
struct sr_transport *sr_transport_local_device(const struct sr_transport *t, int k);
/* Return the reason why a function of this header last returned SR_INTERNAL: the failing MPI call, the group and the peer; ""
 * if none failed. Owned by the transport. */
const char *sr_transport_failure(const struct sr_transport *t);
/* ---- while the local devices' threads run ---- */
/* Return true if this process has several devices and sends messages to others, which sr_transport_run_progress advances. */
bool sr_transport_needs_progress(const struct sr_transport *t);
/* Run the progress loop for the local devices' messages to other processes; the i-th call returns when each of them has called
 * sr_transport_leave i times. Devices may already be executing collectives that a later call will advance. */
void sr_transport_run_progress(struct sr_transport *t);
/* Tell the progress loop that this device has ended its collectives of an execution; called by each device's thread. */
void sr_transport_leave(struct sr_transport *t);
/* Mark this device as failed: local devices that wait for others return SR_INTERNAL soon, and the transports become unusable. */
void sr_transport_mark_failed(struct sr_transport *t);
/* Return the local device that failed first, or -1. */
int sr_transport_failed_device(const struct sr_transport *t);

/* Collective on all devices: copy n bytes from device `root` to all. MPI may access `data` after a failure
 * (transport/abort_word.h). */
enum sr_status sr_transport_broadcast(struct sr_transport *t, int root, void *data, uint64_t n);
/* Collective on all devices: create the groups devices[n_groups * size] (-1 pads). Every device passes the same list; out[k] is
 * the group of local device k, or NULL if it is in none. */
enum sr_status sr_group_make(struct sr_transport *t, const int64_t *devices, int64_t n_groups, int64_t size, struct sr_group **out);
/* Create groups as sr_group_make does, but each device passes only its own position: local device k is member index[k] of group
 * group[k], -1: of none. A new group is created by each call. */
enum sr_status sr_group_join(struct sr_transport *t, const int64_t *group, const int64_t *index, struct sr_group **out);
int sr_group_size(const struct sr_group *g);
int sr_group_index(const struct sr_group *g);
/* A collective prepared at load time, in `arena`: algorithm selected, schedule built, scratch known. Sets call->n and call->member
 * from the group; call->from and call->to are member indices. SR_UNSUPPORTED if the type has no such reduction. */
struct sr_prepared_collective;
enum sr_status sr_collective_prepare(struct sr_transport *t, struct sr_group *g, struct sr_coll_call *call, struct sr_arena *arena,
				     struct sr_prepared_collective **out);
const char *sr_collective_algorithm(const struct sr_prepared_collective *p);
const struct sr_coll_call *sr_collective_call(const struct sr_prepared_collective *p);
/* Return the bytes that the collective needs while in flight, besides its operands. */
int64_t sr_collective_scratch_bytes(const struct sr_prepared_collective *p);
/* Collective on the group. Start posts the first messages and returns. Several collectives may be in flight; all members start them
 * in the same order and wait for them in one common order, which may differ. Nothing is allocated once as many collectives of their
 * size have been in flight before. Wait returns when the result is complete. Until sr_collective_release has returned, peers may
 * read `in` and `out`, so neither may be written. SR_INTERNAL if the transport fails (sr_transport_failure). */
enum sr_status sr_collective_start(struct sr_prepared_collective *p, const void *in, void *out);
enum sr_status sr_collective_wait(struct sr_prepared_collective *p);
/* Run the collective: start it, wait for the result and release the operands. For short operands among members that share a node's
 * memory, this takes less time than the separate calls. */
enum sr_status sr_collective_run(struct sr_prepared_collective *p, const void *in, void *out);
/* Return true if sr_collective_start would not wait now for other members. Advances calls in flight that must end first. */
bool sr_collective_can_start(struct sr_prepared_collective *p);
/* Advance a started call as far as possible without waiting. Set *is_complete to true if sr_collective_wait would not wait now. */
enum sr_status sr_collective_test(struct sr_prepared_collective *p, bool *is_complete);
/* Return true if sr_collective_release would not wait now. */
bool sr_collective_can_release(struct sr_prepared_collective *p);
/* Release the operands of the last call, if there is one. Starting the next call also releases them. */
enum sr_status sr_collective_release(struct sr_prepared_collective *p);
/* Advance the collectives in flight as far as possible without waiting. Call it from time to time during long computations. */
enum sr_status sr_transport_progress(struct sr_transport *t);
/* Return the status of operations on a transport that is broken, SR_OK if it is not. */
enum sr_status sr_transport_broken_status(struct sr_transport *t);
/* Back off on the thread that executes n consecutive local devices, all of which have waited for other devices in `polls` (>=
 * 1) polls in a row. Return at once if the transport has no other devices. Return true if the transport is broken, so that
 * the awaited devices will not arrive. The caller ends the wait with sr_transport_end_wait_for_others. */
bool sr_transport_wait_for_others(struct sr_transport *first, int n, int polls);
void sr_transport_end_wait_for_others(struct sr_transport *first, int n);
/* Return true if the collective sends messages, which sr_transport_progress advances. */
bool sr_collective_sends_messages(const struct sr_prepared_collective *p);
/* Allocate the memory that these collectives need if all of them are in flight at once. */
enum sr_status sr_transport_reserve(struct sr_transport *t, struct sr_prepared_collective *const *calls, int n);
/* Barriers return at once after an abort. */
void sr_transport_barrier(struct sr_transport *t); /* Barrier of all devices, called by each device on its thread. */
/* Barrier of all processes; called by the thread that opened the transports. */
void sr_transport_process_barrier(struct sr_transport *t);

/* ---- the node's shared segment: memory that all devices of a node can read ---- */
/* Operands and results inside a region are read in place; others are copied into the segment first. */
struct sr_shared_region;
/* Collective on all processes: create a sparse memory file of `bytes` for each device. *out is NULL without a shared segment, or if
 * a file cannot be created or mapped. SR_NO_MEMORY if 32,768 regions are open. Constant time apart from system calls. */
enum sr_status sr_shared_region_open(struct sr_transport *t, int64_t bytes, struct sr_shared_region **out);
/* Map bytes [offset, offset + n) of a local device's file, multiples of the page size, at memory + offset. If only local devices
 * read them, the memory stays as it is. */
bool sr_shared_region_map(struct sr_shared_region *r, const struct sr_transport *t, char *memory, int64_t offset, int64_t n);
void sr_shared_region_close(struct sr_shared_region *r); /* Close a region that no call uses. Not collective. NULL is allowed. */
int sr_transport_node_devices(const struct sr_transport *t); /* Return the number of devices on this node, including this device. */
/* Return why the devices of this node do not share memory; "" if they do, if sharing was not requested, or if the node has one
 * device. */
const char *sr_transport_no_segment_reason(const struct sr_transport *t);
bool sr_transport_has_segment(const struct sr_transport *t);

/* State for a monitoring thread: whether the device waits for others, how many waits have ended, and how many collectives it has
 * finished. */
struct sr_transport_state {
	bool waits;
	uint64_t rounds, calls;
};
struct sr_transport_state sr_transport_read_state(const struct sr_transport *t);

#endif
