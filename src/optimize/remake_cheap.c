/* shardrun-remake-cheap-ops: a broadcast or an iota is made again near each group of its uses, and kept alive between them no more.
 *
 * Requires a local module, canonicalized: cse has made one op of equal ones, so that a mask that every layer's backward step reads
 * would live from its first use to its last. Does: moves a cheap op (the trait CHEAP) with a large result down to its first use,
 * and clones it before each use that comes more than `distance` ops after the one before. What it reads then lives longer, so that
 * must be far smaller than what it makes. Leaves the same values. Cost: of the uses and their sorting. */
#include "cost/cost.h"
#include "dialect/ops.h"
#include "optimize/pass_functions.h"
#include "support/checked.h"
#include "support/vec.h"
#include <stdlib.h>

struct remake {
	struct sr_context *ctx;
	int64_t min_bytes, distance;
	struct sr_map position; /* of the block's ops: 1 + number; a clone and a moved op stand where what they were put before does */
};

struct use {
	int64_t position;
	struct sr_op *before; /* the op of the block that holds the use */
	struct sr_use *use;
};

typedef SR_VEC(struct use) sr_uses_list;

static bool worth(const struct remake *r, const struct sr_op *op)
{
	int64_t made, read, all = 0;
	if (!sr_op_has(op, SR_CHEAP) || sr_op_has(op, SR_CONSTANT) || op->n_results != 1 ||
	    !sr_type_bytes(op->results[0].type, &made) || made < r->min_bytes)
		return false;
	for (int i = 0; i < op->n_operands; i++)
		if (!sr_type_bytes(sr_operand(op, i)->type, &read) || sr_add_overflows(all, read, &all))
			return false;
	return sr_cost_pays_to_remake(all, made);
}

static int64_t position(const struct remake *r, const struct sr_op *op)
{
	return (intptr_t)sr_map_get(&r->position, op);
}

static void place(struct remake *r, const struct sr_op *op, int64_t at)
{
	sr_map_put(&r->position, op, (void *)(intptr_t)at);
}

static int by_position(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	return x->position < y->position ? -1 : x->position > y->position;
}

static void uses_of(const struct remake *r, struct sr_op *op, sr_uses_list *uses)
{
	for (struct sr_use *use = op->results[0].uses; use; use = use->next) {
		struct sr_op *before = sr_op_ancestor_in(op->block, use->owner);
		sr_push(r->ctx->arena, uses, (struct use){position(r, before), before, use});
	}
	if (uses->n)
		qsort(uses->data, uses->n, sizeof *uses->data, by_position);
}

static void remake(struct remake *r, struct sr_op *op)
{
	sr_uses_list uses = {0};
	uses_of(r, op, &uses);
	struct sr_op *made = op;
	for (size_t i = 0; i < uses.n; i++) {
		const struct use *u = &uses.data[i];
		if (!i) {
			sr_op_move_before(op, u->before);
			place(r, op, u->position);
		} else if (u->position - uses.data[i - 1].position > r->distance) {
			made = sr_op_clone(r->ctx, op, NULL);
			sr_op_insert_before(u->before, made);
			place(r, made, u->position);
		}
		if (made != op)
			sr_use_set(u->use, &made->results[0]);
	}
}

static void remake_in(struct remake *r, struct sr_block *block)
{
	SR_VEC(struct sr_op *) cheap = {0};
	int64_t n = 0;
	sr_map_init(&r->position, r->ctx->arena);
	for (struct sr_op *op = block->first; op; op = op->next) {
		place(r, op, ++n);
		if (worth(r, op))
			sr_push(r->ctx->arena, &cheap, op);
	}
	while (cheap.n) /* from the last: what a clone reads gets one use more */
		remake(r, sr_pop(&cheap));
}

static bool visit(void *data, struct sr_op *op)
{
	for (int i = 0; i < op->n_regions; i++)
		for (struct sr_block *block = op->regions[i].first; block; block = block->next)
			remake_in(data, block);
	return true;
}

enum sr_status sr_run_remake_cheap_ops(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct remake r = {.ctx = ctx, .min_bytes = sr_option_int(options, "min-bytes"), .distance = sr_option_int(options, "distance")};
	sr_walk_post(root, visit, &r);
	return SR_OK;
}
