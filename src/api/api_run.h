/* The structs behind the public handles of runs and clients. Internal to api. */
#ifndef SR_API_API_RUN_H
#define SR_API_API_RUN_H

#include "api/api.h"
#include "run/execution.h"
#include "run/heartbeat.h"
#include "support/thread.h"

struct shardrun_client {
	struct sr_context *ctx;
	struct sr_client client;
	struct sr_heartbeat *heartbeat;
	struct shardrun_client *next; /* next in the list of clients whose memory is kept because MPI may still use it */
	bool is_open;
	const char *message;
};

struct shardrun_run {
	struct sr_context *ctx;
	struct shardrun_client *client;
	struct shardrun_run *next; /* next in the list of runs whose memory is kept because MPI may still use it */
	bool owns_client;
	struct shardrun_plan *plan; /* the caller's plan, referenced only until the run is open; NULL: rank 0's plan is used */
	const char *name; /* name of the program, for messages; NULL: unknown on this rank */
	struct sr_executable executable;
	/* arrays that the run owns for fill, step and read: the arguments, then the results; each is NULL until needed */
	struct sr_array **values;
	bool has_run_step; /* true if shardrun_run_step was called, so that all ranks have `values` */
	int selected; /* index of the device chosen by shardrun_run_select */
	bool is_open, is_loaded; /* open: the run was opened without error; loaded: in addition, this rank executes a device */
	struct sr_arena_position arena_top; /* top of the context's arena after opening; each call releases what was allocated above it */
	const char *_Atomic message;
	/* memory of a finished call to execute, owned by the run and reused by the next call (execute.c) */
	struct sr_execute_call *_Atomic unused_call;
	pthread_mutex_t lock; /* protects the messages of calls to execute, which several threads may make */
};

void sr_execute_call_free(struct sr_execute_call *call);
/* Begin a public call on the run: release memory and message of the previous call. */
void sr_run_begin_call(struct shardrun_run *run);
/* Store the messages of the public call in the run, and return its status. */
enum sr_status sr_run_end_call(struct shardrun_run *run, enum sr_status status);
/* Report an error of the public call and return its status. */
#define sr_run_error(run, ...) sr_run_end_call(run, sr_api_error((run)->ctx, __VA_ARGS__))
/* Return the layout of argument or result i; NULL, with a message in the run, if there is none. */
struct sr_layout *sr_run_layout(struct shardrun_run *run, int i, bool is_result);
/* Describe shard k of a value with this layout, stored at `data`; on an idle rank describe a buffer without data. */
void sr_run_describe(const struct sr_layout *layout, int k, void *data, struct shardrun_buffer *out);
/* Read shard k of argument i from a global value into `to`. */
enum sr_status sr_run_read(struct shardrun_run *run, int i, int k, const char *text, void *to);

#endif
