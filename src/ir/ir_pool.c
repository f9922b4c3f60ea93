/* Allocate IR arrays from free lists by size class, and free retired ops. Passes that repeatedly create and retire ops use only the
 * memory of live ops. */
#include "ir/ir_pool.h"
#include <string.h>

enum { GRANULE = 16, SIZE_CLASSES = 33 }; /* Arrays of up to 512 bytes are recycled; larger ones are not. */

struct pool_entry {
	struct pool_entry *next;
};

struct sr_ir_pool {
	struct pool_entry *free_entries[SIZE_CLASSES]; /* free arrays by size class, zeroed except for the link */
	struct sr_op *retired_ops;      /* list of retired ops, linked by sr_op.next */
};

struct sr_ir_pool *sr_ir_pool_new(struct sr_arena *arena)
{
	return SR_NEW(arena, struct sr_ir_pool);
}

static size_t size_class(int n, size_t size)
{
	return n > 0 && (size_t)n <= GRANULE * (SIZE_CLASSES - 1) / size ? ((size_t)n * size + GRANULE - 1) / GRANULE : 0;
}

void *sr_ir_pool_alloc(struct sr_context *ctx, int n, size_t size)
{
	size_t class = size_class(n, size);
	struct pool_entry *entry = ctx->pool->free_entries[class];
	if (!entry)
		return sr_alloc(ctx->arena, (size_t)n, size);
	ctx->pool->free_entries[class] = entry->next;
	entry->next = NULL;
	return entry;
}

/* Recycle an array of n objects of `size` bytes. */
static void pool_free(struct sr_context *ctx, void *array, int n, size_t size)
{
	size_t class = size_class(n, size);
	struct pool_entry *entry = array;
	if (!class)
		return;
	memset(array, 0, class * GRANULE);
	entry->next = ctx->pool->free_entries[class];
	ctx->pool->free_entries[class] = entry;
}

void sr_op_retire(struct sr_context *ctx, struct sr_op *op)
{
	sr_op_erase(op);
	op->next = ctx->pool->retired_ops;
	ctx->pool->retired_ops = op;
}

static void free_op(struct sr_context *ctx, struct sr_op *op);

static void free_block(struct sr_context *ctx, struct sr_block *block)
{
	for (struct sr_op *op = block->first, *next; op; op = next) {
		next = op->next;
		free_op(ctx, op);
	}
	for (int i = 0; i < block->n_args; i++)
		pool_free(ctx, block->args[i], 1, sizeof **block->args);
	pool_free(ctx, block->args, block->cap_args, sizeof *block->args);
	pool_free(ctx, block, 1, sizeof *block);
}

static void free_op(struct sr_context *ctx, struct sr_op *op)
{
	for (int i = 0; i < op->n_regions; i++)
		for (struct sr_block *b = op->regions[i].first, *next; b; b = next) {
			next = b->next;
			free_block(ctx, b);
		}
	pool_free(ctx, op->operands, op->cap_operands, sizeof *op->operands);
	pool_free(ctx, op->results, op->n_results, sizeof *op->results);
	pool_free(ctx, op->attrs, op->cap_attrs, sizeof *op->attrs);
	pool_free(ctx, op->regions, op->n_regions, sizeof *op->regions);
	pool_free(ctx, op, 1, sizeof *op);
}

void sr_ops_reclaim(struct sr_context *ctx)
{
	for (struct sr_op *op = ctx->pool->retired_ops, *next; op; op = next) {
		next = op->next;
		free_op(ctx, op);
	}
	ctx->pool->retired_ops = NULL;
}
