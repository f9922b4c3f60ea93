/* stablehlo-complex-math-expander: rewrite exponential, log, log_plus_one and sqrt of complex numbers as ops on real numbers,
 * accurate to a few units in the last place on the entire plane.
 *
 * Near the unit circle, a logarithm is half of log1p(|z|^2 - 1); |z|^2 - 1 is summed with the rounding errors of its squares and
 * sums (Dekker's product, Knuth's sum: T. J. Dekker, A floating-point technique for extending the available precision, Numer. Math.
 * 18, 1971). Elsewhere it is log(m) + log1p((n/m)^2)/2, where m is the larger part. sqrt scales arguments that would overflow or
 * lose bits. */
#include "optimize/legalize/formula.h"
#include "optimize/pass_functions.h"
#include "support/vec.h"

/* Text of formulas for exact arithmetic: p + e = a * a and s + g = a + b, exactly; C is the constant that splits a number into
 * halves. */
#define SQUARE(a, p, e, C) \
	"t" a " = " C " * " a "; h" a " = t" a " - (t" a " - " a "); l" a " = " a " - h" a "; " p " = " a " * " a "; " e \
	" = ((h" a " * h" a " - " p ") + 2 * (h" a " * l" a ")) + l" a " * l" a "; "
#define SUM(a, b, s, g) s " = " a " + " b "; r" s " = " s " - " a "; " g " = (" a " - (" s " - r" s ")) + (" b " - r" s "); "

#define PARTS "x = real(z); like x; y = imag(z); "
/* Text of the formula for log |(u, y)| far from the unit circle; m is the larger of |u| and |y|. */
#define FAR(u) \
	"au = abs(" u "); ay = abs(y); m = maximum(au, ay); n = minimum(au, ay); ratio = select(m == n, 1, n / m); " \
	"far = log(m) + 0.5 * log_plus_one(ratio * ratio); "
#define LOG(C) \
	PARTS FAR("x") SQUARE("m", "p", "e", C) SQUARE("n", "q", "f", C) "one = -1; " SUM("p", "one", "d", "k") \
		SUM("d", "q", "s", "g") "v = s + ((e + f) + (g + k)); near = 0.5 * log_plus_one(v); w = p + q; complex(select((w " \
					"> 0.5) & (w < 2), near, far), atan2(y, x))"
#define LOG_PLUS_ONE(C) \
	PARTS "u = x + 1; " FAR("u") SQUARE("x", "p", "e", C) SQUARE("y", "q", "f", C) "a = x + x; " SUM("a", "p", "d", "k") SUM( \
		"d", "q", "s", "g") "v = s + ((e + f) + (g + k)); near = 0.5 * log_plus_one(v); " \
				    "complex(select(((abs(x) < 3) & (ay < 3)) & ((v > -0.5) & (v < 2)), near, far), atan2(y, u))"
#define EXPONENTIAL \
	PARTS "e = exponential(x); h = exponential(0.5 * x); c = cosine(y); s = sine(y); big = e == inf; zero = y == 0; " \
	"re = select(zero, e, select(big, (h * c) * h, e * c)); " \
	"im = select(zero, y, select(big, (h * s) * h, e * s)); complex(re, im)"
#define SQRT \
	PARTS "ax = abs(x); ay = abs(y); m = maximum(ax, ay); big = m > 0.25 * max_finite; small = m < 1073741824 * min_normal; " \
	      "scale = select(big, 0.0625, select(small, 18446744073709551616, 1)); back = select(big, 4, select(small, " \
	      "2.3283064365386963e-10, 1)); " \
	      "a = ax * scale; b = ay * scale; p = maximum(a, b); n = minimum(a, b); ratio = select(p == n, 1, n / p); " \
	      "length = p * sqrt(1 + ratio * ratio); t = sqrt(0.5 * a + 0.5 * length); r = t * back; o = b / (t + t) * back; " \
	      "negative = atan2(y, -1) < 0; right = x >= 0; re = select(right, r, o); im = select(right, o, r); signed = " \
	      "select(negative, -im, im); " \
	      "endless = ay == inf; zero = m == 0; complex(select(endless, inf, select(zero, 0, re)), select(endless | zero, y, " \
	      "signed))"

static const struct sr_formula formulas[] = {
	{"exponential_f32", {"z"}, EXPONENTIAL},
	{"exponential_f64", {"z"}, EXPONENTIAL},
	{"log_f32", {"z"}, LOG("4097")},
	{"log_f64", {"z"}, LOG("134217729")},
	{"log_plus_one_f32", {"z"}, LOG_PLUS_ONE("4097")},
	{"log_plus_one_f64", {"z"}, LOG_PLUS_ONE("134217729")},
	{"sqrt_f32", {"z"}, SQRT},
	{"sqrt_f64", {"z"}, SQRT},
	{0},
};

/* For each op: formulas of the real and the imaginary part in f32, then in f64. */
static const struct {
	enum sr_op_code code;
	int formula;
} rows[] = {
	{SR_OP_stablehlo_exponential, 0}, {SR_OP_stablehlo_log, 2}, {SR_OP_stablehlo_log_plus_one, 4}, {SR_OP_stablehlo_sqrt, 6}};

struct expander {
	struct sr_context *ctx;
	SR_VEC(struct sr_op *) worklist;
};

static bool collect(void *data, struct sr_op *op)
{
	struct expander *x = data;
	if (op->n_operands == 1 && sr_dtype_is_complex(sr_operand(op, 0)->type->dtype))
		sr_push(x->ctx->arena, &x->worklist, op);
	return true;
}

enum sr_status sr_run_complex_math_expander(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct expander x = {.ctx = ctx};
	(void)options;
	sr_walk(root, collect, &x);
	for (size_t i = 0; i < x.worklist.n; i++) {
		struct sr_op *op = x.worklist.data[i];
		struct sr_builder b = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc};
		struct sr_value *z = sr_operand(op, 0);
		for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
			if (!sr_op_is(op, rows[k].code))
				continue;
			sr_value_replace_all(sr_result(op, 0),
					     sr_formula_build(&b, &formulas[rows[k].formula + (z->type->dtype == SR_C128)], &z,
							      NULL, NULL, NULL));
			sr_op_erase(op);
			break;
		}
	}
	return SR_OK;
}
