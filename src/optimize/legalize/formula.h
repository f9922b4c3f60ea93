/* Formulas: elementwise programs as text, compiled to chains of ops.
 *
 *	"half = 0.5; small = abs(x) < half; select(small, x * poly(x * x, 3, 2, 1), log_plus_one(x))"
 *
 * Statements are separated by ';', `name = expression` names a value, the last one is the result. From loose to tight: a | b, a &
 * b, the comparisons < <= > >= == !=, + -, * /, unary -. Ops are made in the order of reading, depth first, left to right; a number
 * is a constant where it stands (a minus before it belongs to it), of the type of the first parameter, or of the value last named
 * by `like name`.
 *
 *	inf, ninf, nan, pi, max_finite, min_normal, min_positive     constants of that type
 *	sign_mask, magnitude_mask, half_width                        of an integer type: the top bit, all others; half its bits
 *	poly(x, c0, ..., cn)                                         Horner: ((c0 * x + c1) * x + ...) + cn
 *	chebyshev(x, c0, ..., cn)                                    Clenshaw's recurrence for the series, as Cephes has it
 *	bits(x), first(v), cast(v), wide(x), unsigned(x)             x's bits as an integer; v bitcast, or converted, to the first parameter's type;
 *	                                                             an integer of twice the width; an unsigned one of the same width
 *	anything else                                                a formula of the list given, else stablehlo's op of that name, else chlo's */
#ifndef SR_OPTIMIZE_FORMULA_H
#define SR_OPTIMIZE_FORMULA_H

#include "dialect/ops.h"

enum { SR_FORMULA_PARAMETERS = 2 };

struct sr_formula {
	const char *name;
	const char *parameters[SR_FORMULA_PARAMETERS]; /* NULL: no more */
	const char *text;
};

/* The value of the formula on these operands, built at b. `list` (ended by a row without name) holds what it may call; may be NULL.
 * chlo ops made on the way are handed to `made`. A mistake in the text is one of the program itself: it aborts. */
struct sr_value *sr_formula_build(struct sr_builder *b, const struct sr_formula *formula, struct sr_value *const *operands,
				  const struct sr_formula *list, void (*made)(void *data, struct sr_op *op), void *data);

#endif
