/* Calls and schedules: names, sizes, the checked entrance to every builder, the checker and the printer of schedules. */
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
	bool silent = (call->coll == SR_PERMUTE && (call->to < 0 || call->to == call->me)) ||
		      (call->coll == SR_BROADCAST && call->me != call->from);
	return call->n < 2 || silent ? 0 : sr_cost_wire_bytes(call->coll, sr_coll_out_bytes(call), call->n);
}

/* A reduction is one of the call's type; every size and all scratch that a builder can ask for fits an int64_t. */
static enum sr_status call_check(const struct sr_coll_call *call)
{
	bool reduces = call->coll == SR_ALL_REDUCE || call->coll == SR_REDUCE_SCATTER;
	bool blocks = call->coll == SR_REDUCE_SCATTER || call->coll == SR_ALL_TO_ALL;
	int64_t bytes;
	if (call->coll >= SR_COLL_COUNT || call->n < 1 || call->me < 0 || call->me >= call->n || call->count < 0 ||
	    call->type <= SR_DTYPE_NONE || call->type >= SR_DTYPE_COUNT || (blocks && call->count % call->n))
		return SR_INTERNAL;
	if (call->coll == SR_PERMUTE && (call->from >= call->n || call->to >= call->n || call->from < -1 || call->to < -1 ||
					 (call->from == call->me) != (call->to == call->me)))
		return SR_INTERNAL;
	if (call->coll == SR_BROADCAST && (call->from < 0 || call->from >= call->n))
		return SR_INTERNAL;
	if (reduces && !sr_reduce_supported(call->type, call->monoid))
		return SR_UNSUPPORTED;
	/* 16 bytes hold the widest element and four times a narrow one; twice n blocks is the most that any row keeps */
	if (sr_mul_overflows(call->count, 64, &bytes) || sr_mul_overflows(bytes, (int64_t)call->n, &bytes))
		return SR_NO_MEMORY;
	return sr_coll_layouts_are_valid(call) ? SR_OK : SR_INTERNAL;
}

/* One member alone: a copy, or what nobody sends. */
static enum sr_status build_alone(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
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
	bool lies_elsewhere = call->form[SR_IN].rows || call->form[SR_OUT].rows;
	if (row->coll != call->coll || (call->in_place && (!row->in_place || lies_elsewhere)))
		return SR_NEXT;
	if (call->n == 1 || call->count == 0)
		return build_alone(call, arena, out);
	status = row->build(call, arena, out);
	return status || !lies_elsewhere ? status : sr_schedule_use_dense_copies(call, arena, out);
}

/* ---- checker ---- */

struct span {
	int where;
	int64_t begin, end;
	bool written;
};

/* What an entry is called, and what of the member's own it touches. */
static const struct {
	const char *name;
	bool source, destination;
	bool is_others; /* the source is of other members */
} touches[] = {
	[SR_ENTRY_SEND] = {"send", true, false, false},         [SR_ENTRY_RECV] = {"recv", false, true, false},
	[SR_ENTRY_COPY] = {"copy", true, true, false},          [SR_ENTRY_ZERO] = {"zero", false, true, false},
	[SR_ENTRY_REDUCE] = {"reduce", true, true, false},      [SR_ENTRY_FOLD] = {"fold", true, true, false},
	[SR_ENTRY_NATIVE] = {"native", false, false, false},    [SR_ENTRY_SIGNAL] = {"signal", false, false, false},
	[SR_ENTRY_WAIT] = {"wait", false, false, false},        [SR_ENTRY_READ] = {"read", true, true, true},
	[SR_ENTRY_FOLD_MEMBERS] = {"fold members", true, true, true},
};

/* The memory that an entry touches: at most two spans, of which the source may be other members'. */
static int entry_spans(const struct sr_schedule_entry *e, struct span spans[2])
{
	int n = 0;
	int64_t source = e->bytes / sr_dtype_bytes(e->type) * sr_dtype_bytes(e->src_type);
	if (e->kind == SR_ENTRY_FOLD) /* all members' sources are alike: one stands for all */
		source += (e->n_fold - 1) * e->stride;
	if (touches[e->kind].source)
		spans[n++] = (struct span){e->src, e->src_offset, e->src_offset + source, false};
	if (touches[e->kind].destination)
		spans[n++] = (struct span){e->dst, e->dst_offset, e->dst_offset + e->bytes, true};
	return n;
}

static const char *check_entry(const struct sr_schedule *s, const struct sr_coll_call *call, int64_t i, struct sr_arena *arena)
{
	const int64_t limit[SR_WHERE_COUNT] = {[SR_IN] = sr_coll_in_bytes(call),
					       [SR_OUT] = sr_coll_out_bytes(call),
					       [SR_SCRATCH] = s->scratch_bytes,
					       [SR_SLOT] = SR_SLOT_BYTES};
	const struct sr_schedule_entry *e = &s->entries[i];
	struct span spans[2];
	int n = entry_spans(e, spans);
	for (int k = 0; k < n; k++) {
		if (spans[k].begin < 0 || spans[k].begin > spans[k].end || spans[k].end > limit[spans[k].where])
			return sr_printf(arena, "entry %lld leaves its buffer", (long long)i);
		if (spans[k].written && spans[k].where == SR_IN)
			return sr_printf(arena, "entry %lld writes the input", (long long)i);
	}
	if (touches[e->kind].is_others && e->src != SR_SLOT && !s->shared[e->src])
		return sr_printf(arena, "entry %lld reads what is not shared", (long long)i);
	if ((e->kind == SR_ENTRY_SEND || e->kind == SR_ENTRY_RECV || e->kind == SR_ENTRY_READ) &&
	    (e->peer < 0 || e->peer >= call->n || e->peer == call->me || e->bytes <= 0))
		return sr_printf(arena, "entry %lld has no good peer or no bytes", (long long)i);
	return NULL;
}

/* The memory that an entry touches when its round runs. In place, input and output are one, in which the shorter one begins at my
 * part, and a copy to where it is from does nothing. */
static int spans_of(const struct sr_coll_call *call, const struct sr_schedule_entry *e, struct span spans[2])
{
	int64_t in = sr_coll_in_bytes(call), out = sr_coll_out_bytes(call);
	int n = entry_spans(e, spans);
	if (touches[e->kind].is_others) { /* my memory is written, theirs does not collide with it (the simulator finds what would) */
		spans[0] = spans[n - 1];
		n = 1;
	}
	for (int i = 0; call->in_place && i < n; i++) {
		bool is_input = spans[i].where == SR_IN, shorter = is_input ? in < out : out < in;
		int64_t at = shorter ? call->me * (is_input ? in : out) : 0;
		if (spans[i].where != SR_IN && spans[i].where != SR_OUT)
			continue;
		spans[i].where = SR_OUT;
		spans[i].begin += at;
		spans[i].end += at;
	}
	bool stays = e->kind == SR_ENTRY_COPY && n == 2 && e->type == e->src_type && spans[0].where == spans[1].where && spans[0].begin == spans[1].begin;
	return stays ? 0 : n;
}

static bool entries_collide(const struct sr_coll_call *call, const struct sr_schedule_entry *a, const struct sr_schedule_entry *b)
{
	struct span x[2], y[2];
	int n = spans_of(call, a, x), m = spans_of(call, b, y);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			if ((x[i].written || y[j].written) && x[i].where == y[j].where && x[i].begin < y[j].end &&
			    y[j].begin < x[i].end)
				return true;
	return false;
}

const char *sr_schedule_check(const struct sr_schedule *schedule, const struct sr_coll_call *call, struct sr_arena *arena)
{
	int64_t begin = 0;
	for (int64_t r = 0; r < schedule->n_rounds; r++) {
		for (int64_t i = begin; i < schedule->round_end[r]; i++) {
			const char *wrong = check_entry(schedule, call, i, arena);
			if (wrong)
				return wrong;
			for (int64_t j = begin; j < i; j++)
				if (entries_collide(call, &schedule->entries[i], &schedule->entries[j]))
					return sr_printf(arena, "entries %lld and %lld of round %lld touch the same bytes",
							 (long long)j, (long long)i, (long long)r);
		}
		begin = schedule->round_end[r];
	}
	return begin == schedule->n_entries ? NULL : sr_strdup(arena, "the rounds do not cover the entries");
}

/* ---- printer ---- */

static const char *const where_names[] = {"in", "out", "scratch", "slot"};

static void print_entry(const struct sr_schedule_entry *e, struct sr_buf *out)
{
	struct span spans[2];
	int n = entry_spans(e, spans);
	sr_buf_printf(out, "  %s", touches[e->kind].name);
	for (int k = n - 1; k >= 0; k--)
		sr_buf_printf(out, "%s %s[%lld..%lld]", k == n - 1 ? "" : " <-", where_names[spans[k].where],
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
