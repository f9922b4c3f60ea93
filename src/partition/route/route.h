/* Routes: a change of sharding as steps, each of which is one sdy collective. Made by an inserter (reshard_to_collectives.c
 * has upstream's choice, route/search.c the cheapest), costed (route/cost.c), then built as ops (route/emit.c). Internal to
 * partition.
 *
 * A route knows shapes and shardings, and no op. */
#ifndef SR_PARTITION_ROUTE_H
#define SR_PARTITION_ROUTE_H

#include "dialect/ops.h"
#include "support/vec.h"

/* ---- lists of axes that grow and shrink (route/list.c) ---- */

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

struct sr_route_step {
	enum sr_op_code code;
	const struct sr_axes *axes; /* [rank] of all_slice, all_gather, reduce_scatter; [1] of all_to_all, all_reduce, ... */
	int src, tgt;               /* all_to_all */
	const struct sr_axes *dims; /* [rank], after the step */
};

struct sr_route {
	struct sr_arena *arena;
	const struct sr_mesh *mesh;
	int rank;
	const int64_t *shape;          /* global */
	const struct sr_sharding *in, *out; /* of the same rank */
	bool same_mesh;                /* in and out name one mesh; else they differ in the order of devices */
	SR_VEC(struct sr_route_step) steps;
};

/* Upstream's steps from in's to out's dims. */
void sr_route_as_upstream(struct sr_route *route);
/* Gather what goes, slice what comes; a dimension that cannot be cut in between is gathered whole where `soundly`. Appends,
 * from the dims given (NULL: in's). */
void sr_route_directly(struct sr_route *route, const struct sr_axes *from, bool soundly);
/* Upstream's steps or the direct ones, whichever send less and keep to parts which exist. */
void sr_route_simply(struct sr_route *route, int64_t element_bytes);
/* The steps with the fewest bytes on the wire that keep to parts which exist: no more than upstream's where those do. */
void sr_route_cheaply(struct sr_route *route, int64_t element_bytes);
/* What is unreduced in `in` alone is reduced first, or behind what can be sliced before it (`late`); what is so in `out` alone
 * is made so last. */
void sr_route_reductions(struct sr_route *route, bool late);

/* On the wire, of a step with results of r bytes over n devices; a slice sends nothing. */
double sr_route_step_bytes(enum sr_op_code code, double r, double n);
double sr_route_bytes(const struct sr_route *route, int64_t element_bytes); /* on the wire, per device */
/* Whether the parts of a dimension can be cut further or put together: 10 over 4 is 3 3 3 1, over 2 it is 5 5, no two of the
 * four. */
bool sr_shards_change_soundly(int64_t extent, int64_t before, int64_t after);
/* Every change of a dimension's shards can be made without moving what padding has shifted. */
bool sr_route_is_sound(const struct sr_route *route);

/* A value as it lies, said to lie so on another mesh: no collective leads from mesh to mesh. */
struct sr_value *sr_route_relabel(struct sr_builder *at, struct sr_value *v, const struct sr_written_sharding *sharding);

/* ---- route/meshes.c ---- */
struct sr_route_end {
	const struct sr_mesh *mesh;
	struct sr_written_sharding sharding;
};
/* Say both ends by axes that their meshes have in common; the orders of devices stay. False: there are no such axes. */
bool sr_route_common_axes(struct sr_context *ctx, struct sr_route_end *in, struct sr_route_end *out);

/* The steps as ops before `op`, with its location and cause, from v on; the last result. Reductions are of in's unreduced kind. */
struct sr_value *sr_route_emit(struct sr_context *ctx, const struct sr_route *route, struct sr_op *op, struct sr_value *v);

#endif
