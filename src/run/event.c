/* Implementation of events. The flag `is_set` is published last, so that a reader that sees it needs no lock; waiting threads sleep
 * on a condition. */
#include "run/event.h"
#include "support/thread.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SPINS = 2000 }; /* number of polls before a waiting thread sleeps, which take some microseconds */

struct waiter {
	sr_event_fn *fn;
	void *data;
	struct waiter *next;
};

struct sr_event {
	_Atomic int64_t references;
	_Atomic bool is_set;
	enum sr_status status;    /* status of the work; valid once is_set */
	char *message;            /* message of a failure, owned; NULL: none */
	struct waiter *waiters;   /* functions to call when the event is set, the newest first */
	void (*advance)(void *data); /* function that waiting threads call before they sleep; NULL: none */
	void *advance_data;
	pthread_mutex_t lock;
	pthread_cond_t set;
};

struct sr_event *sr_event_new(void)
{
	struct sr_event *e = calloc(1, sizeof *e);
	if (!e)
		return NULL;
	atomic_init(&e->references, 1);
	pthread_mutex_init(&e->lock, NULL);
	pthread_cond_init(&e->set, NULL);
	return e;
}

struct sr_event *sr_event_keep(struct sr_event *e)
{
	atomic_fetch_add_explicit(&e->references, 1, memory_order_relaxed);
	return e;
}

void sr_event_release(struct sr_event *e)
{
	if (!e || atomic_fetch_sub_explicit(&e->references, 1, memory_order_acq_rel) != 1)
		return;
	for (struct waiter *w = e->waiters, *next; w; w = next) {
		next = w->next;
		free(w);
	}
	pthread_mutex_destroy(&e->lock);
	pthread_cond_destroy(&e->set);
	free(e->message);
	free(e);
}

/* Return the list in reverse order: functions are called in the order in which they were added. */
static struct waiter *reverse_list(struct waiter *list)
{
	struct waiter *out = NULL;
	while (list) {
		struct waiter *next = list->next;
		list->next = out;
		out = list;
		list = next;
	}
	return out;
}

void sr_event_set(struct sr_event *e, enum sr_status status, const char *message)
{
	sr_event_keep(e); /* this reference keeps the event: a called function may drop the last other one */
	pthread_mutex_lock(&e->lock);
	e->status = status;
	e->message = message && *message ? strdup(message) : NULL;
	atomic_store_explicit(&e->is_set, true, memory_order_release);
	struct waiter *list = reverse_list(e->waiters);
	e->waiters = NULL;
	pthread_cond_broadcast(&e->set);
	pthread_mutex_unlock(&e->lock);
	while (list) {
		struct waiter *next = list->next;
		list->fn(list->data, status, sr_event_message(e));
		free(list);
		list = next;
	}
	sr_event_release(e);
}

bool sr_event_is_set(const struct sr_event *e)
{
	return atomic_load_explicit(&e->is_set, memory_order_acquire);
}

void sr_event_set_helper(struct sr_event *e, void (*advance)(void *data), void *data)
{
	e->advance = advance;
	e->advance_data = data;
}

enum sr_status sr_event_wait(struct sr_event *e)
{
	if (e->advance && !sr_event_is_set(e))
		e->advance(e->advance_data);
	for (int i = 0; i < SPINS && !sr_event_is_set(e); i++)
		;
	if (!sr_event_is_set(e)) {
		pthread_mutex_lock(&e->lock);
		while (!sr_event_is_set(e))
			pthread_cond_wait(&e->set, &e->lock);
		pthread_mutex_unlock(&e->lock);
	}
	return e->status;
}

const char *sr_event_message(const struct sr_event *e)
{
	return e->message ? e->message : "";
}

bool sr_event_on_set(struct sr_event *e, sr_event_fn *fn, void *data)
{
	if (!sr_event_is_set(e)) {
		struct waiter *w = malloc(sizeof *w);
		if (!w)
			return false;
		*w = (struct waiter){fn, data, NULL};
		pthread_mutex_lock(&e->lock);
		bool is_pending = !sr_event_is_set(e);
		if (is_pending) {
			w->next = e->waiters;
			e->waiters = w;
		}
		pthread_mutex_unlock(&e->lock);
		if (is_pending)
			return true;
		free(w);
	}
	fn(data, e->status, sr_event_message(e));
	return true;
}
