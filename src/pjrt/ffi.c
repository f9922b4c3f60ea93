/* FFI handlers of the process: the extension by which frameworks and the Python package register them, and the sets of them that
 * programs are compiled for and opened with.
 *
 * Handlers are kept for the life of the process. Registering a name again replaces its handler for programs that are opened later.
 */
#include "pjrt/pjrt.h"
#include "run/ffi.h"
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct handler {
	char *name;
	sr_ffi_handler *function;
} *handlers; /* the registered handlers, protected by `lock`; length n_handlers */
static size_t n_handlers;

/* Return the entry with this name, adding it if there is none; NULL if memory runs out. */
static struct handler *find_or_add_handler(const char *name, size_t n)
{
	for (size_t i = 0; i < n_handlers; i++)
		if (!strncmp(handlers[i].name, name, n) && !handlers[i].name[n])
			return &handlers[i];
	struct handler *new_handlers = realloc(handlers, (n_handlers + 1) * sizeof *new_handlers);
	if (!new_handlers)
		return NULL;
	handlers = new_handlers;
	char *copy = strndup(name, n);
	if (!copy)
		return NULL;
	handlers[n_handlers] = (struct handler){.name = copy};
	return &handlers[n_handlers++];
}

static PJRT_Error *register_handler(struct PJRT_FFI_Register_Handler_Args *args)
{
	sr_ffi_handler *function;
	char why[320];
	memcpy(&function, &args->handler, sizeof function);
	if (!function || !args->target_name_size)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "an FFI handler needs a name and a function");
	if (!sr_ffi_check(function, why, sizeof why))
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "%.*s: %s", (int)args->target_name_size, args->target_name, why);
	pthread_mutex_lock(&lock);
	struct handler *h = find_or_add_handler(args->target_name, args->target_name_size);
	if (h)
		h->function = function;
	pthread_mutex_unlock(&lock);
	return h ? NULL : sr_pjrt_message_error(SR_NO_MEMORY, "");
}

static PJRT_Error *reject_type(struct PJRT_FFI_Type_Register_Args *args)
{
	return sr_pjrt_error(PJRT_UNIMPLEMENTED, "user-defined types of FFI handlers (%.*s) are not supported", (int)args->type_name_size,
			     args->type_name);
}

/* ---- user data ---- */

PJRT_Error *sr_pjrt_ExecuteContext_Create(struct PJRT_ExecuteContext_Create_Args *args)
{
	args->context = calloc(1, sizeof *args->context);
	return args->context ? NULL : sr_pjrt_message_error(SR_NO_MEMORY, "");
}

PJRT_Error *sr_pjrt_ExecuteContext_Destroy(struct PJRT_ExecuteContext_Destroy_Args *args)
{
	if (args->context)
		free(args->context->data);
	free(args->context);
	return NULL;
}

/* Add a value to an execution context, for handlers that run in it; JAX adds its host callbacks. */
static PJRT_Error *add_user_data(struct PJRT_FFI_UserData_Add_Args *args)
{
	struct PJRT_ExecuteContext *c = args->context;
	if (!c)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "user data of FFI handlers needs an execution's context");
	struct sr_ffi_user_datum *new_data = realloc(c->data, (c->n + 1) * sizeof *new_data);
	if (!new_data)
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	c->data = new_data;
	c->data[c->n++] = (struct sr_ffi_user_datum){args->user_data.type_id, args->user_data.data};
	return NULL;
}

struct sr_ffi_user_datum *sr_pjrt_copy_user_data(const struct PJRT_ExecuteContext *c, size_t *n)
{
	*n = c ? c->n : 0;
	struct sr_ffi_user_datum *copy = *n ? malloc(*n * sizeof *copy) : NULL;
	if (copy)
		memcpy(copy, c->data, *n * sizeof *copy);
	return copy;
}

struct PJRT_FFI_Extension sr_pjrt_ffi = {
    .base = {.struct_size = sizeof sr_pjrt_ffi, .type = PJRT_EXTENSION_FFI},
    .type_register = reject_type,
    .user_data_add = add_user_data,
    .register_handler = register_handler,
};

static size_t count_handlers(void)
{
	pthread_mutex_lock(&lock);
	size_t n = n_handlers;
	pthread_mutex_unlock(&lock);
	return n;
}

size_t sr_pjrt_ffi_handlers(struct sr_arena *arena, const char *const **targets, struct sr_ffi *ffi)
{
	/* allocate without the lock, since the arena may unwind; more handlers may be added meanwhile */
	size_t n = count_handlers();
	const char **names = SR_NEW_ARRAY(arena, const char *, n);
	sr_ffi_handler **functions = SR_NEW_ARRAY(arena, sr_ffi_handler *, n);
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < n; i++) {
		names[i] = handlers[i].name;
		functions[i] = handlers[i].function;
	}
	pthread_mutex_unlock(&lock);
	if (ffi)
		sr_ffi_of_handlers(ffi, names, functions, n, arena);
	if (targets)
		*targets = names;
	return n;
}
