/* Messages of local devices: for a message between two of them, the one that posts later copies the data; messages to and from
 * other processes are handed to the progress thread. */
#include "collectives/transport/local_devices.h"
#include <stdio.h>
#include <string.h>

void sr_message_queue_add(struct sr_message_queue *queue, struct sr_message *message)
{
	message->next = NULL;
	if (!queue->first)
		queue->end = &queue->first;
	*queue->end = message;
	queue->end = &message->next;
}

/* Remove and return the first queued message that matches `message`, or NULL if there is none. */
static struct sr_message *take_match(struct sr_message_queue *queue, const struct sr_message *message)
{
	for (struct sr_message **message_link = &queue->first; *message_link; message_link = &(*message_link)->next) {
		struct sr_message *match = *message_link;
		if (match->send == message->send || match->group != message->group || match->number != message->number)
			continue;
		*message_link = match->next;
		if (queue->end == &match->next)
			queue->end = message_link;
		return match;
	}
	return NULL;
}

static void set_state(struct sr_message *message, enum sr_message_state state)
{
	atomic_store_explicit(&message->state, state, memory_order_release);
}

static void copy_message(struct sr_message *send, struct sr_message *receive)
{
	bool fits = send->bytes <= receive->bytes;
	memcpy(receive->data, send->data, (size_t)(fits ? send->bytes : receive->bytes));
	set_state(send, SR_MESSAGE_DONE);
	set_state(receive, fits ? SR_MESSAGE_DONE : SR_MESSAGE_FAILED);
}

static void post_local(struct sr_local_devices *local, int me, struct sr_message *message)
{
	struct sr_message_queue *queue =
	    &local->unmatched[message->send ? me * local->n + message->peer : message->peer * local->n + me];
	pthread_mutex_lock(&local->lock);
	struct sr_message *match = take_match(queue, message);
	if (!match)
		sr_message_queue_add(queue, message);
	pthread_mutex_unlock(&local->lock);
	if (match)
		copy_message(message->send ? message : match, message->send ? match : message);
}

enum sr_status sr_local_device_post(struct sr_group *group, bool send, int peer, unsigned call, void *data, int64_t bytes,
				    void *request)
{
	const struct sr_local_device_group *g = (const struct sr_local_device_group *)group;
	struct sr_local_devices *local = sr_local_devices_of(group->transport);
	struct sr_device_location location = local->locations[g->devices[peer]];
	struct sr_message *message = request;
	int me = group->transport->local_index;
	unsigned source = (unsigned)(send ? me : location.k), dest = (unsigned)(send ? location.k : me),
		 max_local = (unsigned)local->max_local;
	*message = (struct sr_message){
	    .send = send, .peer = location.k, .number = call, .group = g->number, .data = data, .bytes = bytes};
	if (location.process == local->process) {
		post_local(local, me, message);
		return SR_OK;
	}
	message->processes = g->processes;
	message->peer = location.process;
	message->number = (call % local->n_calls * max_local + source) * max_local + dest;
	pthread_mutex_lock(&local->lock);
	sr_message_queue_add(&local->posted, message);
	pthread_cond_signal(&local->work_posted);
	pthread_mutex_unlock(&local->lock);
	return SR_OK;
}

enum sr_status sr_local_device_test(struct sr_group *g, void *requests, int n, bool *is_done, int *culprit)
{
	const struct sr_message *messages = requests;
	*is_done = true;
	*culprit = -1;
	for (int i = 0; i < n; i++) {
		int state = atomic_load_explicit(&messages[i].state, memory_order_acquire);
		*is_done = *is_done && state == SR_MESSAGE_DONE;
		if (state != SR_MESSAGE_FAILED)
			continue;
		*culprit = i;
		snprintf(g->transport->error, sizeof g->transport->error, "%s",
			 messages[i].processes ? messages[i].processes->transport->error : "a message is longer than its receive buffer");
		return SR_INTERNAL;
	}
	return SR_OK;
}
