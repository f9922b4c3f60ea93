/* The workers of a device: threads that share the pieces of one step. The thread that asks is one of them, and the only one that speaks MPI.
 *
 *	sr_workers_open(4, &workers);                              in all; for 1 there are none to open
 *	sr_workers_parallel_for(workers, n, grain, piece, data);          piece(data, worker, begin, end) for all of [0, n)
 *	sr_workers_close(workers);
 *
 * Who does which piece changes from run to run, so what a piece computes must not depend on it. A worker that is late finds nothing left to
 * do, and nobody waits for it. Idle ones spin for some microseconds, then sleep. */
#ifndef SR_RUN_WORKERS_H
#define SR_RUN_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

struct sr_workers;
typedef void sr_workers_fn(void *data, int worker, int64_t begin, int64_t end);

/* n in all, the caller's thread among them, at least 2. They leave all signals to other threads. NULL: the system gives no threads. */
struct sr_workers *sr_workers_open(int n);
void sr_workers_close(struct sr_workers *workers); /* NULL is fine */
int sr_workers_count(const struct sr_workers *workers); /* NULL: 1 */
/* Returns when all of [0, n) is done. Parts begin at multiples of `grain`, which is at least 1; worker is in [0, count). */
void sr_workers_parallel_for(struct sr_workers *workers, int64_t n, int64_t grain, sr_workers_fn *piece, void *data);

#endif
