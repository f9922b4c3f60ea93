/* What the parts of choosing share: an op seen through its factors, and the insertion of reshards and reductions around it.
 * Internal to partition. */
#ifndef SR_PARTITION_INSERT_RESHARDS_EXPLICIT_RESHARDS_H
#define SR_PARTITION_INSERT_RESHARDS_EXPLICIT_RESHARDS_H

#include "dialect/ops.h"
#include "propagate/projection.h"
#include "propagate/propagate.h"

struct sr_mesh_ref {
	const struct sr_mesh *mesh;
	const char *name; /* NULL: the mesh stands inline */
};

/* An op with a rule and a mesh, its operands and results projected to factors. */
struct sr_op_view {
	struct sr_context *ctx;
	struct sr_op *module, *op;
	const struct sr_sharding_rule *rule;
	struct sr_mesh_ref mesh;
	const struct sr_attr **given; /* [n_tensors], kind SHARDING; NULL: none */
	int64_t *sizes;               /* [n_tensors]: elements, 0 for dynamic shapes */
	struct sr_projection p;
	int n_tensors;
	const enum sr_unreduced_kind *reduces_by; /* NULL: as the results' shardings say */
};

/* One list of axes per factor; NULL: no such list. */
typedef struct sr_axes *sr_axes_per_factor;

/* ---- explicit_reshards.c: the walk, for a way of treating one op ---- */
struct sr_reshard_walk {
	struct sr_context *ctx;
	struct sr_op *module, *func;
	bool full; /* make every op compatible; else little more than calls, concatenates and products */
	enum sr_status (*op)(struct sr_reshard_walk *r, struct sr_op *op,
			     bool full); /* an op that is no data-flow op, call or terminator */
};
enum sr_status sr_reshard_walk_run(struct sr_reshard_walk *r);
/* What the sources of an edge are to be sharded as: inside of a manual computation its axes do not count. */
const struct sr_attr *sr_edge_target_sharding(struct sr_context *ctx, struct sr_op *op, struct sr_value *owner);
/* Upstream's way of treating one op. */
enum sr_status sr_explicit_reshards_at_op(struct sr_reshard_walk *r, struct sr_op *op, bool full);

/* What comes before the choice of axes: unreduced operands, ops on a single device. done: nothing is left to choose. */
enum sr_status sr_explicit_reshards_before_op(struct sr_reshard_walk *r, struct sr_op *op, bool *done);

/* ---- op_view.c ---- */
const struct sr_attr *sr_sharding_through_barriers(struct sr_context *ctx, struct sr_value *v);
/* The mesh common to all shardings (whatever the order of devices), the most used one where orders differ. False: there is none. */
bool sr_most_common_mesh(struct sr_op *module, const struct sr_attr *const *given, int n, struct sr_mesh_ref *out);
bool sr_is_single_device(const struct sr_op *module, const struct sr_attr *sharding);
/* False: no mesh, or a rule whose tensors are not the op's. */
bool sr_op_view_init(struct sr_op_view *v, struct sr_context *ctx, struct sr_op *module, struct sr_op *op,
		     const struct sr_sharding_rule *rule);
/* On a given mesh, which the op's values need not name yet. False also where they name another. */
bool sr_op_view_init_on(struct sr_op_view *v, struct sr_context *ctx, struct sr_op *module, struct sr_op *op,
			const struct sr_sharding_rule *rule, struct sr_mesh_ref mesh);
struct sr_value *sr_op_view_value(const struct sr_op_view *v, int tensor);
bool sr_index_list_has(struct sr_index_list list, int factor);
const struct sr_attr *sr_op_view_sharding(const struct sr_op_view *v, int tensor); /* of the projection, as an attribute */
/* Give a factor these axes in all tensors that have it; changed[n_tensors] is set where that changes one. */
void sr_op_view_set_factor(struct sr_op_view *v, int factor, struct sr_axes axes, bool *changed);
const struct sr_attr *sr_replicated_on(struct sr_context *ctx, struct sr_mesh_ref mesh, const struct sr_type *type);
const struct sr_attr *sr_sharding_or_replicated(struct sr_context *ctx, struct sr_value *v, struct sr_mesh_ref mesh);

/* ---- explicit_reshards_factors.c: upstream's choice of axes for all factors ---- */
sr_axes_per_factor sr_compatible_axes(const struct sr_op_view *v); /* NULL: tensors differ, or a factor may not be sharded */
bool sr_factor_agreed(const struct sr_op_view *v, int factor, struct sr_axes *out);
sr_axes_per_factor sr_common_axes(const struct sr_op_view *v);

/* ---- explicit_reshards_insert.c ---- */
struct sr_value *sr_build_reshard(struct sr_builder *at, struct sr_value *v, const struct sr_attr *sharding);
struct sr_value *sr_build_all_reduce(struct sr_builder *at, struct sr_value *v, struct sr_axes axes, const struct sr_mesh *mesh,
				      enum sr_unreduced_kind kind, const struct sr_attr *sharding);
struct sr_builder sr_builder_before(struct sr_context *ctx, struct sr_op *op);
struct sr_builder sr_builder_after(struct sr_context *ctx, struct sr_value *v);
void sr_value_replace_except(struct sr_value *v, struct sr_value *with, struct sr_op *but);
/* Reshards of the operands and results that changed, or are on another order of devices. */
void sr_op_view_insert_reshards(struct sr_op_view *v, const bool *changed);
/* An all_reduce of each result over the axes of the rule's reduction factors, less what stays unreduced. */
enum sr_status sr_op_view_insert_all_reduces(struct sr_op_view *v, const struct sr_axes *common, bool full);

/* ---- explicit_reshards_special.c: reshapes with overflow, products that are better resharded behind ---- */
sr_axes_per_factor sr_reshape_with_overflow(struct sr_op_view *v); /* NULL: nothing overflows */
void sr_product_reshard_result(struct sr_op_view *v);

/* ---- explicit_reshards_unreduced.c ---- */
/* Before `use`: reduce what its sharding leaves unreduced and `target` does not. Returns the sharding after it. */
const struct sr_attr *sr_reduce_unreduced(struct sr_context *ctx, struct sr_op *module, struct sr_builder *at, struct sr_use *use,
					  const struct sr_attr *source, const struct sr_attr *target, enum sr_status *status);
/* The other way: replicated or sharded axes become unreduced. NULL: nothing was inserted. */
const struct sr_attr *sr_make_unreduced(struct sr_context *ctx, struct sr_op *module, struct sr_builder *at, struct sr_use *use,
					const struct sr_attr *target, enum sr_status *status);

/* ---- explicit_reshards_device.c: ops placed on one device ---- */
enum sr_status sr_explicit_reshards_single_device(struct sr_context *ctx, struct sr_op *module, struct sr_op *op,
					 const struct sr_attr *const *given_results);

/* ---- shardability.c: what the local forms of ops can take ---- */
struct sr_shardability {
	bool *whole; /* [n_factors]: must not be sharded */
	bool *exact; /* [n_factors]: the shards must divide it */
	bool reduces; /* a collective reduces partial results */
};
/* Also makes every mapped factor of the projection present, and sets how results are reduced. */
struct sr_shardability sr_shardability_of(struct sr_op_view *v);
/* The same, and what a gather or a scatter can take where it is computed in parts (parts/): along what indices point to, and along
 * updates. What is reduced there is the sum of what devices found, or combined. */
struct sr_shardability sr_shardability_expanded(struct sr_op_view *v);
bool sr_op_is_contraction(const struct sr_op *op); /* a product or a convolution */
/* Cut axes to what the limits allow. */
void sr_shardability_apply(const struct sr_op_view *v, const struct sr_shardability *limits, struct sr_axes *axes);

/* ---- cost_model.c ---- */
struct sr_cost_model; /* of reshards, remembered */
/* simple: by routes that are found at once, a little dearer at times than those that will be taken. */
struct sr_cost_model *sr_cost_model_new(struct sr_context *ctx, struct sr_op *module, bool simple);
/* Of a value's way from one sharding to another; NULL: replicated. */
struct sr_reshard_cost {
	double bytes; /* on the wire */
	int rounds;      /* steps one after another; an all_gather along several dimensions is one */
	int collectives; /* that the steps become: an all_gather is one for each dimension */
};
struct sr_reshard_cost sr_cost_model_reshard(struct sr_cost_model *costs, struct sr_mesh_ref mesh, const struct sr_type *type,
				      const struct sr_attr *from, const struct sr_attr *to);
double sr_cost_model_latency_bytes(const struct sr_cost_model *costs); /* bytes on the wire that a collective's latency is worth */
/* Return the bytes on the wire that the latency of a collective at op counts as where forms of one op are compared: 0 outside of
 * loops, where they are compared by bytes alone. */
double sr_cost_model_loop_latency(const struct sr_cost_model *costs, const struct sr_op *op);
double sr_cost_model_local_bytes(const struct sr_type *type, const struct sr_sdy_sharding *sharding, const struct sr_mesh *mesh);
/* What a device computes: of a product, all combinations of its factors; else about as much as its largest tensor has elements. */
double sr_cost_model_operations(const struct sr_op_view *v, const struct sr_axes *axes);
double sr_cost_model_seconds(const struct sr_cost_model *costs, double bytes); /* that they are on the wire */
/* The same, of which those that are no product's take as long as writing what they make. */
double sr_cost_model_operations_or_traffic(const struct sr_cost_model *costs, const struct sr_op_view *v, const struct sr_axes *axes);
double sr_cost_model_compute_bytes(const struct sr_cost_model *costs, double points); /* bytes on the wire that computing them is worth */
/* The axes per factor with the fewest bytes on the wire, given upstream's, which none may exceed. */
sr_axes_per_factor sr_cheapest_axes(struct sr_cost_model *costs, const struct sr_op_view *v, const struct sr_shardability *limits,
				    sr_axes_per_factor first);

#endif
