/* sdy collectives on padded values, and reductions whose init value must be applied once. */
#include "partition/collective.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "partition/local/local.h"
#include "partition/local/pad.h"
#include "dialect/signature.h"
#include "dialect/ops.h"
#include <string.h>

struct padding_change {
	const struct sr_mesh *mesh;
	struct sr_axes *gathered, *sliced; /* axes that are gathered and axes that are sliced, per dimension; length: rank */
	int64_t *extent_change;               /* change of the padded extent of each dimension; length: rank */
	struct sr_sdy_sharding kept_sharding; /* sharding by the axes that are neither gathered nor sliced */
};

/* Read the axes that a collective gathers and slices. Returns false if it changes no padding. */
static bool read_move(const struct sr_padding *p, const struct sr_pad_value *in, const struct sr_pad_value *out,
		      struct padding_change *m)
{
	struct sr_arena *arena = p->ctx->arena;
	int rank = out->unpadded_type->rank;
	struct sr_sdy_dim *kept_dims = SR_NEW_ARRAY(arena, struct sr_sdy_dim, rank);
	bool is_any_changed = false;
	*m = (struct padding_change){.mesh = sr_sharding_mesh(p->module, out->sharding->sharding),
			   .gathered = SR_NEW_ARRAY(arena, struct sr_axes, rank),
			   .sliced = SR_NEW_ARRAY(arena, struct sr_axes, rank),
			   .extent_change = SR_NEW_ARRAY(arena, int64_t, rank),
			   .kept_sharding = *out->sharding->sharding};
	for (int d = 0; d < rank; d++) {
		struct sr_axes axes_before = {0}, axes_after = sr_axes_resolve(arena, m->mesh, m->kept_sharding.dims[d].axes),
			       kept_axes;
		if (in->sharding)
			axes_before = sr_axes_resolve(arena, m->mesh, in->sharding->sharding->dims[d].axes);
		m->extent_change[d] = out->padded_type->shape[d] - in->padded_type->shape[d];
		kept_axes = m->extent_change[d] ? (struct sr_axes){0} : sr_axes_common_prefix(arena, axes_before, axes_after);
		sr_axes_difference(arena, axes_before, kept_axes, &m->gathered[d]);
		sr_axes_difference(arena, axes_after, kept_axes, &m->sliced[d]);
		kept_dims[d] = (struct sr_sdy_dim){
		    .axes = sr_axes_to_sdy(arena, m->mesh, kept_axes), .closed = true, .priority = -1};
		is_any_changed = is_any_changed || m->extent_change[d];
	}
	m->kept_sharding.dims = kept_dims;
	return is_any_changed;
}

/* Change the extent of each dimension by `grow` elements, by padding or slicing at the end. The contents of the padding do not
 * matter. */
static struct sr_value *resize(struct sr_padding *p, struct sr_value *v, const int64_t *grow, const struct sr_attr *sharding)
{
	struct sr_context *ctx = p->ctx;
	int rank = v->type->rank;
	int64_t *zero = SR_NEW_ARRAY(ctx->arena, int64_t, rank),
		*shape = sr_dup(ctx->arena, v->type->shape, (size_t)rank, sizeof *shape);
	bool is_changed = false;
	for (int d = 0; d < rank; d++) {
		shape[d] += grow[d];
		is_changed = is_changed || grow[d];
	}
	if (!is_changed)
		return v;
	const struct sr_type *type = sr_type_with_shape(ctx, v->type, rank, shape);
	struct sr_named_attr attrs[] = {{SR_NAME_edge_padding_low, sr_attr_i64s(ctx, zero, rank)},
				   {SR_NAME_edge_padding_high, sr_attr_i64s(ctx, grow, rank)},
				   {SR_NAME_interior_padding, sr_attr_i64s(ctx, zero, rank)}};
	struct sr_value *operands[] = {v, sr_build_constant(&p->builder, sr_pad_scalar(p, type->dtype, 0, 0))};
	v = sr_result(sr_build(&p->builder, SR_OP_stablehlo_pad, operands, 2, attrs, 3, &type, 1), 0);
	sr_value_set_sharding(ctx, v, sharding);
	return v;
}

static struct sr_axes concatenated_axes(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_attr *list)
{
	struct sr_axes axes = {0};
	for (int d = 0; d < list->n; d++)
		axes = sr_axes_concat(arena, axes, sr_axes_resolve(arena, mesh, *list->list[d]->axes));
	return sr_axes_sort_and_merge(arena, mesh, axes);
}

/* Build the reduction with the operand's sharding, before the scatter. */
static struct sr_value *reduce_first(struct sr_padding *p, struct sr_op *op, const struct sr_pad_value *in,
				     const struct sr_pad_value *out, const struct sr_mesh *mesh)
{
	struct sr_context *ctx = p->ctx;
	struct sr_axes axes = concatenated_axes(ctx->arena, mesh, sr_op_attr(op, SR_NAME_reduce_scatter_axes));
	struct sr_sdy_sharding reduced_sharding =
		in->sharding ? *in->sharding->sharding : *sr_pad_replicated(p, out->sharding->sharding)->sharding;
	reduced_sharding.unreduced = out->sharding->sharding->unreduced;
	reduced_sharding.unreduced_kind = out->sharding->sharding->unreduced_kind;
	struct sr_collective c = {.code = SR_OP_sdy_all_reduce,
				  .mesh = mesh,
				  .axes = &axes,
				  .kind = sr_collective_kind(op),
				  .out = sr_attr_sharding(ctx, &reduced_sharding)};
	return sr_collective_build(&p->builder, &c, sr_operand(op, 0));
}

/* Keep an all_to_all or a reduce_scatter, and change the extent of each dimension on the side of the op on which the dimension is
 * replicated: a dimension that a reduce_scatter shards is padded before it. Returns false for other ops, and if a dimension of
 * changed extent is sharded on both sides. */
static bool resize_around(struct sr_padding *p, struct sr_op *op, const struct sr_pad_value *in, const struct sr_pad_value *out,
			  const struct padding_change *m)
{
	struct sr_arena *arena = p->ctx->arena;
	int rank = out->unpadded_type->rank;
	int64_t *grow_before = SR_NEW_ARRAY(arena, int64_t, rank), *grow_after = SR_NEW_ARRAY(arena, int64_t, rank);
	bool is_reduce_scatter = sr_op_is(op, SR_OP_sdy_reduce_scatter);
	const struct sr_attr *in_sharding = in->sharding || !is_reduce_scatter ? in->sharding
									       : sr_pad_replicated(p, out->sharding->sharding);
	if (!in_sharding || !(is_reduce_scatter || sr_op_is(op, SR_OP_sdy_all_to_all)))
		return false;
	for (int d = 0; d < rank; d++) {
		bool replicated_before = !in_sharding->sharding->dims[d].axes.n,
		     replicated_after = !out->sharding->sharding->dims[d].axes.n;
		if (m->extent_change[d] && !replicated_before && !replicated_after)
			return false;
		*(replicated_before ? &grow_before[d] : &grow_after[d]) = m->extent_change[d];
	}
	struct sr_value *v = resize(p, sr_operand(op, 0), grow_before, in_sharding), *resized_result = sr_result(op, 0);
	sr_op_set_operand(op, 0, v);
	resized_result->type = v->type;
	struct sr_value *placeholder = SR_NEW(arena, struct sr_value);
	*placeholder = (struct sr_value){.type = out->padded_type};
	sr_value_replace_all(resized_result, placeholder);
	p->builder.anchor = op->next;
	v = resize(p, resized_result, grow_after, out->sharding);
	p->builder.anchor = op;
	sr_value_replace_all(placeholder, v);
	sr_map_put(&p->values, v, (void *)(uintptr_t)out);
	return true;
}

/* Rewrite an all_gather that only gathers dimensions of extent 1 as one broadcast from the first device along the axes, which has
 * the element. Returns false if it gathers other dimensions. */
static bool gather_as_broadcast(struct sr_padding *p, struct sr_op *op, const struct sr_pad_value *in,
				const struct sr_pad_value *out, const struct padding_change *m)
{
	struct sr_context *ctx = p->ctx;
	struct sr_arena *arena = ctx->arena;
	int rank = out->unpadded_type->rank;
	int64_t *shape = sr_dup(arena, out->padded_type->shape, (size_t)rank, sizeof *shape);
	struct sr_axes axes = {0};
	if (!sr_op_is(op, SR_OP_sdy_all_gather) || !in->sharding)
		return false;
	for (int d = 0; d < rank; d++) {
		if (m->sliced[d].n || (m->gathered[d].n && in->unpadded_type->shape[d] != 1))
			return false;
		axes = sr_axes_concat(arena, axes, m->gathered[d]);
		shape[d] /= sr_sdy_dim_shards(out->sharding->sharding, m->mesh, d);
	}
	axes = sr_axes_sort_and_merge(arena, m->mesh, axes);
	struct sr_named_attr manual_attrs[] = {{SR_NAME_in_shardings, sr_attr_shardings(ctx, &in->sharding, 1)},
				    {SR_NAME_out_shardings, sr_attr_shardings(ctx, &out->sharding, 1)},
				    {SR_NAME_manual_axes, sr_all_axes_attr(ctx, m->mesh)}};
	struct sr_op *manual_op = sr_build(&p->builder, SR_OP_sdy_manual_computation, &op->operands[0].value, 1, manual_attrs, 3,
					   &out->padded_type, 1);
	struct sr_block *body = sr_block_new(ctx, &manual_op->regions[0]);
	struct sr_value *v = sr_block_add_arg(ctx, body, sr_type_with_shape(ctx, out->padded_type, rank, shape), op->loc);
	struct sr_builder at = {.ctx = ctx, .block = body, .loc = op->loc};
	struct sr_named_attr attrs[] = {{SR_NAME_replica_groups, sr_attr_group_axes(ctx, p->module, m->mesh, axes)},
				   {SR_NAME_channel_handle, sr_local_channel(ctx)},
				   {"shardrun.cause", sr_attr_string(ctx, op->info->name, strlen(op->info->name))},
				   {"shardrun.shardings", sr_collective_shardings_attr(&at, m->mesh, axes)}};
	v = sr_result(sr_build(&at, SR_OP_stablehlo_collective_broadcast, &v, 1, attrs, 4, &v->type, 1), 0);
	sr_build(&at, SR_OP_sdy_return, &v, 1, NULL, 0, NULL, 0);
	sr_map_put(&p->values, sr_result(manual_op, 0), (void *)(uintptr_t)out);
	sr_value_replace_all(sr_result(op, 0), sr_result(manual_op, 0));
	sr_op_erase(op);
	return true;
}

enum sr_status sr_pad_collective(struct sr_padding *p, struct sr_op *op)
{
	struct sr_context *ctx = p->ctx;
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_pad_value *in = sr_pad_find(p, v), *out = sr_pad_find(p, sr_result(op, 0));
	bool is_to_unreduced = sr_op_is(op, SR_OP_sdy_sharded_to_unreduced);
	struct padding_change m;
	if (!out || !in || !out->sharding || !read_move(p, in, out, &m))
		return SR_OK;
	if (resize_around(p, op, in, out, &m) || gather_as_broadcast(p, op, in, out, &m))
		return SR_OK;
	if (sr_collective_reduces(sr_op_code_of(op)))
		v = reduce_first(p, op, in, out, m.mesh);
	if (is_to_unreduced)
		m.kept_sharding.unreduced = in->sharding ? in->sharding->sharding->unreduced : (struct sr_sdy_axes){0};
	const struct sr_attr *kept_sharding = sr_attr_sharding(ctx, &m.kept_sharding),
			     *cause = sr_op_attr(op, "shardrun.cause");
	struct sr_collective
		gather = {.code = SR_OP_sdy_all_gather, .mesh = m.mesh, .axes = m.gathered, .out = kept_sharding, .cause = cause},
		slice = {.code = SR_OP_sdy_all_slice, .mesh = m.mesh, .axes = m.sliced, .out = out->sharding, .cause = cause};
	v = sr_collective_build(&p->builder, &gather, v);
	v = resize(p, v, m.extent_change, kept_sharding);
	if (is_to_unreduced) { /* after the gather every device has the entire value */
		struct sr_axes axes = concatenated_axes(ctx->arena, m.mesh, sr_op_attr(op, SR_NAME_axes));
		slice = (struct sr_collective){.code = SR_OP_sdy_replicated_to_unreduced,
					       .mesh = m.mesh,
					       .axes = &axes,
					       .out = out->sharding,
					       .cause = cause};
		v = sr_collective_build(&p->builder, &slice, v);
	} else {
		v = sr_collective_build(&p->builder, &slice, v);
	}
	sr_map_put(&p->values, v, (void *)(uintptr_t)out);
	sr_value_replace_all(sr_result(op, 0), v);
	sr_op_erase(op);
	return SR_OK;
}

static bool is_same_constant(struct sr_context *ctx, const struct sr_value *v, const struct sr_attr *dense)
{
	const struct sr_attr *value = v->def && sr_op_has(v->def, SR_CONSTANT) ? sr_op_attr(v->def, SR_NAME_value) : NULL;
	int64_t n, m;
	const char *a = value && value->kind == SR_ATTR_DENSE ? sr_dense_data(ctx, value, false, &n) : NULL,
		   *b = sr_dense_data(ctx, dense, false, &m);
	bool is_equal = a && n == m;
	for (int64_t i = 0; is_equal && i < n; i++)
		is_equal = a[i] == b[i];
	return is_equal;
}

/* Return the all_reduce or reduce_scatter that is the only reader of the reduction's result; NULL if there is none. */
static struct sr_op *following_reduction(const struct sr_op *op)
{
	struct sr_use *use = sr_result(op, 0)->uses;
	bool single_use = use && !use->next;
	return single_use && (sr_op_is(use->owner, SR_OP_sdy_all_reduce) || sr_op_is(use->owner, SR_OP_sdy_reduce_scatter))
		   ? use->owner
		   : NULL;
}

enum sr_status sr_pad_apply_init_once(struct sr_padding *p, struct sr_op *op)
{
	struct sr_context *ctx = p->ctx;
	struct sr_op *reduction = sr_op_is(op, SR_OP_stablehlo_reduce) && op->n_results == 1 ? following_reduction(op) : NULL;
	if (!reduction)
		return SR_OK;
	const struct sr_reducer *reducer = sr_op_reducer(op);
	struct sr_value *init = sr_operand(op, 1), *out = sr_result(reduction, 0);
	const struct sr_attr *identity = sr_reducer_identity(ctx, reducer, init->type->dtype);
	if (!identity)
		return sr_op_error(op, &ctx->diags, SR_UNSUPPORTED,
				   "reduces over a sharded dimension with a body whose identity is not known");
	/* combining the init value several times does not change the result */
	if (is_same_constant(ctx, init, identity) || reducer->is_idempotent)
		return SR_OK;
	sr_op_set_operand(op, 1, sr_build_constant(&p->builder, identity));
	struct sr_builder builder = {.ctx = ctx, .anchor = reduction->next, .loc = op->loc};
	const struct sr_attr *sharding = sr_value_sharding(ctx, out);
	struct sr_named_attr no_dims = {SR_NAME_broadcast_dimensions, sr_attr_i64s(ctx, NULL, 0)};
	struct sr_value *init_everywhere = sr_result(
			    sr_build(&builder, SR_OP_stablehlo_broadcast_in_dim, &init, 1, &no_dims, 1, &out->type, 1), 0),
			*pair[2] = {0};
	struct sr_op *sum;
	if (sharding)
		sr_value_set_sharding(ctx, init_everywhere, sharding);
	/* the second operand is set below, after all other uses have been moved */
	pair[0] = init_everywhere, pair[1] = init_everywhere;
	sum = sr_build(&builder, reducer->code, pair, 2, NULL, 0, &out->type, 1);
	sr_value_replace_all(out, sr_result(sum, 0));
	sr_op_set_operand(sum, 1, out);
	if (sharding)
		sr_value_set_sharding(ctx, sr_result(sum, 0), sharding);
	struct sr_pad_value *info = (struct sr_pad_value *)(uintptr_t)sr_pad_find(p, out);
	if (info) {
		sr_map_put(&p->values, init_everywhere, info);
		sr_map_put(&p->values, sr_result(sum, 0), info);
	}
	return SR_OK;
}
