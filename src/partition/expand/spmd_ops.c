/* Builders of the ops and collectives in the body of an SPMD expansion. */
#include "cost/cost.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "dialect/signature.h"
#include "partition/collective.h"
#include "partition/device_coordinate.h"
#include "partition/local/local.h"
#include "partition/expand/expand.h"
#include <string.h>

struct sr_value *sr_spmd_binary(struct sr_expansion *p, enum sr_op_code code, struct sr_value *a, struct sr_value *b)
{
	struct sr_value *pair[] = {a, b};
	return sr_build_infer(&p->builder, code, pair, 2, NULL, 0);
}

struct sr_value *sr_spmd_select(struct sr_expansion *p, struct sr_value *predicate, struct sr_value *yes, struct sr_value *no)
{
	struct sr_value *operands[] = {predicate, yes, no};
	return sr_build_infer(&p->builder, SR_OP_stablehlo_select, operands, 3, NULL, 0);
}

struct sr_value *sr_spmd_constant(struct sr_expansion *p, const struct sr_type *type, int64_t value)
{
	char element[16] = {0};
	sr_element_set(type->dtype, element, value, (double)value, 0);
	return sr_build_constant(&p->builder, sr_attr_dense(p->ctx, type, element, sr_dtype_bytes(type->dtype)));
}

static struct sr_value *scalar(struct sr_expansion *p, enum sr_dtype dtype, int64_t value)
{
	return sr_spmd_constant(p, sr_type_tensor(p->ctx, dtype, 0, NULL), value);
}

struct sr_value *sr_spmd_clamp(struct sr_expansion *p, struct sr_value *v, int64_t low, int64_t high)
{
	struct sr_value *operands[] = {scalar(p, v->type->dtype, low), v, scalar(p, v->type->dtype, high)};
	return sr_build_infer(&p->builder, SR_OP_stablehlo_clamp, operands, 3, NULL, 0);
}

struct sr_value *sr_spmd_convert(struct sr_expansion *p, struct sr_value *v, enum sr_dtype dtype)
{
	const struct sr_type *type = sr_type_tensor(p->ctx, dtype, v->type->rank, v->type->shape);
	return v->type->dtype == dtype ? v : sr_result(sr_build(&p->builder, SR_OP_stablehlo_convert, &v, 1, NULL, 0, &type, 1), 0);
}

struct sr_value *sr_spmd_reshape(struct sr_expansion *p, struct sr_value *v, int rank, const int64_t *shape)
{
	const struct sr_type *type = sr_type_with_shape(p->ctx, v->type, rank, shape);
	return type == v->type ? v : sr_result(sr_build(&p->builder, SR_OP_stablehlo_reshape, &v, 1, NULL, 0, &type, 1), 0);
}

struct sr_value *sr_spmd_broadcast(struct sr_expansion *p, struct sr_value *v, const int64_t *dims, int rank, const int64_t *shape)
{
	struct sr_named_attr attr = {SR_NAME_broadcast_dimensions, sr_attr_i64s(p->ctx, dims, v->type->rank)};
	const struct sr_type *type = sr_type_with_shape(p->ctx, v->type, rank, shape);
	return sr_result(sr_build(&p->builder, SR_OP_stablehlo_broadcast_in_dim, &v, 1, &attr, 1, &type, 1), 0);
}

struct sr_value *sr_spmd_iota(struct sr_expansion *p, enum sr_dtype dtype, int rank, const int64_t *shape, int dim)
{
	struct sr_named_attr attr = {SR_NAME_iota_dimension, sr_attr_i64(p->ctx, dim)};
	const struct sr_type *type = sr_type_tensor(p->ctx, dtype, rank, shape);
	return sr_result(sr_build(&p->builder, SR_OP_stablehlo_iota, NULL, 0, &attr, 1, &type, 1), 0);
}

struct sr_value *sr_spmd_slice(struct sr_expansion *p, struct sr_value *v, int dim, int64_t first, int64_t n)
{
	struct sr_context *ctx = p->ctx;
	int rank = v->type->rank;
	int64_t *start = SR_NEW_ARRAY(ctx->arena, int64_t, rank), *one = SR_NEW_ARRAY(ctx->arena, int64_t, rank),
		*limit = sr_dup(ctx->arena, v->type->shape, (size_t)rank, sizeof *limit);
	if (first == 0 && n == v->type->shape[dim])
		return v;
	for (int d = 0; d < rank; d++)
		one[d] = 1;
	start[dim] = first;
	limit[dim] = first + n;
	struct sr_named_attr attrs[] = {{SR_NAME_start_indices, sr_attr_i64s(ctx, start, rank)},
				   {SR_NAME_limit_indices, sr_attr_i64s(ctx, limit, rank)},
				   {SR_NAME_strides, sr_attr_i64s(ctx, one, rank)}};
	return sr_build_infer(&p->builder, SR_OP_stablehlo_slice, &v, 1, attrs, 3);
}

struct sr_value *sr_spmd_dynamic_slice(struct sr_expansion *p, struct sr_value *v, int dim, struct sr_value *first, int64_t n)
{
	struct sr_context *ctx = p->ctx;
	int rank = v->type->rank;
	int64_t *sizes = sr_dup(ctx->arena, v->type->shape, (size_t)rank, sizeof *sizes);
	struct sr_value **operands = SR_NEW_ARRAY(ctx->arena, struct sr_value *, rank + 1),
			*zero = scalar(p, first->type->dtype, 0);
	sizes[dim] = n;
	operands[0] = v;
	for (int d = 0; d < rank; d++)
		operands[d + 1] = d == dim ? first : zero;
	struct sr_named_attr attr = {SR_NAME_slice_sizes, sr_attr_i64s(ctx, sizes, rank)};
	return sr_build_infer(&p->builder, SR_OP_stablehlo_dynamic_slice, operands, rank + 1, &attr, 1);
}

struct sr_value *sr_spmd_pad(struct sr_expansion *p, struct sr_value *v, int dim, int64_t low, int64_t high, struct sr_value *fill)
{
	struct sr_context *ctx = p->ctx;
	int rank = v->type->rank;
	int64_t *low_padding = SR_NEW_ARRAY(ctx->arena, int64_t, rank), *high_padding = SR_NEW_ARRAY(ctx->arena, int64_t, rank),
		*interior_padding = SR_NEW_ARRAY(ctx->arena, int64_t, rank);
	struct sr_value *operands[] = {v, fill ? fill : scalar(p, v->type->dtype, 0)};
	low_padding[dim] = low;
	high_padding[dim] = high;
	struct sr_named_attr attrs[] = {{SR_NAME_edge_padding_low, sr_attr_i64s(ctx, low_padding, rank)},
				   {SR_NAME_edge_padding_high, sr_attr_i64s(ctx, high_padding, rank)},
				   {SR_NAME_interior_padding, sr_attr_i64s(ctx, interior_padding, rank)}};
	return sr_build_infer(&p->builder, SR_OP_stablehlo_pad, operands, 2, attrs, 3);
}

struct sr_value *sr_spmd_shard_offset(struct sr_expansion *p, struct sr_axes axes, int64_t shard, enum sr_dtype dtype)
{
	if (sr_axes_size(axes) == 1)
		return scalar(p, dtype, 0);
	struct sr_value *v = sr_spmd_convert(p, sr_device_coordinate(&p->builder, p->mesh, axes), dtype);
	return shard == 1 ? v : sr_spmd_binary(p, SR_OP_stablehlo_multiply, v, scalar(p, dtype, shard));
}

enum sr_dtype sr_spmd_index_type(int64_t extent)
{
	return extent > INT32_MAX / 4 ? SR_I64 : SR_I32;
}

struct sr_value *sr_spmd_clamped_index(struct sr_expansion *p, struct sr_value *v, enum sr_dtype dtype, int64_t low, int64_t high)
{
	enum sr_dtype in_dtype = v->type->dtype;
	bool needs_i64 = sr_dtype_bytes(in_dtype) == 8 || in_dtype == SR_UI32;
	if (in_dtype == SR_UI64) /* unsigned values above INT64_MAX exceed every extent */
		v = sr_spmd_binary(p, SR_OP_stablehlo_minimum, v, sr_spmd_constant(p, v->type, INT64_MAX));
	v = sr_spmd_clamp(p, sr_spmd_convert(p, v, needs_i64 ? SR_I64 : dtype), low, high);
	return sr_spmd_convert(p, v, dtype);
}

struct sr_value *sr_spmd_in_range(struct sr_expansion *p, struct sr_value *v, int64_t first, int64_t last)
{
	struct sr_value *low = sr_build_compare(&p->builder, v, SR_GE, sr_spmd_constant(p, v->type, first), NULL);
	struct sr_value *high = sr_build_compare(&p->builder, v, SR_LT, sr_spmd_constant(p, v->type, last), NULL);
	return sr_spmd_binary(p, SR_OP_stablehlo_and, low, high);
}

/* ---------------------------------------------------------------- collectives */

static const struct sr_attr *cause_attr(struct sr_expansion *p)
{
	return sr_attr_string(p->ctx, p->op->info->name, strlen(p->op->info->name));
}

static struct sr_op *collective(struct sr_expansion *p, enum sr_op_code code, struct sr_value *v, struct sr_named_attr first,
				bool global_ids, struct sr_axes axes, const int64_t *shape)
{
	const struct sr_type *type = sr_type_with_shape(p->ctx, v->type, v->type->rank, shape);
	struct sr_named_attr attrs[6] = {{SR_NAME_replica_groups, sr_attr_group_axes(p->ctx, p->module, p->mesh, axes)},
				    {SR_NAME_channel_handle, sr_local_channel(p->ctx)},
				    {"shardrun.cause", cause_attr(p)},
				    {"shardrun.shardings", sr_collective_shardings_attr(&p->builder, p->mesh, axes)}};
	int n = 4;
	if (global_ids)
		attrs[n++] = (struct sr_named_attr){SR_NAME_use_global_device_ids, sr_attr_unit(p->ctx)};
	if (first.name)
		attrs[n++] = first;
	return sr_build(&p->builder, code, &v, 1, attrs, n, &type, 1);
}

static int64_t *shape_of(struct sr_expansion *p, const struct sr_value *v)
{
	return sr_dup(p->ctx->arena, v->type->shape, (size_t)v->type->rank, sizeof(int64_t));
}

struct sr_value *sr_spmd_all_gather(struct sr_expansion *p, struct sr_value *v, int dim, struct sr_axes axes)
{
	int64_t *shape = shape_of(p, v);
	struct sr_named_attr dim_attr = {SR_NAME_all_gather_dim, sr_attr_i64(p->ctx, dim)};
	shape[dim] *= sr_axes_size(axes);
	return sr_axes_size(axes) == 1 ? v
				       : sr_result(collective(p, SR_OP_stablehlo_all_gather, v, dim_attr, true, axes, shape), 0);
}

static struct sr_value *all_reduce(struct sr_expansion *p, struct sr_value *v, struct sr_axes axes, enum sr_op_code code)
{
	if (sr_axes_size(axes) == 1)
		return v;
	axes = sr_axes_sort_and_merge(p->ctx->arena, p->mesh, axes);
	struct sr_op *op = collective(p, SR_OP_stablehlo_all_reduce, v, (struct sr_named_attr){0}, true, axes, v->type->shape);
	sr_build_reducer(p->ctx, &op->regions[0], code, v->type->element, op->loc);
	return sr_result(op, 0);
}

static struct sr_value *reduce_scatter(struct sr_expansion *p, struct sr_value *v, int dim, struct sr_axes axes,
					enum sr_op_code code)
{
	int64_t *shape = shape_of(p, v);
	struct sr_named_attr dim_attr = {SR_NAME_scatter_dimension, sr_attr_i64(p->ctx, dim)};
	if (sr_axes_size(axes) == 1)
		return v;
	shape[dim] /= sr_axes_size(axes);
	struct sr_op *op = collective(p, SR_OP_stablehlo_reduce_scatter, v, dim_attr, true, axes, shape);
	sr_build_reducer(p->ctx, &op->regions[0], code, v->type->element, op->loc);
	return sr_result(op, 0);
}

struct sr_value *sr_spmd_all_to_all(struct sr_expansion *p, struct sr_value *v, int split_dim, int concat_dim, struct sr_axes axes)
{
	int64_t *shape = shape_of(p, v), n = sr_axes_size(axes);
	const struct sr_type *type;
	shape[split_dim] /= n;
	shape[concat_dim] *= n;
	type = sr_type_with_shape(p->ctx, v->type, v->type->rank, shape);
	struct sr_named_attr attrs[] = {{SR_NAME_split_dimension, sr_attr_i64(p->ctx, split_dim)},
				   {SR_NAME_concat_dimension, sr_attr_i64(p->ctx, concat_dim)},
				   {SR_NAME_split_count, sr_attr_i64(p->ctx, n)},
				   {SR_NAME_replica_groups, sr_attr_group_axes(p->ctx, p->module, p->mesh, axes)},
				   {SR_NAME_channel_handle, sr_local_channel(p->ctx)},
				   {"shardrun.cause", cause_attr(p)},
				   {"shardrun.shardings", sr_collective_shardings_attr(&p->builder, p->mesh, axes)}};
	return sr_result(sr_build(&p->builder, SR_OP_stablehlo_all_to_all, &v, 1, attrs, 7, &type, 1), 0);
}

struct sr_value *sr_spmd_neighbor_permute(struct sr_expansion *p, struct sr_value *v, struct sr_axes axes, int step)
{
	enum { LISTED = 4096 };
	int64_t devices = sr_mesh_devices(p->mesh), n = 0;
	const struct sr_attr *pairs;
	if (devices > LISTED) {
		pairs = sr_attr_permute_along(p->ctx, p->module, p->mesh, axes, NULL, step);
	} else {
		struct sr_groups g = sr_mesh_groups(p->ctx->arena, p->mesh, axes);
		int64_t *list = SR_NEW_ARRAY(p->ctx->arena, int64_t, 2 * g.n_groups * g.group_size);
		for (int64_t i = 0; i < g.n_groups; i++)
			for (int64_t j = 0; j < g.group_size; j++)
				if (j + step >= 0 && j + step < g.group_size) {
					list[2 * n] = g.ids[i * g.group_size + j + step];
					list[2 * n++ + 1] = g.ids[i * g.group_size + j];
				}
		pairs = sr_attr_dense_i64(p->ctx, 2, (int64_t[]){n, 2}, list);
	}
	struct sr_named_attr attrs[] = {
		{SR_NAME_source_target_pairs, pairs},
		{SR_NAME_channel_handle, sr_local_channel(p->ctx)},
		{"shardrun.cause", cause_attr(p)},
		{"shardrun.shardings", sr_collective_shardings_attr(&p->builder, p->mesh, axes)}};
	return sr_result(sr_build(&p->builder, SR_OP_stablehlo_collective_permute, &v, 1, attrs, 4, &v->type, 1), 0);
}

/* ---------------------------------------------------------------- sums with one nonzero addend */

enum sr_dtype sr_spmd_bits_type(enum sr_dtype t)
{
	if (!sr_dtype_is_float(t))
		return SR_DTYPE_NONE;
	switch (sr_dtypes[t].bits) {
	case 8: return SR_UI8;
	case 16: return SR_UI16;
	case 32: return SR_UI32;
	case 64: return SR_UI64;
	default: return SR_DTYPE_NONE;
	}
}

struct sr_value *sr_spmd_bitcast(struct sr_expansion *p, struct sr_value *v, enum sr_dtype to)
{
	const struct sr_type *type = sr_type_tensor(p->ctx, to, v->type->rank, v->type->shape);
	return to == SR_DTYPE_NONE ? v : sr_result(sr_build(&p->builder, SR_OP_stablehlo_bitcast_convert, &v, 1, NULL, 0, &type, 1), 0);
}

bool sr_owned_reduction_of(const struct sr_form_query *q, struct sr_axes reduced_axes, const struct sr_axes *base,
			   struct sr_owned_reduction *out)
{
	const struct sr_type *type = sr_result(q->op, 0)->type;
	const struct sr_axes *result = sr_form_axes(q, q->op->n_operands);
	struct sr_axes not_reduced;
	out->replicated_axes = reduced_axes;
	out->scattered_axes = SR_NEW_ARRAY(q->arena, struct sr_axes, type->rank);
	for (int d = 0; d < type->rank; d++) {
		if (sr_axes_equal(result[d], base[d]))
			continue;
		struct sr_axes *scattered_axes = &out->scattered_axes[d];
		if ((base[d].n && !sr_axes_is_strict_prefix(base[d], result[d])) ||
		    /* reduce_scatter would divide a padded shard, so that a device's part could begin in the padding */
		    (base[d].n && type->shape[d] % sr_axes_size(result[d])) ||
		    !sr_axes_difference(q->arena, result[d], base[d], scattered_axes) ||
		    !sr_axes_difference(q->arena, *scattered_axes, out->replicated_axes, &not_reduced) || not_reduced.n ||
		    !sr_axes_difference(q->arena, out->replicated_axes, *scattered_axes, &out->replicated_axes))
			return false;
	}
	return true;
}

struct sr_value *sr_spmd_reduce(struct sr_expansion *p, struct sr_value *v, const struct sr_owned_reduction *reduction,
				enum sr_op_code code)
{
	for (int d = 0; d < v->type->rank; d++) {
		int64_t n = sr_axes_size(reduction->scattered_axes[d]), extent = v->type->shape[d];
		if (extent % n)
			v = sr_spmd_pad(p, v, d, 0, n - extent % n, NULL);
		v = reduce_scatter(p, v, d, reduction->scattered_axes[d], code);
	}
	return all_reduce(p, v, reduction->replicated_axes, code);
}

struct sr_value *sr_spmd_sum_owned(struct sr_expansion *p, struct sr_value *v, struct sr_value *is_owned,
				   const struct sr_owned_reduction *reduction)
{
	enum sr_dtype was = v->type->dtype, bits = sr_spmd_bits_type(was);
	v = sr_spmd_bitcast(p, v, bits);
	v = is_owned ? sr_spmd_select(p, is_owned, v, sr_spmd_constant(p, v->type, 0)) : v;
	v = sr_spmd_reduce(p, v, reduction, was == SR_I1 ? SR_OP_stablehlo_or : SR_OP_stablehlo_add);
	return bits == SR_DTYPE_NONE ? v : sr_spmd_bitcast(p, v, was);
}
