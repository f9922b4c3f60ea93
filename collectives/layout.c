/* Strided layouts of inputs and outputs. Local entries run row by row; messages and native calls, which need contiguous bytes,
 * go through dense copies in scratch. */
#include "collectives/builder.h"
#include "support/checked.h"
#include "support/integers.h"
#include "support/streaming.h"
#include <string.h>

/* ---- offsets ---- */

static int64_t block_count(const struct sr_coll_call *call, int side)
{
	bool has_blocks = call->coll == SR_ALL_TO_ALL || call->coll == (side == SR_IN ? SR_REDUCE_SCATTER : SR_ALL_GATHER);
	return has_blocks ? call->n : 1;
}

bool sr_coll_layouts_are_valid(const struct sr_coll_call *call)
{
	int64_t bytes[SR_COLL_LAYOUTS] = {sr_coll_in_bytes(call), sr_coll_out_bytes(call)}, size = sr_dtype_bytes(call->type), all, length;
	for (int side = 0; side < SR_COLL_LAYOUTS; side++) {
		const struct sr_coll_layout *f = &call->form[side];
		int64_t blocks = block_count(call, side);
		if (!f->rows && !f->row && !f->stride)
			continue;
		if (call->coll == SR_ALL_REDUCE || call->coll == SR_BROADCAST)
			return false;
		if (f->rows < 1 || f->row < 1 || f->row % size || f->stride % size)
			return false;
		if (sr_mul_overflows(f->rows, f->row, &all) || all != bytes[side] / blocks || f->stride < blocks * f->row ||
		    sr_mul_overflows(f->rows, f->stride, &length))
			return false;
	}
	return true;
}

int64_t sr_coll_layout_extent(const struct sr_coll_layout *f, int64_t bytes)
{
	return f->rows && bytes ? (f->rows - 1) * f->stride + bytes / f->rows : bytes;
}

int64_t sr_coll_layout_offset(const struct sr_coll_layout *f, int64_t at)
{
	if (!f->rows)
		return at;
	int64_t row = at / f->row, block = row / f->rows;
	return block * f->row + row % f->rows * f->stride + at % f->row;
}

/* Iterator over the bytes of a layout, in the order of blocks. */
struct byte_iterator {
	struct sr_coll_layout layout;
	int64_t offset, first;    /* current byte offset; byte offset of the block's first row */
	int64_t row_bytes_left, rows_left; /* bytes left in the current row; rows left in the block after the current row */
};

static struct byte_iterator iterator_at(const struct sr_coll_layout *f, int64_t at)
{
	if (!f || !f->rows)
		return (struct byte_iterator){.offset = at, .row_bytes_left = INT64_MAX};
	int64_t row = at / f->row;
	return (struct byte_iterator){.layout = *f,
			     .offset = sr_coll_layout_offset(f, at),
			     .first = row / f->rows * f->row,
			     .row_bytes_left = f->row - at % f->row,
			     .rows_left = f->rows - 1 - row % f->rows};
}

static void iterator_advance(struct byte_iterator *w, int64_t bytes)
{
	w->offset += bytes;
	w->row_bytes_left -= bytes;
	if (w->row_bytes_left)
		return;
	if (w->rows_left) {
		w->offset += w->layout.stride - w->layout.row;
		w->rows_left--;
	} else {
		w->offset = w->first += w->layout.row;
		w->rows_left = w->layout.rows - 1;
	}
	w->row_bytes_left = w->layout.row;
}

static void copy_bytes(char *dst, struct byte_iterator dst_rows, const char *src, struct byte_iterator src_rows, int64_t bytes,
		       bool streams)
{
	while (bytes > 0) {
		int64_t n = sr_min(bytes, sr_min(dst_rows.row_bytes_left, src_rows.row_bytes_left));
		if (streams)
			sr_copy_streaming(dst + dst_rows.offset, src + src_rows.offset, (size_t)n);
		else
			memcpy(dst + dst_rows.offset, src + src_rows.offset, (size_t)n);
		bytes -= n;
		iterator_advance(&dst_rows, n);
		iterator_advance(&src_rows, n);
	}
}

void sr_coll_layout_copy(void *dst, const struct sr_coll_layout *dst_layout, const void *src,
			 const struct sr_coll_layout *src_layout,
			 int64_t bytes)
{
	copy_bytes(dst, iterator_at(dst_layout, 0), src, iterator_at(src_layout, 0), bytes, false);
}

void sr_coll_layout_evict(const void *data, const struct sr_coll_layout *f, int64_t bytes)
{
	for (int64_t r = 0; r < f->rows; r++)
		sr_evict_lines((const char *)data + r * f->stride, (size_t)(bytes / f->rows));
	if (!f->rows)
		sr_evict_lines(data, (size_t)bytes);
}

/* ---- entries ---- */

static const struct sr_coll_layout *layout_of(const struct sr_views *v, int buffer)
{
	return v->form && buffer < SR_COLL_LAYOUTS && v->form[buffer].rows ? &v->form[buffer] : NULL;
}

static void run_entry(const struct sr_schedule_entry *e, enum sr_monoid monoid, const struct sr_views *v)
{
	bool has_src = e->kind != SR_ENTRY_ZERO;
	const struct sr_coll_layout *dst_layout = layout_of(v, e->dst), *src_layout = has_src ? layout_of(v, e->src) : dst_layout;
	if (!dst_layout && !src_layout) {
		sr_entry_run_dense(e, monoid, v);
		return;
	}
	struct byte_iterator dst = iterator_at(dst_layout, e->dst_offset),
			     src = iterator_at(src_layout, has_src ? e->src_offset : e->dst_offset);
	if ((e->kind == SR_ENTRY_COPY || e->kind == SR_ENTRY_READ) && e->type == e->src_type) {
		const void *data = e->kind == SR_ENTRY_READ ? v->member_buffers[e->src][e->peer] : v->own[e->src];
		copy_bytes(v->own[e->dst], dst, data, src, e->bytes, v->streams && e->dst == SR_OUT);
		return;
	}
	int64_t size = sr_dtype_bytes(e->type), src_size = sr_dtype_bytes(e->src_type), n_remaining = e->bytes / size;
	while (n_remaining > 0) {
		int64_t n = sr_min(n_remaining, sr_min(dst.row_bytes_left / size, src.row_bytes_left / src_size));
		struct sr_schedule_entry segment = *e;
		segment.dst_offset = dst.offset;
		segment.src_offset = src.offset;
		segment.bytes = n * size;
		sr_entry_run_dense(&segment, monoid, v);
		n_remaining -= n;
		iterator_advance(&dst, n * size);
		iterator_advance(&src, n * src_size);
	}
}

void sr_entry_run(const struct sr_schedule_entry *e, enum sr_monoid monoid, const struct sr_views *v)
{
	run_entry(e, monoid, v);
	if (v->streams)
		sr_streaming_fence();
}

/* ---- through scratch ---- */

/* How much of an input or output needs a dense copy in scratch. */
enum dense_copy {
	NO_COPY,
	COPY_RECEIVED, /* received messages are written to the copy, from which a later round copies them to the output */
	COPY_ALL    /* the whole buffer is copied: an input before the first round, an output after the last */
};

struct packing {
	const struct sr_coll_call *call;
	struct sr_schedule_builder b; /* builder of the schedule with dense operands that replaces `old` */
	const struct sr_schedule *old;
	struct sr_area in, out;       /* scratch areas with dense copies of the operand and the result */
	enum dense_copy copy_in, copy_out;
};

/* Return true for entries that need contiguous bytes on both sides. */
static bool needs_contiguous(const struct sr_schedule_entry *e)
{
	return e->kind == SR_ENTRY_SEND || e->kind == SR_ENTRY_RECV || e->kind == SR_ENTRY_NATIVE || e->kind == SR_ENTRY_FOLD;
}

static bool reads_densely(const struct sr_schedule_entry *e, int buffer)
{
	return needs_contiguous(e) && e->kind != SR_ENTRY_RECV && e->src == buffer;
}

static bool writes_densely(const struct sr_schedule_entry *e, int buffer)
{
	return needs_contiguous(e) && e->kind != SR_ENTRY_SEND && e->dst == buffer;
}

static void find_dense_copies(struct packing *p)
{
	const struct sr_coll_layout *form = p->call->form;
	for (int64_t i = 0; i < p->old->n_entries; i++) {
		const struct sr_schedule_entry *e = &p->old->entries[i];
		if (form[SR_IN].rows && reads_densely(e, SR_IN))
			p->copy_in = COPY_ALL;
		if (form[SR_OUT].rows && (reads_densely(e, SR_OUT) || (writes_densely(e, SR_OUT) && e->kind != SR_ENTRY_RECV)))
			p->copy_out = COPY_ALL;
		else if (form[SR_OUT].rows && writes_densely(e, SR_OUT) && p->copy_out == NO_COPY)
			p->copy_out = COPY_RECEIVED;
	}
}

static void redirect_source(struct sr_schedule_entry *e, const struct sr_area *copy)
{
	e->src = copy->buffer;
	e->src_offset += copy->offset;
}

static void redirect_destination(struct sr_schedule_entry *e, const struct sr_area *copy)
{
	e->dst = copy->buffer;
	e->dst_offset += copy->offset;
}

static void add_entry(struct packing *p, struct sr_schedule_entry e)
{
	bool copies_result = p->copy_out == COPY_ALL;
	if (p->copy_in && reads_densely(&e, SR_IN))
		redirect_source(&e, &p->in);
	if (copies_result && e.kind != SR_ENTRY_RECV && e.src == SR_OUT)
		redirect_source(&e, &p->out);
	if (e.kind != SR_ENTRY_SEND && e.dst == SR_OUT && (copies_result || (p->copy_out && writes_densely(&e, SR_OUT))))
		redirect_destination(&e, &p->out);
	sr_push(p->b.arena, &p->b.entries, e);
}

/* Append a round that copies the elements received in round r from the dense copy to the output. */
static void unpack_received(struct packing *p, int64_t r)
{
	int64_t size = sr_dtype_bytes(p->call->type);
	for (int64_t i = r ? p->old->round_end[r - 1] : 0; i < p->old->round_end[r]; i++) {
		const struct sr_schedule_entry *e = &p->old->entries[i];
		int64_t at = e->dst_offset / size;
		if (writes_densely(e, SR_OUT))
			sr_build_copy(&p->b, sr_build_out(&p->b), at, p->out, at, e->bytes / size);
	}
	sr_build_round(&p->b);
}

enum sr_status sr_schedule_use_dense_copies(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *s)
{
	struct sr_schedule old = *s;
	struct packing p = {.call = call, .old = &old};
	int64_t size = sr_dtype_bytes(call->type), in = sr_coll_in_bytes(call) / size, out = sr_coll_out_bytes(call) / size;
	find_dense_copies(&p);
	if (p.copy_out == COPY_ALL && s->is_shared[SR_OUT])
		return SR_NEXT;
	if (!p.copy_in && !p.copy_out)
		return SR_OK;
	sr_build_begin(&p.b, call, arena);
	p.b.scratch_bytes = (s->scratch_bytes + 63) / 64 * 64;
	p.in = p.copy_in ? sr_build_scratch(&p.b, call->type, in) : sr_build_in(&p.b);
	p.out = p.copy_out ? sr_build_scratch(&p.b, call->type, out) : sr_build_out(&p.b);
	if (p.copy_in)
		sr_build_copy(&p.b, p.in, 0, sr_build_in(&p.b), 0, in);
	sr_build_round(&p.b);
	for (int64_t r = 0; r < old.n_rounds; r++) {
		for (int64_t i = r ? old.round_end[r - 1] : 0; i < old.round_end[r]; i++)
			add_entry(&p, old.entries[i]);
		sr_build_round(&p.b);
		if (p.copy_out == COPY_RECEIVED)
			unpack_received(&p, r);
		if (p.copy_out == COPY_ALL && r == old.result_rounds - 1)
			sr_build_copy(&p.b, sr_build_out(&p.b), 0, p.out, 0, out);
		sr_build_round(&p.b);
		if (r == old.result_rounds - 1)
			s->result_rounds = (int64_t)p.b.rounds.n;
	}
	s->entries = p.b.entries.data;
	s->n_entries = (int64_t)p.b.entries.n;
	s->round_end = p.b.rounds.data;
	s->n_rounds = (int64_t)p.b.rounds.n;
	s->scratch_bytes = p.b.scratch_bytes;
	return SR_OK;
}
