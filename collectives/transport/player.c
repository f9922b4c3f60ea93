/* The player: runs any schedule over any wire.
 *
 * A round posts its receives and sends, runs its local entries while they are under way, then waits for all of them. start plays up
 * to the first round that has to wait; finish plays the rest. Waiting tests and gives the core away: at once where ranks outnumber
 * cores, else after a while. Scratch comes from blocks that the transport keeps, so that calls one after another share one. */
#include "collectives/transport/player.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 2000 }; /* tests before the core is given away where there are enough of them */

struct scratch {
	void *data;
	int64_t bytes;
	bool busy;
	struct scratch *next;
};

struct sr_prepared {
	struct sr_group *group;
	struct sr_coll_call call;
	struct sr_schedule schedule;
	const struct sr_algorithm *row;
	char *requests;
	/* of the call under way: */
	struct scratch *scratch;
	void *buffers[3];
	int64_t round;
	int n_requests;
	unsigned sequence;
	bool running;
};

/* A free block of at least that size; grown or made where there is none. NULL where memory runs out. */
static struct scratch *scratch_take(struct sr_transport *t, int64_t bytes)
{
	struct scratch *best = NULL;
	for (struct scratch *s = t->scratch; s; s = s->next)
		if (!s->busy && (!best || s->bytes > best->bytes))
			best = s;
	if (!best) {
		best = SR_NEW(t->arena, struct scratch);
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

enum sr_status sr_prepare(struct sr_transport *t, struct sr_group *g, struct sr_coll_call *call, struct sr_arena *arena,
			  struct sr_prepared **out)
{
	struct sr_prepared *p = SR_NEW(arena, struct sr_prepared);
	call->n = g->size;
	call->me = g->index;
	call->carrier = (uint8_t)t->wire->carrier;
	call->native = t->wire->has_native(call);
	enum sr_status status = sr_select(t->selection, call, arena, &p->schedule, &p->row);
	if (status != SR_OK)
		return status;
	p->group = g;
	p->call = *call;
	p->requests = sr_alloc(arena, (size_t)most_messages(&p->schedule), t->wire->request_bytes);
	/* so that the first call finds its block */
	struct scratch *s = scratch_take(t, p->schedule.scratch_bytes);
	if (!s)
		return SR_NO_MEMORY;
	s->busy = false;
	*out = p;
	return SR_OK;
}

const char *sr_prepared_algorithm(const struct sr_prepared *p)
{
	return p->row->name;
}

static void append(struct sr_transport *t, const char *text)
{
	size_t n = strlen(t->failure);
	snprintf(t->failure + n, sizeof t->failure - n, "%s", text);
}

/* In words: the wire's error, the call, who takes part in it, and the message that failed (NULL: not known, or none). */
static void explain(struct sr_prepared *p, const struct sr_schedule_entry *e)
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
		snprintf(text, sizeof text, ": %lld bytes %s device %d", (long long)e->bytes, e->kind == SR_ENTRY_SEND ? "to" : "from",
			 t->wire->device(g, e->peer));
		append(t, text);
	}
}

/* The entry of request `number` of the round; NULL: there is none. */
static const struct sr_schedule_entry *entry_of(const struct sr_prepared *p, int number)
{
	const struct sr_schedule *s = &p->schedule;
	for (int64_t i = p->round ? s->round_end[p->round - 1] : 0; number >= 0 && i < s->round_end[p->round]; i++)
		if (is_message(&s->entries[i]) && number-- == 0)
			return &s->entries[i];
	return NULL;
}

static enum sr_status post(struct sr_prepared *p, const struct sr_schedule_entry *e)
{
	const struct sr_wire *wire = p->group->transport->wire;
	bool send = e->kind == SR_ENTRY_SEND;
	char *data = (char *)p->buffers[send ? e->src : e->dst] + (send ? e->src_offset : e->dst_offset);
	enum sr_status status = wire->post(p->group, send, e->peer, p->sequence, data, e->bytes,
					   p->requests + (size_t)p->n_requests++ * wire->request_bytes);
	if (status)
		explain(p, e);
	return status;
}

/* Post the messages of the round, then run what is local. */
static enum sr_status begin_round(struct sr_prepared *p)
{
	const struct sr_schedule *s = &p->schedule;
	int64_t begin = p->round ? s->round_end[p->round - 1] : 0, end = s->round_end[p->round];
	enum sr_status status = SR_OK;
	p->n_requests = 0;
	for (int64_t i = begin; i < end && status == SR_OK; i++)
		if (is_message(&s->entries[i]))
			status = post(p, &s->entries[i]);
	for (int64_t i = begin; i < end && status == SR_OK; i++)
		if (s->entries[i].kind == SR_ENTRY_NATIVE) {
			status = p->group->transport->wire->native(p->group, &p->call, p->buffers[SR_IN], p->buffers[SR_OUT]);
			if (status)
				explain(p, NULL);
		} else if (!is_message(&s->entries[i])) {
			sr_entry_run(&s->entries[i], s->monoid, p->buffers);
		}
	return status;
}

static enum sr_status wait_round(struct sr_prepared *p)
{
	struct sr_transport *t = p->group->transport;
	enum sr_status status = SR_OK;
	bool done = p->n_requests == 0;
	int culprit = -1;
	for (int tests = 0; !done && status == SR_OK; tests++) {
		status = t->wire->test(p->group, p->requests, p->n_requests, &done, &culprit);
		if (!done && (t->crowded || tests > PATIENCE))
			sched_yield();
	}
	if (status)
		explain(p, entry_of(p, culprit));
	return status;
}

enum sr_status sr_start(struct sr_prepared *p, const void *in, void *out)
{
	if (p->running)
		return SR_INTERNAL;
	p->scratch = scratch_take(p->group->transport, p->schedule.scratch_bytes);
	if (!p->scratch)
		return SR_NO_MEMORY;
	p->buffers[SR_IN] = (void *)in;
	p->buffers[SR_OUT] = out;
	p->buffers[SR_SCRATCH] = p->scratch->data;
	p->sequence = p->group->sequence++;
	p->running = true;
	p->n_requests = 0;
	for (p->round = 0; p->round < p->schedule.n_rounds; p->round++) {
		enum sr_status status = begin_round(p);
		if (status != SR_OK || p->n_requests)
			return status;
	}
	return SR_OK;
}

enum sr_status sr_finish(struct sr_prepared *p)
{
	enum sr_status status = SR_OK;
	if (!p->running)
		return SR_INTERNAL;
	while (p->round < p->schedule.n_rounds && status == SR_OK) {
		status = wait_round(p);
		if (status == SR_OK && ++p->round < p->schedule.n_rounds)
			status = begin_round(p);
	}
	p->scratch->busy = false;
	p->running = false;
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

int sr_transport_device(const struct sr_transport *t)
{
	return t->device;
}

const char *sr_transport_failure(const struct sr_transport *t)
{
	return t->failure;
}

enum sr_status sr_transport_spread(struct sr_transport *t, int root, void *data, uint64_t n)
{
	enum sr_status status = t->wire->spread(t, root, data, n);
	if (status)
		snprintf(t->failure, sizeof t->failure, "%s of %llu bytes from device %d", t->error, (unsigned long long)n, root);
	return status;
}

void sr_transport_barrier(struct sr_transport *t)
{
	t->wire->barrier(t);
}

void sr_transport_close(struct sr_transport *t)
{
	if (!t)
		return;
	for (struct scratch *s = t->scratch; s; s = s->next)
		free(s->data);
	t->wire->close(t);
}
