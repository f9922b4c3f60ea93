/* Errors: a code and a message. */
#include "pjrt/pjrt.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct PJRT_Error {
	const void *table; /* NULL; in newer versions of PJRT every object begins with a pointer to a table of functions */
	enum PJRT_Error_Code code;
	const char *message;
	char text[];
};

static PJRT_Error no_memory = {NULL, PJRT_RESOURCE_EXHAUSTED, "out of memory"};

static PJRT_Error *new_error(enum PJRT_Error_Code code, const char *message)
{
	size_t n = strlen(message);
	PJRT_Error *e = malloc(sizeof *e + n + 1);
	if (!e)
		return &no_memory;
	*e = (PJRT_Error){NULL, code, e->text};
	memcpy(e->text, message, n + 1);
	return e;
}

PJRT_Error *sr_pjrt_error(enum PJRT_Error_Code code, const char *format, ...)
{
	char text[600];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return new_error(code, text);
}

static enum PJRT_Error_Code error_code_of(enum sr_status status)
{
	switch (status) {
	case SR_OK: return PJRT_OK;
	case SR_USAGE:
	case SR_INVALID: return PJRT_INVALID_ARGUMENT;
	case SR_UNSUPPORTED: return PJRT_UNIMPLEMENTED;
	case SR_NO_MEMORY: return PJRT_RESOURCE_EXHAUSTED;
	case SR_TIMEOUT: return PJRT_DEADLINE_EXCEEDED;
	case SR_DIFFERS: return PJRT_FAILED_PRECONDITION;
	case SR_INTERRUPTED: return PJRT_ABORTED;
	default: return PJRT_INTERNAL;
	}
}

PJRT_Error *sr_pjrt_message_error(enum sr_status status, const char *message)
{
	if (status == SR_NO_MEMORY && !*message)
		return &no_memory;
	return status ? new_error(error_code_of(status), *message ? message : sr_status_name(status)) : NULL;
}

PJRT_Error *sr_pjrt_status_error(enum sr_status status, const struct sr_diags *diags)
{
	char *text = NULL;
	size_t n = 0;
	if (!status)
		return NULL;
	FILE *out = diags->first ? open_memstream(&text, &n) : NULL;
	if (out) {
		sr_diags_print(diags, out);
		if (fclose(out)) {
			free(text);
			text = NULL;
		}
	}
	while (text && n && text[n - 1] == '\n')
		text[--n] = '\0';
	PJRT_Error *e = sr_pjrt_message_error(status, text ? text : "");
	free(text);
	return e;
}

void sr_pjrt_Error_Destroy(struct PJRT_Error_Destroy_Args *args)
{
	if (args->error != &no_memory)
		free(args->error);
}

void sr_pjrt_Error_Message(struct PJRT_Error_Message_Args *args)
{
	args->message = args->error->message;
	args->message_size = strlen(args->message);
}

PJRT_Error *sr_pjrt_Error_GetCode(struct PJRT_Error_GetCode_Args *args)
{
	args->code = args->error->code;
	return NULL;
}

/* Errors have no payloads to visit. */
PJRT_Error *sr_pjrt_Error_ForEachPayload(struct PJRT_Error_ForEachPayload_Args *args)
{
	(void)args;
	return NULL;
}
