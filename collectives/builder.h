/* Builder for schedules, used by the algorithms' files: it collects entries, and sr_build_round ends a round (an empty one is
 * dropped). Messages longer than the call's chunk_bytes become several entries in order, equally on both sides, since both know
 * the bytes; messages of 0 bytes are omitted. The offset of a struct sr_area is in bytes; other offsets and counts are in elements.
 *
 *	struct sr_schedule_builder b;
 *	sr_build_begin(&b, call, arena);
 *	sr_build_send(&b, peer, tag, sr_build_in(&b), 0, count);
 *	sr_build_recv(&b, peer, tag, sr_build_out(&b), 0, count);
 *	return sr_build_end(&b, out); */
#ifndef SR_COLLECTIVES_BUILDER_H
#define SR_COLLECTIVES_BUILDER_H

#include "collectives/schedule.h"
#include "support/vec.h"

struct sr_schedule_builder {
	const struct sr_coll_call *call;
	struct sr_arena *arena;
	SR_VEC(struct sr_schedule_entry) entries;
	SR_VEC(int64_t) rounds;
	int64_t scratch_bytes, sent_bytes;
	bool in_segment, shared[SR_MEMBER_BUFFERS];
};

/* A position in one of a member's buffers, where elements of `type` begin. */
struct sr_area {
	uint8_t buffer; /* buffer of a member that contains the area, an enum sr_member_buffer */
	uint8_t type;  /* element type, an enum sr_dtype */
	int64_t offset;
};

void sr_build_begin(struct sr_schedule_builder *b, const struct sr_coll_call *call, struct sr_arena *arena);
/* Finish the last round and store the schedule in *out. */
enum sr_status sr_build_end(struct sr_schedule_builder *b, struct sr_schedule *out);
void sr_build_round(struct sr_schedule_builder *b);
/* A member talks to n - 1 partners at distances 1, 2, ..., but to at most SR_BURST of them in one round. Distances 1, 1 +
 * SR_BURST, ... begin a burst, which ends before sr_burst_end. All members use the same bursts, so no cyclic wait can arise. */
enum { SR_BURST = 32 };
static inline int sr_burst_end(int first, int n)
{
	return n - first <= SR_BURST ? n : first + SR_BURST;
}

/* Append a message of elements [start, start + count) of an area. */
void sr_build_send(struct sr_schedule_builder *b, int peer, int tag, struct sr_area src, int64_t start, int64_t count);
void sr_build_recv(struct sr_schedule_builder *b, int peer, int tag, struct sr_area dst, int64_t start, int64_t count);
void sr_build_copy(struct sr_schedule_builder *b, struct sr_area dst, int64_t dst_start, struct sr_area src, int64_t src_start,
		   int64_t count);
void sr_build_zero(struct sr_schedule_builder *b, struct sr_area dst, int64_t start, int64_t count);
/* Append dst = dst (op) src; if reversed, dst = src (op) dst. (op) is the call's monoid. */
void sr_build_reduce(struct sr_schedule_builder *b, struct sr_area dst, int64_t dst_start, struct sr_area src, int64_t src_start,
		     int64_t count, bool reversed);
/* Append dst = s_0 (op) ... (op) s_{n-1}, evaluated as the tree of SR_ORDER_TREE; s_k starts at element src_start + k * stride of
 * src. */
void sr_build_fold(struct sr_schedule_builder *b, struct sr_area dst, int64_t dst_start, struct sr_area src, int64_t src_start,
		   int64_t stride, int n, int64_t count);
void sr_build_native(struct sr_schedule_builder *b);
/* Rewrite a schedule for a call with strided layouts: messages and native calls, which need contiguous bytes, go through dense
 * copies in scratch. Returns SR_NEXT if other members would read memory that is replaced by a copy. Called by
 * sr_algorithm_build. */
enum sr_status sr_schedule_use_dense_copies(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *s);
/* Execute an entry whose source and destination are contiguous. Called by sr_entry_run. */
void sr_entry_run_dense(const struct sr_schedule_entry *entry, enum sr_monoid monoid, const struct sr_views *views);

/* ---- entries for members that share a node's memory ---- */
/* Return true if all members can read each other's memory; if not, the builder returns SR_NEXT. */
bool sr_build_has_shared_memory(const struct sr_coll_call *call);
void sr_build_signal(struct sr_schedule_builder *b, int stage);
void sr_build_wait(struct sr_schedule_builder *b, int peer, int stage);
/* Append a rendezvous of the members of this node in rounds of its own: writes before it are visible to all of them after it.
 * `stage` increases from one rendezvous to the next. */
void sr_build_rendezvous(struct sr_schedule_builder *b, int stage);
/* Return the area in which other members find this member's input of `count` elements: the slot, to which the input is copied if it
 * fits, else the input itself. Appends a rendezvous with stage 1. */
struct sr_area sr_build_share_input(struct sr_schedule_builder *b, int64_t count);
/* Append the last rendezvous, after which no member reads `shared_input`. Nothing is appended for a slot, which is reserved for the
 * whole call. */
void sr_build_release(struct sr_schedule_builder *b, struct sr_area shared_input, int stage);
/* Append dst = elements of `src` of member `peer`. */
void sr_build_read(struct sr_schedule_builder *b, struct sr_area dst, int64_t dst_start, int peer, struct sr_area src,
		   int64_t src_start, int64_t count);
/* Append the transfer of whole inputs from one member to others: a member that `sends` shares its input of `count` elements; one
 * that `receives` waits for member `from` and reads its input into the output. A sender whose input is read in place waits until
 * member `reader` has read it (SR_ALL_LOCAL_MEMBERS: until all have). Stages 1 and 2. */
void sr_build_read_input(struct sr_schedule_builder *b, bool sends, bool receives, int from, int reader, int64_t count);
/* Append dst = elements [src_start, src_start + count) of `src` of all members, reduced as in sr_build_fold. */
void sr_build_fold_members(struct sr_schedule_builder *b, struct sr_area dst, int64_t dst_start, struct sr_area src,
			   int64_t src_start, int64_t count);
/* Append the reduction of sr_build_fold_members for members first .. first + n - 1 only; dst may have the accumulator's type. */
void sr_build_fold_range(struct sr_schedule_builder *b, struct sr_area dst, int64_t dst_start, struct sr_area src,
			 int64_t src_start, int64_t count, int first, int n);
/* Add `readers` * `count` elements to sent_bytes: what other members read of this member's memory. */
void sr_build_count_read_bytes(struct sr_schedule_builder *b, int readers, int64_t count);

struct sr_area sr_build_in(const struct sr_schedule_builder *b);
struct sr_area sr_build_out(const struct sr_schedule_builder *b);
/* Reserve scratch of the schedule, aligned to 64 bytes. */
struct sr_area sr_build_scratch(struct sr_schedule_builder *b, enum sr_dtype type, int64_t count);
/* Return the area for partial results: the output if the accumulator has the call's type, else scratch of `count` elements. */
struct sr_area sr_build_partials(struct sr_schedule_builder *b, int64_t count);

/* Divide `count` elements into n blocks, of which the first count % n are one element longer. Returns the first element of block
 * k; for k == n it returns `count`. */
static inline int64_t sr_block_start(int64_t count, int n, int k)
{
	int64_t q = count / n, r = count % n;
	return q * k + (k < r ? k : r);
}
static inline int64_t sr_block_size(int64_t count, int n, int k)
{
	return count / n + (k < count % n);
}
/* Return the number of elements of one pipeline segment, given that a member keeps n segments in scratch at once. A segment has
 * at most `max_bytes` bytes and at most 4 MB / n, so that n of them fit in 4 MB, but at least 1 kB. */
static inline int64_t sr_pipeline_segment(int64_t max_bytes, int n, enum sr_dtype type)
{
	enum { MAX_TOTAL_BYTES = 4 << 20, MIN_BYTES = 1 << 10 };
	int64_t member_bytes = MAX_TOTAL_BYTES / n / MIN_BYTES * MIN_BYTES;
	return (member_bytes >= max_bytes ? max_bytes : member_bytes > MIN_BYTES ? member_bytes : MIN_BYTES) / sr_dtype_bytes(type);
}
/* Return k modulo n for k in [-n, 2n). */
static inline int sr_wrap(int k, int n)
{
	return k < 0 ? k + n : k >= n ? k - n : k;
}
/* Return the largest power of two <= n. */
static inline int sr_power_below(int n)
{
	int p = 1;
	while (p <= n / 2)
		p *= 2;
	return p;
}

#endif
