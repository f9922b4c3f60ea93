/* Memory pool of the IR: arrays in the context's arena, recycled from retired ops by size. Private to src/ir. */
#ifndef SR_IR_IR_POOL_H
#define SR_IR_IR_POOL_H

#include "ir/ir.h"

struct sr_ir_pool *sr_ir_pool_new(struct sr_arena *arena);
void *sr_ir_pool_alloc(struct sr_context *ctx, int n, size_t size); /* Allocate n objects of `size` bytes, zeroed. */
/* Recycle an array of n objects of `size` bytes. */
void sr_ir_pool_free(struct sr_context *ctx, void *array, int n, size_t size);

#define SR_POOL_NEWS(ctx, T, n) ((T *)sr_ir_pool_alloc((ctx), (n), sizeof(T)))

#endif
