/* Shardings seen from an op's factors instead of its dimensions.
 *
 * Rule ([ij])->([i, j]) {i=2, j=4}, mesh x=4, y=2, operand sharding [{"x", "y"}]: the dimension's axes are dealt out to its
 * factors from the major side, "x":(1)2 to i, "x":(2)2 and "y" to j. Giving the result the same factor shardings and going back
 * gives [{"x":(1)2}, {"x":(2)2, "y"}].
 *
 * Where the next axis and what is left of a factor that is not the last of its dimension have no common divisor, that axis and
 * all after it are the factor's overflow: kept so that the way back loses nothing, but no ground for propagation. */
#ifndef SR_PROPAGATE_PROJECTION_H
#define SR_PROPAGATE_PROJECTION_H

#include "mesh/mesh.h"
#include "mesh/rule.h"
#include "support/gcd.h"

struct sr_factor_sharding {
	struct sr_axes axes, overflow;
	bool present;    /* the tensor has the factor */
	bool closed;     /* may not be sharded further */
	bool minor_most; /* the last factor of its dimension: its size need not be divisible */
};

struct sr_tensor_factors {
	struct sr_factor_sharding *factors; /* [rule->n_factors] */
	struct sr_axes replicated, unreduced;
	enum sr_unreduced_kind unreduced_kind;
};

struct sr_projection {
	const struct sr_sharding_rule *rule;
	const struct sr_mesh *mesh;
	struct sr_tensor_factors *tensors; /* [n_tensors]: operands, then results */
	int n_operands, n_tensors;
};

/* shardings[operands, then results]; NULL: no axes, open or closed. In the arena, which the projection then uses for new lists. */
struct sr_projection sr_projection_build(struct sr_arena *arena, const struct sr_sharding_rule *rule, const struct sr_mesh *mesh,
					 const struct sr_sharding *const *shardings, bool closed_if_missing);
const struct sr_tensor_mapping *sr_projection_mapping(const struct sr_projection *p, int tensor);
/* Give a tensor these axes along a factor if it has the factor and its axes are a strict prefix of them. */
bool sr_factor_expand(struct sr_tensor_factors *tensor, int factor, struct sr_axes axes);
/* Back to dimensions. Factors behind one that is not fully sharded are left out: they would need a strided view. No priorities. */
struct sr_sharding sr_projection_sharding(struct sr_arena *arena, const struct sr_projection *p, int tensor, const char *mesh_name);


#endif
