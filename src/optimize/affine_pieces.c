/* Evaluate integer tensors as piecewise-affine functions of one index (affine_pieces.h).
 *
 * The operands of an op are split into segments in which all of them are affine. Within a segment, comparisons, minima and maxima
 * split where the operands cross, and remainders where the quotient changes. All elements fit in the element type, so that none
 * wraps around. */
#include "optimize/affine_pieces.h"
#include "dialect/attr_names.h"
#include "dialect/comparison.h"
#include "dialect/reducer.h"
#include "dialect/trip_count.h"
#include "support/checked.h"
#include "support/map.h"

enum { MAX_VALUES = 200, MAX_DEPTH = 100, MAX_OPERANDS = 3 };

struct evaluation {
	struct sr_context *ctx;
	struct sr_map known; /* maps a value to its struct sr_affine_pieces, or to `none` */
	struct sr_affine_pieces none;
	int n_values, depth;
};

/* A run of `length` elements from index `begin`, in which each operand is affine. */
struct segment {
	int64_t begin, length;
	struct sr_affine_piece operands[MAX_OPERANDS]; /* begin: that of the segment */
};

static const struct sr_affine_pieces *evaluate(struct evaluation *e, const struct sr_value *v);

/* ---------------------------------------------------------------- pieces */

/* Append elements from index `begin` to p. Returns false if p has too many pieces. */
static bool append(struct sr_affine_pieces *p, int64_t begin, int64_t value, int64_t step)
{
	const struct sr_affine_piece *last = p->n ? &p->pieces[p->n - 1] : NULL;
	int64_t next;
	if (last && last->step == step && !sr_mul_overflows(begin - last->begin, step, &next) &&
	    !sr_add_overflows(last->value, next, &next) && next == value)
		return true;
	if (p->n == SR_MAX_AFFINE_PIECES)
		return false;
	p->pieces[p->n++] = (struct sr_affine_piece){begin, value, step};
	return true;
}

static bool value_at(const struct sr_affine_piece *a, int64_t offset, int64_t *out)
{
	return !sr_mul_overflows(a->step, offset, out) && !sr_add_overflows(a->value, *out, out);
}

/* Append the elements [from, to) of a segment's operand. */
static bool append_part(struct sr_affine_pieces *out, const struct segment *s, const struct sr_affine_piece *a, int64_t from, int64_t to)
{
	int64_t value;
	return from >= to || (value_at(a, from, &value) && append(out, s->begin + from, value, a->step));
}

static bool append_constant(struct sr_affine_pieces *out, const struct segment *s, int64_t number, int64_t from, int64_t to)
{
	return append_part(out, s, &(struct sr_affine_piece){.value = number}, from, to);
}

/* Return true if the type can represent all elements. */
static bool fits(const struct sr_affine_pieces *p, enum sr_dtype type)
{
	for (int i = 0; i < p->n; i++) {
		int64_t last;
		if (!value_at(&p->pieces[i], sr_affine_piece_end(p, i) - 1 - p->pieces[i].begin, &last) ||
		    !sr_integer_is_representable(type, p->pieces[i].value) || !sr_integer_is_representable(type, last))
			return false;
	}
	return true;
}

static struct sr_affine_pieces *new_pieces(struct sr_context *ctx, int dim, int64_t extent)
{
	struct sr_affine_pieces *p = SR_NEW(ctx->scratch, struct sr_affine_pieces);
	p->dim = dim;
	p->extent = extent;
	return p;
}

static const struct sr_affine_pieces *uniform(struct sr_context *ctx, int64_t number)
{
	struct sr_affine_pieces *p = new_pieces(ctx, -1, 1);
	append(p, 0, number, 0);
	return p;
}

/* ---------------------------------------------------------------- ops on one segment */

/* Split a segment by the sign of x - y, its first two operands: elements from ends[k - 1] (0 for k = 0) to ends[k] have sign
 * signs[k]. */
static bool split_by_sign(const struct segment *s, int64_t ends[3], int signs[3])
{
	const struct sr_affine_piece *x = &s->operands[0], *y = &s->operands[1];
	int64_t distance, slope;
	if (sr_sub_overflows(x->value, y->value, &distance) || sr_sub_overflows(x->step, y->step, &slope) || distance == INT64_MIN ||
	    slope == INT64_MIN)
		return false;
	int direction = slope < 0 ? -1 : 1;
	distance *= direction; /* the distance ascends from here on */
	slope *= direction;
	for (int k = 0; k < 3; k++)
		signs[k] = direction * (k - 1);
	if (slope == 0) {
		ends[0] = distance < 0 ? s->length : 0;
		ends[1] = distance <= 0 ? s->length : 0;
	} else {
		ends[0] = distance >= 0 ? 0 : sr_ceil_div(-distance, slope);
		ends[1] = distance > 0 ? 0 : -distance / slope + 1;
	}
	ends[2] = s->length;
	for (int k = 0; k < 2; k++)
		ends[k] = ends[k] < s->length ? ends[k] : s->length;
	return true;
}

static bool segment_compare(enum sr_compare comparison, const struct segment *s, struct sr_affine_pieces *out)
{
	int64_t ends[3];
	int signs[3];
	if (!split_by_sign(s, ends, signs))
		return false;
	for (int k = 0; k < 3; k++)
		if (!append_constant(out, s, sr_compare_result(comparison, signs[k] < 0, signs[k] == 0, signs[k] > 0),
				     k ? ends[k - 1] : 0, ends[k]))
			return false;
	return true;
}

/* Minimum or maximum. Where x = y, the operand that varies is appended, which continues the neighboring piece. */
static bool segment_extremum(bool is_minimum, const struct segment *s, struct sr_affine_pieces *out)
{
	int64_t ends[3];
	int signs[3];
	if (!split_by_sign(s, ends, signs))
		return false;
	for (int k = 0; k < 3; k++) {
		bool is_y = signs[k] ? is_minimum == (signs[k] > 0) : s->operands[0].step == 0;
		if (!append_part(out, s, &s->operands[is_y], k ? ends[k - 1] : 0, ends[k]))
			return false;
	}
	return true;
}

/* Remainder or quotient of x and a positive number, with the sign of x. Splits where the quotient changes. */
static bool segment_divide(const struct sr_op *op, const struct segment *s, struct sr_affine_pieces *out)
{
	struct sr_affine_piece x = s->operands[0];
	int64_t divisor = s->operands[1].value, bound, value;
	if (s->operands[1].step || divisor < 1 || x.step == INT64_MIN)
		return false;
	for (int64_t at = 0, end; at < s->length; at = end) {
		if (!value_at(&x, at, &value) || value == INT64_MIN)
			return false;
		int64_t quotient = value / divisor;
		/* the last value in the direction of the step whose quotient is the same */
		int64_t direction = x.step < 0 ? -1 : 1;
		if (sr_mul_overflows(quotient, divisor, &bound) ||
		    (quotient * direction >= 0 && sr_add_overflows(bound, direction * (divisor - 1), &bound)))
			return false;
		end = s->length;
		if (x.step && (bound - value) / x.step < end - at - 1)
			end = at + (bound - value) / x.step + 1;
		bool is_quotient = sr_op_is(op, SR_OP_stablehlo_divide);
		if (!append(out, s->begin + at, is_quotient ? quotient : value % divisor, is_quotient || end - at == 1 ? 0 : x.step))
			return false;
	}
	return true;
}

static bool segment_multiply(const struct segment *s, struct sr_affine_pieces *out)
{
	const struct sr_affine_piece *x = &s->operands[0], *y = &s->operands[1];
	struct sr_affine_piece product = {0};
	if (x->step && y->step)
		return false;
	return !sr_mul_overflows(x->value, y->value, &product.value) &&
	       !sr_mul_overflows(x->step ? x->step : y->step, x->step ? y->value : x->value, &product.step) &&
	       append_part(out, s, &product, 0, s->length);
}

static bool segment_sum(const struct segment *s, bool is_difference, struct sr_affine_pieces *out)
{
	const struct sr_affine_piece *x = &s->operands[0], *y = &s->operands[1];
	struct sr_affine_piece sum = {0};
	bool overflows = is_difference ? sr_sub_overflows(x->value, y->value, &sum.value) || sr_sub_overflows(x->step, y->step, &sum.step)
				       : sr_add_overflows(x->value, y->value, &sum.value) || sr_add_overflows(x->step, y->step, &sum.step);
	return !overflows && append_part(out, s, &sum, 0, s->length);
}

/* Ops on i1. In pieces of i1, elements are 0 or 1 and the step is 0. */
static bool segment_logical(const struct sr_op *op, const struct segment *s, struct sr_affine_pieces *out)
{
	int64_t x = s->operands[0].value, y = s->operands[1].value;
	switch (sr_op_code_of(op)) {
	case SR_OP_stablehlo_and:
		return append_constant(out, s, x && y, 0, s->length);
	case SR_OP_stablehlo_or:
		return append_constant(out, s, x || y, 0, s->length);
	case SR_OP_stablehlo_xor:
		return append_constant(out, s, x != y, 0, s->length);
	case SR_OP_stablehlo_not:
		return append_constant(out, s, !x, 0, s->length);
	default:
		return false;
	}
}

static bool evaluate_segment(const struct sr_op *op, const struct segment *s, struct sr_affine_pieces *out)
{
	enum sr_op_code code = sr_op_code_of(op);
	if (code == SR_OP_stablehlo_compare)
		return segment_compare(sr_comparison_of(op), s, out);
	if (code == SR_OP_stablehlo_select)
		return append_part(out, s, &s->operands[s->operands[0].value ? 1 : 2], 0, s->length);
	if (sr_result(op, 0)->type->dtype == SR_I1)
		return segment_logical(op, s, out);
	switch (code) {
	case SR_OP_stablehlo_add:
	case SR_OP_stablehlo_subtract:
		return segment_sum(s, code == SR_OP_stablehlo_subtract, out);
	case SR_OP_stablehlo_multiply:
		return segment_multiply(s, out);
	case SR_OP_stablehlo_minimum:
	case SR_OP_stablehlo_maximum:
		return segment_extremum(code == SR_OP_stablehlo_minimum, s, out);
	case SR_OP_stablehlo_divide:
	case SR_OP_stablehlo_remainder:
		return segment_divide(op, s, out);
	default:
		return false;
	}
}

/* ---------------------------------------------------------------- ops */

/* Evaluate an elementwise op segment by segment. */
static const struct sr_affine_pieces *evaluate_elementwise(struct evaluation *e, const struct sr_op *op)
{
	const struct sr_affine_pieces *operands[MAX_OPERANDS];
	int at[MAX_OPERANDS] = {0};
	struct sr_affine_pieces *out = new_pieces(e->ctx, -1, 1);
	if (op->n_operands < 1 || op->n_operands > MAX_OPERANDS)
		return NULL;
	for (int i = 0; i < op->n_operands; i++) {
		operands[i] = evaluate(e, sr_operand(op, i));
		if (!operands[i] || (out->dim >= 0 && operands[i]->dim >= 0 && operands[i]->dim != out->dim))
			return NULL;
		if (operands[i]->dim >= 0) {
			out->dim = operands[i]->dim;
			out->extent = operands[i]->extent;
		}
	}
	for (struct segment s = {0}; s.begin < out->extent; s.begin += s.length) {
		s.length = out->extent - s.begin;
		for (int i = 0; i < op->n_operands; i++) {
			const struct sr_affine_pieces *p = operands[i];
			while (at[i] + 1 < p->n && p->pieces[at[i] + 1].begin <= s.begin)
				at[i]++;
			if (at[i] + 1 < p->n && p->pieces[at[i] + 1].begin - s.begin < s.length)
				s.length = p->pieces[at[i] + 1].begin - s.begin;
			s.operands[i] = (struct sr_affine_piece){s.begin, 0, p->pieces[at[i]].step};
			if (!value_at(&p->pieces[at[i]], s.begin - p->pieces[at[i]].begin, &s.operands[i].value))
				return NULL;
		}
		if (!evaluate_segment(op, &s, out))
			return NULL;
	}
	return out;
}

/* The same elements, with the dimension along which they vary called `dim`; uniform if dim is -1. */
static const struct sr_affine_pieces *renamed(struct evaluation *e, const struct sr_affine_pieces *p, int dim)
{
	if (!p || p->dim == dim)
		return p;
	if (dim < 0)
		return uniform(e->ctx, p->pieces[0].value);
	struct sr_affine_pieces *out = SR_NEW(e->ctx->scratch, struct sr_affine_pieces);
	*out = *p;
	out->dim = dim;
	return out;
}

static const struct sr_affine_pieces *evaluate_broadcast(struct evaluation *e, const struct sr_op *op)
{
	const struct sr_affine_pieces *p = evaluate(e, sr_operand(op, 0));
	const int64_t *dims;
	int64_t n;
	if (!p || p->dim < 0 || !sr_op_ints(e->ctx, op, SR_NAME_broadcast_dimensions, &dims, &n))
		return p;
	return renamed(e, p, (int)dims[p->dim]);
}

/* Evaluate an op that keeps the row-major order of its operand's elements: reshape, or reduce over dimensions of extent 1. */
static const struct sr_affine_pieces *evaluate_reshape(struct evaluation *e, const struct sr_op *op)
{
	const struct sr_type *from = sr_operand(op, 0)->type, *to = sr_result(op, 0)->type;
	const struct sr_affine_pieces *p = evaluate(e, sr_operand(op, 0));
	int64_t outer = 1, outer_to = 1;
	if (!p || p->dim < 0)
		return p;
	for (int d = 0; d < p->dim; d++)
		outer *= from->shape[d];
	for (int d = 0; d < to->rank; outer_to *= to->shape[d++])
		if (outer_to == outer && to->shape[d] == p->extent)
			return renamed(e, p, d);
	return NULL;
}

/* and-reduction with initial value true, or or-reduction with false, over dimensions of extent 1. */
static const struct sr_affine_pieces *evaluate_reduce(struct evaluation *e, const struct sr_op *op)
{
	const struct sr_reducer *reducer = sr_op_reducer(op);
	int64_t elements, kept, init;
	if (op->n_operands != 2 || !reducer || sr_result(op, 0)->type->dtype != SR_I1 || !sr_type_elements(sr_operand(op, 0)->type, &elements) ||
	    !sr_type_elements(sr_result(op, 0)->type, &kept) || elements != kept || !sr_constant_integer(e->ctx, sr_operand(op, 1), &init))
		return NULL;
	bool is_kept = init ? reducer->code == SR_OP_stablehlo_and : reducer->code == SR_OP_stablehlo_or;
	return is_kept ? evaluate_reshape(e, op) : NULL;
}

static const struct sr_affine_pieces *evaluate_iota(struct evaluation *e, const struct sr_op *op)
{
	const struct sr_type *t = sr_result(op, 0)->type;
	int dim = (int)sr_op_int(op, SR_NAME_iota_dimension, 0);
	struct sr_affine_pieces *p = new_pieces(e->ctx, dim, t->shape[dim]);
	append(p, 0, 0, 1);
	return p;
}

/* Evaluate a splat, or a list of numbers in one dimension; the other dimensions have one element. */
static const struct sr_affine_pieces *evaluate_constant(struct evaluation *e, const struct sr_value *v)
{
	enum { MAX_NUMBERS = 1 << 16 };
	const struct sr_attr *value = sr_constant_value(v);
	const int64_t *numbers;
	int64_t n, n_bytes, number = 0;
	const void *data = value ? sr_dense_data(e->ctx, value, false, &n_bytes) : NULL;
	if (!data)
		return NULL;
	if (value->dense->splat) {
		sr_element_get(v->type->dtype, data, &number, NULL, NULL);
		return uniform(e->ctx, number);
	}
	int dim = 0;
	if (!sr_attr_ints(e->ctx, value, &numbers, &n) || n < 1 || n > MAX_NUMBERS)
		return NULL;
	while (dim < v->type->rank && v->type->shape[dim] != n)
		dim++;
	if (dim == v->type->rank)
		return NULL;
	struct sr_affine_pieces *p = new_pieces(e->ctx, dim, n);
	for (int64_t i = 0, end; i < n; i = end) {
		int64_t step = 0;
		end = i + 1;
		if (end < n && v->type->dtype != SR_I1 && sr_sub_overflows(numbers[end], numbers[i], &step))
			return NULL;
		while (end < n && !sr_add_overflows(numbers[end - 1], step, &number) && numbers[end] == number)
			end++;
		if (!append(p, i, numbers[i], end - i > 1 ? step : 0))
			return NULL;
	}
	return p;
}

static const struct sr_affine_pieces *evaluate_clamp(struct evaluation *e, const struct sr_op *op)
{
	const struct sr_affine_pieces *low = evaluate(e, sr_operand(op, 0)), *p = evaluate(e, sr_operand(op, 1)),
				      *high = evaluate(e, sr_operand(op, 2));
	return low && p && high && low->dim < 0 && high->dim < 0 ?
		       sr_affine_pieces_clamp(e->ctx, p, low->pieces[0].value, high->pieces[0].value) : NULL;
}

static const struct sr_affine_pieces *evaluate_op(struct evaluation *e, const struct sr_op *op)
{
	if (sr_op_has(op, SR_CONSTANT))
		return evaluate_constant(e, sr_result(op, 0));
	switch (sr_op_code_of(op)) {
	case SR_OP_stablehlo_iota:
		return evaluate_iota(e, op);
	case SR_OP_stablehlo_broadcast_in_dim:
		return evaluate_broadcast(e, op);
	case SR_OP_stablehlo_reshape:
		return evaluate_reshape(e, op);
	case SR_OP_stablehlo_reduce:
		return evaluate_reduce(e, op);
	case SR_OP_stablehlo_convert:
		return (sr_result(op, 0)->type->dtype == SR_I1) == (sr_operand(op, 0)->type->dtype == SR_I1) ? evaluate(e, sr_operand(op, 0)) : NULL;
	case SR_OP_stablehlo_clamp:
		return evaluate_clamp(e, op);
	default:
		return evaluate_elementwise(e, op);
	}
}

static const struct sr_affine_pieces *evaluate(struct evaluation *e, const struct sr_value *v)
{
	int64_t elements;
	v = sr_loop_invariant_source(v);
	const struct sr_affine_pieces *p = sr_map_get(&e->known, v);
	if (p)
		return p == &e->none ? NULL : p;
	if (!v->def || v->def->n_results != 1 || !sr_dtype_is_integer(v->type->dtype) || v->type->dtype == SR_UI64 || !sr_type_is_static(v->type) ||
	    !sr_type_elements(v->type, &elements) || !elements || e->n_values == MAX_VALUES || e->depth == MAX_DEPTH)
		return NULL;
	e->n_values++;
	e->depth++;
	p = evaluate_op(e, v->def);
	e->depth--;
	if (p && p->dim >= 0 && v->type->shape[p->dim] == 1)
		p = renamed(e, p, -1);
	if (p && !fits(p, v->type->dtype))
		p = NULL;
	sr_map_put(&e->known, v, (void *)(p ? p : &e->none));
	return p;
}

const struct sr_affine_pieces *sr_affine_pieces_of(struct sr_context *ctx, const struct sr_value *v)
{
	struct evaluation e = {.ctx = ctx};
	sr_map_init(&e.known, ctx->scratch);
	return evaluate(&e, v);
}

const struct sr_affine_pieces *sr_affine_pieces_clamp(struct sr_context *ctx, const struct sr_affine_pieces *p, int64_t low, int64_t high)
{
	const int64_t bounds[] = {low, high};
	for (int k = 0; k < 2; k++) {
		struct sr_affine_pieces *out = new_pieces(ctx, p->dim, p->extent);
		for (int i = 0; i < p->n; i++) {
			struct segment s = {p->pieces[i].begin, sr_affine_piece_end(p, i) - p->pieces[i].begin,
					    {p->pieces[i], {.value = bounds[k]}}};
			if (!segment_extremum(k == 1, &s, out))
				return NULL;
		}
		p = out;
	}
	return p;
}
