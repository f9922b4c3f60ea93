/* Patterns of elementwise ops: constants on the right, identity and absorbing elements, equal operands. */
#include "dialect/signature.h"
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "optimize/patterns/match.h"
#include "optimize/patterns/patterns.h"
#include <string.h>

static bool is_constant(const struct sr_value *v)
{
	return sr_value_def_of(v, SR_OP_stablehlo_constant) != NULL;
}

static bool is_integer(const struct sr_value *v)
{
	return v->type->kind == SR_TYPE_TENSOR && sr_dtype_is_integer(v->type->dtype);
}

/* op(constant, x) of a commutative op -> op(x, constant). */
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

/* Table for sr_pattern_identity_element: op(x, c) -> x if c is the identity element; -> c if c is absorbing (x * 0). */
enum { ONES = -1 }; /* ONES stands for an integer with all bits set */
static const struct {
	enum sr_op_code code;
	int number;
	int kept_operand; /* operand that replaces the op: 0 for x, 1 for c */
	bool integers_only;
} identity_operands[] = {
	{SR_OP_stablehlo_add, 0, 0, false},
	{SR_OP_stablehlo_and, 0, 1, true},
	{SR_OP_stablehlo_and, ONES, 0, true},
	{SR_OP_stablehlo_multiply, 0, 1, true}, /* x * 0 -> 0 is not applied to floats, since x may be NaN or infinite */
	{SR_OP_stablehlo_multiply, 1, 0, false},
	{SR_OP_stablehlo_or, 0, 0, true},
	{SR_OP_stablehlo_or, ONES, 1, true},
	{SR_OP_stablehlo_subtract, 0, 0, false},
	{SR_OP_stablehlo_xor, 0, 0, true},
};

bool sr_pattern_identity_element(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *c = sr_operand(op, 1);
	for (size_t i = 0; i < sizeof identity_operands / sizeof *identity_operands; i++) {
		if (!sr_op_is(op, identity_operands[i].code) || (identity_operands[i].integers_only && !is_integer(c)))
			continue;
		if (identity_operands[i].number == ONES ? sr_is_splat_of_ones(rw->ctx, c)
							: sr_is_splat_of(rw->ctx, c, identity_operands[i].number))
			return sr_rewrite_to_value(rw, op, sr_operand(op, identity_operands[i].kept_operand));
	}
	return false;
}

/* Return the operand of a broadcast; v itself if it is not a broadcast. */
static const struct sr_value *broadcast_of(const struct sr_value *v)
{
	const struct sr_op *broadcast = sr_value_def_of(v, SR_OP_stablehlo_broadcast_in_dim);
	return broadcast ? sr_operand(broadcast, 0) : v;
}

/* x * 1, x + -0, x - 0 of floats -> x, for all x. (x + 0 is 0 for x = -0.) Integers as in sr_pattern_identity_element. */
bool sr_pattern_exact_identity_element(struct sr_rewriter *rw, struct sr_op *op)
{
	static const struct {
		enum sr_op_code code;
		double number;
	} exact_identities[] = {{SR_OP_stablehlo_multiply, 1}, {SR_OP_stablehlo_add, -0.0}, {SR_OP_stablehlo_subtract, 0}};
	if (is_integer(sr_operand(op, 0)))
		return sr_pattern_identity_element(rw, op);
	bool commutes = !sr_op_is(op, SR_OP_stablehlo_subtract);
	for (size_t i = 0; i < sizeof exact_identities / sizeof *exact_identities; i++)
		for (int c = 1; c >= !commutes && sr_op_is(op, exact_identities[i].code); c--)
			if (sr_is_splat_of_signed(rw->ctx, broadcast_of(sr_operand(op, c)), exact_identities[i].number))
				return sr_rewrite_to_value(rw, op, sr_operand(op, 1 - c));
	return false;
}

/* x - x, x xor x of integers -> 0. */
bool sr_pattern_equal_operands(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_type *t = sr_result(op, 0)->type;
	if (sr_operand(op, 0) != sr_operand(op, 1) || !is_integer(sr_operand(op, 0)) || !sr_type_is_static(t))
		return false;
	return sr_rewrite_to_constant(rw, op, sr_splat_number(rw->ctx, t, 0));
}

/* ---------------------------------------------------------------- comparisons */

/* compare(constant, x) -> compare(x, constant) with the mirrored direction. */
bool sr_pattern_compare_constant_right(struct sr_rewriter *rw, struct sr_op *op)
{
	if (!sr_pattern_constant_right(rw, op))
		return false;
	struct sr_named_attr mirrored_direction = sr_comparison_attr(rw->ctx, sr_comparison_swapped(sr_comparison_of(op)));
	sr_op_set_attr(rw->ctx, op, mirrored_direction.name, mirrored_direction.value);
	return true;
}

/* compare(x, x) of integers -> constant. */
bool sr_pattern_compare_same(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_type *t = sr_result(op, 0)->type;
	if (sr_operand(op, 0) != sr_operand(op, 1) || !is_integer(sr_operand(op, 0)) || !sr_type_is_static(t))
		return false;
	return sr_rewrite_to_constant(rw, op, sr_splat_number(rw->ctx, t, sr_comparison_holds_for_equal(sr_comparison_of(op))));
}

/* compare(NE, p, false), compare(EQ, p, true) of i1 -> p. */
bool sr_pattern_compare_with_bool(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *p = sr_operand(op, 0), *c = sr_operand(op, 1);
	if (p->type->dtype != SR_I1)
		return false;
	enum sr_compare how = sr_comparison_of(op);
	bool is_operand = (how == SR_NE && sr_is_splat_of(rw->ctx, c, 0)) || (how == SR_EQ && sr_is_splat_of_ones(rw->ctx, c));
	return is_operand && sr_rewrite_to_value(rw, op, p);
}

/* ---------------------------------------------------------------- select */

/* select(p, a, a), or select with constant p -> the selected value. */
bool sr_pattern_select_one_value(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *p = sr_operand(op, 0);
	int kept_operand = 0;
	if (sr_operand(op, 1) == sr_operand(op, 2) || sr_is_splat_of_ones(rw->ctx, p))
		kept_operand = 1;
	else if (sr_is_splat_of(rw->ctx, p, 0))
		kept_operand = 2;
	return kept_operand && sr_rewrite_to_value(rw, op, sr_operand(op, kept_operand));
}

/* select(not p, a, b) -> select(p, b, a); also with a broadcast of not p that has one use. */
bool sr_pattern_select_not(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *p = sr_operand(op, 0);
	struct sr_op *broadcast = sr_value_def_of(p, SR_OP_stablehlo_broadcast_in_dim);
	struct sr_op *inverse = sr_value_def_of(broadcast ? sr_operand(broadcast, 0) : p, SR_OP_stablehlo_not);
	if (!inverse || (broadcast && !sr_value_has_one_use(p)))
		return false;
	struct sr_value *operands[] = {sr_operand(inverse, 0), sr_operand(op, 2), sr_operand(op, 1)};
	if (broadcast) {
		struct sr_named_attr dims = {SR_NAME_broadcast_dimensions, sr_op_attr(broadcast, SR_NAME_broadcast_dimensions)};
		struct sr_op *new_op = sr_rewrite_create(rw, op, SR_OP_stablehlo_broadcast_in_dim, operands, 1, &dims, 1, p->type);
		operands[0] = sr_result(new_op, 0);
	}
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_select, operands, 3, NULL, 0);
}

/* select(p, true, false) -> p; select(p, false, true) -> not p. PyTorch/XLA writes the body of a logical reduction with it. */
bool sr_pattern_select_truth(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *p = sr_operand(op, 0), *x = sr_operand(op, 1), *y = sr_operand(op, 2);
	if (p->type != sr_result_type(op, 0))
		return false;
	if (sr_is_splat_of_ones(rw->ctx, x) && sr_is_splat_of(rw->ctx, y, 0))
		return sr_rewrite_to_value(rw, op, p);
	return sr_is_splat_of(rw->ctx, x, 0) && sr_is_splat_of_ones(rw->ctx, y) &&
	       sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_not, &p, 1, NULL, 0);
}

/* ---------------------------------------------------------------- conversions */

/* convert to the operand's own type -> operand. */
bool sr_pattern_convert_noop(struct sr_rewriter *rw, struct sr_op *op)
{
	return sr_rewrite_to_value(rw, op, sr_operand(op, 0));
}

/* real(complex(a, b)) -> a; imag(complex(a, b)) -> b. */
bool sr_pattern_real_imag_of_complex(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_op *complex_op = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_complex);
	return complex_op && sr_rewrite_to_value(rw, op, sr_operand(complex_op, sr_op_is(op, SR_OP_stablehlo_imag)));
}

/* complex(real(z), imag(z)) -> z. */
bool sr_pattern_complex_of_real_imag(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_op *real_op = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_real),
			   *imag_op = sr_value_def_of(sr_operand(op, 1), SR_OP_stablehlo_imag);
	return real_op && imag_op && sr_operand(real_op, 0) == sr_operand(imag_op, 0) &&
	       sr_rewrite_to_value(rw, op, sr_operand(real_op, 0));
}
