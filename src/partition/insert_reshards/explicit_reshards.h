/* Insertion of reshards around an op: a view of the op by the factors of its sharding rule, the axes for each factor, and the ops
 * that are inserted. Shared by sdy-insert-explicit-reshards, shardrun-insert-reshards and the search. Internal to partition. */
#ifndef SR_PARTITION_INSERT_RESHARDS_EXPLICIT_RESHARDS_H
#define SR_PARTITION_INSERT_RESHARDS_EXPLICIT_RESHARDS_H

#include "dialect/ops.h"
#include "cost/mesh_links.h"
#include "propagate/projection.h"
#include "propagate/propagate.h"

struct sr_mesh_ref {
	const struct sr_mesh *mesh;
	const char *name; /* NULL: the mesh is written inline */
};

/* An op with its sharding rule and mesh, its operands and results projected to factors. Tensors are numbered operands first, then
 * results. In scratch memory. */
struct sr_op_view {
	struct sr_context *ctx;
	struct sr_op *module, *op;
	const struct sr_sharding_rule *rule;
	struct sr_mesh_ref mesh;
	const struct sr_attr **shardings; /* [n_tensors]: shardings before the pass; NULL: none */
	int64_t *sizes;                   /* [n_tensors]: elements; 0: dynamic shape */
	struct sr_projection p;
	int n_tensors;
	const enum sr_unreduced_kind *reduces_by; /* NULL: the unreduced kind of the results' shardings */
};

/* Axes by factor, [n_factors]. A NULL pointer is a failure. */
typedef struct sr_axes *sr_axes_per_factor;

/* ---- explicit_reshards.c: walk over a function ---- */
struct sr_reshard_walk {
	struct sr_context *ctx;
	struct sr_op *module, *func;
	bool full; /* make all ops compatible; false: calls, some concatenates and matrix products only */
	bool open_is_replicated; /* a value without a sharding that is read as unreduced is replicated; upstream's pass leaves it open */
	enum sr_status (*op)(struct sr_reshard_walk *r, struct sr_op *op,
			     bool full); /* called for each op that is no data-flow op, call or terminator */
};
enum sr_status sr_reshard_walk_run(struct sr_reshard_walk *r);
/* Return the sharding that the sources of the edge with this owner must get. Inside of a manual computation the manual axes are
 * removed. */
const struct sr_attr *sr_edge_target_sharding(struct sr_context *ctx, struct sr_op *op, struct sr_value *owner);
/* Insert reshards at one op as upstream's pass does. */
enum sr_status sr_explicit_reshards_at_op(struct sr_reshard_walk *r, struct sr_op *op, bool full);

/* Handle unreduced operands and ops on a single device, before axes are chosen. Sets *done if nothing is left to do. */
enum sr_status sr_explicit_reshards_before_op(struct sr_reshard_walk *r, struct sr_op *op, bool *done);

/* ---- op_view.c ---- */
const struct sr_attr *sr_sharding_through_barriers(struct sr_context *ctx, struct sr_value *v);
/* Find the mesh of the shardings: they must agree in axes, the device order may differ. Returns the most frequent device order.
 * False: no such mesh, or a single device. */
bool sr_most_common_mesh(struct sr_op *module, const struct sr_attr *const *given, int n, struct sr_mesh_ref *out);
bool sr_is_single_device(const struct sr_op *module, const struct sr_attr *sharding);
/* Initialize the view of an op. False: no common mesh, or the rule does not have the op's number of tensors. */
bool sr_op_view_init(struct sr_op_view *v, struct sr_context *ctx, struct sr_op *module, struct sr_op *op,
		     const struct sr_sharding_rule *rule);
/* Initialize the view of an op on this mesh, which the op's values need not name. False: they name another mesh, or the rule does
 * not have the op's number of tensors. */
bool sr_op_view_init_on(struct sr_op_view *v, struct sr_context *ctx, struct sr_op *module, struct sr_op *op,
			const struct sr_sharding_rule *rule, struct sr_mesh_ref mesh);
struct sr_value *sr_op_view_value(const struct sr_op_view *v, int tensor);
bool sr_index_list_has(struct sr_index_list list, int factor);
const struct sr_attr *sr_op_view_sharding(const struct sr_op_view *v, int tensor); /* the projected sharding, as an attribute */
/* Set the axes of a factor in all tensors that have it. Sets changed[t] for each tensor t that changes. */
void sr_op_view_set_factor(struct sr_op_view *v, int factor, struct sr_axes axes, bool *changed);
const struct sr_attr *sr_replicated_on(struct sr_context *ctx, struct sr_mesh_ref mesh, const struct sr_type *type);
const struct sr_attr *sr_sharding_or_replicated(struct sr_context *ctx, struct sr_value *v, struct sr_mesh_ref mesh);

/* ---- explicit_reshards_factors.c: upstream's choice of axes for all factors ---- */
sr_axes_per_factor sr_compatible_axes(const struct sr_op_view *v); /* NULL: tensors disagree, or a factor may not be sharded */
bool sr_factor_agreed(const struct sr_op_view *v, int factor, struct sr_axes *out);
sr_axes_per_factor sr_common_axes(const struct sr_op_view *v);

/* ---- explicit_reshards_insert.c ---- */
struct sr_value *sr_build_reshard(struct sr_builder *at, struct sr_value *v, const struct sr_attr *sharding);
struct sr_value *sr_build_all_reduce(struct sr_builder *at, struct sr_value *v, struct sr_axes axes, const struct sr_mesh *mesh,
				      enum sr_unreduced_kind kind, const struct sr_attr *sharding);
struct sr_builder sr_builder_before(struct sr_context *ctx, struct sr_op *op);
struct sr_builder sr_builder_after(struct sr_context *ctx, struct sr_value *v);
void sr_value_replace_except(struct sr_value *v, struct sr_value *with, struct sr_op *but);
/* Insert reshards of the operands and results that changed, or that are on a mesh with another device order. */
void sr_op_view_insert_reshards(struct sr_op_view *v, const bool *changed);
/* Insert an all_reduce of each result over the axes of the rule's reduction factors, except those that stay unreduced. common:
 * axes by factor, used if full. */
enum sr_status sr_op_view_insert_all_reduces(struct sr_op_view *v, const struct sr_axes *common, bool full);

/* Insert a reduce_scatter of the only result, whose value is sharded further along reduced axes than the op's partial results, and an
 * all_reduce along the other reduced axes. Clears the result's entry of `changed`. False: there is no such result. */
bool sr_op_view_insert_reduce_scatter(struct sr_op_view *v, const struct sr_axes *axes, bool *changed);

/* ---- explicit_reshards_special.c: reshapes with overflow axes, products whose result is better resharded than an operand ---- */
sr_axes_per_factor sr_reshape_with_overflow(struct sr_op_view *v); /* NULL: no axes overflow */
void sr_product_reshard_result(struct sr_op_view *v);

/* ---- explicit_reshards_unreduced.c ---- */
/* Return sharding `s` with other unreduced axes. */
const struct sr_attr *sr_sharding_with_unreduced(struct sr_context *ctx, const struct sr_mesh *mesh,
						 const struct sr_sdy_sharding *s, struct sr_axes axes);
/* Insert, before `use`, the all_reduce of the axes that are unreduced in `source` and not in `target`. Returns the sharding after
 * it. */
const struct sr_attr *sr_reduce_unreduced(struct sr_context *ctx, struct sr_op *module, struct sr_builder *at, struct sr_use *use,
					  const struct sr_attr *source, const struct sr_attr *target, enum sr_status *status);
/* Insert the collectives that make replicated or sharded axes unreduced, as `target` requires. NULL: nothing was inserted. */
const struct sr_attr *sr_make_unreduced(struct sr_context *ctx, struct sr_op *module, struct sr_builder *at, struct sr_use *use,
					const struct sr_attr *target, enum sr_status *status);

/* ---- explicit_reshards_device.c: ops placed on one device ---- */
enum sr_status sr_explicit_reshards_single_device(struct sr_context *ctx, struct sr_op *module, struct sr_op *op,
					 const struct sr_attr *const *given_results);

/* ---- shardability.c: factors that an op's local form supports ---- */
struct sr_shardability {
	bool *must_replicate; /* [n_factors]: must not be sharded */
	bool *must_divide;    /* [n_factors]: the number of shards must divide the size */
	bool *by_form;        /* [n_factors]: only a form (form/form.h) supports shards of it; NULL: none */
	bool reduces;         /* a collective can reduce partial results */
};
/* Find what the local form of the op supports. Also marks every mapped factor of the projection as present, and sets
 * v->reduces_by. */
struct sr_shardability sr_shardability_of(struct sr_op_view *v);
/* Find what an op supports if it may be expanded (expand/) or computed by a form (form/): what sr_shardability_of finds, and
 * indexed dimensions of gather and scatter, update dimensions, and factors that a form supports. */
struct sr_shardability sr_shardability_expanded(struct sr_op_view *v);
bool sr_op_is_contraction(const struct sr_op *op); /* true for matrix products and convolutions */
/* Shorten the axes of each factor to what the shardability allows. axes: [n_factors]. */
void sr_shardability_apply(const struct sr_op_view *v, const struct sr_shardability *shardability, struct sr_axes *axes);

/* ---- cost_model.c ---- */
/* Prices of reshards, memoized, and of computation. Unit: bytes on the wire, per device. In the context's arena. */
struct sr_cost_model;
/* simple: price reshards by the simple planner, which can send a little more than the plans that are used later. */
struct sr_cost_model *sr_cost_model_new(struct sr_context *ctx, struct sr_op *module, bool simple);
/* Cost of resharding a value. */
struct sr_reshard_cost {
	struct sr_collective_price steps; /* an all_gather along several dimensions counts once */
	double rounds_by_dim;             /* the rounds, an all_gather counting once per dimension */
};
struct sr_reshard_cost sr_cost_model_reshard(struct sr_cost_model *costs, struct sr_mesh_ref mesh, const struct sr_type *type,
				      const struct sr_attr *from, const struct sr_attr *to);
/* From now on, price collectives on the links' mesh by these links; without a call, by the machine's, with axes in the mesh's order. */
void sr_cost_model_set_links(struct sr_cost_model *costs, const struct sr_mesh_links *links);
/* Return the module's order of placement (SR_AXIS_ORDER), [mesh axes]; NULL: none. */
const int *sr_cost_model_axis_order(const struct sr_cost_model *costs, const struct sr_mesh *mesh);
const struct sr_mesh_links *sr_cost_model_links(struct sr_cost_model *costs, const struct sr_mesh *mesh);
/* Return the price of one collective, whose rounds within a node count as `latency` bytes. */
double sr_cost_model_collective(struct sr_cost_model *costs, const struct sr_mesh *mesh, enum sr_coll coll, double r, struct sr_axes axes,
				double latency);
const struct sr_machine *sr_cost_model_machine(const struct sr_cost_model *costs);
/* Bytes on the wire that take as long as one collective's latency. */
double sr_cost_model_latency_bytes(const struct sr_cost_model *costs);
/* Return the bytes on the wire that a collective's latency at `op` counts as when forms of one op are compared: 0 outside of
 * loops, where bytes alone decide. */
double sr_cost_model_loop_latency(const struct sr_cost_model *costs, const struct sr_op *op);
double sr_cost_model_local_bytes(const struct sr_type *type, const struct sr_sdy_sharding *sharding, const struct sr_mesh *mesh);
/* Return the operations per device: for contractions the multiply-adds, else the elements of the largest tensor. */
double sr_cost_model_operations(const struct sr_cost_model *costs, const struct sr_op_view *v, const struct sr_axes *axes);
double sr_cost_model_seconds(const struct sr_cost_model *costs, double bytes); /* time of so many bytes on the wire */
/* Return the operations per device; ops other than contractions count at least the time of writing their results to memory. */
double sr_cost_model_operations_or_traffic(const struct sr_cost_model *costs, const struct sr_op_view *v,
					   const struct sr_axes *axes);
/* Operations as bytes on the wire that take as long. */
double sr_cost_model_compute_bytes(const struct sr_cost_model *costs, double points);
/* Return the axes by factor with the fewest bytes on the wire, starting from and never exceeding `first` (upstream's choice). */
sr_axes_per_factor sr_cheapest_axes(struct sr_cost_model *costs, const struct sr_op_view *v,
				    const struct sr_shardability *shardability, sr_axes_per_factor first);

#endif
