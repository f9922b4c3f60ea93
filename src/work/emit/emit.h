/* Work as what is played: a work.nest as struct sr_nest, an elementwise op as its kernel, a reducer as its monoid. Whoever plays
 * work reads this: the plan puts tiles into a program, folding plays them at once. */
#ifndef SR_WORK_EMIT_H
#define SR_WORK_EMIT_H

#include "dialect/ops.h"
#include "kernels/nest/nest.h"

/* The tile as one block of tile->bytes in the arena; NULL: it has more operands and results than SR_NEST_MAX_BUFFERS. Its buffers are
 * the op's operands, then its results. */
struct sr_nest *sr_work_emit(struct sr_context *ctx, struct sr_arena *arena, struct sr_op *tile);

/* The kernel of an elementwise op, and how it is called; a comparison's variant is enum sr_compare, + 8 for the total order. */
struct sr_map_call {
	enum sr_kernel kernel;
	enum sr_dtype type; /* by which the kernel is looked up */
	uint8_t variant, exponent_bits, mantissa_bits;
};
struct sr_map_call sr_map_of(const struct sr_op *op);

/* enum sr_monoid of a region that is one known op on (arg k, arg k + n); -1 */
int sr_monoid_of(const struct sr_op *op, int region, int k);

/* One op computed now: as a tile (the NEST column), interpreted. */
struct sr_work_input {
	const void *data; /* all elements, or one: splat */
	bool splat;
};
/* The op's one result into `out`: all its elements, or (splat: all inputs are) the first. false: the op is no tile, or a kernel is missing. */
bool sr_work_execute(struct sr_context *ctx, const struct sr_kernels *kernels, struct sr_op *op, const struct sr_work_input *in, bool splat, void *out);

#endif
