/* Recognize the function by which the body of a reduction, scatter, window or collective combines two values, from the op
 * table's REDUCER column. */
#ifndef SR_DIALECT_REDUCER_H
#define SR_DIALECT_REDUCER_H

#include "dialect/ops.h"
#include "kernels/kernel.h"

enum sr_identity { SR_IDENTITY_ZERO, SR_IDENTITY_ONE, SR_IDENTITY_ALL_BITS, SR_IDENTITY_LOWEST, SR_IDENTITY_HIGHEST };

struct sr_reducer {
	enum sr_op_code code;
	bool has_reducer_column; /* true if the op has an entry in the REDUCER column */
	enum sr_monoid monoid;
	enum sr_identity identity;
	bool is_idempotent; /* true if f(x, x) = x */
};

/* Return the reducer of an op code; NULL if the op is no reducer. */
const struct sr_reducer *sr_reducer_find(enum sr_op_code code);
/* Return the reducer that a body on n pairs of values (arguments k and n + k) computes for pair k, if the body's k-th result is
 * one known op on that pair, in either order; else NULL. */
const struct sr_reducer *sr_reducer_of_pair(const struct sr_region *region, int k);
/* Return the reducer of a body that consists of one known op on one pair of values; else NULL. */
const struct sr_reducer *sr_reducer_of(const struct sr_region *region);
/* Return the reducer of the op's first region. */
static inline const struct sr_reducer *sr_op_reducer(const struct sr_op *op)
{
	return op->n_regions ? sr_reducer_of(&op->regions[0]) : NULL;
}

/* Return the identity element as a rank-0 dense constant; NULL if the type has none, or r is NULL. */
const struct sr_attr *sr_reducer_identity(struct sr_context *ctx, const struct sr_reducer *r, enum sr_dtype type);
/* Store the unreduced kind of values that are yet to be reduced by r; return false if there is none. For booleans, `or` is max
 * and `and` is min. */
bool sr_reducer_unreduced_kind(const struct sr_reducer *r, bool is_boolean, enum sr_unreduced_kind *kind);

/* Build the body ^bb0(%x, %y): return op(%x, %y) on scalars of the element type, in an empty region. */
void sr_build_reducer(struct sr_context *ctx, struct sr_region *region, enum sr_op_code code, const struct sr_type *element,
		      const struct sr_attr *loc);

#endif
