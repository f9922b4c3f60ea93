/* Collectives outside of schedules, among all devices of an MPI transport: barrier by dissemination (Hensgen, Finkel, Manber 1988),
 * broadcast by a binomial tree, gather to all by Bruck's algorithm (Bruck et al. 1997). */
#include "collectives/transport/mpi_transport.h"
#include <limits.h>
#include <string.h>

struct peers { /* ranks to send to and to receive from in one exchange; -1: none */
	int to, from, tag;
};

/* Return the tag of the next exchange among these devices. */
static int next_tag(const struct sr_transport *t, struct mpi_device_list *c)
{
	return (int)(c->first_tag + c->count++ % (t->n_calls / 2));
}

static enum sr_status exchange(struct sr_transport *t, const struct peers *s, const void *out, size_t n_out, void *in, size_t n_in)
{
	MPI_Comm comm = sr_mpi_transport(t)->comm;
	MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
	int code = MPI_SUCCESS;
	if (n_out > INT_MAX || n_in > INT_MAX)
		return sr_mpi_status(t, MPI_ERR_COUNT, "MPI_Isend");
	if (s->from >= 0)
		code = MPI_Irecv(in, (int)n_in, MPI_BYTE, s->from, s->tag, comm, &requests[0]);
	if (code == MPI_SUCCESS && s->to >= 0)
		code = MPI_Isend(out, (int)n_out, MPI_BYTE, s->to, s->tag, comm, &requests[1]);
	if (code == MPI_SUCCESS)
		return sr_mpi_wait(t, requests, 2, "MPI_Testall");
	sr_mpi_abandon(t, requests, 2);
	return sr_mpi_status(t, code, "MPI_Isend, MPI_Irecv");
}

enum sr_status sr_mpi_barrier(struct sr_transport *t)
{
	struct mpi_device_list *c = &sr_mpi_transport(t)->devices;
	enum sr_status status = SR_OK;
	int tag = next_tag(t, c);
	for (int distance = 1; !status && distance < c->n; distance *= 2) {
		struct peers peers = {c->ranks[(c->me + distance) % c->n], c->ranks[(c->me - distance + c->n) % c->n], tag};
		status = exchange(t, &peers, NULL, 0, NULL, 0);
	}
	return status;
}

static enum sr_status broadcast_chunk(struct sr_transport *t, int root, void *data, size_t n)
{
	struct mpi_device_list *c = &sr_mpi_transport(t)->devices;
	/* position of this rank counted from the root of the broadcast */
	int me = (c->me - root + c->n) % c->n, bit = 1, tag = next_tag(t, c);
	enum sr_status status = SR_OK;
	while (bit < c->n && !(me & bit))
		bit *= 2;
	if (me)
		status = exchange(t, &(struct peers){-1, c->ranks[(me - bit + root) % c->n], tag}, NULL, 0, data, n);
	for (bit /= 2; !status && bit; bit /= 2)
		if (me + bit < c->n)
			status = exchange(t, &(struct peers){c->ranks[(me + bit + root) % c->n], -1, tag}, data, n, NULL, 0);
	return status;
}

enum sr_status sr_mpi_broadcast(struct sr_transport *t, int root, void *data, uint64_t n)
{
	enum sr_status status = SR_OK;
	for (uint64_t at = 0, chunk_bytes; !status && at < n; at += chunk_bytes) {
		chunk_bytes = n - at < (1u << 30) ? n - at : 1u << 30;
		status = broadcast_chunk(t, root, (char *)data + at, chunk_bytes);
	}
	return status;
}

/* Gather n bytes of each member in `blocks`, in the order of the ring, beginning with this member (Bruck et al. 1997: the number of
 * blocks doubles in each round). */
static enum sr_status gather_blocks(struct sr_transport *t, struct mpi_device_list *c, size_t n, char *blocks)
{
	enum sr_status status = SR_OK;
	int tag = next_tag(t, c);
	for (int n_blocks = 1; !status && n_blocks < c->n; n_blocks *= 2) {
		size_t bytes = n * (size_t)(c->n - n_blocks < n_blocks ? c->n - n_blocks : n_blocks);
		struct peers peers = {c->ranks[(c->me - n_blocks + c->n) % c->n], c->ranks[(c->me + n_blocks) % c->n], tag};
		status = exchange(t, &peers, blocks, bytes, blocks + n * (size_t)n_blocks, bytes);
	}
	return status;
}

static enum sr_status gather(struct sr_transport *t, struct mpi_device_list *c, const void *own_block, size_t n, char *all)
{
	struct sr_arena_position mark = sr_arena_mark(t->arena);
	char *blocks = sr_alloc(t->arena, n, (size_t)c->n);
	memcpy(blocks, own_block, n);
	enum sr_status status = gather_blocks(t, c, n, blocks);
	for (int k = 0; !status && k < c->n; k++)
		memcpy(all + n * (size_t)k, blocks + n * (size_t)((k - c->me + c->n) % c->n), n);
	if (!status) /* after a failure MPI may still write to the blocks */
		sr_arena_release(t->arena, mark);
	return status;
}

enum sr_status sr_mpi_gather(struct sr_transport *t, const void *own_block, size_t n, void *all)
{
	return gather(t, &sr_mpi_transport(t)->devices, own_block, n, all);
}

enum sr_status sr_mpi_gather_node(struct sr_transport *t, const void *own_block, size_t n, void *all)
{
	return gather(t, &sr_mpi_transport(t)->node_devices, own_block, n, all);
}
