/* Free lists by size, and ops that are retired: a pass that makes ops anew again and again needs the memory of those that live. */
#include "ir/ir_pool.h"
#include <string.h>

enum { STEP = 16, CLASSES = 33 }; /* up to 512 bytes; larger parts stay where they are */

struct part {
	struct part *next;
};

struct sr_ir_pool {
	struct part *free[CLASSES]; /* zeroed but for the link */
	struct sr_op *retired;      /* linked by next */
};

struct sr_ir_pool *sr_ir_pool_new(struct sr_arena *arena)
{
	return SR_NEW(arena, struct sr_ir_pool);
}

static size_t class_of(int n, size_t size)
{
	return n > 0 && (size_t)n <= STEP * (CLASSES - 1) / size ? ((size_t)n * size + STEP - 1) / STEP : 0;
}

void *sr_ir_pool_alloc(struct sr_context *ctx, int n, size_t size)
{
	size_t class = class_of(n, size);
	struct part *part = ctx->parts->free[class];
	if (!part)
		return sr_alloc(ctx->arena, (size_t)n, size);
	ctx->parts->free[class] = part->next;
	part->next = NULL;
	return part;
}

void sr_ir_pool_free(struct sr_context *ctx, void *part, int n, size_t size)
{
	size_t class = class_of(n, size);
	struct part *free = part;
	if (!class)
		return;
	memset(part, 0, class * STEP);
	free->next = ctx->parts->free[class];
	ctx->parts->free[class] = free;
}

void sr_op_retire(struct sr_context *ctx, struct sr_op *op)
{
	sr_op_erase(op);
	op->next = ctx->parts->retired;
	ctx->parts->retired = op;
}

static void give_op(struct sr_context *ctx, struct sr_op *op);

static void give_block(struct sr_context *ctx, struct sr_block *block)
{
	for (struct sr_op *op = block->first, *next; op; op = next) {
		next = op->next;
		give_op(ctx, op);
	}
	for (int i = 0; i < block->n_args; i++)
		sr_ir_pool_free(ctx, block->args[i], 1, sizeof **block->args);
	sr_ir_pool_free(ctx, block->args, block->cap_args, sizeof *block->args);
	sr_ir_pool_free(ctx, block, 1, sizeof *block);
}

static void give_op(struct sr_context *ctx, struct sr_op *op)
{
	for (int i = 0; i < op->n_regions; i++)
		for (struct sr_block *b = op->regions[i].first, *next; b; b = next) {
			next = b->next;
			give_block(ctx, b);
		}
	sr_ir_pool_free(ctx, op->operands, op->cap_operands, sizeof *op->operands);
	sr_ir_pool_free(ctx, op->results, op->n_results, sizeof *op->results);
	sr_ir_pool_free(ctx, op->attrs, op->cap_attrs, sizeof *op->attrs);
	sr_ir_pool_free(ctx, op->regions, op->n_regions, sizeof *op->regions);
	sr_ir_pool_free(ctx, op, 1, sizeof *op);
}

void sr_ops_reclaim(struct sr_context *ctx)
{
	for (struct sr_op *op = ctx->parts->retired, *next; op; op = next) {
		next = op->next;
		give_op(ctx, op);
	}
	ctx->parts->retired = NULL;
}
