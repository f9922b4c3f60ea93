/* Recognize the keys of a sort's comparator: compare LT or GT of the two copies of an operand, or for several keys x < y | (x ==
 * y & rest). */
#include "dialect/sort_keys.h"
#include "dialect/comparison.h"
#include <math.h>

/* Normalizations applied to a value before it is compared. */
enum { ZEROS_EQUAL = 1, NANS_EQUAL = 2 };

/* Read a scalar constant of a float type. */
static bool float_constant(struct sr_context *ctx, const struct sr_value *v, double *d)
{
	const struct sr_attr *a = sr_constant_value(v);
	int64_t n, i = 0;
	double im = 0;
	const void *data = a && sr_dtype_is_float(v->type->dtype) ? sr_dense_data(ctx, a, false, &n) : NULL;
	if (data)
		sr_element_get(v->type->dtype, data, &i, d, &im);
	return data;
}

static bool is_zero(struct sr_context *ctx, const struct sr_value *v)
{
	double d;
	return float_constant(ctx, v, &d) && d == 0;
}

static bool is_positive_nan(struct sr_context *ctx, const struct sr_value *v)
{
	double d;
	return float_constant(ctx, v, &d) && isnan(d) && !signbit(d);
}

static struct sr_op *match_compare(const struct sr_value *v, enum sr_compare direction)
{
	struct sr_op *op = v->def;
	return op && sr_op_is(op, SR_OP_stablehlo_compare) && sr_comparison_of(op) == direction ? op : NULL;
}

/* Return the block argument that v normalizes by select(x == 0, 0, x) and select(x != x, NaN, x), in any order, where x is the
 * argument or a partial normalization. NULL: another form. Adds the normalizations to *normalized. */
static const struct sr_value *key_argument(struct sr_context *ctx, const struct sr_value *v, int *normalized)
{
	const struct sr_op *op = v->def, *test;
	const struct sr_value *from;
	if (!op)
		return v;
	if (!sr_op_is(op, SR_OP_stablehlo_select))
		return NULL;
	from = key_argument(ctx, sr_operand(op, 2), normalized);
	if (!from)
		return NULL;
	const struct sr_value *chosen = sr_operand(op, 1), *condition = sr_operand(op, 0);
	if ((test = match_compare(condition, SR_EQ)) && is_zero(ctx, chosen) && is_zero(ctx, sr_operand(test, 1)))
		*normalized |= ZEROS_EQUAL;
	else if ((test = match_compare(condition, SR_NE)) && is_positive_nan(ctx, chosen) && sr_operand(test, 0) == sr_operand(test, 1))
		*normalized |= NANS_EQUAL;
	else
		return NULL;
	return sr_operand(test, 0) == from || sr_operand(test, 0) == sr_operand(op, 2) ? from : NULL;
}

/* Read a compare of the two copies of one operand, possibly normalized so that zeros and NaNs are equal (JAX's sort). Return
 * false if `v` is not such a compare. The caller checks the direction. */
static bool read_compare(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v, struct sr_sort_key *key)
{
	const struct sr_block *block = op->regions[0].first;
	const struct sr_op *cmp = v->def;
	if (!cmp || !sr_op_is(cmp, SR_OP_stablehlo_compare) || cmp->block != block)
		return false;
	int normalized[2] = {0, 0};
	const struct sr_value *x = key_argument(ctx, sr_operand(cmp, 0), &normalized[0]);
	const struct sr_value *y = key_argument(ctx, sr_operand(cmp, 1), &normalized[1]);
	key->total = sr_comparison_type_is(cmp, "TOTALORDER");
	key->descending = sr_comparison_of(cmp) == SR_GT;
	if (normalized[0] != normalized[1] || (normalized[0] && (!key->total || normalized[0] != (ZEROS_EQUAL | NANS_EQUAL))))
		return false;
	if (normalized[0])
		key->total = 2;
	for (key->operand = 0; x && y && key->operand < op->n_operands; key->operand++)
		if (x == block->args[2 * key->operand] && y == block->args[2 * key->operand + 1])
			return true;
	return false;
}

static bool is_less(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v, struct sr_sort_key *key)
{
	return read_compare(ctx, op, v, key) && (sr_comparison_of(v->def) == SR_LT || sr_comparison_of(v->def) == SR_GT);
}

/* Return true if v is x == y for the operand of the key. The key's order must be total, since in the plain order NaN is not
 * equal to itself. */
static bool is_equal(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v, const struct sr_sort_key *key)
{
	struct sr_sort_key of;
	return read_compare(ctx, op, v, &of) && sr_comparison_of(v->def) == SR_EQ && of.operand == key->operand &&
	       of.total == key->total;
}

static bool is_total_order(const struct sr_op *op, const struct sr_sort_key *key)
{
	enum sr_dtype t = sr_operand(op, key->operand)->type->dtype;
	return !sr_dtype_is_complex(t) && (!sr_dtype_is_float(t) || key->total);
}

static const struct sr_op *defined_by(const struct sr_value *v, enum sr_op_code code)
{
	return v->def && sr_op_is(v->def, code) ? v->def : NULL;
}

/* Split v = x < y | (x == y & rest), with the operands of | and & in any order: set *key and return `rest`. Return NULL if v
 * has another form. */
static const struct sr_value *split_keys(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v,
					 struct sr_sort_key *key)
{
	const struct sr_op *either = defined_by(v, SR_OP_stablehlo_or);
	for (int i = 0; either && i < 2; i++) {
		const struct sr_op *both = defined_by(sr_operand(either, 1 - i), SR_OP_stablehlo_and);
		if (!both || !is_less(ctx, op, sr_operand(either, i), key) || !is_total_order(op, key))
			continue;
		for (int j = 0; j < 2; j++)
			if (is_equal(ctx, op, sr_operand(both, j), key))
				return sr_operand(both, 1 - j);
	}
	return NULL;
}

int sr_sort_keys(struct sr_context *ctx, const struct sr_op *op, struct sr_sort_key keys[SR_SORT_KEYS])
{
	const struct sr_op *end = sr_block_terminator(op->regions[0].first);
	const struct sr_value *v = end->n_operands == 1 ? sr_operand(end, 0) : NULL, *rest;
	int n = 0;
	while (v && n < SR_SORT_KEYS - 1 && (rest = split_keys(ctx, op, v, &keys[n]))) {
		v = rest;
		n++;
	}
	return v && is_less(ctx, op, v, &keys[n]) && (!n || is_total_order(op, &keys[n])) ? n + 1 : 0;
}
