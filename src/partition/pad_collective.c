/* sdy collectives on padded values, and reductions whose init value must enter once.
 *
 * 10 elements over 4 devices lie as 3,3,3,1; over 2 as 5,5: where a collective changes the shards of a dimension that they do not divide,
 * elements cross devices at places that no single collective knows. Then the value leaves (all_gather, slice) and enters again
 * (pad, all_slice). Dimensions that keep their axes keep their padding. */
#include "partition/pad.h"

/* Dimension d has other axes before and after. */
static bool changes(const struct sr_padding *p, const struct sr_sharding *in, const struct sr_sharding *out, int d)
{
	struct sr_axes a = in ? in->dims[d].axes : (struct sr_axes){0};
	const struct sr_mesh *mesh = sr_sharding_mesh(p->module, out);
	return !sr_axes_equal(sr_axes_resolve(p->ctx->arena, mesh, a), sr_axes_resolve(p->ctx->arena, mesh, out->dims[d].axes));
}

/* In mesh order and merged, as an all_reduce has its axes. */
static struct sr_axes as_reduced(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes)
{
	axes = sr_axes_sort_and_merge(arena, mesh, sr_axes_resolve(arena, mesh, axes));
	struct sr_axis_ref *refs = sr_dup(arena, axes.refs, (size_t)axes.n, sizeof *refs);
	for (int i = 0; i < axes.n; i++)
		if (refs[i].pre == 1 && refs[i].size == sr_mesh_axis_size(mesh, refs[i].axis))
			refs[i].size = 0; /* a whole axis, as text has it */
	return (struct sr_axes){refs, axes.n};
}

enum sr_status sr_pad_collective(struct sr_padding *p, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0), *whole;
	const struct sr_pad_value *in = sr_pad_find(p, v), *out = sr_pad_find(p, sr_result(op, 0));
	bool moved = false, reduces = sr_op_is(op, SR_OP_sdy_reduce_scatter);
	if (!out || !in)
		return SR_OK;
	for (int d = 0; out->sharding && d < out->exact->rank; d++)
		moved = moved || (changes(p, in->sharding ? in->sharding->sharding : NULL, out->sharding->sharding, d) &&
				  in->padded->shape[d] != out->padded->shape[d]);
	if (!moved)
		return SR_OK;
	if (reduces) { /* sum first, on the operand as it lies; then move */
		struct sr_context *ctx = p->ctx;
		const struct sr_attr *list = sr_op_attr(op, "reduce_scatter_axes");
		struct sr_axes axes = {0};
		for (int d = 0; d < list->n; d++)
			axes = sr_axes_concat(ctx->arena, axes, *list->list[d]->axes);
		axes = as_reduced(ctx->arena, sr_sharding_mesh(p->module, out->sharding->sharding), axes);
		struct sr_named attrs[] = {{"reduction_axes", sr_attr_axes(ctx, axes.refs, axes.n)}, {"out_sharding", in->sharding ? in->sharding : sr_pad_whole(p, out->sharding->sharding)},
					   {"reduction_op", sr_op_attr(op, "reduction_op")}};
		struct sr_value *sum = sr_result(sr_build(&p->at, SR_OP_sdy_all_reduce, &v, 1, attrs, 3, &v->type, 1), 0);
		sr_map_put(&p->values, sum, (void *)(uintptr_t)in);
		v = sum;
	}
	whole = sr_pad_leave(p, v);
	whole = sr_pad_enter(p, whole, out->sharding);
	sr_map_put(&p->values, whole, (void *)(uintptr_t)out);
	sr_value_replace_all(sr_result(op, 0), whole);
	sr_op_erase(op);
	return SR_OK;
}

static bool same_constant(struct sr_context *ctx, const struct sr_value *v, const struct sr_attr *dense)
{
	const struct sr_attr *value = v->def && sr_op_has(v->def, SR_CONSTANT) ? sr_op_attr(v->def, "value") : NULL;
	int64_t n, m;
	const char *a = value && value->kind == SR_ATTR_DENSE ? sr_dense_data(ctx, value, false, &n) : NULL, *b = sr_dense_data(ctx, dense, false, &m);
	bool same = a && n == m;
	for (int64_t i = 0; same && i < n; i++)
		same = a[i] == b[i];
	return same;
}

/* The all_reduce (or reduce_scatter) that follows a reduction over sharded dimensions; NULL: none. */
static struct sr_op *following(const struct sr_op *op)
{
	struct sr_use *use = sr_result(op, 0)->uses;
	bool only = use && !use->next;
	return only && (sr_op_is(use->owner, SR_OP_sdy_all_reduce) || sr_op_is(use->owner, SR_OP_sdy_reduce_scatter)) ? use->owner : NULL;
}

enum sr_status sr_pad_init_once(struct sr_padding *p, struct sr_op *op)
{
	struct sr_context *ctx = p->ctx;
	struct sr_op *all = sr_op_is(op, SR_OP_stablehlo_reduce) && op->n_results == 1 ? following(op) : NULL;
	if (!all)
		return SR_OK;
	enum sr_op_code reducer = sr_pad_reducer(op);
	struct sr_value *init = sr_operand(op, 1), *out = sr_result(all, 0);
	const struct sr_attr *identity = sr_pad_identity(p, reducer, init->type->dtype);
	if (!identity)
		return sr_op_error(op, &ctx->diags, SR_UNSUPPORTED, "reduces over a sharded dimension with a body whose identity is not known");
	if (same_constant(ctx, init, identity) || reducer == SR_OP_stablehlo_maximum || reducer == SR_OP_stablehlo_minimum || reducer == SR_OP_stablehlo_and ||
	    reducer == SR_OP_stablehlo_or) /* entering again changes nothing */
		return SR_OK;
	sr_op_set_operand(op, 1, sr_build_constant(&p->at, identity));
	struct sr_builder after = {.ctx = ctx, .anchor = all->next, .loc = op->loc};
	const struct sr_attr *sharding = sr_value_sharding(ctx, out);
	struct sr_named none = {"broadcast_dimensions", sr_attr_i64s(ctx, NULL, 0)};
	struct sr_value *spread = sr_result(sr_build(&after, SR_OP_stablehlo_broadcast_in_dim, &init, 1, &none, 1, &out->type, 1), 0), *pair[2] = {0};
	struct sr_op *sum;
	if (sharding)
		sr_value_set_sharding(ctx, spread, sharding);
	pair[0] = spread, pair[1] = spread; /* the second is set below, once other uses have moved */
	sum = sr_build(&after, reducer, pair, 2, NULL, 0, &out->type, 1);
	sr_value_replace_all(out, sr_result(sum, 0));
	sr_op_set_operand(sum, 1, out);
	if (sharding)
		sr_value_set_sharding(ctx, sr_result(sum, 0), sharding);
	struct sr_pad_value *info = (struct sr_pad_value *)(uintptr_t)sr_pad_find(p, out);
	if (info) {
		sr_map_put(&p->values, spread, info);
		sr_map_put(&p->values, sr_result(sum, 0), info);
	}
	return SR_OK;
}
