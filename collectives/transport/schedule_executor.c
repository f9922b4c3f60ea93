/* Schedule executor: runs any schedule over any transport operations.
 *
 * A round posts its receives and sends, executes its local entries while they are in flight, then waits for all of them. Start
 * runs rounds until one has to wait; wait runs the rest until the result is complete; release waits until no member reads this
 * one's memory. Waiting polls with backoff (backoff.h). Scratch comes from blocks that the transport keeps, so that consecutive
 * calls share one. Short calls in the shared segment, whose data are in slots and which are started and waited for at once, run
 * without the state of a call in flight (run_short_call). */
#include "collectives/transport/backoff.h"
#include "collectives/transport/shared_segment.h"
#include "support/checked.h"
#include "support/streaming.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* maximum nanoseconds that a sleep lasts while a device waits for a stage and has no messages to advance */
enum { MAX_STAGE_SLEEP_NS = 4000000 };

struct scratch {
	void *data;
	int64_t bytes;
	bool is_used;
	struct scratch *next;
};

struct sr_prepared_collective {
	struct sr_group *group;
	struct sr_coll_call call;
	struct sr_schedule schedule;
	const struct sr_algorithm *row;
	char *requests;
	/* State while a call is in flight. */
	struct scratch *scratch;
	struct sr_views views;
	int64_t round;
	int n_requests;
	unsigned sequence;
	bool is_in_flight;
	bool is_complete;   /* the result is complete, and sr_collective_wait has not been called */
	bool is_published; /* the result is complete and announced, and resources are not yet returned */
	bool may_be_read;   /* the call has finished, and other members may still read this member's memory */
	struct sr_prepared_collective *next; /* next call in flight, in order of starts */
	/* State of a call in the shared segment. */
	struct sr_call_slot *slot;         /* this member's slot; NULL if no other member is on this node */
	bool evicts_in;                    /* evict the input from the caches once all members have read it (sr_evict_lines) */
	bool is_short;                     /* members only read each other's slots; the call needs no scratch and no messages */
	/* memory to which views.member_buffers points, except for slots; length: group size; NULL: the members do not share memory
	 */
	void **sources[SR_MEMBER_BUFFERS];
	void *result;              /* address to which a staged output is copied; NULL if the output is not staged */
	int n_staged;
	int64_t
	    waiting_position; /* index of the WAIT entry for which the round waits; earlier WAIT entries have been reached */
	int waiting_member; /* member for which that entry waits; members before it have reached the stage */
};

/* Take an unused scratch block of at least `bytes`; grow or allocate one if needed. Returns NULL if memory runs out. */
static struct scratch *scratch_take(struct sr_transport *t, int64_t bytes)
{
	struct scratch *largest = NULL;
	for (struct scratch *s = t->scratch; s; s = s->next)
		if (!s->is_used && (!largest || s->bytes > largest->bytes))
			largest = s;
	if (!largest) {
		/* allocated by calloc, since the arena is shared with the threads of other local devices */
		largest = calloc(1, sizeof *largest);
		if (!largest)
			return NULL;
		largest->next = t->scratch;
		t->scratch = largest;
	}
	if (largest->bytes < bytes) {
		free(largest->data);
		largest->bytes = (bytes + 4095) / 4096 * 4096;
		largest->data = aligned_alloc(64, (size_t)largest->bytes);
		if (!largest->data) {
			largest->bytes = 0;
			return NULL;
		}
	}
	largest->is_used = true;
	return largest;
}

static bool is_message(const struct sr_schedule_entry *e)
{
	return e->kind == SR_ENTRY_SEND || e->kind == SR_ENTRY_RECV;
}

static int max_messages(const struct sr_schedule *s)
{
	int64_t limit = 0, begin_call = 0;
	for (int64_t r = 0; r < s->n_rounds; r++) {
		int64_t n = 0;
		for (int64_t i = begin_call; i < s->round_end[r]; i++)
			n += is_message(&s->entries[i]);
		limit = n > limit ? n : limit;
		begin_call = s->round_end[r];
	}
	return (int)limit;
}

/* Return true if the call's buffers fit in the staging space, equally on all members. */
static bool fits_staging(const struct sr_group *g, const struct sr_coll_call *call)
{
	int64_t in = sr_coll_layout_extent(&call->form[SR_IN], sr_coll_in_bytes(call));
	int64_t out = sr_coll_layout_extent(&call->form[SR_OUT], sr_coll_out_bytes(call)), limit;
	return g->slot_calls && !sr_add_overflows(in, out, &limit) && limit <= g->staging - 2 * 4096;
}

/* Return true if the results of this collective on all devices of the node, or the buffers of which they are slices, do not fit the
 * node's caches together: a loop that fills a large buffer slice by slice evicts a slice from the caches before another loop reads
 * it. */
static bool exceeds_caches(const struct sr_transport *t, const struct sr_coll_call *call)
{
	int64_t out_bytes = sr_coll_out_bytes(call), bytes = call->out_extent > out_bytes ? call->out_extent : out_bytes;
	return t->cache_bytes && bytes > t->cache_bytes / t->n_node_devices;
}

/* Return true if later writes to the input take less time once it is evicted from the caches of the members that have read it.
 * Inputs that exceed the caches leave them without help. */
static bool evicts_input(const struct sr_transport *t, const struct sr_prepared_collective *p)
{
	bool fits_caches = t->cache_bytes && p->schedule.in_bytes <= t->cache_bytes / t->n_node_devices;
	return p->schedule.is_shared[SR_IN] && fits_caches && !p->call.keeps_in && sr_eviction_pays();
}

enum sr_status sr_collective_prepare(struct sr_transport *t, struct sr_group *g, struct sr_coll_call *call, struct sr_arena *arena,
				     struct sr_prepared_collective **out)
{
	struct sr_prepared_collective *p = SR_NEW(arena, struct sr_prepared_collective);
	call->n = g->size;
	call->member = g->index;
	call->carrier = (uint8_t)(fits_staging(g, call) ? g->carrier : t->ops->carrier);
	call->node = g->node;
	call->native = t->ops->has_native(call);
	enum sr_status status = sr_select(t->selection, call, arena, &p->schedule, &p->row);
	if (status != SR_OK)
		return status;
	p->group = g;
	p->call = *call;
	p->requests = sr_alloc(arena, (size_t)max_messages(&p->schedule), t->ops->request_bytes);
	p->views = (struct sr_views){.n = g->size, .form = p->schedule.form, .streams = exceeds_caches(t, call)};
	for (int buffer = 0; buffer < SR_MEMBER_BUFFERS; buffer++)
		if (p->schedule.is_shared[buffer])
			p->views.member_buffers[buffer] = p->sources[buffer] = SR_NEW_ARRAY(arena, void *, g->size);
	const struct sr_schedule *s = &p->schedule;
	p->evicts_in = evicts_input(t, p);
	p->is_short = g->carrier == SR_CARRIER_SHM && g->slot_calls && s->uses_segment && !s->sends && !s->scratch_bytes &&
		      !s->is_shared[SR_IN] && !s->is_shared[SR_OUT];
	/* Allocate scratch now, so that the first call does not have to. */
	struct scratch *scratch = scratch_take(t, p->schedule.scratch_bytes);
	if (!scratch)
		return SR_NO_MEMORY;
	scratch->is_used = false;
	*out = p;
	return SR_OK;
}

const char *sr_collective_algorithm(const struct sr_prepared_collective *p)
{
	return p->row->name;
}

const struct sr_coll_call *sr_collective_call(const struct sr_prepared_collective *p)
{
	return &p->call;
}

int64_t sr_collective_scratch_bytes(const struct sr_prepared_collective *p)
{
	return p->schedule.scratch_bytes;
}

static void append_text(struct sr_transport *t, const char *text)
{
	size_t n = strlen(t->failure);
	snprintf(t->failure + n, sizeof t->failure - n, "%s", text);
}

/* Store a description of a failure: the transport's error, the call, its members, and the failed message (NULL: unknown or
 * none). */
static void describe_failure(struct sr_prepared_collective *p, const struct sr_schedule_entry *e)
{
	enum { MAX_SHOWN_MEMBERS = 16 };
	struct sr_group *g = p->group;
	struct sr_transport *t = g->transport;
	char text[128];
	snprintf(t->failure, sizeof t->failure, "%s in %s (%s) of devices ", *t->error ? t->error : "the transport failed",
		 sr_coll_name(p->call.coll), p->row->name);
	for (int i = 0; i < g->size && i < MAX_SHOWN_MEMBERS; i++) {
		snprintf(text, sizeof text, "%s%d", i ? ", " : "", t->ops->device(g, i));
		append_text(t, text);
	}
	if (g->size > MAX_SHOWN_MEMBERS) {
		snprintf(text, sizeof text, " and %d more", g->size - MAX_SHOWN_MEMBERS);
		append_text(t, text);
	}
	if (e) {
		snprintf(text, sizeof text, ": %lld bytes %s device %d", (long long)e->bytes,
			 e->kind == SR_ENTRY_SEND ? "to" : "from",
			 t->ops->device(g, e->peer));
		append_text(t, text);
	}
}

static int64_t round_begin(const struct sr_prepared_collective *p)
{
	return p->round ? p->schedule.round_end[p->round - 1] : 0;
}

/* Return the entry of the round's request `number`, or NULL. */
static const struct sr_schedule_entry *entry_of(const struct sr_prepared_collective *p, int number)
{
	const struct sr_schedule *s = &p->schedule;
	for (int64_t i = round_begin(p); number >= 0 && i < s->round_end[p->round]; i++)
		if (is_message(&s->entries[i]) && number-- == 0)
			return &s->entries[i];
	return NULL;
}

static enum sr_status post_message(struct sr_prepared_collective *p, const struct sr_schedule_entry *e)
{
	const struct sr_transport_ops *ops = p->group->transport->ops;
	bool send = e->kind == SR_ENTRY_SEND;
	char *data = (char *)p->views.own[send ? e->src : e->dst] + (send ? e->src_offset : e->dst_offset);
	enum sr_status status = ops->post(p->group, send, e->peer, p->sequence, data, e->bytes,
					  p->requests + (size_t)p->n_requests++ * ops->request_bytes);
	if (status)
		describe_failure(p, e);
	return status;
}

/* Look up the addresses of the members' buffers that entry e reads. The members have started the call, since this member has
 * waited for them. */
static void find_sources(struct sr_prepared_collective *p, const struct sr_schedule_entry *e)
{
	const struct sr_group *g = p->group;
	struct sr_call_slot **slots = g->slots + (ptrdiff_t)(p->sequence % SR_CALL_SLOTS) * g->size;
	int end = e->peer + (e->kind == SR_ENTRY_READ ? 1 : e->n_fold);
	for (int k = e->peer; k < end && e->src != SR_SLOT; k++)
		p->sources[e->src][k] = k == g->index ? p->views.own[e->src]
						      : sr_segment_decode(g->transport->segment, g->node_index[k],
									  slots[k]->location[e->src]);
}

static void publish_stage(struct sr_prepared_collective *p, int stage)
{
	if (p->slot)
		sr_call_progress_publish(p->group->transport->segment, &p->slot->counter, sr_call_stage_number(p->sequence, stage));
}

/* Execute an entry of any kind except messages. */
static enum sr_status run_entry(struct sr_prepared_collective *p, const struct sr_schedule_entry *e)
{
	enum sr_status status = SR_OK;
	switch (e->kind) {
	case SR_ENTRY_NATIVE:
		sr_wait_begin(p->group->transport);
		status = p->group->transport->ops->native(p->group, &p->call, (const char *)p->views.own[e->src] + e->src_offset,
							  (char *)p->views.own[e->dst] + e->dst_offset);
		sr_wait_end(p->group->transport);
		if (status)
			describe_failure(p, NULL);
		return status;
	case SR_ENTRY_SIGNAL:
		publish_stage(p, e->tag);
		return SR_OK;
	case SR_ENTRY_WAIT:
		return SR_OK;
	case SR_ENTRY_READ:
	case SR_ENTRY_FOLD_MEMBERS:
		find_sources(p, e);
		if (p->evicts_in && p->call.in_place && e->kind == SR_ENTRY_READ) /* a member has read this part of the input */
			sr_evict_lines((char *)p->views.own[SR_OUT] + e->dst_offset, (size_t)e->bytes);
		sr_entry_run(e, p->schedule.monoid, &p->views);
		return SR_OK;
	default:
		sr_entry_run(e, p->schedule.monoid, &p->views);
		return SR_OK;
	}
}

/* Post the round's messages, then execute its local entries. */
static enum sr_status begin_round(struct sr_prepared_collective *p)
{
	const struct sr_schedule *s = &p->schedule;
	int64_t begin_call = round_begin(p), end = s->round_end[p->round];
	enum sr_status status = SR_OK;
	p->n_requests = 0;
	p->waiting_position = begin_call;
	p->waiting_member = 0;
	for (int64_t i = begin_call; i < end && status == SR_OK; i++)
		if (is_message(&s->entries[i]))
			status = post_message(p, &s->entries[i]);
	for (int64_t i = begin_call; i < end && status == SR_OK; i++)
		if (!is_message(&s->entries[i]))
			status = run_entry(p, &s->entries[i]);
	return status;
}

/* Return the first progress counter, from member *member on, that has not reached the stage; NULL if all have. `peer` selects
 * one member, or all members of this node if it is SR_ALL_LOCAL_MEMBERS. */
static struct sr_call_progress *find_unreached(const struct sr_prepared_collective *p, int peer, uint32_t stage, int *member)
{
	struct sr_call_slot **slots = p->group->slots + (ptrdiff_t)(p->sequence % SR_CALL_SLOTS) * p->group->size;
	if (peer != SR_ALL_LOCAL_MEMBERS)
		return sr_call_progress_reached(&slots[peer]->counter, stage) ? NULL : &slots[peer]->counter;
	for (; *member < p->group->size; ++*member)
		if (slots[*member] && !sr_call_progress_reached(&slots[*member]->counter, stage))
			return &slots[*member]->counter;
	return NULL;
}

/* Return the progress counter, and its stage, for which the round waits; NULL if none is left. */
static struct sr_call_progress *awaited_stage(struct sr_prepared_collective *p, uint32_t *stage)
{
	const struct sr_schedule *s = &p->schedule;
	for (; p->waiting_position < s->round_end[p->round]; p->waiting_position++, p->waiting_member = 0) {
		const struct sr_schedule_entry *e = &s->entries[p->waiting_position];
		struct sr_call_progress *counter = NULL;
		*stage = sr_call_stage_number(p->sequence, e->tag);
		if (e->kind == SR_ENTRY_WAIT)
			counter = find_unreached(p, e->peer, *stage, &p->waiting_member);
		if (counter)
			return counter;
	}
	return NULL;
}

/* Back off after `polls` unsuccessful polls. `counter` is the awaited progress counter; NULL while messages are pending.
 * Messages that this member has sent to other nodes only advance when MPI is called, and the awaited member may in turn wait
 * for them. */
static void back_off(struct sr_transport *t, int polls, struct sr_call_progress *counter, uint32_t stage)
{
	if (counter && t->spans_nodes)
		t->ops->progress(t);
	if (counter && sr_backoff_after(polls, t->oversubscribed).kind == SR_BACKOFF_SLEEP)
		sr_call_progress_sleep(t->segment, counter, stage, t->spans_nodes ? SR_MAX_SLEEP_NS : MAX_STAGE_SLEEP_NS);
	else
		sr_backoff_wait(polls, t->oversubscribed);
}

static enum sr_status wait_round(struct sr_prepared_collective *p)
{
	struct sr_transport *t = p->group->transport;
	enum sr_status status = SR_OK;
	bool is_done = p->n_requests == 0;
	int culprit = -1;
	uint32_t stage = 0;
	struct sr_call_progress *counter = awaited_stage(p, &stage);
	sr_wait_begin(t);
	for (int polls = 1; (!is_done || counter) && status == SR_OK; polls++) {
		back_off(t, polls, is_done ? counter : NULL, stage);
		if (sr_wait_has_failed(t, polls))
			status = sr_broken_status(t);
		if (!is_done && status == SR_OK)
			status = t->ops->test(p->group, p->requests, p->n_requests, &is_done, &culprit);
		if (counter)
			counter = awaited_stage(p, &stage);
	}
	sr_wait_end(t);
	if (status)
		describe_failure(p, entry_of(p, culprit));
	if (status && !is_done) {
		t->ops->abandon(p->group, p->requests, p->n_requests);
		p->n_requests = 0;
	}
	return status;
}

/* ---- calls in the shared segment ---- */

static enum sr_status run_to_result(struct sr_prepared_collective *p);

/* Make a buffer of this member readable by others. A buffer outside of all regions is staged. */
static enum sr_status share_buffer(struct sr_prepared_collective *p, int buffer, int64_t bytes)
{
	const struct sr_transport *t = p->group->transport;
	void *own_buffer = p->views.own[buffer];
	if (!p->schedule.is_shared[buffer] || sr_segment_encode(t, own_buffer, bytes, &p->slot->location[buffer]))
		return SR_OK;
	void *staging = sr_segment_stage(t, bytes);
	while (!staging && t->in_flight) { /* earlier calls release their staging space */
		enum sr_status status = run_to_result(t->in_flight);
		if (status)
			return status;
		staging = sr_segment_stage(t, bytes);
	}
	if (!staging || !sr_segment_encode(t, staging, bytes, &p->slot->location[buffer]))
		return SR_NO_MEMORY;
	p->n_staged++;
	p->views.own[buffer] = staging;
	if (buffer == SR_OUT)
		p->result = own_buffer;
	else /* the staged copy of a buffer has the buffer's layout */
		sr_coll_layout_copy(staging, &p->schedule.form[buffer], own_buffer, &p->schedule.form[buffer],
				    sr_coll_in_bytes(&p->call));
	return SR_OK;
}

/* Return the number of calls that must have ended on all members before call `sequence` may use its slot. */
static uint32_t required_ended_calls(unsigned sequence)
{
	return sequence - (SR_CALL_SLOTS - 1);
}

/* Return the first count of ended calls, from member *member on, that has not reached `n_ended`; NULL if all have. */
static struct sr_call_progress *find_unfinished_member(const struct sr_group *g, uint32_t n_ended, int *member)
{
	for (; *member < g->size; ++*member) {
		struct sr_call_progress *counter = g->ended_counts[*member];
		if (!counter || (int32_t)(g->known_ended_counts[*member] - n_ended) >= 0)
			continue;
		if (!sr_call_progress_reached(counter, n_ended))
			return counter;
		g->known_ended_counts[*member] = n_ended;
	}
	return NULL;
}

/* Wait until a progress counter has reached a stage. */
static enum sr_status wait_for_counter(struct sr_prepared_collective *p, struct sr_call_progress *counter, uint32_t stage)
{
	struct sr_transport *t = p->group->transport;
	bool has_failed = false;
	sr_wait_begin(t);
	for (int polls = 1; !has_failed && !sr_call_progress_reached(counter, stage); polls++) {
		back_off(t, polls, counter, stage);
		has_failed = sr_wait_has_failed(t, polls);
	}
	sr_wait_end(t);
	if (!has_failed)
		return SR_OK;
	describe_failure(p, NULL);
	return sr_broken_status(t);
}

/* Acquire this member's slot, once all members have ended the call that used it before. */
static enum sr_status acquire_slot(struct sr_prepared_collective *p)
{
	struct sr_group *g = p->group;
	int number = (int)(p->sequence % SR_CALL_SLOTS), member = 0;
	uint32_t n_ended = required_ended_calls(p->sequence);
	for (struct sr_call_progress *counter; (counter = find_unfinished_member(g, n_ended, &member));) {
		enum sr_status status = wait_for_counter(p, counter, n_ended);
		if (status)
			return status;
	}
	struct sr_call_slot *slot = p->slot = g->slots[number * g->size + g->index];
	p->views.member_buffers[SR_SLOT] = g->data + (ptrdiff_t)number * g->size;
	p->views.own[SR_SLOT] = g->data[number * g->size + g->index];
	p->result = NULL;
	p->n_staged = 0;
	if (!slot) /* no other member is on this node */
		return SR_OK;
	slot->ended = g->known_ended_counts[g->index];
	enum sr_status status = share_buffer(p, SR_IN, p->schedule.in_bytes);
	return status ? status : share_buffer(p, SR_OUT, p->schedule.out_bytes);
}

/* Announce the last stage: the result is complete, and this member reads no memory of other members. Later SIGNAL entries of
 * the schedule are not needed then. */
static void announce_end(struct sr_prepared_collective *p)
{
	if (p->result)
		sr_coll_layout_copy(p->result, &p->schedule.form[SR_OUT], p->views.own[SR_OUT], &p->schedule.form[SR_OUT],
				    sr_coll_out_bytes(&p->call));
	publish_stage(p, SR_CALL_STAGES);
}

/* Count the calls of the group that have ended on this member, up to the first one that has not, and announce the number to the
 * other members. */
static void announce_ended_calls(struct sr_group *g)
{
	uint32_t n_ended = g->sequence;
	for (int s = 0; s < SR_CALL_SLOTS; s++)
		if (g->slot_calls[s] && (int32_t)(g->slot_calls[s]->sequence - n_ended) < 0)
			n_ended = g->slot_calls[s]->sequence;
	g->known_ended_counts[g->index] = n_ended;
	if (g->ended_counts[g->index])
		sr_call_progress_publish(g->transport->segment, g->ended_counts[g->index], n_ended);
}

static struct sr_prepared_collective **user_of_slot(const struct sr_prepared_collective *p)
{
	return &p->group->slot_calls[p->sequence % SR_CALL_SLOTS];
}

/* ---- calls ---- */

/* Run rounds until one has to wait, or until the result is complete. */
static enum sr_status run_until_wait(struct sr_prepared_collective *p)
{
	enum sr_status status = SR_OK;
	uint32_t stage;
	for (; status == SR_OK && p->round < p->schedule.result_rounds; p->round++) {
		status = begin_round(p);
		if (status != SR_OK || p->n_requests || awaited_stage(p, &stage))
			return status;
	}
	return status;
}

/* Run rounds until one has to wait for another member. */
static enum sr_status begin_call(struct sr_prepared_collective *p)
{
	enum sr_status status = SR_OK;
	p->round = 0;
	p->is_published = false;
	if (p->group->slot_calls) {
		*user_of_slot(p) = p;
		status = acquire_slot(p);
	}
	return status ? status : run_until_wait(p);
}

static void link_call(struct sr_prepared_collective *p)
{
	struct sr_prepared_collective **end = &p->group->transport->in_flight;
	while (*end)
		end = &(*end)->next;
	p->next = NULL;
	*end = p;
}

static void unlink_call(struct sr_prepared_collective *p)
{
	struct sr_prepared_collective **call_link = &p->group->transport->in_flight;
	while (*call_link != p)
		call_link = &(*call_link)->next;
	*call_link = p->next;
}

enum sr_status sr_collective_start(struct sr_prepared_collective *p, const void *in, void *out)
{
	enum sr_status status = p->is_in_flight ? SR_INTERNAL : sr_collective_release(p);
	if (status)
		return status;
	p->scratch = scratch_take(p->group->transport, p->schedule.scratch_bytes);
	if (!p->scratch)
		return SR_NO_MEMORY;
	p->views.own[SR_IN] = (void *)in;
	p->views.own[SR_OUT] = out;
	p->views.own[SR_SCRATCH] = p->scratch->data;
	p->sequence = p->group->sequence;
	p->is_in_flight = true;
	p->n_requests = 0;
	/* SR_CALL_SLOTS calls are in flight: run the call that uses the slot until all members have ended it */
	if (p->group->slot_calls && *user_of_slot(p))
		status = run_to_result(*user_of_slot(p));
	p->group->sequence++; /* mark the call as started, so that announce_ended_calls considers it */
	if (!status)
		status = begin_call(p);
	link_call(p);
	return status;
}

/* Tell the other members that the result is complete; they may still read this member's memory. */
static void publish_result(struct sr_prepared_collective *p)
{
	if (p->is_published)
		return;
	if (p->group->slot_calls)
		announce_end(p);
	p->is_published = true;
	p->may_be_read = p->round < p->schedule.n_rounds;
	p->waiting_position = round_begin(p);
	p->waiting_member = 0;
}

/* Return the resources of a call whose result is complete, except memory that other members still read. */
static enum sr_status complete_call(struct sr_prepared_collective *p)
{
	publish_result(p);
	if (p->group->slot_calls) {
		*user_of_slot(p) = NULL;
		announce_ended_calls(p->group);
	}
	unlink_call(p);
	p->scratch->is_used = false;
	p->is_complete = true;
	sr_relaxed_increment(p->group->transport->calls);
	/* free the staging space for the next call if all members have read it */
	return p->n_staged ? sr_collective_release(p) : SR_OK;
}

/* Run the call until the result is complete. */
static enum sr_status run_to_result(struct sr_prepared_collective *p)
{
	enum sr_status status = SR_OK;
	while (p->round < p->schedule.result_rounds && status == SR_OK) {
		status = wait_round(p);
		p->round++;
		if (status == SR_OK)
			status = run_until_wait(p);
	}
	return status ? status : complete_call(p);
}

enum sr_status sr_collective_wait(struct sr_prepared_collective *p)
{
	enum sr_status status = p->is_in_flight ? SR_OK : SR_INTERNAL;
	if (p->is_in_flight && !p->is_complete)
		status = run_to_result(p);
	p->is_in_flight = p->is_complete = false;
	return status;
}

enum sr_status sr_collective_release(struct sr_prepared_collective *p)
{
	enum sr_status status = SR_OK;
	if (p->may_be_read) {
		p->n_requests = 0;
		status = wait_round(p);
		if (p->evicts_in && !p->call.in_place)
			sr_coll_layout_evict(p->views.own[SR_IN], &p->schedule.form[SR_IN], sr_coll_in_bytes(&p->call));
	}
	p->may_be_read = false;
	for (; p->n_staged; p->n_staged--)
		sr_segment_unstage(p->group->transport);
	return status;
}

/* Wait until the members that entry e names have announced its stage, and note how many calls each has ended. */
static enum sr_status wait_for_members(struct sr_prepared_collective *p, const struct sr_schedule_entry *e)
{
	struct sr_group *g = p->group;
	struct sr_call_slot **slots = g->slots + (ptrdiff_t)(p->sequence % SR_CALL_SLOTS) * g->size;
	uint32_t stage = sr_call_stage_number(p->sequence, e->tag);
	int first = e->peer == SR_ALL_LOCAL_MEMBERS ? 0 : e->peer, end = e->peer == SR_ALL_LOCAL_MEMBERS ? g->size : e->peer + 1;
	enum sr_status status = SR_OK;
	for (int k = first; k < end && !status; k++) {
		if (k == g->index)
			continue;
		if (!sr_call_progress_reached(&slots[k]->counter, stage))
			status = wait_for_counter(p, &slots[k]->counter, stage);
		g->known_ended_counts[k] = slots[k]->ended;
	}
	return status;
}

/* Run a short call from start to end. No member waits for the stages after the first. */
static enum sr_status run_short_call(struct sr_prepared_collective *p, const void *in, void *out)
{
	struct sr_group *g = p->group;
	p->views.own[SR_IN] = (void *)in;
	p->views.own[SR_OUT] = out;
	p->sequence = g->sequence++;
	enum sr_status status = acquire_slot(p);
	for (int64_t i = 0; i < p->schedule.n_entries && !status; i++) {
		const struct sr_schedule_entry *e = &p->schedule.entries[i];
		if (e->kind == SR_ENTRY_WAIT)
			status = wait_for_members(p, e);
		else if (e->kind != SR_ENTRY_SIGNAL)
			sr_entry_run(e, p->schedule.monoid, &p->views);
		else if (e->tag == 1)
			publish_stage(p, 1);
	}
	if (status)
		return status;
	announce_ended_calls(g);
	sr_relaxed_increment(g->transport->calls);
	return SR_OK;
}

enum sr_status sr_collective_run(struct sr_prepared_collective *p, const void *in, void *out)
{
	if (p->is_short && !p->is_in_flight && !p->may_be_read && !p->group->slot_calls[p->group->sequence % SR_CALL_SLOTS])
		return run_short_call(p, in, out);
	enum sr_status status = sr_collective_start(p, in, out);
	if (!status)
		status = sr_collective_wait(p);
	return status ? status : sr_collective_release(p);
}

bool sr_collective_can_release(struct sr_prepared_collective *p)
{
	uint32_t stage;
	return !p->may_be_read || !awaited_stage(p, &stage);
}

/* Run the call as far as possible without waiting. */
static enum sr_status advance_call(struct sr_prepared_collective *p)
{
	struct sr_transport *t = p->group->transport;
	enum sr_status status = SR_OK;
	while (status == SR_OK && p->round < p->schedule.result_rounds) {
		bool is_done = p->n_requests == 0;
		int culprit = -1;
		uint32_t stage;
		if (!is_done)
			status = t->ops->test(p->group, p->requests, p->n_requests, &is_done, &culprit);
		if (status)
			describe_failure(p, entry_of(p, culprit));
		if (status || !is_done || awaited_stage(p, &stage))
			return status;
		p->round++;
		status = run_until_wait(p);
	}
	if (status)
		return status;
	publish_result(p);
	/* a staged copy is kept until all members that read it are done */
	return p->n_staged && !sr_collective_can_release(p) ? SR_OK : complete_call(p);
}

enum sr_status sr_collective_test(struct sr_prepared_collective *p, bool *is_complete)
{
	enum sr_status status = p->is_complete ? SR_OK : advance_call(p);
	*is_complete = status == SR_OK && p->is_complete;
	return status;
}

/* Advance the calls in flight whose operands are staged. Return true if their staging space is free. */
static bool staging_is_free(struct sr_transport *t)
{
	bool is_free = true;
	for (struct sr_prepared_collective *p = t->in_flight, *next; p && is_free; p = next) {
		next = p->next;
		is_free = !p->n_staged || (!advance_call(p) && p->is_complete);
	}
	return is_free;
}

bool sr_collective_can_start(struct sr_prepared_collective *p)
{
	struct sr_group *g = p->group;
	int member = 0;
	if (p->is_in_flight) /* starting a call twice is an error, which sr_collective_start reports */
		return true;
	if (!sr_collective_can_release(p) || !staging_is_free(g->transport))
		return false;
	(void)sr_collective_release(p); /* does not wait, since sr_collective_can_release returned true */
	if (!g->slot_calls)
		return true;
	unsigned number = g->sequence % SR_CALL_SLOTS;
	if (g->slot_calls[number] && (advance_call(g->slot_calls[number]) || g->slot_calls[number]))
		return false;
	return !find_unfinished_member(g, required_ended_calls(g->sequence), &member);
}

enum sr_status sr_transport_progress(struct sr_transport *t)
{
	enum sr_status status = SR_OK;
	for (struct sr_prepared_collective *p = t->in_flight, *next; p && status == SR_OK; p = next) {
		next = p->next;
		if (p->schedule.sends)
			status = advance_call(p);
	}
	return status;
}

bool sr_transport_has_messages(const struct sr_transport *t)
{
	for (const struct sr_prepared_collective *p = t->in_flight; p; p = p->next)
		if (p->n_requests)
			return true;
	return false;
}

enum sr_status sr_transport_broken_status(struct sr_transport *t)
{
	return sr_transport_is_broken(t) ? sr_broken_status(t) : SR_OK;
}

bool sr_transport_wait_for_others(struct sr_transport *first, int n, int polls)
{
	for (int k = 0; polls == 1 && k < n; k++)
		sr_wait_begin(first->local_devices[first->local_index + k]);
	if (n < first->n_devices) /* polling n devices takes n times as long as polling one */
		sr_backoff_wait(polls < INT_MAX / n ? polls * n : INT_MAX, false);
	return sr_wait_has_failed(first, polls);
}

void sr_transport_end_wait_for_others(struct sr_transport *first, int n)
{
	for (int k = 0; k < n; k++)
		sr_wait_end(first->local_devices[first->local_index + k]);
}

bool sr_collective_sends_messages(const struct sr_prepared_collective *p)
{
	return p->schedule.sends;
}

enum sr_status sr_transport_reserve(struct sr_transport *t, struct sr_prepared_collective *const *calls, int n)
{
	struct scratch **regions = malloc(sizeof *regions * (size_t)n + 1);
	enum sr_status status = SR_OK;
	if (!regions)
		return SR_NO_MEMORY;
	for (int i = 0; i < n; i++) {
		regions[i] = scratch_take(t, calls[i]->schedule.scratch_bytes);
		if (!regions[i])
			status = SR_NO_MEMORY;
	}
	for (int i = 0; i < n; i++)
		if (regions[i])
			regions[i]->is_used = false;
	free(regions);
	return status;
}

int sr_group_size(const struct sr_group *g)
{
	return g->size;
}

int sr_group_index(const struct sr_group *g)
{
	return g->index;
}

int sr_transport_node_devices(const struct sr_transport *t)
{
	return t->n_node_devices;
}

const char *sr_transport_no_segment_reason(const struct sr_transport *t)
{
	return t->local_devices[0]->no_segment_reason;
}

bool sr_transport_has_segment(const struct sr_transport *t)
{
	return t->segment != NULL;
}

int sr_transport_device(const struct sr_transport *t)
{
	return t->device;
}

const char *sr_transport_failure(const struct sr_transport *t)
{
	return t->failure;
}

enum sr_status sr_transport_broadcast(struct sr_transport *t, int root, void *data, uint64_t n)
{
	sr_wait_begin(t);
	enum sr_status status = t->ops->broadcast(t, root, data, n);
	sr_wait_end(t);
	if (status)
		snprintf(t->failure, sizeof t->failure, "%s of %llu bytes from device %d", t->error, (unsigned long long)n, root);
	return status;
}

void sr_transport_barrier(struct sr_transport *t)
{
	sr_wait_begin(t);
	(void)t->ops->barrier(t); /* the status is ignored: a failure sets the abort word */
	sr_wait_end(t);
}

void sr_transport_process_barrier(struct sr_transport *t)
{
	sr_wait_begin(t);
	(void)t->ops->process_barrier(t);
	sr_wait_end(t);
}

struct sr_transport_state sr_transport_read_state(const struct sr_transport *t)
{
	return (struct sr_transport_state){.waits = sr_relaxed_load(t->waits), .rounds = sr_relaxed_load(t->rounds), .calls = sr_relaxed_load(t->calls)};
}

void sr_transport_close(struct sr_transport *t)
{
	for (int k = 0; t && k < t->n_local_devices; k++)
		for (struct scratch *s = t->local_devices[k]->scratch, *next; s; s = next) {
			next = s->next;
			free(s->data);
			free(s);
		}
	if (!t)
		return;
	sr_segment_close(t->segment);
	t->ops->close(t);
}
