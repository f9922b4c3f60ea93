/* Expansion of a reverse along sharded dimensions: each shard is reversed locally, and the shards change places by a reshard from a
 * mesh that lists its devices in reverse. If the shards do not divide the dimension, its padding is moved to the front first, so
 * that the reversed dimension has its padding at the end. */
#include "dialect/attr_names.h"
#include "partition/insert_reshards/explicit_reshards.h"
#include "dialect/op_builders.h"
#include "upstream/permute.h"
#include "upstream/upstream_shapes.h"
#include <string.h>

/* Shift the elements of v by `distance` positions to the right along dimension dim, across as many devices as needed. */
static struct sr_value *shift(struct sr_permutation_pass *p, struct sr_value *v, int dim, int64_t distance, struct sr_axes axes,
			      const struct sr_attr *manual_sharding)
{
	struct sr_context *ctx = p->ctx;
	int rank = v->type->rank;
	int64_t shard = v->type->shape[dim], hops = distance / shard, remainder = distance % shard;
	struct sr_value *ends[2];
	for (int i = 0; i < 2; i++) {
		ends[i] = hops + i ? sr_permute_from_neighbor(p, v, axes, hops + i) : v;
		if (!ends[i])
			ends[i] = sr_build_broadcast(&p->builder, sr_build_zero_scalar(&p->builder, v->type->element), v->type, NULL);
		if (ends[i] != v)
			sr_permute_reshard_value(p, ends[i], manual_sharding);
	}
	int64_t *start = sr_make_ints(ctx, rank, 0), *limit = sr_dup(ctx->scratch, v->type->shape, (size_t)rank, sizeof *limit);
	start[dim] = shard - remainder;
	struct sr_value *tail = sr_build_slice(&p->builder, ends[1], start, limit, NULL);
	sr_permute_reshard_value(p, tail, manual_sharding);
	start[dim] = 0, limit[dim] = shard - remainder;
	struct sr_value *head = sr_build_slice(&p->builder, ends[0], start, limit, NULL), *operands[] = {tail, head};
	sr_permute_reshard_value(p, head, manual_sharding);
	v = sr_build_concatenate(&p->builder, operands, 2, dim);
	sr_permute_reshard_value(p, v, manual_sharding);
	return v;
}

/* Return an unused symbol name: `base`, or `base` followed by the next number. */
static const char *unused_name(struct sr_permutation_pass *p, const char *base)
{
	const char *name = base;
	while (sr_symbol_find(p->module, name))
		name = sr_printf(p->ctx->arena, "%s_%lld", base, (long long)p->next_name++);
	return sr_intern(p->ctx, name);
}

/* Return the name of the module's mesh with these axes and devices; add a mesh if there is none. */
static const char *mesh_named(struct sr_permutation_pass *p, const struct sr_mesh *mesh, const char *base)
{
	const struct sr_attr *attr = sr_attr_mesh(p->ctx, mesh);
	struct sr_block *body = sr_module_body(p->module);
	for (struct sr_op *op = body->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_sdy_mesh) && sr_op_attr(op, SR_NAME_mesh) == attr)
			return sr_symbol_name(op);
	const char *name = unused_name(p, base);
	struct sr_named_attr attrs[] = {{SR_NAME_sym_name, sr_attr_string(p->ctx, name, strlen(name))}, {SR_NAME_mesh, attr}};
	struct sr_builder b = {.ctx = p->ctx, .anchor = body->first, .loc = p->builder.loc};
	sr_build(&b, SR_OP_sdy_mesh, NULL, 0, attrs, 2, NULL, 0);
	return name;
}

/* Return the mesh with its devices in reverse order along each of the axes. */
static struct sr_mesh *reversed_mesh(struct sr_permutation_pass *p, struct sr_axes axes)
{
	struct sr_arena *arena = p->ctx->arena;
	int64_t n = sr_mesh_devices(p->mesh), *ids = SR_NEW_ARRAY(arena, int64_t, n);
	struct sr_mesh *mesh = SR_NEW(arena, struct sr_mesh);
	for (int64_t i = 0; i < n; i++) {
		int64_t source = i;
		for (int k = 0; k < axes.n; k++) {
			int64_t stride = sr_mesh_stride(p->mesh, axes.refs[k]), at = i / stride % axes.refs[k].size;
			source += (axes.refs[k].size - 1 - 2 * at) * stride;
		}
		ids[i] = sr_mesh_device(p->mesh, source);
	}
	*mesh = *p->mesh;
	mesh->device_ids = ids;
	mesh->n_device_ids = (int)n;
	return mesh;
}

/* Move the padding of padded dimensions from their high ends to their low ends. */
static struct sr_value *move_padding_to_front(struct sr_permutation_pass *p, struct sr_value *v, const struct sr_type *exact_type,
					      const struct sr_attr *sharding, const struct sr_sharding *s)
{
	const struct sr_attr *manual_sharding = sr_permute_sharding_inside(p, sharding);
	int64_t *shape = sr_dup(p->ctx->scratch, v->type->shape, (size_t)v->type->rank, sizeof *shape);
	for (int d = 0; d < v->type->rank; d++)
		shape[d] /= sr_permute_manual_shards(p, s->dims[d].axes);
	const struct sr_type *local_type = sr_type_with_shape(p->ctx, v->type, v->type->rank, shape);
	struct sr_op *manual_op = sr_permute_begin(p, &v, &sharding, 1, &local_type, sharding, v->type);
	struct sr_value *shard = manual_op->regions[0].first->args[0];
	for (int d = 0; d < v->type->rank; d++)
		if (v->type->shape[d] != exact_type->shape[d])
			shard = shift(p, shard, d, v->type->shape[d] - exact_type->shape[d], s->dims[d].axes, manual_sharding);
	return sr_permute_end(p, manual_op, shard);
}

bool sr_permute_reverse(struct sr_permutation_pass *p, struct sr_op *op)
{
	struct sr_context *ctx = p->ctx;
	struct sr_value *v = sr_operand(op, 0), *result = sr_result(op, 0);
	const struct sr_type *exact_type = v->type;
	const struct sr_attr *in = sr_value_sharding(ctx, v), *out = sr_value_sharding(ctx, result);
	const struct sr_sharding *s = sr_permute_sharding(p, in);
	int64_t *shape = sr_dup(ctx->scratch, exact_type->shape, (size_t)exact_type->rank, sizeof *shape), n;
	struct sr_axes axes = {0};
	const int64_t *dims;
	if (!sr_op_ints(ctx, op, SR_NAME_dimensions, &dims, &n))
		return false;
	for (int d = 0; d < exact_type->rank; d++) {
		int64_t shards = sr_axes_size(s->dims[d].axes);
		bool is_any_reversed = false;
		for (int64_t i = 0; i < n; i++)
			is_any_reversed = is_any_reversed || dims[i] == d;
		if (!is_any_reversed || shards <= 1)
			continue;
		for (int i = 0; i < s->dims[d].axes.n; i++)
			axes = sr_axes_append(ctx->scratch, axes, s->dims[d].axes.refs[i]);
		shape[d] = sr_upstream_round_up(shape[d], shards);
		if (shape[d] != exact_type->shape[d])
			sr_permute_add_manual_axes(p, s->dims[d].axes);
	}
	if (!axes.n)
		return true;
	if (p->n_manual)
		v = move_padding_to_front(p, sr_upstream_pad_to(&p->builder, v, shape, NULL, in), exact_type, in, s);
	struct sr_sdy_sharding w = *in->sharding;
	w.mesh_name =
		mesh_named(p, reversed_mesh(p, axes), sr_printf(ctx->arena, "%s_reversed", w.mesh_name ? w.mesh_name : "mesh"));
	w.mesh = NULL;
	sr_op_set_operand(op, 0, v);
	result->type = v->type;
	struct sr_builder builder = sr_builder_after(ctx, result);
	struct sr_value *resharded = sr_build_reshard(&builder, result, out ? out : in),
			*sliced_value = sr_upstream_slice_to(&builder, resharded, exact_type->shape, in);
	sr_value_replace_except(result, sliced_value, resharded->def);
	sr_permute_reshard_value(p, result, sr_attr_sharding(ctx, &w));
	return true;
}
