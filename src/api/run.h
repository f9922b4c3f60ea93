/* The handles of runs and clients. Internal to api. */
#ifndef SR_API_RUN_H
#define SR_API_RUN_H

#include "api/api.h"
#include "exec/session.h"

struct shardrun_client {
	struct sr_context *ctx;
	struct sr_launch launch; /* no devices: each run has a communicator of its own */
	bool open;
	const char *message;
};

struct shardrun_run {
	struct sr_context *ctx;
	struct shardrun_run_options options;
	const struct shardrun_plan *plan; /* rank 0 */
	struct sr_session s;
	bool open, loaded; /* open: all went well; loaded: and a device is played here */
	const uint64_t *layouts; /* [n_arguments + n_results]: equal where type and layout are; made when first asked for */
	const char *message;
};

/* Keep the messages of what was done last, and pass the status on. */
enum sr_status sr_run_done(struct shardrun_run *run, enum sr_status status);
/* Argument or result i as it lies in the run. SR_USAGE, in the run's message, where there is none. */
enum sr_status sr_run_value(struct shardrun_run *run, int i, bool is_result, struct shardrun_buffer *out);
/* Fill my slice of argument i, at `to`, from a global value. */
enum sr_status sr_run_read(struct shardrun_run *run, int i, const char *text, void *to);

#endif
