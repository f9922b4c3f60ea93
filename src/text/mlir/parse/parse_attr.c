/* Parse builtin attributes: numbers, strings, arrays, dictionaries, symbols, types, dense arrays. Dispatch to the parsers of other
 * kinds of attributes. */
#include "text/mlir/parse/parser.h"
#include <string.h>

void sr_parser_add_attr(struct sr_parser *p, sr_named_attrs *out, const char *name, const struct sr_attr *value,
			const char *position)
{
	for (size_t i = 0; i < out->n; i++)
		if (out->data[i].name == name)
			sr_parser_fail(p, position, "duplicate key '%s' in dictionary attribute", name);
	struct sr_named_attr entry = {name, value};
	sr_push(p->scratch, out, entry);
}

void sr_parser_dict_into(struct sr_parser *p, sr_named_attrs *out)
{
	sr_parser_expect(p, '{');
	if (sr_parser_accept(p, '}'))
		return;
	do {
		const char *position = p->tok;
		const char *name = sr_parser_attr_name(p);
		const struct sr_attr *value = sr_parser_accept(p, '=') ? sr_parser_attr(p, NULL) : sr_attr_unit(p->ctx);
		sr_parser_add_attr(p, out, name, value, position);
	} while (sr_parser_accept(p, ','));
	sr_parser_expect(p, '}');
}

const struct sr_attr *sr_parser_dict(struct sr_parser *p)
{
	sr_named_attrs entries = {0};
	sr_parser_dict_into(p, &entries);
	return sr_attr_dict(p->ctx, entries.data, (int)entries.n);
}

static const struct sr_attr *parse_array(struct sr_parser *p)
{
	sr_attrs list = {0};
	sr_parser_next(p);
	if (!sr_parser_accept(p, ']')) {
		do {
			const struct sr_attr *a = sr_parser_attr(p, NULL);
			sr_push(p->arena, &list, a);
		} while (sr_parser_accept(p, ','));
		sr_parser_expect(p, ']');
	}
	return sr_attr_array(p->ctx, list.data, (int)list.n);
}

static const struct sr_attr *parse_symbol_ref(struct sr_parser *p)
{
	const char *root = sr_parser_symbol(p);
	sr_attrs nested = {0};
	while (p->kind == ':' && p->at < p->end && *p->at == ':') {
		sr_parser_next(p);
		sr_parser_next(p);
		const struct sr_attr *inner = sr_attr_symbol(p->ctx, sr_parser_symbol(p));
		sr_push(p->arena, &nested, inner);
	}
	if (nested.n == 0)
		return sr_attr_symbol(p->ctx, root);
	struct sr_attr a = {.kind = SR_ATTR_SYMBOL, .s = root, .list = nested.data, .n = (int)nested.n};
	return sr_attr_intern(p->ctx, &a);
}

static const struct sr_attr *parse_numeric(struct sr_parser *p, const struct sr_type *type)
{
	struct sr_number number;
	sr_parser_number(p, &number);
	if (!type && sr_parser_accept(p, ':'))
		type = sr_parser_type(p);
	if (!type)
		type = sr_type_scalar(p->ctx, number.kind == SR_TOK_FLOAT ? SR_F64 : SR_I64);
	struct sr_attr a = {.type = type};
	if (type->kind == SR_TYPE_FLOAT) {
		a.kind = SR_ATTR_FLOAT;
		a.i = (int64_t)sr_parser_number_to_float(p, &number, type);
		return sr_attr_intern(p->ctx, &a);
	}
	if (number.kind == SR_TOK_FLOAT)
		sr_parser_fail(p, number.position, "floating point value not valid for specified type");
	if (type->kind != SR_TYPE_INTEGER && type->kind != SR_TYPE_INDEX)
		sr_parser_fail(p, number.position, "integer literal not valid for specified type");
	int64_t v = sr_parser_number_to_integer(p, &number, type);
	if (type->kind == SR_TYPE_INTEGER && type->width == 1 && type->sign == SR_SIGNLESS)
		return sr_attr_bool(p->ctx, v & 1);
	return sr_attr_int(p->ctx, v, type);
}

static const struct sr_attr *parse_string_attr(struct sr_parser *p)
{
	const char *s = sr_parser_string(p);
	struct sr_attr a = {.kind = SR_ATTR_STRING, .s = s};
	if (sr_parser_accept(p, ':'))
		a.type = sr_parser_type(p);
	return sr_attr_intern(p->ctx, &a);
}

/* Parse the rest of array<i64: 1, 2>, after `array`. */
static const struct sr_attr *parse_dense_array(struct sr_parser *p)
{
	sr_parser_expect(p, '<');
	const char *position = p->tok;
	const struct sr_type *element = sr_parser_type(p);
	if ((element->kind != SR_TYPE_INTEGER && element->kind != SR_TYPE_FLOAT) || element->dtype == SR_DTYPE_NONE)
		sr_parser_fail(p, position, "expected integer or float type");
	size_t size = (size_t)sr_dtype_bytes(element->dtype), n = 0, cap = 0;
	char *data = NULL;
	if (sr_parser_accept(p, ':') && p->kind != '>') {
		do {
			if (n == cap)
				data = sr_vec_grow(p->arena, data, n, &cap, size);
			struct sr_number number;
			sr_parser_number(p, &number);
			sr_parser_element(p, &number, element, data + n++ * size);
		} while (sr_parser_accept(p, ','));
	}
	sr_parser_expect(p, '>');
	return sr_attr_dense_array(p->ctx, element, data, (int64_t)n);
}

/* Parse affine_map<...> and similar attributes, which are stored as text. */
static const struct sr_attr *parse_text_attr(struct sr_parser *p)
{
	const char *name = sr_parser_word(p, "attribute");
	if (p->kind != '<' && p->kind != '[')
		sr_parser_expected(p, "'<'");
	const char *body = sr_parser_balanced(p);
	if (p->kind == '<') /* distinct[0]<...> has brackets before the angle bracket */
		body = sr_printf(p->arena, "%s%s", body, sr_parser_balanced(p));
	struct sr_attr a = {.kind = SR_ATTR_OPAQUE, .s = sr_intern(p->ctx, sr_printf(p->arena, "!%s%s", name, body))};
	return sr_attr_intern(p->ctx, &a);
}

static const struct sr_attr *parse_word_attr(struct sr_parser *p, const struct sr_type *type)
{
	if (sr_parser_accept_word(p, "dense"))
		return sr_parser_dense(p, type);
	if (sr_parser_accept_word(p, "array"))
		return parse_dense_array(p);
	if (sr_parser_accept_word(p, "true"))
		return sr_attr_bool(p->ctx, true);
	if (sr_parser_accept_word(p, "false"))
		return sr_attr_bool(p->ctx, false);
	if (sr_parser_accept_word(p, "unit"))
		return sr_attr_unit(p->ctx);
	if (sr_parser_accept_word(p, "dense_resource"))
		return sr_parser_resource(p);
	if (sr_parser_is_word(p, "loc"))
		return sr_parser_loc(p);
	static const char *const texts[] = {"affine_map", "affine_set", "strided", "sparse", "distinct"};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (sr_parser_is_word(p, texts[i]))
			return parse_text_attr(p);
	const struct sr_type *t = sr_parser_optional_type(p);
	if (!t)
		sr_parser_expected(p, "attribute value");
	return sr_attr_type(p->ctx, t);
}

static const struct sr_attr *parse_any(struct sr_parser *p, const struct sr_type *type)
{
	switch (p->kind) {
	case SR_TOK_BARE:
		return parse_word_attr(p, type);
	case SR_TOK_INT:
	case SR_TOK_FLOAT:
	case '-':
		return parse_numeric(p, type);
	case SR_TOK_STRING:
		return parse_string_attr(p);
	case SR_TOK_AT:
		return parse_symbol_ref(p);
	case SR_TOK_HASH:
		return sr_parser_dialect_attr(p);
	case '[':
		return parse_array(p);
	case '{':
		return sr_parser_dict(p);
	case '(':
	case SR_TOK_BANG:
		return sr_attr_type(p->ctx, sr_parser_type(p));
	default:
		sr_parser_expected(p, "attribute value");
	}
}

const struct sr_attr *sr_parser_attr(struct sr_parser *p, const struct sr_type *type)
{
	sr_parser_enter(p);
	const struct sr_attr *a = parse_any(p, type);
	sr_parser_leave(p);
	return a;
}
