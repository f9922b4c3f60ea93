/* Implementation of XLA's FFI API for kernels: errors, memory, tasks, futures and user data. Streams, states and user types are not
 * supported and return an error. Scheduled tasks run at once on the calling thread. */
#include "run/ffi_api.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An error. Handlers that link XLA's own code take a pointer to it for their absl::Status and free it, so its first word is an
 * absl::Status of code UNIMPLEMENTED that has no message and owns no memory. */
struct sr_ffi_error {
	uintptr_t status;
	char message[256];
};
enum { STATUS_UNIMPLEMENTED = (12 << 2) + 1 };

struct sr_ffi_future {
	pthread_mutex_t lock;
	pthread_cond_t done;
	_Bool is_done;
	struct sr_ffi_error *error;
};

/* The error returned if no memory is left to allocate one; static, so never freed. */
static struct sr_ffi_error no_memory = {STATUS_UNIMPLEMENTED, "out of memory for an error message"};

static struct sr_ffi_error *make_error(const char *message)
{
	struct sr_ffi_error *error = malloc(sizeof *error);
	if (!error)
		return &no_memory;
	error->status = STATUS_UNIMPLEMENTED;
	snprintf(error->message, sizeof error->message, "%s", message ? message : "");
	return error;
}

static void free_error(struct sr_ffi_error *error)
{
	if (error != &no_memory)
		free(error);
}

static struct sr_ffi_error *error_create(struct sr_ffi_error_create *args)
{
	return make_error(args->message);
}

static void error_message(struct sr_ffi_error_message *args)
{
	args->message = args->error->message;
}

static void error_destroy(struct sr_ffi_error_destroy *args)
{
	free_error(args->error);
}

static struct sr_ffi_error *unsupported(struct sr_ffi_args *args)
{
	(void)args;
	return make_error("states and user-defined types are not supported by shardrun");
}

/* Return the error for requests of a stream. Frameworks compare its text, so it is the one that XLA returns on CPUs. */
static struct sr_ffi_error *no_stream(struct sr_ffi_args *args)
{
	(void)args;
	return make_error("XLA FFI GPU context is not available: the device is a CPU");
}

static struct sr_ffi_error *context_get(struct sr_ffi_context_get *args)
{
	const struct sr_ffi_user_data *data = &args->context->data;
	for (size_t i = 0; i < data->n; i++)
		if (data->entries[i].type == *args->type) {
			args->data = data->entries[i].data;
			return NULL;
		}
	return make_error("the execution has no user data of the type that the handler asks for");
}

static struct sr_ffi_error *memory_allocate(struct sr_ffi_memory_allocate *args)
{
	size_t alignment = args->alignment < sizeof(void *) ? sizeof(void *) : args->alignment;
	args->data = NULL;
	if (args->bytes && posix_memalign(&args->data, alignment, args->bytes))
		return make_error("cannot allocate the requested memory");
	return NULL;
}

static struct sr_ffi_error *memory_free(struct sr_ffi_memory_free *args)
{
	free(args->data);
	return NULL;
}

static struct sr_ffi_error *pool_schedule(struct sr_ffi_pool_schedule *args)
{
	args->task(args->data);
	return NULL;
}

static struct sr_ffi_error *pool_threads(struct sr_ffi_pool_threads *args)
{
	*args->n = 1;
	return NULL;
}

static struct sr_ffi_error *future_create(struct sr_ffi_future_create *args)
{
	struct sr_ffi_future *f = calloc(1, sizeof *f);
	if (!f)
		return &no_memory;
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->done, NULL);
	args->future = f;
	return NULL;
}

static void complete_future(struct sr_ffi_future *f, struct sr_ffi_error *error)
{
	pthread_mutex_lock(&f->lock);
	f->error = error;
	f->is_done = 1;
	pthread_cond_signal(&f->done);
	pthread_mutex_unlock(&f->lock);
}

static struct sr_ffi_error *future_set_available(struct sr_ffi_future_set *args)
{
	complete_future(args->future, NULL); /* XLA's SetAvailable_Args has no `error`: do not read it */
	return NULL;
}

static struct sr_ffi_error *future_set_error(struct sr_ffi_future_set *args)
{
	complete_future(args->future, args->error);
	return NULL;
}

static struct sr_ffi_error *run_id(struct sr_ffi_run_id *args)
{
	args->id = 0;
	return NULL;
}

static struct sr_ffi_error *device_ordinal(struct sr_ffi_device_ordinal *args)
{
	args->ordinal = (int32_t)args->context->device;
	return NULL;
}

const struct sr_ffi_api sr_ffi_api = {
	.size = sizeof(struct sr_ffi_api),
	.version = {sizeof(struct sr_ffi_version), NULL, SR_FFI_MAJOR, SR_FFI_MINOR},
	.error_create = error_create,
	.error_message = error_message,
	.error_destroy = error_destroy,
	.handler_register = unsupported,
	.stream_get = no_stream,
	.type_register = unsupported,
	.context_get = context_get,
	.state_set = unsupported,
	.state_get = unsupported,
	.memory_allocate = memory_allocate,
	.memory_free = memory_free,
	.pool_schedule = pool_schedule,
	.pool_threads = pool_threads,
	.future_create = future_create,
	.future_set_available = future_set_available,
	.future_set_error = future_set_error,
	.run_id = run_id,
	.device_ordinal = device_ordinal,
};

static struct sr_ffi_error *wait_for(struct sr_ffi_future *f)
{
	pthread_mutex_lock(&f->lock);
	while (!f->is_done)
		pthread_cond_wait(&f->done, &f->lock);
	struct sr_ffi_error *error = f->error;
	pthread_mutex_unlock(&f->lock);
	pthread_cond_destroy(&f->done);
	pthread_mutex_destroy(&f->lock);
	free(f);
	return error;
}

_Bool sr_ffi_wait(struct sr_ffi_error *error, struct sr_ffi_future *future, char *why, size_t capacity)
{
	struct sr_ffi_error *future_error = future ? wait_for(future) : NULL, *first_error = error ? error : future_error;
	if (first_error)
		snprintf(why, capacity, "%s", first_error->message);
	free_error(error);
	free_error(future_error);
	return !first_error;
}
