/* Parse numbers before their type is known (it comes last in `dense<[1, 2]> : tensor<2xf32>`), and convert them when the type is
 * known. */
#include "text/mlir/parse/parser.h"
#include <stdlib.h>
#include <string.h>

void sr_parser_number(struct sr_parser *p, struct sr_number *out)
{
	out->position = p->tok;
	out->is_negative = sr_parser_accept(p, '-');
	bool is_bool = !out->is_negative && (sr_parser_is_word(p, "true") || sr_parser_is_word(p, "false"));
	if (p->kind != SR_TOK_INT && p->kind != SR_TOK_FLOAT && !is_bool)
		sr_parser_expected(p, "constant integer or floating point value");
	out->kind = p->kind;
	out->tok = p->tok;
	out->len = p->len;
	sr_parser_next(p);
}

static bool is_hex(const struct sr_number *number)
{
	return number->kind == SR_TOK_INT && number->len > 2 && number->tok[1] == 'x';
}

/* Parse the digits of an integer. Returns false if the magnitude exceeds 64 bits. */
static bool parse_magnitude(const struct sr_number *number, uint64_t *out)
{
	bool has_hex_prefix = is_hex(number);
	uint64_t v = 0;
	for (size_t i = has_hex_prefix ? 2 : 0; i < number->len; i++) {
		int c = number->tok[i];
		unsigned digit = (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
		if (__builtin_mul_overflow(v, has_hex_prefix ? 16u : 10u, &v) || __builtin_add_overflow(v, (uint64_t)digit, &v))
			return false;
	}
	*out = v;
	return true;
}

uint64_t sr_parser_number_to_float(struct sr_parser *p, const struct sr_number *number, const struct sr_type *type)
{
	enum sr_dtype t = type->dtype;
	if (t == SR_DTYPE_NONE || type->kind != SR_TYPE_FLOAT)
		sr_parser_fail(p, number->position, "constants of type %s are not supported", sr_type_string(p->ctx, type));
	if (is_hex(number)) {
		uint64_t bits;
		if (number->is_negative)
			sr_parser_fail(p, number->position, "hexadecimal float literal should not have a leading minus");
		if (!parse_magnitude(number, &bits) || (sr_dtypes[t].bits < 64 && bits >> sr_dtypes[t].bits))
			sr_parser_fail(p, number->position, "hexadecimal float constant out of range for type");
		return bits;
	}
	if (number->kind == SR_TOK_BARE)
		sr_parser_fail(p, number->position, "expected floating point value, found '%.*s'", (int)number->len, number->tok);
	if (number->kind == SR_TOK_INT)
		sr_parser_fail(p, number->position, "unexpected decimal integer literal for a floating point value");
	char buffer[64], *text = number->len < sizeof buffer ? buffer : sr_alloc(p->arena, number->len + 1, 1);
	memcpy(text, number->tok, number->len);
	text[number->len] = '\0';
	double d = strtod(text, NULL);
	return sr_float_encode(t, number->is_negative ? -d : d);
}

/* Return true if the value is in range by MLIR's rule: a signless type accepts signed and unsigned values of its width. */
static bool fits_width(const struct sr_type *type, int width, bool is_negative, uint64_t v)
{
	if (is_negative && type->sign == SR_UNSIGNED)
		return v == 0;
	if (width > 64)
		return true;
	if (width == 0)
		return v == 0;
	if (is_negative)
		return v <= (uint64_t)1 << (width - 1);
	if (type->sign == SR_SIGNED)
		return v < (uint64_t)1 << (width - 1);
	return width == 64 || v < (uint64_t)1 << width;
}

int64_t sr_parser_number_to_integer(struct sr_parser *p, const struct sr_number *number, const struct sr_type *type)
{
	int width = type->kind == SR_TYPE_INDEX ? 64 : type->width;
	if (number->kind == SR_TOK_BARE) {
		if (width != 1)
			sr_parser_fail(p, number->position, "expected integer elements, but parsed boolean");
		return *number->tok == 't';
	}
	if (number->kind == SR_TOK_FLOAT)
		sr_parser_fail(p, number->position, "expected integer elements, but parsed floating-point");
	uint64_t v;
	if (!parse_magnitude(number, &v) || !fits_width(type, width, number->is_negative, v))
		sr_parser_fail(p, number->position, "integer constant out of range for attribute");
	if (number->is_negative)
		v = 0 - v;
	if (width == 1)
		return (int64_t)(v & 1);
	if (width < 64 && width > 0 && type->sign != SR_UNSIGNED && (v >> (width - 1) & 1))
		v |= ~(uint64_t)0 << width; /* sign-extend: 255 : i8 is -1 */
	return (int64_t)v;
}

void sr_parser_element(struct sr_parser *p, const struct sr_number *number, const struct sr_type *scalar, void *out)
{
	if (scalar->dtype == SR_DTYPE_NONE)
		sr_parser_fail(p, number->position, "constants of type %s are not supported", sr_type_string(p->ctx, scalar));
	if (scalar->kind == SR_TYPE_FLOAT) {
		uint64_t bits = sr_parser_number_to_float(p, number, scalar);
		memcpy(out, &bits, (size_t)sr_dtype_bytes(scalar->dtype));
	} else {
		sr_element_set(scalar->dtype, out, sr_parser_number_to_integer(p, number, scalar), 0, 0);
	}
}
