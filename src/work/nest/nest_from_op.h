/* Lower ops to loop nests: the functions that the NEST column names, and their helpers. Internal to work. */
#ifndef SR_WORK_NEST_NEST_FROM_OP_H
#define SR_WORK_NEST_NEST_FROM_OP_H

#include "work/work.h"

/* functions of the NEST column, defined in nest_map.c */
sr_nest_from_fn sr_nest_from_none, sr_nest_from_map, sr_nest_from_constant;
sr_nest_from_fn sr_nest_from_broadcast, sr_nest_from_transpose, sr_nest_from_reverse, sr_nest_from_slice, sr_nest_from_pad, sr_nest_from_iota,
	/* functions of the NEST column, defined in nest_move.c and nest_gather.c */
	sr_nest_from_dynamic_slice, sr_nest_from_gather;
sr_nest_from_fn sr_nest_from_concatenate; /* function of the NEST column, defined in nest_concatenate.c */
sr_nest_from_fn sr_nest_from_reduce, sr_nest_from_window; /* functions of the NEST column, defined in nest_reduce.c */
/* functions of the NEST column, defined in nest_convolution.c and nest_product.c */
sr_nest_from_fn sr_nest_from_convolution, sr_nest_from_product;
sr_nest_from_fn sr_nest_from_transposed_product; /* Lower the transpose of a small matrix applied to an array (nest_product.c). */

/* Lower a large concatenation that only elementwise ops read, or a slice of one: their nests read its operands, and the result
 * takes no memory. Readers are lowered before. */
sr_nest_from_fn sr_nest_from_boxes;

/* Insert the loop nest of an op before the op, by the NEST column. Return NULL if the column has none, or no kernel supports
 * the types or ranks. */
struct sr_op *sr_work_nest_from_op(struct sr_context *ctx, struct sr_op *op);

/* Expand a reduce_window with many window elements into elementwise ops before it, unless a cumulative kernel executes it.
 * Return the first of these ops, after which the reduce_window has no users; NULL: it was not expanded. */
/* sr_work_expand_wide_window is defined in wide_window.c. */
struct sr_op *sr_work_expand_wide_window(struct sr_context *ctx, struct sr_op *op);
/* Split a long reduction to a scalar into two reductions before it. Return the first of them, after which the op has no users;
 * NULL: it was not split. */
/* sr_work_split_reduction is defined in split_long_reduction.c. */
struct sr_op *sr_work_split_reduction(struct sr_context *ctx, struct sr_op *op);

/* The lists of a reduce_window, with an entry for each dimension (padding: low and high); NULL: all are 1 (padding: 0). */
struct sr_window_lists {
	const int64_t *size, *stride, *base, *dilation, *padding;
};
struct sr_window_lists sr_window_lists_of(struct sr_context *ctx, struct sr_op *op);
/* Return true if all results of a reduce_window are prefixes or suffixes along one dimension, reduced by known ops. */
bool sr_window_is_cumulative(struct sr_op *op, const struct sr_window_lists *w);

/* A nest that is being built: operands are added in order with their indexing maps. */
struct sr_nest_builder {
	struct sr_lowering *l;
	struct sr_work_nest nest;
	struct sr_builder body;
};
/* Begin a nest over these loops, with room for n_operands operands. Its results are those of the op. */
struct sr_nest_builder sr_nest_builder_new(struct sr_lowering *l, const int64_t *loops, int n_loops, int parallel, int n_operands);
/* Begin a nest whose loops are the dimensions of the op's result, all parallel. */
struct sr_nest_builder sr_nest_builder_over_result(struct sr_lowering *l, int n_operands);
/* Add an operand; the caller fills the returned indexing map, which is all zero. */
struct sr_indexing_map *sr_nest_builder_add_operand(struct sr_nest_builder *p, struct sr_value *v);
/* Create the work.nest, after all operands were added. The arguments of its body are those of sr_nest_builder_arg. */
void sr_nest_builder_create_op(struct sr_nest_builder *p);
static inline struct sr_value *sr_nest_builder_arg(const struct sr_nest_builder *p, int i)
{
	return p->body.block->args[i];
}
/* Add to the body a reduction of v over the inner loops by an op, beginning with init. Return its result. */
struct sr_value *sr_nest_build_reduce(struct sr_nest_builder *p, struct sr_value *v, struct sr_value *init, enum sr_op_code code);
/* Yield the results of the body; return true. */
bool sr_nest_builder_yield(struct sr_nest_builder *p, struct sr_value *const *values, int n);

#endif
