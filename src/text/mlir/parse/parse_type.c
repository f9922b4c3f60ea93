/* Parse types: tensor<4x?xf32, #encoding>, functions, tuples, complex, quantized and unknown dialect types (stored as text),
 * !aliases. */
#include "text/mlir/parse/parser.h"
#include "support/checked.h"
#include <string.h>

const char *sr_parser_balanced(struct sr_parser *p)
{
	static const char opening[] = "<([{", closing[] = ">)]}";
	char stack[SR_MAX_NESTING];
	int n = 0;
	const char *at = p->tok;
	for (; at < p->end; at++) {
		const char *o = *at ? strchr(opening, *at) : NULL, *c = *at ? strchr(closing, *at) : NULL;
		if (*at == '"') {
			for (at++; at < p->end && *at != '"' && *at != '\n'; at++)
				at += *at == '\\';
			if (at >= p->end || *at != '"')
				sr_parser_fail(p, p->tok, "expected '\"' in string literal");
		} else if (*at == '-' && at + 1 < p->end && at[1] == '>') {
			at++;
		} else if (o) {
			if (n == SR_MAX_NESTING)
				sr_parser_fail(p, at, "nested more than %d levels deep", SR_MAX_NESTING);
			stack[n++] = closing[o - opening];
		} else if (c) {
			if (n == 0 || stack[n - 1] != *at)
				sr_parser_fail(p, at, "unbalanced '%c' character in pretty dialect name", *at);
			if (--n == 0)
				break;
		}
	}
	if (at >= p->end)
		sr_parser_fail(p, p->tok, "unbalanced '%c' character in pretty dialect name", *p->tok);
	const char *text = sr_intern_n(p->ctx, p->tok, (size_t)(at + 1 - p->tok));
	sr_parser_restart(p, at + 1);
	return text;
}

/* Parse 4x?x8x after the <, by characters, since `4x8xf32` does not split into tokens. Stops at the element type. */
static void parse_dims(struct sr_parser *p, sr_integers *dims)
{
	const char *at = p->tok;
	for (;;) {
		const char *start = at;
		int64_t extent = 0;
		if (at < p->end && *at == '?') {
			extent = SR_DYNAMIC;
			at++;
		} else {
			for (; at < p->end && *at >= '0' && *at <= '9'; at++)
				if (sr_mul_overflows(extent, (int64_t)10, &extent) || sr_add_overflows(extent, (int64_t)(*at - '0'), &extent))
					sr_parser_fail(p, start, "invalid dimension: the extent does not fit in 64 bits");
			if (at == start)
				break;
		}
		while (at < p->end && *at == ' ')
			at++;
		if (at >= p->end || *at != 'x')
			sr_parser_fail(p, at, "expected 'x' in dimension list");
		sr_push(p->scratch, dims, extent);
		for (at++; at < p->end && (*at == ' ' || *at == '\n' || *at == '\t');)
			at++;
	}
	sr_parser_restart(p, at);
}

static const struct sr_type *check_type(struct sr_parser *p, const char *position, const struct sr_type *t)
{
	const char *error = sr_type_error(p->ctx, t);
	if (error)
		sr_parser_fail(p, position, "%s", error);
	return t;
}

static const struct sr_type *parse_shaped_type(struct sr_parser *p, enum sr_type_kind kind)
{
	struct sr_type t = {.kind = kind};
	const char *position = p->tok;
	sr_integers dims = {0};
	sr_parser_next(p);
	if (p->kind != '<')
		sr_parser_expected(p, "'<' in type");
	sr_parser_next(p);
	if (kind == SR_TYPE_TENSOR && p->kind == '*') {
		t.kind = SR_TYPE_UNRANKED;
		if (p->at >= p->end || *p->at != 'x')
			sr_parser_fail(p, p->at, "expected 'x' in dimension list");
		sr_parser_restart(p, p->at + 1);
	} else {
		parse_dims(p, &dims);
	}
	t.rank = (int)dims.n;
	t.shape = dims.data;
	t.element = sr_parser_type(p);
	if (kind == SR_TYPE_TENSOR && sr_parser_accept(p, ','))
		t.encoding = sr_parser_attr(p, NULL);
	if (kind == SR_TYPE_MEMREF && p->kind == ',') {
		const char *layout_start = p->tok;
		int depth = 0;
		while (p->kind != SR_TOK_END && (depth > 0 || p->kind != '>')) {
			depth += (p->kind == '<' || p->kind == '(' || p->kind == '[') - (p->kind == '>' || p->kind == ')' || p->kind == ']');
			sr_parser_next(p);
		}
		t.text = sr_intern_n(p->ctx, layout_start, (size_t)(p->tok - layout_start));
	}
	sr_parser_expect(p, '>');
	return check_type(p, position, sr_type_intern(p->ctx, &t));
}

static const struct sr_type *parse_complex_type(struct sr_parser *p)
{
	sr_parser_next(p);
	sr_parser_expect(p, '<');
	struct sr_type t = {.kind = SR_TYPE_COMPLEX, .element = sr_parser_type(p)};
	if (t.element->kind != SR_TYPE_FLOAT && t.element->kind != SR_TYPE_INTEGER)
		sr_parser_fail(p, p->tok, "invalid element type for complex");
	sr_parser_expect(p, '>');
	return sr_type_intern(p->ctx, &t);
}

static const struct sr_type *parse_tuple_type(struct sr_parser *p)
{
	sr_types inputs = {0};
	sr_parser_next(p);
	sr_parser_expect(p, '<');
	if (p->kind != '>')
		sr_parser_type_list(p, &inputs);
	sr_parser_expect(p, '>');
	struct sr_type t = {.kind = SR_TYPE_TUPLE, .inputs = inputs.data, .n_inputs = (int)inputs.n};
	return sr_type_intern(p->ctx, &t);
}

static const struct sr_type *parse_function_type(struct sr_parser *p)
{
	sr_types in = {0}, out = {0};
	sr_parser_function_types(p, &in, &out);
	return sr_type_function(p->ctx, in.data, (int)in.n, out.data, (int)out.n);
}

static const struct sr_type *parse_opaque_type(struct sr_parser *p)
{
	const char *name = sr_intern_n(p->ctx, p->tok + 1, p->len - 1);
	const struct sr_type *alias = sr_parser_use_alias(p, &p->type_aliases, name);
	if (alias) {
		sr_parser_next(p);
		return alias;
	}
	if (!memchr(p->tok, '.', p->len) && (p->at >= p->end || *p->at != '<'))
		sr_parser_fail(p, p->tok, "undefined symbol alias id '%s'", name);
	struct sr_type t = {.kind = SR_TYPE_OPAQUE, .text = name};
	if (!strncmp(name, "stablehlo.", strlen("stablehlo.")) && strcmp(name, "stablehlo.token") && strcmp(name, "stablehlo.future"))
		sr_parser_fail(p, p->tok, "unknown stablehlo type: %s", name + strlen("stablehlo."));
	if (!strcmp(name, "stablehlo.token"))
		t = (struct sr_type){.kind = SR_TYPE_TOKEN};
	bool has_body = p->at < p->end && *p->at == '<';
	const char *position = p->tok;
	sr_parser_next(p);
	if (has_body)
		t.text = sr_quant_text(p->ctx, sr_intern(p->ctx, sr_printf(p->arena, "%s%s", name, sr_parser_balanced(p))));
	return check_type(p, position, sr_type_intern(p->ctx, &t));
}

/* Parse i32, si8 or ui10; return false for other words. */
static bool parse_integer_type(const char *s, size_t n, struct sr_type *t)
{
	size_t prefix_length = n > 2 && s[1] == 'i' ? 2 : 1;
	if (n <= prefix_length || s[prefix_length - 1] != 'i' || n > prefix_length + 8)
		return false;
	int width = 0;
	for (size_t i = prefix_length; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		width = width * 10 + (s[i] - '0');
	}
	if (prefix_length == 2 && s[0] != 's' && s[0] != 'u')
		return false;
	*t = (struct sr_type){.kind = SR_TYPE_INTEGER,
			      .width = width,
			      .sign = prefix_length == 1 ? SR_SIGNLESS
				      : s[0] == 's'	 ? SR_SIGNED
							 : SR_UNSIGNED};
	return true;
}

/* Return true for MLIR float formats that shardrun cannot compute with. */
static bool is_unsupported_float(const struct sr_parser *p)
{
	return sr_parser_is_word(p, "tf32") || sr_parser_is_word(p, "f80") || sr_parser_is_word(p, "f128");
}

static const struct sr_type *parse_word_type(struct sr_parser *p)
{
	struct sr_type t = {.kind = SR_TYPE_NONE};
	enum sr_dtype dtype = SR_DTYPE_NONE;
	if (sr_parser_is_word(p, "tensor"))
		return parse_shaped_type(p, SR_TYPE_TENSOR);
	if (parse_integer_type(p->tok, p->len, &t)) {
		if (t.width > 16777215)
			sr_parser_fail(p, p->tok, "integer bitwidth is limited to 16777215 bits");
	} else if ((dtype = sr_dtype_find(p->tok, p->len)) != SR_DTYPE_NONE) {
		t = (struct sr_type){.kind = SR_TYPE_FLOAT, .dtype = dtype};
	} else if (is_unsupported_float(p)) {
		t = (struct sr_type){.kind = SR_TYPE_FLOAT, .text = sr_intern_n(p->ctx, p->tok, p->len)};
	} else if (sr_parser_is_word(p, "complex")) {
		return parse_complex_type(p);
	} else if (sr_parser_is_word(p, "tuple")) {
		return parse_tuple_type(p);
	} else if (sr_parser_is_word(p, "vector")) {
		return parse_shaped_type(p, SR_TYPE_VECTOR);
	} else if (sr_parser_is_word(p, "memref")) {
		return parse_shaped_type(p, SR_TYPE_MEMREF);
	} else if (sr_parser_is_word(p, "index")) {
		t.kind = SR_TYPE_INDEX;
	} else if (!sr_parser_is_word(p, "none")) {
		return NULL;
	}
	sr_parser_next(p);
	return sr_type_intern(p->ctx, &t);
}

const struct sr_type *sr_parser_optional_type(struct sr_parser *p)
{
	const struct sr_type *t = NULL;
	sr_parser_enter(p);
	if (p->kind == SR_TOK_BARE)
		t = parse_word_type(p);
	else if (p->kind == SR_TOK_BANG)
		t = parse_opaque_type(p);
	else if (p->kind == '(')
		t = parse_function_type(p);
	sr_parser_leave(p);
	return t;
}

const struct sr_type *sr_parser_type(struct sr_parser *p)
{
	const struct sr_type *t = sr_parser_optional_type(p);
	if (!t)
		sr_parser_expected(p, "non-function type");
	return t;
}

void sr_parser_type_list(struct sr_parser *p, sr_types *out)
{
	do {
		const struct sr_type *t = sr_parser_type(p);
		sr_push(p->scratch, out, t);
	} while (sr_parser_accept(p, ','));
}

static void parse_parenthesized_types(struct sr_parser *p, sr_types *out)
{
	sr_parser_expect(p, '(');
	if (p->kind != ')')
		sr_parser_type_list(p, out);
	sr_parser_expect(p, ')');
}

void sr_parser_function_types(struct sr_parser *p, sr_types *in, sr_types *out)
{
	parse_parenthesized_types(p, in);
	if (p->kind != SR_TOK_ARROW)
		sr_parser_expected(p, "'->' in function type");
	sr_parser_next(p);
	if (p->kind == '(') {
		parse_parenthesized_types(p, out);
		return;
	}
	const struct sr_type *t = sr_parser_type(p);
	sr_push(p->scratch, out, t);
}
