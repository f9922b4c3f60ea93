/* Memory pool of the IR (arrays in the context's arena, recycled from retired ops by size), and updates of symbol tables. Private to
 * src/ir. */
#ifndef SR_IR_IR_POOL_H
#define SR_IR_IR_POOL_H

#include "ir/ir.h"

struct sr_ir_pool *sr_ir_pool_new(struct sr_arena *arena);
void *sr_ir_pool_alloc(struct sr_context *ctx, int n, size_t size); /* Allocate n objects of `size` bytes, zeroed. */

#define SR_POOL_NEWS(ctx, T, n) ((T *)sr_ir_pool_alloc((ctx), (n), sizeof(T)))

/* ---- symbol.c ---- */
struct sr_symbol_table {
	struct sr_map ops;  /* maps the hash of a name to the op */
	bool is_filled;     /* true if `ops` has the ops of the block */
	bool is_ambiguous;  /* true if ops had equal names or equal hashes: searches are linear */
	int64_t visits;     /* number of ops that were added or found */
};
struct sr_symbol_table *sr_symbol_table_new(struct sr_context *ctx);
/* Update the symbol table around an op: after the op has been inserted or has got a name; before it is removed or loses its name. */
void sr_symbol_added(struct sr_op *op);
void sr_symbol_removed(struct sr_op *op);
void sr_symbols_changed(struct sr_region *region); /* The region's blocks are about to change: let the next search fill the table. */

#endif
