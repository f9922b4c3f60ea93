/* Integer tensors that vary along one dimension only, as piecewise-affine functions of the index along it. Computations of indices
 * and masks from iotas have this form:
 *
 *	(iota + 7) rem 8            ->  7 at index 0; i - 1 from index 1
 *	maximum(iota - 1, 0)        ->  0 at index 0; i - 1 from index 1
 *	compare EQ, iota, 0         ->  1 at index 0; 0 from index 1 */
#ifndef SR_OPTIMIZE_AFFINE_PIECES_H
#define SR_OPTIMIZE_AFFINE_PIECES_H

#include "ir/ir.h"

enum { SR_MAX_AFFINE_PIECES = 8 };

struct sr_affine_piece {
	int64_t begin;       /* first index of the piece, which ends where the next one begins */
	int64_t value, step; /* element at index i: value + step * (i - begin) */
};
struct sr_affine_pieces {
	int dim;        /* dimension along which elements vary; -1: all elements are equal, there is one piece, and extent is 1 */
	int64_t extent; /* number of elements along dim */
	int n;          /* number of pieces, at least 1 */
	struct sr_affine_piece pieces[SR_MAX_AFFINE_PIECES];
};

/* Return the elements of v, or NULL if they do not follow from iotas and constants by integer arithmetic without overflow, vary
 * along several dimensions, or have too many pieces. The result is in ctx->scratch. */
const struct sr_affine_pieces *sr_affine_pieces_of(struct sr_context *ctx, const struct sr_value *v);
/* Return p with each element clamped to [low, high]; NULL: the result has too many pieces. */
const struct sr_affine_pieces *sr_affine_pieces_clamp(struct sr_context *ctx, const struct sr_affine_pieces *p, int64_t low, int64_t high);
/* Return the index behind piece i. */
static inline int64_t sr_affine_piece_end(const struct sr_affine_pieces *p, int i)
{
	return i + 1 < p->n ? p->pieces[i + 1].begin : p->extent;
}

#endif
