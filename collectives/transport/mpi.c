/* Transport operations over MPI for one device per rank, and MPI's own collectives as native algorithms.
 *
 * Needs MPI 3.1. Counts are ints, so messages come in chunks (builder.c) and a native collective is offered only below INT_MAX.
 * All communicators are split from the caller's and return errors; a failing call is SR_INTERNAL, and its name and MPI's error
 * string are stored in the transport. Native reductions are offered only if MPI's operation has exactly our semantics: not for
 * narrow floats (MPI has none), not for min and max of floats (ours propagate NaN), not for i2 and i4 (they wrap). */
#include "collectives/transport/backoff.h"
#include "collectives/transport/local_devices.h"
#include "collectives/transport/shared_segment.h"
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct mpi_group {
	struct sr_group group;
	MPI_Comm comm;
	struct mpi_group *next;
};

struct mpi_transport {
	struct sr_transport transport;
	struct sr_transport *self;
	MPI_Comm world, node;
	struct mpi_group *groups;
};

/* Return SR_OK, or SR_INTERNAL after storing MPI's error string for `call` in t->error. */
static enum sr_status status_of(struct sr_transport *t, int code, const char *call)
{
	char text[MPI_MAX_ERROR_STRING];
	int n = 0;
	if (code == MPI_SUCCESS)
		return SR_OK;
	if (MPI_Error_string(code, text, &n) != MPI_SUCCESS)
		n = 0;
	snprintf(t->error, sizeof t->error, "%s: %.*s", call, n, text);
	return SR_INTERNAL;
}

static MPI_Comm comm_of(struct sr_group *g)
{
	return ((struct mpi_group *)g)->comm;
}

static enum sr_status mpi_post(struct sr_group *g, bool send, int peer, unsigned call, void *data, int64_t bytes, void *request)
{
	int tag = (int)(call % g->transport->n_calls);
	return send ? status_of(g->transport, MPI_Isend(data, (int)bytes, MPI_BYTE, peer, tag, comm_of(g), request), "MPI_Isend")
		    : status_of(g->transport, MPI_Irecv(data, (int)bytes, MPI_BYTE, peer, tag, comm_of(g), request), "MPI_Irecv");
}

/* Tests in groups of AT_ONCE, which bounds the array of statuses. */
static enum sr_status mpi_test(struct sr_group *g, void *requests, int n, bool *done, int *culprit)
{
	enum { AT_ONCE = 32 };
	MPI_Status statuses[AT_ONCE];
	*done = true;
	*culprit = -1;
	for (int first = 0; first < n; first += AT_ONCE) {
		int count = n - first < AT_ONCE ? n - first : AT_ONCE, flag = 0;
		int code = MPI_Testall(count, (MPI_Request *)requests + first, &flag, statuses);
		*done = *done && flag;
		for (int i = 0; code == MPI_ERR_IN_STATUS && i < count; i++)
			if (statuses[i].MPI_ERROR != MPI_SUCCESS && statuses[i].MPI_ERROR != MPI_ERR_PENDING) {
				*culprit = first + i;
				code = statuses[i].MPI_ERROR;
			}
		if (code != MPI_SUCCESS)
			return status_of(g->transport, code, "MPI_Testall");
	}
	return SR_OK;
}

/* ---- native collectives ---- */

/* known is false if MPI has no such type. */
static const struct native_type {
	bool known;
	MPI_Datatype type;
} native_types[SR_DTYPE_COUNT] = {
	[SR_I1] = {true, MPI_UINT8_T},        [SR_UI8] = {true, MPI_UINT8_T},   [SR_UI16] = {true, MPI_UINT16_T},
	[SR_UI32] = {true, MPI_UINT32_T},     [SR_UI64] = {true, MPI_UINT64_T}, [SR_I8] = {true, MPI_INT8_T},
	[SR_I16] = {true, MPI_INT16_T},       [SR_I32] = {true, MPI_INT32_T},   [SR_I64] = {true, MPI_INT64_T},
	[SR_F32] = {true, MPI_FLOAT},         [SR_F64] = {true, MPI_DOUBLE},    [SR_C64] = {true, MPI_C_FLOAT_COMPLEX},
	[SR_C128] = {true, MPI_C_DOUBLE_COMPLEX},
};

static MPI_Op native_op(enum sr_dtype type, enum sr_monoid monoid)
{
	const MPI_Op booleans[SR_MONOID_COUNT] = {MPI_BOR, MPI_BAND, MPI_BAND, MPI_BOR, MPI_BAND, MPI_BOR, MPI_BXOR};
	const MPI_Op integers[SR_MONOID_COUNT] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_BAND, MPI_BOR, MPI_BXOR};
	if (type == SR_I1)
		return booleans[monoid];
	if (sr_dtype_is_integer(type) || monoid == SR_MONOID_ADD || monoid == SR_MONOID_MUL)
		return integers[monoid];
	return MPI_OP_NULL;
}

static bool mpi_has_native(const struct sr_coll_call *call)
{
	bool reduces = call->coll == SR_ALL_REDUCE || call->coll == SR_REDUCE_SCATTER;
	if (sr_coll_in_bytes(call) > INT_MAX || sr_coll_out_bytes(call) > INT_MAX)
		return false;
	return !reduces || (native_types[call->type].known && native_op(call->type, call->monoid) != MPI_OP_NULL);
}

/* Permute with blocking MPI calls. The tag is that of the call started last, which is this one. */
static enum sr_status native_permute(struct sr_group *g, const struct sr_coll_call *call, const void *in, void *out)
{
	int bytes = (int)sr_coll_in_bytes(call), tag = (int)((g->sequence - 1) % g->transport->n_calls);
	if (call->from < 0)
		memset(out, 0, (size_t)bytes);
	int to = call->to < 0 ? MPI_PROC_NULL : call->to, from = call->from < 0 ? MPI_PROC_NULL : call->from;
	int code = MPI_Sendrecv(in, bytes, MPI_BYTE, to, tag, out, bytes, MPI_BYTE, from, tag, comm_of(g), MPI_STATUS_IGNORE);
	return status_of(g->transport, code, "MPI_Sendrecv");
}

static enum sr_status mpi_native(struct sr_group *g, const struct sr_coll_call *call, const void *in, void *out)
{
	MPI_Comm comm = comm_of(g);
	struct sr_transport *t = g->transport;
	int bytes = (int)sr_coll_in_bytes(call), count = (int)call->count;
	switch (call->coll) {
	case SR_ALL_REDUCE:
		return status_of(t, MPI_Allreduce(in == out ? MPI_IN_PLACE : in, out, count, native_types[call->type].type,
						  native_op(call->type, call->monoid), comm), "MPI_Allreduce");
	case SR_REDUCE_SCATTER:
		return status_of(t, MPI_Reduce_scatter_block(in, out, count / call->n, native_types[call->type].type,
							     native_op(call->type,
								       call->monoid), comm), "MPI_Reduce_scatter_block");
	case SR_ALL_GATHER:
		if ((const char *)in == (char *)out + (int64_t)call->me * bytes)
			in = MPI_IN_PLACE;
		return status_of(t, MPI_Allgather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm), "MPI_Allgather");
	case SR_ALL_TO_ALL:
		return status_of(t, MPI_Alltoall(in, bytes / call->n, MPI_BYTE, out, bytes / call->n, MPI_BYTE, comm),
				 "MPI_Alltoall");
	case SR_BROADCAST:
		if (call->me == call->from && in != out)
			memcpy(out, in, (size_t)bytes);
		return status_of(t, MPI_Bcast(out, bytes, MPI_BYTE, call->from, comm), "MPI_Bcast");
	case SR_PERMUTE:
		return native_permute(g, call, in, out);
	default:
		return SR_INTERNAL;
	}
}

/* ---- transport and groups ---- */

/* Wait for a request by testing with backoff: MPI's own blocking calls may yield for ever (backoff.h). */
static int wait_request(struct sr_transport *t, MPI_Request *request)
{
	int done = 0, code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
	for (int polls = 1; code == MPI_SUCCESS && !done; polls++) {
		sr_backoff_wait(polls, t->oversubscribed);
		code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
	}
	return code;
}

static void mpi_barrier(struct sr_transport *t)
{
	MPI_Request request;
	if (MPI_Ibarrier(((struct mpi_transport *)t)->world, &request) == MPI_SUCCESS)
		(void)wait_request(t, &request);
}

static enum sr_status mpi_broadcast(struct sr_transport *t, int root, void *data, uint64_t n)
{
	for (uint64_t at = 0; at < n; at += 1u << 30) {
		uint64_t chunk = n - at < (1u << 30) ? n - at : 1u << 30;
		MPI_Request request;
		int code = MPI_Ibcast((char *)data + at, (int)chunk, MPI_BYTE, root, ((struct mpi_transport *)t)->world, &request);
		if (code == MPI_SUCCESS)
			code = wait_request(t, &request);
		if (code != MPI_SUCCESS)
			return status_of(t, code, "MPI_Ibcast");
	}
	return SR_OK;
}

/* Ranks of the transport's communicator are device ids. */
static int mpi_device(const struct sr_group *g, int member)
{
	MPI_Group members, world;
	int device = -1;
	MPI_Comm_group(((const struct mpi_group *)g)->comm, &members);
	MPI_Comm_group(((const struct mpi_transport *)g->transport)->world, &world);
	MPI_Group_translate_ranks(members, 1, &member, world, &device);
	MPI_Group_free(&members);
	MPI_Group_free(&world);
	return device;
}

static void mpi_gather_node(struct sr_transport *t, const void *mine, size_t n, void *all)
{
	MPI_Allgather(mine, (int)n, MPI_BYTE, all, (int)n, MPI_BYTE, ((struct mpi_transport *)t)->node);
}

static void mpi_gather(struct sr_transport *t, const void *mine, size_t n, void *all)
{
	MPI_Allgather(mine, (int)n, MPI_BYTE, all, (int)n, MPI_BYTE, ((struct mpi_transport *)t)->world);
}

static void mpi_progress(struct sr_transport *t)
{
	int flag;
	MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, ((struct mpi_transport *)t)->world, &flag, MPI_STATUS_IGNORE);
}

static enum sr_status mpi_join(struct sr_transport *transport, const int64_t *group, const int64_t *index, struct sr_group **out)
{
	struct mpi_transport *t = (struct mpi_transport *)transport;
	struct mpi_group *g = SR_NEW(transport->arena, struct mpi_group);
	*out = NULL;
	if (MPI_Comm_split(t->world, *group < 0 ? MPI_UNDEFINED : (int)*group, (int)*index, &g->comm) != MPI_SUCCESS)
		return SR_INTERNAL;
	g->next = t->groups;
	t->groups = g;
	g->group.transport = transport;
	if (g->comm == MPI_COMM_NULL)
		return SR_OK;
	MPI_Comm_size(g->comm, &g->group.size);
	MPI_Comm_rank(g->comm, &g->group.index);
	MPI_Comm_set_errhandler(g->comm, MPI_ERRORS_RETURN);
	struct sr_group_handshake handshake = sr_group_make_handshake(transport);
	struct sr_group_handshake *all = SR_NEWS(transport->arena, struct sr_group_handshake, g->group.size);
	MPI_Allgather(&handshake, sizeof handshake, MPI_BYTE, all, sizeof handshake, MPI_BYTE, g->comm);
	sr_group_complete_handshake(&g->group, all);
	*out = &g->group;
	return SR_OK;
}

static void mpi_close(struct sr_transport *t)
{
	struct mpi_transport *m = (struct mpi_transport *)t;
	for (struct mpi_group *g = m->groups; g; g = g->next)
		if (g->comm != MPI_COMM_NULL)
			MPI_Comm_free(&g->comm);
	MPI_Comm_free(&m->node);
	MPI_Comm_free(&m->world);
}

static const struct sr_transport_ops mpi_ops = {
	.carrier = SR_CARRIER_MPI,
	.request_bytes = sizeof(MPI_Request),
	.post = mpi_post,
	.test = mpi_test,
	.has_native = mpi_has_native,
	.native = mpi_native,
	.barrier = mpi_barrier,
	.broadcast = mpi_broadcast,
	.gather_node = mpi_gather_node,
	.join = mpi_join,
	.gather = mpi_gather,
	.process_barrier = mpi_barrier,
	.progress = mpi_progress,
	.device = mpi_device,
	.close = mpi_close,
};

void sr_mpi_rank_and_size(const void *comm, int *rank, int *size)
{
	MPI_Comm_rank(*(const MPI_Comm *)comm, rank);
	MPI_Comm_size(*(const MPI_Comm *)comm, size);
}

/* Find the ranks of this node, and whether there are more than cores. */
static enum sr_status find_node(struct mpi_transport *m, int rank, int ranks_per_node)
{
	struct sr_transport *t = &m->transport;
	if (MPI_Comm_split_type(m->world, MPI_COMM_TYPE_SHARED, t->device, MPI_INFO_NULL, &m->node) != MPI_SUCCESS)
		return SR_INTERNAL;
	MPI_Comm_set_errhandler(m->node, MPI_ERRORS_RETURN);
	MPI_Comm_size(m->node, &t->n_node_devices);
	MPI_Comm_rank(m->node, &t->node_index);
	t->oversubscribed = t->n_node_devices > sysconf(_SC_NPROCESSORS_ONLN);
	if (ranks_per_node > 0 && ranks_per_node < t->n_node_devices) {
		MPI_Comm entire_node = m->node, by_rank;
		int place, code = MPI_Comm_split(entire_node, 0, rank, &by_rank);
		if (code != MPI_SUCCESS)
			return SR_INTERNAL;
		MPI_Comm_rank(by_rank, &place);
		MPI_Comm_free(&by_rank);
		code = MPI_Comm_split(entire_node, place / ranks_per_node, t->node_index, &m->node);
		MPI_Comm_free(&entire_node);
		if (code != MPI_SUCCESS)
			return SR_INTERNAL;
		MPI_Comm_size(m->node, &t->n_node_devices);
		MPI_Comm_rank(m->node, &t->node_index);
	}
	t->node = t->device;
	t->spans_nodes = t->n_node_devices < t->n_devices;
	MPI_Bcast(&t->node, 1, MPI_INT, 0, m->node);
	return SR_OK;
}

/* Set *device to the device of this rank, or -1. Returns false if the list contains an invalid rank, or one twice. */
static bool find_device(struct sr_arena *arena, const int *rank_of_device, int n_devices, int rank, int size, int *device)
{
	bool *seen = SR_NEWS(arena, bool, size);
	*device = -1;
	for (int d = 0; d < n_devices; d++) {
		int r = rank_of_device[d];
		if (r < 0 || r >= size || seen[r])
			return false;
		seen[r] = true;
		if (r == rank)
			*device = d;
	}
	return true;
}

enum sr_status sr_transport_open_mpi(struct sr_arena *arena, const void *mpi_comm, const int *rank_of_device, int n_devices,
				     const struct sr_transport_options *options, struct sr_transport **out)
{
	struct mpi_transport *t = SR_NEW(arena, struct mpi_transport);
	MPI_Comm caller_comm = *(const MPI_Comm *)mpi_comm;
	int rank, size, device, found, *upper;
	MPI_Comm_rank(caller_comm, &rank);
	MPI_Comm_size(caller_comm, &size);
	*out = NULL;
	if (!find_device(arena, rank_of_device, n_devices, rank, size, &device))
		return SR_USAGE;
	/* ranks of this communicator are device ids */
	if (MPI_Comm_split(caller_comm, device < 0 ? MPI_UNDEFINED : 0, device, &t->world) != MPI_SUCCESS)
		return SR_INTERNAL;
	if (device < 0)
		return SR_OK;
	MPI_Comm_set_errhandler(t->world, MPI_ERRORS_RETURN);
	MPI_Comm_get_attr(t->world, MPI_TAG_UB, &upper, &found);
	t->self = &t->transport;
	t->transport = (struct sr_transport){.ops = &mpi_ops,
					     .arena = arena,
					     .selection = options->selection,
					     .local_devices = &t->self,
					     .n_local_devices = 1,
					     .device = device,
					     .n_devices = n_devices,
					     .n_calls = found ? (unsigned)*upper : 32767};
	if (find_node(t, rank, options->ranks_per_node) != SR_OK)
		return SR_INTERNAL;
	if (!options->no_segment && t->transport.n_node_devices > 1)
		t->transport.segment = sr_segment_open(&t->transport, t->transport.no_segment_reason,
						     sizeof t->transport.no_segment_reason);
	*out = &t->transport;
	return SR_OK;
}
