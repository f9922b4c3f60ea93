/* Form of a scatter with sharded updates, or into a sharded dimension that its indices address (form/form.h).
 *
 * 	split updates: each device combines its updates into a partial result that starts as the combiner's identity; these are
 * 	reduced (reduce_scatter if the result is sharded along the same axes; not at all if the result is unreduced along them) and
 * 	combined with the operand
 * 	owned shard: the shard's offset is subtracted from the indices; those of other shards are out of bounds and dropped
 *
 * Both are combined if the updates are sharded along some axes and the result along others. A combiner without identity, as of a
 * scatter that sets, allows the second only. The reduction is one of the op's rule. */
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "partition/collective.h"
#include "partition/expand/gather_dims.h"
#include "partition/insert_reshards/explicit_reshards.h"
#include <string.h>

struct scatter {
	struct sr_gather_dims n;
	const struct sr_reducer *reducer;      /* reducer of the scatter's body; NULL: no collective has this reducer */
	const struct sr_attr *identity;        /* identity element of the reducer; NULL: unknown */
	struct sr_axes *partial_axes;          /* axes that shard each dimension of the partial result; length: its rank */
	struct sr_axes *result;                /* axes that shard each dimension of the reduced result; length: its rank */
	struct sr_axes *updates;
	struct sr_axes update_axes;            /* axes along which the updates are sharded; partial results are reduced over them */
	struct sr_owned_reduction reduction;
	bool indexed[SR_MAX_RANK];              /* for each operand dimension: true if it is sharded and addressed by an index */
};

/* Return true if no window along d is longer than a shard. If a window is partly inside of a shard, the device writes that part
 * and drops the rest. */
static bool fits_shards(const struct scatter *s, int d)
{
	int offset = sr_gather_dims_offset_dim(&s->n, d);
	return offset < 0 || s->n.slices->shape[offset] <= sr_expand_shard_extent(s->n.operand->shape[d], s->partial_axes[d]);
}

/* Return true if the partial result has the indices' extent along every batching dimension: shards of an extent that the devices
 * do not divide are padded, the indices are not. */
static bool batches_match(const struct scatter *s)
{
	for (int d = 0; d < s->n.operand->rank; d++) {
		int64_t extent = s->n.operand->shape[d], shard = sr_expand_shard_extent(extent, s->result[d]);
		if (sr_dim_list_find(s->n.batch_dims, d) >= 0 &&
		    shard * sr_axes_size(s->reduction.scattered_axes[d]) != sr_expand_shard_extent(extent, s->partial_axes[d]))
			return false;
	}
	return true;
}

/* Read the op and its layouts. */
static enum sr_form_use read_scatter(const struct sr_form_query *q, struct scatter *s)
{
	bool is_sharded = false;
	if (!sr_gather_dims_read(q->ctx, q->op, &s->n))
		return SR_FORM_IMPOSSIBLE;
	s->reducer = sr_op_reducer(q->op);
	s->identity = sr_reducer_identity(q->ctx, s->reducer, s->n.operand->dtype);
	s->partial_axes = SR_NEW_ARRAY(q->arena, struct sr_axes, s->n.operand->rank);
	s->updates = sr_form_axes(q, 2);
	s->result = sr_form_axes(q, 3);
	for (int d = 0; d < s->n.slices->rank; d++) {
		int index = sr_gather_dims_index_dim(&s->n, d);
		if (index >= 0 && sr_dim_list_find(s->n.index_batch_dims, index) < 0)
			s->update_axes = sr_axes_concat(q->arena, s->update_axes, s->updates[d]);
	}
	for (int d = 0; d < s->n.operand->rank; d++) {
		s->partial_axes[d] = sr_axes_prefix_without_overlaps(q->arena, s->result[d], s->update_axes);
		s->indexed[d] = s->partial_axes[d].n && sr_dim_list_find(s->n.map, d) >= 0;
		if (s->indexed[d] && !fits_shards(s, d))
			return SR_FORM_IMPOSSIBLE;
		is_sharded = is_sharded || s->indexed[d];
	}
	return !is_sharded && !s->update_axes.n ? SR_FORM_UNUSED
	       : sr_owned_reduction_of(q, s->update_axes, s->partial_axes, &s->reduction) && batches_match(s) ? SR_FORM_USED
													       : SR_FORM_IMPOSSIBLE;
}

/* Return the local type of the partial result, before it is scattered. */
static const struct sr_type *partial_type(struct sr_expansion *p, const struct scatter *s)
{
	const struct sr_type *local_type = sr_expand_local_type(p, s->n.operand, s->result);
	int64_t *shape = sr_dup(p->ctx->arena, local_type->shape, (size_t)local_type->rank, sizeof *shape);
	for (int d = 0; d < local_type->rank; d++)
		shape[d] *= sr_axes_size(s->reduction.scattered_axes[d]);
	return sr_type_with_shape(p->ctx, local_type, local_type->rank, shape);
}

/* ---------------------------------------------------------------- building */

/* Return an i1 mask of the indices' shape, true for indices that belong to padding after the last update; NULL if the updates are
 * not padded. */
static struct sr_value *is_past_last_update(struct sr_expansion *p, const struct scatter *s, const struct sr_type *like,
					    enum sr_dtype dtype)
{
	struct sr_value *is_out_of_range = NULL;
	for (int d = 0; d < s->n.slices->rank; d++) {
		int index = sr_gather_dims_index_dim(&s->n, d), at = index - (index > s->n.index_vector_dim);
		int64_t extent = s->n.slices->shape[d], shard;
		if (index < 0 || extent % sr_axes_size(s->updates[d]) == 0)
			continue;
		shard = sr_expand_shard_extent(extent, s->updates[d]);
		struct sr_value *first = sr_spmd_shard_offset(p, s->updates[d], shard, dtype),
				*positions = sr_spmd_positions(p, dtype, like, at, first),
				*is_past_extent = sr_build_compare(&p->builder, positions, SR_GE,
								   sr_build_integer(&p->builder, positions->type, extent), NULL);
		is_out_of_range = is_out_of_range ? sr_build_binary(&p->builder, SR_OP_stablehlo_or, is_out_of_range, is_past_extent)
						  : is_past_extent;
	}
	return is_out_of_range;
}

/* Return the indices relative to the device's shard. They are first clamped to values that are still outside of every shard, so
 * that the subtraction does not overflow. */
static struct sr_value *local_indices(struct sr_expansion *p, const struct scatter *s, struct sr_value *indices,
				      const struct sr_type *shard)
{
	struct sr_value **components = SR_NEW_ARRAY(p->ctx->arena, struct sr_value *, s->n.map.n), *is_out_of_range = NULL;
	int64_t max_extent = 0;
	for (int d = 0; d < s->n.operand->rank; d++)
		max_extent = s->n.operand->shape[d] > max_extent ? s->n.operand->shape[d] : max_extent;
	for (int d = 0; d < s->n.slices->rank; d++)
		max_extent = s->n.slices->shape[d] > max_extent ? s->n.slices->shape[d] : max_extent;
	enum sr_dtype type = sr_spmd_index_type(max_extent);
	for (int64_t i = 0; i < s->n.map.n; i++) {
		int d = (int)s->n.map.dims[i];
		int64_t extent = s->n.operand->shape[d];
		struct sr_value *v =
			sr_spmd_clamped_index(p, sr_gather_dims_component(p, &s->n, indices, (int)i), type, -extent, extent);
		if (i == 0)
			is_out_of_range = is_past_last_update(p, s, v->type, type);
		if (s->indexed[d]) {
			struct sr_value *first = sr_spmd_shard_offset(p, s->partial_axes[d], shard->shape[d], type);
			first = sr_build_broadcast(&p->builder, first, v->type, NULL);
			v = sr_build_binary(&p->builder, SR_OP_stablehlo_subtract, v, first);
		}
		components[i] = v;
		if (is_out_of_range)
			components[i] = sr_build_select(&p->builder, is_out_of_range, sr_build_integer(&p->builder, v->type, -extent), v);
	}
	return sr_gather_dims_join(p, &s->n, components);
}

static struct sr_value *scatter_into(struct sr_expansion *p, struct sr_value *operand, struct sr_value *indices,
				     struct sr_value *updates)
{
	struct sr_value *operands[] = {operand, indices, updates};
	struct sr_op *op = sr_form_clone(p, operands, 3, &operand->type, 1);
	sr_op_set_attr(p->ctx, op, SR_NAME_indices_are_sorted, sr_attr_bool(p->ctx, false));
	sr_op_set_attr(p->ctx, op, SR_NAME_unique_indices, sr_attr_bool(p->ctx, false));
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

/* Return the layout of a result that stays partial along the axes of the reduction. Its only reader is a reshard to partial results
 * along these and perhaps more axes. Return NULL if it has other readers, or if the operand has yet to be combined with the reduced
 * updates. */
static const struct sr_attr *partial_layout(struct sr_expansion *p, const struct sr_form_query *q, const struct scatter *s)
{
	const struct sr_value *v = sr_result(q->op, 0);
	const struct sr_op *reader = sr_value_has_one_use(v) ? v->uses->owner : NULL;
	const struct sr_attr *a = reader && sr_op_is(reader, SR_OP_sdy_reshard) ? sr_op_attr(reader, SR_NAME_sharding) : NULL;
	struct sr_axes kept = s->reduction.replicated_axes, reduced;
	if (!a || !a->sharding->unreduced.n || !kept.n || sr_sharding_mesh(q->module, a->sharding) != q->mesh.mesh ||
	    sr_collective_reducer(a->sharding->unreduced_kind) != s->reducer->code || !starts_from_identity(p, s) ||
	    !sr_axes_difference(q->arena, kept, sr_axes_resolve(q->arena, q->mesh.mesh, a->sharding->unreduced), &reduced) || reduced.n)
		return NULL;
	struct sr_sdy_sharding layout = *q->layouts[3]->sharding;
	layout.unreduced_kind = a->sharding->unreduced_kind;
	return sr_sharding_with_unreduced(q->ctx, q->mesh.mesh, &layout, sr_axes_sort_and_merge(q->arena, q->mesh.mesh, kept));
}

static bool supports(const struct sr_op_view *v, int factor)
{
	struct sr_gather_dims n;
	const struct sr_factor_sharding *operand_factor = &v->p.tensors[0].factors[factor];
	if (!sr_spmd_is_supported(v) || !sr_gather_dims_read(v->ctx, v->op, &n) || n.map.n == 0)
		return false;
	if (sr_index_list_has(v->rule->reduction, factor))
		return sr_reducer_identity(v->ctx, sr_op_reducer(v->op), n.operand->dtype) != NULL;
	return operand_factor->is_present && !v->p.tensors[2].factors[factor].is_present &&
	       sr_gather_dims_is_indexed(&n, v, factor);
}

static enum sr_form_use cost(const struct sr_form_query *q, struct sr_wire_cost *sum)
{
	struct scatter s = {.reducer = NULL};
	(void)sum;
	return read_scatter(q, &s);
}

static void emit(const struct sr_form_query *q)
{
	struct scatter s = {.reducer = NULL};
	struct sr_expansion p = sr_expansion_of(q);
	read_scatter(q, &s);
	const struct sr_attr *partial = s.update_axes.n ? partial_layout(&p, q, &s) : NULL;
	const struct sr_attr *layouts[] = {q->layouts[3], q->layouts[1], q->layouts[2], partial ? partial : q->layouts[3]};
	struct sr_value **args = sr_form_begin(&p, NULL, 0, layouts), *v;
	if (partial)
		s.reduction.replicated_axes = (struct sr_axes){0};
	const struct sr_type *shard = partial_type(&p, &s);
	struct sr_value *indices = local_indices(&p, &s, args[1], shard);
	if (s.update_axes.n) {
		v = scatter_into(&p, identity_of(&p, &s, shard), indices, args[2]);
		v = sr_spmd_reduce(&p, v, &s.reduction, s.reducer->code);
		v = starts_from_identity(&p, &s) ? v : sr_build_binary(&p.builder, s.reducer->code, args[0], v);
	} else {
		v = scatter_into(&p, args[0], indices, args[2]);
	}
	sr_form_end(&p, &v);
}

const struct sr_op_form sr_form_scatter = {"owner", supports, cost, emit};
