/* A crew: tasks are numbered, and each member does every number once. */
#include "run/crew.h"
#include "support/thread.h"
#include <stdlib.h>

struct sr_crew {
	int n, busy;
	unsigned number; /* of tasks so far */
	bool ends;
	sr_crew_task *task;
	void *data;
	pthread_mutex_t lock;
	pthread_cond_t begin, done;
	struct member {
		struct sr_crew *crew;
		pthread_t thread;
	} members[]; /* [n] */
};

static void *work(void *data)
{
	struct member *me = data;
	struct sr_crew *c = me->crew;
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

struct sr_crew *sr_crew_open(int n)
{
	struct sr_crew *c = calloc(1, sizeof *c + (size_t)n * sizeof *c->members);
	if (!c)
		return NULL;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->begin, NULL);
	pthread_cond_init(&c->done, NULL);
	for (; c->n < n; c->n++) {
		c->members[c->n].crew = c;
		if (!sr_thread_begin(&c->members[c->n].thread, work, &c->members[c->n]))
			break;
	}
	if (c->n == n)
		return c;
	sr_crew_close(c);
	return NULL;
}

void sr_crew_close(struct sr_crew *c)
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

void sr_crew_begin(struct sr_crew *c, sr_crew_task *task, void *data)
{
	pthread_mutex_lock(&c->lock);
	c->task = task;
	c->data = data;
	c->busy = c->n;
	c->number++;
	pthread_cond_broadcast(&c->begin);
	pthread_mutex_unlock(&c->lock);
}

void sr_crew_wait(struct sr_crew *c)
{
	pthread_mutex_lock(&c->lock);
	while (c->busy)
		pthread_cond_wait(&c->done, &c->lock);
	pthread_mutex_unlock(&c->lock);
}
