/* Executions on arrays: creation of arguments, copies of kept donated arguments, and the carrying of results to arguments. */
#include "exec/values/arrays.h"
#include <string.h>

static enum sr_status no_memory(struct sr_diags *diags)
{
	return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "out of memory for the arguments of the program");
}

/* Return a new array of the given layout with undefined contents; NULL if a device's memory pool is full. */
static struct sr_array *new_array(const struct sr_executable *e, struct sr_layout *layout)
{
	struct sr_array *a = sr_array_new(layout);
	if (a && sr_array_allocate_all(a, e->device_set->memory))
		return a;
	sr_array_release(a);
	return NULL;
}

struct sr_array *sr_arrays_new_argument(const struct sr_arrays *a, int i, struct sr_diags *diags)
{
	struct sr_array *array = new_array(a->e, a->e->layouts[i]);
	if (!array)
		(void)no_memory(diags);
	return array;
}

void sr_arrays_set_argument(struct sr_arrays *a, int i, struct sr_array *array)
{
	sr_array_release(a->arguments[i]);
	a->arguments[i] = array;
}

enum sr_status sr_arrays_open(struct sr_arrays *a, struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = e->program;
	*a = (struct sr_arrays){.e = e,
				.arguments = SR_NEW_ARRAY(arena, struct sr_array *, p->n_arguments + 1),
				.results = SR_NEW_ARRAY(arena, struct sr_array *, p->n_results + 1),
				.is_kept = SR_NEW_ARRAY(arena, bool, p->n_arguments + 1),
				.kept_arguments = SR_NEW_ARRAY(arena, struct sr_array *, p->n_arguments + 1),
				.times = SR_NEW_ARRAY(arena, struct sr_execution_times, e->n_devices + 1)};
	if (!sr_executable_make_layouts(e))
		return no_memory(diags);
	for (int i = 0; i < p->n_arguments; i++)
		if (!(a->arguments[i] = sr_arrays_new_argument(a, i, diags)))
			return SR_NO_MEMORY;
	return SR_OK;
}

void sr_arrays_keep_donated(struct sr_arrays *a)
{
	for (int i = 0; i < a->e->program->n_arguments; i++)
		a->is_kept[i] = sr_program_values(a->e->program)[i].donated;
}

static struct sr_array *copy_of(const struct sr_executable *e, const struct sr_array *source)
{
	struct sr_array *copy = new_array(e, source->layout);
	for (int k = 0; copy && k < source->layout->n_shards; k++)
		memcpy(copy->shards[k].data, source->shards[k].data, (size_t)source->layout->shards[k].bytes);
	return copy;
}

/* Replace each kept donated argument by a copy, which the execution consumes. */
static bool replace_kept(struct sr_arrays *a)
{
	for (int i = 0; i < a->e->program->n_arguments; i++) {
		if (!a->is_kept[i])
			continue;
		struct sr_array *copy = copy_of(a->e, a->arguments[i]);
		if (!copy)
			return false;
		a->kept_arguments[i] = a->arguments[i];
		a->arguments[i] = copy;
	}
	return true;
}

enum sr_status sr_arrays_execute(struct sr_arrays *a, bool is_aligned, struct sr_diags *diags)
{
	const struct sr_program *p = a->e->program;
	const struct sr_execution x = {.e = a->e,
				       .arguments = a->arguments,
				       .n_arguments = p->n_arguments,
				       .results = a->results,
				       .n_results = p->n_results,
				       .is_agreed = true,
				       .is_aligned = is_aligned,
				       .times = a->times};
	for (int i = 0; i < p->n_results; i++)
		sr_array_release(a->results[i]);
	memset(a->results, 0, sizeof(*a->results) * (size_t)p->n_results);
	enum sr_status status = replace_kept(a) ? sr_execute(&x, diags) : no_memory(diags);
	for (int i = 0; i < p->n_arguments; i++) {
		if (sr_program_values(p)[i].donated)
			sr_arrays_set_argument(a, i, a->kept_arguments[i]);
		a->kept_arguments[i] = NULL;
	}
	return status;
}

/* Return the argument that received this result by one of the first n pairs. One of these pairs must have the result. */
static const struct sr_array *earlier_argument(const struct sr_arrays *a, const struct sr_carried *pairs, int n, int result)
{
	while (pairs[n - 1].result != result)
		n--;
	return a->arguments[pairs[n - 1].argument];
}

enum sr_status sr_arrays_carry(struct sr_arrays *a, const struct sr_carried *pairs, int n, struct sr_diags *diags)
{
	for (int i = 0; i < n; i++) {
		struct sr_array *array = a->results[pairs[i].result];
		a->results[pairs[i].result] = NULL;
		if (!array)
			array = copy_of(a->e, earlier_argument(a, pairs, i, pairs[i].result));
		if (!array)
			return no_memory(diags);
		sr_arrays_set_argument(a, pairs[i].argument, array);
	}
	return SR_OK;
}

void sr_arrays_close(struct sr_arrays *a)
{
	for (int i = 0; a->e && i < a->e->program->n_arguments; i++)
		sr_array_release(a->arguments[i]);
	for (int i = 0; a->e && i < a->e->program->n_results; i++)
		sr_array_release(a->results[i]);
	*a = (struct sr_arrays){0};
}
