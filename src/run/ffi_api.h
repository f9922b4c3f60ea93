/* The API that a kernel may call while it runs (ffi_api.c). Internal to the ffi files of run. */
#ifndef SR_RUN_FFI_API_H
#define SR_RUN_FFI_API_H

#include "run/ffi.h"

struct sr_ffi_context {
	int64_t device;
	struct sr_ffi_user_data data; /* user data of the current execution */
};

extern const struct sr_ffi_api sr_ffi_api;

/* Wait for a handler's future, and free the error and the future; each may be NULL. Returns false on failure, with the message in
 * `why` (`capacity` bytes). */
_Bool sr_ffi_wait(struct sr_ffi_error *error, struct sr_ffi_future *future, char *why, size_t capacity);

#endif
