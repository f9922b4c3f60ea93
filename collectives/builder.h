/* What algorithm files write schedules with. A builder collects entries; sr_build_round ends a round (an empty one is dropped).
 * Messages longer than the call's chunk_bytes become several entries in order, equally on both sides, since both know the bytes;
 * messages of no bytes are left out. Offsets and lengths are in bytes.
 *
 *	struct sr_schedule_builder b;
 *	sr_build_begin(&b, call, arena);
 *	sr_build_send(&b, peer, step, call->type, SR_IN, 0, bytes);
 *	sr_build_recv(&b, peer, step, call->type, SR_OUT, 0, bytes);
 *	return sr_build_end(&b, out);
 */
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
	bool in_segment, shared[SR_WHERE_COUNT];
};

/* A place in one of the three buffers that holds elements of a type. */
struct sr_area {
	uint8_t where; /* enum sr_where */
	uint8_t type;  /* enum sr_dtype */
	int64_t offset;
};

void sr_build_begin(struct sr_schedule_builder *b, const struct sr_coll_call *call, struct sr_arena *arena);
enum sr_status sr_build_end(struct sr_schedule_builder *b, struct sr_schedule *out); /* ends the last round */
void sr_build_round(struct sr_schedule_builder *b);
/* Of n - 1 partners at distances 1, 2, ... at most SR_BURST are written to and read from at once: 1, 1 + SR_BURST,
 * ... begin a burst, before sr_burst_end; with a round for each, alike on all members, nobody waits in a circle. */
enum { SR_BURST = 32 };
static inline int sr_burst_end(int first, int n)
{
	return n - first <= SR_BURST ? n : first + SR_BURST;
}

/* Elements [from, from + count) of an area. */
void sr_build_send(struct sr_schedule_builder *b, int peer, int tag, struct sr_area src, int64_t from, int64_t count);
void sr_build_recv(struct sr_schedule_builder *b, int peer, int tag, struct sr_area dst, int64_t from, int64_t count);
void sr_build_copy(struct sr_schedule_builder *b, struct sr_area dst, int64_t to, struct sr_area src, int64_t from, int64_t count);
void sr_build_zero(struct sr_schedule_builder *b, struct sr_area dst, int64_t from, int64_t count);
/* dst = dst (monoid) src; reversed: dst = src (monoid) dst. */
void sr_build_reduce(struct sr_schedule_builder *b, struct sr_area dst, int64_t to, struct sr_area src, int64_t from, int64_t count,
		     bool reversed);
/* dst = s_0 (monoid) ... s_{n-1} by the tree of SR_ORDER_TREE; s_k at element from + k * stride of src. */
void sr_build_fold(struct sr_schedule_builder *b, struct sr_area dst, int64_t to, struct sr_area src, int64_t from, int64_t stride,
		   int n, int64_t count);
void sr_build_native(struct sr_schedule_builder *b);
/* What takes bytes one behind the other, messages and the transport's own calls, goes through scratch where the call has forms.
 * SR_NEXT where others read what would be there. For sr_algorithm_build. */
enum sr_status sr_schedule_use_dense_copies(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *s);
/* An entry whose bytes are one behind the other on both sides. For sr_entry_run. */
void sr_entry_run_dense(const struct sr_schedule_entry *entry, enum sr_monoid monoid, const struct sr_views *views);

/* ---- in the node's window ---- */
/* Whether the members can read each other's memory; else the row answers SR_NEXT. */
bool sr_build_has_shared_memory(const struct sr_coll_call *call);
void sr_build_signal(struct sr_schedule_builder *b, int stage);
void sr_build_wait(struct sr_schedule_builder *b, int peer, int stage);
/* A rendezvous, rounds of its own: what everybody did before may be read by everybody after. Stages count up. */
void sr_build_rendezvous(struct sr_schedule_builder *b, int stage);
/* Where members find each other's input of `count` elements: in the slot where that has room, else where it lies. */
struct sr_area sr_build_shared_input(struct sr_schedule_builder *b, int64_t count);
/* The same, put there, and everybody met at stage 1. */
struct sr_area sr_build_share_input(struct sr_schedule_builder *b, int64_t count);
/* The last round: nobody reads my memory any more. Nothing where `offered` is the slot, which is mine for the whole call. */
void sr_build_release(struct sr_schedule_builder *b, struct sr_area offered, int stage);
/* dst = elements of src of member peer. */
void sr_build_read(struct sr_schedule_builder *b, struct sr_area dst, int64_t to, int peer, struct sr_area src, int64_t from,
		   int64_t count);
/* dst = elements [from, from + count) of src of all members, folded. */
void sr_build_fold_members(struct sr_schedule_builder *b, struct sr_area dst, int64_t to, struct sr_area src, int64_t from,
			   int64_t count);
/* The same of members first .. first + n - 1; dst may be of the accumulator's type. */
void sr_build_fold_range(struct sr_schedule_builder *b, struct sr_area dst, int64_t to, struct sr_area src, int64_t from, int64_t count,
			 int first, int n);
/* What others read of mine. */
void sr_build_count_read_bytes(struct sr_schedule_builder *b, int readers, int64_t count);

struct sr_area sr_build_in(const struct sr_schedule_builder *b);
struct sr_area sr_build_out(const struct sr_schedule_builder *b);
struct sr_area sr_build_scratch(struct sr_schedule_builder *b, enum sr_dtype type, int64_t count); /* aligned to 64 */
/* Where partial results live: the output where the accumulator is the call's type, else scratch of `count` elements. */
struct sr_area sr_build_partials(struct sr_schedule_builder *b, int64_t count);

/* `count` elements in n blocks, the first count % n one longer: the first element of block k (k = n: count). */
static inline int64_t sr_block_start(int64_t count, int n, int k)
{
	int64_t q = count / n, r = count % n;
	return q * k + (k < r ? k : r);
}
static inline int64_t sr_block_size(int64_t count, int n, int k)
{
	return count / n + (k < count % n);
}
/* Elements of a segment of which a member has n at once: of `most` bytes, shorter where there are very many, so that they all together
 * stay within 4 MB while a kilobyte each allows it. */
static inline int64_t sr_pipeline_segment(int64_t most, int n, enum sr_dtype type)
{
	enum { TOGETHER = 4 << 20, LEAST = 1 << 10 };
	int64_t share = TOGETHER / n / LEAST * LEAST;
	return (share >= most ? most : share > LEAST ? share : LEAST) / sr_dtype_bytes(type);
}
/* k modulo n for k in -n .. 2n. */
static inline int sr_wrap(int k, int n)
{
	return k < 0 ? k + n : k >= n ? k - n : k;
}
/* The largest power of two that is at most n. */
static inline int sr_power_below(int n)
{
	int p = 1;
	while (p <= n / 2)
		p *= 2;
	return p;
}

#endif
