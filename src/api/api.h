/* The structs behind the public handles of include/shardrun/, and helpers that their functions share. Internal to api. */
#ifndef SR_API_API_H
#define SR_API_API_H

#include "driver/driver.h"
#include <shardrun.h>

struct shardrun_module {
	_Atomic int references;     /* reference count: the handle and one for each plan; the context lives until it is 0 */
	struct sr_context *ctx;
	const char *name, *text;
	size_t n;
	struct sr_op *op;           /* the module's op; NULL after an error */
	const struct sr_mesh *mesh; /* the module's first mesh with axes; NULL: none */
	const char *message, *printed;
};

struct shardrun_plan {
	_Atomic int references; /* reference count: the handle and one for each run */
	struct shardrun_module *source_module; /* module that the plan was compiled from; NULL if the plan was read from a file */
	struct sr_context *ctx; /* the module's context; a separate context if the plan was read from a file */
	const char *name;       /* name of the module or of the file, for messages */
	const struct sr_program *program; /* compiled program; NULL after an error */
	struct sr_program_objects objects; /* JIT modules stored in the program's file */
	bool trusts_objects;        /* true if only this user may write the file, so that its machine code is trusted */
	struct sr_op *module;   /* one device's module; NULL if the plan was read from a file */
	struct sr_compile_times times;
	struct shardrun_value *values; /* descriptions of the arguments, then of the results */
	struct shardrun_collective collectives[SR_COLL_COUNT];
	int n_collectives;
	const char *message;
	const char *report, *text, *module_text; /* texts computed at the first request; NULL before */
	const void *bytes; /* serialized program, computed at the first request; NULL before */
	size_t n_bytes;
};

/* Call `body` and return its status; SR_NO_MEMORY if an allocation in ctx's arena fails and unwinds. */
enum sr_status sr_api_guarded(struct sr_context *ctx, enum sr_status (*body)(void *data), void *data);
/* Report an error without a source location. Returns SR_USAGE, or SR_NO_MEMORY if the message cannot be allocated. */
enum sr_status sr_api_error(struct sr_context *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Return the diagnostics as text in ctx's arena and clear them; "" if there are none. */
const char *sr_api_message(struct sr_context *ctx, enum sr_status status);
/* Copy a caller's options over the library's defaults. Both structs begin with their size. Returns false if the caller's struct
 * is larger, so from a newer library, and a field that this library does not know is set. */
bool sr_api_options(void *internal, size_t size, const void *callers);
/* Copy the library's struct of `size` bytes to the caller's, which begins with its own size; fields beyond that size are left
 * out. */
void sr_api_copy_out(const void *internal, size_t size, void *callers);

extern const char sr_api_no_memory[]; /* error message for a NULL handle */

#endif
