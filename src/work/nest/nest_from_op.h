/* Lower ops to loop nests: the functions that the NEST column names, and their helpers. Internal to work. */
#ifndef SR_WORK_NEST_NEST_FROM_OP_H
#define SR_WORK_NEST_NEST_FROM_OP_H

#include "work/work.h"

sr_nest_from_fn sr_nest_from_none, sr_nest_from_map, sr_nest_from_constant;                       /* nest_map.c */
sr_nest_from_fn sr_nest_from_broadcast, sr_nest_from_transpose, sr_nest_from_reverse, sr_nest_from_slice, sr_nest_from_pad, sr_nest_from_iota,
	sr_nest_from_dynamic_slice, sr_nest_from_gather;                                      /* nest_move.c, nest_gather.c */
sr_nest_from_fn sr_nest_from_concatenate;                                                 /* nest_concatenate.c */
sr_nest_from_fn sr_nest_from_reduce, sr_nest_from_window;                                       /* nest_reduce.c */
sr_nest_from_fn sr_nest_from_convolution, sr_nest_from_product; /* nest_convolution.c, nest_product.c */

/* Insert the loop nest of an op before it, by the NEST column. NULL: the column has none, or no kernel supports the types or
 * ranks. */
struct sr_op *sr_work_nest_from_op(struct sr_context *ctx, struct sr_op *op);

/* wide_window.c: expand a reduce_window with many window elements into elementwise ops before it, unless a cumulative kernel
 * runs it. Return the first of them, NULL: not expanded. The op has no users then. */
struct sr_op *sr_work_expand_wide_window(struct sr_context *ctx, struct sr_op *op); /* wide_window.c */
/* split_long_reduction.c: split a long reduction to a scalar into two before it; the same contract. */
struct sr_op *sr_work_split_reduction(struct sr_context *ctx, struct sr_op *op); /* split_long_reduction.c */

/* A nest that is being built: operands are added in order with their indexing maps. */
struct sr_nest_builder {
	struct sr_lowering *l;
	struct sr_work_nest nest;
	struct sr_builder body;
};
/* Begin a nest over these loops with room for n_operands operands; its results are the op's. */
struct sr_nest_builder sr_nest_builder_new(struct sr_lowering *l, const int64_t *loops, int n_loops, int parallel, int n_operands);
/* Begin a nest whose loops are the dimensions of the op's result, all parallel. */
struct sr_nest_builder sr_nest_builder_over_result(struct sr_lowering *l, int n_operands);
/* Add an operand; the caller fills the returned indexing map, which is all zero. */
struct sr_indexing_map *sr_nest_builder_add_operand(struct sr_nest_builder *p, struct sr_value *v);
/* Create the op, after all operands were added. The body's arguments are those of sr_nest_builder_arg. */
void sr_nest_builder_create_op(struct sr_nest_builder *p);
static inline struct sr_value *sr_nest_builder_arg(const struct sr_nest_builder *p, int i)
{
	return p->body.block->args[i];
}
/* Yield the body's results; returns true. */
bool sr_nest_builder_yield(struct sr_nest_builder *p, struct sr_value *const *values, int n);

#endif
