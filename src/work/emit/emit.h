/* Convert work ops to what the run executes: a work.nest to struct sr_nest, an elementwise op to its kernel, a reducer to its
 * monoid. The plan puts nests into a program; constant folding executes them at once. */
#ifndef SR_WORK_EMIT_H
#define SR_WORK_EMIT_H

#include "dialect/ops.h"
#include "kernels/nest/nest.h"

/* Return the nest as one block of `bytes` bytes in the arena, or NULL if operands and results are more than
 * SR_NEST_MAX_BUFFERS. The buffers of the nest are the op's operands, then its results. */
struct sr_nest *sr_work_emit(struct sr_context *ctx, struct sr_arena *arena, struct sr_op *nest);

/* The kernel of an elementwise op and its parameters. variant: of a comparison, as in struct sr_map_params. */
struct sr_map_call {
	enum sr_kernel kernel;
	enum sr_dtype type; /* element type for which the kernel is looked up */
	uint8_t variant, exponent_bits, mantissa_bits;
};
struct sr_map_call sr_map_of(const struct sr_op *op);

/* Return the enum sr_monoid of a region that consists of one known op on arguments k and k + n; -1 for other regions. */
int sr_monoid_of(const struct sr_op *op, int region, int k);

/* An operand of an op that is computed at compile time. */
struct sr_work_input {
	const void *data; /* elements of the constant operand; a single one if it is a splat */
	bool splat;
};
/* Compute the op's single result into `out` by interpreting its loop nest (NEST column): all elements, or the first one if splat
 * (then all inputs are splats). Return false if the op has no nest, or a kernel is missing. */
bool sr_work_execute(struct sr_context *ctx, const struct sr_kernels *kernels, struct sr_op *op, const struct sr_work_input *in, bool splat, void *out);

#endif
