/* Values in pieces, so that collectives of some are under way while others are computed. Internal to optimize.
 *
 * A value is cut along one dimension, which is seen as `blocks` blocks of equal length, one after another: piece k has of each
 * block the k-th part, [length * k / n, length * (k + 1) / n). So a piece of each device's block, gathered, is a piece of the whole
 * with as many blocks as there are devices, and a piece of that, scattered, one of a device's block. */
#ifndef SR_OPTIMIZE_PIECES_PIECES_H
#define SR_OPTIMIZE_PIECES_PIECES_H

#include "dialect/ops.h"
#include "support/machine.h"
#include "support/vec.h"

enum { SR_MOST_PIECES = 8 };

struct sr_piece_cut {
	int dim; /* -1: not cut */
	int64_t blocks;
	int n;
};

/* What is computed from each piece, one op behind the other: the last of each so far. */
struct sr_piece_line {
	struct sr_op *last[SR_MOST_PIECES];
};

struct sr_pieces {
	struct sr_piece_cut cut;
	struct sr_value *at[SR_MOST_PIECES];
	struct sr_piece_line *line; /* NULL: they come of a collective, and what reads them begins one */
};

struct sr_cutting {
	struct sr_context *ctx;
	struct sr_machine machine; /* a rank's share */
	int asked;                 /* pieces, whatever it costs; 0: as many as take the least time */
	int64_t products;          /* that are in pieces */
	struct sr_map pieces;      /* value -> struct sr_pieces */
	SR_VEC(struct sr_op *) wholes; /* that were put together again; some for nobody */
};

/* ---- cut.c ---- */

/* Types of known size that ops on shapes take. */
bool sr_may_be_cut(const struct sr_op *op);
/* The most pieces that a dimension gives; 0: it has no such blocks. */
int sr_most_pieces(const struct sr_type *type, int dim, int64_t blocks);
const struct sr_pieces *sr_pieces_of(const struct sr_cutting *c, const struct sr_value *v); /* NULL: it is in one */
/* The op, of one result, once for each piece, of pieces of operands as cuts[n_operands] say. Behind what made them, if all that it
 * reads is there then. Its readers read the pieces put together, those excepted that are cut alike later. */
void sr_cut_op(struct sr_cutting *c, struct sr_op *op, const struct sr_piece_cut *cuts, struct sr_piece_cut result);
void sr_cut_end(struct sr_cutting *c); /* what was put together for nobody goes */

/* ---- product.c ---- */

/* Where dimension d of a product's operand is in the result, and in the other operand (-1: not). False: it is summed over. */
bool sr_product_dim(struct sr_context *ctx, const struct sr_op *product, int side, int d, int *out, int *other);

/* ---- worth.c ---- */

/* Seconds of a collective's n-th part on the links between nodes; 0: it stays within one. */
double sr_seconds_between_nodes(struct sr_cutting *c, struct sr_op *collective, int n);
/* In how many pieces, `most` at most (or `exactly`, not 0), the collective beside the products takes least; 0: as it is. whole: a
 * value that is put together besides, or NULL. */
int sr_pieces_worth(struct sr_cutting *c, struct sr_op *collective, struct sr_op *const *products, int n_products,
		    const struct sr_value *whole, int most, int exactly);

#endif
