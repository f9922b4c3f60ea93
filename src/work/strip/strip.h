/* Strip-mining of a group of ops over blocks of rows (strip_mine.c). Internal to work/strip. */
#ifndef SR_WORK_STRIP_STRIP_H
#define SR_WORK_STRIP_STRIP_H

#include "support/map.h"
#include "support/vec.h"
#include "work/work.h"

/* Dimensions of a value that the loops of a group run over, and behind them its dimension of columns. */
struct sr_strip_dims {
	int8_t dim[SR_MAX_RANK]; /* of each loop, and of columns; -1: the value does not vary along them */
	int8_t summed[3];        /* a product that contracts rows, or a scatter: dimensions of rows of its operands */
	int8_t columns[2];       /* a product that contracts columns: dimensions of columns of its operands; else -1 */
};

/* Rows and columns of the seed's result. */
struct sr_strip_rectangle {
	int64_t first_row, n_rows, first_column, n_columns;
};

/* Flags in sr_op.mark while a group is searched. */
enum {
	SR_STRIP_ANCESTOR = 1, /* the seed depends on the op */
	SR_STRIP_COPY = 2,     /* the loop computes the op again; the op itself stays if others use it */
	SR_STRIP_MEMBER = 4,   /* the loop replaces the op */
	SR_STRIP_READS = 8,    /* the op has an operand that a member computes */
	SR_STRIP_AFTER = 16,   /* the op depends on a member, but is not one: it executes after the loop */
	SR_STRIP_CANDIDATE = 64,  /* the op is a product that may join the group because it reads a copy */
	SR_STRIP_OF_PRODUCT = 32, /* the op is a product of the group, or depends on one */
	SR_STRIP_IN = SR_STRIP_COPY | SR_STRIP_MEMBER
};

struct sr_strip_group {
	struct sr_context *ctx;
	struct sr_op *seed; /* product whose result, or scatter whose updates, the group keeps from memory */
	int n_loops;        /* loops over batch dimensions of the seed, and as the last one over rows */
	int64_t extent[SR_MAX_RANK], block_extent[SR_MAX_RANK]; /* of each loop: iterations in all, and per block */
	int64_t columns;    /* a value is wide if it has at least this many elements per iteration of all loops */
	struct sr_map dims; /* struct sr_op * of the group -> struct sr_strip_dims * of its result */
	SR_VEC(struct sr_op *) marked; /* ops whose mark is set */
	SR_VEC(struct sr_op *) ops;    /* ops of the group in their order, once it is complete */
	struct sr_op *first_member, *last_member;
	struct sr_op *last_reader; /* last op of the block that reads a member, or may join the group because it reads a copy */
	struct sr_op *shared_iota; /* iota whose positions the group reads along different loops */
	int n_sums;         /* number of members whose result is a sum over the blocks of rows */
	struct sr_strip_rectangle *ranges; /* the group is computed in these only; they have all rows */
	int n_ranges;
};

/* ---- strip_dims.c ---- */

enum { SR_STRIP_NO_DIM = -1, SR_STRIP_LOST = -2 };
/* Return true if the dimensions of the op's result follow from those of its operands by sr_strip_result_dim. */
bool sr_strip_knows_op(const struct sr_op *op);
/* Return the dimension of the result that dimension d of operand i becomes; SR_STRIP_LOST if the op combines elements along it or
 * mixes it with other dimensions. */
int sr_strip_result_dim(struct sr_context *ctx, const struct sr_op *op, int i, int d);
/* Return the dimension of a gather's result, or of a scatter's updates, that dimension d of the indices becomes. */
int sr_strip_slices_dim(struct sr_context *ctx, const struct sr_op *op, int d);
/* Return the dimension of the other operand with which a product contracts dimension d of operand i; -1 if there is none. */
int sr_strip_contracted_with(struct sr_context *ctx, const struct sr_op *product, int i, int d);
/* Return the dimensions of operand i that become the dimensions `result` of the op's result. */
struct sr_strip_dims sr_strip_operand_dims(const struct sr_strip_group *g, const struct sr_op *op, int i,
					   const struct sr_strip_dims *result);
/* Return false if a block of the op's result is not the op on a block of its operands: for a reshape that splits or joins a
 * dimension of its result along which the loops run, or that of columns, and for a gather whose windows have such a dimension. */
bool sr_strip_keeps_dims(const struct sr_strip_group *g, const struct sr_op *op, const struct sr_strip_dims *result);
/* Return true if all loops run over the same dimensions in x and y, and these have the same dimension of columns. */
bool sr_strip_equal_dims(const struct sr_strip_group *g, const struct sr_strip_dims *x, const struct sr_strip_dims *y);
/* Return the elements of the value for each iteration of the loops that it varies along. */
int64_t sr_strip_width(const struct sr_strip_group *g, const struct sr_value *v, const struct sr_strip_dims *dims);

/* ---- strip_bounds.c ---- */

enum sr_strip_bounds_kind {
	SR_STRIP_UNKNOWN,
	SR_STRIP_BETWEEN, /* at least `low` and at most `high`; booleans are 0 and 1 */
	SR_STRIP_FINITE,  /* finite, and larger than low numbers */
	SR_STRIP_LOW      /* the exponential of the number less any finite number is 0 */
};
struct sr_strip_bounds {
	enum sr_strip_bounds_kind kind;
	double low, high;
};
struct sr_strip_prover {
	struct sr_context *ctx;
	const struct sr_block *block; /* ops of other blocks are not followed, except constants */
	struct sr_strip_rectangle in;
	struct sr_map known; /* struct sr_value * -> struct known *, of strip_bounds.c */
};
/* Return bounds of the elements of v in the prover's rectangle. v has rows and columns in these dimensions; -1: it does not vary
 * along them. depth: nested calls. */
struct sr_strip_bounds sr_strip_bounds_of(struct sr_strip_prover *p, const struct sr_value *v, int row, int column, int depth);
bool sr_strip_is_zero(struct sr_strip_bounds x);

/* ---- strip_ranges.c ---- */

/* Set the dimensions of columns of the group's values, and the ranges of rows with the columns that the group has to compute for
 * them: without those in which a mask proves that they change no result. */
void sr_strip_set_ranges(struct sr_strip_group *g);

/* ---- strip_mine.c ---- */

static inline bool sr_strip_is_in(const struct sr_op *op)
{
	return op && op->mark & SR_STRIP_IN;
}
static inline const struct sr_strip_dims *sr_strip_dims_of(const struct sr_strip_group *g, const struct sr_op *op)
{
	return sr_map_get(&g->dims, op);
}
bool sr_strip_is_wide(const struct sr_strip_group *g, const struct sr_value *v, const struct sr_strip_dims *dims);
/* Return true if an op outside of the group uses the member's result. */
bool sr_strip_has_outer_use(const struct sr_strip_group *g, const struct sr_op *member);
/* Return true if the op is a member whose result is a sum over the blocks of rows. */
bool sr_strip_is_sum(const struct sr_strip_group *g, const struct sr_op *op);

/* ---- strip_build.c ---- */

/* Replace the group by loops over its blocks. Return the last op that is placed behind them, or the last loop. The caller reclaims
 * the erased ops. */
struct sr_op *sr_strip_build(struct sr_strip_group *g);

#endif
