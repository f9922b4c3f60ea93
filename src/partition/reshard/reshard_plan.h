/* Reshard plans: a change of sharding as a sequence of steps, each of which becomes one sdy collective. A planner chooses the
 * steps (reshard_to_collectives.c upstream's, reshard_plan_search.c the cheapest ones); other functions compute their costs and
 * build the ops. A plan depends on shapes and shardings, not on ops. Internal to partition. */
#ifndef SR_PARTITION_RESHARD_RESHARD_PLAN_H
#define SR_PARTITION_RESHARD_RESHARD_PLAN_H

#include "dialect/ops.h"
#include "cost/mesh_links.h"
#include "support/vec.h"

/* ---- growing lists of axes (axis_list.c) ---- */

struct sr_axis_list { /* a list of axes, with the members of SR_VEC(struct sr_axis_ref) */
	struct sr_axis_ref *data;
	size_t n, cap;
};
void sr_axis_list_insert(struct sr_arena *arena, struct sr_axis_list *list, size_t at, struct sr_axis_ref ref);
void sr_axis_list_erase(struct sr_axis_list *list, size_t at);
void sr_axis_list_extend(struct sr_arena *arena, struct sr_axis_list *list, struct sr_axes axes);
/* Return the index of the axis in the list; list->n if it is not found. */
size_t sr_axis_list_find(const struct sr_axis_list *list, struct sr_axis_ref ref);
bool sr_axis_list_has(const struct sr_axis_list *list, struct sr_axis_ref ref);
void sr_axis_list_remove(struct sr_axis_list *list, struct sr_axis_ref ref); /* Remove the axis from the list, if it is in it. */
/* Append an axis; it is merged with the last one if both are adjacent sub-axes. */
void sr_axis_list_merge(struct sr_arena *arena, struct sr_axis_list *list, struct sr_axis_ref ref);
/* Remove the axes `sub_axes` from the end of the list, which may contain several of them merged. */
void sr_axis_list_pop(struct sr_axis_list *list, const struct sr_axis_ref *sub_axes, size_t n);
int64_t sr_axis_list_size(const struct sr_axis_list *list); /* Return the product of the axis sizes. */
struct sr_axes sr_axis_list_axes(struct sr_arena *arena, const struct sr_axis_list *list); /* Return a copy of the list. */
/* Return copies of the axes of each dimension; length: rank. */
struct sr_axis_list *sr_axis_lists_of(struct sr_arena *arena, const struct sr_sharding *s);
/* Split the axes of each list where axes of `other_lists` begin and end, so that overlapping axes become equal. */
void sr_axis_lists_align(struct sr_arena *arena, struct sr_axis_list *lists, int n, const struct sr_axis_list *other_lists,
			 int n_others);

/* ---- reshard plans ---- */

struct sr_reshard_step {
	enum sr_op_code code;
	/* axes of the step: per dimension for all_slice, all_gather and reduce_scatter; otherwise one list */
	const struct sr_axes *axes;
	int src, tgt;               /* of an all_to_all: dimension that loses the axes, and dimension that gets them */
	const struct sr_axes *dims; /* axes of each dimension after the step; length: rank */
};

struct sr_reshard_plan {
	struct sr_arena *arena;
	const struct sr_mesh *mesh;
	int rank;
	const int64_t *shape;               /* global shape of the value */
	const struct sr_sharding *in, *out; /* shardings of the value before and after the reshard, of equal rank */
	bool is_same_mesh; /* true if both shardings are on one mesh; false: on meshes that differ in device order */
	SR_VEC(struct sr_reshard_step) steps;
};

/* Plan the steps as upstream's sdy-reshard-to-collectives does. */
void sr_reshard_plan_upstream(struct sr_reshard_plan *plan);
/* Append at most three steps, which change the axes `source` (NULL: those of `in`) to those of `out`: an all_gather along axes that
 * are only in `source`, an all_slice along axes that are only in `out`, and a collective_permute if the device order of `out` is
 * another and no step has changed to it. respect_padding: gather a dimension completely if
 * padding does not allow the intermediate number of shards. */
void sr_reshard_plan_gather_and_slice(struct sr_reshard_plan *plan, const struct sr_axes *source, bool respect_padding);
/* Choose between upstream's steps and an all_gather with an all_slice: the steps that send less and are valid with padding. */
void sr_reshard_plan_simple(struct sr_reshard_plan *plan, int64_t element_bytes);
/* Choose the valid steps with the fewest bytes on the wire, which send at most as much as upstream's steps if those are valid. */
void sr_reshard_plan_cheapest(struct sr_reshard_plan *plan, int64_t element_bytes);
/* Add an all_reduce along the axes that are unreduced in `in` only: as the first step or, with slice_first, after those slices that
 * can precede it; and a last step for the axes that are unreduced in `out` only. */
void sr_reshard_plan_add_reductions(struct sr_reshard_plan *plan, bool slice_first);

/* Return the bytes on the wire per device of a step whose results have r bytes, over n devices. A slice sends nothing. */
double sr_reshard_step_bytes(enum sr_op_code code, double r, double n);
/* Return the cost of step i; 0 for a slice. links NULL: all devices are on one node. */
struct sr_wire_cost sr_reshard_step_cost(const struct sr_reshard_plan *plan, size_t i, int64_t element_bytes,
					 const struct sr_mesh_links *links);
/* Return the bytes on the wire per device of the plan. */
double sr_reshard_plan_bytes(const struct sr_reshard_plan *plan, int64_t element_bytes);
/* Return true if the number of shards can change from `shards_before` to `shards_after` by splitting or joining shards, without
 * moving elements between other devices because of padding. 10 elements over 4 devices are 3 3 3 1, over 2 they are 5 5: no two of
 * the four shards make one of the two. */
bool sr_shard_counts_are_compatible(int64_t extent, int64_t shards_before, int64_t shards_after);
/* Return true if every step's change of the number of shards is valid with padding. */
bool sr_reshard_plan_is_valid(const struct sr_reshard_plan *plan);

/* Give v an equivalent sharding on another mesh by an optimization_barrier, since no collective has shardings on two meshes. */
struct sr_value *sr_relabel_sharding(struct sr_builder *at, struct sr_value *v, const struct sr_sdy_sharding *sharding);

/* ---- common_axes.c ---- */
struct sr_mesh_sharding {
	const struct sr_mesh *mesh;
	struct sr_sdy_sharding sharding;
};
/* Rewrite both shardings to axes that their meshes have in common; device orders stay. Returns false if there are no common
 * axes. */
bool sr_mesh_shardings_to_common_axes(struct sr_context *ctx, struct sr_mesh_sharding *in, struct sr_mesh_sharding *out);

/* Build the plan's steps as ops before `op`, beginning with v, with op's location and cause. Returns the last result. Reductions
 * have the unreduced kind of `in`. */
struct sr_value *sr_reshard_plan_emit(struct sr_context *ctx, const struct sr_reshard_plan *plan, struct sr_op *op,
				      struct sr_value *v);

#endif
