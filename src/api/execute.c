/* Implement executions and events of <shardrun/client.h> on top of run/. struct shardrun_event is struct sr_event.
 *
 * Several threads may execute one run's program at a time, so each call allocates from a separate arena. The run keeps one such
 * arena for the next call. */
#include "api/api_run.h"
#include <stdlib.h>

struct sr_execute_call {
	struct sr_arena *arena;
	struct sr_arena_position mark; /* position to which the arena is released after each call */
	struct sr_diags diags;
	struct sr_execution execution;
	/* caller's variable that receives the event of completion; NULL: the call returns only after the execution */
	struct sr_event **done_events;
};

void sr_execute_call_free(struct sr_execute_call *call)
{
	if (call)
		sr_arena_free(call->arena);
	free(call);
}

static struct sr_execute_call *take_call(struct shardrun_run *run)
{
	struct sr_execute_call *call = atomic_exchange(&run->unused_call, NULL);
	if (call)
		return call;
	call = calloc(1, sizeof *call);
	if (!call || !(call->arena = sr_arena_new())) {
		free(call);
		return NULL;
	}
	sr_diags_init(&call->diags, call->arena);
	call->mark = sr_arena_mark(call->arena);
	return call;
}

/* Store the messages of a failed call as the messages of the run. */
static void keep_message(struct shardrun_run *run, struct sr_execute_call *call, enum sr_status status)
{
	pthread_mutex_lock(&run->lock);
	sr_run_begin_call(run);
	sr_diags_splice(&run->ctx->diags, &call->diags);
	(void)sr_run_end_call(run, status);
	pthread_mutex_unlock(&run->lock);
}

static enum sr_status execute(void *data)
{
	struct sr_execute_call *call = data;
	enum sr_status status = sr_launch_report_abort(&call->execution.e->client->launch, SR_OK, &call->diags);
	if (status)
		return status;
	return call->done_events ? sr_execute_begin(&call->execution, call->done_events, &call->diags)
				 : sr_execute(&call->execution, &call->diags);
}

static enum sr_status call_execute(struct shardrun_run *run, struct shardrun_array *const *arguments, int n_arguments,
				   struct shardrun_array **results, int n_results, struct sr_event **event_out)
{
	for (int i = 0; i < n_results; i++)
		results[i] = NULL;
	if (!run->is_open)
		return sr_run_error(run, "the run was not opened");
	struct sr_execute_call *call = take_call(run), failed_call = {0};
	if (!call) { /* Without memory for the call, only participate in it, so that the other ranks get the status. */
		failed_call.arena = run->ctx->arena;
		sr_diags_init(&failed_call.diags, failed_call.arena);
	}
	struct sr_execute_call *x = call ? call : &failed_call;
	x->done_events = event_out;
	x->execution = (struct sr_execution){&run->executable, (struct sr_array *const *)(const void *)arguments, n_arguments,
					     (struct sr_array **)(void *)results, n_results};
	enum sr_status status = sr_arena_guarded(x->arena, execute, x);
	if (!call)
		sr_diags_clear(&x->diags);
	if (status)
		keep_message(run, x, status);
	else if (*run->message)
		run->message = "";
	if (call) {
		sr_diags_clear(&call->diags);
		sr_arena_release(call->arena, call->mark);
		sr_execute_call_free(atomic_exchange(&run->unused_call, call));
	}
	return status;
}

enum sr_status shardrun_execute(struct shardrun_run *run, struct shardrun_array *const *arguments, int n_arguments,
				struct shardrun_array **results, int n_results)
{
	return call_execute(run, arguments, n_arguments, results, n_results, NULL);
}

enum sr_status shardrun_execute_begin(struct shardrun_run *run, struct shardrun_array *const *arguments, int n_arguments,
				      struct shardrun_array **results, int n_results, struct shardrun_event **done)
{
	struct sr_event *event = NULL;
	enum sr_status status = call_execute(run, arguments, n_arguments, results, n_results, &event);
	if (done)
		*done = (struct shardrun_event *)(void *)event;
	else
		sr_event_release(event);
	return status;
}

/* ---- events ---- */

static struct sr_event *internal_event(const struct shardrun_event *event)
{
	return (struct sr_event *)(uintptr_t)(const void *)event;
}

void shardrun_event_free(struct shardrun_event *event)
{
	sr_event_release(internal_event(event));
}

int shardrun_event_is_set(const struct shardrun_event *event)
{
	return sr_event_is_set(internal_event(event));
}

enum sr_status shardrun_event_wait(const struct shardrun_event *event)
{
	return sr_event_wait(internal_event(event));
}

const char *shardrun_event_message(const struct shardrun_event *event)
{
	return sr_event_message(internal_event(event));
}

enum sr_status shardrun_event_on_set(struct shardrun_event *event, shardrun_event_fn *fn, void *data)
{
	return sr_event_on_set(internal_event(event), fn, data) ? SR_OK : SR_NO_MEMORY;
}
