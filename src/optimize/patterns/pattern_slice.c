/* Patterns of slice, dynamic_slice, dynamic_update_slice, and of gather with a constant index. */
#include "optimize/patterns/match.h"
#include "dialect/attr_names.h"
#include "mesh/sdy_sharding.h"
#include "optimize/patterns/patterns.h"
#include "support/checked.h"

/* ---------------------------------------------------------------- slice */

static void slice_attrs(struct sr_context *ctx, const int64_t *start, const int64_t *limit, const int64_t *stride, int64_t n,
			struct sr_named_attr attrs[3])
{
	attrs[0] = (struct sr_named_attr){SR_NAME_start_indices, sr_attr_i64s(ctx, start, n)};
	attrs[1] = (struct sr_named_attr){SR_NAME_limit_indices, sr_attr_i64s(ctx, limit, n)};
	attrs[2] = (struct sr_named_attr){SR_NAME_strides, sr_attr_i64s(ctx, stride, n)};
}

/* slice of all elements, with the same type -> operand. */
bool sr_pattern_slice_noop(struct sr_rewriter *rw, struct sr_op *op)
{
	return sr_type_is_static(sr_operand(op, 0)->type) && sr_rewrite_to_value(rw, op, sr_operand(op, 0));
}

/* slice(concatenate(...)) that reads elements of only some operands -> slice of these operands. One operand is sliced directly;
 * several are concatenated again, if the slice is the only user. */
bool sr_pattern_slice_of_concatenate(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_op *concatenate = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_concatenate);
	struct sr_ints start = sr_match_ints(rw->ctx, op, SR_NAME_start_indices),
		limit = sr_match_ints(rw->ctx, op, SR_NAME_limit_indices);
	int64_t dim = concatenate ? sr_op_int(concatenate, SR_NAME_dimension, 0) : 0, at = 0, n_before = 0, extent = 0;
	int first = -1, last = -1;
	if (!concatenate || !sr_type_is_static(sr_result(op, 0)->type) || sr_match_empty(sr_result(op, 0)->type))
		return false;
	for (int i = 0; i < concatenate->n_operands; at += sr_operand(concatenate, i)->type->shape[dim], i++) {
		int64_t n = sr_operand(concatenate, i)->type->shape[dim];
		if (sr_is_dynamic(n))
			return false;
		if (at + n <= start.v[dim] || at >= limit.v[dim])
			continue;
		if (first < 0) {
			first = i;
			n_before = at;
		}
		last = i;
		extent += n;
	}
	if (first < 0 || last - first + 1 == concatenate->n_operands || (first != last && !sr_value_has_one_use(sr_operand(op, 0))))
		return false;
	struct sr_value *v = sr_operand(concatenate, first);
	if (first != last) {
		const struct sr_type *t = sr_operand(op, 0)->type;
		int64_t *shape = sr_dup(rw->ctx->arena, t->shape, (size_t)t->rank, sizeof *shape);
		struct sr_value **operands = SR_NEW_ARRAY(rw->ctx->arena, struct sr_value *, last - first + 1);
		struct sr_named_attr attr = {SR_NAME_dimension, sr_op_attr(concatenate, SR_NAME_dimension)};
		for (int i = first; i <= last; i++)
			operands[i - first] = sr_operand(concatenate, i);
		shape[dim] = extent;
		v = sr_result(sr_rewrite_create(rw, op, SR_OP_stablehlo_concatenate, operands, last - first + 1, &attr, 1,
						sr_type_with_shape(rw->ctx, t, t->rank, shape)),
			      0);
	}
	int64_t *new_start = sr_dup(rw->ctx->arena, start.v, (size_t)start.n, sizeof *new_start),
		*new_limit = sr_dup(rw->ctx->arena, limit.v, (size_t)limit.n, sizeof *new_limit);
	struct sr_named_attr attrs[3];
	new_start[dim] -= n_before;
	new_limit[dim] -= n_before;
	slice_attrs(rw->ctx, new_start, new_limit, sr_match_ints(rw->ctx, op, SR_NAME_strides).v, start.n, attrs);
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_slice, &v, 1, attrs, 3);
}

/* Ranges of elements along the dimensions of a tensor. */
struct ranges {
	int64_t *start, *limit, *stride;
	int rank;
};

static struct ranges ranges_of(struct sr_context *ctx, const struct sr_op *slice)
{
	int rank = sr_result(slice, 0)->type->rank;
	struct ranges r = {.rank = rank};
	r.start = sr_dup(ctx->arena, sr_match_ints(ctx, slice, SR_NAME_start_indices).v, (size_t)rank, sizeof *r.start);
	r.limit = sr_dup(ctx->arena, sr_match_ints(ctx, slice, SR_NAME_limit_indices).v, (size_t)rank, sizeof *r.limit);
	r.stride = sr_dup(ctx->arena, sr_match_ints(ctx, slice, SR_NAME_strides).v, (size_t)rank, sizeof *r.stride);
	return r;
}

/* Set the range along dim to elements [start, limit). */
static void set_range(struct ranges *r, int64_t dim, int64_t start, int64_t limit)
{
	r->start[dim] = start;
	r->limit[dim] = limit;
	r->stride[dim] = 1;
}

/* Create a slice of v before op, with op's sharding. */
static struct sr_value *create_slice(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *v, const struct ranges *r)
{
	int64_t *shape = SR_NEW_ARRAY(rw->ctx->arena, int64_t, r->rank);
	struct sr_named_attr attrs[3];
	for (int d = 0; d < r->rank; d++)
		shape[d] = sr_ceil_div(r->limit[d] - r->start[d], r->stride[d]);
	const struct sr_type *t = sr_type_with_shape(rw->ctx, v->type, r->rank, shape);
	slice_attrs(rw->ctx, r->start, r->limit, r->stride, r->rank, attrs);
	return sr_rewrite_create_like(rw, op, SR_OP_stablehlo_slice, &v, 1, attrs, 3, t);
}

/* Return true if the slice, or a reshape of it, is concatenated with the tensor that it slices: it is a copied border of it. */
static bool is_border(const struct sr_op *slice)
{
	const struct sr_value *v = sr_result(slice, 0);
	const struct sr_op *user = NULL;
	while (sr_value_has_one_use(v)) {
		user = v->uses->owner;
		if (!sr_op_is(user, SR_OP_stablehlo_reshape) && !sr_op_is(user, SR_OP_stablehlo_broadcast_in_dim))
			break;
		v = sr_result(user, 0);
	}
	for (int i = 0; user && sr_op_is(user, SR_OP_stablehlo_concatenate) && i < user->n_operands; i++)
		if (sr_operand(user, i) == sr_operand(slice, 0))
			return true;
	return false;
}

/* Return true if v consists of slices and concatenates of which one, on the way to the longest operands, is along dim. */
static bool is_concatenated_along(const struct sr_value *v, int64_t dim)
{
	for (const struct sr_op *op; (op = v->def);) {
		bool is_concatenate = sr_op_is(op, SR_OP_stablehlo_concatenate);
		int64_t along = is_concatenate ? sr_op_int(op, SR_NAME_dimension, 0) : 0;
		if (is_concatenate && along == dim)
			return true;
		if (!is_concatenate && !sr_op_is(op, SR_OP_stablehlo_slice))
			return false;
		v = sr_operand(op, 0);
		for (int i = 1; i < op->n_operands; i++)
			if (sr_operand(op, i)->type->shape[along] > v->type->shape[along])
				v = sr_operand(op, i);
	}
	return false;
}

/* Return true if the ranges leave out elements of a tensor of type t. */
static bool has_range(const struct ranges *r, const struct sr_type *t)
{
	for (int d = 0; d < r->rank; d++)
		if (r->start[d] || r->limit[d] != t->shape[d] || r->stride[d] != 1)
			return true;
	return false;
}

/* Return true if devices have shards of v along dim; dim < 0: return false. */
static bool is_sharded_along(struct sr_rewriter *rw, const struct sr_value *v, int64_t dim)
{
	const struct sr_attr *sharding = rw->config->keeps_shardings ? sr_value_sharding(rw->ctx, v) : NULL;
	return sharding && dim >= 0 && dim < sharding->sharding->rank && sharding->sharding->dims[dim].axes.n;
}

/* Split the ranges of a slice of a concatenate along dim: `inner` becomes the ranges of slices of its operands, `outer` the ranges
 * of a slice of these slices' concatenate. If devices exchange borders along dim, ranges along dimensions that are not concatenated
 * are outer ones: then all slices read one concatenate, and its borders are exchanged once. Returns true if there are outer
 * ranges. */
static bool split_ranges(struct sr_rewriter *rw, struct sr_op *op, int64_t dim, struct ranges *inner, struct ranges *outer)
{
	const struct sr_type *t = sr_operand(op, 0)->type, *result = sr_result(op, 0)->type;
	bool is_exchanged = is_sharded_along(rw, sr_result(op, 0), dim), has_outer = false;
	*inner = ranges_of(rw->ctx, op);
	*outer = ranges_of(rw->ctx, op);
	for (int d = 0; d < t->rank; d++)
		if (d != dim && is_exchanged && result->shape[d] < t->shape[d] && !is_concatenated_along(sr_operand(op, 0), d)) {
			set_range(inner, d, 0, t->shape[d]);
			has_outer = true;
		} else {
			set_range(outer, d, 0, result->shape[d]);
		}
	return has_outer;
}

/* slice(concatenate(...)) without stride along the concatenated dimension -> concatenate of slices of the operands from which it
 * reads, at most SLICED, if one of them provides three quarters of the elements. If it reads from one operand only -> slice of that
 * operand. Operands that are concatenates along the same dimension are not expanded, so that a chain of them is not expanded for
 * each slice. The shifted reads of a stencil whose borders were concatenated (periodic or repeated elements) become concatenations
 * of one edge with a slice, and the bordered tensor is not computed. With shardings, a slice that is a border of the concatenate
 * stays for sr_pattern_update_by_select, and one that is rolled for sr_pattern_roll_sharded_first. */
bool sr_pattern_distribute_slice(struct sr_rewriter *rw, struct sr_op *op)
{
	enum { SLICED = 4 };
	struct sr_op *concatenate = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_concatenate);
	struct sr_value *slices[SLICED];
	struct ranges inner, outer;
	int64_t max_extent = 0;
	int n = 0;
	if (!concatenate || !sr_type_is_static(sr_operand(op, 0)->type) || sr_match_empty(sr_result(op, 0)->type) ||
	    (rw->config->keeps_shardings && (is_border(op) || sr_match_rolled_twice(rw, sr_result(op, 0)))))
		return false;
	int64_t dim = sr_op_int(concatenate, SR_NAME_dimension, 0), at = 0;
	int64_t first = sr_match_ints(rw->ctx, op, SR_NAME_start_indices).v[dim], last = sr_match_ints(rw->ctx, op, SR_NAME_limit_indices).v[dim];
	int64_t begins[SLICED], ends[SLICED];
	if (sr_match_ints(rw->ctx, op, SR_NAME_strides).v[dim] != 1)
		return false;
	for (int i = 0; i < concatenate->n_operands; i++) {
		struct sr_value *v = sr_operand(concatenate, i);
		int64_t end = at + v->type->shape[dim];
		if (first < end && last > at) {
			const struct sr_op *other = sr_value_def_of(v, SR_OP_stablehlo_concatenate);
			if (n == SLICED || (other && sr_op_int(other, SR_NAME_dimension, 0) == dim))
				return false;
			begins[n] = first > at ? first - at : 0;
			ends[n] = (last < end ? last : end) - at;
			max_extent = ends[n] - begins[n] > max_extent ? ends[n] - begins[n] : max_extent;
			slices[n++] = v;
		}
		at = end;
	}
	if (n > 1 && max_extent < last - first - (last - first) / 4)
		return false;
	bool is_split = split_ranges(rw, op, n > 1 ? dim : -1, &inner, &outer);
	if (is_split && last - first == at && !has_range(&inner, sr_operand(op, 0)->type))
		return false;
	for (int i = 0; i < n; i++) {
		set_range(&inner, dim, begins[i], ends[i]);
		slices[i] = create_slice(rw, op, slices[i], &inner);
	}
	struct sr_named_attr attr = {SR_NAME_dimension, sr_op_attr(concatenate, SR_NAME_dimension)};
	const struct sr_type *t = sr_match_with_extent(rw->ctx, slices[0]->type, (int)dim, last - first);
	struct sr_value *v = slices[0];
	if (n > 1)
		v = sr_rewrite_create_like(rw, op, SR_OP_stablehlo_concatenate, slices, n, &attr, 1, t);
	return sr_rewrite_to_value(rw, op, is_split ? create_slice(rw, op, v, &outer) : v);
}

/* slice(slice(x)) -> slice(x). */
bool sr_pattern_slice_of_slice(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_context *ctx = rw->ctx;
	struct sr_op *inner = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_slice);
	const struct sr_type *t = sr_result(op, 0)->type;
	if (!inner || !sr_type_is_static(t) || !sr_type_is_static(sr_operand(inner, 0)->type))
		return false;
	struct sr_ints start = sr_match_ints(ctx, op, SR_NAME_start_indices), stride = sr_match_ints(ctx, op, SR_NAME_strides),
		       inner_start = sr_match_ints(ctx, inner, SR_NAME_start_indices),
		       step = sr_match_ints(ctx, inner, SR_NAME_strides);
	int64_t *first = SR_NEW_ARRAY(ctx->arena, int64_t, t->rank), *last = SR_NEW_ARRAY(ctx->arena, int64_t, t->rank),
		*by = SR_NEW_ARRAY(ctx->arena, int64_t, t->rank);
	struct sr_named_attr attrs[3];
	for (int d = 0; d < t->rank; d++) {
		int64_t n = t->shape[d];
		/* The products of indices and strides do not overflow, since the selected elements are inside of x. With fewer than
		 * two elements, any stride is correct. */
		by[d] = n > 1 ? step.v[d] * stride.v[d] : 1;
		first[d] = n ? inner_start.v[d] + start.v[d] * step.v[d] : 0;
		last[d] = n ? first[d] + (n - 1) * by[d] + 1 : 0;
	}
	struct sr_value *x = sr_operand(inner, 0);
	slice_attrs(ctx, first, last, by, t->rank, attrs);
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_slice, &x, 1, attrs, 3);
}

/* ---------------------------------------------------------------- slices at constant indices */

static int64_t clamp(int64_t v, int64_t high)
{
	return v > high ? high < 0 ? 0 : high : v < 0 ? 0 : v;
}

/* Clamp start[rank] so that a slice of `sizes` is inside the tensor, and set limit[rank]. */
static void clamp_slice(const struct sr_type *t, int64_t *start, int64_t *limit, const int64_t *sizes)
{
	for (int d = 0; d < t->rank; d++) {
		start[d] = clamp(start[d], t->shape[d] - sizes[d]);
		limit[d] = start[d] + sizes[d];
	}
}

static const int64_t *list_of_ones(struct sr_context *ctx, int n)
{
	int64_t *v = SR_NEW_ARRAY(ctx->arena, int64_t, n);
	for (int i = 0; i < n; i++)
		v[i] = 1;
	return v;
}

/* dynamic_slice with constant start indices -> slice. */
bool sr_pattern_dynamic_slice_constant(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_type *t = v->type;
	struct sr_ints sizes = sr_match_ints(rw->ctx, op, SR_NAME_slice_sizes), at;
	int64_t *start = SR_NEW_ARRAY(rw->ctx->arena, int64_t, t->rank), *limit = SR_NEW_ARRAY(rw->ctx->arena, int64_t, t->rank);
	struct sr_named_attr attrs[3];
	if (!sr_type_is_static(t))
		return false;
	for (int d = 0; d < t->rank; d++) {
		if (!sr_value_ints(rw->ctx, sr_operand(op, d + 1), &at))
			return false;
		start[d] = at.v[0];
	}
	clamp_slice(t, start, limit, sizes.v);
	slice_attrs(rw->ctx, start, limit, list_of_ones(rw->ctx, t->rank), t->rank, attrs);
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_slice, &v, 1, attrs, 3);
}

/* dynamic_slice of a splat -> splat. */
bool sr_pattern_dynamic_slice_splat(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_attr *value = sr_constant_value(sr_operand(op, 0));
	const struct sr_type *t = sr_result(op, 0)->type;
	return value && sr_type_is_static(t) && t->dtype != SR_DTYPE_NONE &&
	       sr_rewrite_to_constant(rw, op, sr_splat_to(rw->ctx, value, t));
}

/* dynamic_slice(dynamic_slice(x)), the inner one with one use, no dimension sliced by both -> dynamic_slice(x). */
bool sr_pattern_dynamic_slice_of_dynamic_slice(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_op *first = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_dynamic_slice);
	const struct sr_type *inner_type = sr_operand(op, 0)->type;
	if (!first || !sr_value_has_one_use(sr_operand(op, 0)) || !sr_type_is_static(sr_operand(first, 0)->type))
		return false;
	struct sr_value **operands = SR_NEW_ARRAY(rw->ctx->arena, struct sr_value *, op->n_operands);
	struct sr_named_attr sizes = {SR_NAME_slice_sizes, sr_op_attr(op, SR_NAME_slice_sizes)};
	operands[0] = sr_operand(first, 0);
	for (int d = 0; d < inner_type->rank; d++) {
		bool is_full = sr_result(op, 0)->type->shape[d] == inner_type->shape[d];
		if (!is_full && inner_type->shape[d] != operands[0]->type->shape[d])
			return false;
		/* The dynamic_slice that takes the full dimension has its start index clamped to 0, so the other one's is used. */
		operands[1 + d] = sr_operand(is_full ? first : op, 1 + d);
	}
	for (int d = 1; d < op->n_operands; d++)
		if (operands[d]->type != operands[1]->type)
			return false;
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_dynamic_slice, operands, op->n_operands, &sizes, 1);
}

/* dynamic_update_slice with an empty update -> operand; with an update of all elements -> update. */
bool sr_pattern_update_slice_noop(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0), *update = sr_operand(op, 1);
	if (sr_match_empty(update->type))
		return sr_rewrite_to_value(rw, op, v);
	if (v->type != update->type || !sr_type_is_static(v->type))
		return false;
	for (int i = 2; i < op->n_operands; i++)
		if (!sr_is_splat_of(rw->ctx, sr_operand(op, i), 0))
			return false;
	return sr_rewrite_to_value(rw, op, update);
}

/* gather with one constant index -> slice, and a reshape if dimensions are collapsed. */
bool sr_pattern_gather_constant(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_context *ctx = rw->ctx;
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_type *t = v->type;
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dimension_numbers);
	struct sr_ints index, map = {0}, offset = {0}, sizes = sr_match_ints(ctx, op, SR_NAME_slice_sizes);
	sr_struct_ints(ctx, numbers, SR_NAME_start_index_map, &map.v, &map.n);
	sr_struct_ints(ctx, numbers, SR_NAME_offset_dims, &offset.v, &offset.n);
	if (!sr_type_is_static(t) || sr_operand(op, 1)->type->rank > 1 || sr_field_int(numbers, SR_NAME_index_vector_dim, 0) != 0 ||
	    !sr_value_ints(ctx, sr_operand(op, 1), &index) || index.n != map.n || !sr_match_iota(offset))
		return false;
	int64_t *start = SR_NEW_ARRAY(ctx->arena, int64_t, t->rank), *limit = SR_NEW_ARRAY(ctx->arena, int64_t, t->rank);
	struct sr_named_attr attrs[3];
	for (int64_t i = 0; i < map.n; i++)
		start[map.v[i]] = index.v[i];
	clamp_slice(t, start, limit, sizes.v);
	slice_attrs(ctx, start, limit, list_of_ones(ctx, t->rank), t->rank, attrs);
	if (offset.n == t->rank)
		return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_slice, &v, 1, attrs, 3);
	struct sr_op *slice =
		sr_rewrite_create(rw, op, SR_OP_stablehlo_slice, &v, 1, attrs, 3, sr_type_with_shape(ctx, t, t->rank, sizes.v));
	v = sr_result(slice, 0);
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_reshape, &v, 1, NULL, 0);
}
