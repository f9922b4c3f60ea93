/* Opening a program on the ranks of a client, in stages. After each stage all ranks agree on a status. */
#include "run/executable.h"
#include "codegen/loop_threads.h"
#include "run/device_team.h"
#include "run/execution_queue.h"
#include "run/layout.h"
#include "support/checked.h"
#include <stdlib.h>
#include <string.h>

void sr_program_mesh_text(const struct sr_program *p, struct sr_buf *out)
{
	const struct sr_program_axis *axes = sr_program_mesh(p);
	for (uint64_t i = 0; i < p->mesh.n; i++)
		sr_buf_printf(out, "%s%s=%lld", i ? ", " : "", sr_program_string(p, axes[i].name), (long long)axes[i].size);
	if (!p->mesh.n)
		sr_buf_puts(out, "none");
}

static struct sr_src_loc program_location(const struct sr_executable *e)
{
	return (struct sr_src_loc){.file = e->model};
}

/* Return ", which have 3 devices each" for messages; "" if each rank has one device. */
static const char *devices_phrase(const struct sr_launch *l, int devices_per_rank, struct sr_arena *arena)
{
	if (devices_per_rank == 1)
		return "";
	return l->size == 1 ? sr_printf(arena, ", which has %d devices", devices_per_rank)
			    : sr_printf(arena, ", which have %d devices each", devices_per_rank);
}

/* Return a hint for messages to use --devices-per-rank, if the caller has that option; else "". */
static const char *devices_hint(const struct sr_client *c, int n, struct sr_arena *arena)
{
	int size = c->launch.size;
	if (!c->options.devices_per_rank)
		return "";
	return sr_printf(arena, ", or --devices-per-rank=%s, which gives a rank several devices",
			 size == 1 ? "all" : sr_printf(arena, "%d", (n + size - 1) / size));
}

struct opening {
	struct sr_executable *e;
	const struct sr_executable_options *options;
	struct sr_arena *arena;
	struct sr_diags *diags;
	uint64_t bytes; /* size of the program in bytes, equal on all ranks */
	void *blob;
};

/* Check that there are enough ranks. Rank 0 reports how to start enough. */
static enum sr_status check_ranks(void *data)
{
	struct opening *o = data;
	struct sr_executable *e = o->e;
	struct sr_arena *arena = o->arena;
	struct sr_buf mesh;
	const struct sr_launch *l = &e->client->launch;
	if (l->rank) /* only rank 0 has the program, so only rank 0 checks it */
		return SR_OK;
	o->bytes = e->program->bytes;
	int n = e->program->n_devices, devices_per_rank = sr_client_devices_per_rank(e->client, n),
	    n_ranks_needed = (n + devices_per_rank - 1) / devices_per_rank;
	if (l->size >= n_ranks_needed)
		return SR_OK;
	sr_buf_init(&mesh, arena);
	sr_program_mesh_text(e->program, &mesh);
	return sr_error(
	    o->diags, SR_USAGE, program_location(e), "the program needs %d devices (mesh %s%s), but %d rank%s started%s; use %s%s",
	    n, sr_buf_string(&mesh), e->program->n_replicas > 1 ? ", and replicas" : "", l->size, l->size == 1 ? " was" : "s were",
	    devices_phrase(l, devices_per_rank, arena), sr_launch_advice(arena, n_ranks_needed), devices_hint(e->client, n, arena));
}

/* Allocate memory for the program on each rank; rank 0 copies the program into it. */
static enum sr_status allocate_program(void *data)
{
	struct opening *o = data;
	struct sr_executable *e = o->e;
	if (e->client->launch.rank) {
		o->blob = sr_alloc(o->arena, o->bytes, 1);
		return SR_OK;
	}
	o->blob = e->copy = malloc(o->bytes);
	if (!e->copy)
		return sr_error(o->diags, SR_NO_MEMORY, program_location(e), "cannot allocate %llu bytes for the program",
				(unsigned long long)o->bytes);
	memcpy(e->copy, e->program, o->bytes);
	return SR_OK;
}

static enum sr_status check_program(void *data)
{
	const struct opening *o = data;
	const char *message;
	o->e->program = o->blob;
	enum sr_status status = sr_program_check(o->e->program, o->bytes, &message);
	if (status == SR_INTERNAL)
		return sr_error(o->diags, status, program_location(o->e), "the compiled program is invalid: %s", message);
	return status;
}

static enum sr_status check_memory(void *data)
{
	const struct opening *o = data;
	return sr_executable_check_memory(o->e, o->options, o->arena, o->diags);
}

/* Return the share of a device in its node's last-level caches, in bytes; INT64_MAX: unknown. */
static int64_t last_level_share(const struct sr_executable *e)
{
	const struct sr_transport *t = e->device_set->transport;
	int64_t bytes = e->client->node.last_level / (t ? sr_transport_node_devices(t) : 1);
	return bytes > 0 ? bytes : INT64_MAX;
}

static enum sr_status make_devices(void *data)
{
	const struct opening *o = data;
	struct sr_executable *e = o->e;
	const struct sr_device_set *w = e->device_set;
	sr_client_reserve(e->client);
	e->devices = SR_NEW_ARRAY(o->arena, struct sr_device, w->n);
	e->layouts = SR_NEW_ARRAY(o->arena, struct sr_layout *, e->program->n_arguments + e->program->n_results);
	e->n_devices = w->n;
	e->loaded = (struct sr_loaded_program){.program = e->program,
					       .backend = e->client->backend,
					       .kernels = &e->client->kernels,
					       .jit = e->jit,
					       .request = e->request,
					       .l2_bytes = e->client->node.l2 > 0 ? e->client->node.l2 : INT64_MAX,
					       .cache_bytes = last_level_share(e),
					       .time_blocking = e->client->options.time_blocking};
	for (int k = 0; k < w->n; k++)
		e->devices[k] = (struct sr_device){.program = e->program,
						   .id = w->devices[k],
						   .transport = sr_device_set_transport(w, k),
						   .workers = w->workers[k],
						   .ffi = o->options->ffi,
						   .memory = w->memory,
						   .k = k};
	return SR_OK;
}

/* Get the block of constants for this rank's devices. */
static enum sr_status make_constants(void *data)
{
	const struct opening *o = data;
	struct sr_executable *e = o->e;
	if (!e->n_devices)
		return SR_OK;
	e->constants = sr_constants_get(&e->client->constants, e->program);
	if (!e->constants)
		return sr_error(o->diags, SR_NO_MEMORY, program_location(e), "cannot allocate %lld bytes for constants",
				(long long)sr_program_constants_bytes(e->program));
	e->loaded.constants = e->constants->data;
	return SR_OK;
}

/* Allocate the memory of this rank's devices. May fail on one rank alone. */
static enum sr_status allocate_devices(void *data)
{
	const struct opening *o = data;
	struct sr_executable *e = o->e;
	enum sr_status status = SR_OK;
	if (e->n_devices)
		status = sr_loaded_program_make(&e->loaded, e->devices[0].transport, o->arena, o->diags);
	for (int k = 0; !status && k < e->n_devices; k++)
		status = sr_device_prepare(&e->devices[k], &e->loaded, o->arena, o->diags);
	for (int k = 0; !status && k < e->n_devices; k++)
		status = sr_device_place_memory(&e->devices[k], o->arena, o->diags);
	sr_client_reserve(e->client);
	return status;
}

/* Return true if executing the program on all devices of this process takes no longer than waking threads, and does not wait for
 * other processes. */
static bool is_small(const struct sr_executable *e)
{
	enum { INSTRS = 64, BYTES = 32 << 10 };
	const struct sr_program *p = e->program;
	int64_t bytes = 0;
	if (p->computations.n != 1) /* a program with loops, branches or bodies may take long */
		return false;
	for (uint64_t i = 0; i < p->instrs.n && bytes <= BYTES; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		if (s->kind == SR_INSTR_NEST && sr_nest_pays_for_threads((const void *)(sr_program_params(p) + s->params)))
			return false;
		bytes += sr_program_instr_bytes(p, s);
	}
	return e->n_devices == p->n_devices && p->instrs.n * (uint64_t)e->n_devices <= INSTRS * 8 && bytes <= BYTES / e->n_devices * 2 &&
	       sr_program_can_run_together(p);
}

static enum sr_status connect_devices(void *data)
{
	const struct opening *o = data;
	struct sr_executable *e = o->e;
	e->is_small = e->n_devices && is_small(e);
	return e->n_devices ? sr_devices_connect(e->devices, e->n_devices, e->client, e->device_set, o->arena, o->diags) : SR_OK;
}

/* Form teams of devices, one per core of this process, if there are fewer cores than devices. */
static enum sr_status make_teams(void *data)
{
	const struct opening *o = data;
	struct sr_executable *e = o->e;
	int threads = e->device_set->team_threads;
	if (threads < 1 || threads >= e->n_devices || e->n_devices < e->program->n_devices || !sr_program_can_run_together(e->program) ||
	    sr_device_teams_new(e->devices, e->n_devices, threads))
		return SR_OK;
	return sr_error(o->diags, SR_NO_MEMORY, program_location(e), "cannot allocate memory for the threads of %d devices",
			e->n_devices);
}

/* Collective on all ranks: run the stages in order until one fails on any rank. */
static enum sr_status run_stages(struct opening *o, enum sr_status (*const *stages)(void *data), size_t n)
{
	enum sr_status status = SR_OK;
	for (size_t i = 0; !status && i < n; i++)
		status = sr_client_stage(o->e->client, stages[i], o, o->diags);
	return status;
}

/* Collective on all ranks: broadcast the program from rank 0 and check it. */
static enum sr_status broadcast_program(struct opening *o)
{
	struct sr_launch *l = &o->e->client->launch;
	sr_launch_broadcast(l, &o->bytes, sizeof o->bytes);
	enum sr_status status = sr_client_stage(o->e->client, allocate_program, o, o->diags);
	if (status)
		return status;
	sr_launch_broadcast(l, o->blob, o->bytes);
	return sr_client_stage(o->e->client, check_program, o, o->diags);
}

static enum sr_status open_executable(struct sr_executable *e, struct sr_client *client, const struct sr_program *program,
				      const struct sr_executable_options *options, struct sr_arena *arena, struct sr_diags *diags)
{
	static enum sr_status (*const load[])(void *data) = {make_devices,    make_constants, allocate_devices,
							     connect_devices, make_teams,     check_memory};
	struct opening o = {.e = e, .options = options, .arena = arena, .diags = diags};
	*e = (struct sr_executable){.client = client, .program = program, .model = options->model, .device_ids = options->device_ids};
	enum sr_status status = sr_client_stage(client, check_ranks, &o, diags);
	if (!status)
		status = broadcast_program(&o);
	if (!status)
		status = sr_client_device_set(client, e->program->n_devices, &e->device_set, diags);
	if (!status)
		status = sr_device_set_open_memory(client, e->device_set, e->program, diags);
	if (!status)
		status = sr_client_stage(client, check_memory, &o, diags);
	if (status)
		return status;
	sr_client_open_dnnl(client, e->program);
	if (options->node)
		sr_client_print(client, e->device_set, arena, options->node);
	status = sr_executable_load_jit(e, options, arena, diags);
	if (status)
		return status;
	if (e->device_set->queue) /* the stages remap the devices' memory and create groups, so nothing may be queued */
		sr_execution_queue_pause(e->device_set->queue);
	status = run_stages(&o, load, sizeof load / sizeof *load);
	if (!status && options->node && e->loaded.n_stencil_loops)
		sr_buf_printf(options->node, "\n  stencil loops: %d can be executed in blocks of rows (--time-blocking)",
			      e->loaded.n_stencil_loops);
	if (e->device_set->queue)
		sr_execution_queue_resume(e->device_set->queue);
	return status;
}

enum sr_status sr_executable_open(struct sr_executable *e, struct sr_client *client, const struct sr_program *program,
				  const struct sr_executable_options *options, struct sr_arena *arena, struct sr_diags *diags)
{
	pthread_mutex_lock(&client->lock);
	enum sr_status status = open_executable(e, client, program, options, arena, diags);
	pthread_mutex_unlock(&client->lock);
	return status;
}

void sr_executable_close(struct sr_executable *e)
{
	sr_background_jit_cancel(e);
	e->request = NULL;
	if (e->device_set && e->device_set->queue)
		sr_execution_queue_drain(e->device_set->queue);
	for (int i = 0; i < SR_KEPT_RECORDS; i++)
		sr_execution_record_free(atomic_exchange(&e->unused[i], NULL));
	sr_device_teams_free(e->devices, e->n_devices);
	for (int k = 0; k < e->n_devices; k++)
		sr_device_unload(&e->devices[k]);
	sr_loaded_program_release(&e->loaded);
	sr_executable_release_layouts(e);
	if (e->constants)
		sr_constants_release(&e->client->constants, e->constants);
	e->constants = NULL;
	e->n_devices = 0;
	sr_jit_release(e->jit);
	e->jit = NULL;
	e->device_set = NULL;
	free(e->copy);
	e->copy = NULL;
}

void sr_executable_barrier(struct sr_executable *e)
{
	if (e->device_set->transport)
		sr_transport_process_barrier(e->device_set->transport);
}

int sr_executable_find(const struct sr_executable *e, int64_t device)
{
	for (int k = 0; k < e->n_devices; k++)
		if (e->devices[k].id == device)
			return k;
	return -1;
}

void *sr_executable_gather(const struct sr_executable *e, struct sr_arena *arena, const void *own_data, size_t n)
{
	struct sr_launch *l = &e->client->launch;
	const struct sr_device_set *w = e->device_set;
	size_t block = n * (size_t)w->max_local;
	char *own = sr_alloc(arena, block, 1), *blocks = l->rank ? NULL : sr_alloc(arena, block, (size_t)l->size);
	if (w->n && n)
		memcpy(own, own_data, n * (size_t)w->n);
	sr_launch_gather(l, own, blocks, block);
	char *all = l->rank ? NULL : sr_alloc(arena, n, (size_t)w->n_devices);
	for (int d = 0; all && n && d < w->n_devices; d++)
		memcpy(all + (size_t)d * n, blocks + (size_t)w->rank_of_device[d] * block + (size_t)w->index_on_rank[d] * n, n);
	return all;
}

/* ---- execution ---- */

/* Store the failure of a device at its current instruction, with op, location and loop iteration. */
static void describe_failure(const struct sr_executable *e, const struct sr_device *d, enum sr_status status, struct sr_failure *failure)
{
	const struct sr_program *p = e->program;
	int64_t current = sr_relaxed_load(d->current);
	const struct sr_instr *step = current >= 0 ? sr_program_instrs(p) + current : NULL;
	struct sr_src_loc at = {.file = step ? sr_program_string(p, step->place) : NULL};
	if (step && step->kind == SR_INSTR_CUSTOM_CALL) {
		const struct sr_custom_call_instr *call = (const void *)(sr_program_params(p) + step->params);
		const struct sr_ffi_call *kernel = d->own[current].call;
		if (kernel)
			sr_failure_set(failure, status, at, "'%s' op: %s failed on device %lld: %s", sr_program_string(p, step->op),
				       sr_program_string(p, call->description), (long long)d->id, sr_ffi_failure(kernel));
		else
			sr_failure_set(failure, call->n_inputs == SR_CUSTOM_FAILED_CHECK ? SR_DIFFERS : status, at, "'%s' op %s",
				       sr_program_string(p, step->op), sr_program_string(p, call->description));
		return;
	}
	const char *why = d->transport ? sr_transport_failure(d->transport) : "";
	sr_failure_set(failure, status, program_location(e), "device %lld failed in %s at %s%s%s", (long long)d->id,
		       step ? sr_program_string(p, step->op) : "a step", step ? sr_program_string(p, step->place) : "", *why ? ": " : "", why);
}

/* Return the index of the device whose failure is reported; others may have failed as a consequence. */
static int find_failed(const struct sr_executable *e, const struct sr_execution_context *contexts)
{
	const struct sr_transport *t = e->device_set->transport;
	int k = t ? sr_transport_failed_device(t) : -1;
	if (k >= 0)
		return k;
	for (k = 0; k < e->n_devices - 1 && !contexts[k].status;)
		k++;
	return k;
}

enum sr_status sr_executable_conclude(const struct sr_executable *e, const struct sr_execution_context *contexts,
				      struct sr_failure *failure)
{
	int k = find_failed(e, contexts);
	enum sr_status status = contexts[k].status;
	if (!status || status == SR_DIFFERS || atomic_load(&failure->is_reported))
		return status;
	describe_failure(e, &e->devices[k], status, failure);
	return failure->status;
}
