/* The pieces that ops and blocks are made of: arrays in the context's arena, by size, which those of retired ops are taken for. */
#ifndef SR_IR_PARTS_H
#define SR_IR_PARTS_H

#include "ir/ir.h"

struct sr_ir_parts *sr_parts_new(struct sr_arena *arena);
void *sr_part_take(struct sr_context *ctx, int n, size_t size); /* n objects, zeroed */
void sr_part_give(struct sr_context *ctx, void *part, int n, size_t size);

#define SR_PARTS(ctx, T, n) ((T *)sr_part_take((ctx), (n), sizeof(T)))

#endif
