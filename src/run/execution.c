/* Executions: bind arrays to arguments and results, execute, and copy what could not be bound. */
#include "run/execution.h"
#include "support/checked.h"
#include "support/map.h"
#include <stdlib.h>
#include <string.h>

/* Hash element type, shape and slices: equal on all ranks, and for programs whose meshes differ only in names. */
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
		if (sr_executable_is_idle(e))
			continue;
		types[i].bytes = sr_program_buffers(p)[io->buffer].bytes;
		types[i].slice = sr_program_slice(p, io, e->devices[k].id);
	}
	return types;
}

/* ---- checks ---- */

struct memory_range { /* memory range of an argument */
	const char *prepare, *end;
	int argument;
};

static int by_begin(const void *x, const void *y)
{
	const struct memory_range *a = x, *b = y;
	return a->prepare != b->prepare ? (a->prepare < b->prepare ? -1 : 1) : a->argument - b->argument;
}

static bool is_donated(const struct sr_execution *x, int argument)
{
	return sr_program_values(x->e->program)[argument].donated;
}

static enum sr_status report_overlap(const struct sr_execution *x, int a, int b, struct sr_diags *diags)
{
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "arguments %d and %d share memory, and argument %d is donated",
			a < b ? a : b, a < b ? b : a, is_donated(x, a) ? a : b);
}

/* Fill `sorted` with the memory ranges of the arguments, ordered by address. Returns how many there are. */
static size_t sort_ranges(const struct sr_execution *x, struct memory_range *sorted)
{
	size_t n = 0;
	for (int i = 0; i < x->n_arguments; i++) {
		const struct sr_array *a = x->arguments[i];
		if (a->data && a->type.bytes > 0)
			sorted[n++] = (struct memory_range){a->data, (char *)a->data + sr_array_bytes(a), i};
	}
	if (n)
		qsort(sorted, n, sizeof *sorted, by_begin);
	return n;
}

/* Check that no argument shares memory with a donated one, whose memory is overwritten during the execution. */
static enum sr_status check_ranges(const struct sr_execution *x, struct memory_range *sorted, struct sr_diags *diags)
{
	/* the range with the furthest end among the previous ones, and among the donated ones */
	const struct memory_range *furthest = NULL, *furthest_donated = NULL;
	size_t n = sort_ranges(x, sorted);
	for (const struct memory_range *s = sorted; s < sorted + n; s++) {
		const struct memory_range *other = is_donated(x, s->argument) ? furthest : furthest_donated;
		if (other && other->end > s->prepare)
			return report_overlap(x, other->argument, s->argument, diags);
		if (!furthest || s->end > furthest->end)
			furthest = s;
		if (is_donated(x, s->argument) && (!furthest_donated || s->end > furthest_donated->end))
			furthest_donated = s;
	}
	return SR_OK;
}

static enum sr_status check_donated(const struct sr_execution *x, struct sr_diags *diags)
{
	struct sr_arena *scratch = sr_arena_scratch(diags->arena);
	struct sr_arena_position mark = sr_arena_mark(scratch);
	enum sr_status status = SR_OK;
	int i = 0;
	while (i < x->n_arguments && !is_donated(x, i))
		i++;
	if (i < x->n_arguments)
		status = check_ranges(x, SR_NEWS(scratch, struct memory_range, x->n_arguments), diags);
	sr_arena_release(scratch, mark);
	return status;
}

static enum sr_status check_arrays(const struct sr_execution *x, struct sr_diags *diags)
{
	const struct sr_program *p = x->e->program;
	const struct sr_io *values = sr_program_values(p);
	struct sr_src_loc nowhere = {0};
	if (x->n_arguments != p->n_arguments || x->n_results < 0 || x->n_results > p->n_results)
		return sr_error(diags, SR_USAGE, nowhere,
				"got %d argument arrays and %d requested results, but the program has %d arguments and %d results",
				x->n_arguments, x->n_results, p->n_arguments, p->n_results);
	for (int i = 0; i < x->n_arguments; i++) {
		const struct sr_array *array = x->arguments[i];
		const char *type = sr_program_string(p, values[i].type);
		if (!array || array->given)
			return sr_error(diags, SR_USAGE, nowhere, "argument %d (%s) is %s", i, type,
					array ? "an array that was donated to an execution before" : "no array");
		if (array->type.layout != x->types[i].layout)
			return sr_error(diags, SR_USAGE, nowhere,
					"argument %d (%s): the array has a different type or sharding",
					i, type);
	}
	return check_donated(x, diags);
}

/* ---- binding and copying ---- */

static const struct sr_io *result_io(const struct sr_program *p, int i)
{
	return sr_program_values(p) + p->n_arguments + i;
}

static void *buffer_address(const struct sr_executable *e, const struct sr_io *io)
{
	return sr_device_buffer(&e->devices[0], io->buffer);
}

static void copy(void *to, const void *from, int64_t bytes)
{
	if (bytes && to != from)
		memcpy(to, from, (size_t)bytes);
}

/* Return true if result i is computed in the memory of a donated argument. */
static bool takes_over(const struct sr_executable *e, int i)
{
	return !sr_executable_is_idle(e) && sr_device_result_donor(&e->devices[0], e->program->n_arguments + i) >= 0;
}

/* Create the result arrays; those that take over an argument's memory get none. */
static enum sr_status make_results(const struct sr_execution *x, struct sr_diags *diags)
{
	for (int i = 0; i < x->n_results; i++) {
		const struct sr_array_type *type = &x->types[x->e->program->n_arguments + i];
		x->results[i] = takes_over(x->e, i) ? sr_array_empty(x->pool, type) : sr_array_new(x->pool, type);
		if (!x->results[i])
			return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "out of memory for %lld bytes of result %d",
					(long long)type->bytes, i);
	}
	return SR_OK;
}

static void bind_arrays(struct sr_executable *e, struct sr_array *const *arguments, struct sr_array *const *results, int n_results)
{
	const struct sr_program *p = e->program;
	struct sr_device *d = &e->devices[0];
	for (int i = 0; i < p->n_arguments; i++)
		if (!sr_device_bind(d, i, arguments[i]->data))
			copy(buffer_address(e, sr_program_values(p) + i), arguments[i]->data, arguments[i]->type.bytes);
	for (int i = 0; i < p->n_results; i++)
		if (sr_device_result_donor(d, p->n_arguments + i) < 0)
			(void)sr_device_bind(d, p->n_arguments + i, i < n_results ? results[i]->data : NULL);
}

/* Move donated memory to its result; copy results that could not be bound. */
static void collect_results(const struct sr_execution *x)
{
	const struct sr_executable *e = x->e;
	for (int i = 0; i < x->n_results; i++)
		if (takes_over(e, i))
			sr_array_move_memory(x->results[i], x->arguments[sr_device_result_donor(&e->devices[0], e->program->n_arguments + i)]);
		else
			copy(x->results[i]->data, buffer_address(e, result_io(e->program, i)), x->results[i]->type.bytes);
}

/* ---- executions ---- */

struct preparation {
	const struct sr_execution *x;
	struct sr_diags *diags;
};

/* This rank's part before the execution: check, and create results. */
static enum sr_status prepare(void *data)
{
	const struct preparation *b = data;
	enum sr_status status = check_arrays(b->x, b->diags);
	return status ? status : make_results(b->x, b->diags);
}

/* Execute on a rank that has a device. */
static enum sr_status execute_bound(const struct sr_execution *x, struct sr_diags *diags)
{
	bind_arrays(x->e, x->arguments, x->results, x->n_results);
	enum sr_status status = sr_executable_step(x->e, diags);
	if (!status)
		collect_results(x);
	return status;
}

enum sr_status sr_execute(const struct sr_execution *x, struct sr_diags *diags)
{
	struct preparation b = {x, diags};
	for (int i = 0; i < x->n_results; i++)
		x->results[i] = NULL;
	enum sr_status status =
		sr_launch_agree(&x->e->client->launch, sr_arena_guarded(diags->arena, prepare, &b), diags);
	for (int i = 0; !status && i < x->n_arguments; i++)
		x->arguments[i]->given = is_donated(x, i);
	if (!status && !sr_executable_is_idle(x->e))
		status = execute_bound(x, diags);
	for (int i = 0; status && i < x->n_results; i++) {
		sr_array_free(x->results[i]);
		x->results[i] = NULL;
	}
	return status;
}

void sr_execution_unbind(struct sr_executable *e)
{
	for (int k = 0; k < e->n_devices; k++)
		for (int i = 0; i < e->program->n_arguments + e->program->n_results; i++)
			(void)sr_device_bind(&e->devices[k], i, NULL);
}
