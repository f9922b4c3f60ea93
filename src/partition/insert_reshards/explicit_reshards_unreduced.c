/* Unreduced axes: insert the all_reduce where an unreduced value is read as reduced, and the collectives that make a reduced
 * value unreduced. */
#include "partition/collective.h"
#include "partition/insert_reshards/explicit_reshards.h"

static const struct sr_mesh *mesh_of(const struct sr_op *module, const struct sr_attr *s)
{
	return s ? sr_sharding_mesh(module, s->sharding) : NULL;
}

const struct sr_attr *sr_sharding_with_unreduced(struct sr_context *ctx, const struct sr_mesh *mesh,
						 const struct sr_sdy_sharding *s, struct sr_axes axes)
{
	struct sr_sharding out = *sr_sharding_resolve(ctx->arena, mesh, s);
	out.unreduced = axes;
	if (axes.n == 0)
		out.unreduced_kind = SR_UNREDUCED_SUM;
	return sr_sharding_attr(ctx, mesh, &out);
}

const struct sr_attr *sr_reduce_unreduced(struct sr_context *ctx, struct sr_op *module, struct sr_builder *at, struct sr_use *use,
					  const struct sr_attr *source, const struct sr_attr *target, enum sr_status *status)
{
	struct sr_arena *arena = ctx->arena;
	if (!source || source->sharding->unreduced.n == 0)
		return source;
	const struct sr_mesh *mesh = mesh_of(module, source);
	struct sr_axes source_axes = sr_axes_resolve(arena, mesh, source->sharding->unreduced), target_axes = {0}, reduce = {0},
		       remaining_axes = {0};
	if (target && !(mesh_of(module, target) && sr_mesh_equal(mesh, mesh_of(module, target)))) {
		*status = sr_op_error(use->owner, &ctx->diags, SR_UNSUPPORTED, "reads an unreduced value of another mesh");
		return source;
	}
	if (target)
		target_axes = sr_axes_resolve(arena, mesh, target->sharding->unreduced);
	if (!sr_axes_difference(arena, source_axes, target_axes, &reduce) ||
	    !sr_axes_difference(arena, source_axes, reduce, &remaining_axes)) {
		*status = sr_op_error(use->owner, &ctx->diags, SR_UNSUPPORTED, "has unreduced axes that cannot be split");
		return source;
	}
	if (reduce.n == 0)
		return source;
	const struct sr_attr *sharding = sr_sharding_with_unreduced(ctx, mesh, source->sharding, remaining_axes);
	sr_use_set(use, sr_build_all_reduce(at, use->value, reduce, mesh, source->sharding->unreduced_kind, sharding));
	return sharding;
}

/* Axes that become unreduced, divided into those that shard a dimension and those that are replicated. */
struct new_unreduced {
	struct sr_arena *arena;
	struct sr_axes new_axes;           /* axes along which the value becomes unreduced */
	struct sr_axes sharded_axes;       /* axes in `new_axes` that shard a dimension of the operand */
	struct sr_axes *sharded_axes_by_dim;       /* axes in `sharded_axes` of each dimension; length: rank */
	/* sharding of each dimension before the axes in `sharded_axes` are removed from it; length: rank */
	struct sr_dim_sharding *dims;
	bool needs_reshard;                 /* true if some dimension needs a reshard first */
};

/* Return the axes of `in` after its prefix `out`; the last axis of the prefix may be split. */
static struct sr_axes axes_after_prefix(struct sr_arena *arena, struct sr_axes in, struct sr_axes out)
{
	struct sr_axes diff = {0};
	struct sr_axis_ref suffix;
	if (out.n && !sr_axis_ref_equal(out.refs[out.n - 1], in.refs[out.n - 1]) &&
	    sr_axis_suffix_without_overlap(in.refs[out.n - 1], out.refs[out.n - 1], &suffix))
		diff = sr_axes_append(arena, diff, suffix);
	return sr_axes_concat(arena, diff, (struct sr_axes){in.refs + out.n, in.n - out.n});
}

static void add_dim(struct new_unreduced *m, int dim, struct sr_axes in, struct sr_axes out)
{
	struct sr_axes unmatched_axes = {0};
	if (sr_axes_equal(in, out))
		return;
	if (!sr_axes_is_strict_prefix(out, in)) {
		m->needs_reshard = true;
		return;
	}
	struct sr_axes diff = axes_after_prefix(m->arena, in, out);
	if (!sr_axes_difference(m->arena, diff, m->new_axes, &unmatched_axes) || unmatched_axes.n) {
		m->needs_reshard = true;
		return;
	}
	m->sharded_axes_by_dim[dim] = diff;
	m->sharded_axes = sr_axes_concat(m->arena, m->sharded_axes, diff);
	m->dims[dim].axes = in;
}

static struct sr_value *build_collective(struct sr_builder *at, struct sr_value *v, struct sr_collective c)
{
	at->loc = v->def ? v->def->loc : v->loc;
	return sr_collective_build(at, &c, v);
}

/* Build the collectives: reshard the dimensions, then make replicated axes unreduced (keeps the local size), then sharded ones
 * (increases it). */
static const struct sr_attr *build(struct sr_context *ctx, const struct sr_mesh *mesh, struct sr_builder *at, struct sr_use *use,
				   const struct sr_sharding *in, const struct sr_attr *target, struct new_unreduced *m)
{
	struct sr_value *v = use->value;
	struct sr_sharding intermediate = *in;
	struct sr_axes replicated_axes = {0};
	const struct sr_attr *last = NULL;
	intermediate.dims = m->dims;
	if (m->needs_reshard) {
		last = sr_sharding_attr(ctx, mesh, &intermediate);
		v = sr_build_reshard(at, v, last);
	}
	sr_axes_difference(ctx->arena, m->new_axes, m->sharded_axes, &replicated_axes);
	if (replicated_axes.n) {
		const struct sr_sharding *out = sr_sharding_resolve(ctx->arena, mesh, target->sharding);
		intermediate.replicated = out->replicated;
		intermediate.unreduced_kind = out->unreduced_kind;
		intermediate.unreduced =
			sr_axes_sort_and_merge(ctx->arena, mesh, sr_axes_concat(ctx->arena, in->unreduced, replicated_axes));
		last = sr_sharding_attr(ctx, mesh, &intermediate);
		v = build_collective(at, v,
				     (struct sr_collective){.code = SR_OP_sdy_replicated_to_unreduced,
							    .mesh = mesh,
							    .axes = &replicated_axes,
							    .out = last});
	}
	if (m->sharded_axes.n) {
		last = target;
		v = build_collective(
		    at, v,
		    (struct sr_collective){
			.code = SR_OP_sdy_sharded_to_unreduced, .mesh = mesh, .axes = m->sharded_axes_by_dim, .out = last});
	}
	if (v != use->value)
		sr_use_set(use, v);
	return last;
}

const struct sr_attr *sr_make_unreduced(struct sr_context *ctx, struct sr_op *module, struct sr_builder *at, struct sr_use *use,
					const struct sr_attr *target, enum sr_status *status)
{
	struct sr_arena *arena = ctx->arena;
	const struct sr_attr *source = sr_value_sharding(ctx, use->value);
	if (!source || !target || target->sharding->unreduced.n == 0)
		return NULL;
	const struct sr_mesh *mesh = mesh_of(module, source);
	if (!mesh || !mesh_of(module, target) || !sr_mesh_equal(mesh, mesh_of(module, target))) {
		*status = sr_op_error(use->owner, &ctx->diags, SR_UNSUPPORTED, "makes a value of another mesh unreduced");
		return NULL;
	}
	const struct sr_sharding *in = sr_sharding_resolve(arena, mesh, source->sharding);
	const struct sr_sharding *out = sr_sharding_resolve(arena, mesh, target->sharding);
	struct new_unreduced m = {.arena = arena};
	struct sr_axes lost_axes = {0};
	bool has_new_axes = sr_axes_difference(arena, out->unreduced, in->unreduced, &m.new_axes) &&
		     sr_axes_difference(arena, in->unreduced, out->unreduced, &lost_axes);
	if (has_new_axes && m.new_axes.n == 0)
		return NULL;
	if (!has_new_axes || lost_axes.n || in->rank != out->rank) {
		*status = sr_op_error(use->owner, &ctx->diags, SR_UNSUPPORTED, "adds and removes unreduced axes at once");
		return NULL;
	}
	m.sharded_axes_by_dim = SR_NEW_ARRAY(arena, struct sr_axes, in->rank);
	m.dims = sr_dup(arena, out->dims, (size_t)out->rank, sizeof *m.dims);
	for (int d = 0; d < in->rank; d++)
		add_dim(&m, d, in->dims[d].axes, out->dims[d].axes);
	return build(ctx, mesh, at, use, in, target, &m);
}
