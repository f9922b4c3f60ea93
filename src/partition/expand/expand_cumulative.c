/* Form of cumulative ops (form/form.h) along a sharded dimension: a reduce_window whose n-th result reduces the first n
 * elements, or the last ones.
 *
 * 	%r = reduce_window(%x) with window n, padding [n - 1, 0]         shards of m elements along "x"
 * 	%l = reduce_window(%shard) with window m, padding [m - 1, 0]     its last element is the shard's total
 * 	%t = all_gather(%l[m - 1]) along "x"                             reduced over the devices before this one
 * 	%r = body(%t, %l)
 *
 * The specification requires an associative body; the order of elements is kept. */
#include "cost/cost.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "partition/collective.h"
#include "partition/expand/expand.h"
#include "partition/form/form.h"

struct cumulative {
	int dim;
	bool reverse;
	struct sr_axes axes;
	int64_t extent, shard;
};

/* Return true if the op is cumulative along one dimension and has windows of one element along the others. */
static bool read_cumulative(struct sr_context *ctx, const struct sr_op *op, struct cumulative *c)
{
	const struct sr_type *t = sr_operand(op, 0)->type;
	c->dim = -1;
	if (op->n_operands != 2 || sr_result(op, 0)->type != t || t->rank > SR_MAX_RANK)
		return false;
	for (int d = 0; d < t->rank; d++) {
		int64_t size = sr_op_int_at(ctx, op, SR_NAME_window_dimensions, d, 1),
			low = sr_op_int_at(ctx, op, SR_NAME_padding, 2 * d, 0),
			high = sr_op_int_at(ctx, op, SR_NAME_padding, 2 * d + 1, 0);
		if (sr_op_int_at(ctx, op, SR_NAME_window_strides, d, 1) != 1 ||
		    sr_op_int_at(ctx, op, SR_NAME_base_dilations, d, 1) != 1 ||
		    (size > 1 && sr_op_int_at(ctx, op, SR_NAME_window_dilations, d, 1) != 1))
			return false;
		if (size == 1 && low == 0 && high == 0)
			continue;
		if (c->dim >= 0 || size != t->shape[d] || low + high != size - 1 || (low && high))
			return false;
		c->dim = d;
		c->reverse = low == 0;
	}
	return c->dim >= 0;
}

/* Reduce v over one dimension by a copy of the op's body. */
static struct sr_value *reduce_dim(struct sr_expansion *p, struct sr_value *v, int64_t dim, struct sr_value *init)
{
	struct sr_context *ctx = p->ctx;
	struct sr_op *copy = sr_op_clone(ctx, p->op, NULL);
	struct sr_value *operands[] = {v, init};
	struct sr_named_attr dims_attr = {SR_NAME_dimensions, sr_attr_i64s(ctx, &dim, 1)};
	int64_t shape[SR_MAX_RANK];
	int rank = 0;
	for (int d = 0; d < v->type->rank; d++)
		if (d != dim)
			shape[rank++] = v->type->shape[d];
	const struct sr_type *type = sr_type_with_shape(ctx, v->type, rank, shape);
	struct sr_op *op = sr_op_new(ctx, &(struct sr_op_spec){.info = sr_info(ctx, SR_OP_stablehlo_reduce),
							       .loc = p->op->loc,
							       .operands = operands,
							       .n_operands = 2,
							       .results = &type,
							       .n_results = 1,
							       .attrs = &dims_attr,
							       .n_attrs = 1,
							       .n_regions = 1});
	sr_region_take(&op->regions[0], &copy->regions[0]);
	sr_op_erase(copy);
	sr_op_append(p->builder.block, op);
	return sr_result(op, 0);
}

/* Combine a and b element by element by the op's body: with one op if the body is one op, otherwise by a reduction of the
 * concatenated pair. */
static struct sr_value *combine_elements(struct sr_expansion *p, struct sr_value *a, struct sr_value *b, struct sr_value *init)
{
	const struct sr_reducer *r = sr_op_reducer(p->op);
	if (r)
		return sr_build_binary(&p->builder, r->code, a, b);
	int rank = a->type->rank;
	int64_t *shape = SR_NEW_ARRAY(p->ctx->arena, int64_t, rank + 1);
	for (int d = 0; d < rank; d++)
		shape[d + 1] = a->type->shape[d];
	shape[0] = 1;
	struct sr_value *pair[] = {sr_build_reshape(&p->builder, a, rank + 1, shape),
				   sr_build_reshape(&p->builder, b, rank + 1, shape)};
	return reduce_dim(p, sr_build_concatenate(&p->builder, pair, 2, 0), 0, init);
}

/* Build the cumulative op on the local shard. */
static struct sr_value *build_on_shard(struct sr_expansion *p, const struct cumulative *c, struct sr_value *v,
				       struct sr_value *init)
{
	int rank = v->type->rank;
	struct sr_op *op = sr_form_clone(p, (struct sr_value *[]){v, init}, 2, &v->type, 1);
	int64_t *window = SR_NEW_ARRAY(p->ctx->arena, int64_t, rank), *padding = SR_NEW_ARRAY(p->ctx->arena, int64_t, 2 * rank);
	for (int d = 0; d < rank; d++)
		window[d] = 1;
	window[c->dim] = c->shard;
	padding[2 * c->dim + c->reverse] = c->shard - 1;
	sr_op_set_attr(p->ctx, op, SR_NAME_window_dimensions, sr_attr_i64s(p->ctx, window, rank));
	sr_op_set_attr(p->ctx, op, SR_NAME_padding, sr_attr_dense_i64(p->ctx, 2, (int64_t[]){rank, 2}, padding));
	return sr_result(op, 0);
}

/* Return v with the init value in place of the elements for which the comparison of their position along dim with the scalar
 * `bound` is false. */
static struct sr_value *mask_by_position(struct sr_expansion *p, struct sr_value *v, int dim, enum sr_compare comparison,
					 struct sr_value *bound, struct sr_value *init)
{
	struct sr_builder *b = &p->builder;
	int64_t n = v->type->shape[dim], dims = dim;
	struct sr_value *positions = sr_build_iota(b, bound->type->dtype, sr_type_with_shape(p->ctx, bound->type, 1, &n), 0);
	struct sr_value *mask = sr_build_compare(b, positions, comparison, sr_build_broadcast(b, bound, positions->type, NULL), NULL);
	mask = sr_build_broadcast(b, mask, v->type, &dims);
	return sr_build_select(&p->builder, mask, v, sr_build_broadcast(&p->builder, init, v->type, NULL));
}

/* Return the reduction of all shards before this one (after it, if reversed), with v's shape without dim. */
static struct sr_value *reduce_other_shards(struct sr_expansion *p, const struct cumulative *c, struct sr_value *v,
					    struct sr_value *init)
{
	struct sr_value *totals = sr_build_slice_dim(&p->builder, v, c->dim, c->reverse ? 0 : c->shard - 1, 1, 1),
			*own_position = sr_spmd_shard_offset(p, c->axes, 1, SR_I32);
	totals = sr_spmd_all_gather(p, totals, c->dim, c->axes);
	return reduce_dim(p, mask_by_position(p, totals, c->dim, c->reverse ? SR_GT : SR_LT, own_position, init), c->dim, init);
}

static struct sr_value *build(struct sr_expansion *p, const struct cumulative *c, struct sr_value *v, struct sr_value *init)
{
	int64_t dims[SR_MAX_RANK], n = 0;
	/* padding would be combined into the result, so it is replaced by the init value */
	if (c->reverse && c->extent % sr_axes_size(c->axes)) {
		enum sr_dtype type = sr_spmd_index_type(c->extent);
		struct sr_value *first = sr_spmd_shard_offset(p, c->axes, c->shard, type);
		struct sr_value *end = sr_build_integer(&p->builder, first->type, c->extent),
				*valid_extent = sr_build_binary(&p->builder, SR_OP_stablehlo_subtract, end, first);
		v = mask_by_position(p, v, c->dim, SR_LT, valid_extent, init);
	}
	v = build_on_shard(p, c, v, init);
	struct sr_value *carry = reduce_other_shards(p, c, v, init);
	for (int d = 0; d < v->type->rank; d++)
		if (d != c->dim)
			dims[n++] = d;
	carry = sr_build_broadcast(&p->builder, carry, v->type, dims);
	return c->reverse ? combine_elements(p, v, carry, init) : combine_elements(p, carry, v, init);
}

/* Read the op, and the axes along which its dimension is sharded. Returns false if the op is not cumulative. */
static bool read_shards(const struct sr_form_query *q, struct cumulative *c)
{
	if (!read_cumulative(q->ctx, q->op, c))
		return false;
	c->axes = sr_form_axes(q, 0)[c->dim];
	c->extent = sr_operand(q->op, 0)->type->shape[c->dim];
	c->shard = sr_expand_shard_extent(c->extent, c->axes);
	return true;
}

static bool supports(const struct sr_op_view *v, int factor)
{
	struct cumulative c;
	return sr_expand_is_allowed(v->module, v->op) && read_cumulative(v->ctx, v->op, &c) &&
	       sr_index_list_has(v->rule->permutation, factor);
}

static enum sr_form_use cost(const struct sr_form_query *q, struct sr_wire_cost *sum)
{
	struct cumulative c;
	if (!read_shards(q, &c))
		return SR_FORM_IMPOSSIBLE;
	double shards = (double)sr_axes_size(c.axes);
	if (shards == 1 || shards > INT32_MAX)
		return shards == 1 ? SR_FORM_UNUSED : SR_FORM_IMPOSSIBLE;
	const struct sr_mesh_links *links = sr_cost_model_links(q->costs, q->mesh.mesh);
	double local_bytes = sr_cost_model_local_bytes(sr_operand(q->op, 0)->type, q->layouts[0]->sharding, q->mesh.mesh);
	sr_wire_cost_add(sum, sr_cost_collective(links, SR_ALL_GATHER, local_bytes / (double)c.shard * shards, c.axes));
	return SR_FORM_USED;
}

static void emit(const struct sr_form_query *q)
{
	struct sr_expansion p = sr_expansion_of(q);
	struct cumulative c;
	struct sr_value **args = sr_form_begin(&p, NULL, 0, q->layouts);
	read_shards(q, &c);
	struct sr_value *v = build(&p, &c, args[0], args[1]);
	sr_form_end(&p, &v);
}

const struct sr_op_form sr_form_cumulative = {"cumulative", supports, cost, emit};
