/* Strategies that propagate axes between the tensors of a projection, factor by factor. */
#ifndef SR_PROPAGATE_FACTORS_H
#define SR_PROPAGATE_FACTORS_H

#include "propagate/projection.h"

/* Directions in the order of upstream's enum: the union of two is the larger one, except that the union of FORWARD and BACKWARD
 * is BOTH. */
enum sr_direction { SR_DIRECTION_NONE, SR_DIRECTION_FORWARD, SR_DIRECTION_BACKWARD, SR_DIRECTION_BOTH };

struct sr_factor_propagation {
	struct sr_arena *arena;
	struct sr_projection *projection;
	const enum sr_direction *directions; /* for each factor: the directions in which it may be propagated */
	bool is_conservative; /* if set, sub-axes are not propagated */
	bool is_elementwise;  /* true if the op is elementwise, which affects conflicts between factors */
	bool *is_updated;     /* output, for each tensor: true if its factors were changed */
};

/* Propagate axes without conflicts: each factor gets the longest list of axes that is compatible with all tensors. */
void sr_propagate_factors_basic(struct sr_factor_propagation *a);
/* Propagate axes and resolve conflicts between factors tensor by tensor: the factor whose axes come from the largest tensor is
 * first. */
void sr_propagate_factors_aggressive(struct sr_factor_propagation *a);

typedef void sr_factor_strategy_fn(struct sr_factor_propagation *a);

/* ---- shared by both strategies ---- */
/* Return the axes by which the factor is or could be sharded in every tensor, ignoring conflicts with other factors. */
struct sr_axes sr_compatible_major_axes(const struct sr_factor_propagation *a, int factor);
/* Set *out to the largest prefix of ref that is disjoint from the axes of the tensor's other factors. Return false if there is
 * none. */
bool sr_prefix_across_factors(const struct sr_factor_propagation *a, const struct sr_tensor_factors *tensor, int factor,
			      struct sr_axis_ref ref,
			      struct sr_axis_ref *out);
/* Set *out to the largest prefix of ref by which the tensor's factor is or could be sharded. `shards_before`: number of shards
 * before ref. Return false if there is none. */
bool sr_prefix_within_factor(const struct sr_factor_propagation *a, const struct sr_tensor_factors *tensor, int factor,
			     struct sr_axis_ref ref,
			     int64_t shards_before, struct sr_axis_ref *out);
/* Return `axes` up to the first axis that `shorten` rejects or shortens. `shards_before`: product of the sizes before ref. */
struct sr_axes sr_truncate_axes(const struct sr_factor_propagation *a, struct sr_axes axes,
				bool (*shorten)(void *data, struct sr_axis_ref ref, int64_t shards_before, struct sr_axis_ref *out),
				void *data);

#endif
