/* Events: a PJRT_Event is a struct sr_event of run/. */
#include "pjrt/pjrt.h"
#include <stdlib.h>
#include <string.h>

static struct sr_event *internal_event(PJRT_Event *event)
{
	return (struct sr_event *)(void *)event;
}

struct sr_event *sr_pjrt_set_event(void)
{
	struct sr_event *e = sr_event_new();
	if (e)
		sr_event_set(e, SR_OK, NULL);
	return e;
}

/* ---- all of several events ---- */

struct joined_events {
	_Atomic size_t n_pending;
	_Atomic bool has_failed;
	struct sr_event *joined_event;
};

static void event_is_set(void *data, enum sr_status status, const char *message)
{
	struct joined_events *j = data;
	if (status && !atomic_exchange(&j->has_failed, true))
		sr_event_set(j->joined_event, status, message);
	if (atomic_fetch_sub(&j->n_pending, 1) != 1)
		return;
	if (!atomic_load(&j->has_failed))
		sr_event_set(j->joined_event, SR_OK, NULL);
	sr_event_release(j->joined_event);
	free(j);
}

struct sr_event *sr_pjrt_join_events(struct sr_event *const *events, size_t n)
{
	struct joined_events *j = calloc(1, sizeof *j);
	struct sr_event *joined_event = j ? sr_event_new() : NULL;
	if (!joined_event) {
		free(j);
		return NULL;
	}
	j->joined_event = sr_event_keep(joined_event);
	atomic_init(&j->n_pending, n + 1);
	for (size_t i = 0; i < n; i++)
		if (!events[i] || !sr_event_on_set(events[i], event_is_set, j))
			event_is_set(j, events[i] ? SR_NO_MEMORY : SR_OK, NULL);
	event_is_set(j, SR_OK, NULL);
	return joined_event;
}

/* ---- the interface ---- */

PJRT_Error *sr_pjrt_Event_Destroy(struct PJRT_Event_Destroy_Args *args)
{
	sr_event_release(internal_event(args->event));
	return NULL;
}

PJRT_Error *sr_pjrt_Event_IsReady(struct PJRT_Event_IsReady_Args *args)
{
	args->is_ready = sr_event_is_set(internal_event(args->event));
	return NULL;
}

/* Return the error of an event that is set. */
static PJRT_Error *event_error(struct sr_event *event)
{
	enum sr_status status = sr_event_wait(event);
	return sr_pjrt_message_error(status, sr_event_message(event));
}

PJRT_Error *sr_pjrt_Event_Error(struct PJRT_Event_Error_Args *args)
{
	return event_error(internal_event(args->event));
}

PJRT_Error *sr_pjrt_Event_Await(struct PJRT_Event_Await_Args *args)
{
	return event_error(internal_event(args->event));
}

struct on_ready {
	PJRT_OnReady *callback;
	void *argument;
};

static void call_on_ready(void *data, enum sr_status status, const char *message)
{
	struct on_ready call = *(struct on_ready *)data;
	free(data);
	call.callback(sr_pjrt_message_error(status, message), call.argument);
}

PJRT_Error *sr_pjrt_Event_OnReady(struct PJRT_Event_OnReady_Args *args)
{
	struct on_ready *call = malloc(sizeof *call);
	if (!call)
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	*call = (struct on_ready){args->callback, args->user_arg};
	if (sr_event_on_set(internal_event(args->event), call_on_ready, call))
		return NULL;
	free(call);
	return sr_pjrt_message_error(SR_NO_MEMORY, "");
}

PJRT_Error *sr_pjrt_Event_Create(struct PJRT_Event_Create_Args *args)
{
	args->event = sr_pjrt_event(sr_event_new());
	return args->event ? NULL : sr_pjrt_message_error(SR_NO_MEMORY, "");
}

/* Return the status for an error code: one whose error has the code, or a similar code. */
static enum sr_status status_for_code(uint32_t code)
{
	static const enum sr_status statuses[] = {
	    [PJRT_OK] = SR_OK, [PJRT_INVALID_ARGUMENT] = SR_USAGE, [PJRT_DEADLINE_EXCEEDED] = SR_TIMEOUT, [PJRT_RESOURCE_EXHAUSTED] = SR_NO_MEMORY,
	    [PJRT_FAILED_PRECONDITION] = SR_DIFFERS, [PJRT_UNIMPLEMENTED] = SR_UNSUPPORTED, [PJRT_ABORTED] = SR_INTERRUPTED};
	size_t n = sizeof statuses / sizeof *statuses;
	return code == PJRT_OK ? SR_OK : code < n && statuses[code] ? statuses[code] : SR_INTERNAL;
}

PJRT_Error *sr_pjrt_Event_Set(struct PJRT_Event_Set_Args *args)
{
	char *message = strndup(args->error_message ? args->error_message : "", args->error_message ? args->error_message_size : 0);
	sr_event_set(internal_event(args->event), status_for_code(args->error_code), message);
	free(message);
	return NULL;
}
