/* Ops as tiles: the functions that the TILE column names, and what they share. Internal to work. */
#ifndef SR_WORK_TILE_OF_H
#define SR_WORK_TILE_OF_H

#include "work/work.h"

sr_tile_of_fn sr_tile_of_none, sr_tile_of_map, sr_tile_of_constant;                       /* tile_map.c */
sr_tile_of_fn sr_tile_of_broadcast, sr_tile_of_transpose, sr_tile_of_reverse, sr_tile_of_slice, sr_tile_of_pad, sr_tile_of_iota,
	sr_tile_of_dynamic_slice, sr_tile_of_gather;                                      /* tile_move.c, tile_gather.c */
sr_tile_of_fn sr_tile_of_concatenate;                                                 /* tile_concatenate.c */
sr_tile_of_fn sr_tile_of_reduce, sr_tile_of_window;                                       /* tile_reduce.c */

/* The op as a tile before it, by the TILE column; NULL: it is none, or of types or ranks that no kernel knows. */
struct sr_op *sr_work_tile_of(struct sr_context *ctx, struct sr_op *op);

/* A window of many places whose body is no cumulative sum, as elementwise ops before it that make its results: the first of them;
 * NULL: it is left as it is. The op has no users then. */
struct sr_op *sr_work_double_window(struct sr_context *ctx, struct sr_op *op); /* wide_window.c */
/* A long reduction to one number as two before it, likewise. */
struct sr_op *sr_work_cut_reduction(struct sr_context *ctx, struct sr_op *op); /* long_reduce.c */

/* A tile in the making: operands with their accesses, in order. */
struct sr_tile_plan {
	struct sr_lowering *l;
	struct sr_work_tile tile;
	struct sr_builder body;
};
/* Over these loops, for at most n_operands operands; the results are the op's. */
struct sr_tile_plan sr_tile_plan_new(struct sr_lowering *l, const int64_t *loops, int n_loops, int parallel, int n_operands);
/* Over the op's result's dimensions, all parallel. */
struct sr_tile_plan sr_tile_plan_of_result(struct sr_lowering *l, int n_operands);
/* The next operand; its access, all zero, is to be filled. */
struct sr_access *sr_tile_plan_operand(struct sr_tile_plan *p, struct sr_value *v);
/* Every operand and result access is there: the op is made; arguments of the body by sr_tile_plan_arg. */
void sr_tile_plan_begin(struct sr_tile_plan *p);
static inline struct sr_value *sr_tile_plan_arg(const struct sr_tile_plan *p, int i)
{
	return p->body.block->args[i];
}
/* The body's values for the results; returns true. */
bool sr_tile_plan_end(struct sr_tile_plan *p, struct sr_value *const *values, int n);

#endif
