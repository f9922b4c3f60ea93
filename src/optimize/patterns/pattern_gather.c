/* Patterns of gathers and selects by computed indices: indices and masks that follow from iotas are known when compiling, so that such
 * ops only move and join slices. Programs write the shifted reads of stencils, and their borders, in these forms:
 *
 *	take(x, (iota + n - 1) rem n)                  ->  concatenate(x[n - 1 : n], x[0 : n - 1])
 *	take(x, clamp(0, iota + 1, n - 1))             ->  concatenate(x[1 : n], x[n - 1 : n])
 *	select(iota == 0, 0, concatenate(y, x[0:n-1])) ->  pad(x[0 : n - 1], 0, low = 1) */
#include "dialect/attr_names.h"
#include "optimize/affine_pieces.h"
#include "optimize/patterns/match.h"
#include "optimize/patterns/patterns.h"

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
	const struct sr_op *convert = sr_match_def(indices, SR_OP_stablehlo_convert);
	const struct sr_op *vector = sr_match_def(convert ? sr_operand(convert, 0) : indices, SR_OP_stablehlo_concatenate);
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
	return (sr_match_def(v, SR_OP_stablehlo_concatenate) && sr_op_int(v->def, SR_NAME_dimension, -1) == dim) ||
	       sr_match_def(v, SR_OP_stablehlo_pad);
}

/* Return true if v is a broadcast whose elements are equal along dim. */
static bool is_broadcast_along(struct sr_rewriter *rw, const struct sr_value *v, int dim)
{
	const struct sr_op *broadcast = sr_match_def(v, SR_OP_stablehlo_broadcast_in_dim);
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

/* select(p, a, b) where p is known -> a or b if p is true or false everywhere. If p chooses a shift (concatenate or pad) along one
 * dimension but for elements at its ends: -> the slice of the shift, padded with the other operand if that is a broadcast number, or
 * else concatenated with slices of the other operand. */
bool sr_pattern_select_of_iota(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_affine_pieces *p = sr_affine_pieces_of(rw->ctx, sr_operand(op, 0));
	if (!p || !sr_type_is_static(sr_result(op, 0)->type))
		return false;
	if (p->n == 1)
		return sr_rewrite_to_value(rw, op, sr_operand(op, p->pieces[0].value ? 1 : 2));
	int middle = sr_affine_piece_end(p, 0) < p->extent / 2;
	int64_t begin = p->pieces[middle].begin, end = sr_affine_piece_end(p, middle);
	struct sr_value *shift = sr_operand(op, p->pieces[middle].value ? 1 : 2), *other = sr_operand(op, p->pieces[middle].value ? 2 : 1);
	if (middle + 2 < p->n || end - begin < p->extent - p->extent / 4 || !is_shift(shift, p->dim) ||
	    (sr_match_one_use(other) && !is_broadcast_along(rw, other, p->dim)))
		return false;
	shift = sr_rewrite_slice_along(rw, op, shift, p->dim, begin, end - begin, 1);
	const struct sr_op *broadcast = sr_match_def(other, SR_OP_stablehlo_broadcast_in_dim);
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
