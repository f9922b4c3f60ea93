/* Workers: each element of a job is processed once, for any number of workers, job size and chunk size. */
#include "run/device.h"
#include "run/workers.h"
#include <math.h>
#include <unistd.h>

enum { MAX_ITEMS = 5000, N_JOBS = 1000 };

struct job {
	uint8_t n_executions[MAX_ITEMS];
	int64_t n, grain;
	int workers;
};

static void mark_range(void *data, int worker, int64_t begin, int64_t end)
{
	struct job *job = data;
	ck_assert(worker >= 0 && worker < job->workers && begin % job->grain == 0 && end <= job->n);
	for (; begin < end; begin++)
		job->n_executions[begin]++;
}

/* Take longer on all threads but the caller's, so that the caller sleeps until they have ended. */
static void mark_range_slowly(void *data, int worker, int64_t begin, int64_t end)
{
	if (worker)
		usleep(3000);
	mark_range(data, worker, begin, end);
}

static void jobs_are_done_once(int n_workers)
{
	static struct job job;
	unsigned random = 1;
	job.workers = n_workers;
	struct sr_workers *workers = sr_workers_open(n_workers);
	ck_assert_ptr_nonnull(workers);
	ck_assert_int_eq(sr_workers_count(workers), n_workers);
	for (int k = 0; k < N_JOBS; k++) {
		random = random * 1664525u + 1013904223u;
		job.n = (random >> 8) % MAX_ITEMS;
		job.grain = 1 + (random >> 4) % 37;
		memset(job.n_executions, 0, sizeof job.n_executions);
		sr_workers_parallel_for(workers, job.n, job.grain, k % 100 ? mark_range : mark_range_slowly, &job);
		for (int i = 0; i < MAX_ITEMS; i++)
			ck_assert_int_eq(job.n_executions[i], i < job.n);
		if (k % 300 == 299)
			usleep(3000); /* pause until the workers sleep */
	}
	sr_workers_close(workers);
}

enum { N_ROUNDS = 200, MAX_TOGETHER = 8 };
struct rounds { /* numbers that workers pass on to each other, a round at a time */
	struct sr_workers *workers;
	int numbers[2][MAX_TOGETHER], last[MAX_TOGETHER], count;
};

/* In each round write one more than the number that the next worker wrote in the round before. */
static void pass_numbers(void *data, int worker, int count)
{
	struct rounds *r = data;
	sr_barrier_fn **barrier = sr_workers_barrier(r->workers);
	ck_assert(worker >= 0 && worker < count && count <= MAX_TOGETHER);
	if (!worker)
		r->count = count;
	r->numbers[1][worker] = worker;
	(*barrier)(barrier, worker, count);
	for (int k = 0; k < N_ROUNDS; k++) {
		r->numbers[k % 2][worker] = r->numbers[(k + 1) % 2][(worker + 1) % count] + 1;
		(*barrier)(barrier, worker, count);
	}
	r->last[worker] = r->numbers[(N_ROUNDS - 1) % 2][worker];
}

/* Workers execute a function at once, between jobs of chunks: all that are ready, up to a limit, and all rounds in order. */
static void jobs_are_done_together(int n_workers, int limit)
{
	static struct job job;
	struct rounds rounds = {.workers = sr_workers_open(n_workers)};
	ck_assert_ptr_nonnull(rounds.workers);
	job = (struct job){.n = 1000, .grain = 7, .workers = n_workers};
	for (int k = 0; k < 100; k++) {
		sr_workers_together(rounds.workers, limit, pass_numbers, &rounds);
		ck_assert(rounds.count >= 1 && rounds.count <= n_workers && rounds.count <= limit);
		for (int i = 0; i < rounds.count; i++)
			ck_assert_int_eq(rounds.last[i], (i + N_ROUNDS) % rounds.count + N_ROUNDS);
		memset(job.n_executions, 0, sizeof job.n_executions);
		sr_workers_parallel_for(rounds.workers, job.n, job.grain, mark_range, &job);
		for (int i = 0; i < job.n; i++)
			ck_assert_msg(job.n_executions[i] == 1, "element %d", i);
		if (k % 30 == 29)
			usleep(3000); /* pause until the workers sleep */
	}
	sr_workers_close(rounds.workers);
}

START_TEST(loops_have_the_faster_number_of_threads)
{
	struct sr_loop_times t = {.executions = 0};
	ck_assert(!sr_loop_is_for_one_thread(&t, 1e-3));
	sr_loop_record_time(&t, false, 1e-3); /* short: one thread is tried, and slower */
	ck_assert(sr_loop_is_for_one_thread(&t, INFINITY));
	sr_loop_record_time(&t, true, 2e-3);
	for (int k = 2; k < 256; k++) {
		ck_assert(!sr_loop_is_for_one_thread(&t, INFINITY));
		sr_loop_record_time(&t, false, 1e-3);
	}
	ck_assert(sr_loop_is_for_one_thread(&t, INFINITY)); /* tried again, and faster */
	sr_loop_record_time(&t, true, 5e-4);
	ck_assert(sr_loop_is_for_one_thread(&t, INFINITY));
	for (int k = 257; k < 256 + 512; k++)
		sr_loop_record_time(&t, true, 5e-4);
	ck_assert(!sr_loop_is_for_one_thread(&t, INFINITY)); /* all threads are tried again */
	sr_loop_record_time(&t, false, 1e-3);
	ck_assert(sr_loop_is_for_one_thread(&t, INFINITY));

	struct sr_loop_times longer = {.executions = 0}; /* long: one thread is tried if it is estimated to take less */
	sr_loop_record_time(&longer, false, 1);
	ck_assert(!sr_loop_is_for_one_thread(&longer, INFINITY));
	ck_assert(!sr_loop_is_for_one_thread(&longer, 2));
	ck_assert(sr_loop_is_for_one_thread(&longer, .5));
	sr_loop_record_time(&longer, true, 10);
	for (int k = 2; k < 600; k++) { /* never again if it takes much longer */
		ck_assert(!sr_loop_is_for_one_thread(&longer, .5));
		sr_loop_record_time(&longer, false, 1);
	}
}
END_TEST
