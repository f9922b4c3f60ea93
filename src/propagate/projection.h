/* Shardings by factors of an op's rule instead of dimensions.
 *
 * Rule ([ij])->([i, j]) {i=2, j=4}, mesh x=4, y=2, operand sharding [{"x", "y"}]: the dimension's axes are distributed to its
 * factors from the major side: "x":(1)2 to i, "x":(2)2 and "y" to j. With the same factor shardings, the result has the sharding
 * [{"x":(1)2}, {"x":(2)2, "y"}].
 *
 * If the next axis and the rest of a factor that is not the last of its dimension have no common divisor, this axis and all
 * following ones are the factor's overflow: they are kept for the way back, but not propagated. */
#ifndef SR_PROPAGATE_PROJECTION_H
#define SR_PROPAGATE_PROJECTION_H

#include "mesh/mesh.h"
#include "mesh/rule.h"
#include "support/gcd.h"

struct sr_factor_sharding {
	struct sr_axes axes, overflow_axes;
	bool is_present;    /* true if the tensor has a dimension with this factor */
	bool is_closed;     /* true if the factor must not be sharded further */
	bool is_minor_most; /* true for the last factor of its dimension, whose size need not be divisible */
};

struct sr_tensor_factors {
	struct sr_factor_sharding *factors; /* sharding of each factor of the rule */
	struct sr_axes replicated_axes, unreduced_axes;
	enum sr_unreduced_kind unreduced_kind;
};

struct sr_projection {
	const struct sr_sharding_rule *rule;
	const struct sr_mesh *mesh;
	struct sr_tensor_factors *tensors; /* operands, then results; length n_tensors */
	int n_operands, n_tensors;
};

/* Project shardings[operands, then results] to factors. A sharding that is NULL has no axes and is closed if closed_if_missing.
 * Allocated in the arena, which the projection keeps for new lists. */
struct sr_projection sr_projection_build(struct sr_arena *arena, const struct sr_sharding_rule *rule, const struct sr_mesh *mesh,
					 const struct sr_sharding *const *shardings, bool closed_if_missing);
const struct sr_tensor_mapping *sr_projection_mapping(const struct sr_projection *p, int tensor);
/* Set a tensor's axes along a factor, if the tensor has the factor and its present axes are a strict prefix of the new ones.
 * Return true if the axes were set. */
bool sr_factor_expand(struct sr_tensor_factors *tensor, int factor, struct sr_axes axes);
/* Convert a tensor's factor shardings back to dimensions, without priorities. Factors after one that is not fully sharded are
 * dropped: they would need a strided view. */
struct sr_sharding sr_projection_sharding(struct sr_arena *arena, const struct sr_projection *p, int tensor, const char *mesh_name);


#endif
