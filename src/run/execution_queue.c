/* Implementation of the execution queue: a ring of tasks, in which each member (a device, or the progress of messages) has a
 * position. The thread that holds a member's mutex `turn_lock` executes the member's tasks. */
#include "run/execution_queue.h"
#include "collectives/transport.h"
#include "run/launch.h"
#include <stdlib.h>
#include <unistd.h>

enum {
	CAPACITY = 64,        /* initial number of tasks in the ring */
	MAX_QUEUED = 32,      /* maximum number of queued tasks; a thread outside of tasks waits before it submits more */
	SPINS = 2000,         /* number of polls where each thread has a core */
};

struct member {
	struct sr_execution_queue *queue;
	int k; /* index of the local device; -1: the member that makes progress on messages */
	bool may_have_thread, has_thread; /* has_thread: protected by the queue's lock */
	pthread_t thread;
	pthread_mutex_t turn_lock; /* held while executing the member's tasks */
	_Atomic uint64_t position; /* number of tasks that the member has executed */
};

struct sr_execution_queue {
	const struct sr_launch *launch;
	struct sr_transport *transport;
	int n, n_members;
	int n_threads;     /* number of members that have a thread */
	_Atomic int spins; /* number of polls before an idle thread or a waiting thread sleeps */
	bool has_threadless;  /* true if some member has no thread and must not get one */
	pthread_mutex_t lock; /* protects all non-atomic members below */
	pthread_cond_t submission, completion;
	struct sr_queue_task **ring; /* queued tasks; task number i is at i % capacity; length: capacity */
	uint64_t capacity;
	/* numbers of tasks that were submitted and that ended. A task that ended is counted once all earlier tasks have
	 * ended; until then its entry in the ring is NULL */
	_Atomic uint64_t submitted, ended;
	_Atomic uint64_t n_wakes; /* number of times that threads were woken, polled by idle threads */
	int n_sleeping;         /* number of member threads that wait for `submission` */
	int n_waiting;          /* number of threads that wait for `completion` */
	bool is_paused;
	_Atomic bool is_closing;
	struct member members[];
};

/* The queue whose task this thread is executing, or NULL. */
static _Thread_local const struct sr_execution_queue *executing_queue;

/* ---- executing ---- */

static void pause_once(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

/* End a task that all devices have run. `number`: number of the task. */
static void end_task(struct sr_execution_queue *q, struct sr_queue_task *task, uint64_t number)
{
	task->end(task);
	pthread_mutex_lock(&q->lock);
	q->ring[number % q->capacity] = NULL;
	uint64_t n_ended = atomic_load(&q->ended);
	while (n_ended < atomic_load(&q->submitted) && !q->ring[n_ended % q->capacity])
		n_ended++;
	atomic_store(&q->ended, n_ended);
	if (q->n_waiting)
		pthread_cond_broadcast(&q->completion);
	pthread_mutex_unlock(&q->lock);
}

/* Execute the member's next task. Returns false if there is none. The caller holds the member's turn_lock. */
static bool run_next(struct member *m)
{
	struct sr_execution_queue *q = m->queue;
	const struct sr_execution_queue *outer = executing_queue;
	uint64_t position = atomic_load_explicit(&m->position, memory_order_relaxed);
	if (position == atomic_load(&q->submitted))
		return false;
	executing_queue = q;
	if (m->k < 0) {
		sr_transport_run_progress(q->transport);
		atomic_store(&m->position, position + 1);
	} else {
		pthread_mutex_lock(&q->lock);
		struct sr_queue_task *task = q->ring[position % q->capacity];
		pthread_mutex_unlock(&q->lock);
		task->run(task, m->k);
		atomic_store(&m->position, position + 1);
		if (atomic_fetch_sub(&task->devices_left, 1) == 1)
			end_task(q, task, position);
	}
	executing_queue = outer;
	return true;
}

/* Wait until the count of wakes differs from `n_wakes`. */
static void wait_for_wake(struct sr_execution_queue *q, uint64_t n_wakes)
{
	for (int i = 0; i < atomic_load(&q->spins) && atomic_load(&q->n_wakes) == n_wakes; i++)
		pause_once();
	pthread_mutex_lock(&q->lock);
	q->n_sleeping++;
	while (atomic_load(&q->n_wakes) == n_wakes)
		pthread_cond_wait(&q->submission, &q->lock);
	q->n_sleeping--;
	pthread_mutex_unlock(&q->lock);
}

/* Wake the threads because of new tasks; the caller holds the lock. */
static void wake(struct sr_execution_queue *q)
{
	atomic_fetch_add(&q->n_wakes, 1);
	if (q->n_sleeping)
		pthread_cond_broadcast(&q->submission);
}

static void *member_main(void *data)
{
	struct member *m = data;
	struct sr_execution_queue *q = m->queue;
	for (;;) {
		uint64_t n_wakes = atomic_load(&q->n_wakes);
		pthread_mutex_lock(&m->turn_lock);
		while (run_next(m))
			;
		pthread_mutex_unlock(&m->turn_lock);
		if (atomic_load(&q->is_closing))
			return NULL;
		wait_for_wake(q, n_wakes);
	}
}

/* Set the number of polls: the members' threads and a thread that waits for them poll at once. */
static void set_spins(struct sr_execution_queue *q)
{
	atomic_store(&q->spins, q->n_threads < sysconf(_SC_NPROCESSORS_ONLN) ? SPINS : 0);
}

/* Return true if the member has a thread, after starting one if needed and allowed. The caller holds the queue's lock. */
static bool start_thread(struct member *m)
{
	if (!m->has_thread && m->may_have_thread && sr_thread_begin(&m->thread, member_main, m)) {
		m->has_thread = true;
		m->queue->n_threads++;
		set_spins(m->queue);
	}
	return m->has_thread;
}

/* ---- submitting ---- */

/* Double the ring; the caller holds the lock. Returns false if memory runs out. */
static bool grow_ring(struct sr_execution_queue *q)
{
	uint64_t n_submitted = atomic_load(&q->submitted), capacity = 2 * q->capacity;
	struct sr_queue_task **ring = malloc(capacity * sizeof *ring);
	if (!ring)
		return false;
	for (uint64_t i = n_submitted - q->capacity; i < n_submitted; i++)
		ring[i % capacity] = q->ring[i % q->capacity];
	free(q->ring);
	q->ring = ring;
	q->capacity = capacity;
	return true;
}

static uint64_t n_queued(const struct sr_execution_queue *q)
{
	return atomic_load(&q->submitted) - atomic_load(&q->ended);
}

/* Wait until some task has ended, or the queue is resumed; the caller holds the lock. */
static void wait_for_completion(struct sr_execution_queue *q)
{
	q->n_waiting++;
	pthread_cond_wait(&q->completion, &q->lock);
	q->n_waiting--;
}

/* Wait until the ring has space for a task; the caller holds the lock, which is released while waiting. */
static void wait_for_space(struct sr_execution_queue *q)
{
	while (executing_queue != q && (q->is_paused || n_queued(q) >= MAX_QUEUED)) {
		if (q->is_paused || !q->has_threadless) {
			wait_for_completion(q);
			continue;
		}
		pthread_mutex_unlock(&q->lock);
		sr_execution_queue_drain(q);
		pthread_mutex_lock(&q->lock);
	}
	while (n_queued(q) == q->capacity && !grow_ring(q))
		wait_for_completion(q);
}

static void unlock_members(struct sr_execution_queue *q, int n)
{
	while (n-- > 0)
		pthread_mutex_unlock(&q->members[n].turn_lock);
}

/* Lock the turns of all members. Returns false if a member has not executed exactly `number` tasks, or another thread is about to
 * execute one. */
static bool lock_members(struct sr_execution_queue *q, uint64_t number)
{
	for (int i = 0; i < q->n_members; i++) {
		if (pthread_mutex_trylock(&q->members[i].turn_lock)) {
			unlock_members(q, i);
			return false;
		}
		if (atomic_load_explicit(&q->members[i].position, memory_order_relaxed) != number) {
			unlock_members(q, i + 1);
			return false;
		}
	}
	return true;
}

/* Execute task `number` on this thread if all devices are idle. Returns false if they are not. */
static bool run_on_this_thread(struct sr_execution_queue *q, struct sr_queue_task *task, uint64_t number)
{
	const struct sr_execution_queue *outer_queue = executing_queue;
	if (outer_queue == q || q->has_threadless || q->n_members > q->n || !lock_members(q, number))
		return false;
	executing_queue = q;
	if (q->n == 1)
		task->run(task, 0);
	else
		task->run_together(task);
	for (int i = 0; i < q->n; i++)
		atomic_store(&q->members[i].position, number + 1);
	end_task(q, task, number);
	executing_queue = outer_queue;
	unlock_members(q, q->n);
	return true;
}

/* Append the task to the ring and return its number. */
static uint64_t append_task(struct sr_execution_queue *q, struct sr_queue_task *task, bool wakes)
{
	atomic_store_explicit(&task->devices_left, q->n, memory_order_relaxed);
	pthread_mutex_lock(&q->lock);
	wait_for_space(q);
	uint64_t number = atomic_load(&q->submitted);
	q->ring[number % q->capacity] = task;
	atomic_store(&q->submitted, number + 1);
	if (wakes)
		wake(q);
	pthread_mutex_unlock(&q->lock);
	return number;
}

static struct member *last_member(struct sr_execution_queue *q)
{
	return &q->members[q->n_members - 1];
}

/* Let threads execute the queued tasks; that of the last member is started if needed. */
static void wake_threads(struct sr_execution_queue *q)
{
	struct member *last = last_member(q);
	pthread_mutex_lock(&q->lock);
	bool has_thread = start_thread(last);
	wake(q);
	pthread_mutex_unlock(&q->lock);
	/* if no thread can be started, this thread executes all tasks */
	if (!has_thread && last->may_have_thread && executing_queue != q) {
		pthread_mutex_lock(&last->turn_lock);
		while (run_next(last))
			;
		pthread_mutex_unlock(&last->turn_lock);
	}
}

void sr_execution_queue_submit(struct sr_execution_queue *q, struct sr_queue_task *task)
{
	bool is_small = task->is_small; /* copied before threads wake, since the task may be freed as soon as they run it */
	uint64_t number = append_task(q, task, false);
	if (!is_small || !run_on_this_thread(q, task, number))
		wake_threads(q);
}

void sr_execution_queue_submit_awaited(struct sr_execution_queue *q, struct sr_queue_task *task)
{
	bool is_small = q->n > 1 && task->is_small;
	uint64_t number = append_task(q, task, q->n_members > 1 && !is_small);
	if (is_small && !run_on_this_thread(q, task, number))
		wake_threads(q);
}

/* ---- waiting ---- */

/* Execute tasks of a member on this thread until *is_done is set or no task is left. Returns false if another thread executes them.
 */
static bool help_member(struct member *m, const _Atomic bool *is_done)
{
	if (m->may_have_thread ? pthread_mutex_trylock(&m->turn_lock) : pthread_mutex_lock(&m->turn_lock))
		return false;
	while (!(is_done && atomic_load(is_done)) && run_next(m))
		;
	pthread_mutex_unlock(&m->turn_lock);
	return true;
}

/* Execute tasks of the last member on this thread, unless that is the progress of messages, which has a thread of its own. */
static void help_members(struct sr_execution_queue *q, const _Atomic bool *is_done)
{
	struct member *last = last_member(q);
	bool can_help = last->may_have_thread ? last->k >= 0 : sr_launch_may_call_mpi(q->launch);
	if (executing_queue == q || !can_help)
		return;
	if (!help_member(last, is_done) && !(is_done && atomic_load(is_done)))
		wake_threads(q);
}

bool sr_execution_queue_has_threadless(const struct sr_execution_queue *q)
{
	return q->has_threadless;
}

void sr_execution_queue_advance(struct sr_execution_queue *q)
{
	if (q->has_threadless)
		help_members(q, NULL);
}

void sr_execution_queue_wait(struct sr_execution_queue *q, const _Atomic bool *is_done)
{
	while (!atomic_load(is_done)) {
		help_members(q, is_done);
		for (int i = 0; i < atomic_load(&q->spins) && !atomic_load(is_done); i++)
			pause_once();
		if (atomic_load(is_done))
			return;
		pthread_mutex_lock(&q->lock);
		if (!atomic_load(is_done))
			wait_for_completion(q);
		pthread_mutex_unlock(&q->lock);
	}
}

static bool has_ended(struct sr_execution_queue *q, uint64_t number)
{
	return atomic_load(&q->ended) >= number;
}

void sr_execution_queue_drain(struct sr_execution_queue *q)
{
	uint64_t number = atomic_load(&q->submitted);
	while (!has_ended(q, number)) {
		help_members(q, NULL);
		pthread_mutex_lock(&q->lock);
		if (!has_ended(q, number))
			wait_for_completion(q);
		pthread_mutex_unlock(&q->lock);
	}
}

void sr_execution_queue_pause(struct sr_execution_queue *q)
{
	pthread_mutex_lock(&q->lock);
	while (q->is_paused)
		wait_for_completion(q);
	q->is_paused = true;
	pthread_mutex_unlock(&q->lock);
	while (n_queued(q)) /* tasks may have submitted others, so repeat */
		sr_execution_queue_drain(q);
}

void sr_execution_queue_resume(struct sr_execution_queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->is_paused = false;
	pthread_cond_broadcast(&q->completion);
	pthread_mutex_unlock(&q->lock);
}

/* ---- opening ---- */

static void add_member(struct sr_execution_queue *q, int k, bool calls_mpi)
{
	struct member *m = &q->members[q->n_members++];
	*m = (struct member){.queue = q, .k = k, .may_have_thread = !calls_mpi || !q->launch->is_funneled};
	pthread_mutex_init(&m->turn_lock, NULL);
	q->has_threadless = q->has_threadless || !m->may_have_thread;
}

struct sr_execution_queue *sr_execution_queue_open(const struct sr_launch *launch, struct sr_transport *transport, int n)
{
	bool has_progress = transport && sr_transport_needs_progress(transport);
	size_t max_members = (size_t)n + 1;
	struct sr_execution_queue *q = calloc(1, sizeof *q + max_members * sizeof *q->members);
	if (!q || !(q->ring = calloc(CAPACITY, sizeof *q->ring))) {
		free(q);
		return NULL;
	}
	q->launch = launch;
	q->transport = transport;
	q->n = n;
	q->capacity = CAPACITY;
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->submission, NULL);
	pthread_cond_init(&q->completion, NULL);
	for (int k = 0; k < n; k++)
		add_member(q, k, n == 1 && (transport || launch->size > 1) && !has_progress);
	if (has_progress)
		add_member(q, -1, true);
	set_spins(q);
	pthread_mutex_lock(&q->lock);
	bool has_threads = true;
	for (int i = 0; has_threads && i < q->n_members - !has_progress; i++)
		has_threads = start_thread(&q->members[i]) || !q->members[i].may_have_thread;
	pthread_mutex_unlock(&q->lock);
	if (!has_threads) {
		sr_execution_queue_close(q);
		return NULL;
	}
	return q;
}

void sr_execution_queue_close(struct sr_execution_queue *q)
{
	if (!q)
		return;
	sr_execution_queue_drain(q);
	pthread_mutex_lock(&q->lock);
	atomic_store(&q->is_closing, true);
	wake(q);
	pthread_mutex_unlock(&q->lock);
	for (int i = 0; i < q->n_members; i++) {
		if (q->members[i].has_thread)
			pthread_join(q->members[i].thread, NULL);
		pthread_mutex_destroy(&q->members[i].turn_lock);
	}
	pthread_cond_destroy(&q->submission);
	pthread_cond_destroy(&q->completion);
	pthread_mutex_destroy(&q->lock);
	free(q->ring);
	free(q);
}
