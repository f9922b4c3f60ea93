/* The handles of runs and clients. Internal to api. */
#ifndef SR_API_API_RUN_H
#define SR_API_API_RUN_H

#include "api/api.h"
#include "run/execution.h"

struct shardrun_client {
	struct sr_context *ctx;
	struct sr_client client;
	struct sr_array_pool *pool;
	bool open;
	const char *message;
};

struct shardrun_run {
	struct sr_context *ctx;
	struct shardrun_client *client;
	bool owns_client;
	struct shardrun_plan *plan; /* rank 0's counts; NULL: none was given. It is kept as long as the run */
	struct sr_executable executable;
	const struct sr_array_type **types; /* [devices here, 1 at least]: arguments, then results */
	int selected; /* which of the devices here is spoken of */
	bool open, loaded; /* open: all went well; loaded: and a device is played here */
	struct sr_arena_position opened; /* of the context's arena, when it was opened: what calls allocate behind it is theirs */
	const char *message;
};

/* A call on the run begins: what the call before left is gone, its message too. */
void sr_run_begin(struct shardrun_run *run);
/* Keep the messages of what was done last, and pass the status on. */
enum sr_status sr_run_done(struct shardrun_run *run, enum sr_status status);
/* The same for words against the call. */
#define sr_run_error(run, ...) sr_run_done(run, sr_api_error((run)->ctx, __VA_ARGS__))
/* The type of argument or result i on the selected device; NULL, and SR_USAGE in the run's message, where there is none. */
const struct sr_array_type *sr_run_type(struct shardrun_run *run, int i, bool is_result);
/* A slice of that type at `data`. */
void sr_run_describe(const struct sr_array_type *type, void *data, struct shardrun_buffer *out);
/* Fill my slice of argument i, at `to`, from a global value. */
enum sr_status sr_run_read(struct shardrun_run *run, int i, const char *text, void *to);

#endif
