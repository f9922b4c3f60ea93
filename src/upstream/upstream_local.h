/* Global to local as in upstream's pass: functions shared by the rewrites of single ops. Internal to upstream. */
#ifndef SR_UPSTREAM_UPSTREAM_LOCAL_H
#define SR_UPSTREAM_UPSTREAM_LOCAL_H

#include "partition/local/local.h"

/* Return true if no dimension of the value is sharded. */
bool sr_upstream_is_replicated(const struct sr_local *l, const struct sr_value *v);
/* Return the device's coordinate along the axes times `unit`, an i64 scalar. */
struct sr_value *sr_upstream_offset(struct sr_local *l, struct sr_axes axes, int64_t unit);
/* Return the device's shard of v, with dimension d sharded along axes[d]. */
struct sr_value *sr_upstream_slice_shard(struct sr_local *l, struct sr_value *v, const struct sr_axes *axes,
					 const struct sr_type *local_type);
/* Check that the only reader of the op's partial result is an sdy.all_reduce over these axes; otherwise report an error. */
enum sr_status sr_upstream_expect_reduction(struct sr_local *l, struct sr_op *op, struct sr_axes axes);

sr_local_fn sr_upstream_all_gather, sr_upstream_all_slice, sr_upstream_all_to_all, sr_upstream_collective_permute,
	/* rewrites of collectives, defined in upstream/upstream_local_collective.c */
	sr_upstream_all_reduce, sr_upstream_reduce_scatter;
sr_local_fn sr_upstream_constant, sr_upstream_iota, sr_upstream_slice, sr_upstream_pad, sr_upstream_concatenate,
	/* rewrites of ops that are no collectives, defined in upstream/upstream_local_op.c */
	sr_upstream_convolution, sr_upstream_product, sr_upstream_window;
/* rewrites of gather and scatter, defined in upstream/upstream_local_indexed.c */
sr_local_fn sr_upstream_gather, sr_upstream_scatter;

#endif
