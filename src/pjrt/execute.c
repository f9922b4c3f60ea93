/* Executions: buffers become arrays, the program runs, and arrays become buffers. The memory of a donated argument becomes the
 * memory of a result, unless others may still read it: the caller's memory, memory with external references, and arguments that
 * the caller excludes from donation are copied first. */
#include "pjrt/pjrt.h"
#include "support/checked.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct execution {
	PJRT_LoadedExecutable *l;
	int n_arguments, n_results, n_devices;
	struct sr_array **arrays;          /* arrays of the arguments, then of the results; an array not created yet is NULL */
	/* references to the storages of the arguments' shards; length: arguments * devices. The references of donated arguments are
	 * taken from their buffers. */
	struct sr_pjrt_storage **storages;
	struct sr_ffi_user_datum *user_data; /* owned */
	size_t n_user_data;
	struct sr_event *done_event;
};

static PJRT_Error *no_memory(void)
{
	return sr_pjrt_message_error(SR_NO_MEMORY, "");
}

/* ---- end ---- */

/* Release what the execution holds. The arrays of arguments do not own their shards; the shards of results belong to the
 * buffers. */
static void release_execution(struct execution *x)
{
	for (int i = 0; x->arrays && i < x->n_arguments + x->n_results; i++) {
		if (x->arrays[i] && i < x->n_arguments)
			for (int k = 0; k < x->n_devices; k++)
				x->arrays[i]->shards[k] = (struct sr_shard){0};
		sr_array_release(x->arrays[i]);
	}
	for (int i = 0; x->storages && i < x->n_arguments * x->n_devices; i++)
		sr_pjrt_storage_release(x->storages[i]);
	free(x->arrays);
	free(x->storages);
	free(x->user_data);
	sr_event_release(x->done_event);
	sr_pjrt_loaded_release(x->l);
	free(x);
}

static void release_when_done(void *data, enum sr_status status, const char *message)
{
	(void)status;
	(void)message;
	release_execution(data);
}

/* ---- arguments ---- */

/* Return true if the buffer's elements are in the order that the program expects; dimensions of extent 1 do not matter. */
static bool has_layout(const PJRT_Buffer *b, const struct sr_pjrt_value *v)
{
	int64_t strides[SR_MAX_RANK], expected_strides[SR_MAX_RANK];
	if (!b->rank || !memcmp(b->minor_to_major, v->minor_to_major, sizeof *v->minor_to_major * (size_t)b->rank))
		return true;
	sr_pjrt_dense_strides(b->dims, b->rank, b->minor_to_major, 1, strides);
	sr_pjrt_dense_strides(b->dims, b->rank, v->minor_to_major, 1, expected_strides);
	return sr_pjrt_is_dense(b->dims, strides, expected_strides, b->rank);
}

/* Return true if the buffer has the type and extents that the program expects. Tokens fit where arrays of no elements are expected.
 */
static bool has_shape(const PJRT_Buffer *b, const struct sr_pjrt_value *v)
{
	if (b->type == PJRT_TOKEN)
		return v->type == PJRT_PRED && v->rank == 1 && !v->dims[0];
	return b->type == v->type && b->rank == v->rank && (!v->rank || !memcmp(b->dims, v->dims, sizeof *v->dims * (size_t)v->rank));
}

/* Print a value's type and extents, as in tensor<2x4xf32>, and return the text; it ends early if it is too long. */
static const char *shape_text(uint32_t type, const int64_t *dims, int rank, char (*text)[200])
{
	size_t n = (size_t)snprintf(*text, sizeof *text, "tensor<");
	for (int d = 0; d < rank && n < sizeof *text; d++)
		n += (size_t)snprintf(*text + n, sizeof *text - n, "%lldx", (long long)dims[d]);
	if (n < sizeof *text)
		snprintf(*text + n, sizeof *text - n, "%s>", type == PJRT_TOKEN ? "token" : sr_dtypes[sr_pjrt_dtype(type)].name);
	return *text;
}

/* Check that a buffer is the argument's shard for this device. */
static PJRT_Error *check_buffer(const struct execution *x, const PJRT_Buffer *b, int i, int k)
{
	const struct sr_pjrt_value *v = &x->l->executable->values[i];
	char text[200], expected_text[200];
	if (!has_shape(b, v))
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "argument %d of %s is a %s, but the program was compiled for a %s", i,
				     x->l->executable->name, shape_text(b->type, b->dims, b->rank, &text),
				     shape_text(v->type, v->dims, v->rank, &expected_text));
	if (!has_layout(b, v))
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "argument %d of %s has another layout than the program was compiled for", i,
				     x->l->executable->name);
	if (b->memory->device != x->l->devices[k])
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "argument %d of %s is on device %d, but the program runs on device %d", i,
				     x->l->executable->name, b->memory->device->description.id, x->l->devices[k]->description.id);
	return NULL;
}

static bool is_non_donatable(const struct PJRT_ExecuteOptions *o, int i)
{
	for (size_t k = 0; o && k < o->num_non_donatable_input_indices; k++)
		if (o->non_donatable_input_indices[k] == i)
			return true;
	return false;
}

static bool is_donated(const struct execution *x, int i)
{
	return sr_program_values(x->l->executable->program)[i].donated;
}

/* Return true if the call takes the memory of argument i away from the argument's buffers. */
static bool takes_memory(const struct execution *x, const struct PJRT_LoadedExecutable_Execute_Args *args, int i)
{
	return is_donated(x, i) && !is_non_donatable(args->options, i);
}

/* Replace the storage of a donated argument by a copy, unless the program may overwrite the storage because no buffer, execution or
 * external reference uses it any more. The buffer is ready. */
static bool make_writable(struct sr_pjrt_storage **storage, bool keeps_buffer)
{
	struct sr_pjrt_storage *s = *storage;
	if (!keeps_buffer && !s->is_foreign && atomic_load(&s->n_references) == 1)
		return true;
	struct sr_pjrt_storage *copy = sr_pjrt_storage_new(s->device, s->bytes);
	if (!copy)
		return false;
	if (s->bytes)
		memcpy(copy->data, s->data, (size_t)s->bytes);
	sr_pjrt_storage_release(s);
	*storage = copy;
	return true;
}

/* Set the storages of argument i: new references to its buffers' storages or, if the call takes the memory, the references that the
 * buffers had, so that no other execution can take them. */
static PJRT_Error *take_storages(struct execution *x, const struct PJRT_LoadedExecutable_Execute_Args *args, int i)
{
	bool takes_buffer = takes_memory(x, args, i);
	for (int k = 0; k < x->n_devices; k++) {
		PJRT_Buffer *b = args->argument_lists[k][i];
		PJRT_Error *error = check_buffer(x, b, i, k);
		if (error)
			return error;
		struct sr_pjrt_storage *s = takes_buffer ? sr_pjrt_buffer_donate(b) : sr_pjrt_buffer_storage(b);
		if (!s)
			return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "argument %d of %s has been deleted or donated", i, x->l->executable->name);
		x->storages[i * x->n_devices + k] = s;
	}
	return NULL;
}

/* Set the storages of all arguments, first those that the call takes: passing a buffer that is donated a second time is an error in
 * any order of the arguments. */
static PJRT_Error *take_all_storages(struct execution *x, const struct PJRT_LoadedExecutable_Execute_Args *args)
{
	PJRT_Error *error = NULL;
	for (int takes_buffers = 1; takes_buffers >= 0; takes_buffers--)
		for (int i = 0; !error && i < x->n_arguments; i++)
			if (takes_memory(x, args, i) == takes_buffers)
				error = take_storages(x, args, i);
	return error;
}

/* Give donated memory back to its buffers, since the program was not begun. */
static void return_storages(struct execution *x, const struct PJRT_LoadedExecutable_Execute_Args *args)
{
	for (int i = 0; i < x->n_arguments; i++)
		for (int k = 0; takes_memory(x, args, i) && k < x->n_devices; k++) {
			struct sr_pjrt_storage **s = &x->storages[i * x->n_devices + k];
			if (*s)
				sr_pjrt_buffer_return(args->argument_lists[k][i], *s);
			*s = NULL;
		}
}

/* Create the array of argument i from one buffer for each device. */
static PJRT_Error *gather_argument(struct execution *x, const struct PJRT_LoadedExecutable_Execute_Args *args, int i)
{
	struct sr_array *a = x->arrays[i] = sr_array_new(x->l->run.layouts[i]);
	bool must_wait = false;
	if (!a)
		return no_memory();
	for (int k = 0; k < x->n_devices; k++) {
		struct sr_event *ready_event = args->argument_lists[k][i]->ready_event;
		struct sr_pjrt_storage **s = &x->storages[i * x->n_devices + k];
		must_wait = must_wait || !sr_event_is_set(ready_event) || sr_event_wait(ready_event);
		if (is_donated(x, i) && sr_event_wait(ready_event) == SR_OK &&
		    !make_writable(s, is_non_donatable(args->options, i)))
			return no_memory();
		a->shards[k].data = (*s)->data;
	}
	if (!must_wait)
		return NULL;
	struct sr_event **events = malloc(sizeof *events * (size_t)x->n_devices);
	for (int k = 0; events && k < x->n_devices; k++)
		events[k] = args->argument_lists[k][i]->ready_event;
	a->ready = events ? sr_pjrt_join_events(events, (size_t)x->n_devices) : NULL;
	free(events);
	return a->ready ? NULL : no_memory();
}

/* ---- results ---- */

/* Create the buffers of result i. A result that aliases a donated argument has that argument's memory. */
static PJRT_Error *scatter_result(struct execution *x, const struct PJRT_LoadedExecutable_Execute_Args *args, int i)
{
	const struct sr_pjrt_value *v = &x->l->executable->values[x->n_arguments + i];
	struct sr_array *a = x->arrays[x->n_arguments + i];
	int donor = a ? sr_executable_aliased(&x->l->run, i) : -1;
	for (int k = 0; k < x->n_devices; k++) {
		struct sr_pjrt_storage *s = sr_pjrt_storage_new(x->l->devices[k], -1);
		if (s && a) {
			s->array = sr_array_keep(a);
			s->bytes = a->layout->shards[k].bytes;
			s->base_storage = donor >= 0 ? sr_pjrt_storage_keep(x->storages[donor * x->n_devices + k]) : NULL;
			s->data = s->base_storage ? s->base_storage->data : a->shards[k].data;
		}
		args->output_lists[k][i] = sr_pjrt_buffer_new(x->l->devices[k]->memories[v->memory_kind], v->type, v->dims, v->rank, v->minor_to_major, s,
							      sr_event_keep(x->done_event));
		if (!args->output_lists[k][i])
			return no_memory();
	}
	return NULL;
}

static void destroy_results(const struct execution *x, const struct PJRT_LoadedExecutable_Execute_Args *args)
{
	for (int k = 0; k < x->n_devices; k++)
		for (int i = 0; i < x->n_results; i++) {
			(void)sr_pjrt_Buffer_Destroy(&(struct PJRT_Buffer_Destroy_Args){.buffer = args->output_lists[k][i]});
			args->output_lists[k][i] = NULL;
		}
}

/* ---- the program ---- */

/* Return the event of the first argument whose computation has failed; NULL if none has. */
static struct sr_event *find_failed_event(const struct execution *x)
{
	for (int i = 0; i < x->n_arguments; i++)
		if (x->arrays[i]->ready && sr_event_is_set(x->arrays[i]->ready) && sr_event_wait(x->arrays[i]->ready))
			return x->arrays[i]->ready;
	return NULL;
}

struct execution_beginning {
	struct execution *x;
	struct sr_execution run;
};

static enum sr_status begin(void *data)
{
	struct execution_beginning *b = data;
	return sr_execute_begin(&b->run, &b->x->done_event, &b->x->l->diags);
}

/* Begin the program. If an argument has failed, the program does not run, and its results fail with the argument's message. */
static PJRT_Error *run(struct execution *x)
{
	PJRT_LoadedExecutable *l = x->l;
	struct sr_event *failed_event = find_failed_event(x);
	if (failed_event) {
		x->done_event = sr_event_keep(failed_event);
		return NULL;
	}
	struct execution_beginning b = {x, {&l->run, x->arrays, x->n_arguments, x->arrays + x->n_arguments, x->n_results, {x->user_data, x->n_user_data}}};
	pthread_mutex_lock(&l->group->lock);
	struct sr_arena_position mark = sr_arena_mark(l->arena);
	enum sr_status status = sr_arena_guarded(l->arena, begin, &b);
	PJRT_Error *error = sr_pjrt_status_error(status, &l->diags);
	sr_diags_clear(&l->diags);
	sr_arena_release(l->arena, mark);
	pthread_mutex_unlock(&l->group->lock);
	return error;
}

static PJRT_Error *execute(struct execution *x, const struct PJRT_LoadedExecutable_Execute_Args *args)
{
	PJRT_Error *error = NULL;
	x->user_data = sr_pjrt_copy_user_data(args->options && PJRT_HAS(args->options, context) ? args->options->context : NULL, &x->n_user_data);
	if (x->n_user_data && !x->user_data)
		return no_memory();
	error = take_all_storages(x, args);
	for (int i = 0; !error && i < x->n_arguments; i++)
		error = gather_argument(x, args, i);
	if (!error)
		error = run(x);
	if (error)
		return_storages(x, args);
	for (int i = 0; !error && i < x->n_results; i++) {
		error = scatter_result(x, args, i);
		if (error)
			destroy_results(x, args);
	}
	if (error)
		return error;
	for (int k = 0; args->device_complete_events && k < x->n_devices; k++)
		args->device_complete_events[k] = sr_pjrt_event(sr_event_keep(x->done_event));
	return NULL;
}

static struct execution *new_execution(PJRT_LoadedExecutable *l)
{
	struct execution *x = calloc(1, sizeof *x);
	if (!x)
		return NULL;
	x->l = l;
	atomic_fetch_add_explicit(&l->n_references, 1, memory_order_relaxed);
	x->n_arguments = l->executable->n_arguments;
	x->n_results = l->executable->n_results;
	x->n_devices = l->n_local;
	x->arrays = calloc((size_t)(x->n_arguments + x->n_results) + 1, sizeof *x->arrays);
	x->storages = calloc((size_t)x->n_arguments * (size_t)x->n_devices + 1, sizeof *x->storages);
	if (x->arrays && x->storages)
		return x;
	release_execution(x);
	return NULL;
}

static PJRT_Error *check_call(const struct PJRT_LoadedExecutable_Execute_Args *args)
{
	const PJRT_LoadedExecutable *l = args->executable;
	const char *name = l->executable->name;
	if (atomic_load(&l->is_deleted))
		return sr_pjrt_error(PJRT_FAILED_PRECONDITION, "%s has been deleted", name);
	if (args->num_devices != (size_t)l->n_local)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "%s got arguments for %zu devices, but runs on %d devices of this process", name,
				     args->num_devices, l->n_local);
	if (l->n_local && args->num_args != (size_t)l->executable->n_arguments)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "%s got %zu arguments, but has %d parameters", name, args->num_args,
				     l->executable->n_arguments);
	return NULL;
}

PJRT_Error *sr_pjrt_LoadedExecutable_Execute(struct PJRT_LoadedExecutable_Execute_Args *args)
{
	PJRT_Error *error = check_call(args);
	if (error || !args->executable->n_local) /* a process without devices of the program does not take part */
		return error;
	error = sr_pjrt_open_program(args->executable);
	if (error)
		return error;
	struct execution *x = new_execution(args->executable);
	if (!x)
		return no_memory();
	error = execute(x, args);
	if (error || !x->done_event) {
		release_execution(x);
		return error;
	}
	struct sr_event *done_event = sr_event_keep(x->done_event);
	if (!sr_event_on_set(done_event, release_when_done, x)) {
		(void)sr_event_wait(done_event);
		release_execution(x);
	}
	sr_event_release(done_event);
	return NULL;
}
