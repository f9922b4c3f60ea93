/* SPMD expansion of a gather along sharded dimensions: each device looks up indices that fall into its shard and has zeros for
 * the others; the sum over the devices is the result. Dimensions that pass through to the result (batches, full slices) stay
 * sharded.
 *
 * 	%r = gather(%table, %i), collapsed 0      %table: shards of m rows along "x"
 * 	%j = clamp(0, %i, rows - 1) - m * coordinate along "x"
 * 	%r = all_reduce(select(0 <= %j < m, gather(%shard, %j), 0)) along "x"
 *
 * or a reduce_scatter, if the result is sharded along "x". */
#include "dialect/attr_names.h"
#include "partition/expand/gather_dims.h"

struct gather {
	struct sr_gather_dims n;
	const int64_t *sizes;
	/* axes per dimension of operand, indices and result; those of the result before the sum */
	struct sr_axes *operand, *indices, *result;
	bool indexed[SR_MAX_RANK]; /* for each operand dimension: true if it is sharded and addressed by an index */
	struct sr_axes indexed_axes;                       /* axes of all indexed dimensions */
	struct sr_owned_reduction reduction;
};

/* Keep the operand's sharding except for dimensions that must be replicated. Returns false if no sharded dimension is addressed by
 * an index. */
static bool choose_operand_axes(struct sr_expansion *p, struct gather *g)
{
	const struct sr_type *t = g->n.operand;
	for (int d = 0; d < t->rank; d++) {
		int offset = sr_gather_dims_offset_dim(&g->n, d);
		bool is_full_slice = offset >= 0 && g->sizes[d] == t->shape[d];
		if (!g->operand[d].n || is_full_slice || sr_gather_dims_batch_dim(&g->n, d) >= 0)
			continue;
		g->indexed[d] = g->sizes[d] == 1 && sr_dim_list_find(g->n.map, d) >= 0;
		if (g->indexed[d])
			g->indexed_axes = sr_axes_concat(p->ctx->arena, g->indexed_axes, g->operand[d]);
		else
			g->operand[d] = (struct sr_axes){0};
	}
	return g->indexed_axes.n > 0;
}

/* Choose the axes of indices and result: those of the operand for dimensions that pass through, else those of `required` that the
 * operand does not use. */
static void choose_result_axes(struct sr_expansion *p, struct gather *g, const struct sr_axes *required)
{
	struct sr_arena *arena = p->ctx->arena;
	const struct sr_axes *has = sr_expand_tensor_axes(p, 1);
	struct sr_axes taken = sr_expand_all_axes(p, g->operand, g->n.operand->rank);
	g->result = sr_expand_no_axes(p, g->n.slices->rank);
	g->indices = sr_expand_no_axes(p, g->n.indices->rank);
	for (int d = 0; d < g->n.operand->rank; d++) {
		int offset = sr_gather_dims_offset_dim(&g->n, d), batch = sr_gather_dims_batch_dim(&g->n, d);
		if (offset >= 0 && !g->indexed[d])
			g->result[offset] = g->operand[d];
		if (batch >= 0)
			g->result[sr_gather_dims_slices_dim(&g->n, batch)] = g->operand[d];
	}
	for (int s = 0; s < g->n.slices->rank; s++) {
		int index = sr_gather_dims_index_dim(&g->n, s);
		if (index < 0)
			continue;
		if (sr_dim_list_find(g->n.index_batch, index) < 0) {
			struct sr_axes like = required[s].n ? required[s] : has[index];
			g->result[s] = sr_axes_prefix_without_overlaps(arena, like, taken);
			taken = sr_axes_concat(arena, taken, g->result[s]);
		}
		g->indices[index] = g->result[s];
	}
}

/* Scatter the sum if the result must be sharded along the operand's axes. */
static void choose_scattered(struct sr_expansion *p, struct gather *g, const struct sr_axes *required)
{
	struct sr_axes rest;
	g->reduction.replicated_axes = g->indexed_axes;
	for (int s = 0; s < g->n.slices->rank; s++) {
		struct sr_axes more = sr_axes_after_prefix(required[s], g->result[s]);
		if (more.n == 0 || g->n.slices->shape[s] % sr_axes_size(required[s]) ||
		    !sr_axes_difference(p->ctx->arena, more, g->indexed_axes, &rest) || rest.n ||
		    !sr_axes_difference(p->ctx->arena, g->indexed_axes, more, &rest))
			continue;
		g->reduction = (struct sr_owned_reduction){rest, more, s};
		return;
	}
}

static struct sr_axes *axes_after_sum(struct sr_expansion *p, const struct gather *g)
{
	struct sr_axes *after_sum = sr_dup(p->ctx->arena, g->result, (size_t)g->n.slices->rank, sizeof *after_sum);
	if (g->reduction.scattered_axes.n)
		after_sum[g->reduction.dim] = sr_axes_concat(p->ctx->arena, after_sum[g->reduction.dim],
							     g->reduction.scattered_axes);
	return after_sum;
}

/* Build the gather on the shard. *inside: i1 mask of the indices' shape, true where an index falls into the shard. */
static struct sr_value *look_up(struct sr_expansion *p, struct gather *g, struct sr_value *shard, struct sr_value *indices,
				struct sr_value **inside)
{
	struct sr_value **components = SR_NEWS(p->ctx->arena, struct sr_value *, g->n.map.n);
	int64_t most = 0, *sizes = sr_dup(p->ctx->arena, shard->type->shape, (size_t)shard->type->rank, sizeof *sizes);
	*inside = NULL;
	for (int d = 0; d < g->n.operand->rank; d++) {
		most = g->n.operand->shape[d] > most ? g->n.operand->shape[d] : most;
		sizes[d] = g->sizes[d] < g->n.operand->shape[d] || sr_gather_dims_batch_dim(&g->n, d) >= 0 ? g->sizes[d] : sizes[d];
		sizes[d] = g->indexed[d] || sr_dim_list_find(g->n.single, d) >= 0 ? 1 : sizes[d];
	}
	for (int64_t i = 0; i < g->n.map.n; i++) {
		int d = (int)g->n.map.dims[i];
		enum sr_dtype type = sr_spmd_index_type(most);
		struct sr_value *v = sr_gather_dims_component(p, &g->n, indices, (int)i), *here;
		v = sr_spmd_clamped_index(p, v, type, 0, g->n.operand->shape[d] - g->sizes[d]);
		if (g->indexed[d]) {
			int64_t extent = shard->type->shape[d];
			struct sr_value *first = sr_spmd_shard_offset(p, g->operand[d], extent, type);
			v = sr_spmd_binary(p, SR_OP_stablehlo_subtract, v,
					   sr_spmd_broadcast(p, first, NULL, v->type->rank, v->type->shape));
			here = sr_spmd_in_range(p, v, 0, extent);
			*inside = *inside ? sr_spmd_binary(p, SR_OP_stablehlo_and, *inside, here) : here;
		}
		components[i] = v;
	}
	struct sr_value *operands[] = {shard, sr_gather_dims_join(p, &g->n, components)};
	struct sr_named_attr attrs[] = {{SR_NAME_dimension_numbers, sr_op_attr(p->op, SR_NAME_dimension_numbers)},
				   {SR_NAME_slice_sizes, sr_attr_i64s(p->ctx, sizes, shard->type->rank)},
				   {SR_NAME_indices_are_sorted, sr_attr_bool(p->ctx, false)}};
	return sr_build_infer(&p->builder, SR_OP_stablehlo_gather, operands, 2, attrs, 3);
}

bool sr_expand_gather(struct sr_expansion *p)
{
	struct gather g = {.operand = NULL};
	struct sr_value *out = sr_result(p->op, 0);
	const struct sr_axes *required = sr_expand_tensor_axes(p, 2);
	int64_t n, dims[SR_MAX_RANK], n_dims = 0;
	if (!sr_gather_dims_read(p, &g.n) || !sr_op_ints(p->ctx, p->op, SR_NAME_slice_sizes, &g.sizes, &n))
		return false;
	g.operand = sr_expand_tensor_axes(p, 0);
	if (!choose_operand_axes(p, &g))
		return false;
	choose_result_axes(p, &g, required);
	choose_scattered(p, &g, required);
	struct sr_axes *after_sum = axes_after_sum(p, &g), *axes[] = {g.operand, g.indices};
	sr_expand_cost_reshard(p, sr_operand(p->op, 0), 0, g.operand);
	sr_expand_cost_reshard(p, sr_operand(p->op, 1), 1, g.indices);
	sr_expand_cost_owned(p, sr_expand_type_bytes(sr_expand_local_type(p, out->type, g.result)), g.reduction);
	sr_expand_cost_result(p, 0, after_sum);
	if (!sr_expand_pays(p))
		return false;

	struct sr_value *operands[] = {sr_operand(p->op, 0), sr_operand(p->op, 1)}, *inside;
	struct sr_value **args = sr_expand_begin(p, operands, axes, 2, &out->type, &after_sum, 1);
	struct sr_value *v = look_up(p, &g, args[0], args[1], &inside);
	for (int s = 0; s < v->type->rank; s++)
		if (sr_gather_dims_index_dim(&g.n, s) >= 0)
			dims[n_dims++] = s;
	inside = sr_spmd_broadcast(p, inside, dims, v->type->rank, v->type->shape);
	v = sr_spmd_sum_owned(p, v, inside, g.reduction);
	sr_expand_end(p, &v, 1);
	sr_expand_replace(p, out, 0);
	sr_expand_finish(p);
	return true;
}
