/* A thread beside the loop that does one thing at a time while steps run: reading the next inputs, writing a checkpoint. It has
 * memory and messages of its own, and no signals. Internal to exec/loop.
 *
 *	sr_background_open(&a, task, data, diags);
 *	sr_background_run(&a); ... status = sr_background_wait(&a, diags); sr_background_run(&a); ...
 *	sr_background_close(&a); */
#ifndef SR_EXEC_LOOP_BACKGROUND_H
#define SR_EXEC_LOOP_BACKGROUND_H

#include "support/diag.h"
#include <pthread.h>
#include <stdbool.h>

/* What it takes of the arena is taken back behind it, unless it fails. */
typedef enum sr_status sr_background_fn(void *data, struct sr_arena *arena, struct sr_diags *diags);

struct sr_background_task {
	sr_background_fn *task;
	void *data;
	bool runs; /* the thread is there */
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t turn;
	bool wanted, ends;
	enum sr_status status; /* the first that was not SR_OK: nothing is done any more */
	struct sr_arena *arena, *messages;
	struct sr_diags diags;
};

/* SR_NO_MEMORY, reported, where there can be no thread. */
enum sr_status sr_background_open(struct sr_background_task *a, sr_background_fn *task, void *data, struct sr_diags *diags);
/* It is idle: do the task. */
void sr_background_run(struct sr_background_task *a);
bool sr_background_is_idle(struct sr_background_task *a);
/* Until it is idle; what failed is reported here, once. */
enum sr_status sr_background_wait(struct sr_background_task *a, struct sr_diags *diags);
/* What it does is finished first. Zeroes are fine. */
void sr_background_close(struct sr_background_task *a);

#endif
