/* Clients: this process's devices, and the groups of processes that run programs. */
#include "pjrt/pjrt.h"
#include "support/checked.h"
#include "support/knobs/knobs.h"
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEVICES = 1 << 20, STALL_SECONDS = 300 /* seconds without progress after which executions fail */ };

/* ---- options ---- */

static int count_cores(void)
{
	cpu_set_t mask;
	CPU_ZERO(&mask);
	int n = sched_getaffinity(0, sizeof mask, &mask) ? 1 : CPU_COUNT(&mask);
	return n > 0 ? n : 1;
}

static bool has_name(const struct PJRT_NamedValue *v, const char *name)
{
	return v->name_size == strlen(name) && !memcmp(v->name, name, v->name_size);
}

static PJRT_Error *check_devices(long long n, const char *source)
{
	if (n >= 1 && n <= SR_MAX_DEVICES_PER_RANK)
		return NULL;
	return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "%s is %lld; 1 to %d devices are expected", source, n, SR_MAX_DEVICES_PER_RANK);
}

/* Read the number of this process's devices: the value of the option, else of the environment variable, else one per core, or
 * one if a launcher started the process. */
static PJRT_Error *read_devices(const struct PJRT_Client_Create_Args *args, int *n)
{
	static const char variable[] = "SHARDRUN_DEVICES";
	const char *text = sr_env(variable);
	char *end = NULL;
	for (size_t i = 0; i < args->num_options; i++) {
		const struct PJRT_NamedValue *v = &args->create_options[i];
		if (!has_name(v, "devices"))
			continue;
		if (v->type != PJRT_INT64)
			return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the option devices is not an integer");
		*n = (int)v->value.int64_value;
		return check_devices(v->value.int64_value, "the option devices");
	}
	*n = sr_launch_is_launched() ? 1 : count_cores();
	if (!text || !*text)
		return NULL;
	errno = 0;
	long long value = strtoll(text, &end, 10);
	if (errno || *end)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "%s is '%.40s', which is not a number", variable, text);
	*n = (int)value;
	return check_devices(value, variable);
}

/* ---- processes ---- */

/* Join the other processes of the job. Each process has as many devices as this one. */
static PJRT_Error *join_processes(PJRT_Client *c)
{
	c->launch.wants_threads = true;
	c->launch.wait_limit = STALL_SECONDS;
	enum sr_status status = sr_launch_begin(&c->launch, &c->diags, true, true);
	if (status)
		return sr_pjrt_status_error(status, &c->diags);
	c->process = c->launch.rank;
	c->n_processes = c->launch.size;
	if (!sr_launch_all_equal(&c->launch, (uint64_t)c->n_local))
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the job's processes have different numbers of devices (SHARDRUN_DEVICES)");
	int64_t n = (int64_t)c->n_processes * c->n_local;
	if (n > MAX_DEVICES)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "%d processes with %d devices each are too many", c->n_processes, c->n_local);
	c->n_devices = (int)n;
	return NULL;
}

/* ---- creation ---- */

static void describe_device(PJRT_Client *c, int id, int devices_per_process)
{
	PJRT_Device *d = &c->devices[id];
	d->client = c;
	d->description.id = id;
	d->description.process = id / devices_per_process;
	d->local_index = d->description.process == c->process ? id % devices_per_process : -1;
	d->addressing_devices[0] = d;
	snprintf(d->description.debug_string, sizeof d->description.debug_string, "shardrun cpu device %d", id);
	snprintf(d->description.name, sizeof d->description.name, "CpuDevice(id=%d)", id);
	for (int k = 0; k < SR_PJRT_MEMORY_KINDS; k++) {
		PJRT_Memory *m = d->memories[k] = &d->memory[k];
		m->device = d;
		m->id = id * SR_PJRT_MEMORY_KINDS + k;
		m->kind = k;
		snprintf(m->debug_string, sizeof m->debug_string, "%s memory of shardrun cpu device %d", sr_pjrt_memory_kinds[k], id);
		snprintf(m->name, sizeof m->name, "CpuMemory(id=%d)", m->id);
	}
}

static bool make_devices(PJRT_Client *c)
{
	size_t n = (size_t)c->n_devices, n_local = (size_t)c->n_local;
	c->devices = calloc(n, sizeof *c->devices);
	c->all_devices = calloc(n, sizeof *c->all_devices);
	c->local_devices = calloc(n_local, sizeof *c->local_devices);
	c->memories = calloc(n_local * SR_PJRT_MEMORY_KINDS, sizeof *c->memories);
	c->topology.descriptions = calloc(n, sizeof *c->topology.descriptions);
	c->topology.n = c->n_devices;
	if (!c->devices || !c->all_devices || !c->local_devices || !c->memories || !c->topology.descriptions)
		return false;
	for (int i = 0; i < c->n_devices; i++) {
		describe_device(c, i, c->n_local);
		PJRT_Device *d = c->all_devices[i] = &c->devices[i];
		c->topology.descriptions[i] = &d->description;
		if (d->local_index >= 0) {
			c->local_devices[d->local_index] = d;
			memcpy(c->memories + d->local_index * SR_PJRT_MEMORY_KINDS, d->memories, sizeof d->memories);
		}
	}
	return true;
}

/* Mark the groups of this process as aborted, because other processes have not ended in time: the programs they run together
 * with this process fail from now on. */
static void abort_groups(void *data)
{
	PJRT_Client *c = data;
	for (struct sr_pjrt_group *g = c->groups; g; g = g->next)
		if (g->is_open)
			sr_abort_set(&g->client.launch.abort, sr_abort_make(SR_ABORT_ENDED, g->client.launch.rank));
}

/* Wait for the other processes, then finalize MPI. If a group has unfinished requests on any process, no process finalizes MPI. */
static void finalize_mpi(PJRT_Client *c)
{
	/* seconds that a process waits at its end for the others; then the programs they run together fail */
	enum { GRACE_SECONDS = 10 };
	uint64_t has_pending = 0;
	sr_launch_leave(&c->launch, GRACE_SECONDS, abort_groups, c);
	if (sr_abort_read(&c->launch.abort))
		return;
	for (const struct sr_pjrt_group *g = c->groups; g; g = g->next)
		has_pending |= g->is_open && atomic_load(&g->client.launch.abort.has_pending);
	sr_launch_max(&c->launch, &has_pending, 1);
	if (has_pending)
		sr_abort_set(&c->launch.abort, sr_abort_make(SR_ABORT_ENDED, c->launch.rank));
}

/* Clients that are not freed because MPI may still access their memory. The list is global, so that leak checkers find them. */
static PJRT_Client *_Atomic unfreed_clients;

static void keep_client(PJRT_Client *c)
{
	c->next = atomic_load(&unfreed_clients);
	while (!atomic_compare_exchange_weak(&unfreed_clients, &c->next, c))
		;
}

static void destroy(PJRT_Client *c)
{
	struct sr_pjrt_group *kept = NULL;
	finalize_mpi(c);
	for (struct sr_pjrt_group *g = c->groups, *next; g; g = next) {
		next = g->next;
		if (sr_pjrt_group_close(g)) {
			free(g);
			continue;
		}
		g->next = kept;
		kept = g;
	}
	c->groups = kept;
	(void)sr_pjrt_group_close(&c->process_group); /* has no other process, so that nothing is pending */
	sr_launch_end(&c->launch);
	if (kept || atomic_load(&c->launch.abort.has_pending)) {
		keep_client(c);
		return;
	}
	sr_arena_free(c->arena);
	pthread_mutex_destroy(&c->lock);
	free(c->devices);
	free(c->all_devices);
	free(c->local_devices);
	free(c->memories);
	free(c->topology.descriptions);
	free(c);
}

static PJRT_Error *open_client(PJRT_Client *c, const struct PJRT_Client_Create_Args *args)
{
	PJRT_Error *error = sr_pjrt_group_init(&c->process_group);
	if (error)
		return error;
	c->arena = sr_arena_new();
	if (!c->arena)
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	sr_diags_init(&c->diags, c->arena);
	sr_cache_open(&c->cache, sr_env("SHARDRUN_CACHE"), 0, c->arena);
	error = read_devices(args, &c->n_local);
	if (!error)
		error = join_processes(c);
	return error ? error : sr_pjrt_group_open(c, &c->process_group);
}

PJRT_Error *sr_pjrt_Client_Create(struct PJRT_Client_Create_Args *args)
{
	PJRT_Client *c = calloc(1, sizeof *c);
	if (!c)
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	pthread_mutex_init(&c->lock, NULL);
	PJRT_Error *error = open_client(c, args);
	if (!error && !make_devices(c))
		error = sr_pjrt_message_error(SR_NO_MEMORY, "");
	if (error)
		destroy(c);
	args->client = error ? NULL : c;
	return error;
}

PJRT_Error *sr_pjrt_Client_Destroy(struct PJRT_Client_Destroy_Args *args)
{
	if (args->client)
		destroy(args->client);
	return NULL;
}

/* ---- getters ---- */

PJRT_Error *sr_pjrt_Client_LookupDevice(struct PJRT_Client_LookupDevice_Args *args)
{
	if (args->id < 0 || args->id >= args->client->n_devices)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "there is no device %d; devices are 0 to %d", args->id, args->client->n_devices - 1);
	args->device = args->client->all_devices[args->id];
	return NULL;
}

PJRT_Error *sr_pjrt_Client_LookupAddressableDevice(struct PJRT_Client_LookupAddressableDevice_Args *args)
{
	int k = args->local_hardware_id;
	if (k < 0 || k >= args->client->n_local)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "there is no local device %d; this process has %d", k, args->client->n_local);
	args->addressable_device = args->client->local_devices[k];
	return NULL;
}

/* Default assignment: replica r of partition p is device r * partitions + p; frameworks may give another one. */
PJRT_Error *sr_pjrt_Client_DefaultDeviceAssignment(struct PJRT_Client_DefaultDeviceAssignment_Args *args)
{
	int64_t n;
	if (args->num_replicas < 1 || args->num_partitions < 1 || sr_mul_overflows((int64_t)args->num_replicas, (int64_t)args->num_partitions, &n) ||
	    n > args->client->n_devices)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "%d replicas of %d partitions are wanted, but there are %d devices", args->num_replicas,
				     args->num_partitions, args->client->n_devices);
	if (args->default_assignment_size < (size_t)n)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the device assignment holds %zu devices; %lld are needed", args->default_assignment_size,
				     (long long)n);
	for (int i = 0; i < n; i++)
		args->default_assignment[i] = i;
	return NULL;
}

/* Do nothing: host memory needs no registration on a CPU. */
PJRT_Error *sr_pjrt_Client_DmaMap(struct PJRT_Client_DmaMap_Args *args)
{
	(void)args;
	return NULL;
}

PJRT_Error *sr_pjrt_Client_DmaUnmap(struct PJRT_Client_DmaUnmap_Args *args)
{
	(void)args;
	return NULL;
}

PJRT_Error *sr_pjrt_Client_UpdateGlobalProcessInfo(struct PJRT_Client_UpdateGlobalProcessInfo_Args *args)
{
	(void)args;
	return NULL;
}
