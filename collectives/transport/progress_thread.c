/* Serving siblings: the thread that opened them has their messages for other processes. It looks after what is under way,
 * patiently (backoff.h) as one who has no core of its own: the siblings want them. With nothing under way it sleeps, now and
 * then looking after what left it and may be on its way. */
#include "collectives/transport/backoff.h"
#include "collectives/transport/local_devices.h"
#include <time.h>

enum { LEAST_NAP_NS = 50000, MOST_NAP_NS = 2000000 };

struct server {
	struct sr_local_devices *siblings;
	struct sr_message_queue under_way;
	bool spoke;  /* there were messages */
	int idle;    /* looks in vain */
	long nap_ns;
};

static void finish(struct sr_message *one, enum sr_message_state state)
{
	atomic_store_explicit(&one->state, state, memory_order_release);
}

/* To MPI, in the order that they came in. */
static void post(struct server *v, struct sr_message *fresh)
{
	struct sr_transport *ranks = v->siblings->ranks;
	for (struct sr_message *next; fresh; fresh = next) {
		next = fresh->next;
		if (ranks->wire->post(fresh->line, fresh->send, fresh->peer, fresh->number, fresh->data, fresh->bytes,
		    fresh->request))
			finish(fresh, SR_MESSAGE_FAILED);
		else
			sr_message_queue_add(&v->under_way, fresh);
		v->spoke = true;
	}
}

static void stir(struct server *v)
{
	v->idle = 0;
	v->nap_ns = LEAST_NAP_NS;
}

/* A letter that is done is its owner's. */
static void look_after(struct server *v)
{
	struct sr_transport *ranks = v->siblings->ranks;
	struct sr_message_queue all = v->under_way;
	v->under_way.first = NULL;
	for (struct sr_message *one = all.first, *next; one; one = next) {
		bool done;
		int culprit;
		next = one->next;
		enum sr_status status = ranks->wire->test(one->line, one->request, 1, &done, &culprit);
		if (!status && !done) {
			sr_message_queue_add(&v->under_way, one);
			continue;
		}
		finish(one, status ? SR_MESSAGE_FAILED : SR_MESSAGE_DONE);
		stir(v);
	}
}

static void run(struct sr_local_devices *s, enum sr_progress_request errand)
{
	struct sr_transport *ranks = s->ranks;
	if (errand == SR_REQUEST_BARRIER)
		ranks->wire->barrier(ranks);
	else
		s->spread.status = ranks->wire->spread(ranks, s->spread.root, s->spread.data, s->spread.n);
	pthread_mutex_lock(&s->lock);
	s->errand = SR_REQUEST_NONE;
	atomic_fetch_add(&s->meetings, 1);
	pthread_cond_broadcast(&s->met);
	pthread_mutex_unlock(&s->lock);
}

static bool has_news(const struct sr_local_devices *s)
{
	return s->posted.first || s->errand || s->left == s->n;
}

static void rest(struct server *v)
{
	struct sr_local_devices *s = v->siblings;
	struct timespec until;
	long most = v->under_way.first ? SR_MAX_SLEEP_NS : MOST_NAP_NS;
	if (sr_backoff_after(++v->idle, true).kind != SR_BACKOFF_SLEEP) {
		sr_backoff_wait(v->idle, true);
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += v->nap_ns < most ? v->nap_ns : most;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	v->nap_ns = v->nap_ns < MOST_NAP_NS ? v->nap_ns * 2 : MOST_NAP_NS;
	pthread_mutex_lock(&s->lock);
	while (!has_news(s) && !v->spoke)
		pthread_cond_wait(&s->work, &s->lock);
	if (!has_news(s))
		pthread_cond_timedwait(&s->work, &s->lock, &until);
	pthread_mutex_unlock(&s->lock);
	if (v->spoke)
		s->ranks->wire->progress(s->ranks);
}

static void serve_ranks(struct sr_local_devices *s)
{
	struct server v = {.siblings = s};
	for (bool over = false; !over;) {
		pthread_mutex_lock(&s->lock);
		struct sr_message *fresh = s->posted.first;
		enum sr_progress_request errand = s->errand;
		s->posted.first = NULL;
		over = s->left == s->n;
		pthread_mutex_unlock(&s->lock);
		if (fresh || errand)
			stir(&v);
		post(&v, fresh);
		look_after(&v);
		if (errand)
			run(s, errand);
		else if (!over)
			rest(&v);
	}
}

void sr_transport_run_progress(struct sr_transport *t)
{
	struct sr_local_devices *s = sr_local_devices_of(t);
	if (s->ranks)
		serve_ranks(s);
	pthread_mutex_lock(&s->lock);
	while (s->left < s->n)
		pthread_cond_wait(&s->work, &s->lock);
	s->left = 0;
	pthread_mutex_unlock(&s->lock);
}
