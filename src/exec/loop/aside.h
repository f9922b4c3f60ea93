/* A thread beside the loop that does one thing at a time while steps run: reading the next inputs, writing a checkpoint. It has
 * memory and messages of its own, and no signals. Internal to exec/loop.
 *
 *	sr_aside_start(&a, task, data, diags);
 *	sr_aside_ask(&a); ... status = sr_aside_wait(&a, diags); sr_aside_ask(&a); ...
 *	sr_aside_stop(&a); */
#ifndef SR_EXEC_LOOP_ASIDE_H
#define SR_EXEC_LOOP_ASIDE_H

#include "support/diag.h"
#include <pthread.h>
#include <stdbool.h>

/* What it takes of the arena is taken back behind it, unless it fails. */
typedef enum sr_status sr_aside_task(void *data, struct sr_arena *arena, struct sr_diags *diags);

struct sr_aside {
	sr_aside_task *task;
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
enum sr_status sr_aside_start(struct sr_aside *a, sr_aside_task *task, void *data, struct sr_diags *diags);
/* It is idle: do the task. */
void sr_aside_ask(struct sr_aside *a);
bool sr_aside_is_idle(struct sr_aside *a);
/* Until it is idle; what failed is reported here, once. */
enum sr_status sr_aside_wait(struct sr_aside *a, struct sr_diags *diags);
/* What it does is finished first. Zeroes are fine. */
void sr_aside_stop(struct sr_aside *a);

#endif
