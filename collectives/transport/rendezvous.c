/* Rendezvous of local devices, each on its thread, and the failure and end of a device. */
#include "collectives/transport/backoff.h"
#include "collectives/transport/local_devices.h"
#include <string.h>

static bool is_broken(const struct sr_local_devices *s)
{
	return atomic_load(&s->first_failed) >= 0;
}

static void end_rendezvous(struct sr_local_devices *s)
{
	atomic_fetch_add(&s->rendezvous, 1);
	pthread_cond_broadcast(&s->met);
}

/* Wait for all local devices. If the last one to arrive has a request, all stay until the progress thread has executed it. */
static void rendezvous(struct sr_local_devices *s, enum sr_progress_request request)
{
	pthread_mutex_lock(&s->lock);
	unsigned seen = atomic_load(&s->rendezvous);
	bool last = ++s->arrived == s->n;
	if (last) {
		s->arrived = 0;
		s->request = s->ranks ? request : SR_REQUEST_NONE;
		if (s->request)
			pthread_cond_signal(&s->work);
		else
			end_rendezvous(s);
	}
	pthread_mutex_unlock(&s->lock);
	for (int polls = 1; sr_backoff_after(polls, true).kind == SR_BACKOFF_YIELD && atomic_load(&s->rendezvous) == seen; polls++)
		sr_backoff_wait(polls, true);
	pthread_mutex_lock(&s->lock);
	while (atomic_load(&s->rendezvous) == seen && !is_broken(s))
		pthread_cond_wait(&s->met, &s->lock);
	pthread_mutex_unlock(&s->lock);
}

enum sr_status sr_local_device_barrier(struct sr_transport *t)
{
	rendezvous(sr_local_devices_of(t), SR_REQUEST_BARRIER);
	return sr_transport_is_broken(t) ? SR_INTERNAL : SR_OK;
}

enum sr_status sr_local_device_broadcast(struct sr_transport *t, int root, void *data, uint64_t n)
{
	struct sr_local_devices *s = sr_local_devices_of(t);
	struct sr_device_location from = s->places[root];
	int source = from.process == s->process ? from.k : 0; /* local device from which the others copy the data */
	pthread_mutex_lock(&s->lock);
	s->buffers[t->local_index] = data;
	if (t->local_index == source) {
		s->broadcast.root = from.process;
		s->broadcast.data = data;
		s->broadcast.n = n;
		s->broadcast.status = SR_OK;
	}
	pthread_mutex_unlock(&s->lock);
	rendezvous(s, SR_REQUEST_BROADCAST);
	enum sr_status status = is_broken(s) ? SR_INTERNAL : s->broadcast.status;
	if (!status && t->local_index != source && n)
		memcpy(data, s->buffers[source], n);
	rendezvous(s, SR_REQUEST_NONE);
	return status;
}

void sr_transport_leave(struct sr_transport *t)
{
	if (!sr_transport_needs_progress(t))
		return;
	struct sr_local_devices *s = sr_local_devices_of(t);
	pthread_mutex_lock(&s->lock);
	s->left[t->local_index]++;
	pthread_cond_signal(&s->work);
	pthread_mutex_unlock(&s->lock);
}

void sr_transport_mark_failed(struct sr_transport *t)
{
	int none = -1;
	sr_abort_failed(t->abort);
	if (!t->first_failed)
		return;
	struct sr_local_devices *s = sr_local_devices_of(t);
	atomic_compare_exchange_strong(&s->first_failed, &none, t->local_index);
	pthread_mutex_lock(&s->lock);
	pthread_cond_broadcast(&s->met);
	pthread_mutex_unlock(&s->lock);
}

int sr_transport_failed_device(const struct sr_transport *t)
{
	return t->first_failed ? atomic_load(t->first_failed) : -1;
}

bool sr_transport_is_multi_device(const struct sr_transport *t)
{
	return t->first_failed != NULL;
}
