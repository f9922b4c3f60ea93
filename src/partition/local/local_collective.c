/* Rewriting of sdy collectives as stablehlo collectives, over the groups of devices that differ along the axes only. */
#include "dialect/op_builders.h"
#include "dialect/signature.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "partition/collective.h"
#include "partition/device_coordinate.h"
#include "partition/local/local.h"
#include "partition/local/pad.h"
#include <string.h>

enum { MAX_ATTRS = 8 }; /* maximum number of attributes of a collective */

const struct sr_attr *sr_local_channel(struct sr_context *ctx)
{
	const struct sr_attr *fields[] = {sr_attr_i64(ctx, 1), sr_attr_i64(ctx, 1)};
	return sr_attr_struct(ctx, sr_attr_def_find("stablehlo", SR_NAME_channel_handle), fields);
}

/* Return the mesh with the replicas as an additional first axis: device ids are replica * partitions + partition. */
static const struct sr_mesh *replicated_mesh(struct sr_local *l)
{
	struct sr_arena *arena = l->ctx->arena;
	const struct sr_mesh *mesh = l->mesh;
	const char *name = "replica";
	while (sr_mesh_axis_index(mesh, sr_intern(l->ctx, name)) >= 0)
		name = sr_printf(arena, "_%s", name);
	struct sr_axis *axes = SR_NEW_ARRAY(arena, struct sr_axis, mesh->n_axes + 1);
	axes[0] = (struct sr_axis){sr_intern(l->ctx, name), l->n_replicas};
	for (int i = 0; i < mesh->n_axes; i++)
		axes[i + 1] = mesh->axes[i];
	struct sr_mesh *out = SR_NEW(arena, struct sr_mesh);
	*out = (struct sr_mesh){.axes = axes, .n_axes = mesh->n_axes + 1, .n_device_ids = mesh->n_device_ids * (int)l->n_replicas};
	int64_t *ids = SR_NEW_ARRAY(arena, int64_t, out->n_device_ids);
	for (int i = 0; i < out->n_device_ids; i++)
		ids[i] = i / mesh->n_device_ids * mesh->n_device_ids + mesh->device_ids[i % mesh->n_device_ids];
	out->device_ids = out->n_device_ids ? ids : NULL;
	return out;
}

/* Return the replica groups along the axes. every_replica: each replica has groups of its own if there are several replicas. */
static const struct sr_attr *replica_groups_attr(struct sr_local *l, struct sr_axes axes, bool every_replica)
{
	const struct sr_mesh *mesh = every_replica && l->n_replicas > 1 ? replicated_mesh(l) : l->mesh;
	if (l->groups_by_axes || sr_mesh_devices(mesh) > l->max_listed)
		return sr_attr_group_axes(l->ctx, l->module, mesh, axes);
	struct sr_groups g = sr_mesh_groups(l->ctx->arena, mesh, axes);
	return sr_attr_dense_i64(l->ctx, 2, (int64_t[]){g.n_groups, g.group_size}, g.ids);
}

const struct sr_attr *sr_local_cause(struct sr_local *l)
{
	const struct sr_attr *cause = sr_op_attr(l->op, "shardrun.cause");
	const char *name = l->op->info->name;
	return cause ? cause : sr_attr_string(l->ctx, name, strlen(name));
}

static void put_layout(struct sr_buf *out, struct sr_local *l, const struct sr_value *v)
{
	sr_buf_putc(out, '[');
	for (int d = 0; d < v->type->rank; d++) {
		const struct sr_local_value *info = sr_local_find(l, v);
		sr_buf_puts(out, d ? ", {" : "{");
		sr_collective_put_axes(out, info && info->mesh ? info->mesh : l->mesh, sr_local_axes(l, v, d));
		sr_buf_putc(out, '}');
	}
	sr_buf_putc(out, ']');
}

const struct sr_attr *sr_local_shardings_attr(struct sr_local *l, struct sr_axes axes)
{
	struct sr_buf text;
	sr_buf_init(&text, l->ctx->scratch);
	put_layout(&text, l, sr_operand(l->op, 0));
	sr_buf_puts(&text, " to ");
	put_layout(&text, l, sr_result(l->op, 0));
	if (axes.n)
		sr_buf_puts(&text, " over ");
	sr_collective_put_axes(&text, l->mesh, axes);
	return sr_attr_string(l->ctx, text.data, text.n);
}

static const struct sr_sdy_axes *axes_of_entry(const struct sr_attr *list, int i)
{
	return i < list->n && list->list[i]->axes ? list->list[i]->axes : NULL;
}

/* Return the axes of dimension i of a list of axes per dimension. */
static struct sr_axes dim_axes(struct sr_local *l, const struct sr_attr *list, int i)
{
	const struct sr_sdy_axes *axes = axes_of_entry(list, i);
	return axes ? sr_axes_resolve(l->ctx->arena, l->mesh, *axes) : (struct sr_axes){0};
}

/* Build a stablehlo collective of v over the groups along the axes. attrs: the kind's own attributes, with room for the others. */
static struct sr_op *build_collective(struct sr_local *l, enum sr_op_code code, struct sr_value *v, struct sr_axes axes,
				      struct sr_named_attr *attrs, int n, const struct sr_type *type)
{
	struct sr_context *ctx = l->ctx;
	bool is_all_to_all = code == SR_OP_stablehlo_all_to_all;
	attrs[n++] = (struct sr_named_attr){SR_NAME_replica_groups, replica_groups_attr(l, axes, !is_all_to_all)};
	attrs[n++] = (struct sr_named_attr){SR_NAME_channel_handle, sr_local_channel(ctx)};
	if (!is_all_to_all)
		attrs[n++] = (struct sr_named_attr){SR_NAME_use_global_device_ids, sr_attr_unit(ctx)};
	attrs[n++] = (struct sr_named_attr){"shardrun.cause", sr_local_cause(l)};
	attrs[n++] = (struct sr_named_attr){"shardrun.shardings", sr_local_shardings_attr(l, axes)};
	struct sr_op *op = sr_build(&l->builder, code, &v, 1, attrs, n, &type, 1);
	if (op->n_regions)
		sr_build_reducer(ctx, &op->regions[0], sr_collective_reducer(sr_collective_kind(l->op)), type->element, op->loc);
	return op;
}

const struct sr_type *sr_local_scaled_type(struct sr_local *l, const struct sr_value *v, int64_t dim, int64_t times, int64_t divisor)
{
	int64_t *shape = sr_dup(l->ctx->scratch, v->type->shape, (size_t)v->type->rank, sizeof *shape);
	shape[dim] = shape[dim] * times / divisor;
	return sr_type_with_shape(l->ctx, v->type, v->type->rank, shape);
}

static struct sr_value *gather_along(struct sr_local *l, struct sr_value *v, int dim, struct sr_axes axes)
{
	const struct sr_type *type = sr_local_scaled_type(l, v, dim, sr_axes_size(axes), 1);
	int64_t elements;
	if (sr_type_elements(type, &elements) &&
	    !elements) /* the specification allows no empty dimension in this op */
		return sr_build_splat(&l->builder, type, 0);
	struct sr_named_attr attrs[MAX_ATTRS] = {{SR_NAME_all_gather_dim, sr_attr_i64(l->ctx, dim)}};
	return sr_result(build_collective(l, SR_OP_stablehlo_all_gather, v, axes, attrs, 1, type), 0);
}

/* Replace an op by one op for each dimension for which the list has axes. */
static enum sr_status replace_by_dims(struct sr_local *l, struct sr_op *op, const struct sr_attr *list,
				      struct sr_value *(*build)(struct sr_local *, struct sr_value *, int dim, struct sr_axes))
{
	struct sr_value *v = sr_operand(op, 0);
	for (int d = 0; d < list->n; d++) {
		struct sr_axes axes = dim_axes(l, list, d);
		if (sr_axes_size(axes) > 1)
			v = build(l, v, d, axes);
	}
	sr_local_replace(l, op, &v);
	return SR_OK;
}

enum sr_status sr_local_all_gather(struct sr_local *l, struct sr_op *op)
{
	return replace_by_dims(l, op, sr_op_attr(op, SR_NAME_gathering_axes), gather_along);
}

enum sr_status sr_local_all_slice(struct sr_local *l, struct sr_op *op)
{
	return replace_by_dims(l, op, sr_op_attr(op, SR_NAME_slicing_axes), sr_local_slice_along);
}

int sr_local_all_to_all_attrs(struct sr_local *l, const struct sr_value *v, int64_t n, int64_t src, int64_t tgt,
			      struct sr_named_attr *attrs, const struct sr_type **type)
{
	int64_t *shape = sr_dup(l->ctx->scratch, v->type->shape, (size_t)v->type->rank, sizeof *shape);
	shape[src] *= n;
	shape[tgt] /= n;
	*type = sr_type_with_shape(l->ctx, v->type, v->type->rank, shape);
	attrs[0] = (struct sr_named_attr){SR_NAME_split_dimension, sr_attr_i64(l->ctx, tgt)};
	attrs[1] = (struct sr_named_attr){SR_NAME_concat_dimension, sr_attr_i64(l->ctx, src)};
	attrs[2] = (struct sr_named_attr){SR_NAME_split_count, sr_attr_i64(l->ctx, n)};
	return 3;
}

/* Rewrite sdy.all_to_all: one stablehlo.all_to_all per parameter, which moves axes from dimension src to dimension tgt, which is
 * split. */
enum sr_status sr_local_all_to_all(struct sr_local *l, struct sr_op *op)
{
	struct sr_context *ctx = l->ctx;
	const struct sr_attr *params = sr_op_attr(op, SR_NAME_params);
	struct sr_value *v = sr_operand(op, 0);
	for (int i = 0; i < params->n; i++) {
		const struct sr_attr *p = params->list[i];
		struct sr_axes axes = sr_axes_resolve(ctx->arena, l->mesh, *p->list[0]->axes);
		int64_t src = p->list[1]->i, tgt = p->list[2]->i, n = sr_axes_size(axes);
		const struct sr_type *type;
		struct sr_named_attr attrs[MAX_ATTRS];
		int n_attrs = sr_local_all_to_all_attrs(l, v, n, src, tgt, attrs, &type);
		v = sr_result(build_collective(l, SR_OP_stablehlo_all_to_all, v, axes, attrs, n_attrs, type), 0);
	}
	sr_local_replace(l, op, &v);
	return SR_OK;
}

enum sr_status sr_local_all_reduce(struct sr_local *l, struct sr_op *op)
{
	struct sr_axes axes = sr_axes_resolve(l->ctx->arena, l->mesh, *sr_op_attr(op, SR_NAME_reduction_axes)->axes);
	struct sr_value *v = sr_operand(op, 0);
	struct sr_named_attr attrs[MAX_ATTRS];
	if (sr_axes_size(axes) > 1)
		v = sr_result(build_collective(l, SR_OP_stablehlo_all_reduce, v, axes, attrs, 0, v->type), 0);
	sr_local_replace(l, op, &v);
	return SR_OK;
}

enum sr_status sr_local_reduce_scatter(struct sr_local *l, struct sr_op *op)
{
	const struct sr_attr *list = sr_op_attr(op, SR_NAME_reduce_scatter_axes);
	struct sr_value *v = sr_operand(op, 0);
	for (int d = 0; d < list->n; d++) {
		struct sr_axes axes = dim_axes(l, list, d);
		if (sr_axes_size(axes) <= 1)
			continue;
		const struct sr_type *type = sr_local_scaled_type(l, v, d, 1, sr_axes_size(axes));
		struct sr_named_attr attrs[MAX_ATTRS] = {{SR_NAME_scatter_dimension, sr_attr_i64(l->ctx, d)}};
		v = sr_result(build_collective(l, SR_OP_stablehlo_reduce_scatter, v, axes, attrs, 1, type), 0);
	}
	sr_local_replace(l, op, &v);
	return SR_OK;
}

/* Return the identity of the reduction; NULL, reported, if its element type has none. */
static struct sr_value *identity_value(struct sr_local *l, struct sr_op *op, const struct sr_type *type)
{
	const struct sr_reducer *r =
		sr_reducer_find(sr_collective_reducer(sr_op_attr(op, SR_NAME_out_sharding)->sharding->unreduced_kind));
	const struct sr_attr *identity = sr_reducer_identity(l->ctx, r, type->dtype);
	int64_t n;
	if (!identity) {
		sr_op_error(op, &l->ctx->diags, SR_UNSUPPORTED,
			    "makes values unreduced whose element type has no identity for the reduction");
		return NULL;
	}
	const void *data = sr_dense_data(l->ctx, identity, false, &n);
	return sr_build_constant(&l->builder, sr_attr_dense(l->ctx, type, data, n));
}

/* Return an i1 scalar: true if the device's coordinate along the axes is 0. */
static struct sr_value *is_first_along(struct sr_local *l, struct sr_axes axes)
{
	int64_t n = sr_mesh_devices(l->mesh);
	if (n > l->max_listed)
		return sr_device_equals(&l->builder, sr_device_coordinate(&l->builder, l->mesh, axes), 0, true);
	int64_t *first = SR_NEW_ARRAY(l->ctx->arena, int64_t, n);
	for (int64_t i = 0; i < n; i++)
		first[i] = sr_mesh_coordinate_along(l->mesh, i, axes) == 0;
	return sr_local_lookup(l, first, SR_I1);
}

/* Rewrite sdy.replicated_to_unreduced: the first device along the axes keeps the value, the others get the identity. */
enum sr_status sr_local_replicated_to_unreduced(struct sr_local *l, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0), *identity_filled = identity_value(l, op, v->type);
	struct sr_axes axes = sr_axes_resolve(l->ctx->arena, l->mesh, *sr_op_attr(op, SR_NAME_axes)->axes);
	if (!identity_filled)
		return SR_UNSUPPORTED;
	struct sr_value *choice[] = {is_first_along(l, axes), v, identity_filled};
	v = sr_result(sr_build(&l->builder, SR_OP_stablehlo_select, choice, 3, NULL, 0, &v->type, 1), 0);
	sr_local_replace(l, op, &v);
	return SR_OK;
}

/* Rewrite sdy.sharded_to_unreduced: each device writes its shard into a tensor filled with the identity. */
enum sr_status sr_local_sharded_to_unreduced(struct sr_local *l, struct sr_op *op)
{
	const struct sr_attr *list = sr_op_attr(op, SR_NAME_axes);
	struct sr_value *v = sr_operand(op, 0), *identity_filled = identity_value(l, op, sr_result(op, 0)->type),
			**starts = SR_NEW_ARRAY(l->ctx->scratch, struct sr_value *, list->n + 1);
	int64_t max_extent = 0;
	if (!identity_filled)
		return SR_UNSUPPORTED;
	for (int d = 0; d < list->n; d++)
		max_extent = identity_filled->type->shape[d] > max_extent ? identity_filled->type->shape[d] : max_extent;
	for (int d = 0; d < list->n; d++)
		starts[d] = sr_local_offset_of_type(l, dim_axes(l, list, d), v->type->shape[d], sr_local_index_type(max_extent));
	v = sr_build_update_slice(&l->builder, identity_filled, v, starts);
	sr_local_replace(l, op, &v);
	return SR_OK;
}
