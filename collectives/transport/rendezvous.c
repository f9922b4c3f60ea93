/* Rendezvous of local devices, each on its thread. Also marks a device as failed, or as done with an execution. */
#include "collectives/transport/backoff.h"
#include "collectives/transport/local_devices.h"
#include <string.h>

static bool is_broken(const struct sr_local_devices *local)
{
	return atomic_load(&local->first_failed) >= 0;
}

static void end_rendezvous(struct sr_local_devices *local)
{
	atomic_fetch_add(&local->rendezvous, 1);
	pthread_cond_broadcast(&local->rendezvous_ended);
}

/* Wait for all local devices. If the last device to arrive has a request for the progress thread, all wait until it is done. */
static void rendezvous(const struct sr_transport *t, enum sr_progress_request request)
{
	struct sr_local_devices *local = sr_local_devices_of(t);
	pthread_mutex_lock(&local->lock);
	unsigned count = atomic_load(&local->rendezvous);
	bool is_last = ++local->n_arrived == local->n;
	if (is_last) {
		local->n_arrived = 0;
		local->request = local->ranks ? request : SR_REQUEST_NONE;
		if (local->request)
			pthread_cond_signal(&local->work_posted);
		else
			end_rendezvous(local);
	}
	pthread_mutex_unlock(&local->lock);
	for (int polls = 1; sr_backoff_after(polls, t->oversubscribed).kind != SR_BACKOFF_SLEEP && atomic_load(&local->rendezvous) == count;
	     polls++)
		sr_backoff_wait(polls, t->oversubscribed);
	pthread_mutex_lock(&local->lock);
	while (atomic_load(&local->rendezvous) == count && !is_broken(local))
		pthread_cond_wait(&local->rendezvous_ended, &local->lock);
	pthread_mutex_unlock(&local->lock);
}

enum sr_status sr_local_device_barrier(struct sr_transport *t)
{
	rendezvous(t, SR_REQUEST_BARRIER);
	return sr_transport_is_broken(t) ? SR_INTERNAL : SR_OK;
}

enum sr_status sr_local_device_broadcast(struct sr_transport *t, int root, void *data, uint64_t n)
{
	struct sr_local_devices *local = sr_local_devices_of(t);
	struct sr_device_location root_location = local->locations[root];
	int source = root_location.process == local->process ? root_location.k
							     : 0; /* local device from which the others copy the data */
	pthread_mutex_lock(&local->lock);
	local->buffers[t->local_index] = data;
	if (t->local_index == source) {
		local->broadcast.root = root_location.process;
		local->broadcast.data = data;
		local->broadcast.n = n;
		local->broadcast.status = SR_OK;
	}
	pthread_mutex_unlock(&local->lock);
	rendezvous(t, SR_REQUEST_BROADCAST);
	enum sr_status status = is_broken(local) ? SR_INTERNAL : local->broadcast.status;
	if (!status && t->local_index != source && n)
		memcpy(data, local->buffers[source], n);
	rendezvous(t, SR_REQUEST_NONE);
	return status;
}

void sr_transport_leave(struct sr_transport *t)
{
	if (!sr_transport_needs_progress(t))
		return;
	struct sr_local_devices *local = sr_local_devices_of(t);
	pthread_mutex_lock(&local->lock);
	local->leave_counts[t->local_index]++;
	pthread_cond_signal(&local->work_posted);
	pthread_mutex_unlock(&local->lock);
}

void sr_transport_mark_failed(struct sr_transport *t)
{
	int no_device = -1;
	/* Tell other processes through the abort word. Devices of one process see first_failed, and the client stays usable. */
	if (t->n_local_devices < t->n_devices && t->abort) {
		if (sr_transport_has_messages(t)) /* nobody waits for them any more */
			atomic_store(&t->abort->has_pending, true);
		sr_abort_failed(t->abort);
	}
	if (!t->first_failed)
		return;
	struct sr_local_devices *local = sr_local_devices_of(t);
	atomic_compare_exchange_strong(&local->first_failed, &no_device, t->local_index);
	pthread_mutex_lock(&local->lock);
	pthread_cond_broadcast(&local->rendezvous_ended);
	pthread_mutex_unlock(&local->lock);
}

int sr_transport_failed_device(const struct sr_transport *t)
{
	return t->first_failed ? atomic_load(t->first_failed) : -1;
}
