/* Worker threads of a device, which divide the work of one instruction. The calling thread is one of the workers.
 *
 *	workers = sr_workers_open(4);                              in total; not needed for 1
 *	sr_workers_parallel_for(workers, n, grain, fn, data);             fn(data, worker, begin, end) for all of [0, n)
 *	sr_workers_together(workers, n, fn, data);                        fn(data, worker, count) by `count` workers at once
 *	sr_workers_close(workers);
 *
 * Which worker executes which chunk varies between runs, so results must not depend on it. The caller does not wait for a worker
 * that wakes after all chunks have been taken. Idle workers spin for some microseconds, then sleep. */
#ifndef SR_RUN_WORKERS_H
#define SR_RUN_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

struct sr_workers;
typedef void sr_workers_fn(void *data, int worker, int64_t begin, int64_t end);

/* Start n >= 2 workers, including the calling thread. The new threads block all signals. Returns NULL if threads cannot be
 * started. */
struct sr_workers *sr_workers_open(int n);
void sr_workers_close(struct sr_workers *workers); /* Stop and free the workers; `workers` may be NULL. */
int sr_workers_count(const struct sr_workers *workers); /* Return the number of workers; 1 if `workers` is NULL. */
/* Execute `fn` for all of [0, n), and return when all calls have returned. Chunks begin at multiples of `grain` >= 1; `worker` is
 * in [0, count). */
void sr_workers_parallel_for(struct sr_workers *workers, int64_t n, int64_t grain, sr_workers_fn *fn, void *data);

typedef void sr_together_fn(void *data, int worker, int count);
/* Call `fn` on up to n workers at the same time, and return when all calls have returned. The calling thread waits at most some
 * tens of microseconds for idle workers, and starts with those that are ready. count: number of workers that call `fn`, 1 to n;
 * worker: number of the worker in [0, count), 0 for the calling thread. */
void sr_workers_together(struct sr_workers *workers, int64_t n, sr_together_fn *fn, void *data);
/* Return the barrier of functions that are executed at once. Its first member is a function for generated code
 * (codegen/loop_c.h), which returns when all workers have called it: (*barrier)(barrier, worker, count). */
typedef void sr_barrier_fn(void *barrier, int64_t worker, int64_t count);
sr_barrier_fn **sr_workers_barrier(struct sr_workers *workers);

#endif
