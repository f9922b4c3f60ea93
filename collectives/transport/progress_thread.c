/* Progress thread of local devices: executes their messages to other processes and their collective requests through MPI. It
 * polls with backoff (backoff.h) as if it had no core of its own, since the devices' threads need the cores. With nothing in
 * flight it sleeps and calls MPI's progress from time to time, for messages that have left this process but not the node. */
#include "collectives/transport/backoff.h"
#include "collectives/transport/local_devices.h"
#include <time.h>

enum { MIN_SLEEP_NS = 50000, MAX_IDLE_NS = 2000000 };

struct progress_loop {
	struct sr_local_devices *local_devices;
	bool has_posted;  /* true once a message has been posted to MPI */
	int polls;    /* number of consecutive polls in which no message completed */
	long sleep_ns;
};

static void set_state(struct sr_message *message, enum sr_message_state state)
{
	atomic_store_explicit(&message->state, state, memory_order_release);
}

/* Post messages to MPI, in the order in which they were queued. */
static void post_messages(struct progress_loop *v, struct sr_message *queued)
{
	struct sr_transport *ranks = v->local_devices->ranks;
	for (struct sr_message *next; queued; queued = next) {
		next = queued->next;
		if (ranks->ops->post(queued->processes, queued->send, queued->peer, queued->number, queued->data, queued->bytes,
				     queued->request))
			set_state(queued, SR_MESSAGE_FAILED);
		else
			sr_message_queue_add(&v->local_devices->in_flight, queued);
		v->has_posted = true;
	}
}

static void reset_backoff(struct progress_loop *v)
{
	v->polls = 0;
	v->sleep_ns = MIN_SLEEP_NS;
}

/* Test the messages in flight. A completed message belongs again to the thread that posted it. */
static void test_messages(struct progress_loop *v)
{
	struct sr_transport *ranks = v->local_devices->ranks;
	struct sr_message_queue tested_queue = v->local_devices->in_flight;
	v->local_devices->in_flight.first = NULL;
	for (struct sr_message *message = tested_queue.first, *next; message; message = next) {
		bool is_done;
		int culprit;
		next = message->next;
		enum sr_status status = ranks->ops->test(message->processes, message->request, 1, &is_done, &culprit);
		if (!status && !is_done) {
			sr_message_queue_add(&v->local_devices->in_flight, message);
			continue;
		}
		set_state(message, status ? SR_MESSAGE_FAILED : SR_MESSAGE_DONE);
		reset_backoff(v);
	}
}

static void run_request(struct sr_local_devices *local, enum sr_progress_request request)
{
	struct sr_transport *ranks = local->ranks;
	if (request == SR_REQUEST_BARRIER)
		(void)ranks->ops->barrier(ranks); /* the status is ignored: a failure sets the abort word */
	else
		local->broadcast.status = ranks->ops->broadcast(ranks, local->broadcast.root, local->broadcast.data,
								local->broadcast.n);
	pthread_mutex_lock(&local->lock);
	local->request = SR_REQUEST_NONE;
	atomic_fetch_add(&local->rendezvous, 1);
	pthread_cond_broadcast(&local->rendezvous_ended);
	pthread_mutex_unlock(&local->lock);
}

/* Return true if every local device has called sr_transport_leave for the current progress loop: more often than progress loops
 * have ended. */
static bool have_all_left(const struct sr_local_devices *local)
{
	for (int k = 0; k < local->n; k++)
		if (local->leave_counts[k] <= local->n_ended_progress_loops)
			return false;
	return true;
}

static bool has_work(const struct sr_local_devices *local)
{
	return local->posted.first || local->request || have_all_left(local);
}

static void wait_for_work(struct progress_loop *v)
{
	struct sr_local_devices *local = v->local_devices;
	struct timespec deadline;
	long limit = v->local_devices->in_flight.first ? SR_MAX_SLEEP_NS : MAX_IDLE_NS;
	if (sr_backoff_after(++v->polls, true).kind != SR_BACKOFF_SLEEP) {
		sr_backoff_wait(v->polls, true);
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_nsec += v->sleep_ns < limit ? v->sleep_ns : limit;
	deadline.tv_sec += deadline.tv_nsec / 1000000000;
	deadline.tv_nsec %= 1000000000;
	v->sleep_ns = v->sleep_ns < MAX_IDLE_NS ? v->sleep_ns * 2 : MAX_IDLE_NS;
	pthread_mutex_lock(&local->lock);
	while (!has_work(local) && !v->has_posted)
		pthread_cond_wait(&local->work_posted, &local->lock);
	if (!has_work(local))
		pthread_cond_timedwait(&local->work_posted, &local->lock, &deadline);
	pthread_mutex_unlock(&local->lock);
	if (v->has_posted)
		local->ranks->ops->progress(local->ranks);
}

static void run_loop(struct sr_local_devices *local)
{
	struct progress_loop v = {.local_devices = local, .has_posted = local->in_flight.first};
	for (bool is_done = false; !is_done;) {
		pthread_mutex_lock(&local->lock);
		struct sr_message *queued_message = local->posted.first;
		enum sr_progress_request request = local->request;
		local->posted.first = NULL;
		is_done = have_all_left(local);
		pthread_mutex_unlock(&local->lock);
		if (queued_message || request)
			reset_backoff(&v);
		post_messages(&v, queued_message);
		test_messages(&v);
		if (request)
			run_request(local, request);
		else if (!is_done)
			wait_for_work(&v);
	}
	if (!sr_transport_is_broken(local->ranks))
		return; /* messages stay in flight if their devices have already begun the next execution */
	for (struct sr_message *message = local->in_flight.first; message; message = message->next)
		local->ranks->ops->abandon(message->processes, message->request, 1);
	local->in_flight.first = NULL;
}

bool sr_transport_needs_progress(const struct sr_transport *t)
{
	return t->first_failed && sr_local_devices_of(t)->ranks;
}

void sr_transport_run_progress(struct sr_transport *t)
{
	struct sr_local_devices *local = sr_local_devices_of(t);
	run_loop(local);
	pthread_mutex_lock(&local->lock);
	local->n_ended_progress_loops++;
	pthread_mutex_unlock(&local->lock);
}
