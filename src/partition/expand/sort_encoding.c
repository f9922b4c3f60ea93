/* Encoding of floats and their positions as unsigned integers whose order is that of a stable sort by JAX's comparator (zeros
 * equal, NaN equal and last). Positions break ties among zeros and among NaN only; the encoding of any other float contains no
 * position. Equal encodings have equal bits, so a sort of encodings needs no further operand.
 *
 *	encoding of x at `position`, W bits wide with M bits of mantissa:
 *	  NaN       (number of infinity + (1 << (M - 1))) << (64 - W) | position << (M + 1) | sign << M | mantissa
 *	  zero      number << (64 - W) | position << 1 | sign
 *	  others    number << (64 - W)
 *
 * "number" is x's sign and magnitude as an unsigned integer in the order of the comparator; for a descending sort it is
 * complemented, and encodings of NaN begin at 0. */
#include "partition/expand/sort_encoding.h"

struct encoding {
	struct sr_expansion *p;
	const struct sr_type *type; /* integer type of the encoded sort keys */
	int width, mantissa;
	int64_t top, mask, infinity; /* masks of the float format: sign bit, all bits, bit pattern of infinity */
	bool descending;
};

static bool init_encoding(struct encoding *c, struct sr_expansion *p, enum sr_dtype t, bool descending)
{
	*c = (struct encoding){.p = p, .width = sr_dtypes[t].bits, .descending = descending};
	c->mantissa = t == SR_F32 ? 23 : t == SR_BF16 ? 7 : t == SR_F16 ? 10 : 0;
	c->top = (int64_t)1 << (c->width - 1);
	c->mask = 2 * c->top - 1;
	c->infinity = c->mantissa ? c->top - ((int64_t)1 << c->mantissa) : 0;
	return c->mantissa;
}

bool sr_sort_has_encoding(const struct sr_type *t, int64_t extent)
{
	struct encoding c;
	return extent <= (int64_t)1 << 30 && init_encoding(&c, NULL, t->dtype, false);
}

static struct sr_value *constant(const struct encoding *c, int64_t n)
{
	return sr_build_integer(&c->p->builder, c->type, n);
}

static struct sr_value *binary_constant(const struct encoding *c, enum sr_op_code code, struct sr_value *a, int64_t b)
{
	return sr_build_binary(&c->p->builder, code, a, constant(c, b));
}

static struct sr_value *compare_constant(const struct encoding *c, struct sr_value *a, enum sr_compare comparison, int64_t b)
{
	return sr_build_compare(&c->p->builder, a, comparison, constant(c, b), NULL);
}

static struct sr_value *shift_left(const struct encoding *c, struct sr_value *v, int64_t n_bits)
{
	return binary_constant(c, SR_OP_stablehlo_shift_left, v, n_bits);
}

static struct sr_value *shift_right(const struct encoding *c, struct sr_value *v, int64_t n_bits)
{
	return binary_constant(c, SR_OP_stablehlo_shift_right_logical, v, n_bits);
}

static struct sr_value *bitwise_or(const struct encoding *c, struct sr_value *a, struct sr_value *b)
{
	return sr_build_binary(&c->p->builder, SR_OP_stablehlo_or, a, b);
}

static struct sr_value *bits_to_number(const struct encoding *c, struct sr_value *bits)
{
	struct sr_value *is_negative = compare_constant(c, bits, SR_GE, c->top);
	struct sr_value *flip = sr_build_select(&c->p->builder, is_negative, constant(c, c->mask), constant(c, c->top));
	struct sr_value *n = sr_build_binary(&c->p->builder, SR_OP_stablehlo_xor, bits, flip);
	return c->descending ? binary_constant(c, SR_OP_stablehlo_xor, n, c->mask) : n;
}

static struct sr_value *number_to_bits(const struct encoding *c, struct sr_value *n)
{
	n = c->descending ? binary_constant(c, SR_OP_stablehlo_xor, n, c->mask) : n;
	struct sr_value *is_positive = compare_constant(c, n, SR_GE, c->top);
	struct sr_value *flip = sr_build_select(&c->p->builder, is_positive, constant(c, c->top), constant(c, c->mask));
	return sr_build_binary(&c->p->builder, SR_OP_stablehlo_xor, n, flip);
}

/* Return the number that encodes zeros. */
static int64_t number_of_zero(const struct encoding *c)
{
	return c->descending ? c->top - 1 : c->top;
}

/* Return the smallest number that encodes NaN or, if descending, the number of infinity, which is above all NaN. */
static int64_t number_of_nan(const struct encoding *c)
{
	return c->descending ? c->top - 1 - c->infinity : c->top + c->infinity + ((int64_t)1 << (c->mantissa - 1));
}

struct sr_value *sr_sort_encode(struct sr_expansion *p, struct sr_value *x, struct sr_value *position, bool descending)
{
	struct encoding c;
	init_encoding(&c, p, x->type->dtype, descending);
	c.type = sr_type_tensor(p->ctx, SR_UI64, x->type->rank, x->type->shape);
	struct sr_value *bits = sr_build_convert(&p->builder, sr_spmd_bitcast(p, x, sr_spmd_bits_type(x->type->dtype)), SR_UI64);
	struct sr_value *size = binary_constant(&c, SR_OP_stablehlo_and, bits, c.top - 1),
			*sign = shift_right(&c, bits, c.width - 1);
	position = sr_build_convert(&p->builder, position, SR_UI64);
	struct sr_value *zero = shift_left(&c, constant(&c, number_of_zero(&c)), 64 - c.width);
	zero = bitwise_or(&c, zero, bitwise_or(&c, shift_left(&c, position, 1), sign));
	struct sr_value *nan = binary_constant(&c, SR_OP_stablehlo_and, bits, ((int64_t)1 << c.mantissa) - 1);
	nan = bitwise_or(&c, nan, bitwise_or(&c, shift_left(&c, sign, c.mantissa), shift_left(&c, position, c.mantissa + 1)));
	if (!descending)
		nan = bitwise_or(&c, nan, shift_left(&c, constant(&c, number_of_nan(&c)), 64 - c.width));
	struct sr_value *code = shift_left(&c, bits_to_number(&c, bits), 64 - c.width);
	code = sr_build_select(&p->builder, compare_constant(&c, size, SR_EQ, 0), zero, code);
	return sr_build_select(&p->builder, compare_constant(&c, size, SR_GT, c.infinity), nan, code);
}

struct sr_value *sr_sort_decode(struct sr_expansion *p, struct sr_value *code, enum sr_dtype t, bool descending)
{
	struct encoding c;
	init_encoding(&c, p, t, descending);
	c.type = code->type;
	struct sr_value *n = shift_right(&c, code, 64 - c.width),
			*zero = shift_left(&c, binary_constant(&c, SR_OP_stablehlo_and, code, 1), c.width - 1);
	struct sr_value *nan = binary_constant(&c, SR_OP_stablehlo_and, code, ((int64_t)1 << c.mantissa) - 1);
	struct sr_value *sign = binary_constant(&c, SR_OP_stablehlo_and, shift_right(&c, code, c.mantissa), 1);
	nan = bitwise_or(&c, binary_constant(&c, SR_OP_stablehlo_or, nan, c.infinity), shift_left(&c, sign, c.width - 1));
	struct sr_value *bits = sr_build_select(&p->builder, compare_constant(&c, n, SR_EQ, number_of_zero(&c)), zero, number_to_bits(&c, n));
	bits = sr_build_select(&p->builder, compare_constant(&c, n, descending ? SR_LT : SR_GE, number_of_nan(&c)), nan, bits);
	return sr_spmd_bitcast(p, sr_build_convert(&p->builder, bits, sr_spmd_bits_type(t)), t);
}
