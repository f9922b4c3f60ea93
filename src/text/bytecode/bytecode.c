/* Read an MLIR bytecode file: its sections and tables, then the ops (bytecode/ir.c). Format: MLIR's documentation,
 * BytecodeFormat. */
#include "text/bytecode/bytecode.h"
#include <string.h>

static const char *const section_names[SR_SECTION_COUNT] = {
	"strings", "dialects", "attributes and types", "offsets of attributes and types", "ops", "resources", "offsets of resources",
	"versions of dialects", "properties",
};

static void read_sections(struct sr_bytecode *b, struct sr_cursor *c)
{
	static const int required_sections[] = {SR_SECTION_STRINGS, SR_SECTION_DIALECTS, SR_SECTION_ATTRS_TYPES, SR_SECTION_OFFSETS,
				       SR_SECTION_IR};
	while (c->at < c->end) {
		const uint8_t *at = c->at;
		int id;
		struct sr_cursor section = sr_cursor_section(b, c, &id);
		if (b->sections[id].at)
			sr_bytecode_fail(b, at, "duplicate section: %s", section_names[id]);
		b->sections[id] = section;
	}
	for (size_t i = 0; i < sizeof required_sections / sizeof required_sections[0]; i++)
		if (!b->sections[required_sections[i]].at)
			sr_bytecode_fail(b, c->at, "missing section: %s", section_names[required_sections[i]]);
}

/* Read the string section: first the lengths, from the last string to the first, including the terminating NUL; then the strings
 * from the first to the last. */
static void read_strings(struct sr_bytecode *b)
{
	struct sr_cursor c = b->sections[SR_SECTION_STRINGS];
	b->n_strings = sr_cursor_count(b, &c);
	b->strings = SR_NEW_ARRAY(b->arena, const char *, b->n_strings);
	uint64_t *lengths = SR_NEW_ARRAY(b->arena, uint64_t, b->n_strings);
	for (int i = b->n_strings - 1; i >= 0; i--)
		lengths[i] = sr_cursor_varint(b, &c);
	for (int i = 0; i < b->n_strings; i++) {
		struct sr_cursor s = sr_cursor_take(b, &c, lengths[i]);
		if (lengths[i] == 0 || s.end[-1] != 0)
			sr_bytecode_fail(b, s.at, "a string is not NUL-terminated");
		b->strings[i] = sr_intern_n(b->ctx, (const char *)s.at, (size_t)lengths[i] - 1);
	}
	sr_cursor_end(b, &c, "the strings");
}

static void read_dialect_names(struct sr_bytecode *b, struct sr_cursor *c)
{
	b->n_dialects = sr_cursor_count(b, c);
	b->dialects = SR_NEW_ARRAY(b->arena, const char *, b->n_dialects);
	for (int i = 0; i < b->n_dialects; i++) {
		const uint8_t *at = c->at;
		uint64_t index;
		bool has_version = false;
		if (b->version >= SR_BC_DIALECT_VERSIONS)
			has_version = sr_cursor_varint_with_flag(b, c, &index);
		else
			index = sr_cursor_varint(b, c);
		if (index >= (uint64_t)b->n_strings)
			sr_bytecode_fail(b, at, "string index %llu out of range: the file has %d", (unsigned long long)index,
					 b->n_strings);
		b->dialects[i] = b->strings[index];
		int id;
		if (has_version)
			/* Skip the dialect's version. Only Shardy writes one, and its encodings differ by code. */
			sr_cursor_section(b, c, &id);
	}
}

static void read_op_name(struct sr_bytecode *b, struct sr_cursor *c, const char *dialect, struct sr_bytecode_op *op)
{
	const uint8_t *at = c->at;
	uint64_t index;
	if (b->version >= SR_BC_PROPERTIES)
		op->is_registered = sr_cursor_varint_with_flag(b, c, &index);
	else
		index = sr_cursor_varint(b, c);
	if (index >= (uint64_t)b->n_strings)
		sr_bytecode_fail(b, at, "string index %llu out of range: the file has %d", (unsigned long long)index, b->n_strings);
	const char *name = b->strings[index];
	if (!strcmp(dialect, "vhlo"))
		sr_vhlo_op_from_name(b, at, name, op);
	else
		op->info = sr_op_info_of(b->ctx, *name ? sr_printf(b->arena, "%s.%s", dialect, name) : dialect);
}

static void read_dialects(struct sr_bytecode *b)
{
	struct sr_cursor c = b->sections[SR_SECTION_DIALECTS];
	SR_VEC(struct sr_bytecode_op) ops = {0};
	read_dialect_names(b, &c);
	if (b->version >= SR_BC_ELIDED_LOCS)
		sr_cursor_varint(b, &c); /* skip the number of ops that follow */
	while (c.at < c.end) {
		const char *dialect = b->dialects[sr_cursor_index(b, &c, b->n_dialects, "dialect")];
		int n = sr_cursor_count(b, &c);
		for (int i = 0; i < n; i++) {
			struct sr_bytecode_op op = {0};
			read_op_name(b, &c, dialect, &op);
			sr_push(b->arena, &ops, op);
		}
	}
	b->ops = ops.data;
	b->n_ops = (int)ops.n;
}

/* Read the offsets section: groups of entries of one dialect, with the length of each entry; all attributes precede all types. */
static void read_entries(struct sr_bytecode *b)
{
	struct sr_cursor c = b->sections[SR_SECTION_OFFSETS], bytes = b->sections[SR_SECTION_ATTRS_TYPES];
	b->n_attrs = sr_cursor_count(b, &c);
	b->n_types = sr_cursor_count(b, &c);
	int64_t n_entries = (int64_t)b->n_attrs + b->n_types, at = 0;
	struct sr_bytecode_entry *list = SR_NEW_ARRAY(b->arena, struct sr_bytecode_entry, n_entries);
	while (c.at < c.end) {
		const char *dialect = b->dialects[sr_cursor_index(b, &c, b->n_dialects, "dialect")];
		const uint8_t *count_position = c.at;
		int n = sr_cursor_count(b, &c);
		if (n > n_entries - at)
			sr_bytecode_fail(b, count_position, "more attributes and types than %lld", (long long)n_entries);
		for (int i = 0; i < n; i++, at++) {
			uint64_t length;
			list[at].dialect = dialect;
			list[at].has_custom_encoding = sr_cursor_varint_with_flag(b, &c, &length);
			list[at].bytes = sr_cursor_take(b, &bytes, length);
		}
	}
	if (at != n_entries)
		sr_bytecode_fail(b, c.at, "found %lld attributes and types, but the header declares %lld", (long long)at,
				 (long long)n_entries);
	b->attrs = list;
	b->types = list + b->n_attrs;
}

static void read_properties(struct sr_bytecode *b)
{
	struct sr_cursor c = b->sections[SR_SECTION_PROPERTIES];
	if (!c.at)
		return;
	b->n_properties = sr_cursor_count(b, &c);
	b->properties = SR_NEW_ARRAY(b->arena, struct sr_cursor, b->n_properties);
	for (int i = 0; i < b->n_properties; i++)
		b->properties[i] = sr_cursor_blob(b, &c);
	sr_cursor_end(b, &c, "the properties");
}

static struct sr_op *read_module(struct sr_bytecode *b, size_t n)
{
	struct sr_cursor c = {b->start + 4, b->start + n};
	const uint8_t *at = c.at;
	uint64_t version = sr_cursor_varint(b, &c);
	if (version > SR_BC_LATEST_VERSION)
		sr_bytecode_unsupported(b, at, "bytecode version %llu is not supported: the newest supported version is %d",
					(unsigned long long)version, SR_BC_LATEST_VERSION);
	b->version = (int)version;
	while (sr_cursor_byte(b, &c)) /* skip the name of the program that wrote the file */
		;
	read_sections(b, &c);
	read_strings(b);
	read_properties(b);
	read_dialects(b);
	read_entries(b);
	struct sr_op *module = sr_module_new(b->ctx);
	struct sr_block *body = sr_module_body(module);
	sr_bytecode_ir(b, body);
	struct sr_op *sole_op = body->first;
	if (sole_op && sole_op == body->last && sr_op_is(sole_op, SR_OP_builtin_module)) {
		sr_op_unlink(sole_op);
		return sole_op;
	}
	return module;
}

enum sr_status sr_parse_bytecode(struct sr_context *ctx, const char *file, const char *bytes, size_t n, struct sr_op **module)
{
	struct sr_bytecode *b = SR_NEW(ctx->arena, struct sr_bytecode);
	*b = (struct sr_bytecode){.ctx = ctx, .arena = ctx->arena, .file = sr_intern(ctx, file), .start = (const uint8_t *)bytes};
	int error_status = setjmp(b->error_jump);
	if (error_status)
		return (enum sr_status)error_status;
	*module = read_module(b, n);
	return SR_OK;
}
