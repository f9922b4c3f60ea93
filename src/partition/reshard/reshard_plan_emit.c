/* The steps of a route as ops, and the steps that need no search: straight ones and reductions. */
#include "dialect/ops.h"
#include "partition/collective.h"
#include "partition/reshard/reshard_plan.h"
#include <string.h>

/* ---------------------------------------------------------------- straight routes */

static bool any(const struct sr_axes *axes, int n)
{
	for (int d = 0; d < n; d++)
		if (axes[d].n)
			return true;
	return false;
}

static struct sr_axes behind(struct sr_arena *arena, struct sr_axes all, struct sr_axes prefix)
{
	struct sr_axes out = {0};
	sr_axes_difference(arena, all, prefix, &out);
	return out;
}

void sr_reshard_plan_gather_and_slice(struct sr_reshard_plan *route, const struct sr_axes *from, bool soundly)
{
	struct sr_arena *arena = route->arena;
	int rank = route->rank;
	struct sr_axes *gone = SR_NEWS(arena, struct sr_axes, rank), *come = SR_NEWS(arena, struct sr_axes, rank),
		       *kept = SR_NEWS(arena, struct sr_axes, rank), *target = SR_NEWS(arena, struct sr_axes, rank);
	for (int d = 0; d < rank; d++) {
		struct sr_axes now = from ? from[d] : route->in->dims[d].axes;
		target[d] = route->out->dims[d].axes;
		kept[d] = sr_axes_common_prefix(arena, now, target[d]);
		if (soundly && !(sr_shard_counts_are_compatible(route->shape[d], sr_axes_size(now), sr_axes_size(kept[d])) &&
				 sr_shard_counts_are_compatible(route->shape[d], sr_axes_size(kept[d]), sr_axes_size(target[d]))))
			kept[d].n = 0;
		gone[d] = behind(arena, now, kept[d]);
		come[d] = behind(arena, target[d], kept[d]);
	}
	if (any(gone, rank))
		sr_push(arena, &route->steps,
			(struct sr_reshard_step){.code = SR_OP_sdy_all_gather, .axes = gone, .dims = kept});
	if (any(come, rank))
		sr_push(arena, &route->steps,
			(struct sr_reshard_step){.code = SR_OP_sdy_all_slice, .axes = come, .dims = target});
}

/* ---------------------------------------------------------------- reductions */

/* Cut a slice in two: what does not touch the axes to be reduced goes first. False where nothing can. */
static bool split_slice(const struct sr_reshard_plan *route, const struct sr_reshard_step *slice, struct sr_axes reduced,
			struct sr_reshard_step *first, struct sr_reshard_step *second)
{
	struct sr_arena *arena = route->arena;
	struct sr_axes *early = SR_NEWS(arena, struct sr_axes, route->rank), *late = SR_NEWS(arena, struct sr_axes, route->rank),
		       *dims = SR_NEWS(arena, struct sr_axes, route->rank);
	for (int d = 0; d < route->rank; d++) {
		struct sr_axes in = route->in->dims[d].axes;
		early[d] = sr_axes_prefix_without_overlaps(arena, slice->axes[d], reduced);
		if (!sr_shard_counts_are_compatible(route->shape[d], sr_axes_size(sr_axes_concat(arena, in, early[d])),
					      sr_axes_size(slice->dims[d])))
			early[d].n = 0;
		late[d] = behind(arena, slice->axes[d], early[d]);
		dims[d] = sr_axes_concat(arena, in, early[d]);
	}
	*first = *second = *slice;
	first->axes = early;
	first->dims = dims;
	second->axes = late;
	return any(early, route->rank);
}

void sr_reshard_plan_add_reductions(struct sr_reshard_plan *route, bool late)
{
	struct sr_arena *arena = route->arena;
	struct sr_axes *reduced = SR_NEWS(arena, struct sr_axes, 2), *made = reduced + 1;
	struct sr_reshard_plan whole = *route;
	struct sr_reshard_step reduce = {.code = SR_OP_sdy_all_reduce, .axes = reduced, .dims = sr_axes_by_dim(arena, route->in)},
			     first, second;
	size_t i = 0;
	sr_axes_difference(arena, route->in->unreduced, route->out->unreduced, reduced);
	sr_axes_difference(arena, route->out->unreduced, route->in->unreduced, made);
	memset(&whole.steps, 0, sizeof whole.steps);
	if (reduced->n && late && route->steps.n && route->steps.data[0].code == SR_OP_sdy_all_slice &&
	    split_slice(route, &route->steps.data[0], *reduced, &first, &second)) {
		reduce.dims = first.dims;
		sr_push(arena, &whole.steps, first);
		sr_push(arena, &whole.steps, reduce);
		if (any(second.axes, route->rank))
			sr_push(arena, &whole.steps, second);
		i = 1;
	} else if (reduced->n) {
		sr_push(arena, &whole.steps, reduce);
	}
	for (; i < route->steps.n; i++)
		sr_push(arena, &whole.steps, route->steps.data[i]);
	if (made->n)
		sr_push(arena, &whole.steps,
			(struct sr_reshard_step){.code = SR_OP_sdy_replicated_to_unreduced,
					       .axes = made,
					       .dims = sr_axes_by_dim(arena, route->out)});
	*route = whole;
}

/* ---------------------------------------------------------------- ops */

/* `at` names the mesh, by whose order of devices the value lies, and says what is unreduced. */
static const struct sr_attr *sharding_after(struct sr_context *ctx, const struct sr_reshard_plan *route, const struct sr_reshard_step *step,
					    const struct sr_sharding *at)
{
	struct sr_dim_sharding *dims = SR_NEWS(ctx->arena, struct sr_dim_sharding, route->rank);
	for (int d = 0; d < route->rank; d++)
		dims[d] = (struct sr_dim_sharding){.axes = step->dims[d], .closed = true, .priority = -1};
	struct sr_sharding s = {.mesh_name = at->mesh_name,
				.mesh = at->mesh,
				.dims = dims,
				.rank = route->rank,
				.unreduced = at->unreduced,
				.unreduced_kind = at->unreduced_kind};
	return sr_sharding_attr(ctx, route->mesh, &s);
}

/* Where the value lies after the step: a permute puts it in the order of the output's mesh, a reduction leaves fewer axes
 * unreduced. */
static void follow(const struct sr_reshard_plan *route, const struct sr_reshard_step *step, struct sr_sharding *at)
{
	if (step->code == SR_OP_sdy_collective_permute) {
		at->mesh = route->out->mesh;
		at->mesh_name = route->out->mesh_name;
	} else if (sr_collective_reduces(step->code)) {
		for (int d = 0; d < (step->code == SR_OP_sdy_all_reduce ? 1 : route->rank); d++)
			sr_axes_difference(route->arena, at->unreduced, step->axes[d], &at->unreduced);
		if (!at->unreduced.n)
			at->unreduced_kind = SR_UNREDUCED_SUM;
	} else if (step->code == SR_OP_sdy_replicated_to_unreduced) {
		at->unreduced = route->out->unreduced;
		at->unreduced_kind = route->out->unreduced_kind;
	}
}

struct sr_value *sr_reshard_plan_emit(struct sr_context *ctx, const struct sr_reshard_plan *route, struct sr_op *op, struct sr_value *v)
{
	struct sr_builder b = {.ctx = ctx, .anchor = op, .loc = op->loc};
	struct sr_sharding at = *route->in;
	for (size_t i = 0; i < route->steps.n; i++) {
		const struct sr_reshard_step *step = &route->steps.data[i];
		follow(route, step, &at);
		struct sr_collective c = {.code = step->code,
					  .mesh = route->mesh,
					  .axes = step->axes,
					  .src = step->src,
					  .tgt = step->tgt,
					  .kind = route->in->unreduced_kind,
					  .out = sharding_after(ctx, route, step, &at),
					  .cause = sr_op_attr(op, "shardrun.cause")};
		v = sr_collective_build(&b, &c, v);
	}
	return v;
}

struct sr_value *sr_relabel_sharding(struct sr_builder *at, struct sr_value *v, const struct sr_sdy_sharding *sharding)
{
	struct sr_op *barrier = sr_build(at, SR_OP_stablehlo_optimization_barrier, &v, 1, NULL, 0, &v->type, 1);
	sr_value_set_sharding(at->ctx, sr_result(barrier, 0), sr_attr_sharding(at->ctx, sharding));
	return sr_result(barrier, 0);
}
