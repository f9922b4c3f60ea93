/* Kernels of users, called by XLA's interface of foreign functions (ffi_abi.h): loaded once by the process, made ready for each
 * call of
 * a program on each device, so that nothing is allocated when a step plays it.
 *
 *	sr_ffi_open(&ffi, texts, n, arena, diags);     "rms=./librms.so:Rms"
 *	call = sr_ffi_ready(&ffi, program, step, device, arena);
 *	sr_ffi_execute(call, operands);
 *	sr_ffi_close(&ffi);                            when no device has a call of it any more */
#ifndef SR_RUN_FFI_H
#define SR_RUN_FFI_H

#include "program/program.h"
#include "support/diag.h"

struct sr_ffi_kernel;
struct sr_ffi_call;

struct sr_ffi {
	struct sr_ffi_kernel *kernels; /* [n]; in the arena */
	size_t n;
};

/* Each text is NAME=LIBRARY:SYMBOL, or NAME=LIBRARY where the symbol is called as the target. SR_USAGE, reported. */
enum sr_status sr_ffi_open(struct sr_ffi *ffi, const char *const *texts, size_t n, struct sr_arena *arena, struct sr_diags *diags);
void sr_ffi_close(struct sr_ffi *ffi);
/* The target that a text names, in the arena; SR_USAGE, reported, where it names none. */
enum sr_status sr_ffi_name(const char *text, const char **name, struct sr_arena *arena, struct sr_diags *diags);

/* A step SR_INSTR_CUSTOM_CALL on a device; NULL: no kernel of its name is there. */
struct sr_ffi_call *sr_ffi_ready(const struct sr_ffi *ffi, const struct sr_program *p, const struct sr_instr *step, int64_t device,
				 struct sr_arena *arena);
/* On operands where they lie now. SR_UNSUPPORTED where the kernel says that it failed. */
enum sr_status sr_ffi_execute(struct sr_ffi_call *call, void *const *operands);
const char *sr_ffi_failure(const struct sr_ffi_call *call); /* what it said */

#endif
