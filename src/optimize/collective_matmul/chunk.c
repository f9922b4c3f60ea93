/* Values in pieces: cut, computed piece by piece, put together. */
#include "optimize/collective_matmul/collective_matmul.h"
#include "partition/op_builders.h"
#include <string.h>

bool sr_can_chunk_op(const struct sr_op *op)
{
	int64_t bytes;
	bool good = op->n_results == 1;
	for (int i = 0; i < op->n_operands + op->n_results; i++) {
		const struct sr_type *t = i < op->n_operands ? sr_operand_type(op, i) : sr_result_type(op, i - op->n_operands);
		good = good && t->kind == SR_TYPE_TENSOR && t->dtype != SR_DTYPE_NONE && t->rank < SR_MAX_RANK;
		good = good && sr_type_bytes(t, &bytes);
	}
	return good;
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
	return sr_map_get(&c->pieces, v);
}

/* Where piece k begins in a block. */
static int64_t begin_of(int64_t length, const struct sr_chunking *cut, int k)
{
	return length / cut->n * k + length % cut->n * k / cut->n;
}

static int64_t length_of(const struct sr_type *whole, const struct sr_chunking *cut, int k)
{
	int64_t length = whole->shape[cut->dim] / cut->blocks;
	return begin_of(length, cut, k + 1) - begin_of(length, cut, k);
}

static struct sr_value *with_shape(struct sr_builder *b, struct sr_value *v, int rank, const int64_t *shape)
{
	return sr_type_with_shape(b->ctx, v->type, rank, shape) == v->type ? v : sr_make_reshape(b, v, rank, shape);
}

/* The shape with the dimension as blocks and a length; its rank. */
static int in_blocks(const struct sr_type *type, const struct sr_chunking *cut, int64_t *shape)
{
	int rank = 0;
	for (int d = 0; d < type->rank; d++) {
		bool apart = d == cut->dim && cut->blocks > 1;
		if (apart)
			shape[rank++] = cut->blocks;
		shape[rank++] = apart ? type->shape[d] / cut->blocks : type->shape[d];
	}
	return rank;
}

static const struct sr_type *piece_type(struct sr_context *ctx, const struct sr_type *whole, const struct sr_chunking *cut, int k)
{
	int64_t shape[SR_MAX_RANK];
	memcpy(shape, whole->shape, (size_t)whole->rank * sizeof *shape);
	shape[cut->dim] = cut->blocks * length_of(whole, cut, k);
	return sr_type_with_shape(ctx, whole, whole->rank, shape);
}

static struct sr_value *slice(struct sr_builder *b, struct sr_value *v, const struct sr_chunking *cut, int k)
{
	int64_t start[SR_MAX_RANK] = {0}, limit[SR_MAX_RANK];
	int rank = in_blocks(v->type, cut, limit), d = cut->dim + (cut->blocks > 1);
	const struct sr_type *type = piece_type(b->ctx, v->type, cut, k);
	struct sr_value *blocks = with_shape(b, v, rank, limit);
	start[d] = begin_of(limit[d], cut, k);
	limit[d] = begin_of(limit[d], cut, k + 1);
	return with_shape(b, sr_make_slice(b, blocks, start, limit, NULL), type->rank, type->shape);
}

static struct sr_value *together(struct sr_builder *b, const struct sr_chunked_value *p, const struct sr_type *type)
{
	struct sr_value *parts[SR_MAX_CHUNKS];
	int64_t shape[SR_MAX_RANK];
	for (int k = 0; k < p->cut.n; k++) {
		int rank = in_blocks(p->at[k]->type, &p->cut, shape);
		parts[k] = with_shape(b, p->at[k], rank, shape);
	}
	return with_shape(b, sr_make_concatenate(b, parts, p->cut.n, p->cut.dim + (p->cut.blocks > 1)), type->rank, type->shape);
}

/* ---- where pieces are computed ---- */

static bool is_cut_so(const struct sr_chunked_value *p, const struct sr_chunking *cut)
{
	return p && p->cut.dim == cut->dim && p->cut.blocks == cut->blocks && p->cut.n == cut->n;
}

/* Piece k of an operand, or what it is cut from. */
static struct sr_value *source(const struct sr_matmul_decomposer *c, struct sr_value *v, const struct sr_chunking *cut, int k)
{
	const struct sr_chunked_value *p = cut->dim < 0 ? NULL : sr_chunks_of(c, v);
	return is_cut_so(p, cut) ? p->at[k] : v;
}

static bool is_there(const struct sr_value *v, const struct sr_op *last)
{
	return !v->def || v->def->block != last->block || v->def == last || sr_op_is_before(v->def, last);
}

static bool may_follow(const struct sr_matmul_decomposer *c, const struct sr_op *op, const struct sr_chunking *cuts,
		       const struct sr_chunk_chain *line)
{
	for (int i = 0; i < op->n_operands; i++)
		for (int k = 0; k < SR_MAX_CHUNKS && line->last[k]; k++)
			if (!is_there(source(c, sr_operand(op, i), &cuts[i], k), line->last[k]))
				return false;
	return true;
}

/* NULL: at the op's own place, as where its pieces were computed before the loop or branch that it is in. */
static struct sr_chunk_chain *line_of(const struct sr_matmul_decomposer *c, const struct sr_op *op, const struct sr_chunking *cuts)
{
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_chunked_value *p = sr_chunks_of(c, sr_operand(op, i));
		if (cuts[i].dim < 0 || !is_cut_so(p, &cuts[i]) || !p->line || p->line->last[0]->block != op->block)
			continue;
		if (may_follow(c, op, cuts, p->line))
			return p->line;
	}
	return NULL;
}

static struct sr_value *cut_once(struct sr_matmul_decomposer *c, struct sr_builder *b, struct sr_op *op, const struct sr_chunking *cuts,
				 const struct sr_chunking *result, int k)
{
	struct sr_op *one = sr_op_clone(c->ctx, op, NULL);
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = source(c, sr_operand(op, i), &cuts[i], k);
		bool whole = cuts[i].dim >= 0 && v == sr_operand(op, i);
		sr_op_set_operand(one, i, whole ? slice(b, v, &cuts[i], k) : v);
	}
	one->results[0].type = piece_type(c->ctx, sr_result_type(op, 0), result, k);
	sr_op_insert_before(b->anchor, one);
	return sr_result(one, 0);
}

void sr_chunk_op(struct sr_matmul_decomposer *c, struct sr_op *op, const struct sr_chunking *cuts, struct sr_chunking result)
{
	struct sr_context *ctx = c->ctx;
	struct sr_chunk_chain *follows = line_of(c, op, cuts), *line = follows;
	struct sr_chunked_value *made = SR_NEW(ctx->scratch, struct sr_chunked_value);
	struct sr_builder b = {.ctx = ctx, .block = op->block, .loc = op->loc};
	bool sent = sr_op_has(op, SR_COLLECTIVE);
	if (!line)
		line = SR_NEW(ctx->scratch, struct sr_chunk_chain);
	/* behind a collective the next of all pieces comes first: each is under way while the others are computed */
	*made = (struct sr_chunked_value){.cut = result, .line = sent ? NULL : line};
	for (int k = 0; k < result.n; k++) {
		b.anchor = follows ? line->last[k]->next : op;
		made->at[k] = cut_once(c, &b, op, cuts, &result, k);
		line->last[k] = made->at[k]->def;
	}
	b.anchor = op;
	struct sr_value *whole = together(&b, made, sr_result_type(op, 0));
	sr_map_put(&c->pieces, whole, made);
	sr_push(ctx->scratch, &c->wholes, whole->def);
	sr_value_replace_all(sr_result(op, 0), whole);
	sr_op_erase(op);
}

/* An op on shapes that nobody reads, and those that it alone read. */
static void drop(struct sr_op *op)
{
	struct sr_op *read[SR_MAX_CHUNKS];
	int n = 0;
	if (!sr_op_is(op, SR_OP_stablehlo_concatenate) && !sr_op_is(op, SR_OP_stablehlo_reshape))
		return;
	if (sr_result(op, 0)->uses)
		return;
	for (int i = 0; i < op->n_operands && n < SR_MAX_CHUNKS; i++)
		if (sr_operand(op, i)->def)
			read[n++] = sr_operand(op, i)->def;
	sr_op_erase(op);
	for (int i = 0; i < n; i++)
		drop(read[i]);
}

void sr_chunk_cleanup(struct sr_matmul_decomposer *c)
{
	for (size_t i = c->wholes.n; i-- > 0;)
		drop(c->wholes.data[i]);
	c->wholes.n = 0;
}
