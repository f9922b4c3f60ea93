/* The node's shared segment: memory that all devices of a node can read, and the per-call progress counters by which they
 * synchronize.
 *
 * Each device has memory files (memfd, which vanish with the process) that the other processes of its node map. Local devices are
 * threads of one process and read each other's memory directly; a node with one process has no files. Region 0 is created with the
 * transports and holds call slots and staging space; further regions are the arenas of programs. Files are sparse.
 *
 * A group whose members share the node has SR_CALL_SLOTS slots per member, one for each call that may be in flight: an
 * sr_call_progress and SR_SLOT_BYTES of data. Call number s of a group uses slot s % SR_CALL_SLOTS, whose stage counter increases:
 * s / SR_CALL_SLOTS * (SR_CALL_STAGES + 1) + stage. A member starts a call when all members have ended the slot's previous call and
 * all calls before it, so a slot's data may be read until its reader has completed its own part. Each member counts its ended calls
 * in a counter of its own, and copies the count into its slot at every call: a member that reads the slot learns the count without
 * another transfer between caches.
 *
 * A waiting member spins, then yields, then sleeps on the counter (a futex); its owner wakes sleepers. The owner must not read
 * `sleepers` before its store is visible. Where the kernel offers it, the sleeper executes a memory barrier on all cores
 * (membarrier(2)) in place of the owner's fence, which would cost a transfer between caches at every call. */
#ifndef SR_COLLECTIVES_TRANSPORT_SHARED_SEGMENT_H
#define SR_COLLECTIVES_TRANSPORT_SHARED_SEGMENT_H

#include "collectives/transport/transport_ops.h"

enum { SR_CALL_SLOTS = 4 };

struct sr_call_progress {
	_Atomic uint32_t stage;
	_Atomic uint32_t sleepers;
};

enum { SR_SHAREABLE_BUFFERS = SR_OUT + 1 };
struct sr_call_slot {
	_Alignas(64) struct sr_call_progress counter;
	uint32_t ended;                       /* number of calls that the member had ended when this call began */
	uint64_t location[SR_SHAREABLE_BUFFERS]; /* location of this call's shared input and output, encoded by sr_segment_encode */
	_Alignas(32) char data[SR_SLOT_BYTES]; /* the first 32 bytes share a cache line with `counter` */
};

struct sr_member_slots { /* memory of a member of a group in region 0 */
	_Alignas(64) struct sr_call_progress ended; /* n if calls 0 .. n - 1 have all ended */
	struct sr_call_slot slot[SR_CALL_SLOTS];
};

struct sr_shared_segment;

/* Collective on the processes of this node, with t->n_node_devices > 1 devices: create region 0 for t and its local devices.
 * Returns NULL if one of the processes cannot, with `reason` set (n bytes). */
struct sr_shared_segment *sr_segment_open(struct sr_transport *t, char *reason, size_t n);
void sr_segment_close(struct sr_shared_segment *segment); /* Close the segment with all its regions. NULL is allowed. */

/* Encode the address of this device's memory as region and offset for other devices. Returns false if it is in no region. */
bool sr_segment_encode(const struct sr_transport *t, const void *data, int64_t bytes, uint64_t *location);
/* Return the local address of `location`, which the node_index-th device has encoded. */
void *sr_segment_decode(const struct sr_shared_segment *segment, int node_index, uint64_t location);
/* Allocate staging space in region 0; freed when all staged blocks have been released. Returns NULL if it is exhausted. */
void *sr_segment_stage(const struct sr_transport *t, int64_t bytes);
void sr_segment_unstage(const struct sr_transport *t);

/* Call numbers and stage numbers have 32 bits and wrap. The sign of the difference of two stage numbers tells which one is later,
 * provided that a slot's stage numbers are continuous where call numbers wrap. Therefore the 2^32 / SR_CALL_SLOTS calls of a slot
 * must have a multiple of 2^32 stages. */
_Static_assert((SR_CALL_SLOTS & (SR_CALL_SLOTS - 1)) == 0 && (SR_CALL_STAGES + 1) % SR_CALL_SLOTS == 0,
	       "stage numbers are continuous where call numbers wrap");
static inline uint32_t sr_call_stage_number(unsigned call, int stage)
{
	return call / SR_CALL_SLOTS * (SR_CALL_STAGES + 1) + (uint32_t)stage;
}
static inline bool sr_call_progress_reached(const struct sr_call_progress *counter, uint32_t stage_number)
{
	return (int32_t)(atomic_load_explicit(&counter->stage, memory_order_acquire) - stage_number) >= 0;
}
/* Announce a stage, with release semantics: a member that sees the stage also sees earlier writes. */
void sr_call_progress_publish(const struct sr_shared_segment *segment, struct sr_call_progress *counter, uint32_t stage_number);
/* Sleep until the stage may have been reached, for at most limit_ns (< 1 s) nanoseconds. */
void sr_call_progress_sleep(const struct sr_shared_segment *segment, struct sr_call_progress *counter, uint32_t stage_number,
			    long limit_ns);

#endif
