/* Floats and their places as unsigned integers whose plain order is the one of a stable sort by JAX's comparator (zeros equal, every
 * NaN equal and last): the places decide only among zeros and among NaN, so the code of any other float has none. Equal codes are
 * codes of equal bits, so a sort of codes needs no further operand.
 *
 *	code of x at `place`, W bits wide with M bits of mantissa:
 *	  NaN       (number of infinity + (1 << (M - 1))) << (64 - W) | place << (M + 1) | sign << M | mantissa
 *	  zero      number << (64 - W) | place << 1 | sign
 *	  others    number << (64 - W)
 *
 * `number` is the sign and magnitude of x as an unsigned integer in the order of the comparator; where that is descending it is
 * complemented, and codes of NaN begin at 0. */
#include "partition/expand/sort_encoding.h"

struct coding {
	struct sr_expansion *p;
	const struct sr_type *type; /* of codes */
	int width, mantissa;
	int64_t top, mask, infinity; /* bits of the float */
	bool descending;
};

static bool begin(struct coding *c, struct sr_expansion *p, enum sr_dtype t, bool descending)
{
	*c = (struct coding){.p = p, .width = sr_dtypes[t].bits, .descending = descending};
	c->mantissa = t == SR_F32 ? 23 : t == SR_BF16 ? 7 : t == SR_F16 ? 10 : 0;
	c->top = (int64_t)1 << (c->width - 1);
	c->mask = 2 * c->top - 1;
	c->infinity = c->mantissa ? c->top - ((int64_t)1 << c->mantissa) : 0;
	return c->mantissa;
}

bool sr_sort_has_encoding(const struct sr_type *t, int64_t extent)
{
	struct coding c;
	return extent <= (int64_t)1 << 30 && begin(&c, NULL, t->dtype, false);
}

static struct sr_value *number(const struct coding *c, int64_t n)
{
	return sr_spmd_constant(c->p, c->type, n);
}

static struct sr_value *with(const struct coding *c, enum sr_op_code code, struct sr_value *a, int64_t b)
{
	return sr_spmd_binary(c->p, code, a, number(c, b));
}

static struct sr_value *is(const struct coding *c, struct sr_value *a, enum sr_compare how, int64_t b)
{
	return sr_build_compare(&c->p->at, a, how, number(c, b), NULL);
}

static struct sr_value *left(const struct coding *c, struct sr_value *v, int64_t by)
{
	return with(c, SR_OP_stablehlo_shift_left, v, by);
}

static struct sr_value *right(const struct coding *c, struct sr_value *v, int64_t by)
{
	return with(c, SR_OP_stablehlo_shift_right_logical, v, by);
}

static struct sr_value *either(const struct coding *c, struct sr_value *a, struct sr_value *b)
{
	return sr_spmd_binary(c->p, SR_OP_stablehlo_or, a, b);
}

static struct sr_value *to_number(const struct coding *c, struct sr_value *bits)
{
	struct sr_value *negative = is(c, bits, SR_GE, c->top);
	struct sr_value *flip = sr_spmd_select(c->p, negative, number(c, c->mask), number(c, c->top));
	struct sr_value *n = sr_spmd_binary(c->p, SR_OP_stablehlo_xor, bits, flip);
	return c->descending ? with(c, SR_OP_stablehlo_xor, n, c->mask) : n;
}

static struct sr_value *from_number(const struct coding *c, struct sr_value *n)
{
	n = c->descending ? with(c, SR_OP_stablehlo_xor, n, c->mask) : n;
	struct sr_value *positive = is(c, n, SR_GE, c->top);
	struct sr_value *flip = sr_spmd_select(c->p, positive, number(c, c->top), number(c, c->mask));
	return sr_spmd_binary(c->p, SR_OP_stablehlo_xor, n, flip);
}

/* Return the number of zeros, and the least one of NaN, or for descending order infinity's, which is above all of NaN. */
static int64_t of_zero(const struct coding *c)
{
	return c->descending ? c->top - 1 : c->top;
}

static int64_t of_nan(const struct coding *c)
{
	return c->descending ? c->top - 1 - c->infinity : c->top + c->infinity + ((int64_t)1 << (c->mantissa - 1));
}

struct sr_value *sr_sort_encode(struct sr_expansion *p, struct sr_value *x, struct sr_value *place, bool descending)
{
	struct coding c;
	begin(&c, p, x->type->dtype, descending);
	c.type = sr_type_tensor(p->ctx, SR_UI64, x->type->rank, x->type->shape);
	struct sr_value *bits = sr_spmd_convert(p, sr_spmd_bitcast(p, x, sr_spmd_bits_type(x->type->dtype)), SR_UI64);
	struct sr_value *size = with(&c, SR_OP_stablehlo_and, bits, c.top - 1), *sign = right(&c, bits, c.width - 1);
	place = sr_spmd_convert(p, place, SR_UI64);
	struct sr_value *zero = left(&c, number(&c, of_zero(&c)), 64 - c.width);
	zero = either(&c, zero, either(&c, left(&c, place, 1), sign));
	struct sr_value *nan = with(&c, SR_OP_stablehlo_and, bits, ((int64_t)1 << c.mantissa) - 1);
	nan = either(&c, nan, either(&c, left(&c, sign, c.mantissa), left(&c, place, c.mantissa + 1)));
	if (!descending)
		nan = either(&c, nan, left(&c, number(&c, of_nan(&c)), 64 - c.width));
	struct sr_value *code = left(&c, to_number(&c, bits), 64 - c.width);
	code = sr_spmd_select(p, is(&c, size, SR_EQ, 0), zero, code);
	return sr_spmd_select(p, is(&c, size, SR_GT, c.infinity), nan, code);
}

struct sr_value *sr_sort_decode(struct sr_expansion *p, struct sr_value *code, enum sr_dtype t, bool descending)
{
	struct coding c;
	begin(&c, p, t, descending);
	c.type = code->type;
	struct sr_value *n = right(&c, code, 64 - c.width), *zero = left(&c, with(&c, SR_OP_stablehlo_and, code, 1), c.width - 1);
	struct sr_value *nan = with(&c, SR_OP_stablehlo_and, code, ((int64_t)1 << c.mantissa) - 1);
	struct sr_value *sign = with(&c, SR_OP_stablehlo_and, right(&c, code, c.mantissa), 1);
	nan = either(&c, with(&c, SR_OP_stablehlo_or, nan, c.infinity), left(&c, sign, c.width - 1));
	struct sr_value *bits = sr_spmd_select(p, is(&c, n, SR_EQ, of_zero(&c)), zero, from_number(&c, n));
	bits = sr_spmd_select(p, is(&c, n, descending ? SR_LT : SR_GE, of_nan(&c)), nan, bits);
	return sr_spmd_bitcast(p, sr_spmd_convert(p, bits, sr_spmd_bits_type(t)), t);
}
