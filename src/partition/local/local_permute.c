/* sdy.collective_permute as stablehlo.collective_permute: who sends to whom between two shardings of equal local shapes, listed
 * device by device, or where there are too many as a permutation of axes. */
#include "partition/local/local.h"
#include "dialect/attr_names.h"
#include "support/vec.h"

/* What part of the global value a device holds, as one number: equal parts, equal numbers. */
static int64_t part_number(struct sr_local *l, const struct sr_sdy_sharding *s, const struct sr_mesh *mesh, int64_t device)
{
	int64_t n = 0;
	for (int d = 0; s && d < s->rank; d++) {
		struct sr_axes axes = sr_axes_resolve(l->ctx->arena, mesh, s->dims[d].axes);
		n = n * sr_axes_size(axes) + sr_mesh_coordinate_along(mesh, device, axes);
	}
	return n;
}

/* Source-target pairs from one sharding to another of the same local shape: a device that holds its new part keeps it; the
 * others get theirs from holders of it, each of which sends to one device. */
static const struct sr_attr *pairs(struct sr_local *l, const struct sr_sdy_sharding *from, const struct sr_sdy_sharding *to)
{
	const struct sr_mesh *from_mesh = from ? sr_sharding_mesh(l->module, from) : NULL;
	int64_t n = sr_mesh_devices(l->mesh), *held = SR_NEWS(l->ctx->arena, int64_t, n),
		*wanted = SR_NEWS(l->ctx->arena, int64_t, n), *source = SR_NEWS(l->ctx->arena, int64_t, n),
		*list = SR_NEWS(l->ctx->arena, int64_t, 2 * n), *head = SR_NEWS(l->ctx->arena, int64_t, n),
		*next = SR_NEWS(l->ctx->arena, int64_t, n);
	for (int64_t i = 0; i < n; i++) {
		held[i] = part_number(l, from, from_mesh, i);
		wanted[i] = part_number(l, to, l->mesh, i);
		source[i] = held[i] == wanted[i] ? i : -1;
		head[i] = -1;
	}
	for (int64_t i = n - 1; i >= 0; i--) /* free holders by part, lowest first */
		if (source[i] != i) {
			next[i] = head[held[i]];
			head[held[i]] = i;
		}
	for (int64_t i = 0; i < n; i++)
		if (source[i] < 0 && head[wanted[i]] >= 0) {
			source[i] = head[wanted[i]];
			head[wanted[i]] = next[source[i]];
		}
	for (int64_t i = 0; i < n; i++) {
		list[2 * i] = source[i];
		list[2 * i + 1] = i;
	}
	return sr_attr_dense_i64(l->ctx, 2, (int64_t[]){n, 2}, list);
}

enum { MOST_REFS = 128 }; /* of a mesh that is cut up where two shardings cut it */

/* Each list is cut where the other is, as long as sizes divide, so that their references correspond one by one. */
static void cut_alike(struct sr_arena *arena, struct sr_axes *a, struct sr_axes *b)
{
	struct sr_axis_ref *out[2] = {SR_NEWS(arena, struct sr_axis_ref, MOST_REFS), SR_NEWS(arena, struct sr_axis_ref, MOST_REFS)};
	struct sr_axis_ref x = {0}, y = {0};
	int i = 0, k = 0, n = 0;
	while (n < MOST_REFS - 1) {
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

/* All axes that a sharding's dimensions use, in their order; then, where nothing is said of them, all others. */
static struct sr_axes used_axes(struct sr_local *l, const struct sr_sdy_sharding *s, const struct sr_mesh *mesh)
{
	struct sr_axes all = {0};
	for (int d = 0; s && d < s->rank; d++) {
		struct sr_axes axes = sr_axes_resolve(l->ctx->arena, mesh, s->dims[d].axes);
		for (int i = 0; i < axes.n; i++)
			all = sr_axes_concat(l->ctx->arena, all, (struct sr_axes){axes.refs + i, 1});
	}
	return all;
}

/* The same axes, cut where those of the other list begin and end; in some order, nothing merged. */
static struct sr_axes cut_by(struct sr_arena *arena, struct sr_axes axes, struct sr_axes by)
{
	SR_VEC(struct sr_axis_ref) out = {0};
	for (int i = 0; i < axes.n; i++) {
		struct sr_axis_ref part;
		struct sr_axes rest;
		if (!sr_axes_difference(arena, (struct sr_axes){axes.refs + i, 1}, by, &rest))
			return axes;
		for (int k = 0; k < by.n; k++)
			if (sr_axis_overlap(axes.refs[i], by.refs[k], &part))
				sr_push(arena, &out, part);
		for (int k = 0; k < rest.n; k++)
			sr_push(arena, &out, rest.refs[k]);
	}
	return (struct sr_axes){out.data, (int)out.n};
}

/* Where an axis that `from` does not use gets its coordinate from: the axis whose part of the value it holds in `to`, that one's in
 * turn, and so on, to one that `to` does not use. So a device that holds its part already sends to itself. */
static struct sr_axis_ref end_of_chain(struct sr_axes from, struct sr_axes to, struct sr_axis_ref at)
{
	for (int i = 0, steps = 0; i < to.n && steps <= to.n; i++)
		if (sr_axis_ref_equal(to.refs[i], at)) {
			at = from.refs[i];
			i = -1, steps++;
		}
	return at;
}

/* The same as a permutation of axes: coordinates along the axes of one sharding become those along the other's, in order, and the
 * axes that are left over correspond by chains where they can. */
static const struct sr_attr *pairs_of_axes(struct sr_local *l, const struct sr_sdy_sharding *from,
					   const struct sr_sdy_sharding *to)
{
	struct sr_arena *arena = l->ctx->arena;
	const struct sr_mesh *from_mesh = from ? sr_sharding_mesh(l->module, from) : l->mesh;
	struct sr_mesh_axes source = {from_mesh, used_axes(l, from, from_mesh)}, target = {l->mesh, used_axes(l, to, l->mesh)};
	cut_alike(arena, &source.axes, &target.axes);
	struct sr_axes over = sr_mesh_unused_axes(arena, from_mesh, source.axes), left = sr_mesh_unused_axes(arena, l->mesh, target.axes);
	struct sr_axes parts = cut_by(arena, over, target.axes);
	struct sr_axis_ref *ends = SR_NEWS(arena, struct sr_axis_ref, parts.n);
	bool by_chains = true;
	for (int i = 0; by_chains && i < parts.n; i++) {
		ends[i] = end_of_chain(source.axes, target.axes, parts.refs[i]);
		by_chains = sr_axes_has(left, ends[i]) && ends[i].size == parts.refs[i].size;
	}
	if (by_chains) {
		over = parts;
		left = (struct sr_axes){ends, parts.n};
	}
	source.axes = sr_axes_concat(arena, source.axes, over);
	target.axes = sr_axes_concat(arena, target.axes, left);
	return sr_attr_permute_between(l->ctx, l->module, source, target);
}

enum sr_status sr_local_collective_permute(struct sr_local *l, struct sr_op *op)
{
	const struct sr_local_value *in = sr_local_find(l, sr_operand(op, 0)), *out = sr_local_find(l, sr_result(op, 0));
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_sdy_sharding *from = in ? in->sharding : NULL;
	bool listed = sr_mesh_devices(l->mesh) <= l->listed;
	struct sr_named_attr attrs[] = {{SR_NAME_source_target_pairs, listed ? pairs(l, from, out->sharding) : pairs_of_axes(l, from, out->sharding)},
				   {SR_NAME_channel_handle, sr_local_channel(l->ctx)},
				   {"shardrun.cause", sr_local_cause(l)},
				   {"shardrun.shardings", sr_local_shardings_attr(l, (struct sr_axes){0})}};
	v = sr_result(sr_build(&l->at, SR_OP_stablehlo_collective_permute, &v, 1, attrs, 4, &v->type, 1), 0);
	sr_local_replace(l, op, &v);
	return SR_OK;
}
