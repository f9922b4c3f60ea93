/* Workers: each element of a job is processed once, for any number of workers, job size and chunk size. */
#include "run/workers.h"
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
