/* Strategies that let the factors of a projection agree. */
#ifndef SR_PROPAGATE_FACTORS_H
#define SR_PROPAGATE_FACTORS_H

#include "propagate/projection.h"

/* In the order of upstream's enumeration: the union of two is the larger, except that forward and backward make both. */
enum sr_direction { SR_DIRECTION_NONE, SR_DIRECTION_FORWARD, SR_DIRECTION_BACKWARD, SR_DIRECTION_BOTH };

struct sr_factor_propagation {
	struct sr_arena *arena;
	struct sr_projection *projection;
	const enum sr_direction *directions; /* [n_factors] */
	bool conservative; /* no sub-axes */
	bool elementwise;  /* of the op: changes the choice between conflicting factors */
	bool *updated;     /* [n_tensors], out: the tensor's factors were changed */
};

/* Propagates what all tensors agree on: of each factor, the longest list of axes that no tensor conflicts with. */
void sr_propagate_factors_basic(struct sr_factor_propagation *a);
/* Propagates more: conflicts between factors are decided tensor by tensor, the factor that comes from the largest tensor first. */
void sr_propagate_factors_aggressive(struct sr_factor_propagation *a);

typedef void sr_factor_strategy_fn(struct sr_factor_propagation *a);

/* ---- parts that both strategies use ---- */
/* The axes that shard a factor in every tensor, or could, conflicts with other factors aside. */
struct sr_axes sr_compatible_major_axes(const struct sr_factor_propagation *a, int factor);
/* The largest prefix of ref free of the axes that other factors of the tensor have; false: none. */
bool sr_prefix_across_factors(const struct sr_factor_propagation *a, const struct sr_tensor_factors *tensor, int factor, struct sr_axis_ref ref,
			      struct sr_axis_ref *out);
/* The largest prefix of ref that the tensor's factor, sharded by `before` devices so far, has or can take; false: none. */
bool sr_prefix_within_factor(const struct sr_factor_propagation *a, const struct sr_tensor_factors *tensor, int factor, struct sr_axis_ref ref,
			     int64_t before, struct sr_axis_ref *out);
/* The list up to the first axis that `cut` refuses or shortens; `before` is the product of the sizes in front of ref. */
struct sr_axes sr_truncate_axes(const struct sr_factor_propagation *a, struct sr_axes axes,
				bool (*cut)(void *data, struct sr_axis_ref ref, int64_t before, struct sr_axis_ref *out),
				void *data);

#endif
