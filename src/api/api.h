/* What the handles of include/shardrun/ are, and what their functions share. Internal to api. */
#ifndef SR_API_API_H
#define SR_API_API_H

#include "driver/driver.h"
#include <shardrun.h>

struct shardrun_module {
	_Atomic int references;     /* the handle's, and one for each plan: context and all else live until the last is gone */
	struct sr_context *ctx;
	const char *name, *text;
	size_t n;
	struct sr_op *op;           /* NULL after an error */
	const struct sr_mesh *mesh; /* NULL: none */
	const char *message, *printed;
};

struct shardrun_plan {
	_Atomic int references; /* the handle's, and one for each run */
	struct shardrun_module *made_of; /* NULL: read from a file */
	struct sr_context *ctx; /* the module's; its own where it was read from a file */
	const char *name;       /* the module's, or the file's, for messages */
	const struct sr_program *program; /* NULL after an error */
	struct sr_program_objects units; /* of the file */
	bool owns_objects;        /* nobody but this user may have written them */
	struct sr_op *module;   /* the local one; NULL where it was read from a file */
	struct sr_compile_times times;
	struct shardrun_value *values; /* [n_arguments + n_results] */
	struct shardrun_collective collectives[SR_COLL_COUNT];
	int n_collectives;
	const char *message;
	const char *report, *text, *module_text; /* written when first asked for */
	const void *bytes; /* likewise, of its file */
	size_t n_bytes;
};

/* Run `body` and catch the unwinding of ctx's arena: SR_NO_MEMORY then. */
enum sr_status sr_api_guarded(struct sr_context *ctx, enum sr_status (*body)(void *data), void *data);
/* Report an error without a place; SR_USAGE, or SR_NO_MEMORY where there is none for the words. */
enum sr_status sr_api_error(struct sr_context *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The diagnostics as text, in the arena; "" where there are none. Clears them. */
const char *sr_api_message(struct sr_context *ctx, enum sr_status status);
/* Copy a caller's struct that begins with its size over our defaults.
 * False where it is larger than ours and what we do not know is set. */
bool sr_api_options(void *ours, size_t size, const void *theirs);
/* Fill a caller's struct as far as its size, its first field, says. */
void sr_api_copy_out(const void *ours, size_t size, void *theirs);

extern const char sr_api_no_memory[]; /* the message of NULL */

#endif
