/* The player: runs any schedule over any wire.
 *
 * A round posts its receives and sends, runs its local entries while they are under way, then waits for all of them. start plays up
 * to the first round that has to wait; finish plays on until the result is there, withdraw waits for those who read my memory.
 * Waiting tests and is patient (backoff.h). Scratch comes from blocks that the
 * transport keeps, so that calls one after another share one. */
#include "collectives/transport/backoff.h"
#include "collectives/transport/shared_segment.h"
#include "support/checked.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLEEP_NS = 4000000 }; /* at most, where nothing has to be looked after */

struct scratch {
	void *data;
	int64_t bytes;
	bool busy;
	struct scratch *next;
};

struct sr_prepared_collective {
	struct sr_group *group;
	struct sr_coll_call call;
	struct sr_schedule schedule;
	const struct sr_algorithm *row;
	char *requests;
	/* of the call under way: */
	struct scratch *scratch;
	struct sr_views views;
	int64_t round;
	int n_requests;
	unsigned sequence;
	bool running;
	bool arrived;   /* the result is there, and nobody has asked for it */
	bool is_read;   /* it has finished, and others may still read my memory */
	struct sr_prepared_collective *next; /* under way, in order of their starts */
	/* in the window: */
	struct sr_call_progress *cell;      /* mine; NULL: I am alone on my node */
	void **sources[SR_WHERE_COUNT]; /* [size]: what views.of points to, but for slots; NULL: not shared */
	void *result;              /* where a staged output goes in the end; NULL: it is none */
	int n_staged;
	int64_t waiting;           /* entry of the round, and member: those before have been reached */
	int waiting_member;
};

/* A free block of at least that size; grown or made where there is none. NULL where memory runs out. */
static struct scratch *scratch_take(struct sr_transport *t, int64_t bytes)
{
	struct scratch *best = NULL;
	for (struct scratch *s = t->scratch; s; s = s->next)
		if (!s->busy && (!best || s->bytes > best->bytes))
			best = s;
	if (!best) {
		best = calloc(1, sizeof *best); /* siblings share the arena */
		if (!best)
			return NULL;
		best->next = t->scratch;
		t->scratch = best;
	}
	if (best->bytes < bytes) {
		free(best->data);
		best->bytes = (bytes + 4095) / 4096 * 4096;
		best->data = aligned_alloc(64, (size_t)best->bytes);
		if (!best->data) {
			best->bytes = 0;
			return NULL;
		}
	}
	best->busy = true;
	return best;
}

static bool is_message(const struct sr_schedule_entry *e)
{
	return e->kind == SR_ENTRY_SEND || e->kind == SR_ENTRY_RECV;
}

static int most_messages(const struct sr_schedule *s)
{
	int64_t most = 0, begin = 0;
	for (int64_t r = 0; r < s->n_rounds; r++) {
		int64_t n = 0;
		for (int64_t i = begin; i < s->round_end[r]; i++)
			n += is_message(&s->entries[i]);
		most = n > most ? n : most;
		begin = s->round_end[r];
	}
	return (int)most;
}

/* Whatever of the call may have to be staged, the same on all members. */
static bool fits_window(const struct sr_group *g, const struct sr_coll_call *call)
{
	int64_t in = sr_coll_layout_extent(&call->form[SR_IN], sr_coll_in_bytes(call));
	int64_t out = sr_coll_layout_extent(&call->form[SR_OUT], sr_coll_out_bytes(call)), most;
	return g->users && !sr_add_overflows(in, out, &most) && most <= g->staging - 2 * 4096;
}

enum sr_status sr_collective_prepare(struct sr_transport *t, struct sr_group *g, struct sr_coll_call *call, struct sr_arena *arena,
			  struct sr_prepared_collective **out)
{
	struct sr_prepared_collective *p = SR_NEW(arena, struct sr_prepared_collective);
	call->n = g->size;
	call->me = g->index;
	call->carrier = (uint8_t)(fits_window(g, call) ? g->carrier : t->wire->carrier);
	call->node = g->node;
	call->native = t->wire->has_native(call);
	enum sr_status status = sr_select(t->selection, call, arena, &p->schedule, &p->row);
	if (status != SR_OK)
		return status;
	p->group = g;
	p->call = *call;
	p->requests = sr_alloc(arena, (size_t)most_messages(&p->schedule), t->wire->request_bytes);
	p->views = (struct sr_views){.n = g->size, .form = p->schedule.form};
	for (int where = 0; where < SR_WHERE_COUNT; where++)
		if (p->schedule.shared[where])
			p->views.of[where] = p->sources[where] = SR_NEWS(arena, void *, g->size);
	/* so that the first call finds its block */
	struct scratch *s = scratch_take(t, p->schedule.scratch_bytes);
	if (!s)
		return SR_NO_MEMORY;
	s->busy = false;
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

static void append(struct sr_transport *t, const char *text)
{
	size_t n = strlen(t->failure);
	snprintf(t->failure + n, sizeof t->failure - n, "%s", text);
}

/* In words: the wire's error, the call, who takes part in it, and the message that failed (NULL: not known, or none). */
static void explain(struct sr_prepared_collective *p, const struct sr_schedule_entry *e)
{
	enum { SHOWN = 16 };
	struct sr_group *g = p->group;
	struct sr_transport *t = g->transport;
	char text[128];
	snprintf(t->failure, sizeof t->failure, "%s in %s (%s) of devices ", *t->error ? t->error : "the transport failed",
		 sr_coll_name(p->call.coll), p->row->name);
	for (int i = 0; i < g->size && i < SHOWN; i++) {
		snprintf(text, sizeof text, "%s%d", i ? ", " : "", t->wire->device(g, i));
		append(t, text);
	}
	if (g->size > SHOWN) {
		snprintf(text, sizeof text, " and %d more", g->size - SHOWN);
		append(t, text);
	}
	if (e) {
		snprintf(text, sizeof text, ": %lld bytes %s device %d", (long long)e->bytes,
			 e->kind == SR_ENTRY_SEND ? "to" : "from",
			 t->wire->device(g, e->peer));
		append(t, text);
	}
}

static int64_t round_begin(const struct sr_prepared_collective *p)
{
	return p->round ? p->schedule.round_end[p->round - 1] : 0;
}

/* The entry of request `number` of the round; NULL: there is none. */
static const struct sr_schedule_entry *entry_of(const struct sr_prepared_collective *p, int number)
{
	const struct sr_schedule *s = &p->schedule;
	for (int64_t i = round_begin(p); number >= 0 && i < s->round_end[p->round]; i++)
		if (is_message(&s->entries[i]) && number-- == 0)
			return &s->entries[i];
	return NULL;
}

static enum sr_status post(struct sr_prepared_collective *p, const struct sr_schedule_entry *e)
{
	const struct sr_transport_ops *wire = p->group->transport->wire;
	bool send = e->kind == SR_ENTRY_SEND;
	char *data = (char *)p->views.mine[send ? e->src : e->dst] + (send ? e->src_offset : e->dst_offset);
	enum sr_status status = wire->post(p->group, send, e->peer, p->sequence, data, e->bytes,
					   p->requests + (size_t)p->n_requests++ * wire->request_bytes);
	if (status)
		explain(p, e);
	return status;
}

/* Where the members have what I read now. They have begun the call: I waited for them. */
static void find_sources(struct sr_prepared_collective *p, const struct sr_schedule_entry *e)
{
	const struct sr_group *g = p->group;
	struct sr_call_slot **slots = g->slots + (ptrdiff_t)(p->sequence % SR_CALL_SLOTS) * g->size;
	int end = e->peer + (e->kind == SR_ENTRY_READ ? 1 : e->n_fold);
	for (int k = e->peer; k < end && e->src != SR_SLOT; k++)
		p->sources[e->src][k] = k == g->index ? p->views.mine[e->src]
						      : sr_segment_decode(g->transport->window, g->here[k], slots[k]->cell.place[e->src]);
}

/* What is no message. */
static enum sr_status run_entry(struct sr_prepared_collective *p, const struct sr_schedule_entry *e)
{
	enum sr_status status = SR_OK;
	switch (e->kind) {
	case SR_ENTRY_NATIVE:
		sr_wait_begin(p->group->transport);
		status = p->group->transport->wire->native(p->group, &p->call, (const char *)p->views.mine[e->src] + e->src_offset,
								  (char *)p->views.mine[e->dst] + e->dst_offset);
		sr_wait_end(p->group->transport);
		if (status)
			explain(p, NULL);
		return status;
	case SR_ENTRY_SIGNAL:
		if (p->cell)
			sr_call_progress_publish(p->cell, sr_call_stage_number(p->sequence, e->tag));
		return SR_OK;
	case SR_ENTRY_WAIT:
		return SR_OK;
	case SR_ENTRY_READ:
	case SR_ENTRY_FOLD_MEMBERS:
		find_sources(p, e);
		sr_entry_run(e, p->schedule.monoid, &p->views);
		return SR_OK;
	default:
		sr_entry_run(e, p->schedule.monoid, &p->views);
		return SR_OK;
	}
}

/* Post the messages of the round, then run what is local. */
static enum sr_status begin_round(struct sr_prepared_collective *p)
{
	const struct sr_schedule *s = &p->schedule;
	int64_t begin = round_begin(p), end = s->round_end[p->round];
	enum sr_status status = SR_OK;
	p->n_requests = 0;
	p->waiting = begin;
	p->waiting_member = 0;
	for (int64_t i = begin; i < end && status == SR_OK; i++)
		if (is_message(&s->entries[i]))
			status = post(p, &s->entries[i]);
	for (int64_t i = begin; i < end && status == SR_OK; i++)
		if (!is_message(&s->entries[i]))
			status = run_entry(p, &s->entries[i]);
	return status;
}

/* The first cell of a group's slot, from *member on, that has not reached the word; NULL: all have. peer: SR_ALL_LOCAL_MEMBERS, or one. */
static struct sr_call_progress *behind(const struct sr_prepared_collective *p, int peer, uint32_t word, int *member)
{
	struct sr_call_slot **slots = p->group->slots + (ptrdiff_t)(p->sequence % SR_CALL_SLOTS) * p->group->size;
	if (peer != SR_ALL_LOCAL_MEMBERS)
		return sr_call_progress_reached(&slots[peer]->cell, word) ? NULL : &slots[peer]->cell;
	for (; *member < p->group->size; ++*member)
		if (slots[*member] && !sr_call_progress_reached(&slots[*member]->cell, word))
			return &slots[*member]->cell;
	return NULL;
}

/* The cell that the round waits for, and the word; NULL: none any more. */
static struct sr_call_progress *waits_for(struct sr_prepared_collective *p, uint32_t *word)
{
	const struct sr_schedule *s = &p->schedule;
	for (; p->waiting < s->round_end[p->round]; p->waiting++, p->waiting_member = 0) {
		const struct sr_schedule_entry *e = &s->entries[p->waiting];
		struct sr_call_progress *cell = NULL;
		*word = sr_call_stage_number(p->sequence, e->tag);
		if (e->kind == SR_ENTRY_WAIT)
			cell = behind(p, e->peer, *word, &p->waiting_member);
		if (cell)
			return cell;
	}
	return NULL;
}

/* After so many looks in vain. cell: what is waited for, where no message is. Messages that were taken from me may still be on
 * their way to another node, and move on only while I look after them: who waits for them there may be who is waited for. */
static void wait_for_look(struct sr_transport *t, int looks, struct sr_call_progress *cell, uint32_t word)
{
	if (cell && t->spans_nodes)
		t->wire->progress(t);
	if (cell && sr_backoff_after(looks, t->crowded).kind == SR_BACKOFF_SLEEP)
		sr_call_progress_sleep(cell, word, t->spans_nodes ? SR_MAX_SLEEP_NS : SLEEP_NS);
	else
		sr_backoff_wait(looks, t->crowded);
}

static enum sr_status wait_round(struct sr_prepared_collective *p)
{
	struct sr_transport *t = p->group->transport;
	enum sr_status status = SR_OK;
	bool done = p->n_requests == 0;
	int culprit = -1;
	uint32_t word = 0;
	struct sr_call_progress *cell = waits_for(p, &word);
	sr_wait_begin(t);
	for (int looks = 1; (!done || cell) && status == SR_OK; looks++) {
		wait_for_look(t, looks, done ? cell : NULL, word);
		if (sr_wait_has_failed(t, looks))
			status = SR_INTERNAL;
		if (!done && status == SR_OK)
			status = t->wire->test(p->group, p->requests, p->n_requests, &done, &culprit);
		if (cell)
			cell = waits_for(p, &word);
	}
	sr_wait_end(t);
	if (status)
		explain(p, entry_of(p, culprit));
	return status;
}

/* ---- a call in the window ---- */

static enum sr_status play(struct sr_prepared_collective *p);

/* Memory of mine as others see it. What lies in no region is staged. */
static enum sr_status share(struct sr_prepared_collective *p, int where, int64_t bytes)
{
	const struct sr_transport *t = p->group->transport;
	void *mine = p->views.mine[where];
	if (!p->schedule.shared[where] || sr_segment_encode(t, mine, bytes, &p->cell->place[where]))
		return SR_OK;
	void *staged = sr_segment_stage(t, bytes);
	while (!staged && t->under_way) { /* those before give theirs back */
		enum sr_status status = play(t->under_way);
		if (status)
			return status;
		staged = sr_segment_stage(t, bytes);
	}
	if (!staged || !sr_segment_encode(t, staged, bytes, &p->cell->place[where]))
		return SR_NO_MEMORY;
	p->n_staged++;
	p->views.mine[where] = staged;
	if (where == SR_OUT)
		p->result = mine;
	else /* rows lie there as they do here */
		sr_coll_layout_copy(staged, &p->schedule.form[where], mine, &p->schedule.form[where], sr_coll_in_bytes(&p->call));
	return SR_OK;
}

/* My slot, once all members have left the call that had it before. */
static enum sr_status enter(struct sr_prepared_collective *p)
{
	struct sr_group *g = p->group;
	int number = (int)(p->sequence % SR_CALL_SLOTS), member = 0;
	uint32_t left = sr_call_stage_number(p->sequence, 0) - 1;
	struct sr_call_progress *cell;
	sr_wait_begin(g->transport);
	bool vain = false;
	for (int looks = 1; !vain && (cell = behind(p, SR_ALL_LOCAL_MEMBERS, left, &member)); looks++) {
		wait_for_look(g->transport, looks, cell, left);
		vain = sr_wait_has_failed(g->transport, looks);
	}
	sr_wait_end(g->transport);
	if (vain)
		return SR_INTERNAL;
	struct sr_call_slot *slot = g->slots[number * g->size + g->index];
	p->cell = slot ? &slot->cell : NULL;
	p->views.of[SR_SLOT] = g->data + (ptrdiff_t)number * g->size;
	p->views.mine[SR_SLOT] = g->data[number * g->size + g->index];
	p->result = NULL;
	p->n_staged = 0;
	if (!slot) /* nobody is here to read what is mine */
		return SR_OK;
	enum sr_status status = share(p, SR_IN, p->schedule.in_bytes);
	return status ? status : share(p, SR_OUT, p->schedule.out_bytes);
}

/* My result is there, and I read nobody's memory any more: that is the last stage, whatever the schedule would still signal. */
static void leave(struct sr_prepared_collective *p)
{
	if (p->result)
		sr_coll_layout_copy(p->result, &p->schedule.form[SR_OUT], p->views.mine[SR_OUT], &p->schedule.form[SR_OUT],
			     sr_coll_out_bytes(&p->call));
	if (p->cell)
		sr_call_progress_publish(p->cell, sr_call_stage_number(p->sequence, SR_CALL_STAGES));
}

static struct sr_prepared_collective **user_of_slot(const struct sr_prepared_collective *p)
{
	return &p->group->users[p->sequence % SR_CALL_SLOTS];
}

/* ---- calls ---- */

/* On from a round that is complete, to the next that waits, or until the result is there. */
static enum sr_status go_on(struct sr_prepared_collective *p)
{
	enum sr_status status = SR_OK;
	uint32_t word;
	for (; status == SR_OK && p->round < p->schedule.result_rounds; p->round++) {
		status = begin_round(p);
		if (status != SR_OK || p->n_requests || waits_for(p, &word))
			return status;
	}
	return status;
}

/* Up to the first round that waits. */
static enum sr_status begin(struct sr_prepared_collective *p)
{
	enum sr_status status = SR_OK;
	p->round = 0;
	if (p->group->users) {
		*user_of_slot(p) = p;
		status = enter(p);
	}
	return status ? status : go_on(p);
}

static void link_call(struct sr_prepared_collective *p)
{
	struct sr_prepared_collective **end = &p->group->transport->under_way;
	while (*end)
		end = &(*end)->next;
	p->next = NULL;
	*end = p;
}

static void unlink_call(struct sr_prepared_collective *p)
{
	struct sr_prepared_collective **at = &p->group->transport->under_way;
	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
}

enum sr_status sr_collective_start(struct sr_prepared_collective *p, const void *in, void *out)
{
	enum sr_status status = p->running ? SR_INTERNAL : sr_collective_release(p);
	if (status)
		return status;
	p->scratch = scratch_take(p->group->transport, p->schedule.scratch_bytes);
	if (!p->scratch)
		return SR_NO_MEMORY;
	p->views.mine[SR_IN] = (void *)in;
	p->views.mine[SR_OUT] = out;
	p->views.mine[SR_SCRATCH] = p->scratch->data;
	p->sequence = p->group->sequence++;
	p->running = true;
	p->n_requests = 0;
	if (p->group->users && *user_of_slot(p)) /* a call too many: all members wait for the one that has its slot */
		status = play(*user_of_slot(p));
	if (!status)
		status = begin(p);
	link_call(p);
	return status;
}

/* The result is there: what the call had is given back, but for what others read. */
static enum sr_status arrive(struct sr_prepared_collective *p)
{
	struct sr_transport *t = p->group->transport;
	if (p->group->users) {
		leave(p);
		*user_of_slot(p) = NULL;
	}
	unlink_call(p);
	p->scratch->busy = false;
	p->arrived = true;
	p->is_read = p->round < p->schedule.n_rounds;
	p->waiting = round_begin(p);
	p->waiting_member = 0;
	sr_relaxed_increment(t->calls);
	return p->n_staged ? sr_collective_release(p) : SR_OK; /* the room is for the next */
}

/* Until the result is there. */
static enum sr_status play(struct sr_prepared_collective *p)
{
	enum sr_status status = SR_OK;
	while (p->round < p->schedule.result_rounds && status == SR_OK) {
		status = wait_round(p);
		p->round++;
		if (status == SR_OK)
			status = go_on(p);
	}
	return status ? status : arrive(p);
}

enum sr_status sr_collective_wait(struct sr_prepared_collective *p)
{
	enum sr_status status = p->running ? SR_OK : SR_INTERNAL;
	if (p->running && !p->arrived)
		status = play(p);
	p->running = p->arrived = false;
	return status;
}

enum sr_status sr_collective_release(struct sr_prepared_collective *p)
{
	enum sr_status status = SR_OK;
	if (p->is_read) {
		p->n_requests = 0;
		status = wait_round(p);
	}
	p->is_read = false;
	for (; p->n_staged; p->n_staged--)
		sr_segment_unstage(p->group->transport);
	return status;
}

/* As far as it goes without waiting. */
static enum sr_status advance(struct sr_prepared_collective *p)
{
	struct sr_transport *t = p->group->transport;
	enum sr_status status = SR_OK;
	while (status == SR_OK && p->round < p->schedule.result_rounds) {
		bool done = p->n_requests == 0;
		int culprit = -1;
		uint32_t word;
		if (!done)
			status = t->wire->test(p->group, p->requests, p->n_requests, &done, &culprit);
		if (status)
			explain(p, entry_of(p, culprit));
		if (status || !done || waits_for(p, &word))
			return status;
		p->round++;
		status = go_on(p);
	}
	return status || p->n_staged ? status : arrive(p); /* what is staged stays until nobody reads it, for which finish waits */
}

enum sr_status sr_transport_progress(struct sr_transport *t)
{
	enum sr_status status = SR_OK;
	for (struct sr_prepared_collective *p = t->under_way, *next; p && status == SR_OK; p = next) {
		next = p->next;
		if (p->schedule.sends)
			status = advance(p);
	}
	return status;
}

bool sr_collective_sends_messages(const struct sr_prepared_collective *p)
{
	return p->schedule.sends;
}

enum sr_status sr_transport_reserve(struct sr_transport *t, struct sr_prepared_collective *const *calls, int n)
{
	struct scratch **taken = SR_NEWS(t->arena, struct scratch *, n);
	enum sr_status status = SR_OK;
	for (int i = 0; i < n; i++) {
		taken[i] = scratch_take(t, calls[i]->schedule.scratch_bytes);
		if (!taken[i])
			status = SR_NO_MEMORY;
	}
	for (int i = 0; i < n; i++)
		if (taken[i])
			taken[i]->busy = false;
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
	return t->n_here;
}

const char *sr_transport_no_segment_reason(const struct sr_transport *t)
{
	return t->siblings[0]->no_segment_reason;
}

bool sr_transport_has_segment(const struct sr_transport *t)
{
	return t->window != NULL;
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
	enum sr_status status = t->wire->spread(t, root, data, n);
	sr_wait_end(t);
	if (status)
		snprintf(t->failure, sizeof t->failure, "%s of %llu bytes from device %d", t->error, (unsigned long long)n, root);
	return status;
}

void sr_transport_barrier(struct sr_transport *t)
{
	sr_wait_begin(t);
	t->wire->barrier(t);
	sr_wait_end(t);
}

void sr_transport_process_barrier(struct sr_transport *t)
{
	sr_wait_begin(t);
	t->wire->meet(t);
	sr_wait_end(t);
}

struct sr_transport_state sr_transport_read_state(const struct sr_transport *t)
{
	return (struct sr_transport_state){.waits = sr_relaxed_load(t->waits), .rounds = sr_relaxed_load(t->rounds), .calls = sr_relaxed_load(t->calls)};
}

void sr_transport_close(struct sr_transport *t)
{
	for (int k = 0; t && k < t->n_local_devices; k++)
		for (struct scratch *s = t->siblings[k]->scratch, *next; s; s = next) {
			next = s->next;
			free(s->data);
			free(s);
		}
	if (!t)
		return;
	sr_segment_close(t->window);
	t->wire->close(t);
}
