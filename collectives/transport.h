/* Where schedules run. A transport is one device's part in a world of devices; a group is a list of devices of which I am one.
 * The MPI transport and the node's shared window implement this; shardbench and exec use it. All functions marked collective are
 * called by every member of the group, in the same order.
 *
 * A process may play several devices of a world: its transports are siblings, in order of their devices. What makes things
 * (transports, groups, regions) is called once for all of them, with an array over the siblings where each has its own; calls are
 * each device's, on a thread of its own, while the thread that made the transports serves them (sr_transport_run_progress). */
#ifndef SR_COLLECTIVES_TRANSPORT_H
#define SR_COLLECTIVES_TRANSPORT_H

#include "collectives/schedule.h"

struct sr_transport;
struct sr_group; /* a communicator, my index, its size */

struct sr_transport_options { /* alike on all ranks */
	const struct sr_selection *selection; /* NULL: the defaults */
	bool no_segment;     /* devices of a node send messages too */
	int ranks_per_node; /* take so many neighbouring devices of a node for a node, to try on one what several would do; 0: as they are */
};

/* Collective on all of comm (an MPI_Comm passed by address, so that mpi.h stays inside; NULL: this process is alone, rank 0).
 * rank_of_device[n_devices] are ranks of it; *out is the first of this process's siblings, NULL on ranks that play no device. Where
 * a
 * window is wanted, and can be had on a node, groups within it use it. The world of a transport is its devices. SR_USAGE where the
 * list has what is no rank. */
enum sr_status sr_transport_open(struct sr_arena *arena, const void *mpi_comm, const int *rank_of_device, int n_devices,
				 const struct sr_transport_options *options, struct sr_transport **out);
/* The same where the ranks listed are different ones: SR_USAGE where they are not. */
enum sr_status sr_transport_open_mpi(struct sr_arena *arena, const void *mpi_comm, const int *rank_of_device, int n_devices,
				     const struct sr_transport_options *options, struct sr_transport **out);
void sr_transport_close(struct sr_transport *t); /* all siblings; NULL is fine */
int sr_transport_device(const struct sr_transport *t); /* that it is of */
int sr_transport_n_local_devices(const struct sr_transport *t); /* itself among them */
struct sr_transport *sr_transport_local_device(const struct sr_transport *t, int k);
bool sr_transport_is_multi_device(const struct sr_transport *t);
    /* some process of the world plays several devices: calls want threads */
/* What made a function here return SR_INTERNAL the last time: which call failed, in which group, with which peer. "" where none
 * did. Stays the transport's. */
const char *sr_transport_failure(const struct sr_transport *t);
/* ---- while the siblings' threads are at work ---- */
/* The thread that opened them carries their messages; returns when all of them have left. */
void sr_transport_run_progress(struct sr_transport *t);
void sr_transport_leave(struct sr_transport *t); /* by each sibling's thread, at its end */
/* This device cannot go on: whoever of its siblings waits for others fails soon with SR_INTERNAL, and nothing works any more. */
void sr_transport_mark_failed(struct sr_transport *t);
/* The sibling that broke first; -1: none has. */
int sr_transport_failed_device(const struct sr_transport *t);

/* Collective on the world: n bytes from device `root` to all. */
enum sr_status sr_transport_broadcast(struct sr_transport *t, int root, void *data, uint64_t n);
/* Collective on the world: groups[n_groups * size] devices (-1 pads); every device calls with the same list; *out is my group, NULL
 * where I am in none. */
enum sr_status sr_group_make(struct sr_transport *t, const int64_t *devices, int64_t n_groups, int64_t size, struct sr_group **out);
/* The same where each device knows its own place: member `index` of group `group`, -1: of none. Groups are made anew each time. All
 * three are over the siblings. */
enum sr_status sr_group_join(struct sr_transport *t, const int64_t *group, const int64_t *index, struct sr_group **out);
int sr_group_size(const struct sr_group *g);
int sr_group_index(const struct sr_group *g);
/* A call prepared once, at load, in `arena`: schedule chosen, scratch known. call->n and me are filled from the group; from and to
 * are member indices. SR_UNSUPPORTED where the type has no such reduction. */
struct sr_prepared_collective;
enum sr_status sr_collective_prepare(struct sr_transport *t, struct sr_group *g, struct sr_coll_call *call, struct sr_arena *arena,
			  struct sr_prepared_collective **out);
const char *sr_collective_algorithm(const struct sr_prepared_collective *p);
const struct sr_coll_call *sr_collective_call(const struct sr_prepared_collective *p);
int64_t sr_collective_scratch_bytes(const struct sr_prepared_collective *p); /* bytes that it takes beside its operands, while it is under way */
/* Collective on the group. Posts the first messages and returns; several calls may be under way, started in the same order by all
 * members, and finished in one order by all, which may be another. Allocates nothing once as many calls of their size have been
 * under way before. in and out stay the transport's until finish, which returns when the result is there; peers may read both until
 * withdraw has returned, so they are not to be written before. SR_INTERNAL where the transport fails (sr_transport_failure). */
enum sr_status sr_collective_start(struct sr_prepared_collective *p, const void *in, void *out);
enum sr_status sr_collective_wait(struct sr_prepared_collective *p);
enum sr_status sr_collective_release(struct sr_prepared_collective *p); /* of the call that has finished, if any. The next start does so */
/* Calls under way that send messages go on as far as they can without waiting: to be called now and then while something is
 * computed. */
enum sr_status sr_transport_progress(struct sr_transport *t);
bool sr_collective_sends_messages(const struct sr_prepared_collective *p); /* messages: advancing is of use to it */
/* Memory that these calls take when all of them are under way. */
enum sr_status sr_transport_reserve(struct sr_transport *t, struct sr_prepared_collective *const *calls, int n);
void sr_transport_barrier(struct sr_transport *t); /* collective on the world, each device on its thread */
void sr_transport_process_barrier(struct sr_transport *t);    /* the same of the processes, on the thread that opened them */

/* ---- the node's window: memory that the devices of a node read in each other's place ---- */
/* Operands and results that lie in a region are read there; others are copied into the window first. */
struct sr_shared_region;
/* Collective on the world's processes: a file of `bytes` of memory for each device, a hole until it is touched. NULL where there is
 * no window: messages carry everything then. */
struct sr_shared_region *sr_shared_region_open(struct sr_transport *t, int64_t bytes);
/* Lay bytes [offset, offset + n) of a sibling's, multiples of the page, over what is mapped at memory + offset. Where nobody but
 * siblings reads them, they stay the memory that they are. */
bool sr_shared_region_map(struct sr_shared_region *r, const struct sr_transport *t, char *memory, int64_t offset, int64_t n);
void sr_shared_region_close(struct sr_shared_region *r); /* not collective: nobody starts a call in it any more. NULL is fine */
int sr_transport_node_devices(const struct sr_transport *t); /* devices of my node, I among them */
/* Why the devices of my node do not read each other's memory; "" where they do, or are not asked to, or I am alone. */
const char *sr_transport_no_segment_reason(const struct sr_transport *t);
bool sr_transport_has_segment(const struct sr_transport *t);

/* For a watch, which may be another thread: whether this device waits for others now, how often what it waited for has come, and
 * how many collectives it has finished. */
struct sr_transport_state {
	bool waits;
	uint64_t rounds, calls;
};
struct sr_transport_state sr_transport_read_state(const struct sr_transport *t);

#endif
