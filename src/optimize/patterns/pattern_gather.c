/* Patterns of gathers and selects by computed indices: indices and masks that follow from iotas are known when compiling, so that such
 * ops only move and join slices. Programs write the shifted reads of stencils, and their borders, in these forms:
 *
 *	take(x, (iota + n - 1) rem n)                  ->  concatenate(x[n - 1 : n], x[0 : n - 1])
 *	take(x, clamp(0, iota + 1, n - 1))             ->  concatenate(x[1 : n], x[n - 1 : n])
 *	select(iota == 0, 0, concatenate(y, x[0:n-1])) ->  pad(x[0 : n - 1], 0, low = 1) */
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "dialect/reducer.h"
#include "optimize/affine_pieces.h"
#include "optimize/patterns/match.h"
#include "optimize/patterns/patterns.h"
#include <string.h>

/* Number of slices of one dimension that replace a gather or select. */
enum { MAX_SLICES = 4 };

static struct sr_value *concatenate_along(struct sr_rewriter *rw, struct sr_op *op, struct sr_value **parts, int n, int dim,
					  int64_t extent)
{
	struct sr_named_attr attr = {SR_NAME_dimension, sr_attr_i64(rw->ctx, dim)};
	return n == 1 ? parts[0]
		      : sr_rewrite_create_like(rw, op, SR_OP_stablehlo_concatenate, parts, n, &attr, 1,
					       sr_match_with_extent(rw->ctx, parts[0]->type, dim, extent));
}

/* ---------------------------------------------------------------- gather */

/* A gather whose result has the dimensions of its operand in the same order. */
struct shift_gather {
	/* for each dimension of the operand: the indices read along it, numbered by the result's index; NULL: all in order */
	const struct sr_affine_pieces *indices[SR_MAX_RANK];
};

/* Return component k of the index vectors. */
static const struct sr_affine_pieces *index_component(struct sr_rewriter *rw, const struct sr_op *op, int64_t vector_dim, int64_t k)
{
	const struct sr_value *indices = sr_operand(op, 1);
	if (vector_dim >= indices->type->rank || indices->type->shape[vector_dim] == 1)
		return sr_affine_pieces_of(rw->ctx, indices);
	const struct sr_op *convert = sr_value_def_of(indices, SR_OP_stablehlo_convert);
	const struct sr_op *vector = sr_value_def_of(convert ? sr_operand(convert, 0) : indices, SR_OP_stablehlo_concatenate);
	return vector && sr_op_int(vector, SR_NAME_dimension, -1) == vector_dim && vector->n_operands == indices->type->shape[vector_dim] ?
		       sr_affine_pieces_of(rw->ctx, sr_operand(vector, (int)k)) : NULL;
}

/* Return the dimension of the result that dimension d of the indices is: the result's dimensions that are not offset dimensions, in
 * order. */
static int result_dim_of(const struct sr_op *op, struct sr_ints offset, int64_t vector_dim, int d)
{
	int n_before = d - (vector_dim < d);
	for (int r = 0; r < sr_result(op, 0)->type->rank; r++)
		if (!sr_list_has(offset.v, offset.n, r) && n_before-- == 0)
			return r;
	return -1;
}

/* Read the indices of each dimension. Returns false if one is not known. */
static bool read_gather(struct sr_rewriter *rw, const struct sr_op *op, struct shift_gather *g)
{
	const struct sr_type *t = sr_operand(op, 0)->type, *result = sr_result(op, 0)->type;
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dimension_numbers);
	struct sr_ints map = {0}, offset = {0}, collapsed = {0}, batching = {0}, sizes = sr_match_ints(rw->ctx, op, SR_NAME_slice_sizes);
	int64_t vector_dim = sr_field_int(numbers, SR_NAME_index_vector_dim, 0);
	int n_window = 0;
	sr_struct_ints(rw->ctx, numbers, SR_NAME_start_index_map, &map.v, &map.n);
	sr_struct_ints(rw->ctx, numbers, SR_NAME_offset_dims, &offset.v, &offset.n);
	sr_struct_ints(rw->ctx, numbers, SR_NAME_collapsed_slice_dims, &collapsed.v, &collapsed.n);
	sr_struct_ints(rw->ctx, numbers, SR_NAME_operand_batching_dims, &batching.v, &batching.n);
	if (t->rank != result->rank || !sr_type_is_static(t) || !sr_type_is_static(result) || sr_match_empty(result) || batching.n)
		return false;
	for (int d = 0; d < t->rank; d++) {
		/* Dimension d of the operand is dimension d of the result: an offset dimension, or that of one index component. */
		bool is_collapsed = sr_list_has(collapsed.v, collapsed.n, d);
		if (is_collapsed != !sr_list_has(offset.v, offset.n, d) || (!is_collapsed && offset.v[n_window++] != d) ||
		    (is_collapsed && !sr_list_has(map.v, map.n, d)) || (!is_collapsed && sizes.v[d] != t->shape[d]))
			return false;
	}
	for (int64_t k = 0; k < map.n; k++) {
		int d = (int)map.v[k];
		if (!sr_list_has(collapsed.v, collapsed.n, d))
			continue; /* The slice has all elements of the dimension, and the index is clamped to 0. */
		const struct sr_affine_pieces *p = index_component(rw, op, vector_dim, k);
		if (!p || (p->dim >= 0 && result_dim_of(op, offset, vector_dim, p->dim) != d) ||
		    !(g->indices[d] = sr_affine_pieces_clamp(rw->ctx, p, 0, t->shape[d] - 1)) || g->indices[d]->n > MAX_SLICES)
			return false;
	}
	return true;
}

/* Build what one piece of indices reads: a slice of v along dim, reversed if the indices descend, repeated if they are equal. */
static struct sr_value *build_piece(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *v, int dim, const struct sr_affine_piece *a, int64_t n)
{
	if (n == 1 || a->step > 0)
		return sr_rewrite_slice_along(rw, op, v, dim, a->value, n, n == 1 ? 1 : a->step);
	if (a->step < 0) {
		int64_t d = dim;
		struct sr_named_attr attr = {SR_NAME_dimensions, sr_attr_i64s(rw->ctx, &d, 1)};
		v = sr_rewrite_slice_along(rw, op, v, dim, a->value + (n - 1) * a->step, n, -a->step);
		return sr_rewrite_create_like(rw, op, SR_OP_stablehlo_reverse, &v, 1, &attr, 1, v->type);
	}
	v = sr_rewrite_slice_along(rw, op, v, dim, a->value, 1, 1);
	int64_t *dims = SR_NEW_ARRAY(rw->ctx->arena, int64_t, v->type->rank);
	for (int d = 0; d < v->type->rank; d++)
		dims[d] = d;
	struct sr_named_attr attr = {SR_NAME_broadcast_dimensions, sr_attr_i64s(rw->ctx, dims, v->type->rank)};
	return sr_rewrite_create_like(rw, op, SR_OP_stablehlo_broadcast_in_dim, &v, 1, &attr, 1, sr_match_with_extent(rw->ctx, v->type, dim, n));
}

/* gather at known indices -> concatenate of slices along each indexed dimension, if there are at most MAX_SLICES. */
bool sr_pattern_gather_of_iota(struct sr_rewriter *rw, struct sr_op *op)
{
	struct shift_gather g = {0};
	struct sr_value *v = sr_operand(op, 0), *parts[MAX_SLICES];
	const struct sr_type *t = sr_result(op, 0)->type;
	if (!read_gather(rw, op, &g))
		return false;
	for (int d = 0; d < t->rank; d++) {
		const struct sr_affine_pieces *p = g.indices[d];
		if (!p)
			continue;
		for (int i = 0; i < p->n; i++)
			parts[i] = build_piece(rw, op, v, d, &p->pieces[i],
					       (p->dim < 0 ? t->shape[d] : sr_affine_piece_end(p, i)) - p->pieces[i].begin);
		v = concatenate_along(rw, op, parts, p->n, d, t->shape[d]);
	}
	return sr_rewrite_to_value(rw, op, v);
}

/* ---------------------------------------------------------------- select */

/* Return true if v is a border or shift along dim whose slices are simpler than v. */
static bool is_shift(const struct sr_value *v, int dim)
{
	return (sr_value_def_of(v, SR_OP_stablehlo_concatenate) && sr_op_int(v->def, SR_NAME_dimension, -1) == dim) ||
	       sr_value_def_of(v, SR_OP_stablehlo_pad);
}

/* Return true if v is a broadcast whose elements are equal along dim. */
static bool is_broadcast_along(struct sr_rewriter *rw, const struct sr_value *v, int dim)
{
	const struct sr_op *broadcast = sr_value_def_of(v, SR_OP_stablehlo_broadcast_in_dim);
	if (!broadcast)
		return false;
	struct sr_ints dims = sr_match_ints(rw->ctx, broadcast, SR_NAME_broadcast_dimensions);
	for (int64_t i = 0; i < dims.n; i++)
		if (dims.v[i] == dim && sr_operand(broadcast, 0)->type->shape[i] != 1)
			return false;
	return true;
}

/* Create a slice of v before op; of a broadcast along dim a smaller broadcast, or the broadcast's operand if no elements are added. */
static struct sr_value *part_of(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *v, int dim, int64_t first, int64_t n)
{
	if (!is_broadcast_along(rw, v, dim))
		return sr_rewrite_slice_along(rw, op, v, dim, first, n, 1);
	struct sr_named_attr dims = {SR_NAME_broadcast_dimensions, sr_op_attr(v->def, SR_NAME_broadcast_dimensions)};
	const struct sr_type *t = sr_match_with_extent(rw->ctx, v->type, dim, n);
	struct sr_value *operand = sr_operand(v->def, 0);
	if (operand->type == t && sr_match_iota(sr_match_ints(rw->ctx, v->def, SR_NAME_broadcast_dimensions)))
		return operand;
	return sr_rewrite_create_like(rw, op, SR_OP_stablehlo_broadcast_in_dim, &operand, 1, &dims, 1, t);
}

/* Replace op by v with `low` and `high` elements of this number added at the ends of dim. */
static bool replace_with_pad(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *v, struct sr_value *number, int dim, int64_t low, int64_t high)
{
	struct sr_value *operands[] = {v, number};
	struct sr_named_attr attrs[3];
	sr_match_pad_attrs(rw->ctx, v->type->rank, dim, low, high, attrs);
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_pad, operands, 2, attrs, 3);
}

/* A box of elements, and whether a shift along one of the dimensions that it restricts is selected there. */
struct shift_box {
	int64_t begin[SR_MAX_RANK], end[SR_MAX_RANK];
	bool has_shift;
};

/* Restrict the box to the elements where the mask is true. Returns false if the mask does not follow from iotas, or if these
 * elements are not a box of most elements of each dimension. */
static bool restrict_box(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *mask, struct shift_box *box)
{
	const struct sr_affine_pieces *p = sr_affine_pieces_of(rw->ctx, mask);
	const struct sr_op *conjunction = sr_value_def_of(mask, SR_OP_stablehlo_and);
	struct sr_value *yes = sr_operand(op, 1);
	if (!p)
		return conjunction && restrict_box(rw, op, sr_operand(conjunction, 0), box) &&
		       restrict_box(rw, op, sr_operand(conjunction, 1), box);
	if (p->n == 1)
		return p->pieces[0].value != 0;
	int middle = sr_affine_piece_end(p, 0) < p->extent / 2;
	int64_t begin = p->pieces[middle].begin, end = sr_affine_piece_end(p, middle);
	if (middle + 2 < p->n || !p->pieces[middle].value || end - begin < p->extent - p->extent / 4)
		return false;
	box->begin[p->dim] = begin > box->begin[p->dim] ? begin : box->begin[p->dim];
	box->end[p->dim] = end < box->end[p->dim] ? end : box->end[p->dim];
	box->has_shift |= is_shift(yes, p->dim);
	return box->begin[p->dim] < box->end[p->dim];
}

/* select(p and q, a, number), where p and q are known along one dimension each and a is a shift -> pad(slice(a), number). */
static bool select_box(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 1), *number = sr_operand(op, 2);
	const struct sr_op *broadcast = sr_value_def_of(number, SR_OP_stablehlo_broadcast_in_dim);
	struct shift_box box = {.has_shift = false};
	const int64_t *shape = v->type->shape;
	memcpy(box.end, shape, sizeof *shape * (size_t)v->type->rank);
	if (!broadcast || sr_operand(broadcast, 0)->type->rank || sr_operand(op, 0)->type->rank != v->type->rank ||
	    !restrict_box(rw, op, sr_operand(op, 0), &box) || !box.has_shift)
		return false;
	for (int d = 0; d < v->type->rank; d++)
		v = sr_rewrite_slice_along(rw, op, v, d, box.begin[d], box.end[d] - box.begin[d], 1);
	for (int d = 0; d < v->type->rank; d++) {
		struct sr_value *operands[] = {v, sr_operand(broadcast, 0)};
		struct sr_named_attr attrs[3];
		sr_match_pad_attrs(rw->ctx, v->type->rank, d, box.begin[d], shape[d] - box.end[d], attrs);
		v = sr_rewrite_create_like(rw, op, SR_OP_stablehlo_pad, operands, 2, attrs, 3,
					   sr_match_with_extent(rw->ctx, v->type, d, shape[d]));
	}
	return sr_rewrite_to_value(rw, op, v);
}

/* select(p, a, b) where p is known -> a or b if p is true or false everywhere. If p chooses a shift (concatenate or pad) along one
 * dimension but for elements at its ends: -> the slice of the shift, padded with the other operand if that is a broadcast number, or
 * else concatenated with slices of the other operand. If p is the conjunction of masks along several dimensions: select_box(). */
bool sr_pattern_select_of_iota(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_affine_pieces *p = sr_affine_pieces_of(rw->ctx, sr_operand(op, 0));
	if (!sr_type_is_static(sr_result(op, 0)->type))
		return false;
	if (!p)
		return select_box(rw, op);
	if (p->n == 1)
		return sr_rewrite_to_value(rw, op, sr_operand(op, p->pieces[0].value ? 1 : 2));
	int middle = sr_affine_piece_end(p, 0) < p->extent / 2;
	int64_t begin = p->pieces[middle].begin, end = sr_affine_piece_end(p, middle);
	struct sr_value *shift = sr_operand(op, p->pieces[middle].value ? 1 : 2), *other = sr_operand(op, p->pieces[middle].value ? 2 : 1);
	if (middle + 2 < p->n || end - begin < p->extent - p->extent / 4 || !is_shift(shift, p->dim) ||
	    (sr_value_has_one_use(other) && !is_broadcast_along(rw, other, p->dim)))
		return false;
	shift = sr_rewrite_slice_along(rw, op, shift, p->dim, begin, end - begin, 1);
	const struct sr_op *broadcast = sr_value_def_of(other, SR_OP_stablehlo_broadcast_in_dim);
	if (broadcast && sr_operand(broadcast, 0)->type->rank == 0)
		return replace_with_pad(rw, op, shift, sr_operand(broadcast, 0), p->dim, begin, p->extent - end);
	struct sr_value *parts[3];
	int n = 0;
	if (begin)
		parts[n++] = part_of(rw, op, other, p->dim, 0, begin);
	parts[n++] = shift;
	if (end < p->extent)
		parts[n++] = part_of(rw, op, other, p->dim, end, p->extent - end);
	return sr_rewrite_to_value(rw, op, concatenate_along(rw, op, parts, n, p->dim, p->extent));
}

/* ---------------------------------------------------------------- masks of index vectors */

/* Component k, along dimension dim, of values that follow from a concatenate of indices. */
struct component {
	struct sr_context *ctx;
	struct sr_builder *b; /* NULL: only test whether components can be built */
	int dim;
	int64_t k;
	const struct sr_type *type; /* the type of a component */
};

/* Build component k of a broadcast number or of a broadcast list of constants. */
static struct sr_value *component_of_broadcast(const struct component *c, struct sr_value *v, const struct sr_type *t)
{
	struct sr_value *source = v;
	struct sr_ints all;
	int64_t d = c->dim;
	for (const struct sr_op *op; (op = sr_value_def_of(source, SR_OP_stablehlo_broadcast_in_dim)); source = sr_operand(op, 0)) {
		struct sr_ints dims = sr_match_ints(c->ctx, op, SR_NAME_broadcast_dimensions);
		int64_t i = 0;
		while (i < dims.n && dims.v[i] != d)
			i++;
		d = i < dims.n ? i : -1;
	}
	if (source->type->rank == 0)
		return c->b ? sr_build_broadcast(c->b, source, t, NULL) : v;
	if (d < 0 || source->type->rank != 1 || !sr_value_ints(c->ctx, source, &all) || all.n != v->type->shape[c->dim])
		return NULL;
	return c->b ? sr_build_integer(c->b, t, all.v[c->k]) : v;
}

/* Build component k of a constant of equal elements. */
static struct sr_value *component_of_splat(const struct component *c, struct sr_value *v, const struct sr_type *t)
{
	struct sr_named_attr value = {SR_NAME_value, sr_splat_to(c->ctx, sr_constant_value(v), t)};
	if (!value.value || !c->b)
		return value.value ? v : NULL;
	return sr_result(sr_build(c->b, SR_OP_stablehlo_constant, NULL, 0, &value, 1, &t, 1), 0);
}

/* Build component k of v, which consists of comparisons of a concatenate of known indices with constants. NULL: v does not. */
static struct sr_value *component_of(const struct component *c, struct sr_value *v)
{
	const struct sr_op *op = v->def;
	const struct sr_type *t = sr_type_with_shape(c->ctx, v->type, c->type->rank, c->type->shape);
	if (op && sr_op_is(op, SR_OP_stablehlo_concatenate)) {
		if (sr_op_int(op, SR_NAME_dimension, 0) != c->dim || op->n_operands != v->type->shape[c->dim])
			return NULL;
		for (int i = 0; i < op->n_operands; i++)
			if (sr_operand(op, i)->type->shape[c->dim] != 1 || !sr_affine_pieces_of(c->ctx, sr_operand(op, i)))
				return NULL;
		return c->b ? sr_build_reshape(c->b, sr_operand(op, (int)c->k), t->rank, t->shape) : v;
	}
	if (op && sr_op_is(op, SR_OP_stablehlo_broadcast_in_dim))
		return component_of_broadcast(c, v, t);
	if (sr_constant_value(v))
		return component_of_splat(c, v, t);
	if (!op || (!sr_op_is(op, SR_OP_stablehlo_and) && !sr_op_is(op, SR_OP_stablehlo_compare)))
		return NULL;
	struct sr_value *operands[] = {component_of(c, sr_operand(op, 0)), component_of(c, sr_operand(op, 1))};
	if (!operands[0] || !operands[1])
		return NULL;
	return c->b ? sr_result(sr_build(c->b, sr_op_code_of(op), operands, 2, op->attrs, op->n_attrs, &t, 1), 0) : v;
}

/* Return true if a mask is known to be true everywhere. */
static bool is_true(struct sr_context *ctx, struct sr_value *mask)
{
	const struct sr_affine_pieces *p = sr_affine_pieces_of(ctx, mask);
	return p && p->n == 1 && p->pieces[0].value;
}

static bool decompose_all_of_index(struct sr_builder *b, struct sr_op *op)
{
	const struct sr_reducer *reducer = op->n_results == 1 ? sr_op_reducer(op) : NULL;
	struct sr_ints dims = sr_match_ints(b->ctx, op, SR_NAME_dimensions);
	struct sr_value *x = sr_operand(op, 0), *all = NULL;
	const struct sr_attr *init = sr_constant_value(sr_operand(op, 1)), *sharding = sr_value_sharding(b->ctx, sr_result(op, 0));
	struct component c = {.ctx = b->ctx, .dim = dims.n ? (int)dims.v[0] : 0, .type = sr_result(op, 0)->type};
	struct sr_op *previous = op->prev;
	if (!reducer || reducer->code != SR_OP_stablehlo_and || dims.n != 1 || !init ||
	    !sr_is_splat_of(b->ctx, sr_operand(op, 1), 1) ||
	    c.type->element != x->type->element || !sr_type_is_static(x->type) || x->type->shape[c.dim] > SR_MAX_RANK ||
	    x->type->shape[c.dim] < 1 || !component_of(&c, x))
		return false;
	c.b = b;
	for (; c.k < x->type->shape[c.dim]; c.k++) {
		struct sr_value *v = component_of(&c, x);
		if (!all || is_true(b->ctx, all))
			all = v;
		else if (!is_true(b->ctx, v))
			all = sr_build_binary(b, SR_OP_stablehlo_and, all, v);
	}
	for (struct sr_op *new_op = previous ? previous->next : op->block->first; sharding && new_op != op; new_op = new_op->next)
		sr_value_set_sharding(b->ctx, sr_result(new_op, 0), sharding);
	sr_value_replace_all(sr_result(op, 0), all);
	return true;
}

/* reduce of a mask by stablehlo.and along the components of known index vectors -> stablehlo.and of the components' masks, except
 * those that are true everywhere. A gather that fills elements out of bounds has such a mask. */
bool sr_pattern_all_of_index(struct sr_rewriter *rw, struct sr_op *op)
{
	return sr_rewrite_decompose(rw, op, decompose_all_of_index);
}
