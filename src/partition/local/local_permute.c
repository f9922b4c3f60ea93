/* Rewriting of sdy.collective_permute as stablehlo.collective_permute: source-target pairs between two shardings with equal local
 * shapes, listed device by device or, on large meshes, as a permutation of axes. */
#include "partition/local/local.h"
#include "dialect/attr_names.h"
#include "support/vec.h"

/* Return the number of the shard that a device has. Devices with equal shards have equal numbers. */
static int64_t shard_number(struct sr_local *l, const struct sr_sdy_sharding *s, const struct sr_mesh *mesh, int64_t device)
{
	int64_t n = 0;
	for (int d = 0; s && d < s->rank; d++) {
		struct sr_axes axes = sr_axes_resolve(l->ctx->arena, mesh, s->dims[d].axes);
		n = n * sr_axes_size(axes) + sr_mesh_coordinate_along(mesh, device, axes);
	}
	return n;
}

/* Return the source-target pairs from one sharding to another of the same local shape. A device that already has its new shard
 * sends to itself; each other device receives from a device that has the shard and sends to no other one. */
static const struct sr_attr *source_target_pairs(struct sr_local *l, const struct sr_sdy_sharding *in_sharding,
						 const struct sr_sdy_sharding *out_sharding)
{
	const struct sr_mesh *from_mesh = in_sharding ? sr_sharding_mesh(l->module, in_sharding) : NULL;
	int64_t n = sr_mesh_devices(l->mesh), *has_shard = SR_NEW_ARRAY(l->ctx->arena, int64_t, n),
		*needs_shard = SR_NEW_ARRAY(l->ctx->arena, int64_t, n), *source = SR_NEW_ARRAY(l->ctx->arena, int64_t, n),
		*list = SR_NEW_ARRAY(l->ctx->arena, int64_t, 2 * n), *head = SR_NEW_ARRAY(l->ctx->arena, int64_t, n),
		*next = SR_NEW_ARRAY(l->ctx->arena, int64_t, n);
	for (int64_t i = 0; i < n; i++) {
		has_shard[i] = shard_number(l, in_sharding, from_mesh, i);
		needs_shard[i] = shard_number(l, out_sharding, l->mesh, i);
		source[i] = has_shard[i] == needs_shard[i] ? i : -1;
		head[i] = -1;
	}
	for (int64_t i = n - 1; i >= 0; i--) /* list the owners of each shard that do not send yet, the lowest device first */
		if (source[i] != i) {
			next[i] = head[has_shard[i]];
			head[has_shard[i]] = i;
		}
	for (int64_t i = 0; i < n; i++)
		if (source[i] < 0 && head[needs_shard[i]] >= 0) {
			source[i] = head[needs_shard[i]];
			head[needs_shard[i]] = next[source[i]];
		}
	for (int64_t i = 0; i < n; i++) {
		list[2 * i] = source[i];
		list[2 * i + 1] = i;
	}
	return sr_attr_dense_i64(l->ctx, 2, (int64_t[]){n, 2}, list);
}

enum { MAX_REFS = 128 }; /* maximum number of axis references of a sharding after split_alike */

/* Split the axes of each list where those of the other list are split, as far as sizes divide, so that references correspond one by
 * one. */
static void split_alike(struct sr_arena *arena, struct sr_axes *a, struct sr_axes *b)
{
	struct sr_axis_ref *out[2] = {SR_NEW_ARRAY(arena, struct sr_axis_ref, MAX_REFS),
				      SR_NEW_ARRAY(arena, struct sr_axis_ref, MAX_REFS)};
	struct sr_axis_ref x = {0}, y = {0};
	int i = 0, k = 0, n = 0;
	while (n < MAX_REFS - 1) {
		if (!x.size && i < a->n)
			x = a->refs[i++];
		if (!y.size && k < b->n)
			y = b->refs[k++];
		int64_t size = x.size < y.size ? x.size : y.size;
		if (!size || x.size % size || y.size % size)
			break;
		out[0][n] = (struct sr_axis_ref){x.axis, x.pre, size};
		out[1][n++] = (struct sr_axis_ref){y.axis, y.pre, size};
		x = x.size > size ? (struct sr_axis_ref){x.axis, x.pre * size, x.size / size} : (struct sr_axis_ref){0};
		y = y.size > size ? (struct sr_axis_ref){y.axis, y.pre * size, y.size / size} : (struct sr_axis_ref){0};
	}
	if (x.size || y.size || i < a->n || k < b->n)
		return;
	*a = (struct sr_axes){out[0], n};
	*b = (struct sr_axes){out[1], n};
}

/* Return the axes of a sharding's dimensions, in the order of dimensions. */
static struct sr_axes used_axes(struct sr_local *l, const struct sr_sdy_sharding *s, const struct sr_mesh *mesh)
{
	struct sr_axes all_axes = {0};
	for (int d = 0; s && d < s->rank; d++) {
		struct sr_axes axes = sr_axes_resolve(l->ctx->arena, mesh, s->dims[d].axes);
		for (int i = 0; i < axes.n; i++)
			all_axes = sr_axes_concat(l->ctx->arena, all_axes, (struct sr_axes){axes.refs + i, 1});
	}
	return all_axes;
}

/* Return the axes, split where axes of `boundaries` begin and end; the sub-axes are in no particular order and not merged. */
static struct sr_axes split_by(struct sr_arena *arena, struct sr_axes axes, struct sr_axes boundaries)
{
	SR_VEC(struct sr_axis_ref) out = {0};
	for (int i = 0; i < axes.n; i++) {
		struct sr_axis_ref common;
		struct sr_axes remaining_axis;
		if (!sr_axes_difference(arena, (struct sr_axes){axes.refs + i, 1}, boundaries, &remaining_axis))
			return axes;
		for (int k = 0; k < boundaries.n; k++)
			if (sr_axis_overlap(axes.refs[i], boundaries.refs[k], &common))
				sr_push(arena, &out, common);
		for (int k = 0; k < remaining_axis.n; k++)
			sr_push(arena, &out, remaining_axis.refs[k]);
	}
	return (struct sr_axes){out.data, (int)out.n};
}

/* Return the axis, unused by `target`, that is to correspond to axis `at`, which is unused by `source`: the end of the chain in
 * which each axis of `target` leads to the axis of `source` with the same number. A device that already has its shard then sends
 * to itself. Requires source.n == target.n. */
static struct sr_axis_ref end_of_chain(struct sr_axes source, struct sr_axes target, struct sr_axis_ref at)
{
	for (int i = 0, steps = 0; i < target.n && steps <= target.n; i++)
		if (sr_axis_ref_equal(target.refs[i], at)) {
			at = source.refs[i];
			i = -1, steps++;
		}
	return at;
}

/* Return the pairs as a permutation of axes: coordinates along the axes of `in_sharding` become coordinates along the axes of
 * `out_sharding`, in order. Axes that a sharding does not use correspond by end_of_chain if possible. */
static const struct sr_attr *pairs_of_axes(struct sr_local *l, const struct sr_sdy_sharding *in_sharding,
					   const struct sr_sdy_sharding *out_sharding)
{
	struct sr_arena *arena = l->ctx->arena;
	const struct sr_mesh *from_mesh = in_sharding ? sr_sharding_mesh(l->module, in_sharding) : l->mesh;
	struct sr_mesh_axes source = {from_mesh, used_axes(l, in_sharding, from_mesh)},
			    target = {l->mesh, used_axes(l, out_sharding, l->mesh)};
	split_alike(arena, &source.axes, &target.axes);
	struct sr_axes unused_source = sr_mesh_unused_axes(arena, from_mesh, source.axes),
		       unused_target = sr_mesh_unused_axes(arena, l->mesh, target.axes);
	struct sr_axes sub_axes = split_by(arena, unused_source, target.axes);
	struct sr_axis_ref *ends = SR_NEW_ARRAY(arena, struct sr_axis_ref, sub_axes.n);
	bool use_chains = source.axes.n == target.axes.n; /* false if split_alike found sizes that do not divide each other */
	for (int i = 0; use_chains && i < sub_axes.n; i++) {
		ends[i] = end_of_chain(source.axes, target.axes, sub_axes.refs[i]);
		use_chains = sr_axes_has(unused_target, ends[i]) && ends[i].size == sub_axes.refs[i].size;
	}
	if (use_chains) {
		unused_source = sub_axes;
		unused_target = (struct sr_axes){ends, sub_axes.n};
	}
	source.axes = sr_axes_concat(arena, source.axes, unused_source);
	target.axes = sr_axes_concat(arena, target.axes, unused_target);
	return sr_attr_permute_between(l->ctx, l->module, source, target);
}

enum sr_status sr_local_collective_permute(struct sr_local *l, struct sr_op *op)
{
	const struct sr_local_value *in = sr_local_find(l, sr_operand(op, 0)), *out = sr_local_find(l, sr_result(op, 0));
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_sdy_sharding *in_sharding = in ? in->sharding : NULL;
	bool is_listed = sr_mesh_devices(l->mesh) <= l->max_listed;
	struct sr_named_attr attrs[] = {{SR_NAME_source_target_pairs, is_listed ? source_target_pairs(l, in_sharding, out->sharding)
									     : pairs_of_axes(l, in_sharding, out->sharding)},
					{SR_NAME_channel_handle, sr_local_channel(l->ctx)},
					{"shardrun.cause", sr_local_cause(l)},
					{"shardrun.shardings", sr_local_shardings_attr(l, (struct sr_axes){0})}};
	v = sr_result(sr_build(&l->builder, SR_OP_stablehlo_collective_permute, &v, 1, attrs, 4, &v->type, 1), 0);
	sr_local_replace(l, op, &v);
	return SR_OK;
}
