/* Messages of siblings: between two of them the later one copies; to and from other processes the server has them. */
#include "collectives/transport/local_devices.h"
#include <stdio.h>
#include <string.h>

void sr_message_queue_add(struct sr_message_queue *l, struct sr_message *one)
{
	one->next = NULL;
	if (!l->first)
		l->end = &l->first;
	*l->end = one;
	l->end = &one->next;
}

/* The first letter that is the other half of this one, taken out; NULL: it has not come. */
static struct sr_message *take_other(struct sr_message_queue *l, const struct sr_message *one)
{
	for (struct sr_message **at = &l->first; *at; at = &(*at)->next) {
		struct sr_message *other = *at;
		if (other->send == one->send || other->group != one->group || other->number != one->number)
			continue;
		*at = other->next;
		if (l->end == &other->next)
			l->end = at;
		return other;
	}
	return NULL;
}

static void finish(struct sr_message *one, enum sr_message_state state)
{
	atomic_store_explicit(&one->state, state, memory_order_release);
}

static void copy(struct sr_message *from, struct sr_message *to)
{
	bool fits = from->bytes <= to->bytes;
	memcpy(to->data, from->data, (size_t)(fits ? from->bytes : to->bytes));
	finish(from, SR_MESSAGE_DONE);
	finish(to, fits ? SR_MESSAGE_DONE : SR_MESSAGE_FAILED);
}

static void hand_over(struct sr_local_devices *s, int me, struct sr_message *one)
{
	struct sr_message_queue *box = &s->mail[one->send ? me * s->n + one->peer : one->peer * s->n + me];
	pthread_mutex_lock(&s->lock);
	struct sr_message *other = take_other(box, one);
	if (!other)
		sr_message_queue_add(box, one);
	pthread_mutex_unlock(&s->lock);
	if (other)
		copy(one->send ? one : other, one->send ? other : one);
}

enum sr_status sr_local_device_post(struct sr_group *group, bool send, int peer, unsigned call, void *data, int64_t bytes, void *request)
{
	const struct sr_local_device_group *g = (const struct sr_local_device_group *)group;
	struct sr_local_devices *s = sr_local_devices_of(group->transport);
	struct sr_device_location place = s->places[g->devices[peer]];
	struct sr_message *one = request;
	int me = group->transport->k;
	unsigned from = (unsigned)(send ? me : place.k), to = (unsigned)(send ? place.k : me), most = (unsigned)s->most;
	*one = (struct sr_message){.send = send, .peer = place.k, .number = call, .group = g->number, .data = data, .bytes = bytes};
	if (place.process == s->process) {
		hand_over(s, me, one);
		return SR_OK;
	}
	one->line = g->line;
	one->peer = place.process;
	one->number = (call % s->n_calls * most + from) * most + to;
	pthread_mutex_lock(&s->lock);
	sr_message_queue_add(&s->posted, one);
	pthread_cond_signal(&s->work);
	pthread_mutex_unlock(&s->lock);
	return SR_OK;
}

enum sr_status sr_local_device_test(struct sr_group *g, void *requests, int n, bool *done, int *culprit)
{
	const struct sr_message *letters = requests;
	*done = true;
	*culprit = -1;
	for (int i = 0; i < n; i++) {
		int state = atomic_load_explicit(&letters[i].state, memory_order_acquire);
		*done = *done && state == SR_MESSAGE_DONE;
		if (state != SR_MESSAGE_FAILED)
			continue;
		*culprit = i;
		snprintf(g->transport->error, sizeof g->transport->error, "%s",
			 letters[i].line ? letters[i].line->transport->error : "a message is longer than what waits for it");
		return SR_INTERNAL;
	}
	return SR_OK;
}
