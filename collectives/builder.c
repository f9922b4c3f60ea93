/* The schedule builder: appends entries, ends rounds, splits messages into chunks, and adds up the bytes sent and the scratch
 * used. */
#include "collectives/builder.h"
#include "support/checked.h"
#include <string.h>

void sr_build_begin(struct sr_schedule_builder *b, const struct sr_coll_call *call, struct sr_arena *arena)
{
	*b = (struct sr_schedule_builder){.call = call, .arena = arena};
}

void sr_build_round(struct sr_schedule_builder *b)
{
	int64_t last_round_end = b->rounds.n ? b->rounds.data[b->rounds.n - 1] : 0;
	if ((int64_t)b->entries.n > last_round_end)
		sr_push(b->arena, &b->rounds, (int64_t)b->entries.n);
}

/* Return the number of rounds after which the result is complete: all rounds, or all but the last one if that has only SIGNAL
 * and WAIT entries. */
static int64_t result_rounds(const struct sr_schedule_builder *b)
{
	int64_t n = (int64_t)b->rounds.n, i = n > 1 ? b->rounds.data[n - 2] : 0;
	if (!n)
		return 0;
	for (; i < b->rounds.data[n - 1]; i++)
		if (b->entries.data[i].kind != SR_ENTRY_SIGNAL && b->entries.data[i].kind != SR_ENTRY_WAIT)
			return n;
	return n - 1;
}

static bool schedule_sends(const struct sr_schedule_builder *b)
{
	for (size_t i = 0; i < b->entries.n; i++)
		if (b->entries.data[i].kind == SR_ENTRY_SEND || b->entries.data[i].kind == SR_ENTRY_RECV)
			return true;
	return false;
}

enum sr_status sr_build_end(struct sr_schedule_builder *b, struct sr_schedule *out)
{
	sr_build_round(b);
	*out = (struct sr_schedule){
		.uses_segment = b->in_segment,
		.sends = schedule_sends(b),
		.node = b->call->node,
		.entries = b->entries.data,
		.n_entries = (int64_t)b->entries.n,
		.round_end = b->rounds.data,
		.n_rounds = (int64_t)b->rounds.n,
		.result_rounds = result_rounds(b),
		.in_bytes = sr_coll_layout_extent(&b->call->form[SR_IN], sr_coll_in_bytes(b->call)),
		.out_bytes = sr_coll_layout_extent(&b->call->form[SR_OUT], sr_coll_out_bytes(b->call)),
		.scratch_bytes = b->scratch_bytes,
		.sent_bytes = b->sent_bytes,
		.monoid = b->call->monoid,
	};
	memcpy(out->is_shared, b->shared, sizeof out->is_shared);
	memcpy(out->form, b->call->form, sizeof out->form);
	return SR_OK;
}

static int64_t chunk_elements(const struct sr_schedule_builder *b, enum sr_dtype type)
{
	int64_t bytes = b->call->chunk_bytes > 0 && b->call->chunk_bytes < INT32_MAX ? b->call->chunk_bytes : INT32_MAX;
	int64_t n = bytes / sr_dtype_bytes(type);
	return n > 0 ? n : 1;
}

/* Append a send or receive of `count` elements, split into chunks. */
static void build_message(struct sr_schedule_builder *b, enum sr_entry_kind kind, int peer, int tag, struct sr_area area,
			  int64_t start, int64_t count)
{
	int64_t size = sr_dtype_bytes(area.type), chunk = chunk_elements(b, area.type);
	for (int64_t offset_in_message = 0; offset_in_message < count; offset_in_message += chunk) {
		int64_t n = count - offset_in_message < chunk ? count - offset_in_message : chunk;
		int64_t offset = area.offset + (start + offset_in_message) * size;
		sr_push(b->arena, &b->entries, (struct sr_schedule_entry){
			.kind = (uint8_t)kind, .src = area.buffer, .dst = area.buffer, .type = area.type, .src_type = area.type,
			.peer = peer, .tag = tag, .src_offset = offset, .dst_offset = offset, .bytes = n * size});
	}
}

void sr_build_send(struct sr_schedule_builder *b, int peer, int tag, struct sr_area src, int64_t start, int64_t count)
{
	build_message(b, SR_ENTRY_SEND, peer, tag, src, start, count);
	b->sent_bytes += count * sr_dtype_bytes(src.type);
}

void sr_build_recv(struct sr_schedule_builder *b, int peer, int tag, struct sr_area dst, int64_t start, int64_t count)
{
	build_message(b, SR_ENTRY_RECV, peer, tag, dst, start, count);
}

/* Append an entry without a message: `count` elements of dst at `dst_start`, computed from src at `src_start`. */
static struct sr_schedule_entry *build_local(struct sr_schedule_builder *b, enum sr_entry_kind kind, struct sr_area dst,
					     int64_t dst_start, struct sr_area src, int64_t src_start, int64_t count)
{
	if (count == 0)
		return NULL;
	sr_push(b->arena, &b->entries, (struct sr_schedule_entry){
		.kind = (uint8_t)kind, .src = src.buffer, .dst = dst.buffer, .type = dst.type, .src_type = src.type,
		.src_offset = src.offset + src_start * sr_dtype_bytes(src.type),
		.dst_offset = dst.offset + dst_start * sr_dtype_bytes(dst.type),
		.bytes = count * sr_dtype_bytes(dst.type)});
	return &b->entries.data[b->entries.n - 1];
}

void sr_build_copy(struct sr_schedule_builder *b, struct sr_area dst, int64_t dst_start, struct sr_area src, int64_t src_start,
		   int64_t count)
{
	build_local(b, SR_ENTRY_COPY, dst, dst_start, src, src_start, count);
}

void sr_build_zero(struct sr_schedule_builder *b, struct sr_area dst, int64_t start, int64_t count)
{
	build_local(b, SR_ENTRY_ZERO, dst, start, dst, start, count);
}

void sr_build_reduce(struct sr_schedule_builder *b, struct sr_area dst, int64_t dst_start, struct sr_area src, int64_t src_start,
		     int64_t count, bool reversed)
{
	struct sr_schedule_entry *e = build_local(b, SR_ENTRY_REDUCE, dst, dst_start, src, src_start, count);
	if (e)
		e->reversed = reversed;
}

void sr_build_fold(struct sr_schedule_builder *b, struct sr_area dst, int64_t dst_start, struct sr_area src, int64_t src_start,
		   int64_t stride, int n, int64_t count)
{
	struct sr_schedule_entry *e = build_local(b, SR_ENTRY_FOLD, dst, dst_start, src, src_start, count);
	if (e) {
		e->n_fold = n;
		e->stride = stride * sr_dtype_bytes(src.type);
	}
}

void sr_build_native(struct sr_schedule_builder *b)
{
	sr_push(b->arena, &b->entries, (struct sr_schedule_entry){
		.kind = SR_ENTRY_NATIVE, .src = SR_IN, .dst = SR_OUT, .type = (uint8_t)b->call->type});
	b->sent_bytes = sr_coll_least_bytes(b->call);
}

/* ---- entries for members that share a node's memory ---- */

bool sr_build_has_shared_memory(const struct sr_coll_call *call)
{
	return call->carrier == SR_CARRIER_SHM;
}

static void build_stage(struct sr_schedule_builder *b, enum sr_entry_kind kind, int peer, int stage)
{
	struct sr_schedule_entry e = {.kind = (uint8_t)kind, .type = SR_I8, .src_type = SR_I8, .peer = peer, .tag = stage};
	b->in_segment = true;
	sr_push(b->arena, &b->entries, e);
}

void sr_build_signal(struct sr_schedule_builder *b, int stage)
{
	build_stage(b, SR_ENTRY_SIGNAL, SR_ALL_LOCAL_MEMBERS, stage);
}

void sr_build_wait(struct sr_schedule_builder *b, int peer, int stage)
{
	build_stage(b, SR_ENTRY_WAIT, peer, stage);
}

void sr_build_rendezvous(struct sr_schedule_builder *b, int stage)
{
	sr_build_round(b);
	sr_build_signal(b, stage);
	sr_build_wait(b, SR_ALL_LOCAL_MEMBERS, stage);
	sr_build_round(b);
}

/* Return the area in which other members find this member's input of `count` elements: the slot if the input fits into it, else
 * the input itself. If `is_sent`, copy the input to the slot. */
static struct sr_area share_input(struct sr_schedule_builder *b, int64_t count, bool is_sent)
{
	struct sr_area in = sr_build_in(b);
	b->shared[SR_IN] = count * sr_dtype_bytes(in.type) > SR_SLOT_BYTES;
	if (b->shared[SR_IN])
		return in;
	struct sr_area slot = {.buffer = SR_SLOT, .type = in.type};
	if (is_sent)
		sr_build_copy(b, slot, 0, in, 0, count);
	return slot;
}

void sr_build_read_input(struct sr_schedule_builder *b, bool sends, bool receives, int from, int reader, int64_t count)
{
	struct sr_area shared_input = share_input(b, count, sends);
	sr_build_round(b);
	sr_build_signal(b, 1);
	if (receives)
		sr_build_wait(b, from, 1);
	sr_build_round(b);
	if (receives)
		sr_build_read(b, sr_build_out(b), 0, from, shared_input, 0, count);
	sr_build_round(b);
	sr_build_signal(b, 2);
	if (sends && shared_input.buffer != SR_SLOT)
		sr_build_wait(b, reader, 2);
}

struct sr_area sr_build_share_input(struct sr_schedule_builder *b, int64_t count)
{
	struct sr_area shared_input = share_input(b, count, true);
	sr_build_rendezvous(b, 1);
	return shared_input;
}

void sr_build_release(struct sr_schedule_builder *b, struct sr_area shared_input, int stage)
{
	if (shared_input.buffer != SR_SLOT)
		sr_build_rendezvous(b, stage);
}

void sr_build_read(struct sr_schedule_builder *b, struct sr_area dst, int64_t dst_start, int peer, struct sr_area src,
		   int64_t src_start, int64_t count)
{
	struct sr_schedule_entry *e = build_local(b, peer == b->call->member ? SR_ENTRY_COPY : SR_ENTRY_READ, dst, dst_start, src,
						  src_start, count);
	if (e)
		e->peer = peer;
}

void sr_build_fold_range(struct sr_schedule_builder *b, struct sr_area dst, int64_t dst_start, struct sr_area src,
			 int64_t src_start, int64_t count, int first, int n)
{
	struct sr_schedule_entry *e = n > 1 ? build_local(b, SR_ENTRY_FOLD_MEMBERS, dst, dst_start, src, src_start, count) : NULL;
	if (n == 1)
		sr_build_read(b, dst, dst_start, first, src, src_start, count);
	if (e) {
		e->peer = first;
		e->n_fold = n;
	}
}

void sr_build_fold_members(struct sr_schedule_builder *b, struct sr_area dst, int64_t dst_start, struct sr_area src,
			   int64_t src_start, int64_t count)
{
	sr_build_fold_range(b, dst, dst_start, src, src_start, count, 0, b->call->n);
}

void sr_build_count_read_bytes(struct sr_schedule_builder *b, int readers, int64_t count)
{
	b->sent_bytes += readers * count * sr_dtype_bytes(b->call->type);
}

struct sr_area sr_build_in(const struct sr_schedule_builder *b)
{
	return (struct sr_area){.buffer = SR_IN, .type = (uint8_t)b->call->type};
}

struct sr_area sr_build_out(const struct sr_schedule_builder *b)
{
	return (struct sr_area){.buffer = SR_OUT, .type = (uint8_t)b->call->type};
}

struct sr_area sr_build_scratch(struct sr_schedule_builder *b, enum sr_dtype type, int64_t count)
{
	struct sr_area area = {.buffer = SR_SCRATCH, .type = (uint8_t)type, .offset = b->scratch_bytes};
	b->scratch_bytes += (count * sr_dtype_bytes(type) + 63) / 64 * 64;
	return area;
}

struct sr_area sr_build_partials(struct sr_schedule_builder *b, int64_t count)
{
	enum sr_dtype type = sr_accumulator(b->call->type, b->call->monoid);
	return type == b->call->type ? sr_build_out(b) : sr_build_scratch(b, type, count);
}
