/* The functions that a kernel may call while it runs, ffi_api.c; internal to run's ffi files. */
#ifndef SR_RUN_FFI_API_H
#define SR_RUN_FFI_API_H

#include "run/ffi_abi.h"

struct sr_ffi_context {
	int64_t device;
};

extern const struct sr_ffi_api sr_ffi_api;

/* What a handler returned, error and future, NULL each for none: waits for the future, and frees both. False where it failed; why
 * goes
 * into `why`, which has `room` bytes. */
_Bool sr_ffi_wait(struct sr_ffi_error *error, struct sr_ffi_future *future, char *why, size_t room);

#endif
