/* Lowering of single reshards: shared by shardrun-lower-reshards and sdy-reshard-to-collectives. Internal to partition and
 * upstream. */
#ifndef SR_PARTITION_RESHARD_LOWER_RESHARDS_H
#define SR_PARTITION_RESHARD_LOWER_RESHARDS_H

#include "partition/reshard/reshard_plan.h"

struct sr_reshard_lowering {
	struct sr_context *ctx;
	struct sr_op *module;
	void (*add_steps)(struct sr_reshard_plan *plan, int64_t element_bytes); /* planner: adds all steps of the plan */
	struct sr_map plans; /* memoized plans: array of input sharding, output sharding and type -> struct sr_reshard_plan */
	enum sr_status status;
};

/* Build the collectives that change the sharding of `source` from `in` to `out` before op. Both shardings are on meshes with the
 * same axes. */
struct sr_value *sr_reshard_lower_on_mesh(struct sr_reshard_lowering *r, struct sr_op *op, struct sr_value *source,
					  const struct sr_sdy_sharding *in, const struct sr_sdy_sharding *out,
					  const struct sr_mesh *mesh);
/* Replace the result of an op with one result, and erase the op. */
void sr_reshard_replace(struct sr_op *op, struct sr_value *replacement);
/* Return the replicated sharding of a value of this rank on the mesh of `s`. */
const struct sr_sdy_sharding *sr_sdy_replicated_like(struct sr_context *ctx, const struct sr_sdy_sharding *s, int rank);

#endif
