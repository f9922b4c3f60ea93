/* Patterns of sdy's collectives on a global module. */
#include "dialect/signature.h"
#include "dialect/attr_names.h"
#include "dialect/ops.h"
#include "optimize/patterns/patterns.h"
#include "support/vec.h"
#include <stdlib.h>

/* Return the attribute of a collective that lists its axes; its name differs from op to op. */
static const struct sr_attr *axes_of(const struct sr_op *op)
{
	for (int i = 0; i < op->n_attrs; i++)
		if (op->attrs[i].value->kind == SR_ATTR_AXES || op->attrs[i].value->kind == SR_ATTR_AXES_LIST)
			return op->attrs[i].value;
	return NULL;
}

static struct sr_op *operand_of(const struct sr_op *op, enum sr_op_code code)
{
	struct sr_op *def = sr_operand(op, 0)->def;
	return def && sr_op_is(def, code) ? def : NULL;
}

static bool is_empty(const struct sr_attr *axes)
{
	if (axes->kind == SR_ATTR_AXES)
		return axes->axes->n == 0;
	for (int i = 0; i < axes->n; i++)
		if (axes->list[i]->axes->n)
			return false;
	return true;
}

/* Collective without axes -> operand. */
bool sr_pattern_empty_collective(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_attr *axes = axes_of(op);
	if (!axes || !is_empty(axes))
		return false;
	sr_rewrite_replace(rw, op, sr_operand(op, 0));
	return true;
}

/* collective_permute to its operand's sharding -> operand. */
bool sr_pattern_permute_noop(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_attr *in = sr_value_sharding(rw->ctx, sr_operand(op, 0)), *out = sr_op_attr(op, SR_NAME_out_sharding);
	const struct sr_mesh *mesh = out ? sr_sharding_mesh(sr_op_module(op), out->sharding) : NULL;
	if (!in || !mesh || sr_sharding_mesh(sr_op_module(op), in->sharding) != mesh)
		return false;
	const struct sr_sharding *in_sharding = sr_sharding_resolve(rw->ctx->scratch, mesh, in->sharding),
				 *out_sharding = sr_sharding_resolve(rw->ctx->scratch, mesh, out->sharding);
	if (!sr_sharding_same_axes(in_sharding, out_sharding) || !sr_axes_equal(in_sharding->unreduced, out_sharding->unreduced))
		return false;
	sr_rewrite_replace(rw, op, sr_operand(op, 0));
	return true;
}

static bool cancel_inverse(struct sr_rewriter *rw, struct sr_op *op, enum sr_op_code inverse)
{
	const struct sr_op *inner = operand_of(op, inverse);
	if (!inner || axes_of(inner) != axes_of(op))
		return false;
	sr_rewrite_replace(rw, op, sr_operand(inner, 0));
	return true;
}

/* all_slice(all_gather(x)) along the same axes -> x. */
bool sr_pattern_slice_of_gather(struct sr_rewriter *rw, struct sr_op *op)
{
	return cancel_inverse(rw, op, SR_OP_sdy_all_gather);
}

/* all_reduce(replicated_to_unreduced(x)) along the same axes -> x. */
bool sr_pattern_reduce_of_unreduced(struct sr_rewriter *rw, struct sr_op *op)
{
	return cancel_inverse(rw, op, SR_OP_sdy_replicated_to_unreduced);
}

static struct sr_op *build_collective(struct sr_rewriter *rw, struct sr_op *anchor, enum sr_op_code code, struct sr_value *operand,
				      const struct sr_named_attr *attrs, int n)
{
	struct sr_builder b = sr_rewrite_before(rw, anchor);
	struct sr_op *op = sr_build(&b, code, &operand, 1, attrs, n, &operand->type, 1);
	sr_rewrite_notify_inserted(rw, op);
	return op;
}

/* all_reduce(sharded_to_unreduced(x)) along the same axes -> all_gather(x). */
bool sr_pattern_reduce_of_sharded(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_op *inner = operand_of(op, SR_OP_sdy_sharded_to_unreduced);
	struct sr_arena *arena = rw->ctx->arena;
	if (!inner)
		return false;
	const struct sr_attr *out = sr_op_attr(inner, SR_NAME_out_sharding), *lists = axes_of(inner), *reduced_axes = axes_of(op);
	const struct sr_mesh *mesh = sr_sharding_mesh(sr_op_module(op), out->sharding);
	SR_VEC(struct sr_axis_ref) all = {0};
	for (int i = 0; i < lists->n; i++)
		for (int k = 0; k < lists->list[i]->axes->n; k++)
			sr_push(arena, &all, sr_axis_resolve(mesh, lists->list[i]->axes->refs[k]));
	struct sr_axes sorted_axes = sr_axes_sort_and_merge(arena, mesh, (struct sr_axes){all.data, (int)all.n});
	if (!sr_axes_equal(sorted_axes, sr_axes_resolve(arena, mesh, *reduced_axes->axes)))
		return false;
	struct sr_named_attr attrs[] = {{SR_NAME_gathering_axes, lists}, {SR_NAME_out_sharding, sr_op_attr(op, SR_NAME_out_sharding)}};
	struct sr_op *gather = build_collective(rw, op, SR_OP_sdy_all_gather, sr_operand(inner, 0), attrs, 2);
	sr_rewrite_replace(rw, op, sr_result(gather, 0));
	return true;
}

/* ---------------------------------------------------------------- all_to_all */

static int64_t param_dim(const struct sr_attr *param, const char *field)
{
	return sr_attr_field(param, field)->i;
}

static int compare_sources(const void *a, const void *b)
{
	int64_t x = param_dim(*(const struct sr_attr *const *)a, SR_NAME_src_dim);
	int64_t y = param_dim(*(const struct sr_attr *const *)b, SR_NAME_src_dim);
	return (x > y) - (x < y);
}

/* Return true if a dimension is a source or target in both lists. */
static bool params_overlap(const struct sr_attr *a, const struct sr_attr *b)
{
	static const char *const fields[] = {SR_NAME_src_dim, SR_NAME_tgt_dim};
	for (int i = 0; i < a->n; i++)
		for (int k = 0; k < b->n; k++)
			for (int f = 0; f < 4; f++)
				if (param_dim(a->list[i], fields[f / 2]) == param_dim(b->list[k], fields[f % 2]))
					return true;
	return false;
}

/* all_to_all(all_to_all(x)), the inner one with one use and along other dimensions -> all_to_all(x) with the parameters of both,
 * sorted by source. */
bool sr_pattern_all_to_all_of_all_to_all(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_op *inner = operand_of(op, SR_OP_sdy_all_to_all);
	if (!inner || !sr_value_has_one_use(sr_result(inner, 0)))
		return false;
	const struct sr_attr *inner_params = sr_op_attr(inner, SR_NAME_params), *outer_params = sr_op_attr(op, SR_NAME_params);
	if (params_overlap(inner_params, outer_params))
		return false;
	int n = inner_params->n + outer_params->n;
	const struct sr_attr **joined_params = SR_NEW_ARRAY(rw->ctx->arena, const struct sr_attr *, n);
	for (int i = 0; i < n; i++)
		joined_params[i] = i < inner_params->n ? inner_params->list[i] : outer_params->list[i - inner_params->n];
	qsort(joined_params, (size_t)n, sizeof *joined_params, compare_sources);
	struct sr_named_attr attrs[] = {{SR_NAME_params, sr_attr_array(rw->ctx, joined_params, n)},
					{SR_NAME_out_sharding, sr_op_attr(op, SR_NAME_out_sharding)}};
	struct sr_op *new_op = build_collective(rw, op, SR_OP_sdy_all_to_all, sr_operand(inner, 0), attrs, 2);
	sr_rewrite_replace(rw, op, sr_result(new_op, 0));
	return true;
}

/* all_to_all without users -> nothing. */
bool sr_pattern_unused_all_to_all(struct sr_rewriter *rw, struct sr_op *op)
{
	if (sr_result(op, 0)->uses)
		return false;
	sr_rewrite_erase(rw, op);
	return true;
}

/* ---------------------------------------------------------------- reduce_scatter */

struct scatter_split {
	const struct sr_attr **scattered_axes,
	    **remaining_axes; /* scattered and remaining axes of each dimension, attributes of kind AXES */
	bool has_remaining;
};

static bool remove_ref(struct sr_sdy_axis *refs, int *n, struct sr_sdy_axis ref)
{
	for (int i = 0; i < *n; i++)
		if (sr_sdy_axis_equal(refs[i], ref)) {
			refs[i] = refs[--*n];
			return true;
		}
	return false;
}

/* Split each dimension's sliced axes into the longest prefix that is also reduced, and the rest. Return false unless all reduced
 * axes are used up. */
static bool split_axes(struct sr_context *ctx, const struct sr_attr *reduced_axes, const struct sr_attr *sliced_axes,
		       struct scatter_split *out)
{
	int n_remaining = reduced_axes->axes->n;
	struct sr_sdy_axis *remaining_axes = sr_dup(ctx->arena, reduced_axes->axes->refs, (size_t)n_remaining,
						    sizeof *remaining_axes);
	out->scattered_axes = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, sliced_axes->n);
	out->remaining_axes = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, sliced_axes->n);
	for (int d = 0; d < sliced_axes->n; d++) {
		struct sr_sdy_axes axes = *sliced_axes->list[d]->axes;
		int n = 0;
		while (n < axes.n && remove_ref(remaining_axes, &n_remaining, axes.refs[n]))
			n++;
		out->scattered_axes[d] = sr_attr_axes(ctx, axes.refs, n);
		out->remaining_axes[d] = sr_attr_axes(ctx, n < axes.n ? axes.refs + n : NULL, axes.n - n);
		out->has_remaining |= n < axes.n;
	}
	return n_remaining == 0;
}

/* Return the sharding of the reduce_scatter's result: the operand's axes followed by the scattered ones; replicated and unreduced
 * axes as in the all_slice. */
static const struct sr_attr *scattered_sharding(struct sr_rewriter *rw, const struct sr_op *reduce, const struct sr_op *slice,
						const struct scatter_split *s)
{
	struct sr_arena *arena = rw->ctx->arena;
	const struct sr_attr *in = sr_value_sharding(rw->ctx, sr_operand(reduce, 0));
	const struct sr_sdy_sharding *reduced_sharding = sr_op_attr(reduce, SR_NAME_out_sharding)->sharding;
	const struct sr_sdy_sharding *sliced_sharding = sr_op_attr(slice, SR_NAME_out_sharding)->sharding;
	const struct sr_mesh *mesh = sr_sharding_mesh(sr_op_module(reduce), reduced_sharding);
	struct sr_sharding out = *sr_sharding_resolve(arena, mesh, sliced_sharding);
	struct sr_dim_sharding *dims = SR_NEW_ARRAY(arena, struct sr_dim_sharding, out.rank);
	for (int d = 0; d < out.rank; d++) {
		struct sr_axes axes = in ? sr_axes_resolve(arena, mesh, in->sharding->dims[d].axes) : (struct sr_axes){0};
		axes = sr_axes_concat(arena, axes, sr_axes_resolve(arena, mesh, *s->scattered_axes[d]->axes));
		dims[d] = (struct sr_dim_sharding){axes, true, -1};
	}
	out.dims = dims;
	out.mesh_name = reduced_sharding->mesh_name;
	out.mesh = reduced_sharding->mesh;
	return sr_sharding_attr(rw->ctx, mesh, &out);
}

/* Return true if every user of `reduce` is an all_slice along the axes of `slice`, and none precedes `slice` in its block. */
static bool all_users_slice(const struct sr_op *reduce, const struct sr_op *slice)
{
	for (const struct sr_use *use = sr_result(reduce, 0)->uses; use; use = use->next) {
		const struct sr_op *user = use->owner;
		if (!sr_op_is(user, SR_OP_sdy_all_slice) || axes_of(user) != axes_of(slice))
			return false;
		if (user != slice && user->block == slice->block && sr_op_is_before(user, slice))
			return false;
	}
	return true;
}

/* all_slice(all_reduce(x)) -> reduce_scatter(x), and an all_slice along the axes that were not reduced. */
bool sr_pattern_reduce_scatter(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_context *ctx = rw->ctx;
	struct sr_op *reduce = operand_of(op, SR_OP_sdy_all_reduce);
	struct scatter_split s = {0};
	if (!reduce || !all_users_slice(reduce, op) || !split_axes(ctx, axes_of(reduce), axes_of(op), &s))
		return false;
	int rank = axes_of(op)->n;
	struct sr_named_attr attrs[] = {{SR_NAME_reduce_scatter_axes, sr_attr_axes_list(ctx, s.scattered_axes, rank)},
				   {SR_NAME_out_sharding, scattered_sharding(rw, reduce, op, &s)},
				   {SR_NAME_reduction_op, sr_op_attr(reduce, SR_NAME_reduction_op)}};
	struct sr_op *new_op = build_collective(rw, op, SR_OP_sdy_reduce_scatter, sr_operand(reduce, 0), attrs, 3);
	new_op->loc = reduce->loc;
	if (s.has_remaining) {
		struct sr_named_attr slice_attrs[] = {{SR_NAME_slicing_axes, sr_attr_axes_list(ctx, s.remaining_axes, rank)},
					  {SR_NAME_out_sharding, sr_op_attr(op, SR_NAME_out_sharding)}};
		new_op = build_collective(rw, op, SR_OP_sdy_all_slice, sr_result(new_op, 0), slice_attrs, 2);
	}
	while (sr_result(reduce, 0)->uses)
		sr_rewrite_replace(rw, sr_result(reduce, 0)->uses->owner, sr_result(new_op, 0));
	sr_rewrite_erase(rw, reduce);
	return true;
}
