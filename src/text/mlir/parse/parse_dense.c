/* Parse dense<...> : tensor<...>: a splat, nested lists, a hex string (a large one stays a view of the text) or strings. */
#include "text/mlir/parse/parser.h"
#include "support/characters.h"
#include "support/checked.h"
#include <string.h>

enum { MAX_DECODED_HEX_BYTES = 1 << 16 }; /* larger hex constants are not decoded but stay views of the text */

struct elements {
	struct sr_number *values; /* the elements in order; two numbers per complex element */
	size_t n, cap;
	const char **strings;
	size_t n_strings, cap_strings;
	sr_integers shape;    /* extent of each level of nested lists */
	bool is_nested;  /* true if the elements are nested lists, false for a splat */
	bool is_complex; /* true if an element is a pair of numbers */
};

static void add_number(struct sr_parser *p, struct elements *e)
{
	if (e->n == e->cap)
		e->values = sr_vec_grow(p->arena, e->values, e->n, &e->cap, sizeof *e->values);
	sr_parser_number(p, &e->values[e->n++]);
}

static void parse_element(struct sr_parser *p, struct elements *e)
{
	if (p->kind == SR_TOK_STRING) {
		if (e->n_strings == e->cap_strings)
			e->strings = sr_vec_grow(p->arena, e->strings, e->n_strings, &e->cap_strings, sizeof *e->strings);
		e->strings[e->n_strings++] = sr_parser_string(p);
	} else if (sr_parser_accept(p, '(')) {
		e->is_complex = true;
		add_number(p, e);
		sr_parser_expect(p, ',');
		add_number(p, e);
		sr_parser_expect(p, ')');
	} else {
		add_number(p, e);
	}
}

static void check_extent(struct sr_parser *p, struct elements *e, size_t level, int64_t n, bool is_first, const char *position)
{
	if (is_first && e->shape.n <= level) {
		while (e->shape.n <= level)
			sr_push(p->arena, &e->shape, -1);
	}
	if (e->shape.data[level] < 0)
		e->shape.data[level] = n;
	else if (e->shape.data[level] != n)
		sr_parser_fail(p, position, "tensor literal is invalid; ranks are not consistent between elements");
}

/* Parse [[1, 2], [3, 4]]: append the elements and record the extent of each level. */
static void parse_nested_list(struct sr_parser *p, struct elements *e, size_t level)
{
	const char *position = p->tok;
	int64_t n = 0;
	bool has_lists = false;
	sr_parser_enter(p);
	sr_parser_next(p);
	while (p->kind != ']') {
		bool is_list = p->kind == '[';
		if (n && is_list != has_lists)
			sr_parser_fail(p, p->tok, "tensor literal is invalid; ranks are not consistent between elements");
		has_lists = is_list;
		if (is_list)
			parse_nested_list(p, e, level + 1);
		else
			parse_element(p, e);
		n++;
		if (p->kind != ']' && !sr_parser_accept(p, ','))
			sr_parser_expected(p, "',' or ']'");
	}
	sr_parser_next(p);
	sr_parser_leave(p);
	check_extent(p, e, level, n, true, position);
	if (!has_lists && e->shape.n > level + 1)
		sr_parser_fail(p, position, "tensor literal is invalid; ranks are not consistent between elements");
}

/* Return true if all characters are hex digits. Fixed-size blocks let compilers vectorize the loop. */
static bool is_all_hex(const char *s, size_t n)
{
	enum { BLOCK_DIGITS = 64 };
	unsigned char has_other_char = 0;
	size_t at = 0;
	for (; n - at >= BLOCK_DIGITS; at += BLOCK_DIGITS)
		for (int i = 0; i < BLOCK_DIGITS; i++) {
			unsigned char c = (unsigned char)s[at + (size_t)i], digit = (unsigned char)(c - '0'), letter = (unsigned char)((c | 32) - 'a');
			has_other_char |= (unsigned char)((digit > 9) & (letter > 5));
		}
	for (; at < n; at++)
		has_other_char |= sr_hex_digit(s[at]) < 0;
	return !has_other_char;
}

static const struct sr_attr *make_hex_view(struct sr_parser *p, const struct sr_type *type, const char *hex, int64_t bytes)
{
	struct sr_dense dense = {.hex = hex, .n_bytes = bytes};
	struct sr_attr a = {.kind = SR_ATTR_DENSE, .type = type, .dense = &dense};
	return sr_attr_intern(p->ctx, &a);
}

/* Make a constant of i1 from bits, the lowest of a byte first, as earlier versions of MLIR print them (PyTorch/XLA). */
static const struct sr_attr *unpack_booleans(struct sr_parser *p, const struct sr_type *type, const char *digits, int64_t n)
{
	unsigned char *data = sr_alloc(p->arena, (size_t)n, 1);
	for (int64_t i = 0; i < n; i++)
		data[i] = sr_hex_digit(digits[i / 8 * 2 + (i % 8 < 4)]) >> (i % 4) & 1;
	bool is_splat = !memcmp(data, data + 1, (size_t)(n - 1));
	return sr_attr_dense(p->ctx, type, data, is_splat ? 1 : n);
}

/* Parse "0x...": the little-endian bytes of all elements, or of one element for a splat. */
const struct sr_attr *sr_parser_hex(struct sr_parser *p, const char *position, const char *digits, size_t n,
				    const struct sr_type *type)
{
	int64_t elements, bytes, size = sr_dtype_bytes(type->dtype);
	if (type->kind != SR_TYPE_TENSOR && type->kind != SR_TYPE_VECTOR)
		sr_parser_fail(p, position, "elements literal must be a shaped type, found %s", sr_type_string(p->ctx, type));
	if (n % 2)
		sr_parser_fail(p, position,
			       "elements hex string only contains hex digits: expected an even number of them, found %zu", n);
	if (!is_all_hex(digits, n))
		sr_parser_fail(p, position, "elements hex string only contains hex digits");
	if (type->dtype == SR_DTYPE_NONE || !sr_type_elements(type, &elements) || sr_mul_overflows(elements, size, &bytes))
		sr_parser_fail(p, position, "elements hex data size is invalid for provided type: %s",
			       sr_type_string(p->ctx, type));
	int64_t n_bytes = (int64_t)(n / 2);
	if (type->dtype == SR_I1 && n_bytes > 1 && n_bytes != elements && n_bytes == elements / 8 + (elements % 8 != 0))
		return unpack_booleans(p, type, digits, elements);
	if (n_bytes != bytes && n_bytes != size)
		sr_parser_fail(p, position,
			       "elements hex data size is invalid for provided type: %s: expected %lld bytes, found %lld",
			       sr_type_string(p->ctx, type), (long long)bytes, (long long)n_bytes);
	bool is_splat = n_bytes > size && !memcmp(digits, digits + 2 * size, (size_t)(2 * (n_bytes - size)));
	if (is_splat)
		n_bytes = size;
	if (n_bytes > MAX_DECODED_HEX_BYTES)
		return make_hex_view(p, type, digits, n_bytes);
	unsigned char *data = sr_alloc(p->arena, (size_t)n_bytes, 1);
	for (int64_t i = 0; i < n_bytes; i++)
		data[i] = (unsigned char)(sr_hex_digit(digits[2 * i]) * 16 + sr_hex_digit(digits[2 * i + 1]));
	sr_elements_extend(type->dtype, data, n_bytes);
	return sr_attr_dense(p->ctx, type, data, n_bytes);
}

static void check_shape(struct sr_parser *p, const char *position, const struct elements *e, const struct sr_type *type)
{
	bool is_same_shape = (int)e->shape.n == type->rank;
	for (int i = 0; is_same_shape && i < type->rank; i++)
		is_same_shape = e->shape.data[i] == type->shape[i];
	if (is_same_shape || (e->shape.n == 1 && e->shape.data[0] == 0 && e->n == 0))
		return;
	struct sr_buf actual_shape;
	sr_buf_init(&actual_shape, p->arena);
	for (size_t i = 0; i < e->shape.n; i++)
		sr_buf_printf(&actual_shape, "%s%lld", i ? ", " : "", (long long)e->shape.data[i]);
	struct sr_buf expected_shape;
	sr_buf_init(&expected_shape, p->arena);
	for (int i = 0; i < type->rank; i++)
		sr_buf_printf(&expected_shape, "%s%lld", i ? ", " : "", (long long)type->shape[i]);
	sr_parser_fail(p, position, "inferred shape of elements literal ([%s]) does not match type ([%s])",
		       sr_buf_string(&actual_shape), sr_buf_string(&expected_shape));
}

static const struct sr_attr *make_string_constant(struct sr_parser *p, const char *position, const struct elements *e,
						  const struct sr_type *type)
{
	int64_t n = 0;
	sr_type_elements(type, &n);
	if ((int64_t)e->n_strings != n && e->n_strings != 1)
		sr_parser_fail(p, position, "expected %lld elements, found %zu", (long long)n, e->n_strings);
	bool is_splat = true;
	for (size_t i = 1; i < e->n_strings; i++)
		is_splat = is_splat && e->strings[i] == e->strings[0];
	struct sr_dense dense = {.strings = e->strings, .splat = is_splat};
	struct sr_attr a = {.kind = SR_ATTR_DENSE, .type = type, .dense = &dense};
	return sr_attr_intern(p->ctx, &a);
}

/* Return the type of the numbers of which an element consists. *components: count of these numbers, 2 for complex types. */
static const struct sr_type *component_type(const struct sr_type *type, size_t *components)
{
	bool is_complex = type->element->kind == SR_TYPE_COMPLEX;
	*components = is_complex ? 2 : 1;
	return is_complex ? type->element->element : type->element;
}

static const struct sr_attr *make_number_constant(struct sr_parser *p, const char *position, const struct elements *e,
						  const struct sr_type *type)
{
	size_t components;
	const struct sr_type *scalar = component_type(type, &components);
	int64_t n = 0;
	if (scalar->dtype == SR_DTYPE_NONE)
		sr_parser_fail(p, position, "constants of type %s are not supported", sr_type_string(p->ctx, type));
	sr_type_elements(type, &n);
	if (components == 1 && e->is_complex)
		sr_parser_fail(p, position, "expected element type to be complex for a pair, found %s",
			       sr_type_string(p->ctx, type));
	bool is_splat = !e->is_nested && e->n > 0;
	size_t n_expected = is_splat ? 1 : (size_t)n, size = (size_t)sr_dtype_bytes(scalar->dtype);
	if (components == 2 && !e->is_complex && is_splat) { /* MLIR requires both components of a complex splat */
		sr_parser_fail(p, position, "expected '(' for a complex element");
	}
	if (e->n != n_expected * components)
		sr_parser_fail(p, position, "expected %zu elements, found %zu", n_expected, e->n / components);
	char *data = sr_alloc(p->arena, e->n, size);
	for (size_t i = 0; i < e->n; i++)
		sr_parser_element(p, &e->values[i], scalar, data + i * size);
	return sr_attr_dense(p->ctx, type, data, (int64_t)(e->n * size));
}

const struct sr_attr *sr_parser_dense(struct sr_parser *p, const struct sr_type *type)
{
	struct elements e = {0};
	sr_parser_expect(p, '<');
	const char *position = p->tok, *digits = NULL;
	size_t n_digits = 0;
	if (p->kind == SR_TOK_STRING && p->len >= 4 && p->tok[1] == '0' && p->tok[2] == 'x') {
		digits = p->tok + 3;
		n_digits = p->len - 4;
		sr_parser_next(p);
	} else if (p->kind == '[') {
		parse_nested_list(p, &e, 0);
		e.is_nested = true;
	} else if (p->kind != '>') {
		parse_element(p, &e);
	}
	sr_parser_expect(p, '>');
	if (!type) {
		sr_parser_expect(p, ':');
		type = sr_parser_type(p);
	}
	int64_t n;
	if (type->kind != SR_TYPE_TENSOR && type->kind != SR_TYPE_VECTOR && type->kind != SR_TYPE_UNRANKED)
		sr_parser_fail(p, position, "elements literal must be a shaped type, found %s", sr_type_string(p->ctx, type));
	if (type->kind == SR_TYPE_UNRANKED || !sr_type_elements(type, &n))
		sr_parser_fail(p, position, "elements literal type %s, found %s",
			       sr_type_is_static(type) ? "has too many elements" : "must have static shape",
			       sr_type_string(p->ctx, type));
	bool is_string = type->element->kind == SR_TYPE_OPAQUE && !digits;
	if (digits && !is_string && type->dtype != SR_DTYPE_NONE)
		return sr_parser_hex(p, position, digits, n_digits, type);
	if (e.is_nested)
		check_shape(p, position, &e, type);
	else if (!digits && e.n == 0 && e.n_strings == 0 && n != 0)
		sr_parser_fail(p, position, "parsed zero elements, but type (%s) expected at least 1",
			       sr_type_string(p->ctx, type));
	if (e.n_strings)
		return make_string_constant(p, position, &e, type);
	return make_number_constant(p, position, &e, type);
}
