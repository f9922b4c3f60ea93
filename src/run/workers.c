/* Worker threads that take chunks of a job from a shared counter, or execute a function at once. A job is open while chunks may be
 * left, or while workers may join those that execute it at once; the workers that take part in it are counted. Threads that wait
 * for each other spin for some microseconds, then sleep, so that a thread that has lost its core to another program gets it back. At
 * a barrier they only spin and yield the core. */
#include "run/workers.h"
#include "support/float_mode.h"
#include "support/thread.h"
#include <sched.h>
#include <stdlib.h>

enum { SPINS = 4000, CHUNKS_PER_WORKER = 4, OPEN = 1, ONE = 2 };

enum { MAX_ROUNDS = 16 }; /* rounds of a barrier, enough for 2^16 threads */
/* State of a worker in the barrier of sr_workers_together: in each round it waits for a signal of another worker. */
struct waiter {
	_Alignas(128) atomic_uint signals[MAX_ROUNDS]; /* number of the last barrier for which the signal of each round came */
	unsigned passed; /* number of barriers that the worker has entered */
};

struct barrier {
	sr_barrier_fn *fn; /* first, for generated code */
	struct waiter *waiters; /* length: number of workers */
};

struct sr_workers {
	int n;
	struct {
		sr_workers_fn *fn;
		sr_together_fn *together; /* if not NULL: the workers execute it at once */
		void *data;
		int64_t n, chunk; /* number of elements in total, and per chunk */
		unsigned float_mode; /* the caller's, which holds for all workers */
	} job;
	/* first element of the loop that no worker has taken yet; number of workers that have joined a job of all at once */
	_Atomic int64_t next;
	atomic_int count;        /* number of workers that execute a function at once; 0: not known yet */
	struct barrier barrier;
	atomic_uint state;       /* OPEN while chunks may be left, plus ONE for each worker besides the caller that takes part */
	atomic_uint number;      /* number of jobs so far, which idle workers poll */
	atomic_int sleeping;     /* number of workers that wait for `wake` */
	atomic_bool caller_sleeps; /* true if the caller waits for `ended` */
	atomic_bool is_ending;
	pthread_mutex_t mutex;
	pthread_cond_t wake, ended; /* signalled when a job begins; when its last worker has ended its part */
	struct worker {
		struct sr_workers *all;
		pthread_t thread;
	} workers[];             /* workers by number, of which number 0 is the calling thread; length: n */
};

static void pause_once(int round)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
	if (round % 64 == 63)
		sched_yield();
}

static void take_chunks(struct sr_workers *w, int worker)
{
	for (;;) {
		int64_t begin = atomic_fetch_add_explicit(&w->next, w->job.chunk, memory_order_relaxed);
		if (begin >= w->job.n)
			return;
		w->job.fn(w->job.data, worker, begin, w->job.n - begin < w->job.chunk ? w->job.n : begin + w->job.chunk);
	}
}

/* Dissemination barrier (Hensgen, Finkel and Manber 1988): in round r worker i signals worker i + 2^r, and waits for the signal of
 * worker i - 2^r. */
static void wait_at_barrier(void *barrier, int64_t worker, int64_t count)
{
	struct waiter *waiters = ((struct barrier *)barrier)->waiters;
	unsigned number = ++waiters[worker].passed;
	int round = 0;
	for (int64_t distance = 1; distance < count; distance *= 2, round++) {
		atomic_uint *signal = &waiters[worker].signals[round];
		atomic_store_explicit(&waiters[(worker + distance) % count].signals[round], number, memory_order_release);
		for (int i = 0; (int)(atomic_load_explicit(signal, memory_order_acquire) - number) < 0; i++)
			pause_once(i);
	}
}

/* Join a job of all workers at once, and execute its function once the first worker has counted them. */
static void execute_together(struct sr_workers *w)
{
	int64_t worker = atomic_fetch_add(&w->next, 1);
	for (int i = 0; !atomic_load(&w->count); i++)
		pause_once(i);
	if (worker < w->job.n)
		w->job.together(w->job.data, (int)worker, atomic_load(&w->count));
}

/* Wait until the number of the current job differs from `job_number`, and return it. Sleeps after spinning for some time. */
static unsigned wait_for_job(struct sr_workers *w, unsigned job_number)
{
	for (int i = 0; i < SPINS; i++) {
		if (atomic_load(&w->number) != job_number)
			return atomic_load(&w->number);
		pause_once(i);
	}
	pthread_mutex_lock(&w->mutex);
	atomic_fetch_add(&w->sleeping, 1);
	while (atomic_load(&w->number) == job_number)
		pthread_cond_wait(&w->wake, &w->mutex);
	atomic_fetch_sub(&w->sleeping, 1);
	pthread_mutex_unlock(&w->mutex);
	return atomic_load(&w->number);
}

static void *worker_main(void *data)
{
	struct worker *me = data;
	struct sr_workers *w = me->all;
	for (unsigned job_number = 0;;) {
		job_number = wait_for_job(w, job_number);
		if (atomic_load(&w->is_ending))
			return NULL;
		unsigned state = atomic_load(&w->state);
		while (state & OPEN && !atomic_compare_exchange_weak(&w->state, &state, state + ONE))
			;
		if (!(state & OPEN))
			continue;
		sr_float_mode_set(w->job.float_mode);
		if (w->job.together)
			execute_together(w);
		else
			take_chunks(w, (int)(me - w->workers));
		if (atomic_fetch_sub(&w->state, ONE) != ONE || !atomic_load(&w->caller_sleeps))
			continue;
		pthread_mutex_lock(&w->mutex);
		pthread_cond_signal(&w->ended);
		pthread_mutex_unlock(&w->mutex);
	}
}

static void wake_workers(struct sr_workers *w)
{
	atomic_fetch_add(&w->number, 1);
	if (!atomic_load(&w->sleeping))
		return;
	pthread_mutex_lock(&w->mutex);
	pthread_cond_broadcast(&w->wake);
	pthread_mutex_unlock(&w->mutex);
}

/* Wait until no worker takes part in the job, which is not open any more. */
static void wait_for_end(struct sr_workers *w)
{
	for (int i = 0; i < SPINS; i++) {
		if (!atomic_load(&w->state))
			return;
		pause_once(i);
	}
	pthread_mutex_lock(&w->mutex);
	atomic_store(&w->caller_sleeps, true);
	while (atomic_load(&w->state))
		pthread_cond_wait(&w->ended, &w->mutex);
	atomic_store(&w->caller_sleeps, false);
	pthread_mutex_unlock(&w->mutex);
}

void sr_workers_parallel_for(struct sr_workers *w, int64_t n, int64_t grain, sr_workers_fn *fn, void *data)
{
	int64_t chunks = (n + grain - 1) / grain, chunks_per_claim = chunks / ((int64_t)w->n * CHUNKS_PER_WORKER);
	w->job.fn = fn;
	w->job.together = NULL;
	w->job.data = data;
	w->job.n = n;
	w->job.float_mode = sr_float_mode();
	w->job.chunk = (chunks_per_claim > 1 ? chunks_per_claim : 1) * grain;
	atomic_store(&w->next, 0);
	atomic_store(&w->state, OPEN);
	wake_workers(w);
	take_chunks(w, 0);
	atomic_fetch_and(&w->state, ~(unsigned)OPEN);
	wait_for_end(w);
}

void sr_workers_together(struct sr_workers *w, int64_t n, sr_together_fn *fn, void *data)
{
	w->job.together = fn;
	w->job.data = data;
	w->job.n = n < w->n ? n : w->n;
	w->job.float_mode = sr_float_mode();
	for (int i = 0; i < w->n; i++) {
		w->barrier.waiters[i].passed = 0;
		for (int r = 0; r < MAX_ROUNDS; r++)
			atomic_store_explicit(&w->barrier.waiters[i].signals[r], 0, memory_order_relaxed);
	}
	atomic_store(&w->next, 1);
	atomic_store(&w->count, 0);
	atomic_store(&w->state, OPEN);
	wake_workers(w);
	for (int i = 0; i < SPINS && atomic_load(&w->state) / ONE + 1 < w->job.n; i++)
		pause_once(i);
	int64_t count = 1 + atomic_fetch_and(&w->state, ~(unsigned)OPEN) / ONE;
	atomic_store(&w->count, (int)(count < w->job.n ? count : w->job.n));
	fn(data, 0, atomic_load(&w->count));
	wait_for_end(w);
}

sr_barrier_fn **sr_workers_barrier(struct sr_workers *w)
{
	return &w->barrier.fn;
}

int sr_workers_count(const struct sr_workers *w)
{
	return w ? w->n : 1;
}

struct sr_workers *sr_workers_open(int n)
{
	struct sr_workers *w = calloc(1, sizeof *w + (size_t)n * sizeof *w->workers);
	struct waiter *waiters = w ? aligned_alloc(_Alignof(struct waiter), (size_t)n * sizeof *waiters) : NULL;
	if (!waiters) {
		free(w);
		return NULL;
	}
	w->barrier = (struct barrier){wait_at_barrier, waiters};
	pthread_mutex_init(&w->mutex, NULL);
	pthread_cond_init(&w->wake, NULL);
	pthread_cond_init(&w->ended, NULL);
	for (w->n = 1; w->n < n; w->n++) {
		w->workers[w->n].all = w;
		if (!sr_thread_begin(&w->workers[w->n].thread, worker_main, &w->workers[w->n]))
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
	atomic_store(&w->is_ending, true);
	wake_workers(w);
	for (int i = 1; i < w->n; i++)
		pthread_join(w->workers[i].thread, NULL);
	pthread_cond_destroy(&w->wake);
	pthread_cond_destroy(&w->ended);
	pthread_mutex_destroy(&w->mutex);
	free(w->barrier.waiters);
	free(w);
}
