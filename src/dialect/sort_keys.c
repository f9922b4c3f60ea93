/* Recognize the keys of a sort's comparator: compare LT or GT of the two arguments of an operand or, for several keys, x < y | (x
 * == y & c), where c compares the other keys in the same way. */
#include "dialect/sort_keys.h"
#include "dialect/comparison.h"
#include <math.h>

/* Normalizations applied to a value before it is compared. */
enum { EQUAL_ZEROS = 1, EQUAL_NANS = 2 };

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
static const struct sr_value *find_key_argument(struct sr_context *ctx, const struct sr_value *v, int *normalizations)
{
	const struct sr_op *op = v->def, *compare_op;
	const struct sr_value *argument;
	if (!op)
		return v;
	if (!sr_op_is(op, SR_OP_stablehlo_select))
		return NULL;
	argument = find_key_argument(ctx, sr_operand(op, 2), normalizations);
	if (!argument)
		return NULL;
	const struct sr_value *replacement = sr_operand(op, 1), *condition = sr_operand(op, 0);
	if ((compare_op = match_compare(condition, SR_EQ)) && is_zero(ctx, replacement) && is_zero(ctx, sr_operand(compare_op, 1)))
		*normalizations |= EQUAL_ZEROS;
	else if ((compare_op = match_compare(condition, SR_NE)) && is_positive_nan(ctx, replacement) &&
		 sr_operand(compare_op, 0) == sr_operand(compare_op, 1))
		*normalizations |= EQUAL_NANS;
	else
		return NULL;
	return sr_operand(compare_op, 0) == argument || sr_operand(compare_op, 0) == sr_operand(op, 2) ? argument : NULL;
}

/* Read a compare of the two copies of one operand, possibly normalized so that zeros and NaNs are equal (JAX's sort). Return
 * false if `v` is not such a compare. The caller checks the direction. */
static bool read_compare(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v, struct sr_sort_key *key)
{
	const struct sr_block *block = op->regions[0].first;
	const struct sr_op *cmp = v->def;
	if (!cmp || !sr_op_is(cmp, SR_OP_stablehlo_compare) || cmp->block != block)
		return false;
	int normalizations[2] = {0, 0};
	const struct sr_value *x = find_key_argument(ctx, sr_operand(cmp, 0), &normalizations[0]);
	const struct sr_value *y = find_key_argument(ctx, sr_operand(cmp, 1), &normalizations[1]);
	key->float_order = sr_comparison_type_is(cmp, "TOTALORDER");
	key->is_descending = sr_comparison_of(cmp) == SR_GT;
	if (normalizations[0] != normalizations[1] ||
	    (normalizations[0] && (!key->float_order || normalizations[0] != (EQUAL_ZEROS | EQUAL_NANS))))
		return false;
	if (normalizations[0])
		key->float_order = 2;
	for (key->operand = 0; x && y && key->operand < op->n_operands; key->operand++)
		if (x == block->args[2 * key->operand] && y == block->args[2 * key->operand + 1])
			return true;
	return false;
}

static bool is_less_or_greater(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v, struct sr_sort_key *key)
{
	return read_compare(ctx, op, v, key) && (sr_comparison_of(v->def) == SR_LT || sr_comparison_of(v->def) == SR_GT);
}

/* Return true if v is x == y for the operand of the key. The key's order must be total, since in the plain order NaN is not
 * equal to itself. */
static bool is_equal(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v, const struct sr_sort_key *key)
{
	struct sr_sort_key equal_key;
	return read_compare(ctx, op, v, &equal_key) && sr_comparison_of(v->def) == SR_EQ && equal_key.operand == key->operand &&
	       equal_key.float_order == key->float_order;
}

static bool is_total_order(const struct sr_op *op, const struct sr_sort_key *key)
{
	enum sr_dtype t = sr_operand(op, key->operand)->type->dtype;
	return !sr_dtype_is_complex(t) && (!sr_dtype_is_float(t) || key->float_order);
}

/* Split v = x < y | (x == y & c), with the operands of | and & in any order: set *key and return c. Return NULL if v
 * has another form. */
static const struct sr_value *split_keys(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v,
					 struct sr_sort_key *key)
{
	const struct sr_op *or_op = sr_value_def_of(v, SR_OP_stablehlo_or);
	for (int i = 0; or_op && i < 2; i++) {
		const struct sr_op *and_op = sr_value_def_of(sr_operand(or_op, 1 - i), SR_OP_stablehlo_and);
		if (!and_op || !is_less_or_greater(ctx, op, sr_operand(or_op, i), key) || !is_total_order(op, key))
			continue;
		for (int j = 0; j < 2; j++)
			if (is_equal(ctx, op, sr_operand(and_op, j), key))
				return sr_operand(and_op, 1 - j);
	}
	return NULL;
}

int sr_sort_keys(struct sr_context *ctx, const struct sr_op *op, struct sr_sort_key keys[SR_SORT_KEYS])
{
	const struct sr_op *terminator = sr_block_terminator(op->regions[0].first);
	const struct sr_value *v = terminator->n_operands == 1 ? sr_operand(terminator, 0) : NULL, *next_keys;
	int n = 0;
	while (v && n < SR_SORT_KEYS - 1 && (next_keys = split_keys(ctx, op, v, &keys[n]))) {
		v = next_keys;
		n++;
	}
	return v && is_less_or_greater(ctx, op, v, &keys[n]) && (!n || is_total_order(op, &keys[n])) ? n + 1 : 0;
}
