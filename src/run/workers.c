/* A job is open while there may be parts left; who takes part is counted beside. */
#include "run/workers.h"
#include "support/thread.h"
#include <sched.h>
#include <stdlib.h>

enum { SPINS = 4000, PARTS_EACH = 4, OPEN = 1, ONE = 2 };

struct sr_workers {
	int n;
	struct {
		sr_workers_fn *piece;
		void *data;
		int64_t n, part; /* elements, and of one part */
	} job;
	_Atomic int64_t next;    /* element that nobody has taken */
	atomic_uint state;       /* OPEN, and ONE for each worker that takes part beside the caller */
	atomic_uint number;      /* of jobs so far: what idle workers look at */
	atomic_int asleep;
	atomic_bool ends;
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	struct worker {
		struct sr_workers *all;
		pthread_t thread;
	} workers[];             /* [n]; the caller is 0 */
};

static void pause_once(int round)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
	if (round % 64 == 63)
		sched_yield();
}

static void take_parts(struct sr_workers *w, int worker)
{
	for (;;) {
		int64_t begin = atomic_fetch_add_explicit(&w->next, w->job.part, memory_order_relaxed);
		if (begin >= w->job.n)
			return;
		w->job.piece(w->job.data, worker, begin, w->job.n - begin < w->job.part ? w->job.n : begin + w->job.part);
	}
}

/* The number of a job that is not `seen`; sleeps when it takes long. */
static unsigned wait_for_job(struct sr_workers *w, unsigned seen)
{
	for (int i = 0; i < SPINS; i++) {
		if (atomic_load(&w->number) != seen)
			return atomic_load(&w->number);
		pause_once(i);
	}
	pthread_mutex_lock(&w->mutex);
	atomic_fetch_add(&w->asleep, 1);
	while (atomic_load(&w->number) == seen)
		pthread_cond_wait(&w->wake, &w->mutex);
	atomic_fetch_sub(&w->asleep, 1);
	pthread_mutex_unlock(&w->mutex);
	return atomic_load(&w->number);
}

static void *work(void *data)
{
	struct worker *me = data;
	struct sr_workers *w = me->all;
	for (unsigned seen = 0;;) {
		seen = wait_for_job(w, seen);
		if (atomic_load(&w->ends))
			return NULL;
		unsigned state = atomic_load(&w->state);
		while (state & OPEN && !atomic_compare_exchange_weak(&w->state, &state, state + ONE))
			;
		if (!(state & OPEN))
			continue;
		take_parts(w, (int)(me - w->workers));
		atomic_fetch_sub(&w->state, ONE);
	}
}

static void call(struct sr_workers *w)
{
	atomic_fetch_add(&w->number, 1);
	if (!atomic_load(&w->asleep))
		return;
	pthread_mutex_lock(&w->mutex);
	pthread_cond_broadcast(&w->wake);
	pthread_mutex_unlock(&w->mutex);
}

void sr_workers_parallel_for(struct sr_workers *w, int64_t n, int64_t grain, sr_workers_fn *piece, void *data)
{
	int64_t parts = (n + grain - 1) / grain, each = parts / ((int64_t)w->n * PARTS_EACH);
	w->job.piece = piece;
	w->job.data = data;
	w->job.n = n;
	w->job.part = (each > 1 ? each : 1) * grain;
	atomic_store(&w->next, 0);
	atomic_store(&w->state, OPEN);
	call(w);
	take_parts(w, 0);
	atomic_fetch_and(&w->state, ~(unsigned)OPEN);
	for (int i = 0; atomic_load(&w->state); i++)
		pause_once(i);
}

int sr_workers_count(const struct sr_workers *w)
{
	return w ? w->n : 1;
}

struct sr_workers *sr_workers_open(int n)
{
	struct sr_workers *w = calloc(1, sizeof *w + (size_t)n * sizeof *w->workers);
	if (!w)
		return NULL;
	pthread_mutex_init(&w->mutex, NULL);
	pthread_cond_init(&w->wake, NULL);
	for (w->n = 1; w->n < n; w->n++) {
		w->workers[w->n].all = w;
		if (!sr_thread_begin(&w->workers[w->n].thread, work, &w->workers[w->n]))
			break;
	}
	if (w->n == n)
		return w;
	sr_workers_close(w);
	return NULL;
}

void sr_workers_close(struct sr_workers *w)
{
	if (!w)
		return;
	atomic_store(&w->ends, true);
	call(w);
	for (int i = 1; i < w->n; i++)
		pthread_join(w->workers[i].thread, NULL);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->mutex);
	free(w);
}
