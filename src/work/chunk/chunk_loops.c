/* shardrun-chunk-loops: compute the matrix products of several iterations of a loop as one product, if each of them has few rows
 * (loop distribution after strip-mining, Allen and Kennedy 1987). A product of few rows takes the time of reading the weights, as
 * in a recurrent network:
 *
 *	while (i < n):                          while (i < n; i += c):
 *	  z = x[i] @ W + h @ U                    for k in [0, c):  X[k] = x[i + k]                      before
 *	  h = ...z...                             Z = X @ W
 *	  g += a^T @ h                    =>      for k in [0, c):  z = Z[k] + h @ U;  h = ...z...
 *	  y[i] = h @ V                                              H[k] = h;  A[k] = a                  the loop over the chunk
 *	                                          g += A^T @ H;  Y = H @ V
 *	                                          for k in [0, c):  y[i + k] = Y[k]                      after
 *
 * - A product with loop-invariant weights whose other operand depends on the induction variable only is computed before.
 * - A product with loop-invariant weights is computed after, if nothing that the rest of the body reads depends on it.
 * - The sum of a product over all iterations contracts the rows of all iterations of a chunk.
 *
 * The sums are rounded in another order. */
#include "dialect/ops.h"
#include "work/chunk/chunk.h"
#include "work/work_passes.h"
#include <string.h>

enum { MIN_ITERATIONS = 4, MAX_ITERATIONS = 64 }; /* of a chunk */

struct rules {
	struct sr_context *ctx;
	int64_t min_work;
	int64_t iterations; /* of a chunk; 0: by the rows of the products */
};

bool sr_chunk_is_invariant(const struct sr_chunk *c, int i)
{
	return sr_operand(sr_block_terminator(c->body), i) == c->body->args[i];
}

int sr_chunk_flags(const struct sr_chunk *c, const struct sr_value *v)
{
	if (v->def)
		return v->def->block == c->body ? v->def->mark : 0;
	if (v->block != c->body || sr_chunk_is_invariant(c, v->index))
		return 0;
	return v->index == c->counter.value_index ? SR_CHUNK_OF_COUNTER : SR_CHUNK_OF_CARRIED;
}

struct flag_sum {
	const struct sr_chunk *chunk;
	int flags;
};

static bool add_flags(void *data, struct sr_value *v)
{
	struct flag_sum *sum = data;
	sum->flags |= sr_chunk_flags(sum->chunk, v) & (SR_CHUNK_OF_COUNTER | SR_CHUNK_OF_CARRIED | SR_CHUNK_OF_PRODUCT);
	return true;
}

/* ---- products ---- */

/* Return the number of the operand with the rows, if the other one is loop-invariant and the product is slow; else -1. */
static int rows_operand(const struct rules *r, const struct sr_chunk *c, const struct sr_op *op)
{
	struct sr_chunk_sizes s;
	int varying[2] = {0, 0};
	if (!sr_chunk_product_sizes(c->ctx, op, &s))
		return -1;
	for (int side = 0; side < 2; side++)
		varying[side] = sr_chunk_flags(c, sr_operand(op, side));
	int side = varying[0] ? 0 : 1;
	return varying[side] && !varying[!side] && sr_chunk_is_slow(r->min_work, &s, s.free[side]) ? side : -1;
}

static void add_product(struct sr_chunk *c, struct sr_op *op, int kind, int side)
{
	struct sr_chunk_product product = {.op = op, .kind = kind};
	product.is_stacked[side] = true;
	op->mark |= kind;
	sr_push(c->ctx->scratch, &c->products, product);
}

/* Set the flags of the body's ops, and add the products that are computed before the loop over a chunk. */
static void mark_ops(const struct rules *r, struct sr_chunk *c)
{
	for (struct sr_op *op = c->body->first; op; op = op->next) {
		struct flag_sum sum = {c, 0};
		sr_walk_outer_operands(op, add_flags, &sum);
		bool is_fixed = !sr_op_is_pure(op) || op->info->traits & (SR_COLLECTIVE | SR_CONTROL_FLOW);
		op->mark = sum.flags | (is_fixed ? SR_CHUNK_OF_CARRIED : 0);
		int side = op->mark == SR_CHUNK_OF_COUNTER ? rows_operand(r, c, op) : -1;
		if (side >= 0) {
			add_product(c, op, SR_CHUNK_BEFORE, side);
			op->mark |= SR_CHUNK_OF_PRODUCT;
		}
	}
}

static void add_products_after(const struct rules *r, struct sr_chunk *c)
{
	SR_VEC(struct sr_op *) candidates = {0};
	for (struct sr_op *op = c->body->first; op; op = op->next)
		if (op->mark & SR_CHUNK_OF_CARRIED && rows_operand(r, c, op) >= 0)
			sr_push(c->ctx->scratch, &candidates, op);
	int n = sr_chunk_mark_after(c, candidates.data, (int)candidates.n);
	for (int i = 0; i < n; i++)
		add_product(c, candidates.data[i], SR_CHUNK_AFTER, rows_operand(r, c, candidates.data[i]));
}

/* Add the product whose sum over the iterations loop-carried value i is, if it is one. */
static void add_sum(const struct rules *r, struct sr_chunk *c, int i)
{
	struct sr_op *sum = sr_loop_carried_update(c->loop, i), *op = NULL;
	struct sr_chunk_sizes s;
	if (!sum || !sr_op_is(sum, SR_OP_stablehlo_add) || sum->mark & SR_CHUNK_AFTER)
		return;
	op = sr_chunk_product_of_term(c->body, sr_operand(sum, sr_operand(sum, 0) == c->body->args[i]));
	if (!op || op->mark & SR_CHUNK_AFTER || !sr_chunk_product_sizes(c->ctx, op, &s) ||
	    !sr_chunk_is_slow(r->min_work, &s, s.contracted))
		return;
	struct sr_chunk_product product = {.op = op, .kind = SR_CHUNK_SUM, .is_stacked = {true, true}, .sum = sum, .sum_index = i};
	for (int side = 0; side < 2; side++)
		if (!sr_chunk_flags(c, sr_operand(op, side)))
			return;
	sr_push(c->ctx->scratch, &c->products, product);
	for (sum->mark |= SR_CHUNK_SUM; sum != op; sum->mark |= SR_CHUNK_SUM)
		sum = sr_operand(sum, sum == product.sum && sr_operand(sum, 0) == c->body->args[i])->def;
}

/* ---- size of a chunk ---- */

/* Return the number of iterations of a chunk; 0: the loop has too few. */
static int64_t chunk_iterations(const struct rules *r, const struct sr_chunk *c)
{
	int64_t rows = SR_CHUNK_MAX_ROWS, bytes = 0;
	for (size_t i = 0; i < c->products.n; i++) {
		const struct sr_chunk_product *p = &c->products.data[i];
		struct sr_chunk_sizes s;
		sr_chunk_product_sizes(c->ctx, p->op, &s);
		int64_t of_product = p->kind == SR_CHUNK_SUM ? s.contracted : s.free[p->is_stacked[1]];
		if (of_product < rows)
			rows = of_product;
		for (int side = 0; side < 2; side++)
			bytes += p->is_stacked[side] ? sr_value_bytes(sr_operand(p->op, side)) : 0;
		bytes += p->kind == SR_CHUNK_SUM ? 0 : sr_value_bytes(sr_result(p->op, 0));
	}
	if (r->iterations)
		return r->iterations <= c->counter.trip_count ? r->iterations : 0;
	int64_t n = rows ? SR_CHUNK_ROWS / rows : 0;
	if (n > MAX_ITERATIONS)
		n = MAX_ITERATIONS;
	while (n >= MIN_ITERATIONS && n * bytes > SR_CHUNK_MAX_BYTES)
		n /= 2;
	if (n > c->counter.trip_count)
		n = c->counter.trip_count;
	for (int64_t divisor = n; divisor > n / 2 && divisor >= MIN_ITERATIONS; divisor--)
		if (c->counter.trip_count % divisor == 0)
			return divisor;
	return n >= MIN_ITERATIONS ? n : 0;
}

/* ---- the pass ---- */

static bool visit(void *data, struct sr_op *op)
{
	const struct rules *r = data;
	struct sr_chunk c = {.ctx = r->ctx, .loop = op};
	if (!sr_op_is(op, SR_OP_stablehlo_while) || !sr_loop_find_induction_variable(r->ctx, op, &c.counter))
		return true;
	struct sr_arena_position mark = sr_arena_mark(r->ctx->scratch);
	c.body = op->regions[1].first;
	c.is_after = SR_NEW_ARRAY(r->ctx->scratch, bool, op->n_operands);
	mark_ops(r, &c);
	add_products_after(r, &c);
	for (int i = 0; i < op->n_operands; i++)
		add_sum(r, &c, i);
	c.iterations = c.products.n ? chunk_iterations(r, &c) : 0;
	if (c.iterations)
		sr_chunk_build(&c);
	sr_arena_release(r->ctx->scratch, mark);
	return true;
}

enum sr_status sr_run_chunk_loops(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	enum { ITERATIONS_IF_ON = 3 };
	bool is_on;
	enum sr_status status = sr_chunk_read_mode(ctx, options, &is_on);
	struct rules r = {ctx, is_on ? 0 : SR_CHUNK_MIN_WORK, sr_option_int(options, "iterations")};
	if (status || strcmp(sr_option_string(options, "mode"), "off") == 0)
		return status;
	if (r.iterations == 0 && is_on)
		r.iterations = ITERATIONS_IF_ON;
	sr_walk_post(module, visit, &r);
	sr_ops_reclaim(ctx);
	sr_annotate_trip_counts(ctx, module);
	return SR_OK;
}
