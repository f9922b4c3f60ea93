/* Executions: checked and accepted on the caller's thread, then put on the queue of the device set. Each device binds the shards of
 * the arrays to the program's arguments and results, runs the program, and copies the values that could not be bound. */
#include "run/execution.h"
#include "run/agreement.h"
#include "run/backend.h"
#include "run/execute_together.h"
#include "run/execution_queue.h"
#include "run/idle_ranks.h"
#include "run/recorder.h"
#include "support/checked.h"
#include "support/map.h"
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- records ---- */

/* Record of an accepted execution. Records are reused by later executions of the program, so that a loop allocates nothing. */
struct sr_execution_record {
	struct sr_queue_task base; /* first member, so that pointers can be cast */
	struct sr_executable *e;
	int n_arguments, n_results;
	struct sr_ffi_user_data user_data;
	bool is_checked;            /* true if the devices agree before they run the program */
	bool is_aligned;
	bool is_told;               /* true if idle ranks are told how the execution ends (idle_ranks.h) */
	uint64_t number;            /* if is_told: number among such executions of the device set */
	enum sr_status idle_status; /* on an idle rank: status of the execution that the rank of device 0 has sent */
	struct sr_execution_times *times;
	struct sr_array **kept_arrays; /* arguments, then results; references are held if there is an event; length: n_arguments + n_results */
	void **data;                /* for each device, the shards of arguments and results; length: n_devices * (n_arguments + n_results) */
	struct sr_execution_context *contexts; /* context of each device; length: n_devices; NULL: this process has no devices */
	_Atomic bool has_run;       /* true once a device has begun to run the program */
	_Atomic bool is_done;       /* without an event: set for the waiting caller when the execution has ended */
	/* failure with which this process refuses the execution: it then only takes part in the agreement; SR_OK: it executes */
	enum sr_status refusal;
	struct sr_failure failure;
	struct sr_event *event;     /* event that is set when the execution has ended; NULL: the caller waits */
};

static int n_values(const struct sr_executable *e)
{
	return e->program->n_arguments + e->program->n_results;
}

static struct sr_execution_record *record_new(struct sr_executable *e)
{
	size_t values = (size_t)n_values(e), devices = (size_t)e->n_devices, n;
	struct sr_execution_record *r;
	if (sr_mul_overflows(values + 1, devices + 1, &n) || sr_mul_overflows(n, sizeof(void *), &n) || !(r = calloc(1, sizeof *r)))
		return NULL;
	r->e = e;
	r->kept_arrays = calloc(values + 1, sizeof *r->kept_arrays);
	r->data = calloc(n, 1);
	r->contexts = e->n_devices ? sr_contexts_new(e->devices, e->n_devices) : NULL;
	if (r->kept_arrays && r->data && (r->contexts || !e->n_devices))
		return r;
	sr_execution_record_free(r);
	return NULL;
}

void sr_execution_record_free(struct sr_execution_record *r)
{
	if (!r)
		return;
	free(r->kept_arrays);
	free(r->data);
	sr_contexts_free(r->contexts);
	free(r);
}

/* Return an unused record of the executable, or NULL if memory runs out. */
static struct sr_execution_record *record_take(struct sr_executable *e)
{
	struct sr_execution_record *r = NULL;
	for (int i = 0; !r && i < SR_KEPT_RECORDS; i++)
		r = atomic_exchange(&e->unused[i], NULL);
	return r ? r : record_new(e);
}

static void record_return(struct sr_execution_record *r)
{
	struct sr_executable *e = r->e;
	for (int i = 0; r && i < SR_KEPT_RECORDS; i++)
		r = atomic_exchange(&e->unused[i], r);
	sr_execution_record_free(r);
}

static void **data_of(const struct sr_execution_record *r, int k)
{
	return r->data + (ptrdiff_t)k * n_values(r->e);
}

/* ---- a device's part ---- */

static void *value_address(const struct sr_execution_context *x, int value)
{
	return sr_context_buffer(x, sr_program_values(x->program)[value].buffer);
}

static void copy(const struct sr_execution_context *x, void *dst, const void *src, int64_t bytes)
{
	if (bytes && dst != src)
		x->loaded->backend->copy(dst, src, bytes);
}

static int64_t value_bytes(const struct sr_program *p, int value)
{
	return sr_program_buffers(p)[sr_program_values(p)[value].buffer].bytes;
}

/* Give the k-th device's context what this execution works on: arguments and results, and what instructions report to. */
static void bind_context(struct sr_execution_record *r, int k)
{
	struct sr_execution_context *x = &r->contexts[k];
	void **data = data_of(r, k);
	int n = x->program->n_arguments;
	if (x->status)
		sr_context_reset(x);
	x->failure = &r->failure;
	x->user_data = r->user_data;
	x->profile = x->device->profile;
	for (int i = 0; i < n; i++)
		(void)sr_context_bind(x, i, data[i]);
	for (int i = n; i < n + x->program->n_results; i++)
		if (sr_loaded_result_donor(x->loaded, i) < 0)
			(void)sr_context_bind(x, i, i < n + r->n_results ? data[i] : NULL);
	/* An argument that cannot be bound may be in the region of a result, whose address is known once the result is bound. */
	for (int i = 0; i < n; i++)
		copy(x, value_address(x, i), data[i], value_bytes(x->program, i));
}

/* Copy the results that could not be bound from the device's arena into their arrays. */
static void copy_unbound_results(const struct sr_execution_record *r, int k)
{
	const struct sr_execution_context *x = &r->contexts[k];
	void **data = data_of(r, k);
	int n = x->program->n_arguments;
	for (int i = n; i < n + r->n_results; i++)
		if (data[i])
			copy(x, data[i], value_address(x, i), value_bytes(x->program, i));
}

/* Wait until all arguments are ready. Returns the status of the first one that failed, and its message in *why. */
static enum sr_status wait_for_arguments(const struct sr_execution_record *r, const char **why)
{
	*why = r->failure.message;
	if (r->refusal || !r->is_checked)
		return r->refusal;
	for (int i = 0; i < r->n_arguments; i++) {
		const struct sr_array *a = r->kept_arrays[i];
		/* true if an earlier task of the queue has written this device's shard */
		bool is_written = a->queue == r->e->device_set->queue && !atomic_load(&a->has_failed);
		struct sr_event *ready_event = is_written ? NULL : a->ready;
		enum sr_status status = ready_event ? sr_event_wait(ready_event) : SR_OK;
		if (!status)
			continue;
		*why = sr_event_message(ready_event);
		return status;
	}
	return SR_OK;
}

/* Agree with the other devices whether the program runs. Returns SR_OK if so; the status is the same on all devices. */
static enum sr_status agree_to_begin(struct sr_execution_record *r, int k)
{
	const char *why;
	struct sr_agreement *agreement = r->e->device_set->memory->agreement;
	enum sr_status status = wait_for_arguments(r, &why);
	if (r->is_checked && agreement)
		return sr_agreement_reach(agreement, k, status, why, &r->failure);
	return status ? sr_failure_set(&r->failure, status, (struct sr_src_loc){0}, "%s", why) : SR_OK;
}

/* Mark the results as failed, so that later executions of the queue wait for the results' events. */
static void fail_results(const struct sr_execution_record *r)
{
	for (int i = r->n_arguments; r->event && i < r->n_arguments + r->n_results; i++)
		atomic_store(&r->kept_arrays[i]->has_failed, true);
}

/* Execute the program on all local devices by the calling thread. */
static void run_together(struct sr_queue_task *task)
{
	struct sr_execution_record *r = (struct sr_execution_record *)task;
	int n = r->e->n_devices;
	enum sr_status status = agree_to_begin(r, 0);
	if (status) {
		for (int k = 0; k < n; k++)
			r->contexts[k].status = status;
		fail_results(r);
		return;
	}
	atomic_store_explicit(&r->has_run, true, memory_order_relaxed);
	for (int k = 0; k < n; k++)
		bind_context(r, k);
	sr_execute_together(r->contexts, n);
	for (int k = 0; k < n; k++)
		if (!r->contexts[k].status)
			copy_unbound_results(r, k);
		else
			fail_results(r);
}

/* Execute the program on the k-th local device, and record its instructions if that is requested. */
static enum sr_status execute_and_record(const struct sr_executable *e, struct sr_execution_context *x)
{
	struct sr_recorder *recorder = e->client->recorder;
	struct sr_profile *profile = sr_recorder_is_on(recorder) ? sr_recorder_begin(e->program) : NULL;
	if (profile)
		x->profile = profile;
	enum sr_status status = sr_context_execute(x);
	int64_t id = e->device_ids ? e->device_ids[x->device->k] : x->device->id;
	if (profile)
		sr_recorder_end(recorder, e->program, profile, e->model, id);
	return status;
}

static void run(struct sr_queue_task *task, int k)
{
	struct sr_execution_record *r = (struct sr_execution_record *)task;
	struct sr_execution_context *x = &r->contexts[k];
	enum sr_status status = agree_to_begin(r, k);
	if (status) {
		x->status = status;
	} else {
		atomic_store_explicit(&r->has_run, true, memory_order_relaxed);
		if (r->is_aligned)
			sr_device_barrier(x->device);
		double start = sr_now();
		uint64_t start_ticks = sr_ticks();
		bind_context(r, k);
		status = execute_and_record(r->e, x);
		if (!status)
			copy_unbound_results(r, k);
		else if (status != SR_DIFFERS && x->device->transport) /* tell the other devices of the failure */
			sr_transport_mark_failed(x->device->transport);
		double seconds = sr_now() - start, ticks = (double)(sr_ticks() - start_ticks);
		double collective_s = (double)x->collective_ticks * seconds / fmax(ticks, 1);
		if (r->times)
			r->times[k] = (struct sr_execution_times){start, seconds, collective_s};
	}
	if (status)
		fail_results(r);
	if (x->device->transport)
		sr_transport_leave(x->device->transport);
}

/* End an execution that has an event: set the event and release the arrays. */
static void end_execution(struct sr_execution_record *r, enum sr_status status)
{
	char text[SR_FAILURE_BYTES + 256] = "";
	struct sr_event *event = r->event;
	if (status)
		sr_failure_text(&r->failure, text, sizeof text);
	for (int i = 0; i < r->n_arguments + r->n_results; i++)
		sr_array_release(r->kept_arrays[i]);
	record_return(r);
	sr_event_set(event, status, text);
	sr_event_release(event);
}

static enum sr_status status_of(struct sr_execution_record *r)
{
	if (!r->e->n_devices)
		return r->idle_status;
	return sr_executable_conclude(r->e, r->contexts, &r->failure);
}

static void tell_idle_ranks(const struct sr_execution_record *r, enum sr_status status)
{
	struct sr_outcome outcome = {.status = (int32_t)status, .has_run = atomic_load(&r->has_run)};
	if (status)
		sr_failure_text(&r->failure, outcome.message, sizeof outcome.message);
	sr_outcome_send(r->e->client, r->e->device_set, r->number, &outcome);
}

/* On an idle rank: wait until the execution has ended on the others. */
static void receive_outcome(struct sr_queue_task *task, int k)
{
	struct sr_execution_record *r = (struct sr_execution_record *)task;
	struct sr_outcome outcome;
	(void)k;
	sr_outcome_receive(r->e->client, r->e->device_set, r->number, &outcome);
	atomic_store(&r->has_run, outcome.has_run);
	r->idle_status = (enum sr_status)outcome.status;
	if (!outcome.status)
		return;
	sr_failure_set(&r->failure, r->idle_status, (struct sr_src_loc){0}, "%s", outcome.message);
	fail_results(r);
}

static void end(struct sr_queue_task *task)
{
	struct sr_execution_record *r = (struct sr_execution_record *)task;
	if (r->is_told && r->e->n_devices)
		tell_idle_ranks(r, status_of(r));
	if (r->event)
		end_execution(r, status_of(r));
	else
		atomic_store(&r->is_done, true);
}

/* ---- acceptance ---- */

int sr_executable_aliased(const struct sr_executable *e, int i)
{
	return e->n_devices ? sr_loaded_result_donor(&e->loaded, e->program->n_arguments + i) : -1;
}

/* Create the arrays of the results. A result that aliases a donated argument gets the argument's memory. */
static enum sr_status make_results(const struct sr_execution *x, struct sr_diags *diags)
{
	for (int i = 0; i < x->n_results; i++) {
		struct sr_layout *layout = x->e->layouts[x->e->program->n_arguments + i];
		x->results[i] = sr_array_new(layout);
		if (!x->results[i] || (sr_executable_aliased(x->e, i) < 0 && !sr_array_allocate_all(x->results[i], x->e->device_set->memory)))
			return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "out of memory for %lld bytes of result %d",
					(long long)(layout->n_shards ? layout->shards[0].bytes : 0), i);
	}
	return SR_OK;
}

/* Mark the donated arguments as consumed. Returns SR_USAGE if another execution has consumed one of them meanwhile. */
static enum sr_status consume_donated(const struct sr_execution *x, struct sr_diags *diags)
{
	for (int i = 0; i < x->n_arguments; i++) {
		if (!sr_execution_donates(x, i) || !atomic_exchange(&x->arguments[i]->is_donated, true))
			continue;
		while (i-- > 0)
			if (sr_execution_donates(x, i))
				atomic_store(&x->arguments[i]->is_donated, false);
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "an argument was donated to another execution at the same time");
	}
	return SR_OK;
}

struct accepting {
	const struct sr_execution *x;
	struct sr_diags *diags;
};

static enum sr_status check_and_bind(void *data)
{
	const struct accepting *a = data;
	enum sr_status status = sr_execution_check(a->x, a->diags);
	if (!status)
		status = make_results(a->x, a->diags);
	return status ? status : consume_donated(a->x, a->diags);
}

static void drop_results(const struct sr_execution *x)
{
	for (int i = 0; i < x->n_results; i++) {
		sr_array_release(x->results[i]);
		x->results[i] = NULL;
	}
}

/* Move the memory of donated arguments to the results that alias them or, if `reverses`, back from the results to the arguments. */
static void move_donated(const struct sr_execution *x, bool reverses)
{
	for (int i = 0; i < x->n_results; i++)
		for (int k = 0, a = sr_executable_aliased(x->e, i); a >= 0 && k < x->e->n_devices; k++) {
			struct sr_array *src = reverses ? x->results[i] : x->arguments[a],
					*dst = reverses ? x->arguments[a] : x->results[i];
			dst->shards[k] = src->shards[k];
			src->shards[k] = (struct sr_shard){0};
		}
	for (int i = 0; reverses && i < x->n_arguments; i++)
		if (sr_execution_donates(x, i))
			atomic_store(&x->arguments[i]->is_donated, false);
}

/* Return true if idle ranks are told how the execution ends. */
static bool is_told(const struct sr_execution *x)
{
	return x->e->device_set->tells_idle && !x->is_agreed;
}

static void record_begin(struct sr_execution_record *r, const struct sr_execution *x)
{
	/* executions by one thread for all devices are neither recorded nor timed */
	bool is_small = r->e->is_small && !x->is_aligned && !x->times && !sr_recorder_is_on(r->e->client->recorder);
	r->base = (struct sr_queue_task){
	    .run = r->e->n_devices ? run : receive_outcome, .run_together = run_together, .end = end, .is_small = is_small};
	r->is_checked = !x->is_agreed;
	r->is_aligned = x->is_aligned;
	r->is_told = is_told(x);
	r->number = r->is_told ? r->e->device_set->n_told++ : 0;
	r->times = x->times;
	r->n_arguments = x->n_arguments;
	r->n_results = x->n_results;
	r->user_data = x->user_data;
	r->refusal = SR_OK;
	r->event = NULL;
	atomic_store_explicit(&r->has_run, false, memory_order_relaxed);
	atomic_store_explicit(&r->is_done, false, memory_order_relaxed);
	atomic_store_explicit(&r->failure.is_reported, false, memory_order_relaxed);
	r->failure.message[0] = '\0';
}

/* Store an array, and the addresses of its shards, in the record. */
static void record_array(struct sr_execution_record *r, int i, struct sr_array *array)
{
	r->kept_arrays[i] = array;
	for (int k = 0; k < r->e->n_devices; k++)
		data_of(r, k)[i] = array->shards[k].data;
}

static void record_arguments(struct sr_execution_record *r, const struct sr_execution *x)
{
	for (int i = 0; i < x->n_arguments; i++)
		record_array(r, i, x->arguments[i]);
}

static void record_results(struct sr_execution_record *r, const struct sr_execution *x)
{
	for (int i = 0; i < x->n_results; i++)
		record_array(r, x->n_arguments + i, x->results[i]);
}

static void help_queue(void *queue)
{
	sr_execution_queue_advance(queue);
}

/* Wait until an execution without an event has ended, and return its status. */
static enum sr_status wait_for(struct sr_execution_record *r)
{
	sr_execution_queue_wait(r->e->device_set->queue, &r->is_done);
	return status_of(r);
}

/* Report the failure of an execution and return its record to the executable. */
static enum sr_status finish_record(struct sr_execution_record *r, enum sr_status status, struct sr_diags *diags)
{
	if (status && atomic_load(&r->failure.is_reported))
		sr_error(diags, status, r->failure.place, "%s", r->failure.message);
	record_return(r);
	return status;
}

/* Take part in an execution that this process refuses with `status`: tell the other processes, which then refuse it too. A rank
 * that owns no device of the mesh only waits for the outcome. */
static void publish_refusal(const struct sr_execution *x, enum sr_status status, const struct sr_diags *diags)
{
	struct sr_executable *e = x->e;
	const struct sr_execution no_execution = {.e = e};
	struct sr_execution_record *r;
	bool agrees = e->n_devices && e->device_set->memory->agreement && !x->is_agreed;
	if (!agrees && !is_told(x))
		return;
	while (!(r = record_take(e))) /* wait until an earlier execution returns its record */
		sr_execution_queue_drain(e->device_set->queue);
	record_begin(r, &no_execution);
	r->refusal = status;
	snprintf(r->failure.message, sizeof r->failure.message, "%s", diags->first ? diags->first->message : "out of memory");
	sr_execution_queue_submit_awaited(e->device_set->queue, &r->base);
	(void)wait_for(r);
	record_return(r);
}

/* Check and accept an execution. Returns SR_OK with its record and the results, which now own the donated memory; otherwise refuses
 * it. */
static enum sr_status accept_execution(const struct sr_execution *x, struct sr_execution_record **out, struct sr_diags *diags)
{
	struct accepting a = {x, diags};
	struct sr_executable *e = x->e;
	enum sr_status status = SR_NO_MEMORY;
	struct sr_execution_record *r = *out = record_take(e);
	for (int i = 0; i < x->n_results; i++)
		x->results[i] = NULL;
	if (r)
		status = sr_arena_guarded(diags->arena, check_and_bind, &a);
	if (status) {
		drop_results(x);
		if (r)
			record_return(r);
		publish_refusal(x, status, diags);
		return status;
	}
	record_begin(r, x);
	record_arguments(r, x);
	move_donated(x, false);
	record_results(r, x);
	return SR_OK;
}

enum sr_status sr_execute(const struct sr_execution *x, struct sr_diags *diags)
{
	struct sr_execution_record *r;
	enum sr_status status = accept_execution(x, &r, diags);
	if (status)
		return status;
	if (!x->e->n_devices && !r->is_told) {
		record_return(r);
		return SR_OK;
	}
	sr_execution_queue_submit_awaited(x->e->device_set->queue, &r->base);
	status = wait_for(r);
	if (status && !atomic_load_explicit(&r->has_run, memory_order_relaxed))
		move_donated(x, true);
	if (status)
		drop_results(x);
	return finish_record(r, status, diags);
}

/* Return true if all arguments are ready, so that no device has to wait. */
static bool are_ready(const struct sr_execution *x)
{
	for (int i = 0; i < x->n_arguments; i++)
		if (x->arguments[i]->ready && !sr_event_is_set(x->arguments[i]->ready))
			return false;
	return true;
}

enum sr_status sr_execute_begin(const struct sr_execution *x, struct sr_event **done_event, struct sr_diags *diags)
{
	struct sr_execution_queue *queue = x->e->device_set->queue;
	struct sr_execution_record *r;
	*done_event = sr_event_new();
	enum sr_status status = *done_event ? accept_execution(x, &r, diags) : SR_NO_MEMORY;
	if (status) {
		if (!*done_event)
			publish_refusal(x, status, diags);
		sr_event_release(*done_event);
		*done_event = NULL;
		return status;
	}
	bool has_task = x->e->n_devices || r->is_told;
	r->event = sr_event_keep(*done_event);
	for (int i = 0; i < x->n_results; i++) {
		x->results[i]->ready = sr_event_keep(*done_event);
		x->results[i]->queue = queue;
	}
	for (int i = 0; i < x->n_arguments + x->n_results; i++)
		sr_array_keep(r->kept_arrays[i]);
	r->base.is_small = r->base.is_small && are_ready(x);
	if (has_task && sr_execution_queue_has_threadless(queue))
		sr_event_set_helper(*done_event, help_queue, queue);
	if (has_task)
		sr_execution_queue_submit(queue, &r->base);
	else
		end_execution(r, SR_OK);
	return SR_OK;
}

enum sr_status sr_execute_in_place(const struct sr_execution *x, struct sr_diags *diags)
{
	struct sr_execution_record *r;
	if (!x->e->n_devices && !is_told(x))
		return SR_OK;
	while (!(r = record_take(x->e)))
		sr_execution_queue_drain(x->e->device_set->queue);
	record_begin(r, x);
	r->is_checked = false;
	record_arguments(r, x);
	record_results(r, x);
	sr_execution_queue_submit_awaited(x->e->device_set->queue, &r->base);
	return finish_record(r, wait_for(r), diags);
}
