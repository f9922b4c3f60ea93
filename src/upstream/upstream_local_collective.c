/* Rewriting of sdy collectives as in upstream's pass: one stablehlo collective for all dimensions, along a new dimension. */
#include "upstream/upstream_local.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "dialect/signature.h"
#include "partition/collective.h"
#include "dialect/op_builders.h"
#include "support/integers.h"
#include "support/vec.h"
#include <stdlib.h>

static bool has_sub_axis(const struct sr_mesh *mesh, struct sr_axes axes)
{
	for (int i = 0; i < axes.n; i++)
		if (axes.refs[i].size != sr_mesh_axis_size(mesh, axes.refs[i].axis))
			return true;
	return false;
}

static const struct sr_attr *groups(struct sr_local *l, struct sr_axes axes)
{
	if (l->groups_by_axes && !has_sub_axis(l->mesh, axes))
		return sr_attr_group_axes(l->ctx, l->module, l->mesh, axes);
	struct sr_groups g = sr_mesh_groups(l->ctx->arena, l->mesh, axes);
	return sr_attr_dense_i64(l->ctx, 2, (int64_t[]){g.n_groups, g.group_size}, g.ids);
}

static struct sr_named_attr channel_attr(struct sr_local *l)
{
	const struct sr_attr *fields[] = {sr_attr_i64(l->ctx, l->upstream->next_channel++), sr_attr_i64(l->ctx, 1)};
	return (struct sr_named_attr){SR_NAME_channel_handle,
				 sr_attr_struct(l->ctx, sr_attr_def_find("stablehlo", SR_NAME_channel_handle), fields)};
}

static struct sr_named_attr ids_are_global(struct sr_local *l)
{
	return (struct sr_named_attr){SR_NAME_use_global_device_ids, sr_attr_unit(l->ctx)};
}

/* Return the axes of each dimension in a list of axes per dimension. *n: number of dimensions with axes; *all_axes: all axes
 * concatenated. */
static struct sr_axes *axes_per_dim(struct sr_local *l, const struct sr_attr *list, int *n, struct sr_axes *all_axes)
{
	struct sr_axes *axes = SR_NEW_ARRAY(l->ctx->scratch, struct sr_axes, list->n);
	SR_VEC(struct sr_axis_ref) refs = {0};
	*n = 0;
	for (int d = 0; d < list->n; d++) {
		if (list->list[d]->axes)
			axes[d] = sr_axes_resolve(l->ctx->arena, l->mesh, *list->list[d]->axes);
		*n += axes[d].n > 0;
		for (int i = 0; i < axes[d].n; i++)
			sr_push(l->ctx->scratch, &refs, axes[d].refs[i]);
	}
	*all_axes = (struct sr_axes){refs.data, (int)refs.n};
	return axes;
}

/* ---- dimensions split into factors, and the factors merged into one leading dimension ---- */

struct factor {
	int64_t size;
	int dim;
};

struct factors {
	struct factor *factors;
	int n;
};

static struct factors factors_of(struct sr_local *l, const struct sr_axes *axes, int rank)
{
	struct factors f = {SR_NEW_ARRAY(l->ctx->scratch, struct factor, rank), 0};
	for (int d = 0; d < rank; d++)
		if (axes[d].n)
			f.factors[f.n++] = (struct factor){sr_axes_size(axes[d]), d};
	return f;
}

static int64_t product_of_factors(struct factors f)
{
	int64_t n = 1;
	for (int i = 0; i < f.n; i++)
		n *= f.factors[i].size;
	return n;
}

/* Merge the factors of dimensions into one leading dimension. 8x6 with factor 4 of dimension 0 and factor 3 of dimension 1:
 * 4x2x3x2, 4x3x2x2, 12x2x2. */
static struct sr_value *merge_factors(struct sr_local *l, struct sr_value *v, struct factors f)
{
	struct sr_arena *arena = l->ctx->scratch;
	int rank = v->type->rank, n = 0, at = 0, n_order = f.n;
	int64_t *shape = SR_NEW_ARRAY(arena, int64_t, rank + f.n), *order = SR_NEW_ARRAY(arena, int64_t, rank + f.n);
	for (int d = 0; d < rank; d++) {
		int64_t size = 1;
		if (at < f.n && f.factors[at].dim == d) {
			size = f.factors[at].size;
			order[at++] = n;
			shape[n++] = size;
		}
		order[n_order++] = n;
		shape[n++] = v->type->shape[d] / size;
	}
	v = sr_build_transpose(&l->builder, sr_build_reshape(&l->builder, v, n, shape), order);
	shape[0] = product_of_factors(f);
	for (int d = 0; d < rank; d++)
		shape[d + 1] = v->type->shape[f.n + d];
	return sr_build_reshape(&l->builder, v, rank + 1, shape);
}

/* Split the first dimension into the factors, and make each the major part of its dimension. */
static struct sr_value *split_factors(struct sr_local *l, struct sr_value *v, struct factors f)
{
	struct sr_arena *arena = l->ctx->scratch;
	int rank = v->type->rank - 1, n = 0;
	int64_t *shape = SR_NEW_ARRAY(arena, int64_t, rank + f.n), *order = SR_NEW_ARRAY(arena, int64_t, rank + f.n),
		*last = SR_NEW_ARRAY(arena, int64_t, rank);
	for (int i = 0; i < f.n; i++)
		shape[i] = f.factors[i].size;
	for (int d = 0; d < rank; d++) {
		last[d] = shape[f.n + d] = v->type->shape[d + 1];
		for (int i = 0; i < f.n; i++)
			if (f.factors[i].dim == d) {
				order[n++] = i;
				last[d] *= f.factors[i].size;
			}
		order[n++] = f.n + d;
	}
	v = sr_build_transpose(&l->builder, sr_build_reshape(&l->builder, v, rank + f.n, shape), order);
	return sr_build_reshape(&l->builder, v, rank, last);
}

/* ---- the collectives ---- */

static struct sr_value *gather(struct sr_local *l, struct sr_value *v, int dim, struct sr_axes axes)
{
	const struct sr_type *type = sr_local_scaled_type(l, v, dim, sr_axes_size(axes), 1);
	struct sr_named_attr attrs[] = {{SR_NAME_all_gather_dim, sr_attr_i64(l->ctx, dim)},
					{SR_NAME_replica_groups, groups(l, axes)},
					channel_attr(l),
					ids_are_global(l)};
	return sr_result(sr_build(&l->builder, SR_OP_stablehlo_all_gather, &v, 1, attrs, 4, &type, 1), 0);
}

enum sr_status sr_upstream_all_gather(struct sr_local *l, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0);
	int n, rank = v->type->rank;
	struct sr_axes all_axes, *axes = axes_per_dim(l, sr_op_attr(op, SR_NAME_gathering_axes), &n, &all_axes);
	if (n > 1 && !l->upstream->per_dim_gather) {
		int64_t *shape = SR_NEW_ARRAY(l->ctx->scratch, int64_t, rank + 1);
		shape[0] = 1;
		for (int d = 0; d < rank; d++)
			shape[d + 1] = v->type->shape[d];
		v = gather(l, sr_build_reshape(&l->builder, v, rank + 1, shape), 0, all_axes);
		v = split_factors(l, v, factors_of(l, axes, rank));
	} else {
		for (int d = rank - 1; d >= 0; d--)
			if (axes[d].n)
				v = gather(l, v, d, axes[d]);
	}
	sr_local_replace(l, op, &v);
	return SR_OK;
}

enum sr_status sr_upstream_all_slice(struct sr_local *l, struct sr_op *op)
{
	int n;
	struct sr_axes all_axes, *axes = axes_per_dim(l, sr_op_attr(op, SR_NAME_slicing_axes), &n, &all_axes);
	struct sr_value *v = sr_upstream_slice_shard(l, sr_operand(op, 0), axes, sr_result(op, 0)->type);
	sr_local_replace(l, op, &v);
	return SR_OK;
}

static struct sr_value *all_to_all(struct sr_local *l, struct sr_value *v, struct sr_axes axes, int64_t src, int64_t tgt)
{
	const struct sr_type *type;
	struct sr_named_attr attrs[5];
	int n = sr_local_all_to_all_attrs(l, v, sr_axes_size(axes), src, tgt, attrs, &type);
	attrs[n++] = (struct sr_named_attr){SR_NAME_replica_groups, groups(l, axes)};
	attrs[n++] = channel_attr(l);
	return sr_result(sr_build(&l->builder, SR_OP_stablehlo_all_to_all, &v, 1, attrs, n, &type, 1), 0);
}

struct move {
	struct sr_axes axes;
	int src, tgt;
};

static int compare_target_dims(const void *a, const void *b)
{
	return ((const struct move *)a)->tgt - ((const struct move *)b)->tgt;
}

/* Exchange several dimensions by one all_to_all: merge the parts that are split off into one leading dimension, exchange along it,
 * and move the parts to their dimensions. */
static struct sr_value *all_to_all_several(struct sr_local *l, struct sr_value *v, struct move *moves, int n)
{
	struct sr_arena *arena = l->ctx->scratch;
	struct factors target = {SR_NEW_ARRAY(arena, struct factor, n), n}, source = {SR_NEW_ARRAY(arena, struct factor, n), n};
	SR_VEC(struct sr_axis_ref) all = {0};
	qsort(moves, (size_t)n, sizeof *moves, compare_target_dims);
	for (int i = 0; i < n; i++) {
		int64_t size = sr_axes_size(moves[i].axes);
		target.factors[i] = (struct factor){size, moves[i].tgt};
		source.factors[i] = (struct factor){size, moves[i].src};
		for (int k = 0; k < moves[i].axes.n; k++)
			sr_push(arena, &all, moves[i].axes.refs[k]);
	}
	v = all_to_all(l, merge_factors(l, v, target), (struct sr_axes){all.data, (int)all.n}, 0, 0);
	return split_factors(l, v, source);
}

enum sr_status sr_upstream_all_to_all(struct sr_local *l, struct sr_op *op)
{
	const struct sr_attr *params = sr_op_attr(op, SR_NAME_params);
	struct move *moves = SR_NEW_ARRAY(l->ctx->scratch, struct move, params->n);
	struct sr_value *v = sr_operand(op, 0);
	for (int i = 0; i < params->n; i++) {
		const struct sr_attr *p = params->list[i];
		moves[i] = (struct move){sr_axes_resolve(l->ctx->arena, l->mesh, *p->list[0]->axes), (int)p->list[1]->i,
					 (int)p->list[2]->i};
		if (v->type->shape[moves[i].tgt] % sr_axes_size(moves[i].axes))
			return sr_op_error(op, &l->ctx->diags, SR_INVALID, "dimension not divisible by num devices per group");
	}
	v = params->n == 1 ? all_to_all(l, v, moves[0].axes, moves[0].src, moves[0].tgt)
			   : all_to_all_several(l, v, moves, params->n);
	sr_local_replace(l, op, &v);
	return SR_OK;
}

static struct sr_value *copy_reducer(struct sr_local *l, struct sr_op *new_op, struct sr_op *original_op)
{
	struct sr_value *v = sr_result(new_op, 0);
	sr_build_reducer(l->ctx, &new_op->regions[0], sr_collective_reducer(sr_collective_kind(original_op)), v->type->element,
			 new_op->loc);
	return v;
}

static struct sr_value *reduce(struct sr_local *l, struct sr_op *op, struct sr_value *v, struct sr_axes axes)
{
	struct sr_named_attr attrs[] = {{SR_NAME_replica_groups, groups(l, axes)}, channel_attr(l), ids_are_global(l)};
	return copy_reducer(l, sr_build(&l->builder, SR_OP_stablehlo_all_reduce, &v, 1, attrs, 3, &v->type, 1), op);
}

enum sr_status sr_upstream_all_reduce(struct sr_local *l, struct sr_op *op)
{
	struct sr_axes axes = sr_axes_resolve(l->ctx->arena, l->mesh, *sr_op_attr(op, SR_NAME_reduction_axes)->axes);
	struct sr_value *v = reduce(l, op, sr_operand(op, 0), axes);
	sr_local_replace(l, op, &v);
	return SR_OK;
}

static struct sr_value *scatter(struct sr_local *l, struct sr_op *op, struct sr_value *v, int dim, struct sr_axes axes)
{
	const struct sr_type *type = sr_local_scaled_type(l, v, dim, 1, sr_axes_size(axes));
	struct sr_named_attr attrs[] = {{SR_NAME_scatter_dimension, sr_attr_i64(l->ctx, dim)},
					{SR_NAME_replica_groups, groups(l, axes)},
					channel_attr(l),
					ids_are_global(l)};
	return copy_reducer(l, sr_build(&l->builder, SR_OP_stablehlo_reduce_scatter, &v, 1, attrs, 4, &type, 1), op);
}

enum sr_status sr_upstream_reduce_scatter(struct sr_local *l, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_type *local_type = sr_result(op, 0)->type;
	int n, rank = v->type->rank;
	struct sr_axes all_axes, *axes = axes_per_dim(l, sr_op_attr(op, SR_NAME_reduce_scatter_axes), &n, &all_axes);
	if (n == 1) {
		for (int d = 0; d < rank; d++)
			if (axes[d].n)
				v = scatter(l, op, v, d, axes[d]);
	} else if (l->upstream->combines_scatters) {
		v = scatter(l, op, merge_factors(l, v, factors_of(l, axes, rank)), 0, all_axes);
		v = sr_build_reshape(&l->builder, v, rank, local_type->shape);
	} else {
		v = sr_upstream_slice_shard(l, reduce(l, op, v, all_axes), axes, local_type);
	}
	sr_local_replace(l, op, &v);
	return SR_OK;
}

/* ---- collective_permute ---- */

typedef SR_VEC(struct sr_axis_ref) refs;

/* Return the mesh's axes, split wherever one of the references begins or ends. */
static refs split_mesh(struct sr_local *l, const refs *boundaries)
{
	struct sr_arena *arena = l->ctx->scratch;
	refs out = {0};
	for (int a = 0; a < l->mesh->n_axes; a++) {
		SR_VEC(int64_t) at = {0};
		sr_push(arena, &at, (int64_t)1);
		sr_push(arena, &at, l->mesh->axes[a].size);
		for (size_t i = 0; i < boundaries->n; i++)
			if (boundaries->data[i].axis == l->mesh->axes[a].name) {
				sr_push(arena, &at, boundaries->data[i].pre);
				sr_push(arena, &at, boundaries->data[i].pre * boundaries->data[i].size);
			}
		qsort(at.data, at.n, sizeof *at.data, sr_compare_integers);
		for (size_t i = 0; i + 1 < at.n; i++) {
			struct sr_axis_ref sub_axis = {l->mesh->axes[a].name, at.data[i], at.data[i + 1] / at.data[i]};
			if (sub_axis.size > 1)
				sr_push(arena, &out, sub_axis);
		}
	}
	return out;
}

static bool has(const refs *list, struct sr_axis_ref ref)
{
	for (size_t i = 0; i < list->n; i++)
		if (sr_axis_ref_equal(list->data[i], ref))
			return true;
	return false;
}

/* Return all parts of the mesh's axes: those of the sharding first, in its order. */
static struct sr_axes sub_axes_in_sharding_order(struct sr_local *l, const refs *sharding, const refs *sub_axes)
{
	refs out = {0};
	for (size_t i = 0; i < sharding->n; i++)
		for (size_t k = 0; k < sub_axes->n; k++)
			if (sr_axis_contains(sharding->data[i], sub_axes->data[k]) && !has(&out, sub_axes->data[k]))
				sr_push(l->ctx->scratch, &out, sub_axes->data[k]);
	for (size_t k = 0; k < sub_axes->n; k++)
		if (!has(&out, sub_axes->data[k]))
			sr_push(l->ctx->scratch, &out, sub_axes->data[k]);
	return (struct sr_axes){out.data, (int)out.n};
}

static refs sub_axes_of_value(struct sr_local *l, const struct sr_value *v)
{
	refs out = {0};
	for (int d = 0; d < v->type->rank; d++) {
		struct sr_axes axes = sr_local_axes(l, v, d);
		for (int i = 0; i < axes.n; i++)
			sr_push(l->ctx->scratch, &out, axes.refs[i]);
	}
	return out;
}

enum sr_status sr_upstream_collective_permute(struct sr_local *l, struct sr_op *op)
{
	struct sr_arena *arena = l->ctx->scratch;
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_local_value *in = sr_local_find(l, v);
	const struct sr_mesh *in_mesh = in && in->mesh ? in->mesh : l->mesh;
	refs source = sub_axes_of_value(l, v), target = sub_axes_of_value(l, sr_result(op, 0)), axis_refs = {0};
	int64_t n = sr_mesh_devices(l->mesh), *at = SR_NEW_ARRAY(arena, int64_t, n), *pairs = SR_NEW_ARRAY(arena, int64_t, 2 * n);
	if (sr_mesh_devices(in_mesh) != n)
		return sr_op_error(op, &l->ctx->diags, SR_UNSUPPORTED, "permutes between meshes of different sizes");
	for (size_t i = 0; i < source.n; i++)
		sr_push(arena, &axis_refs, source.data[i]);
	for (size_t i = 0; i < target.n; i++)
		sr_push(arena, &axis_refs, target.data[i]);
	refs sub_axes = split_mesh(l, &axis_refs);
	struct sr_axes source_order = sub_axes_in_sharding_order(l, &source, &sub_axes),
		       target_order = sub_axes_in_sharding_order(l, &target, &sub_axes);
	for (int64_t i = 0; i < n; i++)
		at[sr_mesh_coordinate_along(l->mesh, i, target_order)] = i;
	for (int64_t i = 0; i < n; i++) {
		pairs[2 * i] = i;
		pairs[2 * i + 1] = at[sr_mesh_coordinate_along(in_mesh, i, source_order)];
	}
	struct sr_named_attr attrs[] = {{SR_NAME_source_target_pairs, sr_attr_dense_i64(l->ctx, 2, (int64_t[]){n, 2}, pairs)},
				   channel_attr(l)};
	v = sr_result(sr_build(&l->builder, SR_OP_stablehlo_collective_permute, &v, 1, attrs, 2, &v->type, 1), 0);
	sr_local_replace(l, op, &v);
	return SR_OK;
}
