/* Implement clients and arrays of <shardrun/client.h> on top of run/. struct shardrun_array is struct sr_array. */
#include "api/api_run.h"
#include <stdlib.h>
#include <string.h>

/* ---- clients ---- */

struct open {
	struct shardrun_client *client;
	struct shardrun_client_options options;
	bool is_newer; /* the caller's options are of a newer library */
	struct sr_client_options run; /* the options in the form that run/ takes */
};

static enum sr_status find_features(const char *name, uint64_t *features, struct sr_arena *arena, struct sr_diags *diags)
{
	enum sr_isa isa = name ? sr_isa_find(name, strlen(name)) : SR_ISA_COUNT;
	*features = isa < SR_ISA_COUNT ? sr_isa_features(isa) : UINT64_MAX;
	return name && isa == SR_ISA_COUNT ? sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
						      "there are no kernels for '%s'; %s is expected", name, sr_isa_list(arena))
					   : SR_OK;
}

static enum sr_status check_devices(int devices_per_rank, struct sr_diags *diags)
{
	enum { MAX_DEVICES = 4096 };
	if (devices_per_rank >= SR_DEVICES_ALL && devices_per_rank <= MAX_DEVICES)
		return SR_OK;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "devices_per_rank is %d; 1 to %d, or -1 for all, is expected",
			devices_per_rank, MAX_DEVICES);
}

static const double MAX_STALL_TIMEOUT = 1e9;

static enum sr_status join_launch(void *data)
{
	struct open *open = data;
	return sr_launch_join(&open->client->client.launch, open->options.comm, &open->client->ctx->diags);
}

/* Convert this rank's options to those of run/. */
static enum sr_status read_options(void *data)
{
	struct open *open = data;
	const struct shardrun_client_options *options = &open->options;
	struct sr_arena *arena = open->client->ctx->arena;
	struct sr_diags *diags = &open->client->ctx->diags;
	open->run = (struct sr_client_options){.selection = options->collectives,
					       .threads = options->threads,
					       .n_listed = options->n_ranks,
					       .devices_per_rank = options->devices_per_rank};
	sr_client_reserve(&open->client->client);
	if (open->is_newer)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "the options of the client are of a newer library");
	if (options->ranks)
		open->run.rank_of_device = sr_dup(arena, options->ranks, (size_t)(options->n_ranks > 0 ? options->n_ranks : 0),
						  sizeof(int));
	if (!(options->stall_timeout < MAX_STALL_TIMEOUT))
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
				"stall_timeout is %g; a number of seconds, 0 or -1 is expected",
				options->stall_timeout);
	enum sr_status status = find_features(options->kernels, &open->run.features, arena, diags);
	return status ? status : check_devices(options->devices_per_rank, diags);
}

/* Return the number of seconds after which a wait counts as stalled; 0: never. */
static double stall_limit(const struct shardrun_client_options *o)
{
	enum { DEFAULT_SECONDS = 300 }; /* equal to the default of the flag --stall-timeout */
	return o->stall_timeout < 0 ? 0 : o->stall_timeout > 0 ? o->stall_timeout : DEFAULT_SECONDS;
}

/* Begin to watch the other ranks. Collective on all ranks. */
static enum sr_status begin_heartbeat(void *data)
{
	struct open *open = data;
	struct shardrun_client *client = open->client;
	if (client->client.launch.size > 1)
		client->heartbeat = sr_heartbeat_begin(&client->client,
						       &(struct sr_heartbeat_options){.limit = stall_limit(&open->options)});
	return SR_OK;
}

static enum sr_status open_client(struct open *open)
{
	struct shardrun_client *client = open->client;
	struct sr_context *ctx = client->ctx;
	client->client.arena = ctx->arena;
	client->client.launch.wait_limit = stall_limit(&open->options);
	client->client.launch.wants_threads = true;
	enum sr_status status = sr_api_guarded(ctx, join_launch, open);
	if (!status)
		status = sr_client_stage(&client->client, read_options, open, &ctx->diags);
	if (!status)
		status = sr_client_stage(&client->client, begin_heartbeat, open, &ctx->diags);
	if (!status)
		status = sr_client_open(&client->client, &open->run, ctx->arena, &ctx->diags);
	client->is_open = !status;
	client->message = sr_api_message(ctx, status);
	return status;
}

static struct shardrun_client *new_client(void)
{
	struct shardrun_client *client = calloc(1, sizeof *client);
	if (client && (client->ctx = sr_context_new()))
		return client;
	sr_context_free(client ? client->ctx : NULL);
	free(client);
	return NULL;
}

/* Tell the other ranks that this rank has no memory for a client. */
static enum sr_status fail_without_client(const void *comm)
{
	static struct sr_launch l; /* static, since MPI may write to the struct after this rank has stopped waiting */
	if (atomic_load(&l.abort.has_pending))
		return SR_NO_MEMORY;
	if (!sr_launch_join(&l, comm, NULL))
		(void)sr_launch_agree(&l, SR_NO_MEMORY, NULL);
	sr_launch_end(&l);
	return SR_NO_MEMORY;
}

enum sr_status shardrun_client_open(const struct shardrun_client_options *options, struct shardrun_client **out)
{
	struct open open = {.client = *out = new_client()};
	open.is_newer = !sr_api_options(&open.options, sizeof open.options, options);
	return open.client ? open_client(&open) : fail_without_client(open.options.comm);
}

/* Clients that are not freed because MPI may still use their memory. The list is global, so that leak checkers find them. */
static struct shardrun_client *_Atomic unfreed_clients;

static void keep_client(struct shardrun_client *client)
{
	client->next = atomic_load(&unfreed_clients);
	while (!atomic_compare_exchange_weak(&unfreed_clients, &client->next, client))
		;
}

void shardrun_client_close(struct shardrun_client *client)
{
	if (!client)
		return;
	sr_client_drain(&client->client);
	sr_heartbeat_end(client->heartbeat);
	sr_client_close(&client->client);
	sr_launch_end(&client->client.launch);
	if (atomic_load(&client->client.launch.abort.has_pending)) {
		keep_client(client);
		return;
	}
	sr_context_free(client->ctx);
	free(client);
}

const char *shardrun_client_message(const struct shardrun_client *client)
{
	return client ? client->message : sr_api_no_memory;
}

int shardrun_client_rank(const struct shardrun_client *client)
{
	return client->client.launch.rank;
}

int shardrun_client_ranks(const struct shardrun_client *client)
{
	return client->client.launch.size;
}

const char *shardrun_client_kernels(const struct shardrun_client *client)
{
	return sr_isa_names[client->client.isa];
}

int shardrun_client_threads(const struct shardrun_client *client)
{
	return client->client.threads;
}

/* ---- arrays ---- */

static struct sr_array *internal_array(const struct shardrun_array *array)
{
	return (struct sr_array *)(uintptr_t)(const void *)array;
}

static struct shardrun_array *public_array(struct sr_array *array)
{
	return (struct shardrun_array *)(void *)array;
}

void shardrun_array_free(struct shardrun_array *array)
{
	sr_array_release(internal_array(array));
}

int shardrun_array_shards(const struct shardrun_array *array)
{
	return internal_array(array)->layout->n_shards;
}

enum sr_status shardrun_array_wait(const struct shardrun_array *array)
{
	struct sr_event *ready = internal_array(array)->ready;
	return ready ? sr_event_wait(ready) : SR_OK;
}

enum sr_status shardrun_array_shard(const struct shardrun_array *array, int k, struct shardrun_buffer *out)
{
	const struct sr_array *a = internal_array(array);
	bool is_local = k >= 0 && k < a->layout->n_shards;
	enum sr_status status = shardrun_array_wait(array);
	sr_run_describe(a->layout, is_local ? k : a->layout->n_shards, is_local ? a->shards[k].data : NULL, out);
	return a->is_donated || (!is_local && k) ? SR_USAGE : status;
}

enum sr_status shardrun_array_slice(const struct shardrun_array *array, struct shardrun_buffer *out)
{
	return shardrun_array_shard(array, 0, out);
}

static enum sr_status return_array(struct shardrun_run *run, struct sr_array *array, struct shardrun_array **out)
{
	*out = public_array(array);
	return array ? SR_OK : sr_run_end_call(run, SR_NO_MEMORY);
}

enum sr_status shardrun_array_make(struct shardrun_run *run, int i, const char *value, struct shardrun_array **out)
{
	sr_run_begin_call(run);
	struct sr_layout *layout = sr_run_layout(run, i, false);
	*out = NULL;
	if (!layout)
		return SR_USAGE;
	struct sr_array *array = sr_array_new(layout);
	enum sr_status status = SR_OK;
	if (array && !sr_array_allocate_all(array, run->executable.device_set->memory)) {
		sr_array_release(array);
		array = NULL;
	}
	for (int k = 0; array && !status && k < layout->n_shards; k++) {
		memset(array->shards[k].data, 0, (size_t)layout->shards[k].bytes);
		status = value ? sr_run_read(run, i, k, value, array->shards[k].data) : SR_OK;
	}
	if (status)
		sr_array_release(array);
	return status ? status : return_array(run, array, out);
}

enum sr_status shardrun_array_over(struct shardrun_run *run, int i, void *memory, struct shardrun_array **out)
{
	sr_run_begin_call(run);
	struct sr_layout *layout = sr_run_layout(run, i, false);
	*out = NULL;
	if (!layout)
		return SR_USAGE;
	if (layout->n_shards > 1)
		return sr_run_error(run, "an array over the caller's memory has one shard, but this rank executes %d devices",
				    layout->n_shards);
	if (layout->n_shards && (!memory || (uintptr_t)memory % SR_ARRAY_ALIGN))
		return sr_run_error(run, "the memory for argument %d does not begin at a multiple of %d bytes", i, SR_ARRAY_ALIGN);
	struct sr_array *array = sr_array_new(layout);
	if (array && layout->n_shards)
		array->shards[0].data = memory;
	return return_array(run, array, out);
}
