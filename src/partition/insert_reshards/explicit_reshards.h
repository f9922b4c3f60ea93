/* Insertion of reshards around an op: the view of an op by the factors of its sharding rule, the choice of axes for each factor,
 * and builders of the inserted ops. Shared by sdy-insert-explicit-reshards, shardrun-insert-reshards and the search. Internal to
 * partition. */
#ifndef SR_PARTITION_INSERT_RESHARDS_EXPLICIT_RESHARDS_H
#define SR_PARTITION_INSERT_RESHARDS_EXPLICIT_RESHARDS_H

#include "dialect/ops.h"
#include "cost/mesh_links.h"
#include "propagate/projection.h"
#include "propagate/propagate.h"

struct sr_mesh_ref {
	const struct sr_mesh *mesh;
	const char *name; /* symbol name of the mesh; NULL: the mesh is written inline */
};

/* An op with its sharding rule and mesh, its operands and results projected to factors. Tensors are numbered: operands, then
 * results. Allocated in scratch memory. */
struct sr_op_view {
	struct sr_context *ctx;
	struct sr_op *module, *op;
	const struct sr_sharding_rule *rule;
	struct sr_mesh_ref mesh;
	const struct sr_attr **shardings; /* sharding of each tensor before the pass; NULL: none; length: n_tensors */
	int64_t *sizes;                   /* number of elements of each tensor; 0: dynamic shape; length: n_tensors */
	struct sr_projection p;
	int n_tensors;
	const enum sr_unreduced_kind *reduces_by; /* kind of reduction; NULL: the unreduced kind of the results' shardings */
};

/* Axes of each factor; length: n_factors. A NULL pointer means failure. */
typedef struct sr_axes *sr_axes_per_factor;

/* ---- explicit_reshards.c: walk over a function ---- */
struct sr_reshard_walk {
	struct sr_context *ctx;
	struct sr_op *module, *func;
	bool is_full; /* true: reshard for all ops; false: only for calls, some concatenates and matrix products */
	/* replicate a value without a sharding that is read as unreduced; upstream's pass leaves it open */
	bool open_is_replicated;
	enum sr_status (*op)(struct sr_reshard_walk *r, struct sr_op *op,
			     bool full); /* function called for each op other than data-flow ops, calls and terminators */
};
enum sr_status sr_reshard_walk_run(struct sr_reshard_walk *r);
/* Return the sharding that the sources of a data-flow edge must get, whose owner has this sharding. Inside of a manual computation
 * the manual axes are removed. */
const struct sr_attr *sr_edge_target_sharding(struct sr_context *ctx, struct sr_op *op, struct sr_value *owner);

/* Handle unreduced operands, and ops on a single device, before axes are chosen. Sets *is_done if no further reshards are needed.
 */
enum sr_status sr_explicit_reshards_before_op(struct sr_reshard_walk *r, struct sr_op *op, bool *is_done);

/* ---- op_view.c ---- */
const struct sr_attr *sr_sharding_through_barriers(struct sr_context *ctx, struct sr_value *v);
bool sr_is_single_device(const struct sr_op *module, const struct sr_attr *sharding);
/* Initialize the view of an op. Returns false if its tensors have no common mesh, or the rule does not have the op's number of
 * tensors. */
bool sr_op_view_init(struct sr_op_view *v, struct sr_context *ctx, struct sr_op *module, struct sr_op *op,
		     const struct sr_sharding_rule *rule);
/* Initialize the view of an op on this mesh, which the op's values need not name. Returns false if they name another mesh, or the
 * rule does not have the op's number of tensors. */
bool sr_op_view_init_on(struct sr_op_view *v, struct sr_context *ctx, struct sr_op *module, struct sr_op *op,
			const struct sr_sharding_rule *rule, struct sr_mesh_ref mesh);
struct sr_value *sr_op_view_value(const struct sr_op_view *v, int tensor);
bool sr_index_list_has(struct sr_index_list list, int factor);
/* Return the tensor's sharding in the projection, as an attribute. */
const struct sr_attr *sr_op_view_sharding(const struct sr_op_view *v, int tensor);
/* Set the axes of a factor in all tensors that have it. Sets changed[t] for each tensor t that changes. */
void sr_op_view_set_factor(struct sr_op_view *v, int factor, struct sr_axes axes, bool *is_changed);
const struct sr_attr *sr_replicated_on(struct sr_context *ctx, struct sr_mesh_ref mesh, const struct sr_type *type);
const struct sr_attr *sr_sharding_or_replicated(struct sr_context *ctx, struct sr_value *v, struct sr_mesh_ref mesh);

/* ---- explicit_reshards_factors.c: upstream's choice of axes for all factors ---- */
bool sr_factor_agreed(const struct sr_op_view *v, int factor, struct sr_axes *out);
sr_axes_per_factor sr_common_axes(const struct sr_op_view *v);

/* ---- explicit_reshards_insert.c ---- */
struct sr_value *sr_build_reshard(struct sr_builder *at, struct sr_value *v, const struct sr_attr *sharding);
struct sr_value *sr_build_all_reduce(struct sr_builder *at, struct sr_value *v, struct sr_axes axes, const struct sr_mesh *mesh,
				     enum sr_unreduced_kind kind, const struct sr_attr *sharding);
struct sr_builder sr_builder_before(struct sr_context *ctx, struct sr_op *op);
struct sr_builder sr_builder_after(struct sr_context *ctx, struct sr_value *v);
void sr_value_replace_except(struct sr_value *v, struct sr_value *replacement, struct sr_op *but);
/* Insert reshards of the operands and results whose sharding changed, or that are on a mesh with another device order. */
void sr_op_view_insert_reshards(struct sr_op_view *v, const bool *is_changed);
/* Insert an all_reduce of each result over the axes of the rule's reduction factors, except those that stay unreduced. common: axes
 * by factor; used only in the full version. */
enum sr_status sr_op_view_insert_all_reduces(struct sr_op_view *v, const struct sr_axes *common, bool is_full);

/* Insert a reduce_scatter of the only result, whose value is sharded further along reduced axes than the op's partial results, and
 * an all_reduce along the other reduced axes. Clears the result's entry of `is_changed`. False: there is no such result. */
bool sr_op_view_insert_reduce_scatter(struct sr_op_view *v, const struct sr_axes *axes, bool *is_changed);

/* ---- explicit_reshards_special.c: reshapes with overflow axes, products whose result is better resharded than an operand ---- */
/* Return the axes of a reshape with overflow axes; NULL if no axes overflow. */
sr_axes_per_factor sr_reshape_with_overflow(struct sr_op_view *v);
void sr_product_reshard_result(struct sr_op_view *v);

/* ---- explicit_reshards_unreduced.c ---- */
/* Return sharding `s` with `axes` as its unreduced axes. */
const struct sr_attr *sr_sharding_with_unreduced(struct sr_context *ctx, const struct sr_mesh *mesh,
						 const struct sr_sdy_sharding *s, struct sr_axes axes);
/* Insert, before `use`, the all_reduce over the axes that are unreduced in `source` but not in `target`. Returns the sharding after
 * the all_reduce. */
const struct sr_attr *sr_reduce_unreduced(struct sr_context *ctx, struct sr_op *module, struct sr_builder *at, struct sr_use *use,
					  const struct sr_attr *source, const struct sr_attr *target, enum sr_status *status);
/* Insert the collectives that make replicated or sharded axes unreduced, as `target` requires. Returns NULL if nothing was
 * inserted. */
const struct sr_attr *sr_make_unreduced(struct sr_context *ctx, struct sr_op *module, struct sr_builder *at, struct sr_use *use,
					const struct sr_attr *target, enum sr_status *status);

/* ---- explicit_reshards_device.c: ops placed on one device ---- */
enum sr_status sr_explicit_reshards_single_device(struct sr_context *ctx, struct sr_op *module, struct sr_op *op,
						  const struct sr_attr *const *given_results);

/* ---- shardability.c: factors that an op's local form supports ---- */
struct sr_shardability {
	bool *must_replicate; /* true for factors that must not be sharded; length: n_factors */
	bool *must_divide;    /* true for factors whose number of shards must divide the size; length: n_factors */
	bool *needs_form; /* true for factors of which only a form (form/form.h) supports shards; NULL: none; length: n_factors */
	bool can_reduce;      /* true if a collective can reduce partial results of the op */
};
/* Find the factors along which each device can run the op on its shards. Also marks every mapped factor of the projection as
 * present, and sets v->reduces_by. */
struct sr_shardability sr_shardability_of(struct sr_op_view *v);
/* Find the factors along which the local form of the op or another form (form/) can be sharded. */
struct sr_shardability sr_shardability_expanded(struct sr_op_view *v);
bool sr_op_is_contraction(const struct sr_op *op); /* Return true for matrix products and convolutions. */
/* Shorten the axes of each factor to those that the shardability allows; length of `axes`: n_factors. */
void sr_shardability_apply(const struct sr_op_view *v, const struct sr_shardability *shardability, struct sr_axes *axes);

/* ---- cost_model.c ---- */
/* Cost model: memoized costs of reshards, and costs of computation, in bytes on the wire per device. Allocated in the context's
 * arena. */
struct sr_cost_model;
/* Create a cost model. simple: plan reshards by the simple planner, whose plans can send a little more than those that are used
 * later. */
struct sr_cost_model *sr_cost_model_new(struct sr_context *ctx, struct sr_op *module, bool simple);
/* Cost of resharding a value from one sharding to another one. */
struct sr_reshard_cost {
	struct sr_wire_cost steps; /* cost in which an all_gather along several dimensions counts as one collective */
	double rounds_by_dim;             /* number of rounds if an all_gather counts as one collective per dimension */
};
struct sr_reshard_cost sr_cost_model_reshard(struct sr_cost_model *costs, struct sr_mesh_ref mesh, const struct sr_type *type,
					     const struct sr_attr *from, const struct sr_attr *to);
/* Set the links by which collectives on the links' mesh are estimated from now on. Without a call, the machine's links are used,
 * with axes in the mesh's order. */
void sr_cost_model_set_links(struct sr_cost_model *costs, const struct sr_mesh_links *links);
/* Return the order in which the module's mesh axes are placed (SR_AXIS_ORDER), length: number of mesh axes; NULL: none. */
const int *sr_cost_model_axis_order(const struct sr_cost_model *costs, const struct sr_mesh *mesh);
const struct sr_mesh_links *sr_cost_model_links(struct sr_cost_model *costs, const struct sr_mesh *mesh);
const struct sr_machine *sr_cost_model_machine(const struct sr_cost_model *costs);
/* Return the number of bytes on the wire that take as long as one collective's latency. */
double sr_cost_model_latency_bytes(const struct sr_cost_model *costs);
/* Return the latency of a collective at `op`, as bytes on the wire, for comparing forms of one op: 0 outside of loops, where only
 * bytes decide. */
double sr_cost_model_loop_latency(const struct sr_cost_model *costs, const struct sr_op *op);
double sr_cost_model_local_bytes(const struct sr_type *type, const struct sr_sdy_sharding *sharding, const struct sr_mesh *mesh);
/* Return the number of operations per device: multiply-adds of contractions; for other ops the elements of the largest tensor. */
double sr_cost_model_operations(const struct sr_cost_model *costs, const struct sr_op_view *v, const struct sr_axes *axes);
/* Return the seconds that this number of bytes takes on the wire. */
double sr_cost_model_seconds(const struct sr_cost_model *costs, double bytes);
/* Return the number of operations per device, where an op other than a contraction counts at least as many as take the time of
 * writing its results to memory. */
double sr_cost_model_operations_or_traffic(const struct sr_cost_model *costs, const struct sr_op_view *v,
					   const struct sr_axes *axes);
/* Return the number of bytes on the wire that take as long as this number of operations. */
double sr_cost_model_compute_bytes(const struct sr_cost_model *costs, double operations);
/* Return the axes by factor for which the op sends the fewest bytes on the wire. The search starts from `first`, upstream's choice,
 * and never returns axes that send more. */
sr_axes_per_factor sr_cheapest_axes(struct sr_cost_model *costs, const struct sr_op_view *v,
				    const struct sr_shardability *shardability, sr_axes_per_factor first);

#endif
