/* Messages of siblings: between two of them the later one copies; to and from other processes the server has them. */
#include "collectives/transport/siblings.h"
#include <stdio.h>
#include <string.h>

void sr_letters_add(struct sr_letters *l, struct sr_letter *one)
{
	one->next = NULL;
	if (!l->first)
		l->end = &l->first;
	*l->end = one;
	l->end = &one->next;
}

/* The first letter that is the other half of this one, taken out; NULL: it has not come. */
static struct sr_letter *take_other(struct sr_letters *l, const struct sr_letter *one)
{
	for (struct sr_letter **at = &l->first; *at; at = &(*at)->next) {
		struct sr_letter *other = *at;
		if (other->send == one->send || other->group != one->group || other->number != one->number)
			continue;
		*at = other->next;
		if (l->end == &other->next)
			l->end = at;
		return other;
	}
	return NULL;
}

static void finish(struct sr_letter *one, enum sr_letter_state state)
{
	atomic_store_explicit(&one->state, state, memory_order_release);
}

static void copy(struct sr_letter *from, struct sr_letter *to)
{
	bool fits = from->bytes <= to->bytes;
	memcpy(to->data, from->data, (size_t)(fits ? from->bytes : to->bytes));
	finish(from, SR_LETTER_DONE);
	finish(to, fits ? SR_LETTER_DONE : SR_LETTER_FAILED);
}

static void hand_over(struct sr_siblings *s, int me, struct sr_letter *one)
{
	struct sr_letters *box = &s->mail[one->send ? me * s->n + one->peer : one->peer * s->n + me];
	pthread_mutex_lock(&s->lock);
	struct sr_letter *other = take_other(box, one);
	if (!other)
		sr_letters_add(box, one);
	pthread_mutex_unlock(&s->lock);
	if (other)
		copy(one->send ? one : other, one->send ? other : one);
}

enum sr_status sr_sibling_post(struct sr_group *group, bool send, int peer, unsigned call, void *data, int64_t bytes, void *request)
{
	const struct sr_sibling_group *g = (const struct sr_sibling_group *)group;
	struct sr_siblings *s = sr_siblings_of(group->transport);
	struct sr_place_of_device place = s->places[g->devices[peer]];
	struct sr_letter *one = request;
	int me = group->transport->k;
	unsigned from = (unsigned)(send ? me : place.k), to = (unsigned)(send ? place.k : me), most = (unsigned)s->most;
	*one = (struct sr_letter){.send = send, .peer = place.k, .number = call, .group = g->number, .data = data, .bytes = bytes};
	if (place.process == s->process) {
		hand_over(s, me, one);
		return SR_OK;
	}
	one->line = g->line;
	one->peer = place.process;
	one->number = (call % s->n_calls * most + from) * most + to;
	pthread_mutex_lock(&s->lock);
	sr_letters_add(&s->posted, one);
	pthread_cond_signal(&s->work);
	pthread_mutex_unlock(&s->lock);
	return SR_OK;
}

enum sr_status sr_sibling_test(struct sr_group *g, void *requests, int n, bool *done, int *culprit)
{
	const struct sr_letter *letters = requests;
	*done = true;
	*culprit = -1;
	for (int i = 0; i < n; i++) {
		int state = atomic_load_explicit(&letters[i].state, memory_order_acquire);
		*done = *done && state == SR_LETTER_DONE;
		if (state != SR_LETTER_FAILED)
			continue;
		*culprit = i;
		snprintf(g->transport->error, sizeof g->transport->error, "%s",
			 letters[i].line ? letters[i].line->transport->error : "a message is longer than what waits for it");
		return SR_INTERNAL;
	}
	return SR_OK;
}
