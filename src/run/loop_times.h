/* The choice between one thread and all threads of a device for a compiled loop that threads can divide
 * (codegen/loop_threads.h), by the times of earlier executions. Bits do not depend on it.
 *
 * All threads take longer if other processes use their cores, since each barrier waits for a thread that is not running, or if the
 * loop has few iterations. So after one execution by all threads, the next one is by one thread if they took less than 2 ms or
 * longer than estimated for one thread; from then on the faster way is taken, and the other way tried again after 256, 512, 1024,
 * ... executions. */
#ifndef SR_RUN_LOOP_TIMES_H
#define SR_RUN_LOOP_TIMES_H

#include <stdbool.h>
#include <stdint.h>

struct sr_loop_times { /* times of a device's executions of a loop */
	double seconds[2]; /* of the last execution by all threads, and by one thread; 0: there was none */
	int64_t executions, next_trial, trial_interval; /* execution next_trial is the next one that tries the slower way again */
};
/* Return true if one thread is to execute the loop. estimated_s: struct sr_jit_function::seconds. */
bool sr_loop_is_for_one_thread(const struct sr_loop_times *times, double estimated_s);
/* Record the time of an execution of the loop. */
void sr_loop_record_time(struct sr_loop_times *times, bool is_one_thread, double seconds);

#endif
