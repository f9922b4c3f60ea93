/* Builders of the ops and collectives in the body of an SPMD expansion. */
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "partition/collective.h"
#include "partition/device_coordinate.h"
#include "partition/local/local.h"
#include "partition/expand/expand.h"
#include <string.h>

struct sr_value *sr_spmd_clamp(struct sr_expansion *p, struct sr_value *v, int64_t low, int64_t high)
{
	struct sr_value *operands[] = {sr_build_scalar(&p->builder, v->type->dtype, low), v,
				       sr_build_scalar(&p->builder, v->type->dtype, high)};
	return sr_build_infer(&p->builder, SR_OP_stablehlo_clamp, operands, 3, NULL, 0);
}

struct sr_value *sr_spmd_shard_offset(struct sr_expansion *p, struct sr_axes axes, int64_t shard, enum sr_dtype dtype)
{
	struct sr_builder *b = &p->builder;
	if (sr_axes_size(axes) == 1)
		return sr_build_scalar(b, dtype, 0);
	struct sr_value *v = sr_build_convert(b, sr_device_coordinate(b, p->mesh, axes), dtype);
	return shard == 1 ? v : sr_build_binary(b, SR_OP_stablehlo_multiply, v, sr_build_scalar(b, dtype, shard));
}

struct sr_value *sr_spmd_positions(struct sr_expansion *p, enum sr_dtype dtype, const struct sr_type *like, int dim,
				   struct sr_value *first)
{
	struct sr_value *offset = sr_build_broadcast(&p->builder, first, like, NULL);
	return sr_build_binary(&p->builder, SR_OP_stablehlo_add, sr_build_iota(&p->builder, dtype, like, dim), offset);
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
		v = sr_build_binary(&p->builder, SR_OP_stablehlo_minimum, v, sr_build_integer(&p->builder, v->type, INT64_MAX));
	v = sr_spmd_clamp(p, sr_build_convert(&p->builder, v, needs_i64 ? SR_I64 : dtype), low, high);
	return sr_build_convert(&p->builder, v, dtype);
}

struct sr_value *sr_spmd_in_range(struct sr_expansion *p, struct sr_value *v, int64_t first, int64_t last)
{
	struct sr_builder *b = &p->builder;
	struct sr_value *low = sr_build_compare(b, v, SR_GE, sr_build_integer(b, v->type, first), NULL);
	return sr_build_binary(b, SR_OP_stablehlo_and, low, sr_build_compare(b, v, SR_LT, sr_build_integer(b, v->type, last), NULL));
}

/* ---------------------------------------------------------------- collectives */

/* Build a collective along the axes, whose result has this shape. own[n_own]: attributes of this kind of collective. */
static struct sr_op *collective(struct sr_expansion *p, enum sr_op_code code, struct sr_value *v, struct sr_axes axes,
				const int64_t *shape, const struct sr_named_attr *own, int n_own)
{
	const struct sr_type *type = sr_type_with_shape(p->ctx, v->type, v->type->rank, shape);
	struct sr_named_attr attrs[8] = {{SR_NAME_channel_handle, sr_local_channel(p->ctx)},
					 {"shardrun.cause", sr_attr_string(p->ctx, p->cause, strlen(p->cause))},
					 {"shardrun.shardings", sr_collective_shardings_attr(&p->builder, p->mesh, axes)}};
	int n = 3;
	for (int i = 0; i < n_own; i++)
		attrs[n++] = own[i];
	if (code != SR_OP_stablehlo_collective_permute)
		attrs[n++] = (struct sr_named_attr){SR_NAME_replica_groups, sr_attr_group_axes(p->ctx, p->module, p->mesh, axes)};
	if (code != SR_OP_stablehlo_collective_permute && code != SR_OP_stablehlo_all_to_all)
		attrs[n++] = (struct sr_named_attr){SR_NAME_use_global_device_ids, sr_attr_unit(p->ctx)};
	return sr_build(&p->builder, code, &v, 1, attrs, n, &type, 1);
}

static int64_t *shape_of(struct sr_expansion *p, const struct sr_value *v)
{
	return sr_dup(p->ctx->arena, v->type->shape, (size_t)v->type->rank, sizeof(int64_t));
}

struct sr_value *sr_spmd_all_gather(struct sr_expansion *p, struct sr_value *v, int dim, struct sr_axes axes)
{
	int64_t *shape = shape_of(p, v), n = sr_axes_size(axes);
	struct sr_named_attr dim_attr = {SR_NAME_all_gather_dim, sr_attr_i64(p->ctx, dim)};
	shape[dim] *= n;
	return n == 1 ? v : sr_result(collective(p, SR_OP_stablehlo_all_gather, v, axes, shape, &dim_attr, 1), 0);
}

/* Reduce v along the axes by an all_reduce or, if scatter_dim >= 0, by a reduce_scatter along this dimension. */
static struct sr_value *reduce(struct sr_expansion *p, struct sr_value *v, struct sr_axes axes, int scatter_dim, enum sr_op_code code)
{
	bool scatters = scatter_dim >= 0;
	int64_t *shape = shape_of(p, v);
	struct sr_named_attr dim_attr = {SR_NAME_scatter_dimension, sr_attr_i64(p->ctx, scatter_dim)};
	if (sr_axes_size(axes) == 1)
		return v;
	if (scatters)
		shape[scatter_dim] /= sr_axes_size(axes);
	else
		axes = sr_axes_sort_and_merge(p->ctx->arena, p->mesh, axes);
	struct sr_op *op = collective(p, scatters ? SR_OP_stablehlo_reduce_scatter : SR_OP_stablehlo_all_reduce, v, axes, shape,
				      &dim_attr, scatters);
	sr_build_reducer(p->ctx, &op->regions[0], code, v->type->element, op->loc);
	return sr_result(op, 0);
}

struct sr_value *sr_spmd_all_to_all(struct sr_expansion *p, struct sr_value *v, int split_dim, int concat_dim, struct sr_axes axes)
{
	int64_t *shape = shape_of(p, v), n = sr_axes_size(axes);
	shape[split_dim] /= n;
	shape[concat_dim] *= n;
	struct sr_named_attr attrs[] = {{SR_NAME_split_dimension, sr_attr_i64(p->ctx, split_dim)},
					{SR_NAME_concat_dimension, sr_attr_i64(p->ctx, concat_dim)},
					{SR_NAME_split_count, sr_attr_i64(p->ctx, n)}};
	return sr_result(collective(p, SR_OP_stablehlo_all_to_all, v, axes, shape, attrs, 3), 0);
}

int64_t sr_spmd_source(struct sr_axes axes, struct sr_permute_sources sources, int64_t j)
{
	int64_t k = sources.list ? sources.list[j] : j + sources.step;
	return k < sr_axes_size(axes) ? k : -1;
}

struct sr_value *sr_spmd_permute(struct sr_expansion *p, struct sr_value *v, struct sr_axes axes, struct sr_permute_sources sources)
{
	struct sr_named_attr pairs = {SR_NAME_source_target_pairs, NULL};
	if (sr_mesh_devices(p->mesh) > p->max_listed) {
		pairs.value = sr_attr_permute_along(p->ctx, p->module, p->mesh, axes, sources.list, sources.step);
	} else {
		struct sr_groups g = sr_mesh_groups(p->ctx->arena, p->mesh, axes);
		int64_t *list = SR_NEW_ARRAY(p->ctx->arena, int64_t, 2 * g.n_groups * g.group_size), n = 0;
		for (int64_t i = 0; i < g.n_groups * g.group_size; i++) {
			int64_t j = i % g.group_size, source = sr_spmd_source(axes, sources, j);
			if (source < 0)
				continue;
			list[2 * n] = g.ids[i - j + source];
			list[2 * n++ + 1] = g.ids[i];
		}
		pairs.value = sr_attr_dense_i64(p->ctx, 2, (int64_t[]){n, 2}, list);
	}
	return sr_result(collective(p, SR_OP_stablehlo_collective_permute, v, axes, v->type->shape, &pairs, 1), 0);
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
			v = sr_build_pad_dim(&p->builder, v, d, (struct sr_dim_padding){.high = n - extent % n}, NULL);
		v = reduce(p, v, reduction->scattered_axes[d], d, code);
	}
	return reduce(p, v, reduction->replicated_axes, -1, code);
}

struct sr_value *sr_spmd_sum_owned(struct sr_expansion *p, struct sr_value *v, struct sr_value *is_owned,
				   const struct sr_owned_reduction *reduction)
{
	enum sr_dtype was = v->type->dtype, bits = sr_spmd_bits_type(was);
	v = sr_spmd_bitcast(p, v, bits);
	v = is_owned ? sr_build_select(&p->builder, is_owned, v, sr_build_integer(&p->builder, v->type, 0)) : v;
	v = sr_spmd_reduce(p, v, reduction, was == SR_I1 ? SR_OP_stablehlo_or : SR_OP_stablehlo_add);
	return bits == SR_DTYPE_NONE ? v : sr_spmd_bitcast(p, v, was);
}
