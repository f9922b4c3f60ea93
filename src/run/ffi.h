/* Custom-call kernels with XLA's FFI (ffi_abi.h): libraries are loaded once per process, and each call is prepared for each device,
 * so that executing a call allocates nothing.
 *
 *	sr_ffi_open(&ffi, texts, n, arena, diags);     "rms=./librms.so:Rms"
 *	call = sr_ffi_ready(&ffi, program, step, device, arena);
 *	sr_ffi_execute(call, operands);
 *	sr_ffi_close(&ffi);                            when no device uses a call any more */
#ifndef SR_RUN_FFI_H
#define SR_RUN_FFI_H

#include "program/program.h"
#include "run/ffi_abi.h"
#include "support/diag.h"

struct sr_ffi_kernel;
struct sr_ffi_call;

/* User data that the host passes to an execution, for handlers that request it by its type. */
struct sr_ffi_user_datum {
	int64_t type; /* type id (XLA_FFI_TypeId) in the host's registry */
	void *data;
};
struct sr_ffi_user_data {
	const struct sr_ffi_user_datum *entries; /* [n] */
	size_t n;
};

struct sr_ffi {
	struct sr_ffi_kernel *kernels; /* loaded kernels, in the arena; length: n */
	size_t n;
};

/* Load kernels from texts of the form NAME=LIBRARY:SYMBOL, or NAME=LIBRARY if the symbol is NAME. Returns SR_USAGE, reported, on
 * failure. */
enum sr_status sr_ffi_open(struct sr_ffi *ffi, const char *const *texts, size_t n, struct sr_arena *arena, struct sr_diags *diags);
void sr_ffi_close(struct sr_ffi *ffi);
/* Make a set of n handlers that are functions of this process and outlive the set. It needs no sr_ffi_close. */
void sr_ffi_of_handlers(struct sr_ffi *ffi, const char *const *names, sr_ffi_handler *const *handlers, size_t n, struct sr_arena *arena);
/* Return true if the handler was built for a supported version of the interface; otherwise write the reason to `why` (`capacity`
 * bytes). */
bool sr_ffi_check(sr_ffi_handler *handler, char *why, size_t capacity);
/* Parse a text as for sr_ffi_open and return its target name in *name, in the arena; SR_USAGE, reported, if the text is
 * malformed. */
enum sr_status sr_ffi_name(const char *text, const char **name, struct sr_arena *arena, struct sr_diags *diags);

/* Prepare a custom-call instruction for a device. Returns NULL if no kernel has the call's target name. */
struct sr_ffi_call *sr_ffi_ready(const struct sr_ffi *ffi, const struct sr_program *p, const struct sr_instr *step, int64_t device,
				 struct sr_arena *arena);
/* Call the kernel with these operand addresses. Returns SR_UNSUPPORTED if the kernel reports a failure. */
enum sr_status sr_ffi_execute(struct sr_ffi_call *call, void *const *operands, struct sr_ffi_user_data data);
const char *sr_ffi_failure(const struct sr_ffi_call *call); /* Return the message of the call's last failure. */

#endif
