/* Build the loop over chunks (chunk_loops.c): its body has up to three loops over the iterations of a chunk, which compute the
 * operands of the products before, the body itself, and the ops after. If chunks do not divide the iterations, the original loop
 * executes the iterations left. */
#include "dialect/comparison.h"
#include "dialect/op_builders.h"
#include "work/chunk/chunk.h"
#include <string.h>

/* The rows of all iterations of a chunk, with the iterations as dimension 0. */
struct stack {
	struct sr_value *v;     /* value of the original body */
	struct sr_value *rows;  /* stack in the body of the loop over chunks; the state of the loop that is being built */
	bool is_before;         /* computed by the loop before */
};

/* The result of a product for all iterations of a chunk. */
struct product_result {
	struct sr_value *v, *rows; /* result of the original product, and of all iterations */
	int dim;                   /* dimension of the iterations */
};

struct build {
	struct sr_chunk *c;
	struct sr_context *ctx;
	struct sr_builder chunk;  /* inserts into the body of the loop over chunks */
	struct sr_value *counter; /* induction variable at the chunk's first iteration */
	struct sr_value **state;  /* loop-carried values of the original loop, as the ops built so far leave them; NULL: none */
	SR_VEC(struct stack) stacks;
	SR_VEC(struct product_result) results;
};

/* A loop over the iterations of a chunk that is being built. */
struct inner_loop {
	struct sr_op *op;
	struct sr_builder body;
	struct sr_value *k;   /* number of the iteration */
	struct sr_map values; /* struct sr_value * of the original body -> value in this one */
	SR_VEC(struct sr_value *) initial; /* k, the induction variable, and the rest of the state */
	SR_VEC(struct sr_value *) next;
	SR_VEC(struct sr_value **) results; /* places for the final state */
};

static const struct sr_type *stack_type(const struct build *b, const struct sr_type *t, int64_t n)
{
	int64_t shape[SR_MAX_RANK] = {n};
	for (int d = 0; d < t->rank; d++)
		shape[d + 1] = t->shape[d];
	return sr_type_with_shape(b->ctx, t, t->rank + 1, shape);
}

static struct stack *stack_of(struct build *b, const struct sr_value *v)
{
	for (size_t i = 0; i < b->stacks.n; i++)
		if (b->stacks.data[i].v == v)
			return &b->stacks.data[i];
	return NULL;
}

static void add_stacks(struct build *b)
{
	for (size_t i = 0; i < b->c->products.n; i++)
		for (int side = 0; side < 2; side++) {
			const struct sr_chunk_product *p = &b->c->products.data[i];
			struct sr_value *v = sr_operand(p->op, side);
			if (p->is_stacked[side] && !stack_of(b, v))
				sr_push(b->ctx->scratch, &b->stacks, (struct stack){v, NULL, p->kind == SR_CHUNK_BEFORE});
		}
}

/* ---- loops over the iterations of a chunk ---- */

/* Add a value to the state of the loop. *place: its value before the loop, and after end_loop that after the loop. */
static void carry(struct build *b, struct inner_loop *l, struct sr_value **place)
{
	sr_push(b->ctx->scratch, &l->initial, *place);
	sr_push(b->ctx->scratch, &l->results, place);
}

/* Build the loop with the state that `carry` gathered. The state's values of the body are in l->op's block arguments. */
static void begin_loop(struct build *b, struct inner_loop *l)
{
	struct sr_builder regions[2];
	l->op = sr_build_while(&b->chunk, l->initial.data, (int)l->initial.n, regions);
	struct sr_value *n = sr_build_scalar(&regions[0], SR_I64, b->c->iterations);
	struct sr_value *go_on = sr_build_compare(&regions[0], regions[0].block->args[0], SR_LT, n, NULL);
	sr_build(&regions[0], SR_OP_stablehlo_return, &go_on, 1, NULL, 0, NULL, 0);
	l->body = regions[1];
	l->k = l->body.block->args[0];
	sr_map_init(&l->values, b->ctx->scratch);
	const struct sr_op *loop = b->c->loop;
	for (int i = 0; i < loop->n_operands; i++)
		if (sr_chunk_is_invariant(b->c, i))
			sr_map_put(&l->values, b->c->body->args[i], sr_operand(loop, i));
	sr_map_put(&l->values, b->c->body->args[b->c->counter.value_index], l->body.block->args[1]);
	for (size_t i = 0; i < b->results.n; i++) {
		const struct product_result *r = &b->results.data[i];
		struct sr_value *row = sr_build_dynamic_slice_dim(&l->body, r->rows, r->dim, l->k, 1);
		sr_map_put(&l->values, r->v, sr_build_reshape(&l->body, row, r->v->type->rank, r->v->type->shape));
	}
}

/* Clone the ops of the original body that have one of the flags `with`, or none of the flags `without`. The results of products for
 * the chunk replace these products. */
static void clone_ops(struct build *b, struct inner_loop *l, int with, int without)
{
	for (struct sr_op *op = b->c->body->first; op != sr_block_terminator(b->c->body); op = op->next)
		if ((op->mark & with || !(op->mark & without)) && !(op->n_results && sr_map_has(&l->values, sr_result(op, 0))))
			sr_op_append(l->body.block, sr_op_clone(b->ctx, op, &l->values));
}

static struct sr_value *value_in(const struct inner_loop *l, struct sr_value *v)
{
	struct sr_value *own = sr_map_get(&l->values, v);
	return own ? own : v;
}

static struct sr_value *store_row(struct build *b, struct inner_loop *l, const struct stack *s, struct sr_value *state)
{
	struct sr_value *row = value_in(l, s->v);
	const struct sr_type *t = stack_type(b, row->type, 1);
	return sr_build_update_slice_dim(&l->body, state, sr_build_reshape(&l->body, row, t->rank, t->shape), 0, l->k);
}

/* Yield k + 1, the next value of the induction variable and l->next, and set the places of the state to the loop's results. */
static void end_loop(struct build *b, struct inner_loop *l)
{
	struct sr_op *yield = sr_block_terminator(b->c->body);
	struct sr_value **next = SR_NEW_ARRAY(b->ctx->scratch, struct sr_value *, l->initial.n);
	next[0] = sr_build_binary(&l->body, SR_OP_stablehlo_add, l->k, sr_build_scalar(&l->body, SR_I64, 1));
	next[1] = value_in(l, sr_operand(yield, b->c->counter.value_index));
	for (size_t i = 0; i < l->next.n; i++)
		next[i + 2] = l->next.data[i];
	sr_build(&l->body, SR_OP_stablehlo_return, next, (int)l->initial.n, NULL, 0, NULL, 0);
	sr_chunk_erase_unused_ops(l->body.block);
	for (size_t i = 0; i < l->results.n; i++)
		*l->results.data[i] = sr_result(l->op, (int)i + 2);
}

static void start_state(struct build *b, struct inner_loop *l)
{
	*l = (struct inner_loop){0};
	sr_push(b->ctx->scratch, &l->initial, sr_build_scalar(&b->chunk, SR_I64, 0));
	sr_push(b->ctx->scratch, &l->initial, b->counter);
}

/* Add the stacks that the loop before, or the loop of the body, computes to the state. */
static void carry_stacks(struct build *b, struct inner_loop *l, bool is_before)
{
	for (size_t i = 0; i < b->stacks.n; i++) {
		struct stack *s = &b->stacks.data[i];
		if (s->is_before != is_before)
			continue;
		s->rows = sr_build_splat(&b->chunk, stack_type(b, s->v->type, b->c->iterations), 0);
		carry(b, l, &s->rows);
	}
}

static void store_stacks(struct build *b, struct inner_loop *l, bool is_before, int first_arg)
{
	for (size_t i = 0; i < b->stacks.n; i++)
		if (b->stacks.data[i].is_before == is_before)
			sr_push(b->ctx->scratch, &l->next, store_row(b, l, &b->stacks.data[i], l->body.block->args[first_arg++]));
}

static bool has_stacks(const struct build *b, bool is_before)
{
	for (size_t i = 0; i < b->stacks.n; i++)
		if (b->stacks.data[i].is_before == is_before)
			return true;
	return false;
}

static void build_loop_before(struct build *b)
{
	struct inner_loop l;
	if (!has_stacks(b, true))
		return;
	start_state(b, &l);
	carry_stacks(b, &l, true);
	begin_loop(b, &l);
	clone_ops(b, &l, 0, SR_CHUNK_OF_CARRIED | SR_CHUNK_OF_PRODUCT);
	store_stacks(b, &l, true, 2);
	end_loop(b, &l);
}

/* Build the loop over the body's ops without (is_after false), or with only, those that are executed after. */
static void build_loop(struct build *b, bool is_after)
{
	const struct sr_op *yield = sr_block_terminator(b->c->body);
	struct inner_loop l;
	int n = 2;
	start_state(b, &l);
	for (int i = 0; i < b->c->loop->n_operands; i++)
		if (b->state[i] && b->c->is_after[i] == is_after)
			carry(b, &l, &b->state[i]);
	if (!is_after)
		carry_stacks(b, &l, false);
	begin_loop(b, &l);
	for (int i = 0; i < b->c->loop->n_operands; i++)
		if (b->state[i] && b->c->is_after[i] == is_after)
			sr_map_put(&l.values, b->c->body->args[i], l.body.block->args[n++]);
	clone_ops(b, &l, is_after ? SR_CHUNK_AFTER : 0, is_after ? SR_CHUNK_OF_CARRIED : SR_CHUNK_AFTER | SR_CHUNK_SUM);
	for (int i = 0; i < b->c->loop->n_operands; i++)
		if (b->state[i] && b->c->is_after[i] == is_after)
			sr_push(b->ctx->scratch, &l.next, value_in(&l, sr_operand(yield, i)));
	if (!is_after)
		store_stacks(b, &l, false, n);
	end_loop(b, &l);
}

/* ---- products of a chunk ---- */

/* Compute the product for all iterations of the chunk. They are dimension 0 of the stacked operands: contracted for a sum. */
static struct sr_value *build_product(struct build *b, const struct sr_chunk_product *p, int dim)
{
	const struct sr_type *t = sr_result_type(p->op, 0);
	struct sr_value *operands[2];
	const struct sr_attr *contracting[2];
	for (int side = 0; side < 2; side++) {
		struct sr_value *v = sr_operand(p->op, side);
		int64_t dims[SR_MAX_RANK + 1] = {0}, n, first = p->kind == SR_CHUNK_SUM;
		const int64_t *old = sr_chunk_contracting_dims(b->ctx, p->op, side, &n);
		for (int64_t i = 0; i < n; i++)
			dims[first + i] = old[i] + 1;
		contracting[side] = sr_attr_i64s(b->ctx, p->is_stacked[side] ? dims : old, p->is_stacked[side] ? first + n : n);
		if (p->is_stacked[side])
			v = stack_of(b, v)->rows;
		else if (!v->def && v->block == b->c->body)
			v = sr_operand(b->c->loop, v->index);
		operands[side] = v;
	}
	struct sr_op *copy = sr_chunk_clone_product(b->ctx, p->op, operands, contracting);
	if (p->kind != SR_CHUNK_SUM) {
		int64_t shape[SR_MAX_RANK];
		for (int d = 0; d <= t->rank; d++)
			shape[d] = d == dim ? b->c->iterations : t->shape[d - (d > dim)];
		sr_result(copy, 0)->type = sr_type_with_shape(b->ctx, t, t->rank + 1, shape);
	}
	sr_op_append(b->chunk.block, copy);
	return sr_result(copy, 0);
}

/* Add the product of all rows of the chunk, with its conversions and transposes, to the loop-carried value. */
static void build_sum(struct build *b, const struct sr_chunk_product *p)
{
	struct sr_map values;
	sr_map_init(&values, b->ctx->scratch);
	sr_map_put(&values, sr_result(p->op, 0), build_product(b, p, 0));
	sr_map_put(&values, b->c->body->args[p->sum_index], b->state[p->sum_index]);
	for (struct sr_op *op = p->op; op != p->sum;) {
		op = sr_result(op, 0)->uses->owner;
		sr_op_append(b->chunk.block, sr_op_clone(b->ctx, op, &values));
	}
	b->state[p->sum_index] = sr_map_get(&values, sr_result(p->sum, 0));
}

static void build_products(struct build *b, int kind)
{
	for (size_t i = 0; i < b->c->products.n; i++) {
		const struct sr_chunk_product *p = &b->c->products.data[i];
		if (p->kind != kind)
			continue;
		if (kind == SR_CHUNK_SUM) {
			build_sum(b, p);
			continue;
		}
		int n_batch, n_lhs;
		sr_work_product_dims(b->ctx, p->op, &n_batch, &n_lhs);
		int dim = p->is_stacked[0] ? 0 : n_lhs;
		sr_push(b->ctx->scratch, &b->results,
			(struct product_result){sr_result(p->op, 0), build_product(b, p, dim), dim});
	}
}

/* ---- the loop over chunks ---- */

/* The loop over the iterations does not carry the sums: their values before the chunk are in `sums` while it is built. */
static void build_body(struct build *b)
{
	struct sr_value **sums = SR_NEW_ARRAY(b->ctx->scratch, struct sr_value *, b->c->loop->n_operands);
	bool has_after = false;
	b->results.n = 0;
	build_loop_before(b);
	build_products(b, SR_CHUNK_BEFORE);
	for (size_t i = 0; i < b->c->products.n; i++) {
		const struct sr_chunk_product *p = &b->c->products.data[i];
		has_after |= p->kind == SR_CHUNK_AFTER;
		if (p->kind == SR_CHUNK_SUM) {
			sums[p->sum_index] = b->state[p->sum_index];
			b->state[p->sum_index] = NULL;
		}
	}
	build_loop(b, false);
	for (int i = 0; i < b->c->loop->n_operands; i++)
		if (sums[i])
			b->state[i] = sums[i];
	build_products(b, SR_CHUNK_SUM);
	build_products(b, SR_CHUNK_AFTER);
	if (has_after)
		build_loop(b, true);
}

/* Execute the iterations left by the original loop, or erase it. */
static void finish_loop(struct build *b, struct sr_builder *before, struct sr_value *const *final, int64_t n_left)
{
	struct sr_op *loop = b->c->loop;
	const struct sr_induction_variable *counter = &b->c->counter;
	for (int i = 0; i < loop->n_operands; i++)
		if (final[i] && n_left)
			sr_op_set_operand(loop, i, final[i]);
	if (n_left) {
		int64_t start = counter->start + (counter->trip_count - n_left) * counter->step;
		const struct sr_type *t = sr_operand_type(loop, counter->value_index);
		sr_op_set_operand(loop, counter->value_index, sr_build_integer(before, t, start));
		return;
	}
	for (int i = 0; i < loop->n_operands; i++)
		sr_value_replace_all(sr_result(loop, i), final[i] ? final[i] : sr_operand(loop, i));
	sr_op_retire(b->ctx, loop);
}

void sr_chunk_build(struct sr_chunk *c)
{
	struct sr_op *loop = c->loop;
	struct build b = {.c = c, .ctx = c->ctx};
	struct sr_builder before = {.ctx = c->ctx, .block = loop->block, .anchor = loop, .loc = loop->loc}, regions[2];
	int64_t n_left = c->counter.trip_count % c->iterations, step = c->counter.step * c->iterations;
	int n = 0, n_all = loop->n_operands, counter = c->counter.value_index;
	struct sr_value **initial = SR_NEW_ARRAY(c->ctx->scratch, struct sr_value *, n_all);
	struct sr_value **final = SR_NEW_ARRAY(c->ctx->scratch, struct sr_value *, n_all);
	int *number = SR_NEW_ARRAY(c->ctx->scratch, int, n_all);
	b.state = SR_NEW_ARRAY(c->ctx->scratch, struct sr_value *, n_all);
	for (int i = 0; i < n_all; i++)
		if (!sr_chunk_is_invariant(c, i)) {
			number[i] = n;
			initial[n++] = sr_operand(loop, i);
		}
	struct sr_op *chunks = sr_build_while(&before, initial, n, regions);
	const struct sr_type *t = sr_operand_type(loop, counter);
	int64_t end = c->counter.start + (c->counter.trip_count - n_left) * c->counter.step;
	struct sr_value *go_on = sr_build_compare(&regions[0], regions[0].block->args[number[counter]], step > 0 ? SR_LT : SR_GT,
						  sr_build_integer(&regions[0], t, end), NULL);
	sr_build(&regions[0], SR_OP_stablehlo_return, &go_on, 1, NULL, 0, NULL, 0);
	b.chunk = regions[1];
	for (int i = 0; i < n_all; i++)
		if (!sr_chunk_is_invariant(c, i) && i != counter)
			b.state[i] = regions[1].block->args[number[i]];
	b.counter = regions[1].block->args[number[counter]];
	add_stacks(&b);
	build_body(&b);
	for (int i = 0; i < n_all; i++)
		if (b.state[i])
			initial[number[i]] = b.state[i];
	initial[number[counter]] = sr_build_binary(&b.chunk, SR_OP_stablehlo_add, b.counter, sr_build_integer(&b.chunk, t, step));
	sr_build(&b.chunk, SR_OP_stablehlo_return, initial, n, NULL, 0, NULL, 0);
	for (int i = 0; i < n_all; i++)
		if (!sr_chunk_is_invariant(c, i))
			final[i] = sr_result(chunks, number[i]);
	finish_loop(&b, &before, final, n_left);
}
