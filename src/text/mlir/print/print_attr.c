/* Print attributes and types. */
#include "text/mlir/print/aliases.h"
#include <ctype.h>
#include <string.h>

static bool is_word(const char *s)
{
	size_t n = sr_interned_length(s);
	if (n == 0 || !(isalpha((unsigned char)*s) || *s == '_'))
		return false;
	for (size_t i = 1; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_' && s[i] != '$' && s[i] != '.')
			return false;
	return true;
}

void sr_print_keyword_or_string(struct sr_buf *out, const char *s)
{
	if (is_word(s))
		sr_buf_puts(out, s);
	else
		sr_print_string(out, s);
}

void sr_print_symbol(struct sr_buf *out, const char *s)
{
	sr_buf_putc(out, '@');
	sr_print_keyword_or_string(out, s);
}

static void print_encoding(void *data, const struct sr_attr *attr, struct sr_buf *out)
{
	struct sr_printer *p = data;
	struct sr_buf *old_out = p->out;
	p->out = out;
	sr_print_attribute(p, attr, SR_TYPE_SHOWN);
	p->out = old_out;
}

void sr_print_type(struct sr_printer *p, const struct sr_type *t)
{
	if (!sr_print_type_alias(p, t))
		sr_type_print_with(t, p->out, print_encoding, p);
}

void sr_print_integers(struct sr_printer *p, const struct sr_attr *list)
{
	const int64_t *v;
	int64_t n = 0;
	if (!sr_attr_ints(p->ctx, list, &v, &n))
		return;
	for (int64_t i = 0; i < n; i++) {
		if (i)
			sr_buf_puts(p->out, ", ");
		if (v[i] == SR_DYNAMIC)
			sr_buf_putc(p->out, '?');
		else
			sr_buf_int(p->out, v[i]);
	}
}

void sr_print_dict_entries(struct sr_printer *p, const struct sr_named_attr *entries, int n)
{
	for (int i = 0; i < n; i++) {
		if (i)
			sr_buf_puts(p->out, ", ");
		sr_print_keyword_or_string(p->out, entries[i].name);
		if (entries[i].value->kind == SR_ATTR_UNIT)
			continue;
		sr_buf_puts(p->out, " = ");
		sr_print_attribute(p, entries[i].value, SR_TYPE_SHOWN);
	}
}

static void print_list(struct sr_printer *p, const struct sr_attr *a)
{
	sr_buf_putc(p->out, '[');
	for (int i = 0; i < a->n; i++) {
		if (i)
			sr_buf_puts(p->out, ", ");
		sr_print_attribute(p, a->list[i], SR_TYPE_IN_LIST);
	}
	sr_buf_putc(p->out, ']');
}

/* Print " : type" after a number or string if `type_display` requires it. */
static void print_colon_type(struct sr_printer *p, const struct sr_attr *a, enum sr_type_display type_display)
{
	bool is_default_type = a->type && (a->kind == SR_ATTR_FLOAT
				     ? a->type->dtype == SR_F64
				     : a->type->kind == SR_TYPE_INTEGER && a->type->width == 64 && a->type->sign == SR_SIGNLESS);
	if (!a->type || type_display == SR_TYPE_HIDDEN || (type_display == SR_TYPE_IN_LIST && is_default_type))
		return;
	sr_buf_puts(p->out, " : ");
	sr_print_type(p, a->type);
}

static void print_integer(struct sr_printer *p, const struct sr_attr *a)
{
	if (a->type && a->type->kind == SR_TYPE_INTEGER && a->type->sign == SR_UNSIGNED)
		sr_buf_uint(p->out, (uint64_t)a->i);
	else
		sr_buf_int(p->out, a->i);
}

static void print_symbol_ref(struct sr_printer *p, const struct sr_attr *a)
{
	sr_print_symbol(p->out, a->s);
	for (int i = 0; i < a->n; i++) {
		sr_buf_puts(p->out, "::");
		sr_print_attribute(p, a->list[i], SR_TYPE_SHOWN);
	}
}

/* Return true for enumerations that upstream stores as integers. */
static bool is_integer_enum(const struct sr_attr_def *def)
{
	return !strcmp(def->name, "custom_call_api_version") || !strcmp(def->name, "propagation_direction");
}

static void print_enum(struct sr_printer *p, const struct sr_attr *a)
{
	const char *name = sr_attr_enum_name(a);
	if (is_integer_enum(a->def))
		sr_buf_printf(p->out, "%lld : i32", (long long)a->i);
	else if (!strcmp(a->def->name, "result_accuracy_mode"))
		sr_buf_printf(p->out, "#%s.%s<%s>", a->def->dialect, a->def->name, name);
	else
		sr_buf_printf(p->out, "#%s<%s %s>", a->def->dialect, a->def->name, name);
}

static void print_structure(struct sr_printer *p, const struct sr_attr *a)
{
	const char *name = !strcmp(a->def->name, "type_extensions") ? "bounds" : a->def->name;
	sr_buf_printf(p->out, "#%s.%s", a->def->dialect, name);
	sr_print_struct(p, a);
}

static void print_opaque(struct sr_printer *p, const struct sr_attr *a)
{
	if (a->s[0] == '!') { /* affine_map<...> does not belong to a dialect */
		sr_buf_puts(p->out, a->s + 1);
		return;
	}
	sr_buf_putc(p->out, '#');
	sr_buf_puts(p->out, a->s);
}

void sr_print_attribute(struct sr_printer *p, const struct sr_attr *a, enum sr_type_display type_display)
{
	if (sr_print_attr_alias(p, a))
		return;
	switch (a->kind) {
	case SR_ATTR_UNIT:
		sr_buf_puts(p->out, "unit");
		break;
	case SR_ATTR_BOOL:
		sr_buf_puts(p->out, a->i ? "true" : "false");
		break;
	case SR_ATTR_INTEGER:
		print_integer(p, a);
		print_colon_type(p, a, type_display);
		break;
	case SR_ATTR_FLOAT:
		sr_print_float(p->out, a->type->dtype, (uint64_t)a->i);
		print_colon_type(p, a, type_display);
		break;
	case SR_ATTR_STRING:
		sr_print_string(p->out, a->s);
		print_colon_type(p, a, type_display);
		break;
	case SR_ATTR_ARRAY:
		if (sr_is_sdy_attr(a))
			sr_print_sdy(p, a, true);
		else
			print_list(p, a);
		break;
	case SR_ATTR_DICT:
		sr_buf_putc(p->out, '{');
		sr_print_dict_entries(p, a->entries, a->n);
		sr_buf_putc(p->out, '}');
		break;
	case SR_ATTR_TYPE:
		sr_print_type(p, a->type);
		break;
	case SR_ATTR_SYMBOL:
		print_symbol_ref(p, a);
		break;
	case SR_ATTR_DENSE:
		sr_print_dense(p, a, type_display != SR_TYPE_HIDDEN);
		break;
	case SR_ATTR_RESOURCE:
		sr_print_resource(p, a);
		break;
	case SR_ATTR_DENSE_ARRAY:
		sr_print_dense_array(p, a, false);
		break;
	case SR_ATTR_ENUM:
		print_enum(p, a);
		break;
	case SR_ATTR_STRUCT:
		print_structure(p, a);
		break;
	case SR_ATTR_OPAQUE:
		print_opaque(p, a);
		break;
	case SR_ATTR_MESH:
	case SR_ATTR_SHARDING:
	case SR_ATTR_SHARDINGS:
	case SR_ATTR_AXES:
	case SR_ATTR_AXES_LIST:
	case SR_ATTR_RULE:
		sr_print_sdy(p, a, true);
		break;
	default:
		sr_buf_puts(p->out, "loc(");
		sr_print_location_body(p, a);
		sr_buf_putc(p->out, ')');
	}
}

void sr_print_attr_of_slot(struct sr_printer *p, const struct sr_attr_slot *slot, const struct sr_attr *a)
{
	if (a->kind == SR_ATTR_ENUM) {
		sr_buf_puts(p->out, sr_attr_enum_name(a));
	} else if (a->kind == SR_ATTR_STRUCT) {
		sr_print_struct(p, a);
	} else if (sr_is_sdy_attr(a)) {
		sr_print_sdy(p, a, false);
	} else if (slot->kind == SR_KIND_i64s) {
		sr_buf_putc(p->out, '[');
		sr_print_integers(p, a);
		sr_buf_putc(p->out, ']');
	} else {
		bool shows_type = a->kind == SR_ATTR_DENSE || slot->kind == SR_KIND_typed;
		sr_print_attribute(p, a, shows_type ? SR_TYPE_SHOWN : SR_TYPE_HIDDEN);
	}
}

void sr_print_attr(struct sr_context *ctx, const struct sr_attr *attr, struct sr_buf *out)
{
	struct sr_printer p = {.ctx = ctx, .arena = ctx->arena, .out = out, .dialect = ""};
	sr_print_attribute(&p, attr, SR_TYPE_SHOWN);
}
