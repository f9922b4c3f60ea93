/* Patterns of pad, of slices of pads, and of interleaved tensors written as a sum of pads.
 *
 * A pad with a positive amount on one side and a negative one on the other shifts its operand along a dimension. Programs write
 * stencils with a fixed boundary as one pad and a slice per neighbor. They become such shifts, so that no padded tensor is computed
 * and partitioning can exchange halos of the shift's width. */
#include "optimize/patterns/match.h"
#include "dialect/attr_names.h"
#include "dialect/trip_count.h"
#include "optimize/patterns/patterns.h"
#include "support/checked.h"

/* Description of a slice or pad of x without strides and interior padding: the result has low[d] + extent + high[d] elements along
 * d. */
struct edge_padding {
	struct sr_value *x;
	int rank;
	/* for each dimension: number of elements added (positive) or removed (negative) at its ends; length: rank */
	int64_t *low, *high;
};

/* Return true, and describe the op, if it is a slice or pad without strides and interior padding. */
static bool edges_of(struct sr_context *ctx, const struct sr_op *op, struct edge_padding *e)
{
	bool is_pad = sr_op_is(op, SR_OP_stablehlo_pad);
	struct sr_ints low = sr_match_ints(ctx, op, is_pad ? SR_NAME_edge_padding_low : SR_NAME_start_indices),
		       high = sr_match_ints(ctx, op, is_pad ? SR_NAME_edge_padding_high : SR_NAME_limit_indices),
		       steps = sr_match_ints(ctx, op, is_pad ? SR_NAME_interior_padding : SR_NAME_strides);
	*e = (struct edge_padding){.x = sr_operand(op, 0), .rank = sr_operand(op, 0)->type->rank};
	if (!sr_type_is_static(e->x->type) || !sr_match_all_equal(steps, is_pad ? 0 : 1))
		return false;
	e->low = sr_dup(ctx->arena, low.v, (size_t)e->rank, sizeof *e->low);
	e->high = sr_dup(ctx->arena, high.v, (size_t)e->rank, sizeof *e->high);
	for (int d = 0; d < e->rank && !is_pad; d++) {
		e->low[d] = -low.v[d];
		e->high[d] = high.v[d] - e->x->type->shape[d];
	}
	return true;
}

static bool adds_elements(const struct edge_padding *e)
{
	for (int d = 0; d < e->rank; d++)
		if (e->low[d] > 0 || e->high[d] > 0)
			return true;
	return false;
}

/* Replace op by a pad of e->x with this padding value and the amounts in e. Returns true. */
static bool replace_with_pad(struct sr_rewriter *rw, struct sr_op *op, const struct edge_padding *e, struct sr_value *value,
			     const struct sr_attr *interior)
{
	struct sr_value *operands[] = {e->x, value};
	struct sr_named_attr attrs[] = {{SR_NAME_edge_padding_low, sr_attr_i64s(rw->ctx, e->low, e->rank)},
					{SR_NAME_edge_padding_high, sr_attr_i64s(rw->ctx, e->high, e->rank)},
					{SR_NAME_interior_padding, interior}};
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_pad, operands, 2, attrs, 3);
}

/* slice(pad(x)) without strides and interior padding -> pad(x) that adds the padding which the slice keeps and removes the elements
 * of x which the slice leaves out, or a slice of x if no padding is left.
 *
 *	slice [1:9, 0:8] of pad(x: 8x8, low = [1, 1], high = [1, 1])  ->  pad(x, low = [0, 1], high = [0, -1]) */
bool sr_pattern_slice_of_pad(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_context *ctx = rw->ctx;
	struct sr_op *pad = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_pad);
	struct edge_padding outer, inner;
	if (!pad || !edges_of(ctx, op, &outer) || !edges_of(ctx, pad, &inner))
		return false;
	for (int d = 0; d < inner.rank; d++)
		if (sr_add_overflows(inner.low[d], outer.low[d], &inner.low[d]) || sr_add_overflows(inner.high[d], outer.high[d], &inner.high[d]))
			return false;
	if (adds_elements(&inner))
		return replace_with_pad(rw, op, &inner, sr_operand(pad, 1), sr_op_attr(pad, SR_NAME_interior_padding));
	for (int d = 0; d < inner.rank; d++) {
		inner.high[d] += inner.x->type->shape[d];
		inner.low[d] = -inner.low[d];
	}
	struct sr_named_attr attrs[] = {{SR_NAME_start_indices, sr_attr_i64s(ctx, inner.low, inner.rank)},
					{SR_NAME_limit_indices, sr_attr_i64s(ctx, inner.high, inner.rank)},
					{SR_NAME_strides, sr_op_attr(op, SR_NAME_strides)}};
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_slice, &inner.x, 1, attrs, 3);
}

/* pad(slice(x)) without strides and interior padding -> pad(x) with negative amounts for the elements that the slice removes, if no
 * side both removes elements and adds padding. */
bool sr_pattern_pad_of_slice(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_context *ctx = rw->ctx;
	struct sr_op *slice = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_slice);
	struct edge_padding outer, inner;
	if (!slice || !edges_of(ctx, op, &outer) || !edges_of(ctx, slice, &inner))
		return false;
	for (int d = 0; d < outer.rank; d++) {
		if ((outer.low[d] > 0 && inner.low[d]) || (outer.high[d] > 0 && inner.high[d]) ||
		    sr_add_overflows(outer.low[d], inner.low[d], &outer.low[d]) || sr_add_overflows(outer.high[d], inner.high[d], &outer.high[d]))
			return false;
	}
	outer.x = inner.x;
	return replace_with_pad(rw, op, &outer, sr_operand(op, 1), sr_op_attr(op, SR_NAME_interior_padding));
}

/* pad(pad(x)) without interior padding and with the same padding value -> pad(x), if no side removes elements before it adds
 * padding. Shifts along several dimensions, one after another, become one shift:
 *
 *	pad(pad(x, low = [1, 0], high = [-1, 0]), low = [0, 1], high = [0, -1])  ->  pad(x, low = [1, 1], high = [-1, -1]) */
bool sr_pattern_pad_of_pad(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_op *pad = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_pad);
	struct edge_padding outer, inner;
	if (!pad || !edges_of(rw->ctx, op, &outer) || !edges_of(rw->ctx, pad, &inner))
		return false;
	const struct sr_value *number = sr_operand(op, 1), *inner_number = sr_operand(pad, 1);
	if (number != inner_number && (!sr_constant_value(number) || sr_constant_value(number) != sr_constant_value(inner_number)))
		return false;
	for (int d = 0; d < outer.rank; d++) {
		if ((outer.low[d] > 0 && inner.low[d] < 0) || (outer.high[d] > 0 && inner.high[d] < 0) ||
		    sr_add_overflows(outer.low[d], inner.low[d], &outer.low[d]) ||
		    sr_add_overflows(outer.high[d], inner.high[d], &outer.high[d]))
			return false;
	}
	outer.x = inner.x;
	return replace_with_pad(rw, op, &outer, sr_operand(op, 1), sr_op_attr(op, SR_NAME_interior_padding));
}

/* ---------------------------------------------------------------- pad of the operand of a window */

/* Return the number among the window's dimensions of dimension `dim` of the first operand; -1: none. */
static int window_dim_of(struct sr_context *ctx, const struct sr_op *op, int dim)
{
	struct sr_ints spatial;
	if (!sr_op_is(op, SR_OP_stablehlo_convolution))
		return dim;
	sr_struct_ints(ctx, sr_op_attr(op, SR_NAME_dimension_numbers), SR_NAME_input_spatial_dimensions, &spatial.v, &spatial.n);
	for (int64_t s = 0; s < spatial.n; s++)
		if (spatial.v[s] == dim)
			return (int)s;
	return -1;
}

/* Return true if the window's own padding has the value `padding`: zero, perhaps converted, for a convolution, else the initial
 * value. */
static bool is_value_of_window_padding(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *padding)
{
	padding = sr_loop_invariant_source(padding);
	if (sr_op_is(op, SR_OP_stablehlo_reduce_window)) {
		const struct sr_value *init = sr_loop_invariant_source(sr_operand(op, 1));
		return padding == init || (sr_constant_value(padding) && sr_constant_value(padding) == sr_constant_value(init));
	}
	while (padding->def && sr_op_is(padding->def, SR_OP_stablehlo_convert))
		padding = sr_loop_invariant_source(sr_operand(padding->def, 0));
	return sr_is_splat_of(ctx, padding, 0);
}

/* Add the amounts of `pad` to the window's padding: amounts[2 s] and amounts[2 s + 1] at the ends of the window's dimension s.
 * Return false if a padded dimension has no window, or the window dilates it. */
static bool add_to_window_padding(struct sr_rewriter *rw, const struct sr_op *op, const struct sr_op *pad, const struct sr_op *view,
				  int64_t *amounts)
{
	bool is_convolution = sr_op_is(op, SR_OP_stablehlo_convolution);
	struct edge_padding e;
	struct sr_ints dilation = sr_match_ints(rw->ctx, op, is_convolution ? SR_NAME_lhs_dilation : SR_NAME_base_dilations);
	if (!edges_of(rw->ctx, pad, &e))
		return false;
	for (int d = 0; d < e.rank; d++) {
		int dim = view ? sr_match_viewed_dim(rw, view, d) : d, s = dim < 0 ? -1 : window_dim_of(rw->ctx, op, dim);
		if (!e.low[d] && !e.high[d])
			continue;
		if (s < 0 || e.low[d] < 0 || e.high[d] < 0 || (s < dilation.n && dilation.v[s] != 1) ||
		    sr_add_overflows(amounts[2 * s], e.low[d], &amounts[2 * s]) ||
		    sr_add_overflows(amounts[2 * s + 1], e.high[d], &amounts[2 * s + 1]))
			return false;
	}
	return true;
}

/* convolution(pad(x, 0)), reduce_window(pad(x, init), init) -> the same of x, padded by the window. The pad may be seen through a
 * reshape or broadcast that adds dimensions of extent 1. A sharded padded tensor would have shards of another extent than x. */
bool sr_pattern_window_of_pad(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_context *ctx = rw->ctx;
	struct sr_value *image = sr_operand(op, 0);
	struct sr_op *view = sr_value_def_of(image, SR_OP_stablehlo_reshape);
	if (!view)
		view = sr_value_def_of(image, SR_OP_stablehlo_broadcast_in_dim);
	struct sr_op *pad = sr_value_def_of(view ? sr_operand(view, 0) : image, SR_OP_stablehlo_pad);
	struct sr_ints own = sr_match_ints(ctx, op, SR_NAME_padding);
	int64_t n = sr_op_is(op, SR_OP_stablehlo_convolution) ? image->type->rank - 2 : image->type->rank;
	int64_t *amounts = SR_NEW_ARRAY(ctx->arena, int64_t, 2 * n + 1);
	if (op->n_results != 1 || !pad || !sr_type_is_static(image->type) ||
	    !is_value_of_window_padding(ctx, op, sr_operand(pad, 1)))
		return false;
	for (int64_t i = 0; i < own.n; i++)
		amounts[i] = own.v[i];
	if (!add_to_window_padding(rw, op, pad, view, amounts))
		return false;
	struct sr_value *x = sr_operand(pad, 0);
	if (view) {
		const struct sr_type *t = image->type;
		for (int d = 0; d < x->type->rank; d++)
			t = sr_match_with_extent(ctx, t, sr_match_viewed_dim(rw, view, d), x->type->shape[d]);
		const struct sr_attr *sharding = sr_value_sharding(ctx, image);
		x = sr_result(sr_rewrite_create(rw, op, sr_op_code_of(view), &x, 1, view->attrs, view->n_attrs, t), 0);
		if (sharding)
			sr_value_set_sharding(ctx, x, sharding);
	}
	sr_op_set_operand(op, 0, x);
	sr_op_set_attr(ctx, op, SR_NAME_padding, sr_attr_dense_i64(ctx, 2, (int64_t[]){n, 2}, amounts));
	sr_rewrite_notify_modified(rw, op);
	return true;
}

/* ---------------------------------------------------------------- interleaved tensors */

/* Return true if v is x with zeros between its elements along one dimension, *dim, and `low` zeros before them. */
static bool has_zeros_between(struct sr_rewriter *rw, const struct sr_value *v, int64_t low, int *dim)
{
	struct sr_op *pad = sr_value_def_of(v, SR_OP_stablehlo_pad);
	if (!pad || !sr_value_has_one_use(v) || !sr_is_splat_of(rw->ctx, sr_operand(pad, 1), 0))
		return false;
	struct sr_ints before = sr_match_ints(rw->ctx, pad, SR_NAME_edge_padding_low), after = sr_match_ints(rw->ctx, pad, SR_NAME_edge_padding_high),
		       between = sr_match_ints(rw->ctx, pad, SR_NAME_interior_padding);
	*dim = -1;
	for (int d = 0; d < (int)between.n; d++) {
		if (between.v[d] == 1 && *dim < 0)
			*dim = d;
		if (before.v[d] != (d == *dim ? low : 0) || between.v[d] != (d == *dim) || after.v[d] < 0 || after.v[d] > (d == *dim))
			return false;
	}
	return *dim >= 0;
}

static struct sr_value *reshape_like(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *v, const struct sr_type *type)
{
	return sr_rewrite_create_like(rw, op, SR_OP_stablehlo_reshape, &v, 1, NULL, 0, type);
}

/* Create a concatenate of `even` and `odd` whose elements along dim alternate. */
static struct sr_value *interleave(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *even, struct sr_value *odd, int dim)
{
	const struct sr_type *t = even->type;
	struct sr_value *parts[] = {even, odd};
	int64_t *shape = SR_NEW_ARRAY(rw->ctx->arena, int64_t, t->rank + 1);
	for (int d = 0; d <= t->rank; d++)
		shape[d] = d <= dim ? t->shape[d] : d == dim + 1 ? 1 : t->shape[d - 1];
	for (int i = 0; i < 2; i++)
		parts[i] = reshape_like(rw, op, parts[i], sr_type_with_shape(rw->ctx, t, t->rank + 1, shape));
	shape[dim + 1] = 2;
	struct sr_named_attr along = {SR_NAME_dimension, sr_attr_i64(rw->ctx, dim + 1)};
	struct sr_value *both = sr_rewrite_create_like(rw, op, SR_OP_stablehlo_concatenate, parts, 2, &along, 1,
						       sr_type_with_shape(rw->ctx, t, t->rank + 1, shape));
	return reshape_like(rw, op, both, sr_match_with_extent(rw->ctx, t, dim, 2 * t->shape[dim]));
}

/* pad(x, 0, interior = 1) + pad(y, 0, low = 1, interior = 1), whose elements alternate between x + 0 and y + 0 -> reshape of a concatenate,
 * which copies them. jax.lax.associative_scan interleaves so, with stablehlo.or for i1. Where y has one element less than x, x's last follows. */
bool sr_pattern_interleave(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_context *ctx = rw->ctx;
	const struct sr_type *type = sr_result(op, 0)->type;
	int dim, odd_dim, even_operand = 0;
	if (rw->config->keeps_shardings || !sr_type_is_static(type))
		return false;
	while (even_operand < 2 && !(has_zeros_between(rw, sr_operand(op, even_operand), 0, &dim) &&
				     has_zeros_between(rw, sr_operand(op, 1 - even_operand), 1, &odd_dim) && dim == odd_dim))
		even_operand++;
	if (even_operand == 2)
		return false;
	struct sr_value *parts[] = {sr_operand(sr_operand(op, even_operand)->def, 0), sr_operand(sr_operand(op, 1 - even_operand)->def, 0)};
	int64_t n = parts[1]->type->shape[dim], rest = parts[0]->type->shape[dim] - n;
	if (n < 1 || rest < 0 || rest > 1 || type->shape[dim] != 2 * n + rest)
		return false;
	for (int i = 0; i < 2; i++) { /* -0 + 0 is 0 */
		struct sr_value *operands[] = {parts[i], sr_operand(sr_operand(op, 0)->def, 1)};
		struct sr_named_attr no_dims = {SR_NAME_broadcast_dimensions, sr_attr_i64s(ctx, NULL, 0)};
		operands[1] = sr_rewrite_create_like(rw, op, SR_OP_stablehlo_broadcast_in_dim, operands + 1, 1, &no_dims, 1, parts[i]->type);
		parts[i] = sr_rewrite_create_like(rw, op, sr_op_code_of(op), operands, 2, NULL, 0, parts[i]->type);
	}
	struct sr_value *pairs = interleave(rw, op, sr_rewrite_slice_along(rw, op, parts[0], dim, 0, n, 1), parts[1], dim);
	if (!rest) {
		sr_rewrite_replace(rw, op, pairs);
		return true;
	}
	struct sr_named_attr along = {SR_NAME_dimension, sr_attr_i64(ctx, dim)};
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_concatenate,
				       (struct sr_value *[]){pairs, sr_rewrite_slice_along(rw, op, parts[0], dim, n, 1, 1)}, 2, &along, 1);
}

/* ---------------------------------------------------------------- padding that changes nothing */

/* pad with zero padding -> operand. */
bool sr_pattern_pad_noop(struct sr_rewriter *rw, struct sr_op *op)
{
	static const char *const paddings[] = {SR_NAME_edge_padding_low, SR_NAME_edge_padding_high, SR_NAME_interior_padding};
	for (int i = 0; i < 3; i++)
		if (!sr_match_all_equal(sr_match_ints(rw->ctx, op, paddings[i]), 0))
			return false;
	return sr_rewrite_to_value(rw, op, sr_operand(op, 0));
}

/* pad of a tensor without elements -> broadcast of the padding value. */
bool sr_pattern_pad_empty(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *padding = sr_operand(op, 1);
	struct sr_named_attr attr = {SR_NAME_broadcast_dimensions, sr_attr_i64s(rw->ctx, NULL, 0)};
	return sr_match_empty(sr_operand(op, 0)->type) && sr_type_is_static(sr_result(op, 0)->type) &&
	       sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_broadcast_in_dim, &padding, 1, &attr, 1);
}
