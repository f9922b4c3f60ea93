/* Patterns of elementwise ops: constants to the right, neutral and absorbing elements, an op of one value with itself. */
#include "dialect/signature.h"
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "optimize/patterns/match.h"
#include "optimize/patterns/patterns.h"
#include <string.h>

static bool is_constant(const struct sr_value *v)
{
	return sr_match_def(v, SR_OP_stablehlo_constant) != NULL;
}

static bool is_integer(const struct sr_value *v)
{
	return v->type->kind == SR_TYPE_TENSOR && sr_dtype_is_integer(v->type->dtype);
}

/* op(constant, x) of a commutative op: op(x, constant). */
bool sr_pattern_constant_right(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *lhs = sr_operand(op, 0), *rhs = sr_operand(op, 1);
	if (!is_constant(lhs) || is_constant(rhs))
		return false;
	sr_op_set_operand(op, 0, rhs);
	sr_op_set_operand(op, 1, lhs);
	sr_rewrite_notify_modified(rw, op);
	return true;
}

/* op(x, c): x where c is neutral, c where it absorbs. */
enum { ONES = -1 }; /* all bits */
static const struct {
	enum sr_op_code code;
	int number;
	int kept; /* operand: 0 x, 1 c */
	bool integers;
} neutral[] = {
	{SR_OP_stablehlo_add, 0, 0, false},
	{SR_OP_stablehlo_and, 0, 1, true},
	{SR_OP_stablehlo_and, ONES, 0, true},
	{SR_OP_stablehlo_multiply, 0, 1, true}, /* a float may be NaN or infinite */
	{SR_OP_stablehlo_multiply, 1, 0, false},
	{SR_OP_stablehlo_or, 0, 0, true},
	{SR_OP_stablehlo_or, ONES, 1, true},
	{SR_OP_stablehlo_subtract, 0, 0, false},
	{SR_OP_stablehlo_xor, 0, 0, true},
};

bool sr_pattern_neutral(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *c = sr_operand(op, 1);
	for (size_t i = 0; i < sizeof neutral / sizeof *neutral; i++) {
		if (!sr_op_is(op, neutral[i].code) || (neutral[i].integers && !is_integer(c)))
			continue;
		if (neutral[i].number == ONES ? sr_is_splat_of_ones(rw->ctx, c) : sr_is_splat_of(rw->ctx, c, neutral[i].number))
			return sr_rewrite_to_value(rw, op, sr_operand(op, neutral[i].kept));
	}
	return false;
}

/* Return the operand that a broadcast, if v is one, repeats. */
static const struct sr_value *broadcast_of(const struct sr_value *v)
{
	const struct sr_op *broadcast = sr_match_def(v, SR_OP_stablehlo_broadcast_in_dim);
	return broadcast ? sr_operand(broadcast, 0) : v;
}

/* x * 1, x + -0 and x - 0 of floats: x, whatever x is. x + 0 is 0 where x is -0. Integers as sr_pattern_neutral has them. */
bool sr_pattern_exactly_neutral(struct sr_rewriter *rw, struct sr_op *op)
{
	static const struct {
		enum sr_op_code code;
		double number;
	} exact[] = {{SR_OP_stablehlo_multiply, 1}, {SR_OP_stablehlo_add, -0.0}, {SR_OP_stablehlo_subtract, 0}};
	if (is_integer(sr_operand(op, 0)))
		return sr_pattern_neutral(rw, op);
	bool commutes = !sr_op_is(op, SR_OP_stablehlo_subtract);
	for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
		for (int c = 1; c >= !commutes && sr_op_is(op, exact[i].code); c--)
			if (sr_is_splat_of_signed(rw->ctx, broadcast_of(sr_operand(op, c)), exact[i].number))
				return sr_rewrite_to_value(rw, op, sr_operand(op, 1 - c));
	return false;
}

/* x - x and x xor x, of integers: 0. */
bool sr_pattern_cancel(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_type *t = sr_result(op, 0)->type;
	if (sr_operand(op, 0) != sr_operand(op, 1) || !is_integer(sr_operand(op, 0)) || !sr_type_is_static(t))
		return false;
	return sr_rewrite_to_constant(rw, op, sr_splat_number(rw->ctx, t, 0));
}

/* ---------------------------------------------------------------- comparisons */

/* compare(constant, x): compare(x, constant), the other way round. */
bool sr_pattern_compare_constant_right(struct sr_rewriter *rw, struct sr_op *op)
{
	if (!sr_pattern_constant_right(rw, op))
		return false;
	struct sr_named_attr turned = sr_comparison_attr(rw->ctx, sr_comparison_swapped(sr_comparison_of(op)));
	sr_op_set_attr(rw->ctx, op, turned.name, turned.value);
	return true;
}

/* compare(x, x) of integers. */
bool sr_pattern_compare_same(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_type *t = sr_result(op, 0)->type;
	if (sr_operand(op, 0) != sr_operand(op, 1) || !is_integer(sr_operand(op, 0)) || !sr_type_is_static(t))
		return false;
	return sr_rewrite_to_constant(rw, op, sr_splat_number(rw->ctx, t, sr_comparison_holds_for_equal(sr_comparison_of(op))));
}

/* compare(NE, p, false) and compare(EQ, p, true) of i1: p. */
bool sr_pattern_compare_truth(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *p = sr_operand(op, 0), *c = sr_operand(op, 1);
	if (p->type->dtype != SR_I1)
		return false;
	enum sr_compare how = sr_comparison_of(op);
	bool same = (how == SR_NE && sr_is_splat_of(rw->ctx, c, 0)) || (how == SR_EQ && sr_is_splat_of_ones(rw->ctx, c));
	return same && sr_rewrite_to_value(rw, op, p);
}

/* ---------------------------------------------------------------- select */

/* One value either way, or a predicate that is all true or all false: that value. */
bool sr_pattern_select_known(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *p = sr_operand(op, 0);
	int kept = 0;
	if (sr_operand(op, 1) == sr_operand(op, 2) || sr_is_splat_of_ones(rw->ctx, p))
		kept = 1;
	else if (sr_is_splat_of(rw->ctx, p, 0))
		kept = 2;
	return kept && sr_rewrite_to_value(rw, op, sr_operand(op, kept));
}

/* select(not p, a, b): select(p, b, a); the same with a broadcast of not p that nobody else uses. */
bool sr_pattern_select_not(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *p = sr_operand(op, 0);
	struct sr_op *broadcast = sr_match_def(p, SR_OP_stablehlo_broadcast_in_dim);
	struct sr_op *inverse = sr_match_def(broadcast ? sr_operand(broadcast, 0) : p, SR_OP_stablehlo_not);
	if (!inverse || (broadcast && !sr_match_one_use(p)))
		return false;
	struct sr_value *operands[] = {sr_operand(inverse, 0), sr_operand(op, 2), sr_operand(op, 1)};
	if (broadcast) {
		struct sr_named_attr dims = {SR_NAME_broadcast_dimensions, sr_op_attr(broadcast, SR_NAME_broadcast_dimensions)};
		struct sr_op *made = sr_rewrite_create(rw, op, SR_OP_stablehlo_broadcast_in_dim, operands, 1, &dims, 1, p->type);
		operands[0] = sr_result(made, 0);
	}
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_select, operands, 3, NULL, 0);
}

/* ---------------------------------------------------------------- conversions */

/* convert to the type that it has: nothing. */
bool sr_pattern_same_type(struct sr_rewriter *rw, struct sr_op *op)
{
	return sr_rewrite_to_value(rw, op, sr_operand(op, 0));
}

/* real(complex(a, b)): a; imag: b. */
bool sr_pattern_part_of_complex(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_op *parts = sr_match_def(sr_operand(op, 0), SR_OP_stablehlo_complex);
	return parts && sr_rewrite_to_value(rw, op, sr_operand(parts, sr_op_is(op, SR_OP_stablehlo_imag)));
}

/* complex(real(z), imag(z)): z. */
bool sr_pattern_complex_of_parts(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_op *real = sr_match_def(sr_operand(op, 0), SR_OP_stablehlo_real),
			   *imag = sr_match_def(sr_operand(op, 1), SR_OP_stablehlo_imag);
	return real && imag && sr_operand(real, 0) == sr_operand(imag, 0) && sr_rewrite_to_value(rw, op, sr_operand(real, 0));
}
