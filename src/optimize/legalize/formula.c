/* Compiler of formulas: recursive descent over the text, where each rule builds ops and returns the resulting value. */
#include "optimize/legalize/formula.h"
#include "dialect/comparison.h"
#include "dialect/attr_names.h"
#include "dialect/signature.h"
#include "optimize/legalize/chlo/shapes.h"
#include "support/bug.h"
#include "support/vec.h"
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct binding {
	const char *name; /* name of the defined value: pointer into the formula's text, length n */
	size_t n;
	struct sr_value *value;
};

struct compiler {
	struct sr_builder *b;
	const struct sr_formula *formula, *list;
	const char *at;
	struct sr_value *first; /* value of the formula's first parameter */
	struct sr_value *shape_source; /* value whose shape and element type the formula's constants get */
	SR_VEC(struct binding) names;
	void (*on_created)(void *data, struct sr_op *op);
	void *data;
};

typedef SR_VEC(struct sr_value *) value_vec;

static struct sr_value *expression(struct compiler *c);

static _Noreturn void syntax_error(const struct compiler *c, const char *problem)
{
	sr_bug("formula '%s': %s at '%.40s'", c->formula->name, problem, c->at);
}

/* ---------------------------------------------------------------- tokens */

static void skip(struct compiler *c)
{
	while (isspace((unsigned char)*c->at))
		c->at++;
}

static bool accept_word(struct compiler *c, const char *word)
{
	size_t n = strlen(word);
	skip(c);
	if (strncmp(c->at, word, n) != 0)
		return false;
	c->at += n;
	return true;
}

static void expect(struct compiler *c, const char *word)
{
	if (!accept_word(c, word))
		syntax_error(c, word);
}

static size_t take_name(struct compiler *c, const char **name)
{
	skip(c);
	*name = c->at;
	if (isalpha((unsigned char)*c->at) || *c->at == '_')
		while (isalnum((unsigned char)*c->at) || *c->at == '_')
			c->at++;
	return (size_t)(c->at - *name);
}

static bool name_is(const char *name, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(name, word, n) == 0;
}

static struct sr_value *lookup(const struct compiler *c, const char *name, size_t n)
{
	for (size_t i = c->names.n; i > 0; i--)
		if (c->names.data[i - 1].n == n && memcmp(c->names.data[i - 1].name, name, n) == 0)
			return c->names.data[i - 1].value;
	return NULL;
}

static void bind_name(struct compiler *c, const char *name, size_t n, struct sr_value *value)
{
	sr_push(c->b->ctx->arena, &c->names, (struct binding){name, n, value});
}

/* ---------------------------------------------------------------- constants */

static struct sr_value *splat(struct compiler *c, int64_t i, double d)
{
	unsigned char element[16] = {0};
	sr_element_set(c->shape_source->type->dtype, element, i, d, 0);
	return sr_chlo_constant_like(c->b, c->shape_source->type->element, element, c->shape_source);
}

static struct sr_value *number(struct compiler *c)
{
	char *end;
	double d = strtod(c->at, &end);
	if (end == c->at)
		syntax_error(c, "expected a number");
	c->at = end;
	return splat(c, sr_dtype_is_integer(c->shape_source->type->dtype) ? (int64_t)d : 0, d);
}

static bool is_representable(enum sr_dtype t, double v)
{
	double rounded_value = sr_float_decode(t, sr_float_encode(t, v));
	return isfinite(rounded_value) && rounded_value == v;
}

/* Return the largest finite value of a float type: the largest power of two plus all smaller powers of two that fit in the
 * significand. */
static double largest_finite(enum sr_dtype t)
{
	double v = 1;
	while (isfinite(2 * v) && is_representable(t, 2 * v))
		v *= 2;
	for (double step = v / 2; v + step != v; step /= 2)
		if (isfinite(v + step) && is_representable(t, v + step))
			v += step;
	return v;
}

/* Return the smallest positive value of a float type, or, if is_normal, the smallest value at which the type has full precision.
 * The values of f64 are constants, because the search computes in f64. */
static double smallest_positive(enum sr_dtype t, bool is_normal)
{
	double v = 1, eps = 1;
	if (t == SR_F64)
		return is_normal ? DBL_MIN : DBL_TRUE_MIN;
	while (is_representable(t, 1 + eps / 2))
		eps /= 2;
	while (is_representable(t, v / 2) && (!is_normal || is_representable(t, v / 2 * (1 + eps))))
		v /= 2;
	return v;
}

static struct sr_value *named_constant(struct compiler *c, const char *name, size_t n)
{
	enum sr_dtype t = c->shape_source->type->dtype;
	if (name_is(name, n, "inf"))
		return splat(c, 0, INFINITY);
	if (name_is(name, n, "ninf"))
		return splat(c, 0, -INFINITY);
	if (name_is(name, n, "nan"))
		return splat(c, 0, NAN);
	if (name_is(name, n, "pi"))
		return splat(c, 0, M_PI);
	if (name_is(name, n, "max_finite"))
		return splat(c, 0, largest_finite(t));
	if (name_is(name, n, "min_normal"))
		return splat(c, 0, smallest_positive(t, true));
	if (name_is(name, n, "min_positive"))
		return splat(c, 0, smallest_positive(t, false));
	if (name_is(name, n, "half_width"))
		return splat(c, sr_dtypes[t].bits / 2, 0);
	int64_t sign = INT64_MIN >> (64 - sr_dtypes[t].bits);
	if (name_is(name, n, "sign_mask"))
		return splat(c, sign, 0);
	if (name_is(name, n, "magnitude_mask"))
		return splat(c, ~sign, 0);
	return NULL;
}

/* ---------------------------------------------------------------- ops */

static struct sr_value *binary(struct compiler *c, enum sr_op_code code, struct sr_value *x, struct sr_value *y)
{
	struct sr_value *operands[] = {x, y};
	return sr_build_infer(c->b, code, operands, 2, NULL, 0);
}

static struct sr_value *retype(struct compiler *c, enum sr_op_code code, struct sr_value *v, const struct sr_type *element)
{
	const struct sr_type *type = sr_type_tensor_of(c->b->ctx, element, v->type->rank, v->type->shape, v->type->encoding);
	return sr_result(sr_build(c->b, code, &v, 1, NULL, 0, &type, 1), 0);
}

static const struct sr_type *integer(struct compiler *c, int width, enum sr_sign sign)
{
	return sr_type_intern(c->b->ctx, &(struct sr_type){.kind = SR_TYPE_INTEGER, .width = width, .sign = sign});
}

static struct sr_value *polynomial(struct compiler *c)
{
	struct sr_value *x = expression(c), *sum = NULL;
	while (accept_word(c, ",")) {
		skip(c);
		struct sr_value *product = sum ? binary(c, SR_OP_stablehlo_multiply, sum, x) : NULL, *coefficient = number(c);
		sum = sum ? binary(c, SR_OP_stablehlo_add, product, coefficient) : coefficient;
	}
	expect(c, ")");
	return sum;
}

static struct sr_value *chebyshev(struct compiler *c)
{
	struct sr_value *x = expression(c), *b0 = splat(c, 0, 0), *b1 = splat(c, 0, 0), *b2 = splat(c, 0, 0);
	while (accept_word(c, ",")) {
		skip(c);
		b2 = b1;
		b1 = b0;
		b0 = binary(c, SR_OP_stablehlo_multiply, x, b1);
		b0 = binary(c, SR_OP_stablehlo_subtract, b0, b2);
		b0 = binary(c, SR_OP_stablehlo_add, b0, number(c));
	}
	expect(c, ")");
	struct sr_value *difference = binary(c, SR_OP_stablehlo_subtract, b0, b2);
	return binary(c, SR_OP_stablehlo_multiply, difference, splat(c, 0, 0.5));
}

static value_vec arguments(struct compiler *c)
{
	value_vec list = {0};
	do
		sr_push(c->b->ctx->arena, &list, expression(c));
	while (accept_word(c, ","));
	expect(c, ")");
	return list;
}

/* Build the conversion named `name`; return NULL if there is no conversion of this name. */
static struct sr_value *conversion(struct compiler *c, const char *name, size_t n, struct sr_value *v)
{
	const struct sr_type *element = v->type->element;
	if (name_is(name, n, "bits"))
		return retype(c, SR_OP_stablehlo_bitcast_convert, v, integer(c, sr_dtypes[element->dtype].bits, SR_SIGNLESS));
	if (name_is(name, n, "first"))
		return retype(c, SR_OP_stablehlo_bitcast_convert, v, c->first->type->element);
	if (name_is(name, n, "cast"))
		return retype(c, SR_OP_stablehlo_convert, v, c->first->type->element);
	if (name_is(name, n, "wide"))
		return retype(c, SR_OP_stablehlo_convert, v, integer(c, 2 * element->width, element->sign));
	if (name_is(name, n, "unsigned"))
		return retype(c, SR_OP_stablehlo_convert, v, integer(c, element->width, SR_UNSIGNED));
	return NULL;
}

static struct sr_value *call_op(struct compiler *c, const char *name, size_t n, value_vec args)
{
	static const char *const dialects[] = {"stablehlo", "chlo"};
	struct sr_context *ctx = c->b->ctx;
	for (int i = 0; i < 2; i++) {
		const struct sr_op_info *info = sr_op_info_of(ctx, sr_printf(ctx->arena, "%s.%.*s", dialects[i], (int)n, name));
		if (!info->code)
			continue;
		struct sr_value *v = sr_build_infer(c->b, (enum sr_op_code)info->code, args.data, (int)args.n, NULL, 0);
		if (i == 1 && c->on_created)
			c->on_created(c->data, v->def);
		return v;
	}
	syntax_error(c, "unknown function");
}

static struct sr_value *call(struct compiler *c, const char *name, size_t n)
{
	if (name_is(name, n, "poly"))
		return polynomial(c);
	if (name_is(name, n, "chebyshev"))
		return chebyshev(c);
	value_vec args = arguments(c);
	struct sr_value *converted_value = conversion(c, name, n, args.data[0]);
	if (converted_value)
		return converted_value;
	for (const struct sr_formula *f = c->list; f && f->name; f++)
		/* inside the formula for "tan", the name tan means the op, not the formula */
		if (f != c->formula && name_is(name, n, f->name))
			return sr_formula_build(c->b, f, args.data, c->list, c->on_created, c->data);
	return call_op(c, name, n, args);
}

/* ---------------------------------------------------------------- the grammar */

static struct sr_value *primary(struct compiler *c)
{
	const char *name;
	if (accept_word(c, "(")) {
		struct sr_value *v = expression(c);
		expect(c, ")");
		return v;
	}
	if (isdigit((unsigned char)*c->at))
		return number(c);
	size_t n = take_name(c, &name);
	if (n == 0)
		syntax_error(c, "expected a value");
	if (accept_word(c, "("))
		return call(c, name, n);
	struct sr_value *v = lookup(c, name, n);
	if (!v)
		v = named_constant(c, name, n);
	if (!v)
		syntax_error(c, "unknown name");
	return v;
}

static struct sr_value *unary(struct compiler *c)
{
	skip(c);
	if (*c->at != '-')
		return primary(c);
	if (isdigit((unsigned char)c->at[1]))
		return number(c);
	c->at++;
	struct sr_value *v = unary(c);
	return sr_build_infer(c->b, SR_OP_stablehlo_negate, &v, 1, NULL, 0);
}

struct infix {
	const char *word;
	enum sr_op_code code;
	enum sr_compare direction; /* direction of a comparison operator */
};

static const struct infix levels[][7] = {
	{{"|", SR_OP_stablehlo_or, 0}},
	{{"&", SR_OP_stablehlo_and, 0}},
	{{"<=", SR_OP_stablehlo_compare, SR_LE},
	 {">=", SR_OP_stablehlo_compare, SR_GE},
	 {"==", SR_OP_stablehlo_compare, SR_EQ},
	 {"!=", SR_OP_stablehlo_compare, SR_NE},
	 {"<", SR_OP_stablehlo_compare, SR_LT},
	 {">", SR_OP_stablehlo_compare, SR_GT}},
	{{"+", SR_OP_stablehlo_add, 0}, {"-", SR_OP_stablehlo_subtract, 0}},
	{{"*", SR_OP_stablehlo_multiply, 0}, {"/", SR_OP_stablehlo_divide, 0}},
};
enum { N_LEVELS = sizeof levels / sizeof levels[0] };

static const struct infix *take_infix(struct compiler *c, int level)
{
	for (const struct infix *i = levels[level]; i->word; i++)
		if (accept_word(c, i->word))
			return i;
	return NULL;
}

static struct sr_value *infix(struct compiler *c, int level)
{
	if (level == N_LEVELS)
		return unary(c);
	struct sr_value *x = infix(c, level + 1);
	for (const struct infix *i; (i = take_infix(c, level));) {
		struct sr_value *y = infix(c, level + 1);
		x = i->code == SR_OP_stablehlo_compare ? sr_build_compare(c->b, x, i->direction, y, NULL)
						       : binary(c, i->code, x, y);
	}
	return x;
}

static struct sr_value *expression(struct compiler *c)
{
	return infix(c, 0);
}

static struct sr_value *statement(struct compiler *c)
{
	const char *start = c->at, *name;
	size_t n = take_name(c, &name);
	if (name_is(name, n, "like")) {
		n = take_name(c, &name);
		struct sr_value *v = lookup(c, name, n);
		if (!v)
			syntax_error(c, "unknown name");
		c->shape_source = v;
		return v;
	}
	skip(c);
	if (n && c->at[0] == '=' && c->at[1] != '=') {
		c->at++;
		struct sr_value *v = expression(c);
		bind_name(c, name, n, v);
		return v;
	}
	c->at = start;
	return expression(c);
}

struct sr_value *sr_formula_build(struct sr_builder *b, const struct sr_formula *formula, struct sr_value *const *operands,
				  const struct sr_formula *list, void (*on_created)(void *data, struct sr_op *op), void *data)
{
	struct compiler c = {.b = b, .formula = formula, .list = list, .at = formula->text, .first = operands[0],
			     .shape_source = operands[0], .on_created = on_created, .data = data};
	for (int i = 0; i < SR_FORMULA_PARAMETERS && formula->parameters[i]; i++)
		bind_name(&c, formula->parameters[i], strlen(formula->parameters[i]), operands[i]);
	struct sr_value *v;
	do
		v = statement(&c);
	while (accept_word(&c, ";"));
	skip(&c);
	if (*c.at)
		syntax_error(&c, "unexpected text");
	return v;
}
