/* Form of a gather along sharded dimensions that its indices address (form/form.h): each device looks up indices that fall into its
 * shard and has zeros for the others; the sum over the devices is the result.
 *
 * 	%r = gather(%table, %i), collapsed 0      %table: shards of m rows along "x"
 * 	%j = clamp(0, %i, rows - 1) - m * coordinate along "x"
 * 	%r = all_reduce(select(0 <= %j < m, gather(%shard, %j), 0)) along "x"
 *
 * or a reduce_scatter, if the result is sharded along "x". The sum is a reduction of the op's rule. */
#include "dialect/attr_names.h"
#include "partition/expand/gather_dims.h"

struct gather {
	struct sr_gather_dims n;
	const int64_t *sizes;
	struct sr_axes *operand;    /* axes that shard each dimension of the operand; length: rank of the operand */
	bool indexed[SR_MAX_RANK];  /* for each operand dimension: true if it is sharded and addressed by an index */
	struct sr_owned_reduction reduction;
};

/* Read the op and its layouts. */
static enum sr_form_use read_gather(const struct sr_form_query *q, struct gather *g)
{
	int64_t n;
	if (!sr_gather_dims_read(q->ctx, q->op, &g->n) || !sr_op_ints(q->ctx, q->op, SR_NAME_slice_sizes, &g->sizes, &n))
		return SR_FORM_IMPOSSIBLE;
	struct sr_axes *indices = sr_form_axes(q, 1), *result = SR_NEW_ARRAY(q->arena, struct sr_axes, g->n.slices->rank),
		       gathered_axes = {0};
	g->operand = sr_form_axes(q, 0);
	for (int d = 0; d < g->n.operand->rank; d++) {
		int offset = sr_gather_dims_offset_dim(&g->n, d);
		g->indexed[d] = g->operand[d].n && sr_gather_dims_batch_dim(&g->n, d) < 0 &&
				!(offset >= 0 && g->sizes[d] == g->n.operand->shape[d]);
		if (g->indexed[d])
			gathered_axes = sr_axes_concat(q->arena, gathered_axes, g->operand[d]);
		else if (offset >= 0)
			result[offset] = g->operand[d];
	}
	for (int s = 0; s < g->n.slices->rank; s++)
		if (sr_gather_dims_index_dim(&g->n, s) >= 0)
			result[s] = indices[sr_gather_dims_index_dim(&g->n, s)];
	return !gathered_axes.n ? SR_FORM_UNUSED
	       : sr_owned_reduction_of(q, gathered_axes, result, &g->reduction) ? SR_FORM_USED
									  : SR_FORM_IMPOSSIBLE;
}

/* Build the gather on the shard. *is_owned: i1 mask of the indices' shape, true where an index falls into the shard. */
static struct sr_value *look_up(struct sr_expansion *p, struct gather *g, struct sr_value *shard, struct sr_value *indices,
				struct sr_value **is_owned)
{
	struct sr_value **components = SR_NEW_ARRAY(p->ctx->arena, struct sr_value *, g->n.map.n);
	int64_t max_extent = 0, *sizes = sr_dup(p->ctx->arena, shard->type->shape, (size_t)shard->type->rank, sizeof *sizes);
	*is_owned = NULL;
	for (int d = 0; d < g->n.operand->rank; d++) {
		max_extent = g->n.operand->shape[d] > max_extent ? g->n.operand->shape[d] : max_extent;
		sizes[d] = g->sizes[d] < g->n.operand->shape[d] || sr_gather_dims_batch_dim(&g->n, d) >= 0 ? g->sizes[d] : sizes[d];
		sizes[d] = g->indexed[d] || sr_dim_list_find(g->n.collapsed_dims, d) >= 0 ? 1 : sizes[d];
	}
	for (int64_t i = 0; i < g->n.map.n; i++) {
		int d = (int)g->n.map.dims[i];
		enum sr_dtype type = sr_spmd_index_type(max_extent);
		struct sr_value *v = sr_gather_dims_component(p, &g->n, indices, (int)i), *is_in_shard;
		v = sr_spmd_clamped_index(p, v, type, 0, g->n.operand->shape[d] - g->sizes[d]);
		if (g->indexed[d]) {
			int64_t extent = shard->type->shape[d];
			struct sr_value *first = sr_spmd_shard_offset(p, g->operand[d], extent, type);
			v = sr_build_binary(&p->builder, SR_OP_stablehlo_subtract, v, sr_build_broadcast(&p->builder, first, v->type, NULL));
			is_in_shard = sr_spmd_in_range(p, v, 0, extent);
			*is_owned = *is_owned ? sr_build_binary(&p->builder, SR_OP_stablehlo_and, *is_owned, is_in_shard) : is_in_shard;
		}
		components[i] = v;
	}
	struct sr_value *operands[] = {shard, sr_gather_dims_join(p, &g->n, components)};
	struct sr_named_attr attrs[] = {{SR_NAME_dimension_numbers, sr_op_attr(p->op, SR_NAME_dimension_numbers)},
				   {SR_NAME_slice_sizes, sr_attr_i64s(p->ctx, sizes, shard->type->rank)},
				   {SR_NAME_indices_are_sorted, sr_attr_bool(p->ctx, false)}};
	return sr_build_infer(&p->builder, SR_OP_stablehlo_gather, operands, 2, attrs, 3);
}

static bool supports(const struct sr_op_view *v, int factor)
{
	struct sr_gather_dims n;
	return sr_spmd_is_supported(v) && sr_index_list_has(v->rule->reduction, factor) && sr_gather_dims_read(v->ctx, v->op, &n) &&
	       sr_gather_dims_is_indexed(&n, v, factor);
}

static enum sr_form_use cost(const struct sr_form_query *q, struct sr_wire_cost *sum)
{
	struct gather g = {.operand = NULL};
	(void)sum;
	return read_gather(q, &g);
}

static void emit(const struct sr_form_query *q)
{
	struct gather g = {.operand = NULL};
	struct sr_expansion p = sr_expansion_of(q);
	struct sr_value **args = sr_form_begin(&p, NULL, 0, q->layouts), *is_owned;
	int64_t dims[SR_MAX_RANK], n_dims = 0;
	read_gather(q, &g);
	struct sr_value *v = look_up(&p, &g, args[0], args[1], &is_owned);
	for (int s = 0; s < v->type->rank; s++)
		if (sr_gather_dims_index_dim(&g.n, s) >= 0)
			dims[n_dims++] = s;
	is_owned = sr_build_broadcast(&p.builder, is_owned, v->type, dims);
	v = sr_spmd_sum_owned(&p, v, is_owned, &g.reduction);
	sr_form_end(&p, &v);
}

const struct sr_op_form sr_form_gather = {"owner", supports, cost, emit};
