/* A background thread of the loop that runs one task at a time while steps execute: reading the next inputs, or writing a
 * checkpoint. It has its own memory and messages, and blocks all signals. Internal to exec/loop.
 *
 *	sr_background_open(&a, task, data, diags);
 *	sr_background_run(&a); ... status = sr_background_wait(&a, diags); sr_background_run(&a); ...
 *	sr_background_close(&a); */
#ifndef SR_EXEC_LOOP_BACKGROUND_H
#define SR_EXEC_LOOP_BACKGROUND_H

#include "support/diag.h"
#include <pthread.h>
#include <stdbool.h>

/* The task's allocations in `arena` are released when it returns, unless it fails. */
typedef enum sr_status sr_background_fn(void *data, struct sr_arena *arena, struct sr_diags *diags);

struct sr_background_task {
	sr_background_fn *task;
	void *data;
	bool is_open; /* the thread has been started */
	pthread_t thread;
	pthread_mutex_t lock; /* protects the fields below */
	pthread_cond_t changed;
	bool requested, ends;
	enum sr_status status; /* the first failure, after which no task is run */
	struct sr_arena *arena, *messages;
	struct sr_diags diags;
};

/* SR_NO_MEMORY, reported, if the thread cannot be started. */
enum sr_status sr_background_open(struct sr_background_task *a, sr_background_fn *task, void *data, struct sr_diags *diags);
/* Run the task; the thread must be idle. */
void sr_background_run(struct sr_background_task *a);
bool sr_background_is_idle(struct sr_background_task *a);
/* Wait until the thread is idle. A failure is reported here, once. */
enum sr_status sr_background_wait(struct sr_background_task *a, struct sr_diags *diags);
/* Stop the thread after its current task. A zeroed struct is allowed. */
void sr_background_close(struct sr_background_task *a);

#endif
