/* A scatter of sharded updates, or into a dimension that is sharded where indices point.
 *
 * 	partial: each device combines its own updates into a result of its own, that starts as the combiner's identity; these are
 * 	reduced (scattered, where the result is sharded along the same axes) and combined with the operand
 * 	own part: indices less where a device's part begins; what points elsewhere is out of bounds, and dropped
 *
 * Both together where the updates lie along some axes and the result along others. A combiner without identity, as of a scatter
 * that sets, has the second alone. */
#include "cost/cost.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "partition/expand/gather_dims.h"
#include <math.h>
#include <string.h>

struct scatter {
	struct sr_gather_dims n;
	const struct sr_reducer *reducer;      /* NULL: none that a collective has */
	const struct sr_attr *identity;
	struct sr_axes *partial;               /* the layout of what each device makes, */
	struct sr_axes *result;                /* and of what is left when that is reduced */
	struct sr_axes *updates, *indices;
	struct sr_axes split;                  /* along these devices have updates of their own: what is reduced over */
	struct sr_owned_reduction how;
	bool looked[SR_MAX_RANK];              /* of the operand: sharded, and an index points along it */
};

/* Dimension d of the operand may be sharded: an index points along it, or the updates have all of it, or it is a batch. */
static bool may_be_sharded(const struct scatter *s, int d)
{
	int offset = sr_gather_dims_offset_dim(&s->n, d);
	return sr_dim_list_find(s->n.map, d) >= 0 || sr_gather_dims_batch_dim(&s->n, d) >= 0 ||
	       (offset >= 0 && s->n.slices->shape[offset] == s->n.operand->shape[d]);
}

/* No window along it is longer than a part; one that is partly inside is written there, and the rest of it dropped. */
static bool fits_parts(const struct scatter *s, int d, struct sr_axes axes)
{
	int offset = sr_dim_list_find(s->n.map, d) < 0 ? -1 : sr_gather_dims_offset_dim(&s->n, d);
	return offset < 0 || s->n.slices->shape[offset] <= sr_expand_shard_extent(s->n.operand->shape[d], axes);
}

/* The axes that updates are split by: as they lie, or as their indices do. */
static void split_updates(struct sr_expansion *p, struct scatter *s)
{
	struct sr_arena *arena = p->ctx->arena;
	struct sr_axes *has = sr_expand_given_axes(p, 2), *index_has = sr_expand_given_axes(p, 1);
	for (int d = 0; d < s->n.slices->rank; d++) {
		int index = sr_gather_dims_index_dim(&s->n, d);
		if (index < 0 || sr_dim_list_find(s->n.index_batch, index) >= 0)
			continue;
		s->updates[d] = sr_axes_prefix_without_overlaps(arena, has[d].n ? has[d] : index_has[index], s->split);
		s->split = sr_axes_concat(arena, s->split, s->updates[d]);
	}
}

/* The result's own layout, less the axes that updates are split by: those are reduced over. */
static void lay_result(struct sr_expansion *p, struct scatter *s, const struct sr_axes *wanted)
{
	for (int d = 0; d < s->n.operand->rank; d++) {
		int offset = sr_gather_dims_offset_dim(&s->n, d), batch = sr_gather_dims_batch_dim(&s->n, d);
		if (may_be_sharded(s, d) && fits_parts(s, d, wanted[d]))
			s->partial[d] = sr_axes_prefix_without_overlaps(p->ctx->arena, wanted[d], s->split);
		s->looked[d] = sr_dim_list_find(s->n.map, d) >= 0 && s->partial[d].n;
		if (offset >= 0 && !s->looked[d])
			s->updates[offset] = s->partial[d];
		if (batch >= 0)
			s->updates[sr_gather_dims_slices_dim(&s->n, batch)] = s->partial[d];
	}
	for (int d = 0; d < s->n.slices->rank; d++)
		if (sr_gather_dims_index_dim(&s->n, d) >= 0)
			s->indices[sr_gather_dims_index_dim(&s->n, d)] = s->updates[d];
}

/* One dimension of the result that is wanted sharded by axes of the split: it is reduced and scattered at once. */
static void lay_reduction(struct sr_expansion *p, struct scatter *s, const struct sr_axes *wanted)
{
	s->how.everywhere = s->split;
	for (int d = 0; d < s->n.operand->rank; d++) {
		struct sr_axes rest, more = sr_axes_after_prefix(wanted[d], s->partial[d]);
		int64_t extent = s->n.operand->shape[d];
		bool fits = sr_dim_list_find(s->n.map, d) >= 0 || extent % sr_axes_size(wanted[d]) == 0;
		s->result[d] = s->partial[d];
		if (more.n == 0 || s->how.scattered.n || !fits ||
		    !sr_axes_difference(p->ctx->arena, more, s->split, &rest) || rest.n ||
		    !sr_axes_difference(p->ctx->arena, s->split, more, &rest))
			continue;
		s->how = (struct sr_owned_reduction){rest, more, d};
		s->result[d] = wanted[d];
	}
}

/* Extents of what each device makes: of its part, and where that is scattered, of all parts of it. */
static const struct sr_type *partial_type(struct sr_expansion *p, const struct scatter *s)
{
	const struct sr_type *local = sr_expand_local_type(p, s->n.operand, s->result);
	int64_t *shape = sr_dup(p->ctx->arena, local->shape, (size_t)local->rank, sizeof *shape);
	if (s->how.scattered.n)
		shape[s->how.dim] *= sr_axes_size(s->how.scattered);
	return sr_type_with_shape(p->ctx, local, local->rank, shape);
}

static void lay(struct sr_expansion *p, struct scatter *s, bool split)
{
	const struct sr_axes *wanted = sr_expand_given_axes(p, 3);
	s->partial = sr_expand_no_axes(p, s->n.operand->rank);
	s->result = sr_expand_no_axes(p, s->n.operand->rank);
	s->updates = sr_expand_no_axes(p, s->n.slices->rank);
	s->indices = sr_expand_no_axes(p, s->n.indices->rank);
	s->split = (struct sr_axes){0};
	s->how = (struct sr_owned_reduction){.dim = 0};
	if (split)
		split_updates(p, s);
	lay_result(p, s, wanted);
	lay_reduction(p, s, wanted);
	p->wire = 0;
	sr_expand_cost_reshard(p, sr_operand(p->op, 0), 0, s->result);
	sr_expand_cost_reshard(p, sr_operand(p->op, 1), 1, s->indices);
	sr_expand_cost_reshard(p, sr_operand(p->op, 2), 2, s->updates);
	sr_expand_cost_owned(p, sr_expand_type_bytes(partial_type(p, s)), s->how);
	sr_expand_cost_result(p, 0, s->result);
}

/* ---------------------------------------------------------------- building */

/* i1 of the indices' shape: behind the last update, where their number is not divisible; NULL: it is. */
static struct sr_value *behind_last(struct sr_expansion *p, const struct scatter *s, const struct sr_type *like, enum sr_dtype dtype)
{
	struct sr_value *behind = NULL;
	for (int d = 0; d < s->n.slices->rank; d++) {
		int index = sr_gather_dims_index_dim(&s->n, d), at = index - (index > s->n.vector);
		int64_t extent = s->n.slices->shape[d], part;
		if (index < 0 || extent % sr_axes_size(s->updates[d]) == 0)
			continue;
		part = sr_expand_shard_extent(extent, s->updates[d]);
		struct sr_value *first = sr_spmd_shard_offset(p, s->updates[d], part, dtype),
				*places = sr_spmd_binary(p, SR_OP_stablehlo_add, sr_spmd_iota(p, dtype, like->rank, like->shape, at),
						       sr_spmd_broadcast(p, first, NULL, like->rank, like->shape)),
				*here = sr_build_compare(&p->at, places, SR_GE, sr_spmd_constant(p, places->type, extent), NULL);
		behind = behind ? sr_spmd_binary(p, SR_OP_stablehlo_or, behind, here) : here;
	}
	return behind;
}

/* Indices into a device's part. Held to where nothing of a slice is inside any more, so that no difference wraps around. */
static struct sr_value *own_indices(struct sr_expansion *p, const struct scatter *s, struct sr_value *indices,
				    const struct sr_type *part)
{
	struct sr_value **components = SR_NEWS(p->ctx->arena, struct sr_value *, s->n.map.n), *behind = NULL;
	int64_t most = 0;
	for (int d = 0; d < s->n.operand->rank; d++)
		most = s->n.operand->shape[d] > most ? s->n.operand->shape[d] : most;
	for (int d = 0; d < s->n.slices->rank; d++)
		most = s->n.slices->shape[d] > most ? s->n.slices->shape[d] : most;
	enum sr_dtype type = sr_spmd_index_type(most);
	for (int64_t i = 0; i < s->n.map.n; i++) {
		int d = (int)s->n.map.at[i];
		int64_t extent = s->n.operand->shape[d];
		struct sr_value *v = sr_spmd_clamped_index(p, sr_gather_dims_component(p, &s->n, indices, (int)i), type, -extent, extent);
		if (i == 0)
			behind = behind_last(p, s, v->type, type);
		if (s->looked[d]) {
			struct sr_value *first = sr_spmd_shard_offset(p, s->partial[d], part->shape[d], type);
			first = sr_spmd_broadcast(p, first, NULL, v->type->rank, v->type->shape);
			v = sr_spmd_binary(p, SR_OP_stablehlo_subtract, v, first);
		}
		components[i] = behind ? sr_spmd_select(p, behind, sr_spmd_constant(p, v->type, -extent), v) : v;
	}
	return sr_gather_dims_join(p, &s->n, components);
}

static struct sr_value *scatter_into(struct sr_expansion *p, struct sr_value *into, struct sr_value *indices, struct sr_value *updates)
{
	struct sr_value *operands[] = {into, indices, updates};
	struct sr_op *op = sr_op_clone(p->ctx, p->op, NULL);
	sr_op_append(p->at.block, op);
	sr_op_set_operands(p->ctx, op, operands, 3);
	sr_op_remove_attr(p->ctx, op, "sdy.sharding");
	sr_op_set_attr(p->ctx, op, SR_NAME_indices_are_sorted, sr_attr_bool(p->ctx, false));
	sr_op_set_attr(p->ctx, op, SR_NAME_unique_indices, sr_attr_bool(p->ctx, false));
	sr_result(op, 0)->type = into->type;
	return sr_result(op, 0);
}

/* What the operand holds everywhere, if that is the identity; then there is nothing to combine. */
static bool starts_empty(struct sr_expansion *p, const struct scatter *s)
{
	const struct sr_value *v = sr_operand(p->op, 0);
	while (v->def && (sr_op_is(v->def, SR_OP_stablehlo_broadcast_in_dim) || sr_op_is(v->def, SR_OP_sdy_reshard)))
		v = sr_operand(v->def, 0);
	const struct sr_attr *value = v->def && sr_op_has(v->def, SR_CONSTANT) ? sr_op_attr(v->def, SR_NAME_value) : NULL;
	int64_t n, m;
	if (!value || value->kind != SR_ATTR_DENSE || !value->dense->splat)
		return false;
	const void *a = sr_dense_data(p->ctx, value, false, &n), *b = sr_dense_data(p->ctx, s->identity, false, &m);
	return n == m && !memcmp(a, b, (size_t)n);
}

static struct sr_value *identity_of(struct sr_expansion *p, const struct scatter *s, const struct sr_type *type)
{
	int64_t n;
	const void *data = sr_dense_data(p->ctx, s->identity, false, &n);
	return sr_build_constant(&p->at, sr_attr_dense(p->ctx, type, data, n));
}

/* A scatter's reduction by the combiner. */
static struct sr_value *reduced(struct sr_expansion *p, const struct scatter *s, struct sr_value *v)
{
	v = sr_spmd_reduce_scatter(p, v, s->how.dim, s->how.scattered, s->reducer->code);
	return sr_spmd_all_reduce(p, v, s->how.everywhere, s->reducer->code);
}

static void build(struct sr_expansion *p, struct scatter *s)
{
	struct sr_value *out = sr_result(p->op, 0), *operands[3];
	struct sr_axes *axes[] = {s->result, s->indices, s->updates};
	for (int i = 0; i < 3; i++)
		operands[i] = sr_operand(p->op, i);
	struct sr_value **args = sr_expand_begin(p, operands, axes, 3, &out->type, &s->result, 1), *v;
	const struct sr_type *part = partial_type(p, s);
	struct sr_value *indices = own_indices(p, s, args[1], part);
	if (s->split.n) {
		v = reduced(p, s, scatter_into(p, identity_of(p, s, part), indices, args[2]));
		v = starts_empty(p, s) ? v : sr_spmd_binary(p, s->reducer->code, args[0], v);
	} else {
		v = scatter_into(p, args[0], indices, args[2]);
	}
	sr_expand_end(p, &v, 1);
	sr_expand_replace(p, out, 0);
	sr_expand_finish(p);
}

static bool looks(const struct scatter *s)
{
	for (int d = 0; d < s->n.operand->rank; d++)
		if (s->looked[d])
			return true;
	return false;
}

bool sr_expand_scatter(struct sr_expansion *p)
{
	struct scatter with = {.reducer = sr_op_reducer(p->op)}, without;
	if (!sr_gather_dims_read(p, &with.n) || with.n.map.n == 0)
		return false;
	with.identity = sr_reducer_identity(p->ctx, with.reducer, with.n.operand->dtype);
	without = with;
	lay(p, &without, false);
	double least = looks(&without) ? p->wire : HUGE_VAL;
	lay(p, &with, with.identity != NULL);
	bool split = with.split.n && p->wire < least;
	p->wire = split ? p->wire : least;
	p->divides = !split; /* the result would be made whole and cut */
	if (!(split || looks(&without)) || !sr_expand_pays(p))
		return false;
	build(p, split ? &with : &without);
	return true;
}
