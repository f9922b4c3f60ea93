/* Clients, arrays and executions: <shardrun/client.h>, over those of run. An array's public handle is the internal struct. */
#include "api/run.h"
#include <stdlib.h>
#include <string.h>

/* ---- clients ---- */

struct open {
	struct shardrun_client *client;
	struct shardrun_client_options options;
};

static enum sr_status kernels_of(const char *name, enum sr_isa *isa, struct sr_diags *diags)
{
	*isa = SR_ISA_COUNT - 1;
	for (int i = 0; name && i < SR_ISA_COUNT; i++)
		if (!strcmp(name, sr_isa_names[i])) {
			*isa = (enum sr_isa)i;
			return SR_OK;
		}
	return name ? sr_error(diags, SR_USAGE, (struct sr_place){0}, "there are no kernels for '%s'; base, avx2 or avx512 is expected", name) : SR_OK;
}

static enum sr_status check_devices(int devices_per_rank, struct sr_diags *diags)
{
	enum { MOST = 4096 };
	if (devices_per_rank >= SR_DEVICES_ALL && devices_per_rank <= MOST)
		return SR_OK;
	return sr_error(diags, SR_USAGE, (struct sr_place){0}, "devices_per_rank is %d; 1 to %d, or -1 for all, is expected",
			devices_per_rank, MOST);
}

/* Arrays lie on one device. */
static bool has_one_device(struct shardrun_run *run)
{
	int n = shardrun_run_devices(run);
	if (n > 1)
		(void)sr_run_done(run, sr_error(&run->ctx->diags, SR_USAGE, (struct sr_place){0},
						"arrays are of one device, but this rank plays %d", n));
	return n <= 1;
}

static enum sr_status open_client(void *data)
{
	struct open *open = data;
	struct shardrun_client *client = open->client;
	struct sr_diags *diags = &client->ctx->diags;
	struct sr_launch *l = &client->client.launch;
	struct sr_client_options o = {.selection = open->options.collectives,
				      .threads = open->options.threads,
				      .rank_of_device = open->options.ranks,
				      .n_listed = open->options.n_ranks,
				      .devices_per_rank = open->options.devices_per_rank};
	enum sr_status status = sr_launch_join(l, open->options.comm, diags);
	if (status)
		return status;
	status = kernels_of(open->options.kernels, &o.isa, diags);
	if (!status)
		status = check_devices(o.devices_per_rank, diags);
	status = sr_launch_agree(l, status, diags);
	if (o.rank_of_device)
		o.rank_of_device = sr_dup(client->ctx->arena, o.rank_of_device, (size_t)(o.n_listed > 0 ? o.n_listed : 0), sizeof(int));
	if (!status)
		status = sr_client_open(&client->client, &o, client->ctx->arena, diags);
	client->open = !status;
	return status;
}

enum sr_status shardrun_client_open(const struct shardrun_client_options *options, struct shardrun_client **out)
{
	struct shardrun_client *client = calloc(1, sizeof *client);
	struct open open = {.client = client};
	enum sr_status status;
	*out = NULL;
	if (!client || !(client->ctx = sr_context_new()) || !(client->pool = sr_array_pool_new())) {
		sr_context_free(client ? client->ctx : NULL);
		free(client);
		return SR_NO_MEMORY;
	}
	*out = client;
	if (!sr_api_options(&open.options, sizeof open.options, options))
		status = sr_error(&client->ctx->diags, SR_USAGE, (struct sr_place){0}, "the options of the client are of a newer library");
	else
		status = sr_api_guarded(client->ctx, open_client, &open);
	client->message = sr_api_message(client->ctx, status);
	return status;
}

void shardrun_client_close(struct shardrun_client *client)
{
	if (!client)
		return;
	sr_client_close(&client->client);
	sr_launch_end(&client->client.launch);
	sr_array_pool_release(client->pool);
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

static struct sr_array *inside(const struct shardrun_array *array)
{
	return (struct sr_array *)(uintptr_t)(const void *)array;
}

static struct shardrun_array *outside(struct sr_array *array)
{
	return (struct shardrun_array *)(void *)array;
}

void shardrun_array_free(struct shardrun_array *array)
{
	sr_array_free(inside(array));
}

enum sr_status shardrun_array_slice(const struct shardrun_array *array, struct shardrun_buffer *out)
{
	const struct sr_array *a = inside(array);
	sr_run_describe(&a->type, a->data, out);
	return a->given ? SR_USAGE : SR_OK;
}

static enum sr_status keep(struct shardrun_run *run, struct sr_array *array, struct shardrun_array **out)
{
	*out = outside(array);
	return array ? SR_OK : sr_run_done(run, SR_NO_MEMORY);
}

enum sr_status shardrun_array_make(struct shardrun_run *run, int i, const char *value, struct shardrun_array **out)
{
	const struct sr_array_type *type = has_one_device(run) ? sr_run_type(run, i, false) : NULL;
	*out = NULL;
	if (!type)
		return SR_USAGE;
	struct sr_array *array = sr_array_new(run->client->pool, type);
	enum sr_status status = SR_OK;
	if (array && array->data) {
		memset(array->data, 0, (size_t)type->bytes);
		status = value ? sr_run_read(run, i, value, array->data) : SR_OK;
	}
	if (status)
		sr_array_free(array);
	return status ? status : keep(run, array, out);
}

enum sr_status shardrun_array_over(struct shardrun_run *run, int i, void *memory, struct shardrun_array **out)
{
	const struct sr_array_type *type = has_one_device(run) ? sr_run_type(run, i, false) : NULL;
	*out = NULL;
	if (!type)
		return SR_USAGE;
	if (type->bytes >= 0 && (!memory || (uintptr_t)memory % SR_ARRAY_ALIGN))
		return sr_run_done(run, sr_error(&run->ctx->diags, SR_USAGE, (struct sr_place){0}, "the memory for argument %d does not begin at a multiple of %d bytes", i, SR_ARRAY_ALIGN));
	return keep(run, sr_array_over(run->client->pool, type, type->bytes < 0 ? NULL : memory), out);
}

/* ---- executions ---- */

struct execution {
	struct shardrun_run *run;
	struct sr_array *const *arguments;
	struct sr_array **results;
	int n_results;
};

static enum sr_status execute(void *data)
{
	struct execution *x = data;
	struct shardrun_run *run = x->run;
	return sr_execute(&run->executable, run->types[0], x->arguments, x->results, x->n_results, run->client->pool,
			  &run->ctx->diags);
}

enum sr_status shardrun_execute(struct shardrun_run *run, struct shardrun_array *const *arguments, int n_arguments,
				struct shardrun_array **results, int n_results)
{
	struct execution x = {run, (struct sr_array *const *)(const void *)arguments, (struct sr_array **)(void *)results, n_results};
	for (int i = 0; i < n_results; i++)
		results[i] = NULL;
	if (!run->open)
		return sr_run_done(run, sr_error(&run->ctx->diags, SR_USAGE, (struct sr_place){0}, "the run was not opened"));
	if (!has_one_device(run))
		return SR_USAGE;
	enum sr_status status = sr_execution_check(&run->executable, run->types[0], x.arguments, n_arguments, n_results,
						   &run->ctx->diags);
	return sr_run_done(run, status ? status : sr_api_guarded(run->ctx, execute, &x));
}
