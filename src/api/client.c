/* Clients and arrays: <shardrun/client.h>. An execution copies arguments into the run's arena and results out of it, into the memory of
 * donated arguments where sizes are equal. */
#include "api/run.h"
#include "support/map.h"
#include <stdlib.h>
#include <string.h>

/* ---- clients ---- */

struct open {
	struct shardrun_client *client;
	const void *comm;
};

static enum sr_status open_client(void *data)
{
	struct open *open = data;
	struct shardrun_client *client = open->client;
	enum sr_status status = sr_launch_join(&client->launch, open->comm, &client->ctx->diags);
	client->open = !status;
	return status;
}

enum sr_status shardrun_client_open(const void *comm, struct shardrun_client **out)
{
	struct shardrun_client *client = calloc(1, sizeof *client);
	*out = NULL;
	if (!client || !(client->ctx = sr_context_new())) {
		free(client);
		return SR_NO_MEMORY;
	}
	*out = client;
	enum sr_status status = sr_api_guarded(client->ctx, open_client, &(struct open){client, comm});
	client->message = sr_api_message(client->ctx, status);
	return status;
}

void shardrun_client_close(struct shardrun_client *client)
{
	if (!client)
		return;
	sr_launch_end(&client->launch);
	sr_context_free(client->ctx);
	free(client);
}

const char *shardrun_client_message(const struct shardrun_client *client)
{
	return client ? client->message : sr_api_no_memory;
}

int shardrun_client_rank(const struct shardrun_client *client)
{
	return client->launch.rank;
}

int shardrun_client_ranks(const struct shardrun_client *client)
{
	return client->launch.size;
}

/* ---- arrays ---- */

struct shardrun_array {
	uint64_t layout;              /* of shardrun_run's layouts */
	bool given;                   /* to an execution that donated it */
	struct shardrun_buffer slice; /* data owned; NULL on a spare rank */
};

/* A value's type, and what every device holds of it: the same on all ranks, and for programs whose meshes differ in name alone. */
static uint64_t layout_of(const struct sr_program *p, const struct sr_io *io)
{
	const int64_t head[] = {io->dtype, io->rank, p->n_devices};
	size_t extents = sizeof(int64_t) * (size_t)io->rank;
	uint64_t hash = sr_hash_bytes(head, sizeof head, 0);
	hash = sr_hash_bytes(sr_program_ids(p) + io->shape, extents, hash);
	for (int64_t device = 0; device < p->n_devices; device++) {
		struct sr_device_slice s = sr_program_slice(p, io, device);
		hash = sr_hash_bytes(s.start, extents, hash);
		hash = sr_hash_bytes(s.local, extents, hash);
	}
	return hash;
}

static enum sr_status make_layouts(void *data)
{
	struct shardrun_run *run = data;
	const struct sr_program *p = run->s.program;
	uint64_t *layouts = SR_NEWS(run->ctx->arena, uint64_t, p->n_arguments + p->n_results);
	for (int32_t i = 0; i < p->n_arguments + p->n_results; i++)
		layouts[i] = layout_of(p, sr_program_values(p) + i);
	run->layouts = layouts;
	return SR_OK;
}

static enum sr_status know_layouts(struct shardrun_run *run)
{
	return run->layouts ? SR_OK : sr_run_done(run, sr_api_guarded(run->ctx, make_layouts, run));
}

/* An array for a value that lies at `slice`, in memory of its own, not filled. */
static struct shardrun_array *new_array(const struct shardrun_buffer *slice, uint64_t layout, void *memory)
{
	struct shardrun_array *array = calloc(1, sizeof *array);
	if (array) {
		*array = (struct shardrun_array){.layout = layout, .slice = *slice};
		array->slice.data = memory ? memory : slice->data ? aligned_alloc(64, ((size_t)slice->bytes + 64) / 64 * 64) : NULL;
	}
	if (array && slice->data && !array->slice.data) {
		free(array);
		array = NULL;
	}
	return array;
}

void shardrun_array_free(struct shardrun_array *array)
{
	if (array)
		free(array->slice.data);
	free(array);
}

enum sr_status shardrun_array_slice(const struct shardrun_array *array, struct shardrun_buffer *out)
{
	*out = array->slice;
	return array->given ? SR_USAGE : SR_OK;
}

enum sr_status shardrun_array_make(struct shardrun_run *run, int i, const char *value, struct shardrun_array **out)
{
	struct shardrun_buffer at;
	*out = NULL;
	enum sr_status status = sr_run_value(run, i, false, &at);
	if (!status)
		status = know_layouts(run);
	if (status)
		return status;
	struct shardrun_array *array = new_array(&at, run->layouts[i], NULL);
	if (!array)
		return sr_run_done(run, SR_NO_MEMORY);
	if (array->slice.data)
		memset(array->slice.data, 0, (size_t)array->slice.bytes);
	if (array->slice.data && value)
		status = sr_run_read(run, i, value, array->slice.data);
	if (status)
		shardrun_array_free(array);
	else
		*out = array;
	return status;
}

/* ---- executions ---- */

struct execution {
	struct shardrun_run *run;
	struct shardrun_array *const *arguments;
	struct shardrun_array **results;
	int n_arguments, n_results;
};

/* What is wrong is so on all ranks: layouts are known to all, and are one number. */
static enum sr_status check(const struct execution *e)
{
	const struct sr_program *p = e->run->s.program;
	struct sr_diags *diags = &e->run->ctx->diags;
	struct sr_place nowhere = {0};
	if (e->n_arguments != p->n_arguments || e->n_results < 0 || e->n_results > p->n_results)
		return sr_error(diags, SR_USAGE, nowhere, "%d arrays are given and %d wanted, but the program has %d arguments and %d results",
				e->n_arguments, e->n_results, p->n_arguments, p->n_results);
	for (int i = 0; i < e->n_arguments; i++) {
		const struct shardrun_array *array = e->arguments[i];
		const char *type = sr_program_string(p, sr_program_values(p)[i].type);
		if (!array || array->given)
			return sr_error(diags, SR_USAGE, nowhere, "argument %d (%s) is %s", i, type,
					array ? "an array that was donated to an execution before" : "no array");
		if (array->layout != e->run->layouts[i])
			return sr_error(diags, SR_USAGE, nowhere, "argument %d (%s): the array has another type, or lies on the devices in another way",
					i, type);
		for (int k = 0; k < i; k++)
			if (e->arguments[k] == array && (sr_program_values(p)[i].donated || sr_program_values(p)[k].donated))
				return sr_error(diags, SR_USAGE, nowhere, "arguments %d and %d are one array, which is donated", k, i);
	}
	return SR_OK;
}

/* The memory of a donated argument of so many bytes that no result has taken; NULL: there is none. */
static void *take_over(struct execution *e, int64_t bytes)
{
	for (int i = 0; i < e->n_arguments; i++) {
		struct shardrun_array *array = e->arguments[i];
		void *memory = array->slice.data;
		if (array->given && memory && array->slice.bytes == bytes) {
			array->slice.data = NULL;
			return memory;
		}
	}
	return NULL;
}

static enum sr_status step(struct execution *e)
{
	struct shardrun_run *run = e->run;
	const struct sr_program *p = run->s.program;
	struct shardrun_buffer at;
	for (int i = 0; i < e->n_arguments; i++) {
		(void)sr_run_value(run, i, false, &at);
		if (at.data && at.bytes)
			memcpy(at.data, e->arguments[i]->slice.data, (size_t)at.bytes);
		if (sr_program_values(p)[i].donated)
			e->arguments[i]->given = true;
	}
	enum sr_status status = shardrun_run_step(run);
	for (int i = 0; !status && i < e->n_results; i++) {
		(void)sr_run_value(run, i, true, &at);
		e->results[i] = new_array(&at, run->layouts[p->n_arguments + i], take_over(e, at.bytes));
		if (!e->results[i])
			status = sr_run_done(run, SR_NO_MEMORY);
		else if (at.data && at.bytes)
			memcpy(e->results[i]->slice.data, at.data, (size_t)at.bytes);
	}
	return status;
}

enum sr_status shardrun_execute(struct shardrun_run *run, struct shardrun_array *const *arguments, int n_arguments, struct shardrun_array **results,
				int n_results)
{
	struct execution e = {run, arguments, results, n_arguments, n_results};
	for (int i = 0; i < n_results; i++)
		results[i] = NULL;
	if (!run->open)
		return sr_run_done(run, sr_error(&run->ctx->diags, SR_USAGE, (struct sr_place){0}, "the run was not opened"));
	enum sr_status status = know_layouts(run);
	if (!status)
		status = sr_run_done(run, check(&e));
	if (!status)
		status = step(&e);
	for (int i = 0; status && i < n_results; i++) {
		shardrun_array_free(results[i]);
		results[i] = NULL;
	}
	return status;
}
