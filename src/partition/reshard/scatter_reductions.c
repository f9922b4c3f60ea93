/* shardrun-scatter-reductions: an all_reduce followed by an all_slice becomes a slice, a reduce_scatter and a smaller
 * all_reduce.
 *
 *	mesh <["x"=2, "y"=2, "z"=2]>, partial sums along "x" and "y" of r bytes
 *	%1 = sdy.all_reduce {"x", "y"} %0             3r/2
 *	%2 = sdy.all_slice [{"z", "x"}] %1
 *  becomes
 *	%1 = sdy.all_slice [{"z"}] %0
 *	%2 = sdy.reduce_scatter [{"x"}] %1            r/4
 *	%3 = sdy.all_reduce {"y"} %2                  r/4
 *
 * Upstream's pattern requires that all reduced axes are sliced, and before all others. Requires: sdy collectives. Unchanged: an
 * all_reduce with other readers, extents that the shards do not divide. */
#include "dialect/ops.h"
#include "dialect/attr_names.h"
#include "partition/collective.h"
#include "partition/local/pad.h"
#include "partition/partition_passes.h"
#include "partition/reshard/reshard_plan.h"

struct reduction_scattering {
	struct sr_arena *arena;
	struct sr_reshard_plan plan;
	/* axes that are still to be sliced, and axes sliced so far, per dimension; length: rank */
	struct sr_axis_list *axes_to_slice, *sliced_so_far;
	struct sr_axis_list reduced_axes;  /* axes along which the value is still a partial sum */
};

static bool is_axis_reduced(const struct reduction_scattering *s, struct sr_axis_ref ref)
{
	for (size_t i = 0; i < s->reduced_axes.n; i++)
		if (sr_axis_overlaps(s->reduced_axes.data[i], ref))
			return true;
	return false;
}

static struct sr_axes *axes_of_lists(struct reduction_scattering *s, const struct sr_axis_list *lists)
{
	struct sr_axes *axes = SR_NEW_ARRAY(s->arena, struct sr_axes, s->plan.rank);
	for (int d = 0; d < s->plan.rank; d++)
		axes[d] = sr_axis_list_axes(s->arena, &lists[d]);
	return axes;
}

/* Append a step, all_slice or reduce_scatter, over as many axes at the front of each dimension's list as possible. */
static bool take_leading_axes(struct reduction_scattering *s, enum sr_op_code code)
{
	struct sr_axis_list *leading_axes = SR_NEW_ARRAY(s->arena, struct sr_axis_list, s->plan.rank);
	bool is_any_taken = false, is_reduce_scatter = code == SR_OP_sdy_reduce_scatter;
	for (int d = 0; d < s->plan.rank; d++) {
		struct sr_axis_list *list = &s->axes_to_slice[d];
		while (list->n && (is_reduce_scatter ? sr_axis_list_has(&s->reduced_axes, list->data[0])
						     : !is_axis_reduced(s, list->data[0]))) {
			sr_axis_list_merge(s->arena, &leading_axes[d], list->data[0]);
			sr_axis_list_merge(s->arena, &s->sliced_so_far[d], list->data[0]);
			sr_axis_list_remove(&s->reduced_axes, list->data[0]);
			sr_axis_list_erase(list, 0);
			is_any_taken = true;
		}
	}
	if (is_any_taken)
		sr_push(s->arena, &s->plan.steps,
			(struct sr_reshard_step){
			    .code = code, .axes = axes_of_lists(s, leading_axes), .dims = axes_of_lists(s, s->sliced_so_far)});
	return is_any_taken;
}

static bool are_all_axes_sliced(const struct reduction_scattering *s)
{
	for (int d = 0; d < s->plan.rank; d++)
		if (s->axes_to_slice[d].n)
			return false;
	return true;
}

static bool plan_steps(struct reduction_scattering *s)
{
	for (bool has_changed = true; has_changed;) {
		has_changed = take_leading_axes(s, SR_OP_sdy_all_slice);
		has_changed |= take_leading_axes(s, SR_OP_sdy_reduce_scatter);
	}
	if (s->reduced_axes.n) {
		struct sr_axes *axes = SR_NEW(s->arena, struct sr_axes);
		*axes = sr_axes_sort_and_merge(s->arena, s->plan.mesh, sr_axis_list_axes(s->arena, &s->reduced_axes));
		sr_push(s->arena, &s->plan.steps,
			(struct sr_reshard_step){
			    .code = SR_OP_sdy_all_reduce, .axes = axes, .dims = axes_of_lists(s, s->sliced_so_far)});
	}
	/* Some axes remain unsliced if overlapping sub-axes exclude each other. */
	return are_all_axes_sliced(s);
}

/* Read the two ops. Returns false if extents are not divisible, or the mesh is not known. */
static bool set_up(struct reduction_scattering *s, struct sr_context *ctx, struct sr_op *reduce, struct sr_op *slice)
{
	struct sr_value *v = sr_operand(reduce, 0);
	const struct sr_attr *sharding = sr_value_sharding(ctx, v), *axes = sr_op_attr(slice, SR_NAME_slicing_axes);
	const struct sr_sdy_sharding *out = sr_op_attr(slice, SR_NAME_out_sharding)->sharding;
	const struct sr_mesh *mesh = sr_sharding_mesh(sr_op_module(slice), out);
	struct sr_sdy_sharding replicated_sharding = sr_sdy_replicated_sharding(ctx->arena, out->mesh_name, v->type->rank, true);
	replicated_sharding.mesh = out->mesh;
	if (!mesh || (sharding && sharding->sharding->rank != v->type->rank) || axes->n != v->type->rank)
		return false;
	struct sr_sharding *in = sr_sharding_resolve(ctx->arena, mesh, sharding ? sharding->sharding : &replicated_sharding);
	in->unreduced_kind = sr_collective_kind(reduce);
	*s = (struct reduction_scattering){.arena = ctx->arena,
					   .axes_to_slice = SR_NEW_ARRAY(ctx->arena, struct sr_axis_list, axes->n),
					   .sliced_so_far = sr_axis_lists_of(ctx->arena, in)};
	s->plan = (struct sr_reshard_plan){.arena = ctx->arena,
					   .mesh = mesh,
					   .rank = v->type->rank,
					   .shape = v->type->shape,
					   .in = in,
					   .out = sr_sharding_resolve(ctx->arena, mesh, out),
					   .is_same_mesh = true};
	sr_axis_list_extend(ctx->arena, &s->reduced_axes,
			    sr_axes_resolve(ctx->arena, mesh, *sr_op_attr(reduce, SR_NAME_reduction_axes)->axes));
	for (int d = 0; d < axes->n; d++) {
		sr_axis_list_extend(ctx->arena, &s->axes_to_slice[d], sr_axes_resolve(ctx->arena, mesh, *axes->list[d]->axes));
		int64_t shards = sr_axis_list_size(&s->sliced_so_far[d]) * sr_axis_list_size(&s->axes_to_slice[d]);
		if (s->axes_to_slice[d].n && v->type->shape[d] % shards)
			return false;
	}
	sr_axis_lists_align(ctx->arena, s->axes_to_slice, axes->n, &s->reduced_axes, 1);
	sr_axis_lists_align(ctx->arena, &s->reduced_axes, 1, s->axes_to_slice, axes->n);
	return true;
}

/* Return true unless the init value of the reduction would be combined more than once: if it is not the identity, one
 * reduce_scatter must reduce along all axes, with no slice before it. */
static bool init_is_added_once(struct reduction_scattering *s, struct sr_context *ctx, const struct sr_op *reduce)
{
	int collectives = 0;
	for (size_t i = 0; i < s->plan.steps.n; i++)
		collectives += s->plan.steps.data[i].code != SR_OP_sdy_all_slice;
	return sr_collective_starts_from_identity(ctx, reduce) ||
	       (s->plan.steps.data[0].code == SR_OP_sdy_reduce_scatter && collectives == 1);
}

static bool visit(void *data, struct sr_op *slice)
{
	struct sr_context *ctx = data;
	struct sr_op *reduce = sr_op_is(slice, SR_OP_sdy_all_slice) ? sr_operand(slice, 0)->def : NULL;
	struct reduction_scattering s;
	if (!reduce || !sr_op_is(reduce, SR_OP_sdy_all_reduce) || sr_result(reduce, 0)->uses->next ||
	    !set_up(&s, ctx, reduce, slice) || !plan_steps(&s) || !init_is_added_once(&s, ctx, reduce))
		return true;
	sr_value_replace_all(sr_result(slice, 0), sr_reshard_plan_emit(ctx, &s.plan, reduce, sr_operand(reduce, 0)));
	sr_op_erase(slice);
	sr_op_erase(reduce);
	return true;
}

enum sr_status sr_scatter_reductions(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	(void)options;
	sr_walk(module, visit, ctx);
	return SR_OK;
}
