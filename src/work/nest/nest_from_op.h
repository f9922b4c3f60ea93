/* Ops as tiles: the functions that the NEST column names, and what they share. Internal to work. */
#ifndef SR_WORK_NEST_NEST_FROM_OP_H
#define SR_WORK_NEST_NEST_FROM_OP_H

#include "work/work.h"

sr_nest_from_fn sr_nest_from_none, sr_nest_from_map, sr_nest_from_constant;                       /* nest_map.c */
sr_nest_from_fn sr_nest_from_broadcast, sr_nest_from_transpose, sr_nest_from_reverse, sr_nest_from_slice, sr_nest_from_pad, sr_nest_from_iota,
	sr_nest_from_dynamic_slice, sr_nest_from_gather;                                      /* nest_move.c, nest_gather.c */
sr_nest_from_fn sr_nest_from_concatenate;                                                 /* nest_concatenate.c */
sr_nest_from_fn sr_nest_from_reduce, sr_nest_from_window;                                       /* nest_reduce.c */

/* The op as a tile before it, by the NEST column; NULL: it is none, or of types or ranks that no kernel knows. */
struct sr_op *sr_work_nest_from_op(struct sr_context *ctx, struct sr_op *op);

/* A window of many places whose body is no cumulative sum, as elementwise ops before it that make its results: the first of them;
 * NULL: it is left as it is. The op has no users then. */
struct sr_op *sr_work_expand_wide_window(struct sr_context *ctx, struct sr_op *op); /* wide_window.c */
/* A long reduction to one number as two before it, likewise. */
struct sr_op *sr_work_split_reduction(struct sr_context *ctx, struct sr_op *op); /* split_long_reduction.c */

/* A tile in the making: operands with their accesses, in order. */
struct sr_nest_builder {
	struct sr_lowering *l;
	struct sr_work_nest tile;
	struct sr_builder body;
};
/* Over these loops, for at most n_operands operands; the results are the op's. */
struct sr_nest_builder sr_nest_builder_new(struct sr_lowering *l, const int64_t *loops, int n_loops, int parallel, int n_operands);
/* Over the op's result's dimensions, all parallel. */
struct sr_nest_builder sr_nest_builder_over_result(struct sr_lowering *l, int n_operands);
/* The next operand; its access, all zero, is to be filled. */
struct sr_indexing_map *sr_nest_builder_add_operand(struct sr_nest_builder *p, struct sr_value *v);
/* Every operand and result access is there: the op is made; arguments of the body by sr_nest_builder_arg. */
void sr_nest_builder_create_op(struct sr_nest_builder *p);
static inline struct sr_value *sr_nest_builder_arg(const struct sr_nest_builder *p, int i)
{
	return p->body.block->args[i];
}
/* The body's values for the results; returns true. */
bool sr_nest_builder_yield(struct sr_nest_builder *p, struct sr_value *const *values, int n);

#endif
