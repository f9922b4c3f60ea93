/* Routes: a change of sharding as steps, each of which is one sdy collective. Made by an inserter (reshard_to_collectives.c
 * has upstream's choice, reshard/reshard_plan_search.c the cheapest), costed (reshard/reshard_plan_cost.c), then built as ops (reshard/reshard_plan_emit.c). Internal to
 * partition.
 *
 * A route knows shapes and shardings, and no op. */
#ifndef SR_PARTITION_RESHARD_RESHARD_PLAN_H
#define SR_PARTITION_RESHARD_RESHARD_PLAN_H

#include "dialect/ops.h"
#include "support/vec.h"

/* ---- lists of axes that grow and shrink (reshard/axis_list.c) ---- */

struct sr_axis_list { /* as SR_VEC(struct sr_axis_ref), with a name */
	struct sr_axis_ref *data;
	size_t n, cap;
};
void sr_axis_list_insert(struct sr_arena *arena, struct sr_axis_list *list, size_t at, struct sr_axis_ref ref);
void sr_axis_list_erase(struct sr_axis_list *list, size_t at);
void sr_axis_list_extend(struct sr_arena *arena, struct sr_axis_list *list, struct sr_axes axes);
size_t sr_axis_list_find(const struct sr_axis_list *list, struct sr_axis_ref ref); /* list->n: not in it */
bool sr_axis_list_has(const struct sr_axis_list *list, struct sr_axis_ref ref);
void sr_axis_list_remove(struct sr_axis_list *list, struct sr_axis_ref ref); /* where it is in it */
/* Onto the end, one with the last where the two are adjacent parts. */
void sr_axis_list_merge(struct sr_arena *arena, struct sr_axis_list *list, struct sr_axis_ref ref);
/* Take `parts` off the end; the list may hold several of them merged. */
void sr_axis_list_pop(struct sr_axis_list *list, const struct sr_axis_ref *parts, size_t n);
int64_t sr_axis_list_size(const struct sr_axis_list *list); /* the product of sizes */
struct sr_axes sr_axis_list_axes(struct sr_arena *arena, const struct sr_axis_list *list); /* a copy */
struct sr_axis_list *sr_axis_lists_of(struct sr_arena *arena, const struct sr_sharding *s); /* [rank], copies */
/* Split the axes of each list where those of `others` begin and end, so that what overlaps is equal. */
void sr_axis_lists_align(struct sr_arena *arena, struct sr_axis_list *lists, int n, const struct sr_axis_list *others,
			 int n_others);

/* ---- routes ---- */

struct sr_reshard_step {
	enum sr_op_code code;
	const struct sr_axes *axes; /* [rank] of all_slice, all_gather, reduce_scatter; [1] of all_to_all, all_reduce, ... */
	int src, tgt;               /* all_to_all */
	const struct sr_axes *dims; /* [rank], after the step */
};

struct sr_reshard_plan {
	struct sr_arena *arena;
	const struct sr_mesh *mesh;
	int rank;
	const int64_t *shape;          /* global */
	const struct sr_sharding *in, *out; /* of the same rank */
	bool same_mesh;                /* in and out name one mesh; else they differ in the order of devices */
	SR_VEC(struct sr_reshard_step) steps;
};

/* Upstream's steps from in's to out's dims. */
void sr_reshard_plan_upstream(struct sr_reshard_plan *route);
/* Gather what goes, slice what comes; a dimension that cannot be cut in between is gathered whole where `soundly`. Appends,
 * from the dims given (NULL: in's). */
void sr_reshard_plan_gather_and_slice(struct sr_reshard_plan *route, const struct sr_axes *from, bool soundly);
/* Upstream's steps or the direct ones, whichever send less and keep to parts which exist. */
void sr_reshard_plan_quick(struct sr_reshard_plan *route, int64_t element_bytes);
/* The steps with the fewest bytes on the wire that keep to parts which exist: no more than upstream's where those do. */
void sr_reshard_plan_cheapest(struct sr_reshard_plan *route, int64_t element_bytes);
/* What is unreduced in `in` alone is reduced first, or behind what can be sliced before it (`late`); what is so in `out` alone
 * is made so last. */
void sr_reshard_plan_add_reductions(struct sr_reshard_plan *route, bool late);

/* On the wire, of a step with results of r bytes over n devices; a slice sends nothing. */
double sr_reshard_step_bytes(enum sr_op_code code, double r, double n);
double sr_reshard_plan_bytes(const struct sr_reshard_plan *route, int64_t element_bytes); /* on the wire, per device */
/* Whether the parts of a dimension can be cut further or put together: 10 over 4 is 3 3 3 1, over 2 it is 5 5, no two of the
 * four. */
bool sr_shard_counts_are_compatible(int64_t extent, int64_t before, int64_t after);
/* Every change of a dimension's shards can be made without moving what padding has shifted. */
bool sr_reshard_plan_is_valid(const struct sr_reshard_plan *route);

/* A value as it lies, said to lie so on another mesh: no collective leads from mesh to mesh. */
struct sr_value *sr_relabel_sharding(struct sr_builder *at, struct sr_value *v, const struct sr_sdy_sharding *sharding);

/* ---- reshard/common_axes.c ---- */
struct sr_mesh_sharding {
	const struct sr_mesh *mesh;
	struct sr_sdy_sharding sharding;
};
/* Say both ends by axes that their meshes have in common; the orders of devices stay. False: there are no such axes. */
bool sr_mesh_shardings_to_common_axes(struct sr_context *ctx, struct sr_mesh_sharding *in, struct sr_mesh_sharding *out);

/* The steps as ops before `op`, with its location and cause, from v on; the last result. Reductions are of in's unreduced kind. */
struct sr_value *sr_reshard_plan_emit(struct sr_context *ctx, const struct sr_reshard_plan *route, struct sr_op *op, struct sr_value *v);

#endif
