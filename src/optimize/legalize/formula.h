/* Formulas: elementwise functions as text, compiled to ops.
 *
 *	"half = 0.5; small = abs(x) < half; select(small, x * poly(x * x, 3, 2, 1), log_plus_one(x))"
 *
 * Statements are separated by ';'. `name = expression` defines a value; the last statement is the result. Operators by increasing
 * precedence: |, &, comparisons < <= > >= == !=, + -, * /, unary -. Ops are created in reading order, depth first, left to right. A
 * number becomes a constant in the place where it is read (a minus before it belongs to it), with the type of the first parameter,
 * or of the value that the last `like name` statement names.
 *
 *	inf, ninf, nan, pi, max_finite, min_normal, min_positive     constants of that type
 *	sign_mask, magnitude_mask, half_width                        of an integer type: the top bit, all other bits; half the width
 *	poly(x, c0, ..., cn)                                         Horner: ((c0 * x + c1) * x + ...) + cn
 *	chebyshev(x, c0, ..., cn)                                    Chebyshev series by Clenshaw's recurrence, as in Cephes
 *	bits(x)                                                      bitcast of x to an integer
 *	first(v), cast(v)                                            bitcast, or conversion, of v to the first parameter's type
 *	wide(x), unsigned(x)                                         conversion to an integer of twice the width; to an unsigned one
 *	any other name                                               a formula of the given list, else the op in stablehlo, else in
 * chlo */
#ifndef SR_OPTIMIZE_FORMULA_H
#define SR_OPTIMIZE_FORMULA_H

#include "dialect/ops.h"

enum { SR_FORMULA_PARAMETERS = 2 };

struct sr_formula {
	const char *name;
	const char *parameters[SR_FORMULA_PARAMETERS]; /* names of the parameters; NULL after the last one */
	const char *text;
};

/* Build the formula at b on these operands and return its value. `list` holds the formulas that this one may call; it ends with a
 * row with NULL name, or is NULL. New ops of the chlo dialect are passed to on_created. A syntax error in the text is a bug and
 * aborts. */
struct sr_value *sr_formula_build(struct sr_builder *b, const struct sr_formula *formula, struct sr_value *const *operands,
				  const struct sr_formula *list, void (*on_created)(void *data, struct sr_op *op), void *data);

#endif
