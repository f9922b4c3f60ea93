/* Transport operations over MPI for one device per rank.
 *
 * Needs MPI 3.1. Counts are ints, so messages come in chunks (builder.c). A transport has one communicator; the messages of its
 * groups have different tags. Communicators return errors; a failing call is SR_INTERNAL, its name and MPI's error string are
 * stored in the transport, and all ranks are told (abort_word.h). No call blocks, so that every wait sees an abort; the exception
 * is the communicator of a group that needs its own, because MPI's own collectives are selected or group numbers are used up. */
#include "collectives/transport/backoff.h"
#include "collectives/transport/local_devices.h"
#include "collectives/transport/mpi_transport.h"
#include "collectives/transport/node_key.h"
#include "collectives/transport/shared_segment.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void set_pending(struct sr_transport *t)
{
	if (t->abort)
		atomic_store(&t->abort->has_pending, true);
}

enum sr_status sr_mpi_status(struct sr_transport *t, int code, const char *call)
{
	char text[MPI_MAX_ERROR_STRING];
	int n = 0;
	if (code == MPI_SUCCESS)
		return SR_OK;
	if (MPI_Error_string(code, text, &n) != MPI_SUCCESS)
		n = 0;
	snprintf(t->error, sizeof t->error, "%s: %.*s", call, n, text);
	set_pending(t);
	sr_abort_failed(t->abort);
	return SR_INTERNAL;
}

void sr_mpi_abandon(struct sr_transport *t, MPI_Request *requests, int n)
{
	for (int i = 0; i < n; i++) {
		if (requests[i] == MPI_REQUEST_NULL)
			continue;
		set_pending(t);
		if (MPI_Cancel(&requests[i]) == MPI_SUCCESS)
			(void)MPI_Request_free(&requests[i]);
		requests[i] = MPI_REQUEST_NULL;
	}
}

enum sr_status sr_mpi_wait(struct sr_transport *t, MPI_Request *requests, int n, const char *call)
{
	int is_done = 0, code = MPI_Testall(n, requests, &is_done, MPI_STATUSES_IGNORE);
	for (int polls = 1; code == MPI_SUCCESS && !is_done; polls++) {
		sr_backoff_wait(polls, t->oversubscribed);
		if (sr_wait_has_failed(t, polls)) {
			for (int i = 0; i < n; i++)
				requests[i] = MPI_REQUEST_NULL; /* MPI cannot free requests of collectives */
			set_pending(t);
			return sr_broken_status(t);
		}
		code = MPI_Testall(n, requests, &is_done, MPI_STATUSES_IGNORE);
	}
	return sr_mpi_status(t, code, call);
}

static int tag_of(const struct sr_group *g, unsigned call)
{
	const struct mpi_group *m = (const struct mpi_group *)g;
	unsigned n_calls = g->transport->n_calls;
	return (int)((m->owns_comm ? 0 : m->number * n_calls) + call % n_calls);
}

static int rank_of(struct sr_group *g, int member)
{
	const struct mpi_group *m = (const struct mpi_group *)g;
	return m->owns_comm ? member : sr_mpi_transport(g->transport)->devices.ranks[m->devices[member]];
}

static enum sr_status mpi_post(struct sr_group *g, bool send, int peer, unsigned call, void *data, int64_t bytes, void *request)
{
	MPI_Comm comm = ((struct mpi_group *)g)->comm;
	int tag = tag_of(g, call), rank = rank_of(g, peer);
	*(MPI_Request *)request = MPI_REQUEST_NULL;
	return send ? sr_mpi_status(g->transport, MPI_Isend(data, (int)bytes, MPI_BYTE, rank, tag, comm, request), "MPI_Isend")
		    : sr_mpi_status(g->transport, MPI_Irecv(data, (int)bytes, MPI_BYTE, rank, tag, comm, request), "MPI_Irecv");
}

/* Test the requests in groups of AT_ONCE, which bounds the array of statuses. */
static enum sr_status mpi_test(struct sr_group *g, void *requests, int n, bool *is_done, int *culprit)
{
	enum { MAX_TESTED_REQUESTS = 32 };
	MPI_Status statuses[MAX_TESTED_REQUESTS];
	*is_done = true;
	*culprit = -1;
	for (int first = 0; first < n; first += MAX_TESTED_REQUESTS) {
		int count = n - first < MAX_TESTED_REQUESTS ? n - first : MAX_TESTED_REQUESTS, flag = 0;
		int code = MPI_Testall(count, (MPI_Request *)requests + first, &flag, statuses);
		*is_done = *is_done && flag;
		for (int i = 0; code == MPI_ERR_IN_STATUS && i < count; i++)
			if (statuses[i].MPI_ERROR != MPI_SUCCESS && statuses[i].MPI_ERROR != MPI_ERR_PENDING) {
				*culprit = first + i;
				code = statuses[i].MPI_ERROR;
			}
		if (code != MPI_SUCCESS)
			return sr_mpi_status(g->transport, code, "MPI_Testall");
	}
	return SR_OK;
}

static void mpi_abandon(struct sr_group *g, void *requests, int n)
{
	sr_mpi_abandon(g->transport, requests, n);
}

static int mpi_device(const struct sr_group *g, int member)
{
	return ((const struct mpi_group *)g)->devices[member];
}

static void mpi_progress(struct sr_transport *t)
{
	int flag;
	(void)sr_mpi_status(t, MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, sr_mpi_transport(t)->comm, &flag, MPI_STATUS_IGNORE), "MPI_Iprobe");
}

/* ---- groups ---- */

/* Collective on the group, and blocking: create the communicator of the group. */
static enum sr_status make_comm(struct mpi_transport *t, struct mpi_group *g)
{
	MPI_Group all = MPI_GROUP_NULL, members = MPI_GROUP_NULL;
	int *ranks = SR_NEW_ARRAY(t->transport.arena, int, g->group.size);
	for (int k = 0; k < g->group.size; k++)
		ranks[k] = t->devices.ranks[g->devices[k]];
	int code = MPI_Comm_group(t->comm, &all);
	if (code == MPI_SUCCESS)
		code = MPI_Group_incl(all, g->group.size, ranks, &members);
	if (code == MPI_SUCCESS)
		code = MPI_Comm_create_group(t->comm, members, (int)(g->number % t->transport.n_calls), &g->comm);
	if (members != MPI_GROUP_NULL)
		MPI_Group_free(&members);
	if (all != MPI_GROUP_NULL)
		MPI_Group_free(&all);
	if (code != MPI_SUCCESS)
		return sr_mpi_status(&t->transport, code, "MPI_Comm_create_group");
	g->owns_comm = true;
	return sr_mpi_status(&t->transport, MPI_Comm_set_errhandler(g->comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

static enum sr_status mpi_join(struct sr_transport *transport, const int64_t *group, const int64_t *index, struct sr_group **out)
{
	struct mpi_transport *t = sr_mpi_transport(transport);
	struct sr_arena *arena = transport->arena;
	struct sr_group_record own_record = {.group = *group, .index = *index, .device = transport->device},
			       *all = SR_NEW_ARRAY(arena, struct sr_group_record, transport->n_devices);
	unsigned number = ++t->n_groups;
	*out = NULL;
	if (*group >= 0)
		own_record.handshake = sr_group_make_handshake(transport);
	enum sr_status status = sr_mpi_gather(transport, &own_record, sizeof own_record, all);
	if (status || *group < 0)
		return status;
	struct mpi_group *g = SR_NEW(arena, struct mpi_group);
	g->group.transport = transport;
	g->devices = sr_group_init(&g->group, all, &own_record);
	g->comm = t->comm;
	g->number = number;
	g->next = t->groups;
	t->groups = g;
	if (number >= t->max_groups || (transport->selection && sr_selection_uses_native(transport->selection)))
		status = make_comm(t, g);
	*out = status ? NULL : &g->group;
	return status;
}

/* After an abort other ranks may not take part in freeing communicators. */
static void mpi_close(struct sr_transport *t)
{
	struct mpi_transport *m = sr_mpi_transport(t);
	if (sr_abort_read(t->abort))
		return;
	for (struct mpi_group *g = m->groups; g; g = g->next)
		if (g->owns_comm)
			MPI_Comm_free(&g->comm);
	MPI_Comm_free(&m->comm);
}

static const struct sr_transport_ops mpi_ops = {
	.carrier = SR_CARRIER_MPI,
	.request_bytes = sizeof(MPI_Request),
	.post = mpi_post,
	.test = mpi_test,
	.abandon = mpi_abandon,
	.has_native = sr_mpi_has_native,
	.native = sr_mpi_native,
	.barrier = sr_mpi_barrier,
	.broadcast = sr_mpi_broadcast,
	.gather_node = sr_mpi_gather_node,
	.join = mpi_join,
	.gather = sr_mpi_gather,
	.process_barrier = sr_mpi_barrier,
	.progress = mpi_progress,
	.device = mpi_device,
	.close = mpi_close,
};

/* ---- opening ---- */

void sr_mpi_rank_and_size(const void *comm, int *rank, int *size)
{
	if (MPI_Comm_rank(*(const MPI_Comm *)comm, rank) != MPI_SUCCESS || MPI_Comm_size(*(const MPI_Comm *)comm, size) != MPI_SUCCESS)
		*rank = *size = -1;
}

struct node_record { /* record that each device sends when the transport is opened */
	uint64_t key;
	int64_t rank;
};

/* Return the number of the emulated node (ranks_per_node consecutive ranks of a node) to which the device belongs; 0 if nodes
 * are not divided. */
static int emulated_node(const struct node_record *all, int n, int device, int ranks_per_node)
{
	int n_before = 0;
	for (int d = 0; d < n; d++)
		n_before += all[d].key == all[device].key && all[d].rank < all[device].rank;
	return ranks_per_node > 0 ? n_before / ranks_per_node : 0;
}

/* Find the node of each device, the devices of this node, and whether these outnumber the node's cores. */
static enum sr_status find_nodes(struct mpi_transport *m, int rank, int ranks_per_node)
{
	struct sr_transport *t = &m->transport;
	int n = t->n_devices, n_on_node = 0, *nodes = SR_NEW_ARRAY(t->arena, int, n),
	    *emulated_nodes = SR_NEW_ARRAY(t->arena, int, n);
	struct node_record own_record = {sr_node_key(), rank}, *all = SR_NEW_ARRAY(t->arena, struct node_record, n);
	enum sr_status status = sr_mpi_gather(t, &own_record, sizeof own_record, all);
	for (int d = 0; !status && d < n; d++) {
		emulated_nodes[d] = emulated_node(all, n, d, ranks_per_node);
		n_on_node += all[d].key == own_record.key;
		for (nodes[d] = 0; nodes[d] < d; nodes[d]++)
			if (all[nodes[d]].key == all[d].key && emulated_nodes[nodes[d]] == emulated_nodes[d])
				break;
	}
	t->oversubscribed = n_on_node > sysconf(_SC_NPROCESSORS_ONLN);
	t->node = nodes[t->device];
	int *ranks = SR_NEW_ARRAY(t->arena, int, n);
	for (int d = 0; !status && d < n; d++) {
		t->node_index = d == t->device ? t->n_node_devices : t->node_index;
		if (nodes[d] == t->node)
			ranks[t->n_node_devices++] = m->devices.ranks[d];
	}
	m->node_devices = (struct mpi_device_list){
	    .ranks = ranks, .n = t->n_node_devices, .me = t->node_index, .first_tag = t->n_calls / 2};
	t->spans_nodes = t->n_node_devices < n;
	return status;
}

/* Compute how many groups, and how many calls of each group, message tags can distinguish, given MPI's largest tag. Both numbers
 * are powers of two, so that the calls of a group may be counted modulo 2^32. The messages of at least `calls` calls of a group
 * have different tags; 0: a default. */
static enum sr_status divide_tags(struct mpi_transport *m, unsigned calls)
{
	enum { DEFAULT_CALLS = 1 << 16, MIN_CALLS = 16, MIN_GROUPS = 512, MPI_TAGS = 32768 };
	int is_set = 0, *upper = NULL;
	unsigned tags = MPI_TAGS, n = DEFAULT_CALLS;
	enum sr_status status = sr_mpi_status(&m->transport, MPI_Comm_get_attr(m->comm, MPI_TAG_UB, &upper, &is_set),
					      "MPI_Comm_get_attr");
	while (!status && is_set && tags <= (unsigned)*upper / 2)
		tags *= 2;
	while (n > MIN_CALLS && tags / n < MIN_GROUPS)
		n /= 2;
	while (n < calls && n <= tags / 4)
		n *= 2;
	m->transport.n_calls = n;
	m->max_groups = tags / n;
	return status;
}

/* Set *device to the device of this rank, or -1. Returns false if the list contains an invalid rank, or one twice. */
static bool find_device(struct sr_arena *arena, const int *rank_of_device, int n_devices, int rank, int size, int *device)
{
	bool *is_used = SR_NEW_ARRAY(arena, bool, size);
	*device = -1;
	for (int d = 0; d < n_devices; d++) {
		int r = rank_of_device[d];
		if (r < 0 || r >= size || is_used[r])
			return false;
		is_used[r] = true;
		if (r == rank)
			*device = d;
	}
	return true;
}

/* Collective on all ranks: open a transport on a duplicate of the caller's communicator. */
static enum sr_status duplicate_comm(struct mpi_transport *m, MPI_Comm comm)
{
	MPI_Request request = MPI_REQUEST_NULL;
	int code = MPI_Comm_idup(comm, &m->comm, &request);
	if (code != MPI_SUCCESS)
		return sr_mpi_status(&m->transport, code, "MPI_Comm_idup");
	enum sr_status status = sr_mpi_wait(&m->transport, &request, 1, "MPI_Comm_idup");
	if (!status)
		status = sr_mpi_status(&m->transport, MPI_Comm_set_errhandler(m->comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
	return status;
}

enum sr_status sr_transport_open_mpi(struct sr_arena *arena, const void *mpi_comm, const int *rank_of_device, int n_devices,
				     const struct sr_transport_options *options, struct sr_transport **out)
{
	struct mpi_transport *t = SR_NEW(arena, struct mpi_transport);
	int rank, size, device;
	*out = NULL;
	sr_mpi_rank_and_size(mpi_comm, &rank, &size);
	if (size < 0) {
		sr_abort_failed(options->abort); /* other ranks wait in MPI_Comm_idup */
		return SR_INTERNAL;
	}
	if (!find_device(arena, rank_of_device, n_devices, rank, size, &device))
		return SR_USAGE;
	t->self = &t->transport;
	t->devices = (struct mpi_device_list){
	    .ranks = sr_dup(arena, rank_of_device, (size_t)n_devices, sizeof *rank_of_device), .n = n_devices, .me = device};
	t->transport = (struct sr_transport){.ops = &mpi_ops,
					     .arena = arena,
					     .selection = options->selection,
					     .abort = options->abort,
					     .cache_bytes = options->cache_bytes,
					     .local_devices = &t->self,
					     .n_local_devices = 1,
					     .device = device,
					     .n_devices = n_devices};
	enum sr_status status = duplicate_comm(t, *(const MPI_Comm *)mpi_comm);
	if (!status && device < 0) {
		MPI_Comm_free(&t->comm);
		return SR_OK;
	}
	if (!status)
		status = divide_tags(t, options->message_numbers);
	if (!status)
		status = find_nodes(t, rank, options->ranks_per_node);
	if (status)
		return status;
	if (!options->no_segment && t->transport.n_node_devices > 1)
		t->transport.segment = sr_segment_open(&t->transport, t->transport.no_segment_reason,
						       sizeof t->transport.no_segment_reason);
	*out = &t->transport;
	return SR_OK;
}
