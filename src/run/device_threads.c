/* Device threads: tasks are numbered, and each thread runs every number once. */
#include "run/device_threads.h"
#include "support/thread.h"
#include <stdlib.h>

struct sr_device_threads {
	int n, busy;
	unsigned number; /* number of tasks so far */
	bool ends;
	sr_device_threads_task *task;
	void *data;
	pthread_mutex_t lock;
	pthread_cond_t begin, done;
	struct member {
		struct sr_device_threads *threads;
		pthread_t thread;
	} members[]; /* [n] */
};

static void *thread_main(void *data)
{
	struct member *me = data;
	struct sr_device_threads *c = me->threads;
	pthread_mutex_lock(&c->lock);
	for (unsigned seen = 0;; seen++) {
		while (c->number == seen && !c->ends)
			pthread_cond_wait(&c->begin, &c->lock);
		if (c->ends)
			break;
		pthread_mutex_unlock(&c->lock);
		c->task(c->data, (int)(me - c->members));
		pthread_mutex_lock(&c->lock);
		if (!--c->busy)
			pthread_cond_signal(&c->done);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

struct sr_device_threads *sr_device_threads_open(int n)
{
	struct sr_device_threads *c = calloc(1, sizeof *c + (size_t)n * sizeof *c->members);
	if (!c)
		return NULL;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->begin, NULL);
	pthread_cond_init(&c->done, NULL);
	for (; c->n < n; c->n++) {
		c->members[c->n].threads = c;
		if (!sr_thread_begin(&c->members[c->n].thread, thread_main, &c->members[c->n]))
			break;
	}
	if (c->n == n)
		return c;
	sr_device_threads_close(c);
	return NULL;
}

void sr_device_threads_close(struct sr_device_threads *c)
{
	if (!c)
		return;
	pthread_mutex_lock(&c->lock);
	c->ends = true;
	pthread_cond_broadcast(&c->begin);
	pthread_mutex_unlock(&c->lock);
	for (int i = 0; i < c->n; i++)
		pthread_join(c->members[i].thread, NULL);
	pthread_cond_destroy(&c->begin);
	pthread_cond_destroy(&c->done);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

void sr_device_threads_begin(struct sr_device_threads *c, sr_device_threads_task *task, void *data)
{
	pthread_mutex_lock(&c->lock);
	c->task = task;
	c->data = data;
	c->busy = c->n;
	c->number++;
	pthread_cond_broadcast(&c->begin);
	pthread_mutex_unlock(&c->lock);
}

void sr_device_threads_wait(struct sr_device_threads *c)
{
	pthread_mutex_lock(&c->lock);
	while (c->busy)
		pthread_cond_wait(&c->done, &c->lock);
	pthread_mutex_unlock(&c->lock);
}
