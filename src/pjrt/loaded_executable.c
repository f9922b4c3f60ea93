/* Loaded executables: a program opened on the devices that were assigned to it. */
#include "pjrt/options.h"
#include "support/checked.h"
#include "support/map.h"
#include <stdlib.h>
#include <string.h>

static void close_program(PJRT_LoadedExecutable *l)
{
	if (l->is_open) {
		pthread_mutex_lock(&l->group->lock);
		sr_executable_close(&l->run);
		pthread_mutex_unlock(&l->group->lock);
	}
	sr_pjrt_executable_release(l->executable);
	sr_arena_free(l->arena);
	free(l);
}

void sr_pjrt_loaded_release(PJRT_LoadedExecutable *l)
{
	if (!l || atomic_fetch_sub_explicit(&l->n_references, 1, memory_order_acq_rel) != 1)
		return;
	l->next = atomic_load(&l->group->unused_programs);
	while (!atomic_compare_exchange_weak(&l->group->unused_programs, &l->next, l))
		;
}

void sr_pjrt_close_unused(struct sr_pjrt_group *group)
{
	if (atomic_load(&group->client.launch.abort.has_pending)) /* MPI may still access the programs' memory */
		return;
	for (PJRT_LoadedExecutable *l = atomic_exchange(&group->unused_programs, NULL), *next; l; l = next) {
		next = l->next;
		close_program(l);
	}
}

/* ---- loading ---- */

/* List the devices of the assignment that are in this process, in the order of the assignment. */
static PJRT_Error *find_devices(PJRT_LoadedExecutable *l)
{
	const PJRT_Executable *x = l->executable;
	PJRT_Client *c = l->client;
	int n = x->n_replicas * x->n_partitions;
	l->devices = SR_NEW_ARRAY(l->arena, PJRT_Device *, n);
	l->device_ids = SR_NEW_ARRAY(l->arena, int64_t, n);
	l->logical_ids = SR_NEW_ARRAY(l->arena, struct PJRT_LogicalDeviceIds, n);
	for (int i = 0; i < n; i++) {
		int id = x->assignment[i];
		if (id < 0 || id >= c->n_devices)
			return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the program is assigned to device %d, but there are %d devices", id, c->n_devices);
		for (int k = 0; k < i; k++)
			if (x->assignment[k] == id)
				return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the program is assigned to device %d twice", id);
		if (c->devices[id].local_index < 0)
			continue;
		l->logical_ids[l->n_local] = (struct PJRT_LogicalDeviceIds){i / x->n_partitions, i % x->n_partitions};
		l->device_ids[l->n_local] = id;
		l->devices[l->n_local++] = &c->devices[id];
	}
	return NULL;
}

static enum sr_status open_program(void *data)
{
	PJRT_LoadedExecutable *l = data;
	struct sr_executable_options options = {.model = l->executable->name, .ffi = &l->ffi, .device_ids = l->device_ids,
						.codegen = l->executable->codegen};
	options.codegen.cache = &l->client->cache;
	sr_pjrt_ffi_handlers(l->arena, NULL, &l->ffi);
	enum sr_status status = sr_executable_open(&l->run, &l->group->client, l->executable->program, &options, l->arena, &l->diags);
	if (!status && !sr_executable_make_layouts(&l->run))
		status = SR_NO_MEMORY;
	return status;
}

/* Check that all processes of the group have compiled the same program. */
static enum sr_status check_same_program(PJRT_LoadedExecutable *l)
{
	const struct sr_program *p = l->executable->program;
	struct sr_launch *launch = &l->group->client.launch;
	enum sr_status status = sr_launch_report_abort(launch, SR_OK, &l->diags);
	if (status || sr_launch_all_equal(launch, sr_hash_bytes(p, p->bytes, 0)))
		return status;
	return sr_error(&l->diags, SR_INVALID, (struct sr_src_loc){.file = l->executable->name},
			"the processes that run the program have compiled different ones");
}

PJRT_Error *sr_pjrt_open_program(PJRT_LoadedExecutable *l)
{
	if (atomic_load(&l->is_open))
		return NULL;
	sr_pjrt_close_unused(l->group);
	pthread_mutex_lock(&l->group->lock);
	PJRT_Error *error = l->is_open ? NULL : sr_pjrt_group_open(l->client, l->group);
	if (!error && !l->is_open) {
		enum sr_status status = check_same_program(l);
		if (!status)
			status = sr_arena_guarded(l->arena, open_program, l);
		error = sr_pjrt_status_error(status, &l->diags);
		sr_diags_clear(&l->diags);
		atomic_store(&l->is_open, !status);
		if (status)
			sr_executable_close(&l->run);
	}
	pthread_mutex_unlock(&l->group->lock);
	return error;
}

struct device_lookup {
	PJRT_LoadedExecutable *l;
	PJRT_Error *error;
};

static enum sr_status find_devices_guarded(void *data)
{
	struct device_lookup *f = data;
	f->error = find_devices(f->l);
	return SR_OK;
}

PJRT_Error *sr_pjrt_load(PJRT_Client *client, PJRT_Executable *executable, PJRT_LoadedExecutable **out)
{
	PJRT_LoadedExecutable *l = calloc(1, sizeof *l);
	*out = NULL;
	if (!l) {
		sr_pjrt_executable_release(executable);
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	}
	l->client = client;
	l->executable = executable;
	l->group = &client->process_group;
	atomic_init(&l->n_references, 1);
	l->arena = sr_arena_new();
	struct device_lookup f = {l, NULL};
	if (l->arena)
		sr_diags_init(&l->diags, l->arena);
	enum sr_status status = l->arena ? sr_arena_guarded(l->arena, find_devices_guarded, &f) : SR_NO_MEMORY;
	PJRT_Error *error = status ? sr_pjrt_message_error(status, "") : f.error;
	if (!error)
		error = sr_pjrt_group_of(client, executable->assignment, executable->n_replicas * executable->n_partitions, &l->group);
	if (!error && l->group == &client->process_group)
		error = sr_pjrt_open_program(l);
	if (error)
		sr_pjrt_loaded_release(l);
	*out = error ? NULL : l;
	return error;
}

/* ---- the interface ---- */

PJRT_Error *sr_pjrt_LoadedExecutable_Destroy(struct PJRT_LoadedExecutable_Destroy_Args *args)
{
	sr_pjrt_loaded_release(args->executable);
	return NULL;
}

PJRT_Error *sr_pjrt_LoadedExecutable_GetExecutable(struct PJRT_LoadedExecutable_GetExecutable_Args *args)
{
	args->executable = args->loaded_executable->executable;
	atomic_fetch_add_explicit(&args->executable->n_references, 1, memory_order_relaxed);
	return NULL;
}

static enum sr_status write_assignment(void *data)
{
	struct sr_pjrt_writing *w = data;
	sr_pjrt_put_assignment(w->x->assignment, w->x->n_replicas, w->x->n_partitions, &w->out);
	return SR_OK;
}

PJRT_Error *sr_pjrt_LoadedExecutable_GetDeviceAssignment(struct PJRT_LoadedExecutable_GetDeviceAssignment_Args *args)
{
	struct sr_pjrt_writing w = {.x = args->executable->executable};
	PJRT_Error *error = sr_pjrt_write(&w, write_assignment);
	if (error)
		return error;
	args->serialized_bytes = w.out.data;
	args->serialized_bytes_size = w.out.n;
	args->serialized_device_assignment = (void *)w.out.arena;
	args->serialized_device_assignment_deleter = sr_pjrt_free_arena;
	return NULL;
}

PJRT_Error *sr_pjrt_LoadedExecutable_Delete(struct PJRT_LoadedExecutable_Delete_Args *args)
{
	atomic_store(&args->executable->is_deleted, true);
	return NULL;
}
