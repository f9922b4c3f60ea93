/* What a body combines two values by: the body of a reduction, a scatter, a window or a collective. One reading for everybody, by
 * the op table's REDUCER column. */
#ifndef SR_DIALECT_REDUCER_H
#define SR_DIALECT_REDUCER_H

#include "dialect/ops.h"
#include "kernels/kernel.h"

enum sr_identity { SR_IDENTITY_ZERO, SR_IDENTITY_ONE, SR_IDENTITY_ALL_BITS, SR_IDENTITY_LEAST, SR_IDENTITY_MOST };

struct sr_reducer {
	enum sr_op_code code;
	bool known; /* the op has the column */
	enum sr_monoid monoid;
	enum sr_identity identity;
	bool idempotent; /* f(x, x) = x: what enters twice counts once */
};

/* NULL: an op's code is none, or a body does something else. */
const struct sr_reducer *sr_reducer_find(enum sr_op_code code);
/* A body on n pairs (arguments k and n + k) whose k-th result is one known op on the k-th pair, in either order. */
const struct sr_reducer *sr_reducer_of_pair(const struct sr_region *region, int k);
/* A body on one pair that is one known op. */
const struct sr_reducer *sr_reducer_of(const struct sr_region *region);
static inline const struct sr_reducer *sr_op_reducer(const struct sr_op *op) /* of its first region */
{
	return op->n_regions ? sr_reducer_of(&op->regions[0]) : NULL;
}

/* A scalar (rank 0 dense); NULL: the type has none, or r is NULL. */
const struct sr_attr *sr_reducer_identity(struct sr_context *ctx, const struct sr_reducer *r, enum sr_dtype type);
/* How values that are still to be reduced by it are marked; false: they are not. Of booleans,
 * or is the greatest and and is the least. */
bool sr_reducer_unreduced_kind(const struct sr_reducer *r, bool boolean, enum sr_unreduced_kind *kind);

/* ^bb0(%x, %y): return op(%x, %y), on scalars of the element type, into an empty region. */
void sr_build_reducer(struct sr_context *ctx, struct sr_region *region, enum sr_op_code code, const struct sr_type *element,
		      const struct sr_attr *loc);

#endif
