/* Matchers and replacement functions that several patterns use. */
#include "optimize/patterns/match.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "optimize/discardable.h"

bool sr_match_iota(struct sr_ints list)
{
	for (int64_t i = 0; i < list.n; i++)
		if (list.v[i] != i)
			return false;
	return true;
}

bool sr_match_all_equal(struct sr_ints list, int64_t value)
{
	for (int64_t i = 0; i < list.n; i++)
		if (list.v[i] != value)
			return false;
	return true;
}

bool sr_match_same_elements(const struct sr_type *a, const struct sr_type *b)
{
	int64_t x, y;
	return sr_type_is_static(a) && sr_type_is_static(b) && sr_type_elements(a, &x) && sr_type_elements(b, &y) && x == y;
}

bool sr_match_uniform(const struct sr_value *v)
{
	const struct sr_op *broadcast = sr_value_def_of(v, SR_OP_stablehlo_broadcast_in_dim);
	const struct sr_attr *constant = sr_constant_value(v);
	return v->type->rank == 0 || (constant && constant->dense->splat) ||
	       (broadcast && sr_operand(broadcast, 0)->type->rank == 0);
}

bool sr_match_empty(const struct sr_type *t)
{
	int64_t n;
	return sr_type_is_static(t) && sr_type_elements(t, &n) && n == 0;
}

struct sr_value *sr_match_undone_reshape(struct sr_context *ctx, const struct sr_op *op)
{
	const struct sr_op *inner = op && sr_op_is(op, SR_OP_stablehlo_reshape) ? sr_operand(op, 0)->def : NULL;
	if (!inner || (!sr_op_is(inner, SR_OP_stablehlo_reshape) && !sr_op_is(inner, SR_OP_stablehlo_broadcast_in_dim)) ||
	    !sr_match_same_elements(sr_operand(inner, 0)->type, sr_result(inner, 0)->type) ||
	    sr_operand(inner, 0)->type != sr_result(op, 0)->type)
		return NULL;
	struct sr_ints dims = sr_match_ints(ctx, inner, SR_NAME_broadcast_dimensions);
	for (int64_t i = 1; i < dims.n; i++)
		if (dims.v[i] < dims.v[i - 1])
			return NULL;
	return sr_operand(inner, 0);
}

int sr_match_viewed_dim(struct sr_rewriter *rw, const struct sr_op *op, int d)
{
	const struct sr_type *from = sr_operand(op, 0)->type, *to = sr_result(op, 0)->type;
	struct sr_ints dims = sr_match_ints(rw->ctx, op, SR_NAME_broadcast_dimensions);
	int at = 0, found = -1;
	if (!sr_match_same_elements(from, to))
		return -1;
	for (int r = 0; r < to->rank; r++) {
		bool is_operand_dim = at < from->rank && (dims.n ? dims.v[at] == r : to->shape[r] == from->shape[at]);
		if (is_operand_dim && at++ == d)
			found = r;
		else if (!is_operand_dim && to->shape[r] != 1)
			return -1;
	}
	return at == from->rank ? found : -1;
}

bool sr_rewrite_to_value(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *value)
{
	if (sr_result(op, 0)->type != value->type)
		return false;
	if (rw->config->keeps_shardings && sr_value_sharding(rw->ctx, sr_result(op, 0)) != sr_value_sharding(rw->ctx, value))
		return false;
	if (value->def && !rw->config->keeps_shardings)
		sr_discardable_merge(rw->ctx, op, value->def);
	sr_rewrite_replace(rw, op, value);
	return true;
}

bool sr_rewrite_to_constant(struct sr_rewriter *rw, struct sr_op *op, const struct sr_attr *dense)
{
	struct sr_builder b = sr_rewrite_before(rw, op);
	if (!dense)
		return false;
	struct sr_value *v = sr_build_constant(&b, dense);
	sr_rewrite_notify_inserted(rw, v->def);
	sr_rewrite_replace(rw, op, v);
	return true;
}

struct sr_value *sr_rewrite_create_like(struct sr_rewriter *rw, struct sr_op *op, enum sr_op_code code,
					struct sr_value *const *operands, int n, const struct sr_named_attr *attrs, int n_attrs, const struct sr_type *type)
{
	const struct sr_attr *sharding = sr_value_sharding(rw->ctx, sr_result(op, 0));
	struct sr_value *v = sr_result(sr_rewrite_create(rw, op, code, operands, n, attrs, n_attrs, type), 0);
	if (sharding)
		sr_value_set_sharding(rw->ctx, v, sharding);
	return v;
}

const struct sr_type *sr_match_with_extent(struct sr_context *ctx, const struct sr_type *t, int dim, int64_t extent)
{
	int64_t *shape = sr_dup(ctx->arena, t->shape, (size_t)t->rank, sizeof *shape);
	shape[dim] = extent;
	return sr_type_with_shape(ctx, t, t->rank, shape);
}

void sr_match_pad_attrs(struct sr_context *ctx, int rank, int dim, int64_t low, int64_t high, struct sr_named_attr attrs[3])
{
	static const char *const names[] = {SR_NAME_edge_padding_low, SR_NAME_edge_padding_high, SR_NAME_interior_padding};
	const int64_t amounts[] = {low, high, 0};
	for (int k = 0; k < 3; k++) {
		int64_t *list = SR_NEW_ARRAY(ctx->arena, int64_t, rank);
		list[dim] = amounts[k];
		attrs[k] = (struct sr_named_attr){names[k], sr_attr_i64s(ctx, list, rank)};
	}
}

struct sr_value *sr_rewrite_slice_along(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *v, int dim, int64_t first, int64_t n,
					int64_t stride)
{
	const struct sr_type *t = v->type;
	int64_t *lists[3];
	if (n == t->shape[dim])
		return v;
	for (int k = 0; k < 3; k++) {
		lists[k] = SR_NEW_ARRAY(rw->ctx->arena, int64_t, t->rank);
		for (int d = 0; d < t->rank; d++)
			lists[k][d] = k == 0 ? 0 : k == 1 ? t->shape[d] : 1;
	}
	lists[0][dim] = first;
	lists[1][dim] = first + (n - 1) * stride + 1;
	lists[2][dim] = stride;
	struct sr_named_attr attrs[] = {{SR_NAME_start_indices, sr_attr_i64s(rw->ctx, lists[0], t->rank)},
					{SR_NAME_limit_indices, sr_attr_i64s(rw->ctx, lists[1], t->rank)},
					{SR_NAME_strides, sr_attr_i64s(rw->ctx, lists[2], t->rank)}};
	return sr_rewrite_create_like(rw, op, SR_OP_stablehlo_slice, &v, 1, attrs, 3, sr_match_with_extent(rw->ctx, t, dim, n));
}

bool sr_match_read_scatter(struct sr_context *ctx, const struct sr_op *op, struct sr_match_scatter *s)
{
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_scatter_dimension_numbers);
	const struct sr_block *body = op->regions[0].first;
	const struct sr_op *end = sr_block_terminator(body);
	struct sr_ints batching = {0};
	*s = (struct sr_match_scatter){.index_vector_dim = sr_field_int(numbers, SR_NAME_index_vector_dim, 0)};
	sr_struct_ints(ctx, numbers, SR_NAME_update_window_dims, &s->window.v, &s->window.n);
	sr_struct_ints(ctx, numbers, SR_NAME_inserted_window_dims, &s->inserted.v, &s->inserted.n);
	sr_struct_ints(ctx, numbers, SR_NAME_input_batching_dims, &batching.v, &batching.n);
	sr_struct_ints(ctx, numbers, SR_NAME_scatter_dims_to_operand_dims, &s->to.v, &s->to.n);
	bool replaces = end->n_operands == 1 && body->n_args == 2 && sr_operand(end, 0) == body->args[1];
	s->reducer = replaces ? NULL : sr_op_reducer(op);
	return op->n_operands == 3 && !batching.n && (replaces || s->reducer) && sr_type_is_static(sr_operand_type(op, 0)) &&
	       sr_type_is_static(sr_operand_type(op, 2));
}
