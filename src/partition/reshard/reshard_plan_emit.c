/* Building of a reshard plan's ops, and the steps that need no search: gather and slice, and reductions. */
#include "dialect/ops.h"
#include "partition/collective.h"
#include "partition/reshard/reshard_plan.h"
#include <string.h>

/* ---------------------------------------------------------------- gather and slice */

static bool has_any_axes(const struct sr_axes *axes, int n)
{
	for (int d = 0; d < n; d++)
		if (axes[d].n)
			return true;
	return false;
}

static struct sr_axes axes_after(struct sr_arena *arena, struct sr_axes axes, struct sr_axes prefix)
{
	struct sr_axes out = {0};
	sr_axes_difference(arena, axes, prefix, &out);
	return out;
}

/* Append a permute to the device order of the output's mesh, unless a step has changed to it. Requires: the steps end with the
 * output's axes. */
static void change_device_order(struct sr_reshard_plan *plan, const struct sr_axes *dims)
{
	bool is_on_output_mesh = plan->is_same_mesh;
	for (size_t i = 0; i < plan->steps.n; i++)
		is_on_output_mesh = is_on_output_mesh || plan->steps.data[i].code == SR_OP_sdy_collective_permute;
	if (!is_on_output_mesh)
		sr_push(plan->arena, &plan->steps, (struct sr_reshard_step){.code = SR_OP_sdy_collective_permute, .dims = dims});
}

void sr_reshard_plan_gather_and_slice(struct sr_reshard_plan *plan, const struct sr_axes *source, bool respect_padding)
{
	struct sr_arena *arena = plan->arena;
	int rank = plan->rank;
	struct sr_axes *gathered_axes = SR_NEW_ARRAY(arena, struct sr_axes, rank),
		       *sliced_axes = SR_NEW_ARRAY(arena, struct sr_axes, rank),
		       *common = SR_NEW_ARRAY(arena, struct sr_axes, rank), *target = SR_NEW_ARRAY(arena, struct sr_axes, rank);
	for (int d = 0; d < rank; d++) {
		struct sr_axes now = source ? source[d] : plan->in->dims[d].axes;
		target[d] = plan->out->dims[d].axes;
		common[d] = sr_axes_common_prefix(arena, now, target[d]);
		if (respect_padding &&
		    !(sr_shard_counts_are_compatible(plan->shape[d], sr_axes_size(now), sr_axes_size(common[d])) &&
		      sr_shard_counts_are_compatible(plan->shape[d], sr_axes_size(common[d]), sr_axes_size(target[d]))))
			common[d].n = 0;
		gathered_axes[d] = axes_after(arena, now, common[d]);
		sliced_axes[d] = axes_after(arena, target[d], common[d]);
	}
	if (has_any_axes(gathered_axes, rank))
		sr_push(arena, &plan->steps,
			(struct sr_reshard_step){.code = SR_OP_sdy_all_gather, .axes = gathered_axes, .dims = common});
	if (has_any_axes(sliced_axes, rank))
		sr_push(arena, &plan->steps,
			(struct sr_reshard_step){.code = SR_OP_sdy_all_slice, .axes = sliced_axes, .dims = target});
	change_device_order(plan, target);
}

/* ---------------------------------------------------------------- reductions */

/* Split a slice: `early_slice` gets the axes that do not overlap the reduced axes, so that they can be sliced before the reduction.
 * Returns false if there are no such axes. */
static bool split_slice(const struct sr_reshard_plan *plan, const struct sr_reshard_step *slice, struct sr_axes reduced_axes,
			struct sr_reshard_step *early_slice, struct sr_reshard_step *late_slice)
{
	struct sr_arena *arena = plan->arena;
	struct sr_axes *early_axes = SR_NEW_ARRAY(arena, struct sr_axes, plan->rank),
		       *late_axes = SR_NEW_ARRAY(arena, struct sr_axes, plan->rank),
		       *dims = SR_NEW_ARRAY(arena, struct sr_axes, plan->rank);
	for (int d = 0; d < plan->rank; d++) {
		struct sr_axes in = plan->in->dims[d].axes;
		early_axes[d] = sr_axes_prefix_without_overlaps(arena, slice->axes[d], reduced_axes);
		if (!sr_shard_counts_are_compatible(plan->shape[d], sr_axes_size(sr_axes_concat(arena, in, early_axes[d])),
						    sr_axes_size(slice->dims[d])))
			early_axes[d].n = 0;
		late_axes[d] = axes_after(arena, slice->axes[d], early_axes[d]);
		dims[d] = sr_axes_concat(arena, in, early_axes[d]);
	}
	*early_slice = *late_slice = *slice;
	early_slice->axes = early_axes;
	early_slice->dims = dims;
	late_slice->axes = late_axes;
	return has_any_axes(early_axes, plan->rank);
}

void sr_reshard_plan_add_reductions(struct sr_reshard_plan *plan, bool slice_first)
{
	struct sr_arena *arena = plan->arena;
	struct sr_axes *reduced_axes = SR_NEW_ARRAY(arena, struct sr_axes, 2), *new_unreduced_axes = reduced_axes + 1;
	struct sr_reshard_plan complete_plan = *plan;
	struct sr_reshard_step reduce = {.code = SR_OP_sdy_all_reduce,
					 .axes = reduced_axes,
					 .dims = sr_axes_by_dim(arena, plan->in)},
			       early_slice, late_slice;
	size_t i = 0;
	if (sr_axes_equal(plan->in->unreduced, plan->out->unreduced))
		return;
	sr_axes_difference(arena, plan->in->unreduced, plan->out->unreduced, reduced_axes);
	sr_axes_difference(arena, plan->out->unreduced, plan->in->unreduced, new_unreduced_axes);
	memset(&complete_plan.steps, 0, sizeof complete_plan.steps);
	if (reduced_axes->n && slice_first && plan->steps.n && plan->steps.data[0].code == SR_OP_sdy_all_slice &&
	    split_slice(plan, &plan->steps.data[0], *reduced_axes, &early_slice, &late_slice)) {
		reduce.dims = early_slice.dims;
		sr_push(arena, &complete_plan.steps, early_slice);
		sr_push(arena, &complete_plan.steps, reduce);
		if (has_any_axes(late_slice.axes, plan->rank))
			sr_push(arena, &complete_plan.steps, late_slice);
		i = 1;
	} else if (reduced_axes->n) {
		sr_push(arena, &complete_plan.steps, reduce);
	}
	for (; i < plan->steps.n; i++)
		sr_push(arena, &complete_plan.steps, plan->steps.data[i]);
	if (new_unreduced_axes->n)
		sr_push(arena, &complete_plan.steps,
			(struct sr_reshard_step){.code = SR_OP_sdy_replicated_to_unreduced,
					       .axes = new_unreduced_axes,
					       .dims = sr_axes_by_dim(arena, plan->out)});
	*plan = complete_plan;
}

/* ---------------------------------------------------------------- ops */

/* Return the sharding after a step. `at`: sharding that has the mesh and the unreduced axes. */
static const struct sr_attr *sharding_after(struct sr_context *ctx, const struct sr_reshard_plan *plan,
					    const struct sr_reshard_step *step, const struct sr_sharding *at)
{
	struct sr_dim_sharding *dims = SR_NEW_ARRAY(ctx->arena, struct sr_dim_sharding, plan->rank);
	for (int d = 0; d < plan->rank; d++)
		dims[d] = (struct sr_dim_sharding){.axes = step->dims[d], .closed = true, .priority = -1};
	struct sr_sharding s = {.mesh_name = at->mesh_name,
				.mesh = at->mesh,
				.dims = dims,
				.rank = plan->rank,
				.unreduced = at->unreduced,
				.unreduced_kind = at->unreduced_kind};
	return sr_sharding_attr(ctx, plan->mesh, &s);
}

/* Update mesh and unreduced axes after a step: a permute changes to the device order of the output's mesh, a reduction removes
 * unreduced axes. */
static void update_mesh_and_unreduced(const struct sr_reshard_plan *plan, const struct sr_reshard_step *step,
				      struct sr_sharding *at)
{
	if (step->code == SR_OP_sdy_collective_permute) {
		at->mesh = plan->out->mesh;
		at->mesh_name = plan->out->mesh_name;
	} else if (sr_collective_reduces(step->code)) {
		for (int d = 0; d < (step->code == SR_OP_sdy_all_reduce ? 1 : plan->rank); d++)
			sr_axes_difference(plan->arena, at->unreduced, step->axes[d], &at->unreduced);
		if (!at->unreduced.n)
			at->unreduced_kind = SR_UNREDUCED_SUM;
	} else if (step->code == SR_OP_sdy_replicated_to_unreduced) {
		at->unreduced = plan->out->unreduced;
		at->unreduced_kind = plan->out->unreduced_kind;
	}
}

struct sr_value *sr_reshard_plan_emit(struct sr_context *ctx, const struct sr_reshard_plan *plan, struct sr_op *op,
				      struct sr_value *v)
{
	struct sr_builder b = {.ctx = ctx, .anchor = op, .loc = op->loc};
	struct sr_sharding at = *plan->in;
	for (size_t i = 0; i < plan->steps.n; i++) {
		const struct sr_reshard_step *step = &plan->steps.data[i];
		update_mesh_and_unreduced(plan, step, &at);
		struct sr_collective c = {.code = step->code,
					  .mesh = plan->mesh,
					  .axes = step->axes,
					  .src = step->src,
					  .tgt = step->tgt,
					  .kind = plan->in->unreduced_kind,
					  .out = sharding_after(ctx, plan, step, &at),
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
