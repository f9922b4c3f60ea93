/* Insert, remove and compare ops of blocks, and move blocks between regions. The ops of an ordered block have ascending numbers
 * with gaps. Inserting an op where no gap is left marks the block unordered; the next order query renumbers it. */
#include "ir/ir_pool.h"

enum { GAP = 16 };

static void renumber(struct sr_block *block)
{
	int64_t order = 0;
	for (struct sr_op *op = block->first; op; op = op->next)
		op->order = order += GAP;
	block->ordered = true;
}

static void link_between(struct sr_block *block, struct sr_op *prev, struct sr_op *op, struct sr_op *next)
{
	op->block = block;
	op->prev = prev;
	op->next = next;
	*(prev ? &prev->next : &block->first) = op;
	*(next ? &next->prev : &block->last) = op;
	sr_symbol_added(op);
	if (!block->ordered)
		return;
	if (!next)
		op->order = prev ? prev->order + GAP : 0;
	else if (!prev)
		op->order = next->order - GAP;
	else if (next->order - prev->order > 1)
		op->order = prev->order + (next->order - prev->order) / 2;
	else
		block->ordered = false;
}

void sr_op_append(struct sr_block *block, struct sr_op *op)
{
	link_between(block, block->last, op, NULL);
}

void sr_op_insert_before(struct sr_op *anchor, struct sr_op *op)
{
	link_between(anchor->block, anchor->prev, op, anchor);
}

void sr_op_insert_after(struct sr_op *anchor, struct sr_op *op)
{
	link_between(anchor->block, anchor, op, anchor->next);
}

void sr_op_unlink(struct sr_op *op)
{
	struct sr_block *block = op->block;
	if (!block)
		return;
	sr_symbol_removed(op);
	*(op->prev ? &op->prev->next : &block->first) = op->next;
	*(op->next ? &op->next->prev : &block->last) = op->prev;
	op->block = NULL;
	op->prev = op->next = NULL;
}

void sr_op_move_before(struct sr_op *op, struct sr_op *anchor)
{
	if (op == anchor)
		return;
	sr_op_unlink(op);
	sr_op_insert_before(anchor, op);
}

bool sr_op_is_before(const struct sr_op *a, const struct sr_op *b)
{
	if (!a->block->ordered)
		renumber(a->block);
	return a->order < b->order;
}

struct sr_block *sr_block_new(struct sr_context *ctx, struct sr_region *region)
{
	struct sr_block *block = SR_POOL_NEWS(ctx, struct sr_block, 1);
	block->ordered = true;
	block->region = region;
	block->prev = region->last;
	*(region->last ? &region->last->next : &region->first) = block;
	region->last = block;
	return block;
}

struct sr_value *sr_block_add_arg(struct sr_context *ctx, struct sr_block *block, const struct sr_type *type,
				  const struct sr_attr *loc)
{
	if (block->n_args == block->cap_args) {
		struct sr_value **old_args = block->args;
		block->cap_args = block->cap_args ? 2 * block->cap_args : 4;
		block->args = SR_POOL_NEWS(ctx, struct sr_value *, block->cap_args);
		for (int i = 0; i < block->n_args; i++)
			block->args[i] = old_args[i];
	}
	struct sr_value *arg = SR_POOL_NEWS(ctx, struct sr_value, 1);
	*arg = (struct sr_value){.type = type, .block = block, .loc = loc ? loc : ctx->unknown_loc, .index = block->n_args};
	block->args[block->n_args++] = arg;
	return arg;
}

void sr_block_remove_arg(struct sr_block *block, int index)
{
	block->n_args--;
	for (int i = index; i < block->n_args; i++) {
		block->args[i] = block->args[i + 1];
		block->args[i]->index = i;
	}
}

void sr_region_take(struct sr_region *destination, struct sr_region *source)
{
	if (destination == source || !source->first)
		return;
	sr_symbols_changed(destination);
	sr_symbols_changed(source);
	for (struct sr_block *b = source->first; b; b = b->next)
		b->region = destination;
	source->first->prev = destination->last;
	*(destination->last ? &destination->last->next : &destination->first) = source->first;
	destination->last = source->last;
	source->first = source->last = NULL;
}
