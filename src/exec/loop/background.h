/* A background thread of the loop that runs one task at a time while steps execute: reading the next inputs, or writing a
 * checkpoint. The thread has its own arena and diagnostics, and blocks all signals. Internal to exec/loop.
 *
 *	sr_background_open(&a, task, data, diags);
 *	sr_background_run(&a); ... status = sr_background_wait(&a, diags); sr_background_run(&a); ...
 *	sr_background_close(&a); */
#ifndef SR_EXEC_LOOP_BACKGROUND_H
#define SR_EXEC_LOOP_BACKGROUND_H

#include "support/diag.h"
#include <pthread.h>
#include <stdbool.h>

/* Function of a task. Its allocations in `arena` are released when it returns, unless it fails. */
typedef enum sr_status sr_background_fn(void *data, struct sr_arena *arena, struct sr_diags *diags);

struct sr_background_task {
	sr_background_fn *task;
	void *data;
	bool is_open; /* true if the thread has been started */
	pthread_t thread;
	pthread_mutex_t lock; /* protects is_requested and the members after it */
	pthread_cond_t changed;
	bool is_requested, is_ending;
	enum sr_status status; /* status of the first task that failed; later requests run no task */
	struct sr_arena *arena, *messages;
	struct sr_diags diags;
};

/* Start the thread, idle. Returns SR_NO_MEMORY, reported, if it cannot be started. */
enum sr_status sr_background_open(struct sr_background_task *a, sr_background_fn *task, void *data, struct sr_diags *diags);
/* Let the thread run the task; the thread must be idle. Returns at once. */
void sr_background_run(struct sr_background_task *a);
bool sr_background_is_idle(struct sr_background_task *a);
/* Wait until the thread is idle. Returns the failure of a task once, with its messages. */
enum sr_status sr_background_wait(struct sr_background_task *a, struct sr_diags *diags);
/* Stop the thread after its current task. Does nothing if the struct is zeroed. */
void sr_background_close(struct sr_background_task *a);

#endif
