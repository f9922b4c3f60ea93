/* Collective calls and schedules: names, sizes, validation of calls, the checker and the printer of schedules. */
#include "collectives/schedule.h"
#include "collectives/builder.h"
#include "support/checked.h"
#include <string.h>

static const char *const coll_names[SR_COLL_COUNT] = {
	[SR_ALL_REDUCE] = "all_reduce", [SR_ALL_GATHER] = "all_gather", [SR_REDUCE_SCATTER] = "reduce_scatter",
	[SR_ALL_TO_ALL] = "all_to_all", [SR_PERMUTE] = "permute",       [SR_BROADCAST] = "broadcast",
};

const char *sr_coll_name(enum sr_coll coll)
{
	return coll_names[coll];
}

enum sr_coll sr_coll_find(const char *name, size_t n)
{
	for (int c = 0; c < SR_COLL_COUNT; c++)
		if (strlen(coll_names[c]) == n && !memcmp(coll_names[c], name, n))
			return (enum sr_coll)c;
	return SR_COLL_COUNT;
}

int64_t sr_coll_in_bytes(const struct sr_coll_call *call)
{
	return call->count * sr_dtype_bytes(call->type);
}

int64_t sr_coll_out_bytes(const struct sr_coll_call *call)
{
	int64_t in = sr_coll_in_bytes(call);
	return call->coll == SR_ALL_GATHER ? in * call->n : call->coll == SR_REDUCE_SCATTER ? in / call->n : in;
}

int64_t sr_coll_least_bytes(const struct sr_coll_call *call)
{
	bool sends_nothing = (call->coll == SR_PERMUTE && (call->to < 0 || call->to == call->member)) ||
		      (call->coll == SR_BROADCAST && call->member != call->from);
	return call->n < 2 || sends_nothing ? 0 : sr_cost_wire_bytes(call->coll, sr_coll_out_bytes(call), call->n);
}

/* Validate a call. After success every size, and all scratch that a builder can ask for, fits in int64_t. */
static enum sr_status call_check(const struct sr_coll_call *call)
{
	bool reduces = call->coll == SR_ALL_REDUCE || call->coll == SR_REDUCE_SCATTER;
	bool uses_blocks = call->coll == SR_REDUCE_SCATTER || call->coll == SR_ALL_TO_ALL;
	int64_t bytes;
	if (call->coll >= SR_COLL_COUNT || call->n < 1 || call->member < 0 || call->member >= call->n || call->count < 0 ||
	    call->type <= SR_DTYPE_NONE || call->type >= SR_DTYPE_COUNT || (uses_blocks && call->count % call->n))
		return SR_INTERNAL;
	if (call->coll == SR_PERMUTE && (call->from >= call->n || call->to >= call->n || call->from < -1 || call->to < -1 ||
					 (call->from == call->member) != (call->to == call->member)))
		return SR_INTERNAL;
	if (call->coll == SR_BROADCAST && (call->from < 0 || call->from >= call->n))
		return SR_INTERNAL;
	if (reduces && !sr_reduce_supported(call->type, call->monoid))
		return SR_UNSUPPORTED;
	/* An algorithm keeps at most 2n blocks of scratch, for which 64 bytes per element are enough: an element has at most
	 * 16 bytes, and partial results take at most 4 times the bytes of a narrow element. */
	if (sr_mul_overflows(call->count, 64, &bytes) || sr_mul_overflows(bytes, (int64_t)call->n, &bytes))
		return SR_NO_MEMORY;
	return sr_coll_layouts_are_valid(call) ? SR_OK : SR_INTERNAL;
}

/* Build the schedule for a single member, or for no elements: a copy, or zeros for a permute without a source. */
static enum sr_status build_trivial(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	sr_build_begin(&b, call, arena);
	if (call->coll == SR_PERMUTE && call->from < 0)
		sr_build_zero(&b, sr_build_out(&b), 0, call->count);
	else
		sr_build_copy(&b, sr_build_out(&b), 0, sr_build_in(&b), 0, call->count);
	return sr_build_end(&b, out);
}

enum sr_status sr_algorithm_build(const struct sr_algorithm *row, const struct sr_coll_call *call, struct sr_arena *arena,
				  struct sr_schedule *out)
{
	enum sr_status status = call_check(call);
	if (status != SR_OK)
		return status;
	bool is_strided = call->form[SR_IN].rows || call->form[SR_OUT].rows;
	if (row->coll != call->coll || (call->in_place && (!row->in_place || is_strided)))
		return SR_NEXT;
	if (call->n == 1 || call->count == 0)
		return build_trivial(call, arena, out);
	status = row->build(call, arena, out);
	return status || !is_strided ? status : sr_schedule_use_dense_copies(call, arena, out);
}

/* ---- checker ---- */

struct span {
	int buffer;
	int64_t begin, end;
	bool is_written;
};

/* Name of an entry kind, and which memory it accesses. */
static const struct {
	const char *name;
	bool has_source, has_destination;
	bool reads_peer; /* the source is another member's memory */
} entry_accesses[] = {
	[SR_ENTRY_SEND] = {"send", true, false, false},         [SR_ENTRY_RECV] = {"recv", false, true, false},
	[SR_ENTRY_COPY] = {"copy", true, true, false},          [SR_ENTRY_ZERO] = {"zero", false, true, false},
	[SR_ENTRY_REDUCE] = {"reduce", true, true, false},      [SR_ENTRY_FOLD] = {"fold", true, true, false},
	[SR_ENTRY_NATIVE] = {"native", false, false, false},    [SR_ENTRY_SIGNAL] = {"signal", false, false, false},
	[SR_ENTRY_WAIT] = {"wait", false, false, false},        [SR_ENTRY_READ] = {"read", true, true, true},
	[SR_ENTRY_FOLD_MEMBERS] = {"fold members", true, true, true},
};

/* Return the byte ranges, at most two, that an entry accesses, as offsets in its buffers. */
static int entry_spans(const struct sr_schedule_entry *e, struct span spans[2])
{
	int n = 0;
	int64_t source = e->bytes / sr_dtype_bytes(e->type) * sr_dtype_bytes(e->src_type);
	if (e->kind == SR_ENTRY_FOLD) /* FOLD_MEMBERS: all members' sources have the same range */
		source += (e->n_fold - 1) * e->stride;
	if (entry_accesses[e->kind].has_source)
		spans[n++] = (struct span){e->src, e->src_offset, e->src_offset + source, false};
	if (entry_accesses[e->kind].has_destination)
		spans[n++] = (struct span){e->dst, e->dst_offset, e->dst_offset + e->bytes, true};
	return n;
}

static const char *check_entry(const struct sr_schedule *s, const struct sr_coll_call *call, int64_t i, struct sr_arena *arena)
{
	const int64_t limit[SR_MEMBER_BUFFERS] = {[SR_IN] = sr_coll_in_bytes(call),
					       [SR_OUT] = sr_coll_out_bytes(call),
					       [SR_SCRATCH] = s->scratch_bytes,
					       [SR_SLOT] = SR_SLOT_BYTES};
	const struct sr_schedule_entry *e = &s->entries[i];
	struct span spans[2];
	int n = entry_spans(e, spans);
	for (int k = 0; k < n; k++) {
		if (spans[k].begin < 0 || spans[k].begin > spans[k].end || spans[k].end > limit[spans[k].buffer])
			return sr_printf(arena, "entry %lld exceeds its buffer", (long long)i);
		if (spans[k].is_written && spans[k].buffer == SR_IN)
			return sr_printf(arena, "entry %lld writes the input", (long long)i);
	}
	if (entry_accesses[e->kind].reads_peer && e->src != SR_SLOT && !s->is_shared[e->src])
		return sr_printf(arena, "entry %lld reads a buffer that is not shared", (long long)i);
	if ((e->kind == SR_ENTRY_SEND || e->kind == SR_ENTRY_RECV || e->kind == SR_ENTRY_READ) &&
	    (e->peer < 0 || e->peer >= call->n || e->peer == call->member || e->bytes <= 0))
		return sr_printf(arena, "entry %lld has an invalid peer or no bytes", (long long)i);
	return NULL;
}

/* Return the ranges that can conflict with other entries of the round. If the call is in place, input and output share memory: the
 * shorter one begins at this member's block of the longer one, and a copy onto itself accesses nothing. */
static int conflict_spans(const struct sr_coll_call *call, const struct sr_schedule_entry *e, struct span spans[2])
{
	int64_t in = sr_coll_in_bytes(call), out = sr_coll_out_bytes(call);
	int n = entry_spans(e, spans);
	if (entry_accesses[e->kind].reads_peer) { /* conflicts on other members' memory are found by the simulator */
		spans[0] = spans[n - 1];
		n = 1;
	}
	for (int i = 0; call->in_place && i < n; i++) {
		bool is_input = spans[i].buffer == SR_IN, uses_block = is_input ? in < out : out < in;
		int64_t at = uses_block ? call->member * (is_input ? in : out) : 0;
		if (spans[i].buffer != SR_IN && spans[i].buffer != SR_OUT)
			continue;
		spans[i].buffer = SR_OUT;
		spans[i].begin += at;
		spans[i].end += at;
	}
	bool is_exact_copy = e->kind == SR_ENTRY_COPY && n == 2 && e->type == e->src_type && spans[0].buffer == spans[1].buffer &&
		     spans[0].begin == spans[1].begin;
	return is_exact_copy ? 0 : n;
}

static bool entries_conflict(const struct sr_coll_call *call, const struct sr_schedule_entry *a, const struct sr_schedule_entry *b)
{
	struct span x[2], y[2];
	int n = conflict_spans(call, a, x), m = conflict_spans(call, b, y);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			if ((x[i].is_written || y[j].is_written) && x[i].buffer == y[j].buffer && x[i].begin < y[j].end &&
			    y[j].begin < x[i].end)
				return true;
	return false;
}

const char *sr_schedule_check(const struct sr_schedule *schedule, const struct sr_coll_call *call, struct sr_arena *arena)
{
	int64_t begin = 0;
	for (int64_t r = 0; r < schedule->n_rounds; r++) {
		for (int64_t i = begin; i < schedule->round_end[r]; i++) {
			const char *error = check_entry(schedule, call, i, arena);
			if (error)
				return error;
			for (int64_t j = begin; j < i; j++)
				if (entries_conflict(call, &schedule->entries[i], &schedule->entries[j]))
					return sr_printf(arena, "entries %lld and %lld of round %lld access the same bytes",
							 (long long)j, (long long)i, (long long)r);
		}
		begin = schedule->round_end[r];
	}
	return begin == schedule->n_entries ? NULL : sr_strdup(arena, "the rounds do not cover the entries");
}

/* ---- printer ---- */

static const char *const member_buffer_names[] = {"in", "out", "scratch", "slot"};

static void print_entry(const struct sr_schedule_entry *e, struct sr_buf *out)
{
	struct span spans[2];
	int n = entry_spans(e, spans);
	sr_buf_printf(out, "  %s", entry_accesses[e->kind].name);
	for (int k = n - 1; k >= 0; k--)
		sr_buf_printf(out, "%s %s[%lld..%lld]", k == n - 1 ? "" : " <-", member_buffer_names[spans[k].buffer],
			      (long long)spans[k].begin, (long long)spans[k].end);
	if (e->kind == SR_ENTRY_SEND || e->kind == SR_ENTRY_RECV)
		sr_buf_printf(out, " %s %d tag %d", e->kind == SR_ENTRY_SEND ? "to" : "from", e->peer, e->tag);
	if (e->kind == SR_ENTRY_READ || (e->kind == SR_ENTRY_WAIT && e->peer != SR_ALL_LOCAL_MEMBERS))
		sr_buf_printf(out, " of %d", e->peer);
	if (e->kind == SR_ENTRY_SIGNAL || e->kind == SR_ENTRY_WAIT)
		sr_buf_printf(out, " stage %d", e->tag);
	if (e->kind == SR_ENTRY_FOLD)
		sr_buf_printf(out, " %d at stride %lld", e->n_fold, (long long)e->stride);
	sr_buf_printf(out, " : %s\n", sr_dtypes[e->type].name);
}

void sr_schedule_print(const struct sr_schedule *schedule, struct sr_buf *out)
{
	int64_t i = 0;
	for (int64_t r = 0; r < schedule->n_rounds; r++) {
		sr_buf_printf(out, "round %lld\n", (long long)r);
		for (; i < schedule->round_end[r]; i++)
			print_entry(&schedule->entries[i], out);
	}
	sr_buf_printf(out, "scratch %lld sent %lld\n", (long long)schedule->scratch_bytes, (long long)schedule->sent_bytes);
}
