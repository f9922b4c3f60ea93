/* Patterns of updates of a tensor at constant indices: scatter of one window, dynamic_update_slice, pad, concatenate with slices of
 * the tensor, and select by a mask. They become selects by index between the tensor and new elements that are computed in the shape
 * of the tensor, so that one loop nest computes both, and shards need no exchange of rows. Programs write borders and interiors of
 * grids in these forms:
 *
 *	u.at[1:-1, 1:-1].set(f(u[2:, 1:-1], ...))  ->  select(0 < i, select(i < n - 1, ... f(shift(u), ...), u), u)
 *	f(u).at[0].set(c)                          ->  select(i < 1, c, f(u))
 *	pad(f(u[2:, 1:-1], ...), 0, 1, 1)          ->  select(0 < i, select(i < n - 1, ... f(shift(u), ...), 0), 0)
 *	concatenate(u[:1], f(u[2:], ...), u[-1:])  ->  select(0 < i, select(i < n - 1, f(shift(u), ...), u), u)
 *	select(0 < i and j < m, pad(v, 0), u)      ->  select(0 < i, select(j < m, shift(v), u), u)
 *	select(0 < i and j < m, f(roll(u)), u)     ->  select(0 < i and j < m, f(shift(u)), u)
 *	zeros.at[:-1].set(u[1:])                   ->  pad(u[1:], 0, 0, 1)
 *	pad(u[1:], 0, 0, 1).at[-1:].set(c)         ->  concatenate(u[1:], c)
 *	concatenate(v[-1:], v, v[:1])              ->  w[:1] = w[-2:-1]; w[-1:] = w[1:2]
 *	    with v = f(u[2:, 1:-1], ...)               with w = f(shift(u), ...)
 *
 * A shift is a pad with as many elements removed at one end as are added at the other. Elements of the new value outside of the
 * updated window are arbitrary. */
#include "dialect/attr_names.h"
#include "dialect/comparison.h"
#include "dialect/op_builders.h"
#include "dialect/reducer.h"
#include "dialect/trip_count.h"
#include "mesh/sdy_sharding.h"
#include "optimize/affine_pieces.h"
#include "optimize/patterns/match.h"
#include "optimize/patterns/patterns.h"
#include <string.h>

enum {
	MAX_OPS = 64,    /* maximum number of ops that compute the new elements */
	MAX_SELECTS = 16, /* maximum number of selects of a value one after another, each of which takes time for all elements */
	MAX_SHIFT = 8,   /* maximum distance of a shift; a device exchanges so many rows with its neighbors */
	MAX_BORDERS = 2 * SR_MAX_RANK, /* maximum number of operands of concatenates around the new elements */
};

/* An operand of a concatenate beside the new elements. */
struct border {
	struct sr_value *v;
	const struct sr_op *copied; /* the slice of the new elements, or of those and inner borders, that it is; NULL: none */
	int dim;		    /* the concatenated dimension */
	bool is_high;		    /* true: after the new elements; false: before them */
};

struct update {
	struct sr_context *ctx;
	struct sr_op *op;
	struct sr_value *x;        /* the tensor; NULL: a tensor of elements equal to the padding value */
	struct sr_value *padding;  /* the padding value of a pad */
	struct sr_value *elements; /* the new elements */
	const struct sr_op *user;  /* the op that reads `elements`: the update, or a concatenate that is part of it */
	struct border borders[MAX_BORDERS]; /* those of outer concatenates first */
	int n_borders;
	bool has_new_borders; /* true: borders are copies of new elements, or uniform; false: all are kept elements of the tensor */
	int dims[SR_MAX_RANK];     /* dimension of the tensor that is dimension number k of `elements` */
	const struct sr_type *type;
	int64_t first[SR_MAX_RANK], extent[SR_MAX_RANK]; /* the updated window */
	enum sr_op_code reducer; /* op that combines old and new elements; SR_OP_UNREGISTERED: new elements replace old ones */
	struct sr_op *ops[MAX_OPS]; /* elementwise ops that compute the new elements, users last */
	int n_ops;
	struct sr_value *moved[MAX_OPS]; /* the results of these ops in the shape of the tensor */
};

/* ---------------------------------------------------------------- reading */

/* Return the constant index, component k of the only index vector, or -1. */
static int64_t index_component(const struct update *u, int k)
{
	struct sr_value *v = sr_operand(u->op, 1);
	const struct sr_op *vector = sr_value_def_of(v, SR_OP_stablehlo_concatenate);
	struct sr_ints all;
	if (sr_value_ints(u->ctx, v, &all))
		return k < all.n ? all.v[k] : -1;
	if (vector && vector->n_operands == v->type->shape[0])
		v = sr_operand(vector, k);
	if (!vector && v->type->rank && v->type->shape[0] != 1)
		return -1;
	const struct sr_affine_pieces *p = sr_affine_pieces_of(u->ctx, v);
	return p && p->dim < 0 ? p->pieces[0].value : -1;
}

/* Read a scatter of one window, which is inside the tensor, at constant indices. */
static bool read_scatter(struct update *u)
{
	const struct sr_op *op = u->op;
	struct sr_match_scatter s;
	if (!sr_match_read_scatter(u->ctx, op, &s) || sr_operand(op, 1)->type->rank > 1 || s.index_vector_dim != 0)
		return false;
	u->x = sr_operand(op, 0);
	u->elements = sr_operand(op, 2);
	u->type = u->x->type;
	if (!sr_match_iota(s.window) || s.window.n != u->elements->type->rank)
		return false;
	u->reducer = s.reducer ? s.reducer->code : SR_OP_UNREGISTERED;
	for (int d = 0, k = 0; d < u->type->rank; d++) {
		bool is_inserted = sr_list_has(s.inserted.v, s.inserted.n, d);
		u->extent[d] = is_inserted ? 1 : u->elements->type->shape[k];
		if (!is_inserted)
			u->dims[k++] = d;
	}
	for (int64_t i = 0; i < s.to.n; i++)
		u->first[s.to.v[i]] = index_component(u, (int)i);
	for (int d = 0; d < u->type->rank; d++)
		if (u->first[d] < 0 || u->first[d] > u->type->shape[d] - u->extent[d])
			return false;
	return true;
}

/* Read a dynamic_update_slice at constant indices. */
static bool read_update_slice(struct update *u)
{
	u->x = sr_operand(u->op, 0);
	u->elements = sr_operand(u->op, 1);
	u->type = u->x->type;
	if (!sr_type_is_static(u->type))
		return false;
	for (int d = 0; d < u->type->rank; d++) {
		const struct sr_affine_pieces *p = sr_affine_pieces_of(u->ctx, sr_operand(u->op, 2 + d));
		if (!p || p->dim >= 0)
			return false;
		int64_t first = p->pieces[0].value, last;
		u->dims[d] = d;
		u->extent[d] = u->elements->type->shape[d];
		last = u->type->shape[d] - u->extent[d];
		u->first[d] = first < 0 ? 0 : first > last ? last : first;
	}
	return true;
}

/* Read a pad that adds elements at the ends of dimensions and removes none. */
static bool read_pad(struct update *u)
{
	struct sr_ints low = sr_match_ints(u->ctx, u->op, SR_NAME_edge_padding_low);
	struct sr_ints high = sr_match_ints(u->ctx, u->op, SR_NAME_edge_padding_high);
	u->elements = sr_operand(u->op, 0);
	u->padding = sr_operand(u->op, 1);
	u->type = sr_result(u->op, 0)->type;
	if (!sr_type_is_static(u->elements->type) ||
	    !sr_match_all_equal(sr_match_ints(u->ctx, u->op, SR_NAME_interior_padding), 0))
		return false;
	for (int d = 0; d < u->type->rank; d++) {
		u->dims[d] = d;
		u->first[d] = low.v[d];
		u->extent[d] = u->elements->type->shape[d];
		if (low.v[d] < 0 || high.v[d] < 0)
			return false;
	}
	return true;
}

/* Return true if v is a slice of the updated tensor u->x that begins at index `at`. If u->x is NULL, set it to the tensor that v
 * slices. */
static bool is_kept_slice(struct update *u, const struct sr_value *v, const int64_t *at)
{
	const struct sr_op *slice = sr_value_def_of(v, SR_OP_stablehlo_slice);
	if (!slice || sr_operand(slice, 0)->type != u->type || (u->x && u->x != sr_operand(slice, 0)) ||
	    !sr_match_all_equal(sr_match_ints(u->ctx, slice, SR_NAME_strides), 1))
		return false;
	struct sr_ints start = sr_match_ints(u->ctx, slice, SR_NAME_start_indices);
	u->x = sr_operand(slice, 0);
	return !memcmp(start.v, at, sizeof *at * (size_t)u->type->rank);
}

/* Return the slice of v along dim only, without strides, that `border` is; NULL if it is none. */
static const struct sr_op *slice_along(struct sr_context *ctx, const struct sr_value *border, const struct sr_value *v, int dim)
{
	const struct sr_op *slice = sr_value_def_of(border, SR_OP_stablehlo_slice);
	if (!slice || sr_operand(slice, 0) != v || !sr_match_all_equal(sr_match_ints(ctx, slice, SR_NAME_strides), 1))
		return NULL;
	for (int d = 0; d < v->type->rank; d++)
		if (d != dim && border->type->shape[d] != v->type->shape[d])
			return NULL;
	return slice;
}

/* Add operand i of a concatenate whose operand number `largest` has the new elements. The operand's elements are those of the
 * result from index `at`. Return false if it is neither a slice of the updated tensor or of operand `largest`, nor uniform. */
static bool add_border(struct update *u, const struct sr_op *op, int i, int largest, const int64_t *at)
{
	struct sr_value *inner = sr_operand(op, largest), *v = sr_operand(op, i), *source;
	while ((source = sr_match_undone_reshape(u->ctx, v->def)))
		v = source;
	int dim = (int)sr_op_int(op, SR_NAME_dimension, 0);
	struct border border = {v, slice_along(u->ctx, v, inner, dim), dim, i > largest};
	bool is_new = border.copied || sr_match_uniform(v);
	if (u->n_borders == MAX_BORDERS || (!is_new && !is_kept_slice(u, v, at)))
		return false;
	for (int k = 0; k < u->n_borders && border.copied; k++) /* the copies are made last, and would overwrite kept elements */
		if (u->borders[k].dim != dim && !u->borders[k].copied && !sr_match_uniform(u->borders[k].v))
			return false;
	u->has_new_borders = u->has_new_borders || is_new;
	u->borders[u->n_borders++] = border;
	return true;
}

/* Return true if the only ops that use v are `user` and the slices that are copied to the borders. */
static bool is_copied_only(const struct update *u, const struct sr_value *v, const struct sr_op *user)
{
	for (const struct sr_use *use = v->uses; use; use = use->next) {
		bool is_known = use->owner == user;
		for (int i = 0; i < u->n_borders; i++)
			is_known = is_known || u->borders[i].copied == use->owner;
		if (!is_known)
			return false;
	}
	return true;
}

/* Read a concatenate of new elements with borders: slices of a tensor that are around them, or copies of new elements and uniform
 * values. Along several dimensions, one concatenate is the operand of another. Where a border is new, the new elements have at most
 * one border at each side. */
static bool read_concatenate(struct update *u)
{
	bool is_one_each = true;
	u->type = sr_result(u->op, 0)->type;
	u->elements = sr_result(u->op, 0);
	if (!sr_type_is_static(u->type))
		return false;
	while (sr_value_def_of(u->elements, SR_OP_stablehlo_concatenate) &&
	       (u->elements->def == u->op || is_copied_only(u, u->elements, u->user))) {
		const struct sr_op *op = u->user = u->elements->def;
		int dim = (int)sr_op_int(op, SR_NAME_dimension, 0), largest = 0;
		int64_t at[SR_MAX_RANK], begin = u->first[dim];
		for (int i = 1; i < op->n_operands; i++)
			if (sr_operand(op, i)->type->shape[dim] > sr_operand(op, largest)->type->shape[dim])
				largest = i;
		memcpy(at, u->first, sizeof at);
		for (int i = 0; i < op->n_operands; at[dim] += sr_operand(op, i++)->type->shape[dim])
			if (i == largest)
				begin = at[dim];
			else if (!add_border(u, op, i, largest, at))
				return false;
		is_one_each = is_one_each && largest <= 1 && op->n_operands - largest <= 2;
		u->first[dim] = begin;
		u->elements = sr_operand(op, largest);
	}
	for (int d = 0; d < u->type->rank; d++) {
		u->dims[d] = d;
		u->extent[d] = u->elements->type->shape[d];
	}
	return u->has_new_borders ? is_one_each : u->x != NULL;
}

/* ---------------------------------------------------------------- new elements in the shape of the tensor */

/* Return true if v is a slice without strides of a tensor of the updated one's shape whose elements are at most MAX_SHIFT from the
 * window. */
static bool is_shifted(const struct update *u, const struct sr_value *v)
{
	const struct sr_op *slice = sr_value_def_of(v, SR_OP_stablehlo_slice);
	const struct sr_type *t = slice ? sr_operand(slice, 0)->type : NULL;
	if (!t || t->rank != u->type->rank || !sr_match_all_equal(sr_match_ints(u->ctx, slice, SR_NAME_strides), 1))
		return false;
	struct sr_ints start = sr_match_ints(u->ctx, slice, SR_NAME_start_indices);
	for (int d = 0; d < t->rank; d++) {
		int64_t shift = u->first[d] - start.v[d];
		if (t->shape[d] != u->type->shape[d] || v->type->shape[d] != u->extent[d] || shift < -MAX_SHIFT ||
		    shift > MAX_SHIFT)
			return false;
	}
	return true;
}

/* Return the slice that v is but for dimensions of extent 1, if it is_shifted; else NULL. */
static const struct sr_value *find_shifted(const struct update *u, const struct sr_value *v)
{
	const struct sr_op *reshape = sr_value_def_of(v, SR_OP_stablehlo_reshape);
	if (is_shifted(u, v))
		return v;
	if (!reshape || !is_shifted(u, sr_operand(reshape, 0)))
		return NULL;
	v = sr_operand(reshape, 0); /* its dimensions are the window's: the others of the tensor have extent 1 */
	return v->type->rank == u->type->rank ? v : NULL;
}

static bool is_elementwise(const struct sr_value *v)
{
	return v->def && sr_op_has(v->def, SR_ELEMENTWISE) && v->def->n_results == 1 && v->def->n_regions == 0;
}

static int find_op(const struct update *u, const struct sr_op *op)
{
	for (int i = 0; i < u->n_ops; i++)
		if (u->ops[i] == op)
			return i;
	return -1;
}

/* Collect the elementwise ops that compute v from shifted and uniform values. Return false if v depends on others. */
static bool collect_ops(struct update *u, struct sr_value *v)
{
	if (sr_match_uniform(v) || find_shifted(u, v) || (v->def && find_op(u, v->def) >= 0))
		return true;
	if (!is_elementwise(v) || v->def->block != u->op->block)
		return false;
	for (int i = 0; i < v->def->n_operands; i++)
		if (!collect_ops(u, sr_operand(v->def, i)))
			return false;
	if (u->n_ops == MAX_OPS)
		return false;
	u->ops[u->n_ops++] = v->def;
	return true;
}

/* Return true if nothing but the update uses the new elements and the values that they are computed from by u->ops. */
static bool are_ops_unshared(const struct update *u)
{
	for (int i = 0; i < u->n_ops; i++) {
		if (u->ops[i] == u->elements->def && is_copied_only(u, u->elements, u->user))
			continue;
		for (const struct sr_use *use = sr_result(u->ops[i], 0)->uses; use; use = use->next)
			if (use->owner != u->user && find_op(u, use->owner) < 0)
				return false;
	}
	return true;
}

/* Return the type of v's elements in the tensor's shape. */
static const struct sr_type *full_type(const struct update *u, const struct sr_value *v)
{
	return sr_type_with_shape(u->ctx, v->type, u->type->rank, u->type->shape);
}

/* Return the tensor of the updated one's shape whose elements v has in the window, by slices and concatenates, and set each shift:
 * element i of v is element i - shift. NULL: v is no such value, or a shift is longer than MAX_SHIFT. */
static struct sr_value *source_in_window(const struct update *u, struct sr_value *v, int64_t *shift)
{
	bool is_moved = false;
	memset(shift, 0, sizeof *shift * (size_t)u->type->rank);
	for (const struct sr_op *op = v->def; op; op = v->def) {
		int i = 0;
		if (sr_op_is(op, SR_OP_stablehlo_slice) && sr_match_all_equal(sr_match_ints(u->ctx, op, SR_NAME_strides), 1)) {
			for (int d = 0; d < u->type->rank; d++)
				shift[d] -= sr_match_ints(u->ctx, op, SR_NAME_start_indices).v[d];
		} else if (sr_op_is(op, SR_OP_stablehlo_concatenate)) {
			int dim = (int)sr_op_int(op, SR_NAME_dimension, 0);
			while (i < op->n_operands && u->first[dim] - shift[dim] >= sr_operand(op, i)->type->shape[dim])
				shift[dim] += sr_operand(op, i++)->type->shape[dim];
			if (i == op->n_operands ||
			    u->first[dim] + u->extent[dim] - shift[dim] > sr_operand(op, i)->type->shape[dim])
				return NULL;
			is_moved = true;
		} else {
			break;
		}
		v = sr_operand(op, i);
	}
	for (int d = 0; d < u->type->rank; d++)
		if (shift[d] < -MAX_SHIFT || shift[d] > MAX_SHIFT || v->type->shape[d] != u->type->shape[d])
			return NULL;
	return is_moved ? v : NULL;
}

/* Return the tensor of which x, a concatenate that only collected ops read, is a shift in the window; NULL: x is none. */
static struct sr_value *find_shift_in_window(const struct update *u, struct sr_value *x, int64_t *shift)
{
	if (x->type->rank != u->type->rank || !sr_value_def_of(x, SR_OP_stablehlo_concatenate))
		return NULL;
	for (const struct sr_use *use = x->uses; use; use = use->next)
		if (find_op(u, use->owner) < 0)
			return NULL;
	return source_in_window(u, x, shift);
}

/* Build the tensor whose element i is element i - shift of v; elements from outside of v are 0. */
static struct sr_value *build_shift(struct update *u, struct sr_builder *b, struct sr_value *v, const int64_t *shift)
{
	int64_t high[SR_MAX_RANK];
	bool is_moved = false;
	for (int d = 0; d < u->type->rank; d++) {
		high[d] = -shift[d];
		is_moved = is_moved || shift[d];
	}
	return is_moved ? sr_build_pad(b, v, sr_build_zero_scalar(b, v->type->element), shift, high, NULL) : v;
}

/* Build the tensor whose elements in the window are those of v, which has been accepted as an operand of the collected ops. */
static struct sr_value *move(struct update *u, struct sr_builder *b, struct sr_value *v)
{
	const struct sr_value *slice = find_shifted(u, v);
	int64_t shift[SR_MAX_RANK];
	if (v->def && find_op(u, v->def) >= 0)
		return u->moved[find_op(u, v->def)];
	if (slice) {
		struct sr_ints start = sr_match_ints(u->ctx, slice->def, SR_NAME_start_indices);
		for (int d = 0; d < u->type->rank; d++)
			shift[d] = u->first[d] - start.v[d];
		return build_shift(u, b, sr_operand(slice->def, 0), shift);
	}
	if (v->type == full_type(u, v)) {
		struct sr_value *source = find_shift_in_window(u, v, shift);
		return source ? build_shift(u, b, source, shift) : v;
	}
	if (sr_constant_value(v))
		return sr_build_constant(b, sr_splat_to(u->ctx, sr_constant_value(v), full_type(u, v)));
	return sr_build_broadcast(b, v->type->rank ? sr_operand(v->def, 0) : v, full_type(u, v), NULL);
}

/* Build the ops that compute the new elements, in the tensor's shape. A scalar operand of an op on tensors stays a scalar. */
static struct sr_value *move_ops(struct update *u, struct sr_builder *b)
{
	for (int i = 0; i < u->n_ops; i++) {
		struct sr_op *op = u->ops[i];
		struct sr_value **operands = SR_NEW_ARRAY(u->ctx->scratch, struct sr_value *, op->n_operands);
		for (int k = 0; k < op->n_operands; k++) {
			bool is_scalar = sr_operand(op, k)->type->rank == 0 && sr_result(op, 0)->type->rank > 0;
			operands[k] = is_scalar ? sr_operand(op, k) : move(u, b, sr_operand(op, k));
		}
		const struct sr_type *t = full_type(u, sr_result(op, 0));
		u->moved[i] = sr_result(sr_build(b, sr_op_code_of(op), operands, op->n_operands, op->attrs, op->n_attrs, &t, 1), 0);
	}
	return move(u, b, u->elements);
}

/* ---------------------------------------------------------------- the select */

/* Return the sharding of a vector along dimension d of the updated tensor; d = -1: of a scalar. NULL: the update has none. */
static const struct sr_attr *sharding_along(const struct update *u, int d)
{
	const struct sr_attr *sharding = sr_value_sharding(u->ctx, sr_result(u->op, 0));
	if (!sharding)
		return NULL;
	struct sr_sdy_sharding vector = *sharding->sharding;
	vector.dims = d < 0 ? NULL : vector.dims + d;
	vector.rank = d >= 0;
	vector.replicated = vector.unreduced = (struct sr_sdy_axes){0};
	return sr_attr_sharding(u->ctx, &vector);
}

/* Build compare(i, number) in the shape of the tensor, where i is the index along dimension d. The comparison is of a vector,
 * which takes little memory if it is computed before a loop. */
static struct sr_value *compare_index(const struct update *u, struct sr_builder *b, int d, enum sr_compare comparison,
				      int64_t number)
{
	const struct sr_type *t = sr_type_tensor(u->ctx, SR_I32, 1, &u->type->shape[d]);
	const int64_t dim = d;
	struct sr_value *v[3] = {sr_build_iota(b, SR_I32, t, 0), sr_build_integer(b, t, number)};
	v[2] = sr_build_compare(b, v[0], comparison, v[1], "SIGNED");
	for (int i = 0; i < 3 && sharding_along(u, d); i++)
		sr_value_set_sharding(u->ctx, v[i], sharding_along(u, d));
	return sr_build_broadcast(b, v[2], u->type, &dim);
}

/* Build select(first <= i < first + extent, yes, no) along dimension d, where i is the index. */
static struct sr_value *select_along(const struct update *u, struct sr_builder *b, int d, struct sr_value *yes, struct sr_value *no)
{
	int64_t first = u->first[d], end = first + u->extent[d];
	struct sr_value *v = yes;
	if (first > 0)
		v = sr_build_select(b, compare_index(u, b, d, SR_GE, first), v, no);
	if (end < u->type->shape[d])
		v = sr_build_select(b, compare_index(u, b, d, SR_LT, end), v, no);
	return v;
}

/* Set the shardings of the results of the ops from `op` to the update, but for vectors: the update's; for scalars, replicated. */
static void set_shardings(const struct update *u, struct sr_op *op)
{
	const struct sr_attr *sharding = sr_value_sharding(u->ctx, sr_result(u->op, 0));
	for (; sharding && op != u->op; op = op->next) {
		struct sr_value *v = sr_result(op, 0);
		if (v->type->rank == u->type->rank || v->type->rank == 0)
			sr_value_set_sharding(u->ctx, v, v->type->rank ? sharding : sharding_along(u, -1));
	}
}

/* Return the number of selects by index that computed v, one after another. */
static int count_selects(const struct sr_value *v)
{
	int n = 0;
	while (sr_value_def_of(v, SR_OP_stablehlo_select)) {
		const struct sr_value *mask = sr_operand(v->def, 0);
		if (!sr_value_def_of(mask, SR_OP_stablehlo_broadcast_in_dim) && !sr_value_def_of(mask, SR_OP_stablehlo_compare))
			break;
		v = sr_operand(v->def, 2);
		n++;
	}
	return n;
}

/* Return true if the select takes less time than the update. For a window of half the tensor and more, this is so if its new
 * elements are computed by elementwise ops from slices of tensors of the same shape. A smaller window needs a tensor that is
 * computed by an elementwise op, whose loop nest then also selects the new elements: uniform or shifted ones, or those of a window
 * that has extent 1 in each dimension that it does not fill, which are broadcast. */
static bool is_faster(struct update *u)
{
	int64_t n, n_elements, n_partial = 0;
	if (!sr_type_elements(u->type, &n) || !sr_type_elements(u->elements->type, &n_elements) || n_elements == 0)
		return false;
	for (int d = 0; d < u->type->rank; d++)
		n_partial += u->extent[d] > 1 && u->extent[d] < u->type->shape[d];
	if (n_elements >= n / 2)
		return is_elementwise(u->elements) && collect_ops(u, u->elements) && u->n_ops && are_ops_unshared(u);
	if (u->has_new_borders || !u->x || !is_elementwise(u->x) || !sr_value_has_one_use(u->x) ||
	    count_selects(u->x) >= MAX_SELECTS)
		return false;
	return sr_match_uniform(u->elements) || find_shifted(u, u->elements) || !n_partial;
}

/* Build w with the elements of a border: update w with a slice of it, or select a uniform value or the tensor's elements. */
static struct sr_value *set_border(struct update *u, struct sr_builder *b, const struct border *border, struct sr_value *w)
{
	int dim = border->dim;
	const int64_t n = border->v->type->shape[dim], extent = u->type->shape[dim];
	if (!border->copied) {
		struct sr_value *v = sr_match_uniform(border->v) ? move(u, b, border->v) : u->x;
		struct sr_value *is_inside = border->is_high ? compare_index(u, b, dim, SR_LT, extent - n) :
							       compare_index(u, b, dim, SR_GE, n);
		return sr_build_select(b, is_inside, w, v);
	}
	int64_t first = u->first[dim] + sr_match_ints(u->ctx, border->copied, SR_NAME_start_indices).v[dim];
	struct sr_value *slice = sr_build_slice_dim(b, w, dim, first, n, 1), *starts[SR_MAX_RANK];
	const struct sr_type *index = sr_type_tensor(u->ctx, SR_I32, 0, NULL);
	for (int d = 0; d < u->type->rank; d++)
		starts[d] = sr_build_integer(b, index, d == dim && border->is_high ? extent - n : 0);
	return sr_build_update_slice(b, w, slice, starts);
}

static bool build_select(struct update *u)
{
	struct sr_builder at = {.ctx = u->ctx, .block = u->op->block, .anchor = u->op, .loc = u->op->loc}, *b = &at;
	struct sr_op *previous = u->op->prev;
	struct sr_value *v, *x = u->x;
	if (u->n_ops || sr_match_uniform(u->elements) || find_shifted(u, u->elements)) {
		v = move_ops(u, b);
	} else {
		int64_t dims[SR_MAX_RANK];
		for (int k = 0; k < u->elements->type->rank; k++)
			dims[k] = u->dims[k];
		v = sr_build_broadcast(b, u->elements, u->type, dims);
	}
	if (!x && !u->has_new_borders)
		x = sr_build_broadcast(b, u->padding, u->type, NULL);
	if (u->reducer != SR_OP_UNREGISTERED)
		v = sr_build_binary(b, u->reducer, x, v);
	for (int d = 0; d < u->type->rank && !u->has_new_borders; d++)
		v = select_along(u, b, d, v, x);
	/* Selects come first, because the loop nest that computes the elements then contains them. */
	for (int copies = 0; copies < 2 && u->has_new_borders; copies++)
		for (int i = u->n_borders; i-- > 0;)
			v = (u->borders[i].copied != NULL) == copies ? set_border(u, b, &u->borders[i], v) : v;
	set_shardings(u, previous ? previous->next : u->op->block->first);
	sr_value_replace_all(sr_result(u->op, 0), v);
	return true;
}

/* ---------------------------------------------------------------- patterns */

/* Return true if the type has dimensions, and their indices are representable as i32. */
static bool has_short_dims(const struct sr_type *t)
{
	for (int d = 0; d < t->rank; d++)
		if (t->shape[d] > INT32_MAX)
			return false;
	return t->rank > 0;
}

static bool decompose(struct sr_builder *b, struct sr_op *op)
{
	struct update u = {.ctx = b->ctx, .op = op, .reducer = SR_OP_UNREGISTERED};
	u.user = op;
	bool is_read = sr_op_is(op, SR_OP_stablehlo_scatter)	 ? read_scatter(&u) :
		       sr_op_is(op, SR_OP_stablehlo_pad)	 ? read_pad(&u) :
		       sr_op_is(op, SR_OP_stablehlo_concatenate) ? read_concatenate(&u) :
								   read_update_slice(&u);
	return is_read && has_short_dims(u.type) && is_faster(&u) && build_select(&u);
}

/* scatter, dynamic_update_slice, pad or concatenate at constant indices -> select by index, if that takes less time. */
bool sr_pattern_update_by_select(struct sr_rewriter *rw, struct sr_op *op)
{
	return sr_rewrite_decompose(rw, op, decompose);
}

/* Read a scatter or dynamic_update_slice that replaces a window at constant indices. */
static bool read_replaced_window(struct update *u)
{
	bool is_read = sr_op_is(u->op, SR_OP_stablehlo_scatter) ? read_scatter(u) : read_update_slice(u);
	return is_read && u->reducer == SR_OP_UNREGISTERED && u->type->rank;
}

/* Return true if v is an argument, or an op moved its elements: then a pad needs no copy of them. */
static bool is_moved(const struct sr_value *v)
{
	return !v->def || sr_op_is(v->def, SR_OP_stablehlo_slice) || sr_op_is(v->def, SR_OP_stablehlo_pad) ||
	       sr_op_is(v->def, SR_OP_stablehlo_concatenate);
}

static bool decompose_into_pad(struct sr_builder *b, struct sr_op *op)
{
	struct update u = {.ctx = b->ctx, .op = op, .reducer = SR_OP_UNREGISTERED};
	struct sr_op *previous = op->prev;
	int64_t n, n_elements, high[SR_MAX_RANK];
	if (!read_replaced_window(&u) || !sr_match_uniform(u.x) || !is_moved(u.elements) || !sr_type_elements(u.type, &n) ||
	    !sr_type_elements(u.elements->type, &n_elements) || n_elements < n / 2)
		return false;
	const struct sr_attr *constant = sr_constant_value(u.x);
	const struct sr_type *scalar = sr_type_with_shape(u.ctx, u.type, 0, NULL);
	struct sr_value *fill = constant ? sr_build_constant(b, sr_splat_to(u.ctx, constant, scalar)) : sr_operand(u.x->def, 0);
	for (int d = 0; d < u.type->rank; d++)
		high[d] = u.type->shape[d] - u.first[d] - u.extent[d];
	struct sr_value *v = sr_build_pad(b, sr_build_reshape(b, u.elements, u.type->rank, u.extent), fill, u.first, high, NULL);
	set_shardings(&u, previous ? previous->next : op->block->first);
	sr_value_replace_all(sr_result(op, 0), v);
	return true;
}

/* Scatter or dynamic_update_slice of a tensor of equal elements, at constant indices, by a slice, pad, concatenate or argument with
 * at least half of the elements -> pad. */
bool sr_pattern_update_to_pad(struct sr_rewriter *rw, struct sr_op *op)
{
	return sr_rewrite_decompose(rw, op, decompose_into_pad);
}

/* Return the only dimension along which the window does not have all elements; -1: there is none, or several. */
static int partial_dim(const struct update *u)
{
	int dim = -1;
	for (int d = 0; d < u->type->rank; d++)
		if (u->extent[d] != u->type->shape[d])
			dim = dim == -1 ? d : SR_MAX_RANK;
	return dim < SR_MAX_RANK ? dim : -1;
}

/* Build the pad of v by `low` and `high` elements, where negative numbers remove elements: a slice and a pad, if there are any. */
static struct sr_value *build_rest(struct sr_builder *b, struct sr_value *v, struct sr_value *fill, const int64_t *low,
				   const int64_t *high)
{
	int64_t start[SR_MAX_RANK], limit[SR_MAX_RANK], padding[2][SR_MAX_RANK];
	bool is_cut = false, is_padded = false;
	for (int d = 0; d < v->type->rank; d++) {
		start[d] = low[d] < 0 ? -low[d] : 0;
		limit[d] = v->type->shape[d] + (high[d] < 0 ? high[d] : 0);
		padding[0][d] = low[d] > 0 ? low[d] : 0;
		padding[1][d] = high[d] > 0 ? high[d] : 0;
		is_cut = is_cut || low[d] < 0 || high[d] < 0;
		is_padded = is_padded || low[d] > 0 || high[d] > 0;
	}
	v = is_cut ? sr_build_slice(b, v, start, limit, NULL) : v;
	return is_padded ? sr_build_pad(b, v, fill, padding[0], padding[1], NULL) : v;
}

static bool decompose_into_concatenate(struct sr_builder *b, struct sr_op *op)
{
	struct update u = {.ctx = b->ctx, .op = op, .reducer = SR_OP_UNREGISTERED};
	struct sr_op *previous = op->prev;
	int dim = read_replaced_window(&u) ? partial_dim(&u) : -1, n = 0;
	if (dim < 0 || !sr_value_has_one_use(u.x))
		return false;
	const struct sr_op *all = sr_value_def_of(u.x, SR_OP_stablehlo_concatenate);
	all = all && sr_op_int(all, SR_NAME_dimension, 0) == dim ? all : NULL;
	int n_all = all ? all->n_operands : 1, found = -1;
	struct sr_value *pad = NULL, **v = SR_NEW_ARRAY(b->ctx->scratch, struct sr_value *, n_all + 1);
	int64_t first = u.first[dim], low[SR_MAX_RANK], high[SR_MAX_RANK];
	for (int i = 0; i < n_all && found < 0; i++) { /* the operand that has the window */
		pad = all ? sr_operand(all, i) : u.x;
		if (first < pad->type->shape[dim])
			found = i;
		else
			first -= pad->type->shape[dim];
	}
	const struct sr_op *inner = found < 0 ? NULL : sr_value_def_of(pad, SR_OP_stablehlo_pad);
	if (!inner || !sr_value_has_one_use(pad) || !sr_type_is_static(sr_operand_type(inner, 0)) ||
	    !sr_match_all_equal(sr_match_ints(b->ctx, inner, SR_NAME_interior_padding), 0))
		return false;
	for (int d = 0; d < u.type->rank; d++) {
		low[d] = sr_match_ints(b->ctx, inner, SR_NAME_edge_padding_low).v[d];
		high[d] = sr_match_ints(b->ctx, inner, SR_NAME_edge_padding_high).v[d];
		if ((low[d] < 0 ? low[d] : 0) + (high[d] < 0 ? high[d] : 0) <= -sr_operand_type(inner, 0)->shape[d])
			return false; /* no element is left */
	}
	bool is_low = !first && low[dim] > 0 && low[dim] == u.extent[dim];
	if (!is_low && (high[dim] <= 0 || high[dim] != u.extent[dim] || first != pad->type->shape[dim] - high[dim]))
		return false;
	*(is_low ? &low[dim] : &high[dim]) = 0;
	struct sr_value *rest = build_rest(b, sr_operand(inner, 0), sr_operand(inner, 1), low, high);
	struct sr_value *update = sr_build_reshape(b, u.elements, u.type->rank, u.extent);
	for (int i = 0; i < n_all; i++) {
		if (i == found && is_low)
			v[n++] = update;
		v[n++] = i == found ? rest : sr_operand(all, i);
		if (i == found && !is_low)
			v[n++] = update;
	}
	struct sr_value *result = sr_build_concatenate(b, v, n, dim);
	set_shardings(&u, previous ? previous->next : op->block->first);
	sr_value_replace_all(sr_result(op, 0), result);
	return true;
}

/* Scatter or dynamic_update_slice, at constant indices, of the elements that a pad added at one end of a dimension -> concatenate.
 * Several such updates write the ghost cells of a grid:
 *
 *	w = pad(v, 0, low 1, high 1); w[:1] = a; w[-1:] = b   ->   concatenate(a, v, b)  */
bool sr_pattern_update_of_padding(struct sr_rewriter *rw, struct sr_op *op)
{
	return sr_rewrite_decompose(rw, op, decompose_into_concatenate);
}

/* Return the slice of the updated tensor that a scatter stores, perhaps reshaped; NULL if it stores other elements. */
static struct sr_value *own_slice(const struct sr_op *scatter)
{
	struct sr_value *v = sr_operand(scatter, 2);
	const struct sr_op *reshape = sr_value_def_of(v, SR_OP_stablehlo_reshape), *slice;
	v = reshape ? sr_operand(reshape, 0) : v;
	slice = scatter->n_operands == 3 ? sr_value_def_of(v, SR_OP_stablehlo_slice) : NULL;
	return slice && sr_operand(slice, 0) == sr_operand(scatter, 0) ? v : NULL;
}

static bool decompose_scatter(struct sr_builder *b, struct sr_op *op)
{
	struct update u = {.ctx = b->ctx, .op = op};
	if (!read_scatter(&u) || u.reducer != SR_OP_UNREGISTERED || !has_short_dims(u.type) ||
	    (sr_match_uniform(u.elements) && u.elements->type->rank))
		return false;
	const struct sr_type *index = sr_type_tensor(u.ctx, SR_I32, 0, NULL);
	struct sr_value *elements = own_slice(op) ? own_slice(op) : u.elements;
	struct sr_value *slice = sr_build_reshape(b, elements, u.type->rank, u.extent), *starts[SR_MAX_RANK];
	for (int d = 0; d < u.type->rank; d++)
		starts[d] = sr_build_integer(b, index, u.first[d]);
	sr_value_replace_all(sr_result(op, 0), sr_build_update_slice(b, u.x, slice, starts));
	return true;
}

/* Scatter that replaces one window, at constant indices, by a tensor -> dynamic_update_slice. If shardings are kept, only a copy of
 * a slice of the same tensor, for which a dynamic_update_slice has a form (partition/expand). A scatter of several equal elements
 * stays: its kernel reads one of them. */
bool sr_pattern_scatter_of_window(struct sr_rewriter *rw, struct sr_op *op)
{
	return (!rw->config->keeps_shardings || own_slice(op)) && sr_rewrite_decompose(rw, op, decompose_scatter);
}

/* Restrict the window to the elements where the mask is true; where it is false if `negated`. Return false if the mask does not
 * follow from iotas, or these elements are not a box. */
static bool restrict_to_mask(struct update *u, const struct sr_value *mask, bool negated)
{
	mask = sr_loop_invariant_source(mask);
	const struct sr_affine_pieces *p = sr_affine_pieces_of(u->ctx, mask);
	if (!p) {
		if (sr_value_def_of(mask, SR_OP_stablehlo_not))
			return restrict_to_mask(u, sr_operand(mask->def, 0), !negated);
		return sr_value_def_of(mask, negated ? SR_OP_stablehlo_or : SR_OP_stablehlo_and) &&
		       restrict_to_mask(u, sr_operand(mask->def, 0), negated) &&
		       restrict_to_mask(u, sr_operand(mask->def, 1), negated);
	}
	int i = 0, k, n_true = 0;
	for (k = 0; k < p->n; k++)
		if (p->pieces[k].step)
			return false;
		else if ((p->pieces[k].value != 0) != negated && !n_true++)
			i = k;
	for (k = i; k < p->n && (p->pieces[k].value != 0) != negated; k++)
		n_true--;
	if (k == i || n_true)
		return false;
	if (p->dim < 0)
		return true;
	int64_t begin = p->pieces[i].begin, end = sr_affine_piece_end(p, k - 1), *first = &u->first[p->dim],
		last_end = *first + u->extent[p->dim];
	*first = begin > *first ? begin : *first;
	u->extent[p->dim] = (end < last_end ? end : last_end) - *first;
	return u->extent[p->dim] > 0;
}

/* Return true if the mask is known along one dimension, and equals `value` in the window. */
static bool is_mask_in_window(const struct update *u, const struct sr_value *mask, bool value)
{
	const struct sr_affine_pieces *p = sr_affine_pieces_of(u->ctx, mask);
	if (!p || mask->type->rank != u->type->rank)
		return false;
	for (int i = 0; i < p->n; i++) {
		bool is_inside = p->dim < 0 || (sr_affine_piece_end(p, i) > u->first[p->dim] &&
						p->pieces[i].begin < u->first[p->dim] + u->extent[p->dim]);
		if (is_inside && (p->pieces[i].step || (p->pieces[i].value != 0) != value))
			return false;
	}
	return true;
}

/* Return the value that v has in the window, without the selects by index that choose it there. */
static struct sr_value *value_in_window(const struct update *u, struct sr_value *v)
{
	while (sr_value_def_of(v, SR_OP_stablehlo_select)) {
		const struct sr_value *mask = sr_operand(v->def, 0);
		if (!is_mask_in_window(u, mask, true) && !is_mask_in_window(u, mask, false))
			break;
		v = sr_operand(v->def, is_mask_in_window(u, mask, true) ? 1 : 2);
	}
	return v;
}

/* Collect the elementwise ops that compute v, in the tensor's shape, and nothing else; operands first. */
static void collect_unshared_ops(struct update *u, struct sr_value *v)
{
	if (v->type != full_type(u, v) || !is_elementwise(v) || v->def->block != u->op->block || !sr_value_has_one_use(v) ||
	    u->n_ops == MAX_OPS)
		return;
	int n = u->n_ops;
	for (int i = 0; i < v->def->n_operands; i++)
		collect_unshared_ops(u, sr_operand(v->def, i));
	if (u->n_ops < MAX_OPS)
		u->ops[u->n_ops++] = v->def;
	else
		u->n_ops = n;
}

/* Collect the ops that compute the new elements, which only the select reads. Return true if they read a concatenate that is a
 * shift in the window. */
static bool collect_shifts_in_window(struct update *u)
{
	int64_t shift[SR_MAX_RANK];
	collect_unshared_ops(u, u->elements);
	for (int i = 0; i < u->n_ops; i++)
		for (int k = 0; k < u->ops[i]->n_operands; k++)
			if (find_shift_in_window(u, sr_operand(u->ops[i], k), shift))
				return true;
	return false;
}

static bool decompose_mask(struct sr_builder *b, struct sr_op *op)
{
	const struct sr_type *t = sr_result(op, 0)->type;
	struct sr_value *mask = sr_operand(op, 0);
	bool is_along_one = sr_affine_pieces_of(b->ctx, mask) != NULL;
	if (!sr_type_is_static(t) || !has_short_dims(t) || mask->type->rank != t->rank)
		return false;
	for (int negated = 0; negated < 2; negated++) {
		struct update u = {.ctx = b->ctx, .op = op, .type = t};
		struct sr_op *previous = op->prev;
		memcpy(u.extent, t->shape, sizeof *t->shape * (size_t)t->rank);
		if (!restrict_to_mask(&u, mask, negated))
			continue;
		struct sr_value *v = sr_operand(op, negated ? 2 : 1), *other = sr_operand(op, negated ? 1 : 2);
		u.elements = value_in_window(&u, v);
		if (u.elements != v && !is_along_one) {
			v = u.elements;
			for (int d = 0; d < t->rank; d++)
				v = select_along(&u, b, d, v, other);
		} else if (u.elements == v && collect_shifts_in_window(&u)) {
			v = move_ops(&u, b); /* one select takes less time than one for each dimension */
			v = sr_build_select(b, mask, negated ? other : v, negated ? v : other);
		} else {
			return false;
		}
		set_shardings(&u, previous ? previous->next : op->block->first);
		sr_value_replace_all(sr_result(op, 0), v);
		return true;
	}
	return false;
}

/* select(p and q, select(p, a, c), b), where p and q are known along one dimension each -> select(p, select(q, a, b), b): the
 * elements of c are not selected. Such a select is what a pad became. The same for a select of the elements outside of a box. If a
 * is computed from concatenates, such as the rolls of a periodic border, that are shifts in the box, they become shifts. */
bool sr_pattern_select_of_box(struct sr_rewriter *rw, struct sr_op *op)
{
	return sr_rewrite_decompose(rw, op, decompose_mask);
}
