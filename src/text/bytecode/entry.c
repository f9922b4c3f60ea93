/* Read entries of a bytecode file's tables of attributes and types. An entry is read on first use; a cycle of entries is an
 * error. */
#include "text/bytecode/bytecode.h"
#include <string.h>

enum {
	MAX_DEPTH = 2000,       /* maximum nesting of entries; call-site locations nest deeply */
	MAX_EXPANDED_SIZE = 1 << 24    /* maximum expanded size of one entry, where shared entries count each time */
};

/* Read a StableHLO type that a portable artifact contains unconverted, because an op of another dialect uses it: tokens of
 * sdy.manual_computation. */
static void read_stablehlo_type(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	enum { TOKEN = 0 };
	const uint8_t *at = c->at;
	uint64_t code = sr_cursor_varint(b, c);
	if (code != TOKEN)
		sr_bytecode_unsupported(b, at, "unknown StableHLO type code %llu", (unsigned long long)code);
	out->type = sr_type_intern(b->ctx, &(struct sr_type){.kind = SR_TYPE_TOKEN});
}

static const struct {
	const char *dialect;
	void (*attr)(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out);
	void (*type)(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out);
} dialects[] = {
	{"builtin", sr_bytecode_builtin_attr, sr_bytecode_builtin_type},
	{"sdy", sr_bytecode_sdy_attr, NULL},
	{"stablehlo", NULL, read_stablehlo_type},
	{"vhlo", sr_bytecode_vhlo_attr, sr_bytecode_vhlo_type},
};

static void read_custom(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *e, bool is_type)
{
	for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
		if (strcmp(dialects[i].dialect, e->dialect) != 0 || !(is_type ? dialects[i].type : dialects[i].attr))
			continue;
		(is_type ? dialects[i].type : dialects[i].attr)(b, c, e);
		return;
	}
	sr_bytecode_unsupported(b, c->at,
				"%s of dialect '%s' in the dialect's own encoding; only portable artifacts are supported: export with jax.export or "
				"stablehlo.serialize_portable_artifact, or as text",
				is_type ? "a type" : "an attribute", e->dialect);
}

static const char *read_c_string(struct sr_bytecode *b, struct sr_cursor *c)
{
	const uint8_t *end = memchr(c->at, 0, (size_t)(c->end - c->at));
	if (!end)
		sr_bytecode_fail(b, c->at, "a textual attribute or type is not NUL-terminated");
	const char *text = sr_strndup(b->arena, (const char *)c->at, (size_t)(end - c->at));
	c->at = end + 1;
	return text;
}

static void read_text(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *e, bool is_type)
{
	const char *text = read_c_string(b, c);
	if (is_type)
		e->type = sr_bytecode_type_text(b, text);
	else if (sr_parse_attr(b->ctx, text, &e->attr))
		longjmp(b->error_jump, SR_INVALID); /* the parser of the entry's text has reported the error */
}

static struct sr_bytecode_entry *read_entry(struct sr_bytecode *b, struct sr_bytecode_entry *e, bool is_type)
{
	int64_t outer_size = b->expanded_size;
	if (!e->is_read) {
		struct sr_cursor c = e->bytes;
		if (e->is_being_read)
			sr_bytecode_fail(b, c.at, "%s contains itself", is_type ? "a type" : "an attribute");
		if (++b->depth > MAX_DEPTH)
			sr_bytecode_fail(b, c.at, "attributes and types nest deeper than %d", MAX_DEPTH);
		e->is_being_read = true;
		b->expanded_size = 1;
		if (e->has_custom_encoding)
			read_custom(b, &c, e, is_type);
		else
			read_text(b, &c, e, is_type);
		sr_cursor_end(b, &c, is_type ? "a type" : "an attribute");
		e->expanded_size = b->expanded_size;
		e->is_being_read = false;
		e->is_read = true;
		b->depth--;
	}
	b->expanded_size = outer_size + e->expanded_size;
	if (b->expanded_size > MAX_EXPANDED_SIZE)
		sr_bytecode_fail(b, e->bytes.at, "an attribute or type expands to more than %d attributes and types",
				 MAX_EXPANDED_SIZE);
	return e;
}

static const struct sr_attr *read_attr_entry(struct sr_bytecode *b, const uint8_t *at, struct sr_bytecode_entry *e)
{
	if (!read_entry(b, e, false)->attr)
		sr_bytecode_fail(b, at, "expected an attribute, found a component of a sharding");
	return e->attr;
}

const struct sr_attr *sr_bytecode_attr(struct sr_bytecode *b, struct sr_cursor *c)
{
	const uint8_t *at = c->at;
	return read_attr_entry(b, at, &b->attrs[sr_cursor_index(b, c, b->n_attrs, "attribute")]);
}

const struct sr_attr *sr_bytecode_attr_of(struct sr_bytecode *b, struct sr_cursor *c, enum sr_attr_kind kind, const char *expected)
{
	const uint8_t *at = c->at;
	const struct sr_attr *a = sr_bytecode_attr(b, c);
	if (a->kind != kind)
		sr_bytecode_fail(b, at, "expected %s", expected);
	return a;
}

/* Read an index with a flag. Return the table entry with this index, or NULL if the flag is not set. */
static struct sr_bytecode_entry *optional_entry(struct sr_bytecode *b, struct sr_cursor *c)
{
	const uint8_t *at = c->at;
	uint64_t index;
	if (!sr_cursor_varint_with_flag(b, c, &index))
		return NULL;
	if (index >= (uint64_t)b->n_attrs)
		sr_bytecode_fail(b, at, "attribute index %llu out of range: the file has %d", (unsigned long long)index,
				 b->n_attrs);
	return &b->attrs[index];
}

const struct sr_attr *sr_bytecode_optional_attr(struct sr_bytecode *b, struct sr_cursor *c)
{
	const uint8_t *at = c->at;
	struct sr_bytecode_entry *e = optional_entry(b, c);
	return e ? read_attr_entry(b, at, e) : NULL;
}

const struct sr_attr *sr_bytecode_loc(struct sr_bytecode *b, struct sr_cursor *c)
{
	const uint8_t *at = c->at;
	const struct sr_attr *a = sr_bytecode_attr(b, c);
	if (a->kind < SR_LOC_UNKNOWN || a->kind > SR_LOC_FUSED)
		sr_bytecode_fail(b, at, "expected a location");
	return a;
}

const struct sr_attr *const *sr_bytecode_attr_list(struct sr_bytecode *b, struct sr_cursor *c, int *n)
{
	*n = sr_cursor_count(b, c);
	const struct sr_attr **list = SR_NEW_ARRAY(b->arena, const struct sr_attr *, *n);
	for (int i = 0; i < *n; i++)
		list[i] = sr_bytecode_attr(b, c);
	return list;
}

static const struct sr_sdy_nested *read_nested_entry(struct sr_bytecode *b, const uint8_t *at, struct sr_bytecode_entry *e,
						     enum sr_sdy_nested_kind kind)
{
	const struct sr_sdy_nested *nested = read_entry(b, e, false)->nested;
	if (!nested || nested->kind != kind)
		sr_bytecode_fail(b, at, "expected a different component of a sharding");
	return nested;
}

const struct sr_sdy_nested *sr_bytecode_sdy_nested(struct sr_bytecode *b, struct sr_cursor *c, enum sr_sdy_nested_kind kind)
{
	const uint8_t *at = c->at;
	return read_nested_entry(b, at, &b->attrs[sr_cursor_index(b, c, b->n_attrs, "attribute")], kind);
}

const struct sr_sdy_nested *sr_bytecode_optional_sdy_nested(struct sr_bytecode *b, struct sr_cursor *c,
							    enum sr_sdy_nested_kind kind)
{
	const uint8_t *at = c->at;
	struct sr_bytecode_entry *e = optional_entry(b, c);
	return e ? read_nested_entry(b, at, e, kind) : NULL;
}

const struct sr_type *sr_bytecode_type_at(struct sr_bytecode *b, const uint8_t *at, uint64_t index)
{
	if (index >= (uint64_t)b->n_types)
		sr_bytecode_fail(b, at, "type index %llu out of range: the file has %d", (unsigned long long)index, b->n_types);
	return read_entry(b, &b->types[index], true)->type;
}

const struct sr_type *sr_bytecode_type(struct sr_bytecode *b, struct sr_cursor *c)
{
	const uint8_t *at = c->at;
	return sr_bytecode_type_at(b, at, sr_cursor_varint(b, c));
}

const struct sr_type *sr_bytecode_element(struct sr_bytecode *b, struct sr_cursor *c, bool complex)
{
	const uint8_t *at = c->at;
	const struct sr_type *t = sr_bytecode_type(b, c);
	bool is_number = t->kind == SR_TYPE_INTEGER || t->kind == SR_TYPE_FLOAT;
	bool is_non_number = t->kind == SR_TYPE_INDEX || t->kind == SR_TYPE_COMPLEX || t->kind == SR_TYPE_OPAQUE;
	if (!is_number && (complex || !is_non_number))
		sr_bytecode_fail(b, at, "%s has elements of type %s", complex ? "a complex type" : "a tensor", sr_type_string(b->ctx, t));
	return t;
}

const struct sr_type *const *sr_bytecode_type_list(struct sr_bytecode *b, struct sr_cursor *c, int *n)
{
	*n = sr_cursor_count(b, c);
	const struct sr_type **list = SR_NEW_ARRAY(b->arena, const struct sr_type *, *n);
	for (int i = 0; i < *n; i++)
		list[i] = sr_bytecode_type(b, c);
	return list;
}

const struct sr_type *sr_bytecode_type_text(struct sr_bytecode *b, const char *text)
{
	const struct sr_type *type;
	if (sr_parse_type(b->ctx, text, &type))
		longjmp(b->error_jump, SR_INVALID); /* the parser of the entry's text has reported the error */
	return type;
}
