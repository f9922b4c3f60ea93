/* Read constants: 5, {1, 2}, { {1.5, -inf}, {nan, 0x1p-3} }, complex numbers (1, 2), and tuples of them. */
#include "text/hlo/hlo.h"
#include "support/checked.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct literal {
	struct sr_hlo *h;
	const struct sr_type *type;
	enum sr_dtype dtype;
	char *next_element; /* address where the next element is stored */
};

static bool is_in_range(enum sr_dtype type, bool is_negative, uint64_t magnitude)
{
	const struct sr_dtype_info *info = &sr_dtypes[type];
	if (info->class == SR_CLASS_UINT || info->class == SR_CLASS_BOOL)
		return (!is_negative || !magnitude) && (info->bits == 64 || magnitude >> info->bits == 0);
	uint64_t limit = (uint64_t)1 << (info->bits - 1);
	return is_negative ? magnitude <= limit : magnitude < limit;
}

static void read_integer(struct literal *l)
{
	struct sr_hlo *h = l->h;
	const char *position = h->at;
	bool is_bool = sr_hlo_is(h, "true") || sr_hlo_is(h, "false");
	if (is_bool) {
		sr_element_set(l->dtype, l->next_element, sr_hlo_bool(h), 0, 0);
		return;
	}
	bool is_negative = h->at < h->p.end && *h->at == '-';
	uint64_t v = 0;
	if (!sr_hlo_is_digit(h))
		sr_hlo_expected(h, "an integer");
	for (h->at += is_negative; h->at < h->p.end && *h->at >= '0' && *h->at <= '9'; h->at++)
		if (__builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, (uint64_t)(*h->at - '0'), &v))
			sr_parser_fail(&h->p, position, "the number does not fit into 64 bits");
	if (!is_in_range(l->dtype, is_negative, v))
		sr_parser_fail(&h->p, position, "the number does not fit into %s", sr_dtypes[l->dtype].name);
	sr_element_set(l->dtype, l->next_element, (int64_t)(is_negative ? 0 - v : v), 0, 0);
	sr_hlo_skip(h);
}

static bool is_number_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '+';
}

/* Return the bits of NaN, with the payload of nan(0x1) if one is given. */
static uint64_t read_nan_bits(struct literal *l, enum sr_dtype type, bool is_negative)
{
	struct sr_hlo *h = l->h;
	uint64_t bits = sr_float_encode(type, NAN), payload = 0;
	if (sr_hlo_accept(h, "(")) {
		const char *position = h->at, *is_bool = sr_hlo_word(h, "the bits of a NaN");
		char *end;
		payload = strtoull(is_bool, &end, 0);
		bits = sr_float_encode(type, INFINITY);
		if (*end || !payload || payload & bits || payload >> (sr_dtypes[type].bits - 1))
			sr_parser_fail(&h->p, position, "expected the bits of a NaN of type %s", sr_dtypes[type].name);
		sr_hlo_expect(h, ")");
	}
	if (is_negative)
		bits |= (uint64_t)1 << (sr_dtypes[type].bits - 1);
	return bits | payload;
}

/* Read a number and return its bits in a float type. */
static uint64_t read_float_bits(struct literal *l, enum sr_dtype type)
{
	struct sr_hlo *h = l->h;
	const char *position = h->at, *end = position;
	char text[512], *number_end;
	while (end < h->p.end && is_number_char(*end))
		end++;
	size_t n = (size_t)(end - position);
	if (n >= sizeof text)
		sr_parser_fail(&h->p, position, "the number is too long");
	memcpy(text, position, n);
	text[n] = '\0';
	bool is_negative = text[0] == '-';
	if (!strcmp(text + is_negative, "nan")) {
		h->at = end;
		sr_hlo_skip(h);
		return read_nan_bits(l, type, is_negative);
	}
	double v = strtod(text, &number_end);
	if (!n || *number_end)
		sr_hlo_expected(h, "a number");
	uint64_t bits = sr_float_encode(type, v);
	if (!strpbrk(text, "iI") && !isinf(v) && isinf(sr_float_decode(type, bits)))
		sr_parser_fail(&h->p, position, "the number does not fit into %s", sr_dtypes[type].name);
	h->at = end;
	sr_hlo_skip(h);
	return bits;
}

static void read_complex(struct literal *l)
{
	struct sr_hlo *h = l->h;
	enum sr_dtype component = l->dtype == SR_C64 ? SR_F32 : SR_F64;
	size_t n = (size_t)sr_dtype_bytes(component);
	bool is_pair = sr_hlo_accept(h, "(");
	uint64_t re = read_float_bits(l, component), im = 0;
	if (is_pair) {
		sr_hlo_expect(h, ",");
		im = read_float_bits(l, component);
		sr_hlo_expect(h, ")");
	}
	memcpy(l->next_element, &re, n);
	memcpy(l->next_element + n, &im, n);
}

static void read_element(struct literal *l)
{
	if (sr_dtype_is_complex(l->dtype)) {
		read_complex(l);
	} else if (sr_dtype_is_float(l->dtype)) {
		uint64_t bits = read_float_bits(l, l->dtype);
		memcpy(l->next_element, &bits, (size_t)sr_dtype_bytes(l->dtype));
	} else {
		read_integer(l);
	}
	l->next_element += sr_dtype_bytes(l->dtype);
}

static void fail_if_elided(struct sr_hlo *h, const char *position)
{
	if (h->p.end - h->at >= 3 && !memcmp(h->at, "...", 3))
		sr_parser_fail(&h->p, position,
			       "the constant was elided as {...} when this text was printed; print it with large constants "
			       "(print_large_constants in XLA's HloPrintOptions, --xla_dump_large_constants for dumps)");
}

static void read_elements(struct literal *l, int dim)
{
	struct sr_hlo *h = l->h;
	const char *position = h->at;
	if (dim == l->type->rank) {
		read_element(l);
		return;
	}
	sr_hlo_expect(h, "{");
	fail_if_elided(h, position);
	for (int64_t i = 0; i < l->type->shape[dim]; i++) {
		if (i && !sr_hlo_accept(h, ","))
			sr_hlo_expected(h, sr_printf(h->arena, "',' (dimension %d has %lld elements)", dim,
						     (long long)l->type->shape[dim]));
		read_elements(l, dim + 1);
	}
	if (!sr_hlo_accept(h, "}"))
		sr_hlo_expected(h,
				sr_printf(h->arena, "'}' (dimension %d has %lld elements)", dim, (long long)l->type->shape[dim]));
}

static const struct sr_attr *read_constant(struct sr_hlo *h, const struct sr_type *type)
{
	struct literal l = {.h = h, .type = type, .dtype = type->dtype};
	const char *position = h->at;
	int64_t bytes, n;
	if (type->kind != SR_TYPE_TENSOR || !sr_type_elements(type, &n) || !sr_type_bytes(type, &bytes))
		sr_parser_fail(&h->p, position, "a constant cannot have type %s", sr_type_string(h->ctx, type));
	if (type->rank && h->at < h->p.end && *h->at == '{') { /* Reject an elided literal before memory is allocated for it. */
		h->at++;
		sr_hlo_skip(h);
		fail_if_elided(h, position);
		h->at = position;
	}
	if (n > h->p.end - h->at)
		sr_parser_fail(&h->p, position, "the constant has fewer than %lld elements", (long long)n);
	char *data = l.next_element = sr_alloc(h->arena, (size_t)bytes + 1, 1);
	if (n)
		read_elements(&l, 0);
	else
		sr_hlo_balanced(h);
	return sr_attr_dense(h->ctx, type, data, bytes);
}

void sr_hlo_literal(struct sr_hlo *h, const struct sr_hlo_shape *shape, sr_attrs *out)
{
	if (shape->type) {
		sr_push(h->arena, out, read_constant(h, shape->type));
		return;
	}
	sr_hlo_expect(h, "(");
	for (int i = 0; i < shape->n; i++) {
		if (i)
			sr_hlo_expect(h, ",");
		sr_hlo_literal(h, shape->elements[i], out);
	}
	sr_hlo_expect(h, ")");
}
