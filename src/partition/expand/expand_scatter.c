/* SPMD expansion of a scatter with sharded updates, or into a sharded indexed dimension.
 *
 * 	split updates: each device combines its updates into a partial result that starts as the combiner's identity; these are
 * 	reduced (reduce_scatter if the result is sharded along the same axes) and combined with the operand
 * 	owned shard: the shard's offset is subtracted from the indices; those of other shards are out of bounds and dropped
 *
 * Both are combined if the updates are sharded along some axes and the result along others. A combiner without identity, as of a
 * scatter that sets, allows the second only. */
#include "cost/cost.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "partition/expand/gather_dims.h"
#include <math.h>
#include <string.h>

struct scatter {
	struct sr_gather_dims n;
	const struct sr_reducer *reducer;      /* reducer of the scatter's body; NULL: no collective has this reducer */
	const struct sr_attr *identity;
	struct sr_axes *partial;               /* axes per dimension of the partial result */
	struct sr_axes *result;                /* axes per dimension of the result after the reduction */
	struct sr_axes *updates, *indices;
	struct sr_axes split;                  /* axes along which the updates are sharded; partial results are reduced over them */
	struct sr_owned_reduction reduction;
	bool indexed[SR_MAX_RANK];              /* for each operand dimension: true if it is sharded and addressed by an index */
};

/* Return true if dimension d of the operand can be sharded: it is indexed, covered completely by the updates, or a batching
 * dimension. */
static bool is_shardable(const struct scatter *s, int d)
{
	int offset = sr_gather_dims_offset_dim(&s->n, d);
	return sr_dim_list_find(s->n.map, d) >= 0 || sr_gather_dims_batch_dim(&s->n, d) >= 0 ||
	       (offset >= 0 && s->n.slices->shape[offset] == s->n.operand->shape[d]);
}

/* Return true if no window along d is longer than a shard. If a window is partly inside of a shard, the device writes that part and
 * drops the rest. */
static bool fits_shards(const struct scatter *s, int d, struct sr_axes axes)
{
	int offset = sr_dim_list_find(s->n.map, d) < 0 ? -1 : sr_gather_dims_offset_dim(&s->n, d);
	return offset < 0 || s->n.slices->shape[offset] <= sr_expand_shard_extent(s->n.operand->shape[d], axes);
}

/* Choose the axes along which updates are sharded: their own, or those of their indices. */
static void split_updates(struct sr_expansion *p, struct scatter *s)
{
	struct sr_arena *arena = p->ctx->arena;
	struct sr_axes *has = sr_expand_tensor_axes(p, 2), *index_has = sr_expand_tensor_axes(p, 1);
	for (int d = 0; d < s->n.slices->rank; d++) {
		int index = sr_gather_dims_index_dim(&s->n, d);
		if (index < 0 || sr_dim_list_find(s->n.index_batch, index) >= 0)
			continue;
		s->updates[d] = sr_axes_prefix_without_overlaps(arena, has[d].n ? has[d] : index_has[index], s->split);
		s->split = sr_axes_concat(arena, s->split, s->updates[d]);
	}
}

/* Give the result its sharding before the pass, except for the axes along which the updates are sharded. */
static void choose_result_axes(struct sr_expansion *p, struct scatter *s, const struct sr_axes *required)
{
	for (int d = 0; d < s->n.operand->rank; d++) {
		int offset = sr_gather_dims_offset_dim(&s->n, d), batch = sr_gather_dims_batch_dim(&s->n, d);
		if (is_shardable(s, d) && fits_shards(s, d, required[d]))
			s->partial[d] = sr_axes_prefix_without_overlaps(p->ctx->arena, required[d], s->split);
		s->indexed[d] = sr_dim_list_find(s->n.map, d) >= 0 && s->partial[d].n;
		if (offset >= 0 && !s->indexed[d])
			s->updates[offset] = s->partial[d];
		if (batch >= 0)
			s->updates[sr_gather_dims_slices_dim(&s->n, batch)] = s->partial[d];
	}
	for (int d = 0; d < s->n.slices->rank; d++)
		if (sr_gather_dims_index_dim(&s->n, d) >= 0)
			s->indices[sr_gather_dims_index_dim(&s->n, d)] = s->updates[d];
}

/* Choose a dimension of the result for a reduce_scatter, if the result must be sharded along axes of the updates. */
static void choose_scattered_dim(struct sr_expansion *p, struct scatter *s, const struct sr_axes *required)
{
	s->reduction.replicated_axes = s->split;
	for (int d = 0; d < s->n.operand->rank; d++) {
		struct sr_axes rest, more = sr_axes_after_prefix(required[d], s->partial[d]);
		int64_t extent = s->n.operand->shape[d];
		bool fits = sr_dim_list_find(s->n.map, d) >= 0 || extent % sr_axes_size(required[d]) == 0;
		s->result[d] = s->partial[d];
		if (more.n == 0 || s->reduction.scattered_axes.n || !fits ||
		    !sr_axes_difference(p->ctx->arena, more, s->split, &rest) || rest.n ||
		    !sr_axes_difference(p->ctx->arena, s->split, more, &rest))
			continue;
		s->reduction = (struct sr_owned_reduction){rest, more, d};
		s->result[d] = required[d];
	}
}

/* Return the local type of the partial result before it is scattered. */
static const struct sr_type *partial_type(struct sr_expansion *p, const struct scatter *s)
{
	const struct sr_type *local = sr_expand_local_type(p, s->n.operand, s->result);
	int64_t *shape = sr_dup(p->ctx->arena, local->shape, (size_t)local->rank, sizeof *shape);
	if (s->reduction.scattered_axes.n)
		shape[s->reduction.dim] *= sr_axes_size(s->reduction.scattered_axes);
	return sr_type_with_shape(p->ctx, local, local->rank, shape);
}

static void choose_axes(struct sr_expansion *p, struct scatter *s, bool split)
{
	const struct sr_axes *required = sr_expand_tensor_axes(p, 3);
	s->partial = sr_expand_no_axes(p, s->n.operand->rank);
	s->result = sr_expand_no_axes(p, s->n.operand->rank);
	s->updates = sr_expand_no_axes(p, s->n.slices->rank);
	s->indices = sr_expand_no_axes(p, s->n.indices->rank);
	s->split = (struct sr_axes){0};
	s->reduction = (struct sr_owned_reduction){.dim = 0};
	if (split)
		split_updates(p, s);
	choose_result_axes(p, s, required);
	choose_scattered_dim(p, s, required);
	p->price = 0;
	sr_expand_cost_reshard(p, sr_operand(p->op, 0), 0, s->result);
	sr_expand_cost_reshard(p, sr_operand(p->op, 1), 1, s->indices);
	sr_expand_cost_reshard(p, sr_operand(p->op, 2), 2, s->updates);
	sr_expand_cost_owned(p, sr_expand_type_bytes(partial_type(p, s)), s->reduction);
	sr_expand_cost_result(p, 0, s->result);
}

/* ---------------------------------------------------------------- building */

/* Return an i1 mask of the indices' shape, true for indices that belong to padding behind the last update; NULL if the updates are
 * not padded. */
static struct sr_value *is_past_last_update(struct sr_expansion *p, const struct scatter *s, const struct sr_type *like,
					    enum sr_dtype dtype)
{
	struct sr_value *past_end = NULL;
	for (int d = 0; d < s->n.slices->rank; d++) {
		int index = sr_gather_dims_index_dim(&s->n, d), at = index - (index > s->n.vector);
		int64_t extent = s->n.slices->shape[d], shard;
		if (index < 0 || extent % sr_axes_size(s->updates[d]) == 0)
			continue;
		shard = sr_expand_shard_extent(extent, s->updates[d]);
		struct sr_value *first = sr_spmd_shard_offset(p, s->updates[d], shard, dtype),
				*positions = sr_spmd_binary(p, SR_OP_stablehlo_add,
							    sr_spmd_iota(p, dtype, like->rank, like->shape, at),
							    sr_spmd_broadcast(p, first, NULL, like->rank, like->shape)),
				*here = sr_build_compare(&p->builder, positions, SR_GE,
							 sr_spmd_constant(p, positions->type, extent), NULL);
		past_end = past_end ? sr_spmd_binary(p, SR_OP_stablehlo_or, past_end, here) : here;
	}
	return past_end;
}

/* Return the indices relative to the device's shard. They are first clamped to values that are still outside of every shard, so
 * that the subtraction does not overflow. */
static struct sr_value *local_indices(struct sr_expansion *p, const struct scatter *s, struct sr_value *indices,
				      const struct sr_type *shard)
{
	struct sr_value **components = SR_NEWS(p->ctx->arena, struct sr_value *, s->n.map.n), *past_end = NULL;
	int64_t most = 0;
	for (int d = 0; d < s->n.operand->rank; d++)
		most = s->n.operand->shape[d] > most ? s->n.operand->shape[d] : most;
	for (int d = 0; d < s->n.slices->rank; d++)
		most = s->n.slices->shape[d] > most ? s->n.slices->shape[d] : most;
	enum sr_dtype type = sr_spmd_index_type(most);
	for (int64_t i = 0; i < s->n.map.n; i++) {
		int d = (int)s->n.map.dims[i];
		int64_t extent = s->n.operand->shape[d];
		struct sr_value *v =
			sr_spmd_clamped_index(p, sr_gather_dims_component(p, &s->n, indices, (int)i), type, -extent, extent);
		if (i == 0)
			past_end = is_past_last_update(p, s, v->type, type);
		if (s->indexed[d]) {
			struct sr_value *first = sr_spmd_shard_offset(p, s->partial[d], shard->shape[d], type);
			first = sr_spmd_broadcast(p, first, NULL, v->type->rank, v->type->shape);
			v = sr_spmd_binary(p, SR_OP_stablehlo_subtract, v, first);
		}
		components[i] = past_end ? sr_spmd_select(p, past_end, sr_spmd_constant(p, v->type, -extent), v) : v;
	}
	return sr_gather_dims_join(p, &s->n, components);
}

static struct sr_value *scatter_into(struct sr_expansion *p, struct sr_value *into, struct sr_value *indices,
				     struct sr_value *updates)
{
	struct sr_value *operands[] = {into, indices, updates};
	struct sr_op *op = sr_op_clone(p->ctx, p->op, NULL);
	sr_op_append(p->builder.block, op);
	sr_op_set_operands(p->ctx, op, operands, 3);
	sr_op_remove_attr(p->ctx, op, "sdy.sharding");
	sr_op_set_attr(p->ctx, op, SR_NAME_indices_are_sorted, sr_attr_bool(p->ctx, false));
	sr_op_set_attr(p->ctx, op, SR_NAME_unique_indices, sr_attr_bool(p->ctx, false));
	sr_result(op, 0)->type = into->type;
	return sr_result(op, 0);
}

/* Return true if all elements of the operand are the reducer's identity, so that the reduced updates need not be combined with
 * it. */
static bool starts_from_identity(struct sr_expansion *p, const struct scatter *s)
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
	return sr_build_constant(&p->builder, sr_attr_dense(p->ctx, type, data, n));
}

/* Reduce the partial results over devices by the reducer. */
static struct sr_value *reduced(struct sr_expansion *p, const struct scatter *s, struct sr_value *v)
{
	v = sr_spmd_reduce_scatter(p, v, s->reduction.dim, s->reduction.scattered_axes, s->reducer->code);
	return sr_spmd_all_reduce(p, v, s->reduction.replicated_axes, s->reducer->code);
}

static void build(struct sr_expansion *p, struct scatter *s)
{
	struct sr_value *out = sr_result(p->op, 0), *operands[3];
	struct sr_axes *axes[] = {s->result, s->indices, s->updates};
	for (int i = 0; i < 3; i++)
		operands[i] = sr_operand(p->op, i);
	struct sr_value **args = sr_expand_begin(p, operands, axes, 3, &out->type, &s->result, 1), *v;
	const struct sr_type *shard = partial_type(p, s);
	struct sr_value *indices = local_indices(p, s, args[1], shard);
	if (s->split.n) {
		v = reduced(p, s, scatter_into(p, identity_of(p, s, shard), indices, args[2]));
		v = starts_from_identity(p, s) ? v : sr_spmd_binary(p, s->reducer->code, args[0], v);
	} else {
		v = scatter_into(p, args[0], indices, args[2]);
	}
	sr_expand_end(p, &v, 1);
	sr_expand_replace(p, out, 0);
	sr_expand_finish(p);
}

static bool any_indexed(const struct scatter *s)
{
	for (int d = 0; d < s->n.operand->rank; d++)
		if (s->indexed[d])
			return true;
	return false;
}

bool sr_expand_scatter(struct sr_expansion *p)
{
	struct scatter split_form = {.reducer = sr_op_reducer(p->op)}, owned;
	if (!sr_gather_dims_read(p, &split_form.n) || split_form.n.map.n == 0)
		return false;
	split_form.identity = sr_reducer_identity(p->ctx, split_form.reducer, split_form.n.operand->dtype);
	owned = split_form;
	choose_axes(p, &owned, false);
	double least = any_indexed(&owned) ? p->price : HUGE_VAL;
	choose_axes(p, &split_form, split_form.identity != NULL);
	bool split = split_form.split.n && p->price < least;
	p->price = split ? p->price : least;
	p->divides_work = !split; /* the alternative computes the replicated result on every device and slices it */
	if (!(split || any_indexed(&owned)) || !sr_expand_pays(p))
		return false;
	build(p, split ? &split_form : &owned);
	return true;
}
