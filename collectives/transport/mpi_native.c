/* MPI's own collectives as native algorithms, by its nonblocking calls.
 *
 * Counts are ints, so a native collective is offered only below INT_MAX. Native reductions are offered only if MPI's operation
 * has exactly StableHLO's semantics: not for narrow floats (MPI has none), not for min and max of floats (shardrun's propagate
 * NaN), not for i2 and i4 (sums wrap at 2 and 4 bits). */
#include "collectives/transport/mpi_transport.h"
#include <limits.h>
#include <string.h>

/* MPI's type for each element type; known is false if MPI has none. */
static const struct native_type {
	bool is_supported;
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

bool sr_mpi_has_native(const struct sr_coll_call *call)
{
	bool reduces = call->coll == SR_ALL_REDUCE || call->coll == SR_REDUCE_SCATTER;
	if (sr_coll_in_bytes(call) > INT_MAX || sr_coll_out_bytes(call) > INT_MAX)
		return false;
	return !reduces || (native_types[call->type].is_supported && native_op(call->type, call->monoid) != MPI_OP_NULL);
}

/* Run a permute as one send and one receive. The message tag is that of the call started last, which is this call. */
static enum sr_status native_permute(struct sr_group *g, const struct sr_coll_call *call, const void *in, void *out)
{
	MPI_Comm comm = ((struct mpi_group *)g)->comm;
	MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
	int bytes = (int)sr_coll_in_bytes(call), tag = (int)((g->sequence - 1) % g->transport->n_calls);
	if (call->from < 0)
		memset(out, 0, (size_t)bytes);
	int code = call->from < 0 ? MPI_SUCCESS : MPI_Irecv(out, bytes, MPI_BYTE, call->from, tag, comm, &requests[0]);
	if (code == MPI_SUCCESS && call->to >= 0)
		code = MPI_Isend(in, bytes, MPI_BYTE, call->to, tag, comm, &requests[1]);
	if (code == MPI_SUCCESS)
		return sr_mpi_wait(g->transport, requests, 2, "MPI_Testall");
	sr_mpi_abandon(g->transport, requests, 2);
	return sr_mpi_status(g->transport, code, "MPI_Isend, MPI_Irecv");
}

static enum sr_status finish_call(struct sr_transport *t, int code, MPI_Request *request, const char *call)
{
	return code == MPI_SUCCESS ? sr_mpi_wait(t, request, 1, call) : sr_mpi_status(t, code, call);
}

enum sr_status sr_mpi_native(struct sr_group *g, const struct sr_coll_call *call, const void *in, void *out)
{
	MPI_Comm comm = ((struct mpi_group *)g)->comm;
	MPI_Request r = MPI_REQUEST_NULL;
	struct sr_transport *t = g->transport;
	int bytes = (int)sr_coll_in_bytes(call), count = (int)call->count;
	MPI_Datatype type = native_types[call->type].type;
	switch (call->coll) {
	case SR_ALL_REDUCE:
		return finish_call(
		    t,
		    MPI_Iallreduce(in == out ? MPI_IN_PLACE : in, out, count, type, native_op(call->type, call->monoid), comm, &r),
		    &r, "MPI_Iallreduce");
	case SR_REDUCE_SCATTER:
		return finish_call(
		    t, MPI_Ireduce_scatter_block(in, out, count / call->n, type, native_op(call->type, call->monoid), comm, &r), &r,
		    "MPI_Ireduce_scatter_block");
	case SR_ALL_GATHER:
		if ((const char *)in == (char *)out + (int64_t)call->member * bytes)
			in = MPI_IN_PLACE;
		return finish_call(t, MPI_Iallgather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm, &r), &r, "MPI_Iallgather");
	case SR_ALL_TO_ALL:
		return finish_call(t, MPI_Ialltoall(in, bytes / call->n, MPI_BYTE, out, bytes / call->n, MPI_BYTE, comm, &r), &r,
				   "MPI_Ialltoall");
	case SR_BROADCAST:
		if (call->member == call->from && in != out)
			memcpy(out, in, (size_t)bytes);
		return finish_call(t, MPI_Ibcast(out, bytes, MPI_BYTE, call->from, comm, &r), &r, "MPI_Ibcast");
	case SR_PERMUTE:
		return native_permute(g, call, in, out);
	default:
		return SR_INTERNAL;
	}
}
