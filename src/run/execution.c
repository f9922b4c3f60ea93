/* Executions: bind the shards of arrays to the program's arguments and results, run the program on each device, and copy the values
 * that could not be bound. */
#include "run/execution.h"
#include "support/checked.h"
#include "support/map.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The hash is equal on all ranks, and for programs whose meshes differ only in their name. */
uint64_t sr_layout_hash(const struct sr_program *p, const struct sr_io *io)
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

bool sr_executable_make_layouts(struct sr_executable *e)
{
	const struct sr_program *p = e->program;
	for (int i = 0; i < p->n_arguments + p->n_results; i++) {
		const struct sr_io *io = sr_program_values(p) + i;
		struct sr_layout *l = e->layouts[i] = sr_layout_new(sr_layout_hash(p, io), io->rank, e->n_devices);
		for (int k = 0; l && k < e->n_devices; k++)
			l->shards[k] = (struct sr_shard_layout){sr_program_buffers(p)[io->buffer].bytes,
								sr_program_slice(p, io, e->devices[k].id)};
		if (!l)
			return false;
	}
	return true;
}

/* ---- checks ---- */

struct extent { /* memory range of an argument on one device */
	const char *begin, *end;
	int argument;
};

static int by_begin(const void *x, const void *y)
{
	const struct extent *a = x, *b = y;
	return a->begin != b->begin ? (a->begin < b->begin ? -1 : 1) : a->argument - b->argument;
}

static bool is_donated(const struct sr_execution *x, int argument)
{
	return sr_program_values(x->e->program)[argument].donated;
}

static enum sr_status report_shared(const struct sr_execution *x, int a, int b, struct sr_diags *diags)
{
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "arguments %d and %d share memory, and argument %d is donated",
			a < b ? a : b, a < b ? b : a, is_donated(x, a) ? a : b);
}

/* Fill `sorted` with the memory ranges on device k of the arguments that are not empty, in order of addresses. Return their number. */
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
	const struct extent *furthest = NULL, *furthest_donated = NULL; /* the range with the furthest end so far, and the donated one */
	size_t n = sort_extents(x, k, sorted);
	for (const struct extent *s = sorted; s < sorted + n; s++) {
		const struct extent *other = is_donated(x, s->argument) ? furthest : furthest_donated;
		if (other && other->end > s->begin)
			return report_shared(x, other->argument, s->argument, diags);
		if (!furthest || s->end > furthest->end)
			furthest = s;
		if (is_donated(x, s->argument) && (!furthest_donated || s->end > furthest_donated->end))
			furthest_donated = s;
	}
	return SR_OK;
}

/* Return the number of devices whose memory ranges have to be compared. Blocks of pools overlap only if they belong to the same array,
 * which device 0 shows; memory of callers is compared on every device. */
static int devices_to_check(const struct sr_execution *x)
{
	bool any_donated = false, any_callers = false;
	int n = x->e->n_devices;
	for (int i = 0; n && i < x->n_arguments; i++) {
		any_donated = any_donated || is_donated(x, i);
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
	struct extent *sorted = n ? SR_NEWS(scratch, struct extent, x->n_arguments) : NULL;
	for (int k = 0; !status && k < n; k++)
		status = check_extents(x, k, sorted, diags);
	sr_arena_release(scratch, mark);
	return status;
}

static enum sr_status check(const struct sr_execution *x, struct sr_diags *diags)
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
		if (!array || array->is_donated)
			return sr_error(diags, SR_USAGE, nowhere, "argument %d (%s) is %s", i, type,
					array ? "an array that was donated to an execution before" : "no array");
		if (array->layout->hash != x->e->layouts[i]->hash)
			return sr_error(diags, SR_USAGE, nowhere,
					"argument %d (%s): the array has a different type or sharding", i, type);
	}
	return check_donated(x, diags);
}

/* ---- binding and copying ---- */

static void *place(const struct sr_device *d, int value)
{
	return sr_device_buffer(d, sr_program_values(d->program)[value].buffer);
}

static void copy(void *to, const void *from, int64_t bytes)
{
	if (bytes && to != from)
		memcpy(to, from, (size_t)bytes);
}

int sr_executable_aliased(const struct sr_executable *e, int i)
{
	return e->n_devices ? sr_device_result_donor(&e->devices[0], e->program->n_arguments + i) : -1;
}

/* Create the results. A result that aliases a donated argument gets its memory after the execution. */
static enum sr_status make_results(const struct sr_execution *x, struct sr_diags *diags)
{
	for (int i = 0; i < x->n_results; i++) {
		struct sr_layout *layout = x->e->layouts[x->e->program->n_arguments + i];
		x->results[i] = sr_array_new(layout);
		if (!x->results[i] || (sr_executable_aliased(x->e, i) < 0 && !sr_array_allocate_all(x->results[i], x->e->device_set->memory)))
			return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "out of memory for %lld bytes of result %d",
					(long long)(layout->n_shards ? layout->shards[0].bytes : 0), i);
	}
	return SR_OK;
}

static void bind(const struct sr_execution *x, struct sr_device *d, int k)
{
	int n = d->program->n_arguments;
	for (int i = 0; i < n; i++) {
		const struct sr_array *a = x->arguments[i];
		if (!sr_device_bind(d, i, a->shards[k].data))
			copy(place(d, i), a->shards[k].data, a->layout->shards[k].bytes);
	}
	for (int i = 0; i < d->program->n_results; i++)
		if (sr_device_result_donor(d, n + i) < 0)
			(void)sr_device_bind(d, n + i, i < x->n_results ? x->results[i]->shards[k].data : NULL);
}

/* Copy the results that could not be bound from the arena into their arrays. */
static void collect(const struct sr_execution *x, const struct sr_device *d, int k)
{
	for (int i = 0; i < x->n_results; i++) {
		const struct sr_array *r = x->results[i];
		if (r->shards[k].data)
			copy(r->shards[k].data, place(d, d->program->n_arguments + i), r->layout->shards[k].bytes);
	}
}

/* ---- executions ---- */

struct accepting {
	const struct sr_execution *x;
	struct sr_diags *diags;
};

/* Check the arguments and create the results on this rank, before the program runs. */
static enum sr_status accept(void *data)
{
	const struct accepting *a = data;
	enum sr_status status = check(a->x, a->diags);
	return status ? status : make_results(a->x, a->diags);
}

/* Execute the program on device k, on the device's thread. */
static enum sr_status run(void *data, struct sr_device *d, int k)
{
	const struct sr_execution *x = data;
	bind(x, d, k);
	enum sr_status status = sr_device_step(d);
	if (!status)
		collect(x, d, k);
	return status;
}

/* Move the memory of donated arguments to the results that alias them. */
static void hand_over(const struct sr_execution *x)
{
	for (int i = 0; i < x->n_results; i++)
		for (int k = 0, a = sr_executable_aliased(x->e, i); a >= 0 && k < x->e->n_devices; k++) {
			x->results[i]->shards[k] = x->arguments[a]->shards[k];
			x->arguments[a]->shards[k] = (struct sr_shard){0};
		}
}

enum sr_status sr_execute(const struct sr_execution *x, struct sr_diags *diags)
{
	struct accepting a = {x, diags};
	for (int i = 0; i < x->n_results; i++)
		x->results[i] = NULL;
	enum sr_status status = sr_launch_agree(&x->e->client->launch, sr_arena_guarded(diags->arena, accept, &a), diags);
	for (int i = 0; !status && i < x->n_arguments; i++)
		x->arguments[i]->is_donated = is_donated(x, i);
	if (!status)
		status = sr_executable_on_each_device(x->e, run, (void *)(uintptr_t)x, diags);
	if (!status)
		hand_over(x);
	for (int i = 0; status && i < x->n_results; i++) {
		sr_array_release(x->results[i]);
		x->results[i] = NULL;
	}
	return status;
}

enum sr_status sr_execute_begin(const struct sr_execution *x, struct sr_event **done, struct sr_diags *diags)
{
	*done = sr_event_new();
	if (!*done)
		return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){0}, "out of memory");
	enum sr_status status = sr_execute(x, diags);
	if (status) {
		sr_event_release(*done);
		*done = NULL;
		return status;
	}
	sr_event_set(*done, SR_OK, NULL);
	for (int i = 0; i < x->n_results; i++)
		x->results[i]->ready = sr_event_keep(*done);
	return SR_OK;
}

enum sr_status sr_execute_in_place(const struct sr_execution *x, struct sr_diags *diags)
{
	return sr_executable_on_each_device(x->e, run, (void *)(uintptr_t)x, diags);
}
