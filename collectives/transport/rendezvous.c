/* Meetings of siblings, each on its thread, and their end. */
#include "collectives/transport/backoff.h"
#include "collectives/transport/local_devices.h"
#include <string.h>

static bool is_broken(const struct sr_local_devices *s)
{
	return atomic_load(&s->broken) >= 0;
}

static void end_meeting(struct sr_local_devices *s)
{
	atomic_fetch_add(&s->meetings, 1);
	pthread_cond_broadcast(&s->met);
}

/* All siblings come here; where the last one brings an errand, they stay until the server has done it. */
static void meet(struct sr_local_devices *s, enum sr_progress_request errand)
{
	pthread_mutex_lock(&s->lock);
	unsigned seen = atomic_load(&s->meetings);
	bool last = ++s->arrived == s->n;
	if (last) {
		s->arrived = 0;
		s->errand = s->ranks ? errand : SR_REQUEST_NONE;
		if (s->errand)
			pthread_cond_signal(&s->work);
		else
			end_meeting(s);
	}
	pthread_mutex_unlock(&s->lock);
	for (int looks = 1; sr_backoff_after(looks, true).kind == SR_BACKOFF_YIELD && atomic_load(&s->meetings) == seen; looks++)
		sr_backoff_wait(looks, true);
	pthread_mutex_lock(&s->lock);
	while (atomic_load(&s->meetings) == seen && !is_broken(s))
		pthread_cond_wait(&s->met, &s->lock);
	pthread_mutex_unlock(&s->lock);
}

void sr_local_device_barrier(struct sr_transport *t)
{
	meet(sr_local_devices_of(t), SR_REQUEST_BARRIER);
}

enum sr_status sr_local_device_broadcast(struct sr_transport *t, int root, void *data, uint64_t n)
{
	struct sr_local_devices *s = sr_local_devices_of(t);
	struct sr_device_location from = s->places[root];
	int giver = from.process == s->process ? from.k : 0; /* who has it first here */
	pthread_mutex_lock(&s->lock);
	s->offers[t->k] = data;
	if (t->k == giver) {
		s->spread.root = from.process;
		s->spread.data = data;
		s->spread.n = n;
		s->spread.status = SR_OK;
	}
	pthread_mutex_unlock(&s->lock);
	meet(s, SR_REQUEST_BROADCAST);
	enum sr_status status = is_broken(s) ? SR_INTERNAL : s->spread.status;
	if (!status && t->k != giver && n)
		memcpy(data, s->offers[giver], n);
	meet(s, SR_REQUEST_NONE);
	return status;
}

void sr_transport_leave(struct sr_transport *t)
{
	struct sr_local_devices *s = sr_local_devices_of(t);
	pthread_mutex_lock(&s->lock);
	s->left++;
	pthread_cond_signal(&s->work);
	pthread_mutex_unlock(&s->lock);
}

void sr_transport_mark_failed(struct sr_transport *t)
{
	int none = -1;
	if (!t->broken)
		return;
	struct sr_local_devices *s = sr_local_devices_of(t);
	atomic_compare_exchange_strong(&s->broken, &none, t->k);
	pthread_mutex_lock(&s->lock);
	pthread_cond_broadcast(&s->met);
	pthread_mutex_unlock(&s->lock);
}

int sr_transport_failed_device(const struct sr_transport *t)
{
	return t->broken ? atomic_load(t->broken) : -1;
}

bool sr_transport_is_multi_device(const struct sr_transport *t)
{
	return t->broken != NULL;
}
