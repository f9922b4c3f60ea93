/* What an integer of a counted loop's body is in a round, such as the index of the slice that the round writes: evaluated from the
 * counter and constants, with no more of the language than indices are made of. */
#include "dialect/comparison.h"
#include "dialect/ops.h"
#include "dialect/trip_count.h"
#include "support/checked.h"

enum { MOST_DEEP = 32, MOST_OPERANDS = 3 };

struct round {
	struct sr_context *ctx;
	const struct sr_op *loop;
	const struct sr_induction_variable *counter;
	int64_t number;
};

static bool evaluate(const struct round *r, const struct sr_value *v, int deep, int64_t *out);

static bool compare(const struct sr_op *op, int64_t x, int64_t y)
{
	switch (sr_comparison_of(op)) {
	case SR_EQ:
		return x == y;
	case SR_NE:
		return x != y;
	case SR_LT:
		return x < y;
	case SR_LE:
		return x <= y;
	case SR_GT:
		return x > y;
	case SR_GE:
		return x >= y;
	}
	return false;
}

/* x[op->n_operands]; false where the result is no number of 64 bits, or the op none of these. */
static bool apply(const struct sr_op *op, const int64_t *x, int64_t *out)
{
	switch (sr_op_code_of(op)) {
	case SR_OP_stablehlo_add:
		return !sr_add_overflows(x[0], x[1], out);
	case SR_OP_stablehlo_subtract:
		return !sr_sub_overflows(x[0], x[1], out);
	case SR_OP_stablehlo_multiply:
		return !sr_mul_overflows(x[0], x[1], out);
	case SR_OP_stablehlo_negate:
		return !sr_sub_overflows((int64_t)0, x[0], out);
	case SR_OP_stablehlo_minimum:
		*out = x[0] < x[1] ? x[0] : x[1];
		return true;
	case SR_OP_stablehlo_maximum:
		*out = x[0] > x[1] ? x[0] : x[1];
		return true;
	case SR_OP_stablehlo_compare:
		*out = compare(op, x[0], x[1]);
		return true;
	case SR_OP_stablehlo_select:
		*out = x[0] ? x[1] : x[2];
		return true;
	case SR_OP_stablehlo_convert:
	case SR_OP_stablehlo_reshape:
		*out = x[0];
		return true;
	default:
		return false;
	}
}

/* The number as one of this type: false where it would wrap. */
static bool fits(enum sr_dtype type, int64_t number)
{
	char element[16] = {0};
	int64_t back = 0;
	sr_element_set(type, element, number, (double)number, 0);
	sr_element_get(type, element, &back, NULL, NULL);
	return back == number;
}

static bool of_argument(const struct round *r, const struct sr_value *v, int deep, int64_t *out)
{
	const struct sr_block *body = r->loop->regions[1].first;
	if (v->block != body)
		return false;
	if (v->index == r->counter->state)
		return !sr_mul_overflows(r->counter->by, r->number, out) && !sr_add_overflows(r->counter->from, *out, out);
	bool passed = sr_operand(sr_block_terminator(body), v->index) == v;
	return passed && evaluate(r, sr_operand(r->loop, v->index), deep + 1, out);
}

static bool evaluate(const struct round *r, const struct sr_value *v, int deep, int64_t *out)
{
	int64_t x[MOST_OPERANDS] = {0}, elements;
	if (deep > MOST_DEEP || !sr_type_elements(v->type, &elements) || elements != 1 ||
	    !sr_dtype_is_integer(v->type->dtype))
		return false;
	if (!v->def)
		return of_argument(r, v, deep, out) && fits(v->type->dtype, *out);
	if (sr_constant_integer(r->ctx, v, out))
		return true;
	if (v->def->n_operands > MOST_OPERANDS || v->def->n_results != 1)
		return false;
	for (int i = 0; i < v->def->n_operands; i++)
		if (!evaluate(r, sr_operand(v->def, i), deep + 1, &x[i]))
			return false;
	return apply(v->def, x, out) && fits(v->type->dtype, *out);
}

bool sr_loop_evaluate_integer(struct sr_context *ctx, const struct sr_op *loop, const struct sr_induction_variable *counter,
		    const struct sr_value *v, int64_t round, int64_t *out)
{
	return evaluate(&(struct round){ctx, loop, counter, round}, v, 0, out);
}
