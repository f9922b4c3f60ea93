/* Operations on chunked values: slice operands, clone ops per chunk, concatenate results. */
#include "optimize/collective_matmul/collective_matmul.h"
#include "dialect/op_builders.h"
#include <string.h>

bool sr_can_chunk_op(const struct sr_op *op)
{
	int64_t bytes;
	bool can_chunk = op->n_results == 1;
	for (int i = 0; i < op->n_operands + op->n_results; i++) {
		const struct sr_type *t = i < op->n_operands ? sr_operand_type(op, i) : sr_result_type(op, i - op->n_operands);
		can_chunk = can_chunk && t->kind == SR_TYPE_TENSOR && t->dtype != SR_DTYPE_NONE && t->rank < SR_MAX_RANK;
		can_chunk = can_chunk && sr_type_bytes(t, &bytes);
	}
	return can_chunk;
}

int sr_max_chunks(const struct sr_type *type, int dim, int64_t blocks)
{
	int64_t extent = type->shape[dim];
	if (blocks < 1 || extent % blocks)
		return 0;
	return extent / blocks < SR_MAX_CHUNKS ? (int)(extent / blocks) : SR_MAX_CHUNKS;
}

const struct sr_chunked_value *sr_chunks_of(const struct sr_matmul_decomposer *c, const struct sr_value *v)
{
	return sr_map_get(&c->chunked, v);
}

/* Return the index at which chunk k begins in a block of `length` elements. */
static int64_t begin_of(int64_t length, const struct sr_chunking *chunking, int k)
{
	return length / chunking->n * k + length % chunking->n * k / chunking->n;
}

static int64_t length_of(const struct sr_type *full_type, const struct sr_chunking *chunking, int k)
{
	int64_t length = full_type->shape[chunking->dim] / chunking->blocks;
	return begin_of(length, chunking, k + 1) - begin_of(length, chunking, k);
}

/* Write to `shape` the type's shape with the chunked dimension split into two, blocks and block length; return its rank. */
static int blocked_shape(const struct sr_type *type, const struct sr_chunking *chunking, int64_t *shape)
{
	int rank = 0;
	for (int d = 0; d < type->rank; d++) {
		bool is_split = d == chunking->dim && chunking->blocks > 1;
		if (is_split)
			shape[rank++] = chunking->blocks;
		shape[rank++] = is_split ? type->shape[d] / chunking->blocks : type->shape[d];
	}
	return rank;
}

static const struct sr_type *chunk_type(struct sr_context *ctx, const struct sr_type *full_type, const struct sr_chunking *chunking,
					int k)
{
	int64_t shape[SR_MAX_RANK];
	memcpy(shape, full_type->shape, (size_t)full_type->rank * sizeof *shape);
	shape[chunking->dim] = chunking->blocks * length_of(full_type, chunking, k);
	return sr_type_with_shape(ctx, full_type, full_type->rank, shape);
}

static struct sr_value *slice(struct sr_builder *b, struct sr_value *v, const struct sr_chunking *chunking, int k)
{
	int64_t start[SR_MAX_RANK] = {0}, limit[SR_MAX_RANK];
	int rank = blocked_shape(v->type, chunking, limit), d = chunking->dim + (chunking->blocks > 1);
	const struct sr_type *type = chunk_type(b->ctx, v->type, chunking, k);
	struct sr_value *blocks = sr_build_reshape(b, v, rank, limit);
	start[d] = begin_of(limit[d], chunking, k);
	limit[d] = begin_of(limit[d], chunking, k + 1);
	return sr_build_reshape(b, sr_build_slice(b, blocks, start, limit, NULL), type->rank, type->shape);
}

static struct sr_value *concatenate_chunks(struct sr_builder *b, const struct sr_chunked_value *p, const struct sr_type *type)
{
	struct sr_value *blocked_chunks[SR_MAX_CHUNKS];
	int64_t shape[SR_MAX_RANK];
	for (int k = 0; k < p->chunking.n; k++) {
		int rank = blocked_shape(p->chunks[k]->type, &p->chunking, shape);
		blocked_chunks[k] = sr_build_reshape(b, p->chunks[k], rank, shape);
	}
	return sr_build_reshape(b, sr_build_concatenate(b, blocked_chunks, p->chunking.n, p->chunking.dim + (p->chunking.blocks > 1)),
				type->rank, type->shape);
}

/* ---- where chunks are computed ---- */

static bool is_chunked_as(const struct sr_chunked_value *p, const struct sr_chunking *chunking)
{
	return p && p->chunking.dim == chunking->dim && p->chunking.blocks == chunking->blocks && p->chunking.n == chunking->n;
}

/* Return chunk k of an operand, or the operand itself if it has another chunking. */
static struct sr_value *chunk_source(const struct sr_matmul_decomposer *c, struct sr_value *v, const struct sr_chunking *chunking,
				     int k)
{
	const struct sr_chunked_value *p = chunking->dim < 0 ? NULL : sr_chunks_of(c, v);
	return is_chunked_as(p, chunking) ? p->chunks[k] : v;
}

static bool is_available(const struct sr_value *v, const struct sr_op *last)
{
	return !v->def || v->def->block != last->block || v->def == last || sr_op_is_before(v->def, last);
}

static bool can_follow(const struct sr_matmul_decomposer *c, const struct sr_op *op, const struct sr_chunking *chunkings,
		       const struct sr_chunk_chain *chain)
{
	for (int i = 0; i < op->n_operands; i++)
		for (int k = 0; k < SR_MAX_CHUNKS && chain->last[k]; k++)
			if (!is_available(chunk_source(c, sr_operand(op, i), &chunkings[i], k), chain->last[k]))
				return false;
	return true;
}

/* Return the chain of an operand's chunks after which op's chunks are inserted. NULL: op's chunks are inserted at op itself, as for
 * operands chunked outside the loop or branch that contains op. */
static struct sr_chunk_chain *chain_of(const struct sr_matmul_decomposer *c, const struct sr_op *op,
				       const struct sr_chunking *chunkings)
{
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_chunked_value *p = sr_chunks_of(c, sr_operand(op, i));
		if (chunkings[i].dim < 0 || !is_chunked_as(p, &chunkings[i]) || !p->chain || p->chain->last[0]->block != op->block)
			continue;
		if (can_follow(c, op, chunkings, p->chain))
			return p->chain;
	}
	return NULL;
}

static struct sr_value *clone_for_chunk(struct sr_matmul_decomposer *c, struct sr_builder *b, struct sr_op *op,
					const struct sr_chunking *chunkings, const struct sr_chunking *result, int k)
{
	struct sr_op *one = sr_op_clone(c->ctx, op, NULL);
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = chunk_source(c, sr_operand(op, i), &chunkings[i], k);
		bool is_chunked = chunkings[i].dim >= 0 && v == sr_operand(op, i);
		sr_op_set_operand(one, i, is_chunked ? slice(b, v, &chunkings[i], k) : v);
	}
	one->results[0].type = chunk_type(c->ctx, sr_result_type(op, 0), result, k);
	sr_op_insert_before(b->anchor, one);
	return sr_result(one, 0);
}

void sr_chunk_op(struct sr_matmul_decomposer *c, struct sr_op *op, const struct sr_chunking *chunkings, struct sr_chunking result)
{
	struct sr_context *ctx = c->ctx;
	struct sr_chunk_chain *followed_chain = chain_of(c, op, chunkings), *chain = followed_chain;
	struct sr_chunked_value *new_value = SR_NEW(ctx->scratch, struct sr_chunked_value);
	struct sr_builder b = {.ctx = ctx, .block = op->block, .loc = op->loc};
	bool is_collective = sr_op_has(op, SR_COLLECTIVE);
	if (!chain)
		chain = SR_NEW(ctx->scratch, struct sr_chunk_chain);
	/* the collectives of all chunks come first, so that each is in flight while other chunks are computed */
	*new_value = (struct sr_chunked_value){.chunking = result, .chain = is_collective ? NULL : chain};
	for (int k = 0; k < result.n; k++) {
		b.anchor = followed_chain ? chain->last[k]->next : op;
		new_value->chunks[k] = clone_for_chunk(c, &b, op, chunkings, &result, k);
		chain->last[k] = new_value->chunks[k]->def;
	}
	b.anchor = op;
	struct sr_value *concatenation = concatenate_chunks(&b, new_value, sr_result_type(op, 0));
	sr_map_put(&c->chunked, concatenation, new_value);
	sr_push(ctx->scratch, &c->concatenations, concatenation->def);
	sr_value_replace_all(sr_result(op, 0), concatenation);
	sr_op_erase(op);
}

/* Erase a reshape or concatenate if it has no users, and then the ops that define its operands if they have none left. */
static void erase_unused(struct sr_op *op)
{
	struct sr_op *operand_defs[SR_MAX_CHUNKS];
	int n = 0;
	if (!sr_op_is(op, SR_OP_stablehlo_concatenate) && !sr_op_is(op, SR_OP_stablehlo_reshape))
		return;
	if (sr_result(op, 0)->uses)
		return;
	for (int i = 0; i < op->n_operands && n < SR_MAX_CHUNKS; i++)
		if (sr_operand(op, i)->def)
			operand_defs[n++] = sr_operand(op, i)->def;
	sr_op_erase(op);
	for (int i = 0; i < n; i++)
		erase_unused(operand_defs[i]);
}

void sr_chunk_cleanup(struct sr_matmul_decomposer *c)
{
	for (size_t i = c->concatenations.n; i-- > 0;)
		erase_unused(c->concatenations.data[i]);
	c->concatenations.n = 0;
}
