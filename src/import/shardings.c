/* Where a value's sharding is kept, and shardings with their axes resolved. */
#include "import/shardings.h"
#include "import/edges/edge.h"
#include "support/vec.h"

struct sr_value *sr_shardable_value(struct sr_context *ctx, struct sr_value *v)
{
	struct sr_op *edge = sr_edge_op_of_target(ctx, v);
	if (edge)
		return sr_result(edge, 0);
	if (v->def)
		return v;
	struct sr_op *op = v->block->region->op;
	if (sr_op_is(op, SR_OP_func_func))
		return v;
	if (sr_op_is(op, SR_OP_stablehlo_async_start))
		return v->index < op->n_operands ? sr_operand(op, v->index) : NULL;
	return sr_edge_owner(ctx, v);
}

const struct sr_attr *sr_get_sharding(struct sr_context *ctx, struct sr_value *v)
{
	struct sr_value *at = sr_shardable_value(ctx, v);
	return at ? sr_value_sharding(ctx, at) : NULL;
}

void sr_set_sharding(struct sr_context *ctx, struct sr_value *v, const struct sr_attr *sharding)
{
	struct sr_value *at = sr_shardable_value(ctx, v);
	if (at)
		sr_value_set_sharding(ctx, at, sharding);
}

/* Every list of axes of a sharding through one function. */
typedef struct sr_axes axes_fn(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes);

static struct sr_sharding *map_axes(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_sharding *s, axes_fn *fn)
{
	struct sr_sharding *out = sr_dup(arena, s, 1, sizeof *s);
	struct sr_dim_sharding *dims = sr_dup(arena, s->dims, (size_t)s->rank, sizeof *dims);
	for (int d = 0; d < s->rank; d++)
		dims[d].axes = fn(arena, mesh, dims[d].axes);
	out->dims = dims;
	out->replicated = fn(arena, mesh, s->replicated);
	out->unreduced = fn(arena, mesh, s->unreduced);
	return out;
}

struct sr_sharding *sr_sharding_resolve(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_sharding *s)
{
	return map_axes(arena, mesh, s, sr_axes_resolve);
}

/* Whole axes as text has them, without a size. */
static struct sr_axes unresolve(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes)
{
	struct sr_axis_ref *refs = sr_dup(arena, axes.refs, (size_t)axes.n, sizeof *refs);
	for (int i = 0; i < axes.n; i++)
		if (refs[i].pre == 1 && refs[i].size == sr_mesh_axis_size(mesh, refs[i].axis))
			refs[i].size = 0;
	return (struct sr_axes){refs, axes.n};
}

const struct sr_attr *sr_sharding_attr(struct sr_context *ctx, const struct sr_mesh *mesh, const struct sr_sharding *s)
{
	return sr_attr_sharding(ctx, map_axes(ctx->scratch, mesh, s, unresolve));
}

static bool is_manual(struct sr_axis_ref ref, struct sr_axes manual)
{
	for (int i = 0; i < manual.n; i++)
		if (manual.refs[i].axis == ref.axis)
			return true;
	return false;
}

static int leading_manual(struct sr_axes axes, struct sr_axes manual)
{
	int n = 0;
	while (n < axes.n && is_manual(axes.refs[n], manual))
		n++;
	return n;
}

static struct sr_axes free_axes(struct sr_arena *arena, struct sr_axes axes, struct sr_axes manual)
{
	struct sr_axis_ref *refs = SR_NEWS(arena, struct sr_axis_ref, axes.n);
	int n = 0;
	for (int i = 0; i < axes.n; i++)
		if (!is_manual(axes.refs[i], manual))
			refs[n++] = axes.refs[i];
	return (struct sr_axes){refs, n};
}

struct sr_sharding sr_sharding_erase_manual(struct sr_arena *arena, const struct sr_sharding *s, struct sr_axes manual)
{
	struct sr_sharding out = *s;
	struct sr_dim_sharding *dims = sr_dup(arena, s->dims, (size_t)s->rank, sizeof *dims);
	if (manual.n == 0)
		return out;
	for (int d = 0; d < s->rank; d++) {
		int n = leading_manual(dims[d].axes, manual);
		if (n)
			dims[d].axes = (struct sr_axes){dims[d].axes.refs + n, dims[d].axes.n - n};
	}
	out.dims = dims;
	out.replicated = free_axes(arena, s->replicated, manual);
	out.unreduced = free_axes(arena, s->unreduced, manual);
	return out;
}

struct sr_sharding sr_sharding_add_manual(struct sr_arena *arena, const struct sr_sharding *outer, const struct sr_sharding *inner,
					  struct sr_axes manual)
{
	struct sr_sharding out = *outer;
	struct sr_dim_sharding *dims = sr_dup(arena, outer->dims, (size_t)outer->rank, sizeof *dims);
	for (int d = 0; d < outer->rank && d < inner->rank; d++) {
		struct sr_axes kept = {dims[d].axes.refs, leading_manual(dims[d].axes, manual)}, added = inner->dims[d].axes;
		struct sr_axis_ref *refs = SR_NEWS(arena, struct sr_axis_ref, kept.n + added.n);
		for (int i = 0; i < kept.n + added.n; i++)
			refs[i] = i < kept.n ? kept.refs[i] : added.refs[i - kept.n];
		dims[d] = (struct sr_dim_sharding){{refs, kept.n + added.n}, inner->dims[d].closed, inner->dims[d].priority};
	}
	out.mesh_name = inner->mesh_name;
	out.mesh = inner->mesh;
	out.dims = dims;
	out.unreduced_kind = SR_UNREDUCED_SUM;
	return out;
}
