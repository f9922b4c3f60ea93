/* Bounds of a value's elements in a rectangle of rows and columns, by interval arithmetic over the ops that compute the value. They
 * prove that a mask removes the scores of a rectangle:
 *
 *	select(row >= column, score, -2.4e38)   rows [0, 256), columns [256, 1024): low
 *	exponential(score - maximum of the row) there: 0, if the row has a score that is not masked
 *
 * A number is low if it is at most -2^96, or -2^15 in f16: -inf, -1e30, and the numbers that JAX and PyTorch put in place of masked
 * scores. Results of matrix products are assumed to be finite, and smaller than a quarter of that number. */
#include "dialect/attr_names.h"
#include "dialect/comparison.h"
#include "dialect/reducer.h"
#include "work/strip/strip.h"
#include <math.h>

enum {
	MAX_NESTED = 64 /* maximum length of a chain of ops */
};

static const struct sr_strip_bounds unknown = {.kind = SR_STRIP_UNKNOWN}, finite_number = {.kind = SR_STRIP_FINITE};

/* Bounds of a value that has rows and columns in these dimensions. */
struct known {
	int row, column;
	struct sr_strip_bounds bounds;
};

static struct sr_strip_bounds between(double low, double high)
{
	return (struct sr_strip_bounds){SR_STRIP_BETWEEN, low, high};
}

static bool is_between(struct sr_strip_bounds x)
{
	return x.kind == SR_STRIP_BETWEEN;
}

bool sr_strip_is_zero(struct sr_strip_bounds x)
{
	return is_between(x) && x.low == 0 && x.high == 0;
}

/* Return true if numbers of x are finite and not low. */
static bool is_finite(struct sr_strip_bounds x)
{
	return x.kind == SR_STRIP_FINITE || is_between(x);
}

static double low_limit(enum sr_dtype t)
{
	return t == SR_F64 || t == SR_F32 || t == SR_BF16 ? -0x1p96 : t == SR_F16 ? -0x1p15 : -INFINITY;
}

/* Classify a computed interval of numbers of a type. */
static struct sr_strip_bounds classified(enum sr_dtype t, double low, double high)
{
	if (isnan(low) || isnan(high))
		return unknown;
	if (!sr_dtype_is_float(t)) {
		double most = t == SR_I1 ? 1 : ldexp(1, (sr_dtypes[t].bits < 32 ? sr_dtypes[t].bits : 32) - 2);
		return low < (sr_dtypes[t].class == SR_CLASS_SINT ? -most : 0) || high > most ? unknown : between(low, high);
	}
	if (high <= low_limit(t))
		return (struct sr_strip_bounds){SR_STRIP_LOW, low, high};
	return low < low_limit(t) / 4 || high > -low_limit(t) / 4 ? unknown : between(low, high);
}

static struct sr_strip_bounds joined(struct sr_strip_bounds x, struct sr_strip_bounds y)
{
	if (x.kind == y.kind && x.kind != SR_STRIP_UNKNOWN)
		return (struct sr_strip_bounds){x.kind, fmin(x.low, y.low), fmax(x.high, y.high)};
	return is_finite(x) && is_finite(y) ? finite_number : unknown;
}

/* ---- ops ---- */

/* Return 1 if the comparison holds for all numbers of x and y, 0 if it holds for none, -1 if it is not known. */
static int compared(enum sr_compare comparison, struct sr_strip_bounds x, struct sr_strip_bounds y)
{
	bool less, greater, equal;
	if (x.kind == SR_STRIP_UNKNOWN || y.kind == SR_STRIP_UNKNOWN || (x.kind == SR_STRIP_FINITE && y.kind != SR_STRIP_LOW) ||
	    (y.kind == SR_STRIP_FINITE && x.kind != SR_STRIP_LOW))
		return -1;
	less = x.kind == SR_STRIP_FINITE ? false : y.kind == SR_STRIP_FINITE ? true : x.high < y.low;
	greater = x.kind == SR_STRIP_FINITE ? true : y.kind == SR_STRIP_FINITE ? false : x.low > y.high;
	equal = !less && !greater && x.low == x.high && y.low == y.high;
	switch (comparison) {
	case SR_EQ: return equal ? 1 : less || greater ? 0 : -1;
	case SR_NE: return equal ? 0 : less || greater ? 1 : -1;
	case SR_LT: return less ? 1 : greater || equal || x.low >= y.high ? 0 : -1;
	case SR_LE: return less || equal || x.high <= y.low ? 1 : greater ? 0 : -1;
	case SR_GT: return compared(SR_LE, x, y) < 0 ? -1 : !compared(SR_LE, x, y);
	default: return compared(SR_LT, x, y) < 0 ? -1 : !compared(SR_LT, x, y);
	}
}

static struct sr_strip_bounds sum(enum sr_dtype t, struct sr_strip_bounds x, struct sr_strip_bounds y)
{
	if (is_between(x) && is_between(y))
		return classified(t, x.low + y.low, x.high + y.high);
	if (is_finite(x) && is_finite(y))
		return finite_number;
	if ((x.kind == SR_STRIP_LOW && is_finite(y)) || (y.kind == SR_STRIP_LOW && is_finite(x)))
		return (struct sr_strip_bounds){SR_STRIP_LOW, -INFINITY, low_limit(t)};
	return unknown;
}

static struct sr_strip_bounds negated(enum sr_dtype t, struct sr_strip_bounds x)
{
	return is_between(x) ? classified(t, -x.high, -x.low) : x.kind == SR_STRIP_FINITE ? finite_number : unknown;
}

static struct sr_strip_bounds product(enum sr_dtype t, struct sr_strip_bounds x, struct sr_strip_bounds y)
{
	if ((sr_strip_is_zero(x) && y.kind != SR_STRIP_LOW) || (sr_strip_is_zero(y) && x.kind != SR_STRIP_LOW))
		return between(0, 0);
	if (is_finite(x) && is_finite(y) && !(is_between(x) && is_between(y)))
		return finite_number;
	if (x.kind == SR_STRIP_UNKNOWN || y.kind == SR_STRIP_UNKNOWN || x.kind == SR_STRIP_FINITE || y.kind == SR_STRIP_FINITE)
		return unknown;
	double p[4] = {x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high};
	if (isnan(p[0] + p[1] + p[2] + p[3]))
		return unknown;
	return classified(t, fmin(fmin(p[0], p[1]), fmin(p[2], p[3])), fmax(fmax(p[0], p[1]), fmax(p[2], p[3])));
}

static struct sr_strip_bounds larger(struct sr_strip_bounds x, struct sr_strip_bounds y)
{
	if (x.kind == SR_STRIP_UNKNOWN || y.kind == SR_STRIP_UNKNOWN)
		return unknown;
	if (is_between(x) && is_between(y))
		return between(fmax(x.low, y.low), fmax(x.high, y.high));
	return x.kind == SR_STRIP_LOW ? y : y.kind == SR_STRIP_LOW ? x : finite_number;
}

static struct sr_strip_bounds converted(enum sr_dtype from, enum sr_dtype to, struct sr_strip_bounds x)
{
	if (to == SR_I1)
		return !is_between(x) ? unknown : sr_strip_is_zero(x) ? x : x.low > 0 || x.high < 0 ? between(1, 1) : between(0, 1);
	if (is_between(x))
		return sr_dtype_is_float(from) && !sr_dtype_is_float(to) ? unknown : classified(to, x.low, x.high);
	return sr_dtype_is_float(to) ? x : unknown;
}

/* Return the bounds of x and y, booleans, or of x or y. */
static struct sr_strip_bounds connected(struct sr_strip_bounds x, struct sr_strip_bounds y, bool is_or)
{
	x = is_between(x) ? x : between(0, 1), y = is_between(y) ? y : between(0, 1);
	return is_or ? between(fmax(x.low, y.low), fmax(x.high, y.high)) : between(fmin(x.low, y.low), fmin(x.high, y.high));
}

static struct sr_strip_bounds of_elementwise(const struct sr_op *op, const struct sr_strip_bounds *x)
{
	enum sr_dtype t = sr_result_type(op, 0)->dtype;
	int holds;
	switch (sr_op_code_of(op)) {
	case SR_OP_stablehlo_add: return sum(t, x[0], x[1]);
	case SR_OP_stablehlo_subtract: return x[1].kind == SR_STRIP_LOW ? unknown : sum(t, x[0], negated(t, x[1]));
	case SR_OP_stablehlo_negate: return negated(t, x[0]);
	case SR_OP_stablehlo_multiply: return product(t, x[0], x[1]);
	case SR_OP_stablehlo_divide:
		return sr_strip_is_zero(x[0]) ? x[0] : sr_dtype_is_float(t) && is_finite(x[0]) && is_finite(x[1]) &&
		       !(is_between(x[1]) && x[1].low <= 0 && x[1].high >= 0) ? finite_number : unknown;
	case SR_OP_stablehlo_maximum: return larger(x[0], x[1]);
	case SR_OP_stablehlo_exponential: return x[0].kind == SR_STRIP_LOW ? between(0, 0) : unknown;
	case SR_OP_stablehlo_tanh: return is_finite(x[0]) ? finite_number : unknown;
	case SR_OP_stablehlo_convert: return converted(sr_operand_type(op, 0)->dtype, t, x[0]);
	case SR_OP_stablehlo_is_finite: return is_finite(x[0]) ? between(1, 1) : between(0, 1);
	case SR_OP_stablehlo_compare:
		holds = compared(sr_comparison_of(op), x[0], x[1]);
		return holds < 0 ? between(0, 1) : between(holds, holds);
	case SR_OP_stablehlo_and:
	case SR_OP_stablehlo_or: return t == SR_I1 ? connected(x[0], x[1], sr_op_is(op, SR_OP_stablehlo_or)) : unknown;
	case SR_OP_stablehlo_not: return t == SR_I1 && is_between(x[0]) ? between(1 - x[0].high, 1 - x[0].low) : unknown;
	case SR_OP_stablehlo_select:
		return !is_between(x[0]) || x[0].low != x[0].high ? joined(x[1], x[2]) : x[0].low ? x[1] : x[2];
	default: return unknown;
	}
}

/* ---- rectangles ---- */

static struct sr_strip_bounds of_constant(struct sr_context *ctx, const struct sr_value *v)
{
	const struct sr_attr *value = sr_constant_value(v);
	int64_t i = 0, n;
	double number = 0;
	enum sr_dtype t = v->type->dtype;
	bool is_splat = value && value->kind == SR_ATTR_DENSE && value->dense->splat;
	const void *data = is_splat ? sr_dense_data(ctx, value, false, &n) : NULL;
	if (!data || !(sr_dtype_is_float(t) || sr_dtype_is_integer(t)))
		return unknown;
	sr_element_get(t, data, &i, &number, NULL);
	number = sr_dtype_is_float(t) ? number : (double)i;
	return classified(t, number, number);
}

/* Return the dimension of operand i that becomes dimension d of the op's result; -1: the operand does not vary along d. */
static int operand_dim(struct sr_context *ctx, const struct sr_op *op, int i, int d)
{
	for (int k = 0; d >= 0 && k < sr_operand_type(op, i)->rank; k++)
		if (sr_operand_type(op, i)->shape[k] > 1 && sr_strip_result_dim(ctx, op, i, k) == d)
			return k;
	return -1;
}

/* Return true if the reduction's operand has a finite number in each row of the rectangle, in a column of any. */
static bool rows_have_finite(const struct sr_strip_prover *p, const struct sr_op *reduce, int row, int column, int64_t first_row,
			     int64_t n_rows)
{
	const struct sr_value *v = sr_operand(reduce, 0);
	int64_t n = v->type->shape[column], candidates[] = {0, first_row, first_row + n - v->type->shape[row], n - 1};
	for (int c = 0; c < 4; c++) {
		struct sr_strip_prover q = {p->ctx, p->block, {first_row, n_rows, candidates[c], 1}, {0}};
		sr_map_init(&q.known, p->ctx->scratch);
		if (candidates[c] >= 0 && candidates[c] < n && is_finite(sr_strip_bounds_of(&q, v, row, column, 0)))
			return true;
	}
	int64_t half = n_rows / 2;
	return half && rows_have_finite(p, reduce, row, column, first_row, half) &&
	       rows_have_finite(p, reduce, row, column, first_row + half, n_rows - half);
}

static struct sr_strip_bounds of_reduction(struct sr_strip_prover *p, const struct sr_op *op, int row)
{
	const struct sr_reducer *r = sr_op_reducer(op);
	const struct sr_type *t = sr_operand_type(op, 0);
	int column = -1, own_row = operand_dim(p->ctx, op, 0, row);
	for (int d = 0; d < t->rank; d++)
		if (t->shape[d] > 1 && sr_strip_result_dim(p->ctx, op, 0, d) == SR_STRIP_LOST)
			column = column == -1 ? d : SR_STRIP_LOST;
	if (column < 0 || own_row < 0 || !r || r->monoid != SR_MONOID_MAX || !sr_dtype_is_float(t->dtype))
		return unknown;
	return rows_have_finite(p, op, own_row, column, p->in.first_row, p->in.n_rows) ? finite_number : unknown;
}

static struct sr_strip_bounds of_iota(const struct sr_strip_prover *p, const struct sr_op *op, int row, int column)
{
	int d = (int)sr_op_int(op, SR_NAME_iota_dimension, 0);
	int64_t first = d == row ? p->in.first_row : d == column ? p->in.first_column : 0;
	int64_t n = d == row ? p->in.n_rows : d == column ? p->in.n_columns : sr_result_type(op, 0)->shape[d];
	return classified(sr_result_type(op, 0)->dtype, (double)first, (double)(first + n - 1));
}

static struct sr_strip_bounds of_op(struct sr_strip_prover *p, const struct sr_op *op, int row, int column, int depth)
{
	struct sr_strip_bounds operands[3];
	if (op->block != p->block || depth > MAX_NESTED || !sr_strip_knows_op(op) || op->n_operands > 3)
		return unknown;
	switch (sr_op_code_of(op)) {
	case SR_OP_stablehlo_iota: return of_iota(p, op, row, column);
	case SR_OP_stablehlo_dot_general: return finite_number;
	case SR_OP_stablehlo_reduce: return of_reduction(p, op, row);
	default: break;
	}
	for (int i = 0; i < op->n_operands; i++) {
		int own_row = operand_dim(p->ctx, op, i, row), own_column = operand_dim(p->ctx, op, i, column);
		operands[i] = sr_strip_bounds_of(p, sr_operand(op, i), own_row, own_column, depth + 1);
	}
	switch (sr_op_code_of(op)) {
	case SR_OP_stablehlo_broadcast_in_dim:
	case SR_OP_stablehlo_transpose:
	case SR_OP_stablehlo_reshape: return operands[0];
	default: return of_elementwise(op, operands);
	}
}

struct sr_strip_bounds sr_strip_bounds_of(struct sr_strip_prover *p, const struct sr_value *v, int row, int column, int depth)
{
	struct known *known = sr_map_get(&p->known, v);
	if (known && known->row == row && known->column == column)
		return known->bounds;
	known = SR_NEW(p->ctx->scratch, struct known);
	*known = (struct known){row, column, of_constant(p->ctx, v)};
	if (v->def && !sr_constant_value(v))
		known->bounds = of_op(p, v->def, row, column, depth);
	sr_map_put(&p->known, v, known);
	return known->bounds;
}
