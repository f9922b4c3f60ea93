/* Halo exchange: the manual computation of a form, and builders of the ops in its body. */
#include "dialect/signature.h"
#include "dialect/attr_names.h"
#include "partition/collective.h"
#include "partition/device_coordinate.h"
#include "partition/halo/halo.h"
#include "partition/local/local.h"
#include "support/checked.h"

struct sr_halo sr_halo_of(const struct sr_form_query *q)
{
	return (struct sr_halo){.ctx = q->ctx, .arena = q->arena, .module = q->module, .mesh = q->mesh.mesh, .costs = q->costs,
				.max_listed = q->max_listed};
}

struct sr_halo_dim sr_halo_dim_of(struct sr_halo *h, const struct sr_sdy_sharding *s, int dim)
{
	struct sr_halo_dim d = {.axes = sr_axes_resolve(h->arena, h->mesh, s->dims[dim].axes)};
	d.shards = sr_axes_size(d.axes);
	return d;
}

double sr_halo_bytes_along(const struct sr_halo *h, const struct sr_type *t, const struct sr_sdy_sharding *s, int dim)
{
	double bytes = (double)sr_dtype_bytes(t->dtype);
	for (int d = 0; d < t->rank; d++)
		bytes *= d == dim ? 1 : (double)sr_ceil_div(t->shape[d], sr_sdy_dim_shards(s, h->mesh, d));
	return bytes;
}

bool sr_halo_is_supported(const struct sr_type *t, const struct sr_sdy_sharding *s)
{
	if (t->kind != SR_TYPE_TENSOR || t->dtype == SR_DTYPE_NONE || !sr_type_is_static(t) || s->rank != t->rank ||
	    t->rank > SR_MAX_RANK)
		return false;
	for (int d = 0; d < t->rank; d++)
		if (!t->shape[d])
			return false;
	return true;
}

static bool shards_divide(struct sr_halo *h, const struct sr_type *t, const struct sr_sdy_sharding *s)
{
	for (int d = 0; d < t->rank; d++)
		if (t->shape[d] % sr_sdy_dim_shards(s, h->mesh, d))
			return false;
	return true;
}

static const struct sr_type *local_type(struct sr_halo *h, const struct sr_type *t, const struct sr_sdy_sharding *s)
{
	int64_t *shape = sr_dup(h->arena, t->shape, (size_t)t->rank, sizeof *shape);
	for (int d = 0; d < t->rank; d++)
		shape[d] = sr_ceil_div(shape[d], sr_sdy_dim_shards(s, h->mesh, d));
	return sr_type_with_shape(h->ctx, t, t->rank, shape);
}

struct sr_op *sr_halo_begin(struct sr_halo *h, struct sr_op *op, struct sr_value *const *operands,
			    const struct sr_attr *const *shardings, int n, const struct sr_attr *out)
{
	struct sr_context *ctx = h->ctx;
	struct sr_named_attr attrs[] = {{SR_NAME_in_shardings, sr_attr_shardings(ctx, shardings, n)},
				   {SR_NAME_out_shardings, sr_attr_shardings(ctx, &out, 1)},
				   {SR_NAME_manual_axes, sr_all_axes_attr(ctx, h->mesh)}};
	struct sr_builder outer_builder = {.ctx = ctx, .anchor = op, .loc = op->loc};
	bool is_divisible = shards_divide(h, sr_result(op, 0)->type, out->sharding);
	for (int i = 0; i < n; i++)
		is_divisible = is_divisible && shards_divide(h, operands[i]->type, shardings[i]->sharding);
	struct sr_op *manual_op = sr_build(&outer_builder, SR_OP_sdy_manual_computation, operands, n, attrs, 3,
					   &sr_result(op, 0)->type, 1);
	if (!is_divisible)
		sr_op_set_attr(ctx, manual_op, SR_PADDED_ATTR, sr_attr_unit(ctx));
	struct sr_block *body = sr_block_new(ctx, &manual_op->regions[0]);
	for (int i = 0; i < n; i++)
		sr_block_add_arg(ctx, body, local_type(h, operands[i]->type, shardings[i]->sharding), op->loc);
	h->builder = (struct sr_builder){.ctx = ctx, .block = body, .loc = op->loc};
	return manual_op;
}

void sr_halo_end(struct sr_halo *h, struct sr_op *op, struct sr_op *manual_op, struct sr_value *local_value)
{
	sr_build(&h->builder, SR_OP_sdy_return, &local_value, 1, NULL, 0, NULL, 0);
	sr_value_replace_all(sr_result(op, 0), sr_result(manual_op, 0));
	sr_op_erase(op);
}

struct sr_value *sr_halo_slice(struct sr_halo *h, struct sr_value *v, int dim, int64_t first, int64_t n)
{
	return sr_halo_strided_slice(h, v, dim, first, n, 1);
}

struct sr_value *sr_halo_strided_slice(struct sr_halo *h, struct sr_value *v, int dim, int64_t first, int64_t n, int64_t step)
{
	struct sr_context *ctx = h->ctx;
	int rank = v->type->rank;
	int64_t *start = SR_NEW_ARRAY(ctx->arena, int64_t, rank),
		*limit = sr_dup(ctx->arena, v->type->shape, (size_t)rank, sizeof *limit),
		*one = SR_NEW_ARRAY(ctx->arena, int64_t, rank),
		*shape = sr_dup(ctx->arena, v->type->shape, (size_t)rank, sizeof *shape);
	if (first == 0 && step == 1 && n == v->type->shape[dim])
		return v;
	for (int d = 0; d < rank; d++)
		one[d] = 1;
	start[dim] = first;
	limit[dim] = first + (n - 1) * step + 1;
	one[dim] = step;
	shape[dim] = n;
	struct sr_named_attr attrs[] = {{SR_NAME_start_indices, sr_attr_i64s(ctx, start, rank)},
				   {SR_NAME_limit_indices, sr_attr_i64s(ctx, limit, rank)},
				   {SR_NAME_strides, sr_attr_i64s(ctx, one, rank)}};
	const struct sr_type *type = sr_type_with_shape(ctx, v->type, rank, shape);
	return sr_result(sr_build(&h->builder, SR_OP_stablehlo_slice, &v, 1, attrs, 3, &type, 1), 0);
}

struct sr_value *sr_halo_concatenate(struct sr_halo *h, struct sr_value *const *operands, int n, int dim)
{
	struct sr_context *ctx = h->ctx;
	int64_t *shape = sr_dup(ctx->arena, operands[0]->type->shape, (size_t)operands[0]->type->rank, sizeof *shape);
	struct sr_named_attr attr = {SR_NAME_dimension, sr_attr_i64(ctx, dim)};
	if (n == 1)
		return operands[0];
	for (int i = 1; i < n; i++)
		shape[dim] += operands[i]->type->shape[dim];
	const struct sr_type *type = sr_type_with_shape(ctx, operands[0]->type, operands[0]->type->rank, shape);
	return sr_result(sr_build(&h->builder, SR_OP_stablehlo_concatenate, operands, n, &attr, 1, &type, 1), 0);
}

static int64_t source_of(struct sr_halo_dim d, struct sr_halo_permute_sources permute_sources, int64_t j)
{
	int64_t k = permute_sources.sources ? permute_sources.sources[j] : j + permute_sources.step;
	return k < d.shards ? k : -1;
}

static const struct sr_attr *pairs(struct sr_halo *h, struct sr_halo_dim d, struct sr_halo_permute_sources permute_sources)
{
	struct sr_context *ctx = h->ctx;
	if (sr_mesh_devices(h->mesh) > h->max_listed)
		return sr_attr_permute_along(ctx, h->module, h->mesh, d.axes, permute_sources.sources, permute_sources.step);
	struct sr_groups g = sr_mesh_groups(ctx->arena, h->mesh, d.axes);
	int64_t *list = SR_NEW_ARRAY(ctx->arena, int64_t, 2 * g.n_groups * g.group_size), n = 0;
	for (int64_t i = 0; i < g.n_groups; i++)
		for (int64_t j = 0; j < g.group_size; j++)
			if (source_of(d, permute_sources, j) >= 0) {
				list[2 * n] = g.ids[i * g.group_size + source_of(d, permute_sources, j)];
				list[2 * n++ + 1] = g.ids[i * g.group_size + j];
			}
	return sr_attr_dense_i64(ctx, 2, (int64_t[]){n, 2}, list);
}

struct sr_value *sr_halo_permute(struct sr_halo *h, struct sr_value *v, struct sr_halo_dim d,
				 struct sr_halo_permute_sources permute_sources)
{
	struct sr_context *ctx = h->ctx;
	struct sr_named_attr attrs[] = {
		{SR_NAME_source_target_pairs, pairs(h, d, permute_sources)},
		{SR_NAME_channel_handle, sr_local_channel(ctx)},
		{"shardrun.cause", sr_attr_string(ctx, "halo", 4)},
		{"shardrun.shardings", sr_collective_shardings_attr(&h->builder, h->mesh, d.axes)}};
	return sr_result(sr_build(&h->builder, SR_OP_stablehlo_collective_permute, &v, 1, attrs, 4, &v->type, 1), 0);
}

/* Build an i1 scalar that is true on devices that have a source. */
static struct sr_value *has_source_device(struct sr_halo *h, struct sr_halo_dim d, struct sr_halo_permute_sources permute_sources)
{
	int64_t devices = sr_mesh_devices(h->mesh), n = devices > h->max_listed ? d.shards : devices;
	if (devices > h->max_listed && !permute_sources.sources) {
		struct sr_value *own_coordinate = sr_device_coordinate(&h->builder, h->mesh, d.axes);
		return sr_device_equals(&h->builder, own_coordinate, permute_sources.step > 0 ? d.shards - 1 : 0, false);
	}
	int64_t *table = SR_NEW_ARRAY(h->arena, int64_t, n);
	for (int64_t i = 0; i < n; i++) {
		int64_t j = n < devices ? i : sr_mesh_coordinate_along(h->mesh, i, d.axes);
		table[i] = source_of(d, permute_sources, j) >= 0;
	}
	struct sr_value *table_index = n < devices ? sr_device_coordinate(&h->builder, h->mesh, d.axes) : NULL;
	return sr_device_lookup(&h->builder, table, n, SR_I1, table_index);
}

struct sr_value *sr_halo_pad(struct sr_halo *h, struct sr_value *v, int dim, struct sr_halo_padding padding,
			     struct sr_value *scalar)
{
	struct sr_context *ctx = h->ctx;
	int rank = v->type->rank;
	int64_t *low = SR_NEW_ARRAY(ctx->arena, int64_t, rank), *high = SR_NEW_ARRAY(ctx->arena, int64_t, rank),
		*interior = SR_NEW_ARRAY(ctx->arena, int64_t, rank),
		*shape = sr_dup(ctx->arena, v->type->shape, (size_t)rank, sizeof *shape);
	if (!padding.low && !padding.high && !padding.interior)
		return v;
	low[dim] = padding.low;
	high[dim] = padding.high;
	interior[dim] = padding.interior;
	shape[dim] += padding.low + padding.high + (shape[dim] - 1) * padding.interior;
	if (!scalar)
		scalar = sr_build_splat(&h->builder, sr_type_tensor(ctx, v->type->dtype, 0, NULL), 0);
	struct sr_value *operands[] = {v, scalar};
	struct sr_named_attr attrs[] = {{SR_NAME_edge_padding_low, sr_attr_i64s(ctx, low, rank)},
				   {SR_NAME_edge_padding_high, sr_attr_i64s(ctx, high, rank)},
				   {SR_NAME_interior_padding, sr_attr_i64s(ctx, interior, rank)}};
	const struct sr_type *type = sr_type_with_shape(ctx, v->type, rank, shape);
	return sr_result(sr_build(&h->builder, SR_OP_stablehlo_pad, operands, 2, attrs, 3, &type, 1), 0);
}

struct sr_value *sr_halo_splat(struct sr_halo *h, struct sr_value *scalar, const struct sr_type *type)
{
	struct sr_named_attr no_dims = {SR_NAME_broadcast_dimensions, sr_attr_i64s(h->ctx, NULL, 0)};
	return sr_result(sr_build(&h->builder, SR_OP_stablehlo_broadcast_in_dim, &scalar, 1, &no_dims, 1, &type, 1), 0);
}

struct sr_value *sr_halo_filled(struct sr_halo *h, struct sr_value *v, struct sr_halo_dim d,
				struct sr_halo_permute_sources permute_sources, struct sr_value *fill)
{
	if (fill->type != v->type)
		fill = sr_halo_splat(h, fill, v->type);
	struct sr_value *operands[] = {has_source_device(h, d, permute_sources), v, fill};
	return sr_result(sr_build(&h->builder, SR_OP_stablehlo_select, operands, 3, NULL, 0, &v->type, 1), 0);
}
