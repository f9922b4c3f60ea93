/* Builders of the reshards and all_reduces around an op. */
#include "partition/collective.h"
#include "dialect/attr_names.h"
#include "partition/insert_reshards/explicit_reshards.h"

struct sr_builder sr_builder_before(struct sr_context *ctx, struct sr_op *op)
{
	return (struct sr_builder){.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc};
}

struct sr_builder sr_builder_after(struct sr_context *ctx, struct sr_value *v)
{
	struct sr_block *block = v->def ? v->def->block : v->block;
	return (struct sr_builder){.ctx = ctx, .block = block, .anchor = v->def ? v->def->next : block->first,
				   .loc = v->def ? v->def->loc : v->loc};
}

static void set_loc(struct sr_builder *at, const struct sr_value *v)
{
	at->loc = v->def ? v->def->loc : v->loc;
}

struct sr_value *sr_build_reshard(struct sr_builder *at, struct sr_value *v, const struct sr_attr *sharding)
{
	struct sr_named_attr attr = {SR_NAME_sharding, sharding};
	set_loc(at, v);
	return sr_result(sr_build(at, SR_OP_sdy_reshard, &v, 1, &attr, 1, &v->type, 1), 0);
}

struct sr_value *sr_build_all_reduce(struct sr_builder *at, struct sr_value *v, struct sr_axes axes, const struct sr_mesh *mesh,
				     enum sr_unreduced_kind kind, const struct sr_attr *sharding)
{
	struct sr_collective c = {.code = SR_OP_sdy_all_reduce, .mesh = mesh, .axes = &axes, .kind = kind, .out = sharding};
	set_loc(at, v);
	return sr_collective_build(at, &c, v);
}

static bool is_used_by_other(void *data, struct sr_use *use)
{
	return use->owner != data;
}

void sr_value_replace_except(struct sr_value *v, struct sr_value *replacement, struct sr_op *but)
{
	sr_value_replace_if(v, replacement, is_used_by_other, but);
}

static bool has_axes(const struct sr_sdy_sharding *s)
{
	for (int d = 0; d < s->rank; d++)
		if (s->dims[d].axes.n)
			return true;
	return false;
}

static bool has_same_device_order(const struct sr_mesh *a, const struct sr_mesh *b)
{
	if (!a || !b || a->n_device_ids != b->n_device_ids)
		return a == b;
	for (int i = 0; i < a->n_device_ids; i++)
		if (a->device_ids[i] != b->device_ids[i])
			return false;
	return true;
}

static bool is_on_other_mesh(const struct sr_op_view *v, int tensor)
{
	const struct sr_sdy_sharding *s = v->shardings[tensor] ? v->shardings[tensor]->sharding : NULL;
	return s && has_axes(s) && !has_same_device_order(sr_sharding_mesh(v->module, s), v->mesh.mesh);
}

void sr_op_view_insert_reshards(struct sr_op_view *v, const bool *is_changed)
{
	int n_operands = v->rule->n_operands;
	struct sr_builder at = sr_builder_before(v->ctx, v->op), builder_after_op = at;
	builder_after_op.anchor = v->op->next;
	for (int t = 0; t < n_operands; t++)
		if (is_changed[t] || is_on_other_mesh(v, t))
			sr_op_set_operand(v->op, t, sr_build_reshard(&at, sr_operand(v->op, t), sr_op_view_sharding(v, t)));
	for (int t = n_operands; t < v->n_tensors; t++) {
		struct sr_value *result = sr_result(v->op, t - n_operands);
		if (!is_changed[t] && !is_on_other_mesh(v, t))
			continue;
		struct sr_value *out = sr_build_reshard(&builder_after_op, result,
							sr_sharding_or_replicated(v->ctx, result, v->mesh));
		sr_value_replace_except(result, out, out->def);
		sr_value_set_sharding(v->ctx, result, sr_op_view_sharding(v, t));
	}
}

static struct sr_axes unreduced_of_result(const struct sr_op_view *v)
{
	const struct sr_attr *s = sr_value_sharding(v->ctx, sr_result(v->op, 0));
	return s ? sr_axes_resolve(v->ctx->scratch, v->mesh.mesh, s->sharding->unreduced) : (struct sr_axes){0};
}

/* Set *out to the union of the reduction factors' axes: those in `common` or, without the full version, those on which all tensors
 * agree. */
static enum sr_status reduction_axes(struct sr_op_view *v, const struct sr_axes *common, bool is_full, struct sr_axes *out)
{
	*out = (struct sr_axes){0};
	if (!is_full && unreduced_of_result(v).n == 0)
		return SR_OK;
	for (int i = 0; i < v->rule->reduction.n; i++) {
		int f = v->rule->reduction.indices[i];
		struct sr_axes axes;
		if (is_full)
			axes = common[f];
		else if (!sr_factor_agreed(v, f, &axes))
			return sr_op_error(
				v->op, &v->ctx->diags, SR_UNSUPPORTED,
				"has an unreduced result, but operands that are sharded differently along a reduction factor");
		*out = sr_axes_concat(v->ctx->scratch, *out, axes);
	}
	return SR_OK;
}

enum sr_status sr_op_view_insert_all_reduces(struct sr_op_view *v, const struct sr_axes *common, bool is_full)
{
	struct sr_arena *arena = v->ctx->scratch;
	struct sr_axes axes, remaining_axes = {0};
	if (v->op->n_results == 0)
		return SR_OK;
	enum sr_status status = reduction_axes(v, common, is_full, &axes);
	if (status || axes.n == 0)
		return status;
	if (!sr_axes_difference(arena, axes, unreduced_of_result(v), &remaining_axes))
		return sr_op_error(v->op, &v->ctx->diags, SR_UNSUPPORTED,
				   "has unreduced axes that cannot be split from its reduction axes");
	if (remaining_axes.n == 0)
		return SR_OK;
	remaining_axes = sr_axes_sort_and_merge(arena, v->mesh.mesh, remaining_axes);
	struct sr_builder builder = sr_builder_after(v->ctx, sr_result(v->op, 0));
	for (int i = 0; i < v->op->n_results; i++) {
		struct sr_value *result = sr_result(v->op, i);
		const struct sr_attr *sharding = sr_sharding_or_replicated(v->ctx, result, v->mesh);
		enum sr_unreduced_kind kind = v->reduces_by ? *v->reduces_by : sharding->sharding->unreduced_kind;
		struct sr_value *out = sr_build_all_reduce(&builder, result, remaining_axes, v->mesh.mesh, kind, sharding);
		sr_value_replace_except(result, out, out->def);
	}
	return SR_OK;
}

/* ---------------------------------------------------------------- reduce_scatter */

/* Find the axes by which each dimension of the sharding `target` extends that of the partial results. Returns false if the value is
 * not sharded in this way, or along axes that are not reduced. remaining_axes: the reduced axes that are not scattered. */
static bool find_scattered_axes(const struct sr_op_view *v, const struct sr_attr *partial_attr, const struct sr_attr *target,
				struct sr_axes reduced_axes, struct sr_axes *scattered_axes, struct sr_axes *remaining_axes)
{
	struct sr_arena *arena = v->ctx->scratch;
	const struct sr_sharding *partial_sharding = sr_sharding_resolve(arena, v->mesh.mesh, partial_attr->sharding),
				 *to = sr_sharding_resolve(arena, v->mesh.mesh, target->sharding);
	bool is_any_scattered = false;
	*remaining_axes = reduced_axes;
	for (int d = 0; d < partial_sharding->rank; d++) {
		struct sr_axes prefix = partial_sharding->dims[d].axes, axes = to->dims[d].axes, unscattered_axes, removed_axes;
		if (sr_axes_equal(prefix, axes))
			continue;
		if (!sr_axes_is_strict_prefix(prefix, axes) || !sr_axes_difference(arena, axes, prefix, &scattered_axes[d]) ||
		    !sr_axes_difference(arena, scattered_axes[d], *remaining_axes, &removed_axes) || removed_axes.n ||
		    !sr_axes_difference(arena, *remaining_axes, scattered_axes[d], &unscattered_axes))
			return false;
		*remaining_axes = unscattered_axes;
		is_any_scattered = true;
	}
	return is_any_scattered;
}

bool sr_op_view_insert_reduce_scatter(struct sr_op_view *v, const struct sr_axes *axes, bool *is_changed)
{
	int t = v->rule->n_operands;
	struct sr_value *result = v->op->n_results == 1 ? sr_result(v->op, 0) : NULL, *out;
	const struct sr_attr *target = result ? v->shardings[t] : NULL, *partial_attr;
	struct sr_axes reduced_axes = {0}, remaining_axes, *scattered_axes;
	if (!target || target->sharding->unreduced.n || is_on_other_mesh(v, t))
		return false;
	for (int i = 0; i < v->rule->reduction.n; i++)
		reduced_axes = sr_axes_concat(v->ctx->scratch, reduced_axes, axes[v->rule->reduction.indices[i]]);
	partial_attr = sr_op_view_sharding(v, t);
	scattered_axes = SR_NEW_ARRAY(v->ctx->scratch, struct sr_axes, result->type->rank);
	if (!reduced_axes.n || !find_scattered_axes(v, partial_attr, target, reduced_axes, scattered_axes, &remaining_axes))
		return false;
	struct sr_collective c = {.code = SR_OP_sdy_reduce_scatter, .mesh = v->mesh.mesh, .axes = scattered_axes, .out = target,
				  .kind = v->reduces_by ? *v->reduces_by : SR_UNREDUCED_SUM};
	struct sr_builder builder = sr_builder_after(v->ctx, result);
	out = sr_collective_build(&builder, &c, result);
	struct sr_op *first = out->def;
	if (remaining_axes.n && !sr_collective_starts_from_identity(v->ctx, first)) {
		sr_op_erase(first);
		return false;
	}
	remaining_axes = sr_axes_sort_and_merge(v->ctx->scratch, v->mesh.mesh, remaining_axes);
	if (remaining_axes.n)
		out = sr_build_all_reduce(&builder, out, remaining_axes, v->mesh.mesh, c.kind, target);
	sr_value_replace_except(result, out, first);
	sr_value_set_sharding(v->ctx, result, partial_attr);
	is_changed[t] = false;
	return true;
}
