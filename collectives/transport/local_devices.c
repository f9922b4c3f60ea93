/* Local devices: which process has which device, exchanges between processes, groups, and their transport operations. */
#include "collectives/transport/local_devices.h"
#include "collectives/transport/shared_segment.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- exchanges for all local devices at once ---- */

/* Collective on all processes, or on those of this node: gather n bytes of each device, ordered by process. */
static enum sr_status gather(struct sr_local_devices *local, bool is_node_only, const void *own_data, size_t n, char *all)
{
	struct sr_arena *arena = local->ranks->arena;
	struct sr_arena_position mark = sr_arena_mark(arena);
	int processes = is_node_only ? local->n_node_processes : local->n_processes;
	const struct sr_transport_ops *rank_ops = local->ranks->ops;
	size_t bytes_of_process = n * (size_t)local->max_local;
	char *block = sr_alloc(arena, 1, bytes_of_process), *blocks = sr_alloc(arena, bytes_of_process, (size_t)processes);
	memcpy(block, own_data, n * (size_t)local->n);
	enum sr_status status = (is_node_only ? rank_ops->gather_node : rank_ops->gather)(local->ranks, block, bytes_of_process, blocks);
	for (int p = 0; !status && p < processes; p++) {
		size_t bytes = n * (size_t)(is_node_only ? local->node_process_counts[p] : local->first[p + 1] - local->first[p]);
		memcpy(all, blocks + (size_t)p * bytes_of_process, bytes);
		all += bytes;
	}
	if (!status) /* after a failure MPI may still write to memory that the gather of the processes allocated */
		sr_arena_release(arena, mark);
	return status;
}

static enum sr_status gather_node(struct sr_transport *t, const void *own_data, size_t n, void *all)
{
	struct sr_local_devices *local = sr_local_devices_of(t);
	if (local->ranks)
		return gather(local, true, own_data, n, all);
	memcpy(all, own_data, n * (size_t)local->n);
	return SR_OK;
}

static enum sr_status process_barrier(struct sr_transport *t)
{
	struct sr_local_devices *local = sr_local_devices_of(t);
	return local->ranks ? local->ranks->ops->barrier(local->ranks) : SR_OK;
}

/* ---- groups ---- */

enum { CACHE_LINE = 64 }; /* bytes */

/* Create the group of one local device from the records of all devices. The device writes to its group at every call, so no other
 * device's group is in the same cache lines. */
static struct sr_group *make_group(struct sr_local_device *own_device, const struct sr_group_record *all,
				   const struct sr_group_record *own, struct sr_group *processes)
{
	struct sr_transport *t = &own_device->transport;
	struct sr_local_device_group *g = SR_NEW(t->arena, struct sr_local_device_group);
	*g = (struct sr_local_device_group){
	    .group.transport = t, .processes = processes, .number = own_device->local_devices->n_groups};
	g->devices = sr_group_init(&g->group, all, own);
	(void)sr_alloc(t->arena, 1, CACHE_LINE);
	return &g->group;
}

static enum sr_status join_groups(struct sr_transport *t, const int64_t *group, const int64_t *index, struct sr_group **out)
{
	struct sr_local_devices *local = sr_local_devices_of(t);
	struct sr_group_record *own_records = SR_NEW_ARRAY(t->arena, struct sr_group_record, local->n),
			       *all = SR_NEW_ARRAY(t->arena, struct sr_group_record, t->n_devices);
	struct sr_group *processes = NULL;
	const int64_t group_number = 0, position = local->process;
	for (int k = 0; k < local->n; k++) {
		struct sr_transport *transport = t->local_devices[k];
		own_records[k] = (struct sr_group_record){.group = group[k], .index = index[k], .device = transport->device};
		if (group[k] >= 0)
			own_records[k].handshake = sr_group_make_handshake(transport);
	}
	enum sr_status status = SR_OK;
	if (local->ranks)
		status = gather(local, false, own_records, sizeof *own_records, (char *)all);
	else
		memcpy(all, own_records, sizeof *own_records * (size_t)local->n);
	if (!status && local->ranks)
		status = sr_group_join(local->ranks, &group_number, &position, &processes);
	if (status)
		return status;
	for (int k = 0; k < local->n; k++)
		out[k] = group[k] < 0 ? NULL
				      : make_group((struct sr_local_device *)t->local_devices[k], all, &own_records[k], processes);
	local->n_groups++;
	return SR_OK;
}

/* ---- transport operations ---- */

static bool has_native(const struct sr_coll_call *call)
{
	(void)call;
	return false;
}

/* Empty, since the progress thread advances messages. */
static void progress(struct sr_transport *t)
{
	(void)t;
}

static int member_device(const struct sr_group *g, int member)
{
	return ((const struct sr_local_device_group *)g)->devices[member];
}

/* Empty: messages belong to the queues, or to the progress thread, which abandons the requests that it has posted. */
static void abandon(struct sr_group *g, void *requests, int n)
{
	(void)g, (void)requests, (void)n;
}

static void close_local_devices(struct sr_transport *t)
{
	struct sr_local_devices *local = sr_local_devices_of(t);
	sr_transport_close(local->ranks);
	pthread_mutex_destroy(&local->lock);
	pthread_cond_destroy(&local->work_posted);
	pthread_cond_destroy(&local->rendezvous_ended);
}

static const struct sr_transport_ops ops = {
	.carrier = SR_CARRIER_MPI,
	.request_bytes = sizeof(struct sr_message),
	.post = sr_local_device_post,
	.test = sr_local_device_test,
	.abandon = abandon,
	.has_native = has_native,
	.barrier = sr_local_device_barrier,
	.broadcast = sr_local_device_broadcast,
	.join = join_groups,
	.gather_node = gather_node,
	.process_barrier = process_barrier,
	.progress = progress,
	.device = member_device,
	.close = close_local_devices,
};

/* ---- opening ---- */

/* Number the processes by their first devices and locate every device. Returns false if a rank is invalid. */
static bool place_devices(struct sr_local_devices *local, const int *rank_of_device, int n_devices, int rank, int size,
			  struct sr_arena *arena, int **rank_of_process)
{
	int *process = SR_NEW_ARRAY(arena, int, size), *count = SR_NEW_ARRAY(arena, int, n_devices),
	    *first = SR_NEW_ARRAY(arena, int, n_devices + 1);
	struct sr_device_location *locations = SR_NEW_ARRAY(arena, struct sr_device_location, n_devices);
	*rank_of_process = SR_NEW_ARRAY(arena, int, n_devices);
	for (int d = 0; d < n_devices; d++) {
		int r = rank_of_device[d];
		if (r < 0 || r >= size)
			return false;
		if (!process[r]) {
			(*rank_of_process)[local->n_processes] = r;
			process[r] = ++local->n_processes;
		}
		int p = process[r] - 1;
		locations[d] = (struct sr_device_location){p, count[p]++};
		local->max_local = count[p] > local->max_local ? count[p] : local->max_local;
	}
	for (int p = 0; p < local->n_processes; p++)
		first[p + 1] = first[p] + count[p];
	local->locations = locations;
	local->first = first;
	local->process = process[rank] - 1;
	local->n = local->process < 0 ? 0 : count[local->process];
	return true;
}

static void init_synchronization(struct sr_local_devices *local, struct sr_arena *arena)
{
	pthread_condattr_t clock;
	pthread_mutex_init(&local->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&local->work_posted, &clock);
	pthread_cond_init(&local->rendezvous_ended, &clock);
	pthread_condattr_destroy(&clock);
	local->unmatched = SR_NEW_ARRAY(arena, struct sr_message_queue, (size_t)local->n * (size_t)local->n);
	local->buffers = SR_NEW_ARRAY(arena, void *, local->n);
	local->leave_counts = SR_NEW_ARRAY(arena, uint64_t, local->n);
	atomic_init(&local->first_failed, -1);
}

/* Collective on the processes: set the transport state that all local devices share. */
static enum sr_status make_shared_state(struct sr_local_devices *local, struct sr_arena *arena, int n_devices,
					const struct sr_transport_options *options, struct sr_transport *out)
{
	enum sr_status status = SR_OK;
	struct sr_transport t = {.ops = &ops,
				 .arena = arena,
				 .selection = options->selection,
				 .abort = options->abort,
				 .cache_bytes = options->cache_bytes,
				 .local_devices = SR_NEW_ARRAY(arena, struct sr_transport *, local->n),
				 .n_local_devices = local->n,
				 .n_devices = n_devices,
				 .n_calls = local->n_calls,
				 .first_failed = &local->first_failed,
				 .n_node_devices = local->n};
	if (local->ranks) {
		int *counts = SR_NEW_ARRAY(arena, int, local->ranks->n_node_devices);
		local->n_node_processes = local->ranks->n_node_devices;
		status = local->ranks->ops->gather_node(local->ranks, &local->n, sizeof local->n, counts);
		local->node_process_counts = counts;
		t.node = local->ranks->node;
		t.n_node_devices = 0;
		for (int p = 0; p < local->n_node_processes; p++) {
			t.node_index = p == local->ranks->node_index ? t.n_node_devices : t.node_index;
			t.n_node_devices += counts[p];
		}
	}
	t.spans_nodes = t.n_node_devices < n_devices;
	t.oversubscribed = t.n_node_devices > sysconf(_SC_NPROCESSORS_ONLN);
	*out = t;
	return status;
}

static void make_local_devices(struct sr_local_devices *local, const struct sr_transport *shared)
{
	for (int d = 0; d < shared->n_devices; d++) {
		int k = local->locations[d].k;
		if (local->locations[d].process != local->process)
			continue;
		struct sr_local_device *device_transport = SR_NEW(shared->arena, struct sr_local_device);
		*device_transport = (struct sr_local_device){*shared, local};
		device_transport->transport.local_index = k;
		device_transport->transport.device = d;
		device_transport->transport.node_index = shared->node_index + k;
		shared->local_devices[k] = &device_transport->transport;
	}
}

static unsigned floor_power_of_2(unsigned x)
{
	unsigned p = x > 0;
	while (p <= x / 2)
		p *= 2;
	return p;
}

enum sr_status sr_local_devices_open(struct sr_arena *arena, const void *comm, const int *rank_of_device, int n_devices,
				     const struct sr_transport_options *options, struct sr_transport **out)
{
	/* minimum number of call numbers that messages can distinguish; more calls than that are never in flight */
	enum { MIN_CALLS = 16 };
	struct sr_local_devices *local = SR_NEW(arena, struct sr_local_devices);
	int rank = 0, size = 1, *rank_of_process;
	*out = NULL;
	if (comm)
		sr_mpi_rank_and_size(comm, &rank, &size);
	if (size < 0) {
		sr_abort_failed(options->abort); /* other ranks wait in MPI_Comm_idup */
		return SR_INTERNAL;
	}
	if (!place_devices(local, rank_of_device, n_devices, rank, size, arena, &rank_of_process))
		return SR_USAGE;
	const struct sr_transport_options rank_options = {.no_segment = true,
						      .ranks_per_node = options->ranks_per_node,
						      .abort = options->abort,
						      .message_numbers = MIN_CALLS * (unsigned)local->max_local *
									 (unsigned)local->max_local};
	enum sr_status status = SR_OK;
	if (local->n_processes > 1)
		status = sr_transport_open_mpi(arena, comm, rank_of_process, local->n_processes, &rank_options, &local->ranks);
	if (status || !local->n)
		return status;
	local->n_calls = local->ranks
			     ? floor_power_of_2(local->ranks->n_calls / (unsigned)local->max_local / (unsigned)local->max_local)
			     : 1u << 31;
	if (local->n_calls < MIN_CALLS || (local->ranks && local->ranks->ops->request_bytes > SR_MAX_REQUEST_BYTES))
		return SR_UNSUPPORTED;
	init_synchronization(local, arena);
	struct sr_transport shared;
	status = make_shared_state(local, arena, n_devices, options, &shared);
	if (status) {
		close_local_devices(&((struct sr_local_device){.local_devices = local}).transport);
		return status;
	}
	make_local_devices(local, &shared);
	*out = shared.local_devices[0];
	if (!options->no_segment && shared.n_node_devices > 1)
		(*out)->segment = sr_segment_open(*out, (*out)->no_segment_reason, sizeof (*out)->no_segment_reason);
	for (int k = 1; k < local->n; k++)
		shared.local_devices[k]->segment = (*out)->segment;
	return SR_OK;
}
