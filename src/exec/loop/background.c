/* Implementation of background tasks: a thread that waits on a condition variable and runs the task on each request. */
#include "exec/loop/background.h"
#include "support/thread.h"

/* Run the task once in the thread's arena. Returns SR_NO_MEMORY, without a message, if memory runs out. */
static enum sr_status run_task(struct sr_background_task *a)
{
	struct sr_arena_position mark = sr_arena_mark(a->arena);
	jmp_buf unwind;
	if (setjmp(unwind))
		return SR_NO_MEMORY;
	sr_arena_guard(a->arena, &unwind);
	sr_arena_guard(a->messages, &unwind);
	enum sr_status status = a->task(a->data, a->arena, &a->diags);
	if (!status)
		sr_arena_release(a->arena, mark);
	return status;
}

static void *thread_main(void *data)
{
	struct sr_background_task *a = data;
	pthread_mutex_lock(&a->lock);
	for (;;) {
		while (!a->is_requested && !a->is_ending)
			pthread_cond_wait(&a->changed, &a->lock);
		if (!a->is_requested)
			break;
		pthread_mutex_unlock(&a->lock);
		enum sr_status status = a->status ? a->status : run_task(a);
		pthread_mutex_lock(&a->lock);
		a->status = status;
		a->is_requested = false;
		pthread_cond_broadcast(&a->changed);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

enum sr_status sr_background_open(struct sr_background_task *a, sr_background_fn *task, void *data, struct sr_diags *diags)
{
	*a = (struct sr_background_task){.task = task, .data = data, .arena = sr_arena_new(), .messages = sr_arena_new()};
	if (!a->arena || !a->messages)
		sr_arena_unwind(diags->arena);
	sr_diags_init(&a->diags, a->messages);
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	a->is_open = sr_thread_begin(&a->thread, thread_main, a);
	return a->is_open ? SR_OK
		       : sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0},
				  "no thread can be started that reads and writes beside the steps");
}

void sr_background_run(struct sr_background_task *a)
{
	pthread_mutex_lock(&a->lock);
	a->is_requested = true;
	pthread_cond_broadcast(&a->changed);
	pthread_mutex_unlock(&a->lock);
}

bool sr_background_is_idle(struct sr_background_task *a)
{
	pthread_mutex_lock(&a->lock);
	bool is_idle = !a->is_requested;
	pthread_mutex_unlock(&a->lock);
	return is_idle;
}

enum sr_status sr_background_wait(struct sr_background_task *a, struct sr_diags *diags)
{
	pthread_mutex_lock(&a->lock);
	while (a->is_requested)
		pthread_cond_wait(&a->changed, &a->lock);
	pthread_mutex_unlock(&a->lock);
	if (a->status)
		sr_diags_splice(diags, &a->diags);
	return a->status;
}

void sr_background_close(struct sr_background_task *a)
{
	if (!a->is_open)
		return;
	pthread_mutex_lock(&a->lock);
	a->is_ending = true;
	pthread_cond_broadcast(&a->changed);
	pthread_mutex_unlock(&a->lock);
	pthread_join(a->thread, NULL);
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->changed);
	sr_arena_free(a->arena);
	sr_arena_free(a->messages);
	a->is_open = false;
}
