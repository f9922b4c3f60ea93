/* Executions: arrays bound to the places of arguments and results, a step, and what could not be bound copied. */
#include "run/execution.h"
#include "support/checked.h"
#include "support/map.h"
#include <string.h>

/* The same on all ranks, and for programs whose meshes differ in name alone. */
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

const struct sr_array_type *sr_execution_types(const struct sr_executable *e, int k, struct sr_arena *arena)
{
	const struct sr_program *p = e->program;
	int n = p->n_arguments + p->n_results;
	struct sr_array_type *types = SR_NEWS(arena, struct sr_array_type, n);
	for (int i = 0; i < n; i++) {
		const struct sr_io *io = sr_program_values(p) + i;
		types[i] = (struct sr_array_type){.layout = layout_of(p, io), .bytes = -1, .rank = io->rank};
		if (sr_executable_is_spare(e))
			continue;
		types[i].bytes = sr_program_buffers(p)[io->buffer].bytes;
		types[i].slice = sr_program_slice(p, io, e->devices[k].id);
	}
	return types;
}

/* What is wrong is so on all ranks: layouts are known to all, and are one number. */
enum sr_status sr_execution_check(const struct sr_executable *e, const struct sr_array_type *types,
				  struct sr_array *const *arguments,
				  int n_arguments, int n_results, struct sr_diags *diags)
{
	const struct sr_program *p = e->program;
	const struct sr_io *values = sr_program_values(p);
	struct sr_place nowhere = {0};
	if (n_arguments != p->n_arguments || n_results < 0 || n_results > p->n_results)
		return sr_error(diags, SR_USAGE, nowhere,
				"%d arrays are given and %d wanted, but the program has %d arguments and %d results",
				n_arguments, n_results, p->n_arguments, p->n_results);
	for (int i = 0; i < n_arguments; i++) {
		const struct sr_array *array = arguments[i];
		const char *type = sr_program_string(p, values[i].type);
		if (!array || array->given)
			return sr_error(diags, SR_USAGE, nowhere, "argument %d (%s) is %s", i, type,
					array ? "an array that was donated to an execution before" : "no array");
		if (array->type.layout != types[i].layout)
			return sr_error(diags, SR_USAGE, nowhere,
					"argument %d (%s): the array has another type, or lies on the devices in another way",
					i, type);
		for (int k = 0; k < i; k++)
			if (arguments[k] == array && (values[i].donated || values[k].donated))
				return sr_error(diags, SR_USAGE, nowhere, "arguments %d and %d are one array, which is donated", k,
						i);
	}
	return SR_OK;
}

static const struct sr_io *result(const struct sr_program *p, int i)
{
	return sr_program_values(p) + p->n_arguments + i;
}

static void *place(const struct sr_executable *e, const struct sr_io *io)
{
	return sr_device_buffer(&e->devices[0], io->buffer);
}

static void copy(void *to, const void *from, int64_t bytes)
{
	if (bytes && to != from)
		memcpy(to, from, (size_t)bytes);
}

/* Result i is to be where its donated argument is. */
static bool takes_over(const struct sr_executable *e, int i)
{
	return !sr_executable_is_spare(e) && sr_device_taken(&e->devices[0], e->program->n_arguments + i) >= 0;
}

/* Memory for the results that need some. */
static enum sr_status make_results(const struct sr_executable *e, const struct sr_array_type *types, struct sr_array **results,
				   int n,
				   struct sr_array_pool *pool, struct sr_diags *diags)
{
	const struct sr_program *p = e->program;
	for (int i = 0; i < n; i++) {
		const struct sr_array_type *type = &types[p->n_arguments + i];
		if (takes_over(e, i))
			continue;
		results[i] = sr_array_new(pool, type);
		if (!results[i])
			return sr_error(diags, SR_NO_MEMORY, (struct sr_place){0}, "out of memory for %lld bytes of result %d",
					(long long)type->bytes, i);
	}
	return SR_OK;
}

static void bind(struct sr_executable *e, struct sr_array *const *arguments, struct sr_array *const *results, int n_results)
{
	const struct sr_program *p = e->program;
	struct sr_device *d = &e->devices[0];
	for (int i = 0; i < p->n_arguments; i++)
		if (!sr_device_bind(d, i, arguments[i]->data))
			copy(place(e, sr_program_values(p) + i), arguments[i]->data, arguments[i]->type.bytes);
	for (int i = 0; i < p->n_results; i++)
		if (sr_device_taken(d, p->n_arguments + i) < 0)
			(void)sr_device_bind(d, p->n_arguments + i, i < n_results ? results[i]->data : NULL);
}

/* Donated memory becomes the result's that was computed in it; other results are where they were bound, or are fetched. */
static enum sr_status collect(struct sr_executable *e, const struct sr_array_type *types, struct sr_array *const *arguments,
			      struct sr_array **results,
			      int n, struct sr_diags *diags)
{
	const struct sr_program *p = e->program;
	for (int i = 0; i < n; i++) {
		if (!takes_over(e, i)) {
			copy(results[i]->data, place(e, result(p, i)), results[i]->type.bytes);
			continue;
		}
		results[i] = sr_array_take(arguments[sr_device_taken(&e->devices[0], p->n_arguments + i)],
		    &types[p->n_arguments + i]);
		if (!results[i])
			return sr_error(diags, SR_NO_MEMORY, (struct sr_place){0}, "out of memory for result %d", i);
	}
	return SR_OK;
}

enum sr_status sr_execute(struct sr_executable *e, const struct sr_array_type *types, struct sr_array *const *arguments,
			  struct sr_array **results,
			  int n_results, struct sr_array_pool *pool, struct sr_diags *diags)
{
	const struct sr_program *p = e->program;
	bool spare = sr_executable_is_spare(e);
	for (int i = 0; i < n_results; i++)
		results[i] = NULL;
	enum sr_status status = make_results(e, types, results, n_results, pool, diags);
	if (!status && !spare) {
		bind(e, arguments, results, n_results);
		status = sr_executable_step(e, diags);
	}
	for (int i = 0; i < p->n_arguments; i++)
		arguments[i]->given = arguments[i]->given || sr_program_values(p)[i].donated;
	if (!status && !spare)
		status = collect(e, types, arguments, results, n_results, diags);
	for (int i = 0; status && i < n_results; i++) {
		sr_array_free(results[i]);
		results[i] = NULL;
	}
	return status;
}

void sr_execution_unbind(struct sr_executable *e)
{
	for (int k = 0; k < e->n_devices; k++)
		for (int i = 0; i < e->program->n_arguments + e->program->n_results; i++)
			(void)sr_device_bind(&e->devices[k], i, NULL);
}
