/* Convert VHLO ops to StableHLO: op names, properties and attributes, driven by the table vhlo.def. The StableHLO name is the
 * VHLO name without its version suffix, except for func, call and return. */
#include "text/bytecode/bytecode.h"
#include <stdlib.h>
#include <string.h>

struct sr_vhlo_op {
	const char *name;
	int last_version; /* highest supported version of the op */
	const char *structures, *attributes; /* lists in the syntax described in vhlo.def; "" if empty */
};

static const struct sr_vhlo_op vhlo_ops[] = {
#define VHLO(name, last_version, structures, attributes) {name, last_version, structures, attributes},
#include "text/bytecode/vhlo.def"
};

/* An attribute of a row of vhlo.def. */
struct attr_row {
	const char *name, *conversion, *default_value; /* fields of the row, not NUL-terminated; "" for an absent field */
	size_t n_name, n_conversion, n_default_value;  /* lengths of `name`, `conversion` and `default_value`, bytes */
	int first_version, last_version;	       /* first and last version of the op that has the attribute */
};

static size_t take_word(const char **s, char separator, const char **out)
{
	if (**s != separator) {
		*out = "";
		return 0;
	}
	*out = *s + 1;
	size_t n = strcspn(*out, " :=/^");
	*s = *out + n;
	return n;
}

/* Parse the next attribute of a row. Return false at the end. */
static bool next_attr_row(const char **s, struct attr_row *out)
{
	while (**s == ' ')
		++*s;
	if (!**s)
		return false;
	const char *digits;
	out->name = *s;
	out->n_name = strcspn(*s, " :=/^");
	*s += out->n_name;
	out->n_conversion = take_word(s, ':', &out->conversion);
	out->n_default_value = take_word(s, '=', &out->default_value);
	out->first_version = take_word(s, '/', &digits) ? atoi(digits) : 0;
	out->last_version = take_word(s, '^', &digits) ? atoi(digits) : INT32_MAX;
	return true;
}

static bool text_equals(const char *text, size_t n, const char *expected)
{
	return strlen(expected) == n && !memcmp(text, expected, n);
}

void sr_vhlo_op_from_name(struct sr_bytecode *b, const uint8_t *at, const char *name, struct sr_bytecode_op *out)
{
	static const char *const functions[][2] = {{"func", "func.func"}, {"call", "func.call"}};
	const char *end = strstr(name, "_v");
	for (const char *next; end && (next = strstr(end + 1, "_v"));)
		end = next;
	char *version_end;
	long version = end ? strtol(end + 2, &version_end, 10) : 0;
	if (!end || end == name || version_end == end + 2 || *version_end || version < 1 || version > 1000)
		sr_bytecode_fail(b, at, "the VHLO op name '%s' has no version suffix", name);
	const char *base_name = sr_strndup(b->arena, name, (size_t)(end - name)),
		   *stablehlo_name = sr_printf(b->arena, "stablehlo.%s", base_name);
	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
		if (!strcmp(base_name, functions[i][0]))
			stablehlo_name = functions[i][1];
	static const struct sr_vhlo_op row_without_attrs = {"", 1, "", ""};
	out->vhlo = &row_without_attrs;
	for (size_t i = 0; i < sizeof vhlo_ops / sizeof vhlo_ops[0]; i++)
		if (!strcmp(vhlo_ops[i].name, base_name))
			out->vhlo = &vhlo_ops[i];
	out->info = sr_op_info_of(b->ctx, stablehlo_name);
	if (out->info->code == SR_OP_UNREGISTERED || version > out->vhlo->last_version)
		sr_bytecode_unsupported(b, at, "unknown op 'vhlo.%s': the artifact is newer than this version of shardrun", name);
	out->version = (int)version;
	out->is_return = !strcmp(base_name, "return");
}

void sr_vhlo_properties(struct sr_bytecode *b, struct sr_cursor *c, const struct sr_bytecode_op *op, sr_bytecode_attrs *out)
{
	struct attr_row attr_row;
	for (const char *s = op->vhlo->attributes; next_attr_row(&s, &attr_row);) {
		if (op->version < attr_row.first_version || op->version > attr_row.last_version)
			continue;
		struct sr_named_attr named = {sr_intern_n(b->ctx, attr_row.name, attr_row.n_name), NULL};
		named.value = sr_bytecode_attr(b, c);
		sr_push(b->arena, out, named);
	}
}

/* ---------------------------------------------------------------- attributes with default values */

static bool is_empty(const struct sr_attr *a)
{
	switch (a->kind) {
	case SR_ATTR_ARRAY:
	case SR_ATTR_DICT:
		return a->n == 0;
	case SR_ATTR_STRING:
		return sr_interned_length(a->s) == 0;
	case SR_ATTR_DENSE:
		return a->dense->n_bytes == 0;
	default:
		return false;
	}
}

/* Return true if the attribute is a splat of `value`. Tensors without elements are not splats. */
static bool is_splat(struct sr_bytecode *b, const struct sr_attr *a, int64_t value)
{
	int64_t n, v = 0;
	if (a->kind != SR_ATTR_DENSE || !a->dense->splat || !sr_dtype_is_integer(a->type->dtype))
		return false;
	sr_element_get(a->type->dtype, sr_dense_data(b->ctx, a, false, &n), &v, NULL, NULL);
	return v == value;
}

static bool is_enumerator(const struct sr_attr *a, const char *name, size_t n)
{
	bool is_list = a->kind == SR_ATTR_ARRAY;
	for (int i = 0; i < (is_list ? a->n : 1); i++) {
		const struct sr_attr *e = is_list ? a->list[i] : a;
		if (e->kind != SR_ATTR_ENUM || !text_equals(name, n, sr_attr_enum_name(e)))
			return false;
	}
	return true;
}

static bool is_default_accuracy(const struct sr_attr *a)
{
	const struct sr_attr *mode = a->kind == SR_ATTR_STRUCT && !strcmp(a->def->name, "result_accuracy") ? a->list[3] : NULL;
	return mode && !a->list[0] && !a->list[1] && !a->list[2] && !strcmp(sr_attr_enum_name(mode), "DEFAULT");
}

static const struct sr_attr *find_attr(const sr_bytecode_attrs *attrs, const char *name, size_t n)
{
	for (size_t i = 0; i < attrs->n; i++)
		if (text_equals(name, n, attrs->data[i].name))
			return attrs->data[i].value;
	return NULL;
}

/* Return true if all attributes of the op with the default "[]all" are empty. They can only be omitted together. */
static bool all_empty(const sr_bytecode_attrs *attrs, const struct sr_bytecode_op *op)
{
	struct attr_row attr_row;
	for (const char *s = op->vhlo->attributes; next_attr_row(&s, &attr_row);) {
		const struct sr_attr *a = text_equals(attr_row.default_value, attr_row.n_default_value, "[]all")
			? find_attr(attrs, attr_row.name, attr_row.n_name) : NULL;
		if (a && !is_empty(a))
			return false;
	}
	return true;
}

static bool is_default_value(struct sr_bytecode *b, const struct sr_attr *a, const struct attr_row *attr_row)
{
	const char *s = attr_row->default_value;
	size_t n = attr_row->n_default_value;
	if (text_equals(s, n, "''") || text_equals(s, n, "[]"))
		return is_empty(a);
	if (text_equals(s, n, "false"))
		return a->kind == SR_ATTR_BOOL && !a->i;
	if (text_equals(s, n, "0") || text_equals(s, n, "-1"))
		return a->kind == SR_ATTR_INTEGER && a->i == (*s == '0' ? 0 : -1);
	if (text_equals(s, n, "0s") || text_equals(s, n, "1s"))
		return is_splat(b, a, *s - '0');
	if (text_equals(s, n, "accuracy"))
		return is_default_accuracy(a);
	return n && is_enumerator(a, s, n);
}

/* ---------------------------------------------------------------- conversions */

static const struct sr_attr *to_dense_array(struct sr_bytecode *b, const uint8_t *at, const struct sr_attr *a, enum sr_dtype t,
					    const char *name)
{
	const int64_t *v;
	int64_t n;
	if (a->kind != SR_ATTR_DENSE || a->type->dtype != t || a->type->rank != 1 || !sr_attr_ints(b->ctx, a, &v, &n))
		sr_bytecode_fail(b, at, "'%s' is not a list of %s", name, sr_dtypes[t].name);
	if (t == SR_I64)
		return sr_attr_i64s(b->ctx, v, n);
	bool *bools = SR_NEW_ARRAY(b->arena, bool, n);
	for (int64_t i = 0; i < n; i++)
		bools[i] = v[i] != 0;
	return sr_attr_bools(b->ctx, bools, n);
}

static const struct sr_attr *to_symbol(struct sr_bytecode *b, const uint8_t *at, const struct sr_attr *a, const char *name)
{
	if (a->kind != SR_ATTR_STRING)
		sr_bytecode_fail(b, at, "'%s' is not the name of a function", name);
	return sr_attr_symbol(b->ctx, a->s);
}

static const struct sr_attr *to_symbols(struct sr_bytecode *b, const uint8_t *at, const struct sr_attr *a, const char *name)
{
	if (a->kind != SR_ATTR_ARRAY)
		sr_bytecode_fail(b, at, "'%s' is not a list of names", name);
	const struct sr_attr **list = SR_NEW_ARRAY(b->arena, const struct sr_attr *, a->n);
	for (int i = 0; i < a->n; i++)
		list[i] = to_symbol(b, at, a->list[i], name);
	return sr_attr_array(b->ctx, list, a->n);
}

static const struct sr_attr *channel_handle(struct sr_bytecode *b, const uint8_t *at, const struct sr_attr *a,
					    const struct sr_attr *type)
{
	const struct sr_attr *fields[2] = {a, type ? type : sr_attr_i64(b->ctx, 0)};
	if (a->kind != SR_ATTR_INTEGER || fields[1]->kind != SR_ATTR_INTEGER)
		sr_bytecode_fail(b, at, "a channel ID is not an integer");
	fields[0] = sr_attr_i64(b->ctx, a->i);
	fields[1] = sr_attr_i64(b->ctx, fields[1]->i);
	return sr_attr_struct(b->ctx, sr_attr_def_find("stablehlo", "channel_handle"), fields);
}

static struct sr_named_attr convert_attr(struct sr_bytecode *b, const uint8_t *at, const sr_bytecode_attrs *all_attrs,
					 struct sr_named_attr vhlo_attr,
					 const struct attr_row *attr_row)
{
	const char *s = attr_row->conversion;
	size_t n = attr_row->n_conversion;
	struct sr_named_attr result = vhlo_attr;
	if (text_equals(s, n, "i64s"))
		result.value = to_dense_array(b, at, vhlo_attr.value, SR_I64, vhlo_attr.name);
	else if (text_equals(s, n, "bools"))
		result.value = to_dense_array(b, at, vhlo_attr.value, SR_I1, vhlo_attr.name);
	else if (text_equals(s, n, "flag") && vhlo_attr.value->kind == SR_ATTR_BOOL)
		result.value = vhlo_attr.value->i ? sr_attr_unit(b->ctx) : NULL;
	else if (text_equals(s, n, "symbol"))
		result.value = to_symbol(b, at, vhlo_attr.value, vhlo_attr.name);
	else if (text_equals(s, n, "symbols"))
		result.value = to_symbols(b, at, vhlo_attr.value, vhlo_attr.name);
	else if (text_equals(s, n, "channel"))
		result = (struct sr_named_attr){sr_intern(b->ctx, "channel_handle"),
					    channel_handle(b, at, vhlo_attr.value, find_attr(all_attrs, "channel_type", 12))};
	else if (text_equals(s, n, "drop"))
		result.value = NULL;
	return result;
}

/* ---------------------------------------------------------------- structures */

static const struct sr_attr *field_value(struct sr_bytecode *b, const uint8_t *at, const struct sr_attr_slot *field,
					 const struct sr_attr *a)
{
	if (field->kind == SR_KIND_i64s) {
		if (a)
			a = to_dense_array(b, at, a, SR_I64, field->name);
		else
			a = sr_attr_i64s(b->ctx, NULL, 0);
		return field->default_text && a->dense->n_bytes == 0 ? NULL : a;
	}
	enum sr_attr_kind expected = field->kind == SR_KIND_type ? SR_ATTR_TYPE : field->kind == SR_KIND_bool ? SR_ATTR_BOOL
		: SR_ATTR_INTEGER;
	if (!a || a->kind != expected || (expected == SR_ATTR_INTEGER && a->type->dtype != SR_I64))
		sr_bytecode_fail(b, at, "'%s' is missing or has the wrong kind", field->name);
	return field->default_text && expected == SR_ATTR_INTEGER && a->i == 0 ? NULL : a;
}

/* Return true if all fields of the structure (the dot algorithm) have the type none, so that the structure is absent. */
static bool is_absent(const struct sr_attr_def *def, const sr_bytecode_attrs *attrs)
{
	for (int i = 0; i < def->n_fields; i++) {
		const struct sr_attr *a = find_attr(attrs, def->fields[i].name, strlen(def->fields[i].name));
		if (a && !(a->kind == SR_ATTR_TYPE && a->type->kind == SR_TYPE_NONE))
			return false;
	}
	return def->fields[0].kind == SR_KIND_type;
}

/* Build the structures listed in a row of vhlo.def ("attribute:structure ...") from the op's attributes. Appends them to `out` and
 * sets the attributes used to NULL. */
static void build_structures(struct sr_bytecode *b, const uint8_t *at, const struct sr_bytecode_op *op, sr_bytecode_attrs *attrs,
			     sr_bytecode_attrs *out)
{
	struct attr_row attr_row;
	for (const char *s = op->vhlo->structures; next_attr_row(&s, &attr_row);) {
		const struct sr_attr_def *def = sr_attr_def_find("stablehlo",
								 sr_strndup(b->arena, attr_row.conversion, attr_row.n_conversion));
		const struct sr_attr **fields = SR_NEW_ARRAY(b->arena, const struct sr_attr *, def->n_fields);
		bool is_field_absent = is_absent(def, attrs);
		for (int i = 0; i < def->n_fields && !is_field_absent; i++)
			fields[i] = field_value(b, at, &def->fields[i],
						find_attr(attrs, def->fields[i].name, strlen(def->fields[i].name)));
		for (int i = 0; i < def->n_fields; i++)
			for (size_t k = 0; k < attrs->n; k++)
				if (!strcmp(attrs->data[k].name, def->fields[i].name))
					attrs->data[k].value = NULL;
		struct sr_named_attr named = {sr_intern_n(b->ctx, attr_row.name, attr_row.n_name),
					      is_field_absent ? NULL : sr_attr_struct(b->ctx, def, fields)};
		if (!is_field_absent)
			sr_push(b->arena, out, named);
	}
}

static bool attr_row_of(const struct sr_bytecode_op *op, const char *name, struct attr_row *attr_row)
{
	for (const char *s = op->vhlo->attributes; next_attr_row(&s, attr_row);)
		if (text_equals(attr_row->name, attr_row->n_name, name))
			return true;
	return false;
}

void sr_vhlo_convert_attrs(struct sr_bytecode *b, const uint8_t *at, const struct sr_bytecode_op *op, sr_bytecode_attrs *attrs)
{
	sr_bytecode_attrs out = {0}, all_attrs = {0};
	bool are_all_omittable = all_empty(attrs, op);
	for (size_t i = 0; i < attrs->n; i++)
		sr_push(b->arena, &all_attrs, attrs->data[i]);
	build_structures(b, at, op, attrs, &out);
	for (size_t i = 0; i < attrs->n; i++) {
		struct sr_named_attr named = attrs->data[i];
		struct attr_row attr_row;
		if (named.value && attr_row_of(op, named.name, &attr_row)) {
			bool is_default = text_equals(attr_row.default_value, attr_row.n_default_value, "[]all") ? are_all_omittable
				: is_default_value(b, named.value, &attr_row);
			named = is_default ? (struct sr_named_attr){named.name, NULL}
					   : convert_attr(b, at, &all_attrs, named, &attr_row);
		}
		if (named.value)
			sr_push(b->arena, &out, named);
	}
	*attrs = out;
}
