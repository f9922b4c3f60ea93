/* Parse dialect attributes: #alias, #dialect.name<...>, #dialect<name ...>. Enumerations and structures are defined by
 * dialect/attr/attr_defs.def, and Shardy's attributes in parse_sdy.c. Attributes without a definition are stored as text. */
#include "text/mlir/parse/parser.h"
#include <ctype.h>
#include <string.h>

/* Convert comparison_direction to ComparisonDirection, the spelling in upstream's messages. */
static const char *to_camel_case(struct sr_parser *p, const char *name)
{
	char *out = sr_strdup(p->arena, name), *end = out;
	for (const char *at = name; *at; at++)
		if (*at != '_')
			*end++ = at == name || at[-1] == '_' ? (char)toupper((unsigned char)*at) : *at;
	*end = '\0';
	return out;
}

const char *sr_parser_failure_note(struct sr_parser *p, const struct sr_attr_def *def)
{
	static const char *const numbers[] = {"dot", "gather", "scatter"};
	const char *type = to_camel_case(p, def->name),
		*prefix = !strcmp(def->dialect, "stablehlo") ? "StableHLO" : to_camel_case(p, def->dialect);
	if (def->form == SR_FORM_ENUM)
		return sr_printf(p->arena, "failed to parse %s_%sAttr parameter 'value' which is to be a `::mlir::%s::%s`", prefix, type,
				 def->dialect, type);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		if (!strcmp(def->name, numbers[i]))
			return sr_printf(p->arena, "failed parsing %s dimension numbers", def->name);
	return NULL;
}

const struct sr_attr *sr_parser_enum(struct sr_parser *p, const struct sr_attr_def *def)
{
	const char *position = p->tok;
	struct sr_parse_context r;
	sr_parser_push_context(p, &r, NULL);
	r.def = def;
	const char *word = p->kind == SR_TOK_STRING ? sr_parser_string(p) : sr_parser_word(p, "valid keyword");
	for (const char *const *v = def->values; *v; v++)
		if (!strcmp(*v, word)) {
			sr_parser_pop_context(p);
			return sr_attr_enum(p->ctx, def->dialect, def->name, word);
		}
	struct sr_buf enumerators;
	sr_buf_init(&enumerators, p->arena);
	for (const char *const *v = def->values; *v; v++)
		sr_buf_printf(&enumerators, "%s%s", v == def->values ? "" : ", ", *v);
	sr_parser_fail(p, position, "expected ::mlir::%s::%s to be one of: %s, found '%s'", def->dialect,
		       to_camel_case(p, def->name), sr_buf_string(&enumerators), word);
}

/* Parse a list of extents up to `close`, e.g. 1, ?]. A ? is SR_DYNAMIC. */
static void parse_extents(struct sr_parser *p, int close, sr_integers *out)
{
	while (p->kind != close) {
		int64_t v = SR_DYNAMIC;
		if (!sr_parser_accept(p, '?'))
			v = sr_parser_integer(p);
		sr_push(p->arena, out, v);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, close);
}

static const struct sr_attr *parse_struct_or_attr(struct sr_parser *p, const struct sr_attr_def *def)
{
	return p->kind == SR_TOK_HASH || !def ? sr_parser_attr(p, NULL) : sr_parser_struct(p, def);
}

static const struct sr_attr *parse_struct_list(struct sr_parser *p, const struct sr_attr_def *def)
{
	sr_attrs list = {0};
	sr_parser_expect(p, '[');
	while (p->kind != ']') {
		const struct sr_attr *a = p->kind == '<' ? sr_parser_struct(p, def) : sr_parser_attr(p, NULL);
		sr_push(p->arena, &list, a);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, ']');
	return sr_attr_array(p->ctx, list.data, (int)list.n);
}

static const struct sr_attr *parse_string(struct sr_parser *p)
{
	const char *s = sr_parser_string(p);
	return sr_attr_string(p->ctx, s, sr_interned_length(s));
}

static const struct sr_attr *parse_f64(struct sr_parser *p)
{
	return sr_parser_attr(p, sr_type_scalar(p->ctx, SR_F64));
}

const struct sr_attr *sr_parser_attr_of_slot(struct sr_parser *p, const struct sr_attr_slot *slot)
{
	sr_integers list = {0};
	switch (slot->kind) {
	case SR_KIND_i64s:
		if (p->kind != '[') /* older spellings of a list: array<i64: ...>, dense<...> */
			return sr_parser_attr(p, NULL);
		sr_parser_next(p);
		parse_extents(p, ']', &list);
		return sr_attr_i64s(p->ctx, list.data, (int64_t)list.n);
	case SR_KIND_i64:
	case SR_KIND_i64_positive:
	case SR_KIND_i64_non_negative:
		return sr_parser_attr(p, sr_type_scalar(p->ctx, SR_I64));
	case SR_KIND_i32:
	case SR_KIND_i32_positive:
	case SR_KIND_i32_non_negative:
		return sr_parser_attr(p, sr_type_scalar(p->ctx, SR_I32));
	case SR_KIND_ui32:
		return sr_parser_attr(p, sr_type_scalar(p->ctx, SR_UI32));
	case SR_KIND_ui64:
		return sr_parser_attr(p, sr_type_scalar(p->ctx, SR_UI64));
	case SR_KIND_f64:
		return parse_f64(p);
	case SR_KIND_f32:
		return sr_parser_attr(p, sr_type_scalar(p->ctx, SR_F32));
	case SR_KIND_string: /* a string field is not followed by a type */
		return p->kind == SR_TOK_STRING ? parse_string(p) : sr_parser_attr(p, NULL);
	case SR_KIND_enum:
		return p->kind == SR_TOK_HASH ? sr_parser_attr(p, NULL) : sr_parser_enum(p, slot->def);
	case SR_KIND_struct:
		return parse_struct_or_attr(p, slot->def);
	case SR_KIND_structs:
		return parse_struct_list(p, slot->def);
	case SR_KIND_mesh:
		return p->kind == SR_TOK_HASH ? sr_parser_attr(p, NULL) : sr_parser_mesh(p);
	case SR_KIND_sharding:
		return p->kind == SR_TOK_HASH ? sr_parser_attr(p, NULL) : sr_parser_sharding(p);
	case SR_KIND_shardings:
		return p->kind == SR_TOK_HASH ? sr_parser_attr(p, NULL) : sr_parser_shardings(p);
	case SR_KIND_axes:
	case SR_KIND_manual_axes:
		return p->kind == SR_TOK_HASH ? sr_parser_attr(p, NULL) : sr_parser_axes(p);
	case SR_KIND_axes_list:
		return p->kind == SR_TOK_HASH ? sr_parser_attr(p, NULL) : sr_parser_axes_list(p);
	case SR_KIND_all_to_all_params:
		return p->kind == SR_TOK_HASH ? sr_parser_attr(p, NULL) : sr_parser_all_to_all_params(p);
	default:
		return sr_parser_attr(p, NULL);
	}
}

bool sr_field_is_default(const struct sr_attr_slot *field, const struct sr_attr *a)
{
	if (!field->default_text)
		return false;
	if (a->kind == SR_ATTR_DENSE_ARRAY)
		return a->dense->n_bytes == 0;
	return (a->kind == SR_ATTR_INTEGER || a->kind == SR_ATTR_FLOAT) && a->i == 0;
}

static const struct sr_attr *parse_sub_axis(struct sr_parser *p, const struct sr_attr_def *def)
{
	const struct sr_attr *fields[2];
	sr_parser_expect(p, '(');
	fields[0] = sr_attr_i64(p->ctx, sr_parser_integer(p));
	sr_parser_expect(p, ')');
	fields[1] = sr_attr_i64(p->ctx, sr_parser_integer(p));
	return sr_attr_struct(p->ctx, def, fields);
}

static const struct sr_attr *parse_bounds(struct sr_parser *p, const struct sr_attr_def *def)
{
	sr_integers list = {0};
	sr_parser_expect(p, '<');
	if (sr_parser_accept_word(p, "bounds")) {
		sr_parser_expect(p, '=');
		sr_parser_expect(p, '[');
		parse_extents(p, ']', &list);
		sr_parser_expect(p, '>');
	} else {
		parse_extents(p, '>', &list);
	}
	const struct sr_attr *field = sr_attr_i64s(p->ctx, list.data, (int64_t)list.n);
	return sr_attr_struct(p->ctx, def, &field);
}

static const struct sr_attr *parse_fields(struct sr_parser *p, const struct sr_attr_def *def, const char *start)
{
	const struct sr_attr **values = SR_NEW_ARRAY(p->arena, const struct sr_attr *, def->n_fields);
	bool *is_set = SR_NEW_ARRAY(p->arena, bool, def->n_fields);
	while (p->kind != '>') {
		const char *position = p->tok;
		int i = 0;
		while (i < def->n_fields && !sr_parser_is_word(p, def->fields[i].name))
			i++;
		if (i == def->n_fields) {
			struct sr_buf enumerators;
			sr_buf_init(&enumerators, p->arena);
			for (i = 0; i < def->n_fields; i++)
				sr_buf_printf(&enumerators, "%s`%s`", i ? ", " : "", def->fields[i].name);
			sr_parser_fail(p, p->tok, "expected one of: %s, found '%.*s'", sr_buf_string(&enumerators), (int)p->len,
				       p->tok);
		}
		if (is_set[i])
			sr_parser_fail(p, position, "duplicated `%s` entry", def->fields[i].name);
		is_set[i] = true;
		sr_parser_next(p);
		sr_parser_expect(p, '=');
		values[i] = sr_parser_attr_of_slot(p, &def->fields[i]);
		if (sr_field_is_default(&def->fields[i], values[i]))
			values[i] = NULL;
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, '>');
	for (int i = 0; i < def->n_fields; i++)
		if (!is_set[i] && !def->fields[i].default_text && def->fields[i].kind == SR_KIND_i64s)
			values[i] = sr_attr_i64s(p->ctx, NULL, 0);
		else if (!is_set[i] && !def->fields[i].default_text)
			sr_parser_fail(p, p->tok, "struct is missing required parameter: %s", def->fields[i].name);
	const struct sr_attr *a = sr_attr_struct(p->ctx, def, values);
	const char *error = sr_attr_struct_error(p->ctx, a);
	if (error)
		sr_parser_fail(p, start, "%s", error);
	return a;
}

/* Parse <field = value, ...> after the opening bracket. */
static const struct sr_attr *parse_named_fields(struct sr_parser *p, const struct sr_attr_def *def, const char *start)
{
	struct sr_parse_context r;
	sr_parser_push_context(p, &r, NULL);
	r.def = def;
	const struct sr_attr *a = parse_fields(p, def, start);
	sr_parser_pop_context(p);
	return a;
}

static const struct sr_attr *parse_conv(struct sr_parser *p, const struct sr_attr_def *def)
{
	const char *start = p->tok;
	sr_parser_expect(p, '<');
	if (sr_parser_accept_word(p, "raw"))
		return parse_named_fields(p, def, start);
	const struct sr_attr *a = sr_parser_conv_dims(p, def);
	sr_parser_expect(p, '>');
	return a;
}

const struct sr_attr *sr_parser_struct(struct sr_parser *p, const struct sr_attr_def *def)
{
	static const struct {
		const char *name;
		const struct sr_attr *(*parse)(struct sr_parser *p, const struct sr_attr_def *def);
	} custom_syntaxes[] = {{"map", sr_parser_indexing_map}, {"conv", parse_conv}, {"sub_axis_info", parse_sub_axis},
		   {"type_extensions", parse_bounds}};
	for (size_t i = 0; i < sizeof custom_syntaxes / sizeof *custom_syntaxes; i++)
		if (!strcmp(def->name, custom_syntaxes[i].name))
			return custom_syntaxes[i].parse(p, def);
	const char *start = p->tok;
	sr_parser_expect(p, '<');
	return parse_named_fields(p, def, start);
}

/* Return the definition for a dialect and the attribute's name in text. */
static const struct sr_attr_def *find_def(const char *dialect, const char *name)
{
	if (!strcmp(dialect, "stablehlo") && !strcmp(name, "bounds"))
		name = "type_extensions";
	return sr_attr_def_find(dialect, name);
}

/* Return the tokens of `text` with the whitespace that MLIR prints: <{ map = (d0, d1) -> (d0 : dense, d1 : compressed(nonunique))
 * }>. */
static const char *with_mlir_whitespace(struct sr_parser *p, const char *text)
{
	struct sr_buf out;
	char last_char = '\0';
	sr_buf_init(&out, p->arena);
	for (const char *at = text; *at;) {
		const char *end = at;
		while (isalnum((unsigned char)*end) || (*end && strchr("_.$", *end)))
			end++;
		if (isspace((unsigned char)*at)) {
			at++;
			continue;
		}
		if (end == at)
			end += at[0] == '-' && at[1] == '>' ? 2 : 1;
		bool follows_word = isalnum((unsigned char)last_char) || last_char == '_';
		if (last_char && !strchr("(<[", last_char) && !strchr(")>],<", *at) && !(*at == '(' && follows_word))
			sr_buf_putc(&out, ' ');
		sr_buf_put(&out, at, (size_t)(end - at));
		last_char = end[-1] == '>' && end - at == 2 ? '-' : end[-1];
		at = end;
	}
	return sr_buf_string(&out);
}

static const struct sr_attr *make_opaque_attr(struct sr_parser *p, const char *start, const char *name, bool has_dialect_name)
{
	const char *text = name;
	if (p->kind == '<')
		text = sr_printf(p->arena, "%s%s", name, sr_parser_balanced(p));
	else if (!has_dialect_name)
		sr_parser_fail(p, start, "undefined symbol alias id '%s'", name);
	if (!strncmp(name, "sparse_tensor.", strlen("sparse_tensor.")))
		text = with_mlir_whitespace(p, text);
	struct sr_attr a = {.kind = SR_ATTR_OPAQUE, .s = sr_intern(p->ctx, text)};
	return sr_attr_intern(p->ctx, &a);
}

/* Parse #dialect<name value>: enumerations and #sdy<manual_axes{...}>. */
static const struct sr_attr *parse_angled(struct sr_parser *p, const char *start, const char *dialect)
{
	const char *at = p->tok;
	sr_parser_next(p);
	if (p->kind == SR_TOK_BARE) {
		const char *name = sr_intern_n(p->ctx, p->tok, p->len);
		const struct sr_attr_def *def = find_def(dialect, name);
		const struct sr_attr *a = NULL;
		if (!strcmp(dialect, "sdy")) {
			sr_parser_next(p);
			a = sr_parser_sdy(p, name);
		}
		if (!a && def) {
			if (strcmp(dialect, "sdy"))
				sr_parser_next(p);
			a = def->form == SR_FORM_ENUM ? sr_parser_enum(p, def) : sr_parser_struct(p, def);
		}
		if (a) {
			sr_parser_expect(p, '>');
			return a;
		}
	}
	sr_parser_restart(p, at);
	return make_opaque_attr(p, start, dialect, false);
}

const struct sr_attr *sr_parser_dialect_attr(struct sr_parser *p)
{
	const char *start = p->tok, *text = p->tok + 1;
	size_t n = p->len - 1;
	const char *name = sr_intern_n(p->ctx, text, n);
	const struct sr_attr *alias = sr_parser_use_alias(p, &p->attr_aliases, name);
	if (alias) {
		sr_parser_next(p);
		return alias;
	}
	const char *dot = memchr(text, '.', n);
	bool is_angle_next = p->at < p->end && *p->at == '<';
	sr_parser_next(p);
	if (!dot)
		return is_angle_next ? parse_angled(p, start, name) : make_opaque_attr(p, start, name, false);
	const char *dialect = sr_intern_n(p->ctx, text, (size_t)(dot - text));
	const char *inner = sr_intern(p->ctx, name + (dot - text) + 1);
	const struct sr_attr *a = NULL;
	if (!strcmp(dialect, "sdy"))
		a = sr_parser_sdy(p, inner);
	if (a)
		return a;
	const struct sr_attr_def *def = find_def(dialect, inner);
	if (def && def->form == SR_FORM_ENUM) {
		sr_parser_expect(p, '<');
		a = sr_parser_enum(p, def);
		sr_parser_expect(p, '>');
		return a;
	}
	if (def)
		return sr_parser_struct(p, def);
	return make_opaque_attr(p, start, name, true);
}
