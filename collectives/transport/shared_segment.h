/* The node's window: memory that the devices of one node read in each other's place, and the words by which they tell how far
 * they are.
 *
 * Each device has files of memory (memfd: nothing is left behind, whatever end a process takes), which the other processes of its
 * node map; siblings, which are threads of one process, read each other's memory where it is, and where a node is one process there
 * are no files. Region 0 is made with the transports and holds slots and room for staging, further ones are the arenas of programs.
 * A file
 * is a hole until it is touched. A group whose members are all here has SR_CALL_SLOTS slots for each of them, one for each call that
 * may be under way: a cell, and SR_SLOT_BYTES of data. Call number s of a group takes slot s % SR_CALL_SLOTS, whose stage counts up: s
 * / SR_CALL_SLOTS * (SR_CALL_STAGES + 1)
 * + stage; a member begins a call when all have reached SR_CALL_STAGES, the end, of the call that had the slot before. So a slot's data
 * may be read until its reader has ended its own part.
 *
 * Waiting: some looks, then the core is given away some times, then sleep on the cell's stage (a futex), whose owner wakes
 * sleepers. */
#ifndef SR_COLLECTIVES_TRANSPORT_SHARED_SEGMENT_H
#define SR_COLLECTIVES_TRANSPORT_SHARED_SEGMENT_H

#include "collectives/transport/transport_ops.h"

enum { SR_CALL_SLOTS = 4 };

struct sr_call_progress {
	_Alignas(64) _Atomic uint32_t stage;
	_Atomic uint32_t sleepers;
	uint64_t place[SR_WHERE_COUNT]; /* of its input and output in this call, where they are shared: as sr_segment_encode has it */
};

struct sr_call_slot {
	struct sr_call_progress cell;
	_Alignas(64) char data[SR_SLOT_BYTES];
};

struct sr_shared_segment;

/* Collective on the processes of my node, whose devices are t->n_here > 1: region 0, for t and its siblings. NULL where one of them
 * cannot, with the reason here. */
struct sr_shared_segment *sr_segment_open(struct sr_transport *t, char *reason, size_t n);
void sr_segment_close(struct sr_shared_segment *w); /* all regions; NULL is fine */
/* The next SR_CALL_SLOTS slots of mine: their place in region 0; -1: none are left. */
int64_t sr_segment_take_slots(const struct sr_transport *t);
/* Slot `number` of those at `place` of the device that is `here`-th on my node. */
struct sr_call_slot *sr_segment_slot(const struct sr_shared_segment *w, int here, int64_t place, int number);

/* Where bytes of mine lie, for others: region and offset in one number. False: in no region. */
bool sr_segment_encode(const struct sr_transport *t, const void *data, int64_t bytes, uint64_t *place);
/* What the `here`-th device calls `place`. */
void *sr_segment_decode(const struct sr_shared_segment *w, int here, uint64_t place);
/* Room in region 0 until all that is staged has been given back; NULL: there is none. */
void *sr_segment_stage(const struct sr_transport *t, int64_t bytes);
void sr_segment_unstage(const struct sr_transport *t);

static inline uint32_t sr_call_stage_number(unsigned call, int stage)
{
	return call / SR_CALL_SLOTS * (SR_CALL_STAGES + 1) + (uint32_t)stage;
}
static inline bool sr_call_progress_reached(const struct sr_call_progress *cell, uint32_t word)
{
	return (int32_t)(atomic_load_explicit(&cell->stage, memory_order_acquire) - word) >= 0;
}
void sr_call_progress_publish(struct sr_call_progress *cell, uint32_t word); /* what I wrote before is seen by who sees it */
void sr_call_progress_sleep(struct sr_call_progress *cell, uint32_t word, long limit_ns); /* until it may have been reached, or so long; under a second */

#endif
