/* Checks of the arguments of an execution before the execution is accepted. */
#include "run/execution.h"
#include <stdatomic.h>
#include <stdlib.h>

struct extent { /* memory range of an argument on one device */
	const char *begin, *end;
	int argument;
};

static int by_begin(const void *x, const void *y)
{
	const struct extent *a = x, *b = y;
	return a->begin != b->begin ? (a->begin < b->begin ? -1 : 1) : a->argument - b->argument;
}

static enum sr_status report_shared(const struct sr_execution *x, int a, int b, struct sr_diags *diags)
{
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "arguments %d and %d share memory, and argument %d is donated",
			a < b ? a : b, a < b ? b : a, sr_execution_donates(x, a) ? a : b);
}

/* Fill `sorted` with the memory ranges on device k of the nonempty arguments, in order of addresses. Returns their number. */
static size_t sort_extents(const struct sr_execution *x, int k, struct extent *sorted)
{
	size_t n = 0;
	for (int i = 0; i < x->n_arguments; i++) {
		const struct sr_array *a = x->arguments[i];
		const char *data = a->shards[k].data;
		if (a->layout->shards[k].bytes > 0)
			sorted[n++] = (struct extent){data, data + sr_array_shard_bytes(a, k), i};
	}
	if (n)
		qsort(sorted, n, sizeof *sorted, by_begin);
	return n;
}

/* Check that no argument shares memory with a donated one, which is overwritten while other arguments are read. */
static enum sr_status check_extents(const struct sr_execution *x, int k, struct extent *sorted, struct sr_diags *diags)
{
	/* range with the greatest end so far, among all ranges and among those of donated arguments */
	const struct extent *last_extent = NULL, *last_donated = NULL;
	size_t n = sort_extents(x, k, sorted);
	for (const struct extent *s = sorted; s < sorted + n; s++) {
		const struct extent *previous = sr_execution_donates(x, s->argument) ? last_extent : last_donated;
		if (previous && previous->end > s->begin)
			return report_shared(x, previous->argument, s->argument, diags);
		if (!last_extent || s->end > last_extent->end)
			last_extent = s;
		if (sr_execution_donates(x, s->argument) && (!last_donated || s->end > last_donated->end))
			last_donated = s;
	}
	return SR_OK;
}

/* Return the number of devices on which memory ranges have to be compared. Blocks of pools overlap only if they belong to one
 * array, which is visible on device 0; memory of callers is compared on every device. */
static int devices_to_check(const struct sr_execution *x)
{
	bool any_donated = false, any_callers = false;
	int n = x->e->n_devices;
	for (int i = 0; n && i < x->n_arguments; i++) {
		any_donated = any_donated || sr_execution_donates(x, i);
		any_callers = any_callers || !x->arguments[i]->shards[0].pool;
	}
	return !n || !any_donated ? 0 : any_callers ? n : 1;
}

static enum sr_status check_donated(const struct sr_execution *x, struct sr_diags *diags)
{
	struct sr_arena *scratch = sr_arena_scratch(diags->arena);
	struct sr_arena_position mark = sr_arena_mark(scratch);
	enum sr_status status = SR_OK;
	int n = devices_to_check(x);
	struct extent *sorted = n ? SR_NEW_ARRAY(scratch, struct extent, x->n_arguments) : NULL;
	for (int k = 0; !status && k < n; k++)
		status = check_extents(x, k, sorted, diags);
	sr_arena_release(scratch, mark);
	return status;
}

enum sr_status sr_execution_check(const struct sr_execution *x, struct sr_diags *diags)
{
	const struct sr_program *p = x->e->program;
	const struct sr_io *values = sr_program_values(p);
	struct sr_src_loc no_place = {0};
	if (x->n_arguments != p->n_arguments || x->n_results < 0 || x->n_results > p->n_results)
		return sr_error(diags, SR_USAGE, no_place,
				"got %d argument arrays and %d requested results, but the program has %d arguments and %d results",
				x->n_arguments, x->n_results, p->n_arguments, p->n_results);
	for (int i = 0; i < x->n_arguments; i++) {
		const struct sr_array *array = x->arguments[i];
		const char *type = sr_program_string(p, values[i].type);
		if (!array || array->is_donated)
			return sr_error(diags, SR_USAGE, no_place, "argument %d (%s) is %s", i, type,
					array ? "an array that was donated to an execution before" : "no array");
		if (array->layout->hash != x->e->layouts[i]->hash)
			return sr_error(diags, SR_USAGE, no_place,
					"argument %d (%s): the array has a different type or sharding", i, type);
	}
	return check_donated(x, diags);
}
