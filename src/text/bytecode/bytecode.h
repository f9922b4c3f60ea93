/* Internals of the MLIR bytecode reader: a file's tables and cursors over its bytes. Private to src/text.
 *
 * A file consists of sections: strings; dialects with their op names; attributes and types (read on first use); op properties;
 * ops. VHLO ops, attributes and types are converted to StableHLO as they are read. On an error, sr_bytecode_fail reports the byte
 * offset and unwinds (longjmp) to sr_parse_bytecode. The functions below therefore return the value read, with every offset,
 * count and index checked, and never a status. All memory is from the context's arena. */
#ifndef SR_TEXT_BYTECODE_H
#define SR_TEXT_BYTECODE_H

#include "dialect/ops.h"
#include "dialect/signature.h"
#include "support/vec.h"
#include "text/text.h"
#include <setjmp.h>

enum sr_bytecode_section {
	SR_SECTION_STRINGS,
	SR_SECTION_DIALECTS,
	SR_SECTION_ATTRS_TYPES,
	SR_SECTION_OFFSETS,
	SR_SECTION_IR,
	SR_SECTION_RESOURCES,
	SR_SECTION_RESOURCE_OFFSETS,
	SR_SECTION_DIALECT_VERSIONS,
	SR_SECTION_PROPERTIES,
	SR_SECTION_COUNT
};

/* Versions of the format in which features were introduced. */
enum {
	SR_BC_DIALECT_VERSIONS = 1,
	SR_BC_LAZY_REGIONS = 2,
	SR_BC_USE_ORDERS = 3,
	SR_BC_ELIDED_LOCS = 4,
	SR_BC_PROPERTIES = 5,
	SR_BC_LATEST_VERSION = 6
};

struct sr_cursor { /* a range of bytes of a bytecode file */
	const uint8_t *at, *end; /* current position and end; `at` is NULL if the section does not exist */
};

/* Kinds of Shardy attributes that bytecode encodes as separate entries and the IR embeds in other attributes. */
enum sr_sdy_nested_kind {
	SR_SDY_NESTED_AXIS,
	SR_SDY_NESTED_SUB_AXIS,
	SR_SDY_NESTED_REF,
	SR_SDY_NESTED_DIM,
	SR_SDY_NESTED_DIM_MAPPING,
	SR_SDY_NESTED_TENSOR_MAPPING
};
struct sr_sdy_nested { /* a Shardy attribute of a kind of enum sr_sdy_nested_kind; only the members of its kind are set */
	enum sr_sdy_nested_kind kind;
	struct sr_axis axis;
	int64_t pre, size; /* pre-size and size of a sub-axis */
	struct sr_sdy_axis ref;
	struct sr_sdy_dim dim;
	struct sr_dim_mapping dim_mapping;
	struct sr_tensor_mapping mapping;
};

struct sr_bytecode_entry { /* an attribute or type in the file's tables */
	const char *dialect;
	struct sr_cursor bytes;
	bool has_custom_encoding; /* true if the entry is in its dialect's binary encoding, false if it is text */
	bool is_being_read; /* true while the entry is being read; reading it again then is a cycle, an error */
	bool is_read;
	int64_t expanded_size;  /* number of attributes and types of the entry when expanded without sharing */
	const struct sr_attr *attr;
	const struct sr_type *type;
	/* value of an entry that is a Shardy attribute embedded in other attributes; `attr` is then NULL */
	const struct sr_sdy_nested *nested;
};

struct sr_vhlo_op;
struct sr_bytecode_op { /* an op name in the file's tables */
	const struct sr_op_info *info;
	/* true if the producer had the op registered; its properties are then encoded without names, by its signature */
	bool is_registered;
	const struct sr_vhlo_op *vhlo; /* row of the VHLO op; NULL for ops of other dialects */
	int version;                   /* version of the op if it is a VHLO op */
	bool is_return;                /* true for vhlo.return, which becomes func.return in a function */
};

typedef SR_VEC(struct sr_named_attr) sr_bytecode_attrs;

struct sr_bytecode {
	struct sr_context *ctx;
	struct sr_arena *arena;
	const char *file; /* file name for messages, interned */
	const uint8_t *start; /* first byte of the file; not owned */
	int version;	      /* version of the bytecode format, 0 to SR_BC_LATEST_VERSION */
	struct sr_cursor sections[SR_SECTION_COUNT];
	const char **strings; /* strings of the string table; interned */
	int n_strings;
	const char **dialects;
	int n_dialects;
	struct sr_bytecode_op *ops;
	int n_ops;
	struct sr_bytecode_entry *attrs, *types;
	int n_attrs, n_types;
	struct sr_cursor *properties;
	int n_properties;
	int depth;	       /* nesting depth of the entry that is being read */
	int64_t expanded_size; /* expanded size so far of the entry that is being read */
	jmp_buf error_jump;
};

/* ---- bytecode/cursor.c ---- */
_Noreturn void sr_bytecode_fail(struct sr_bytecode *b, const uint8_t *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Report a valid construct that shardrun does not support, and fail with SR_UNSUPPORTED. */
_Noreturn void sr_bytecode_unsupported(struct sr_bytecode *b, const uint8_t *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
uint8_t sr_cursor_byte(struct sr_bytecode *b, struct sr_cursor *c);
uint64_t sr_cursor_varint(struct sr_bytecode *b, struct sr_cursor *c);
int64_t sr_cursor_signed(struct sr_bytecode *b, struct sr_cursor *c);
/* Read a number that encodes value * 2 + flag; return the flag. */
bool sr_cursor_varint_with_flag(struct sr_bytecode *b, struct sr_cursor *c, uint64_t *value);
bool sr_cursor_bool(struct sr_bytecode *b, struct sr_cursor *c);                     /* Read a byte that is 0 or 1. */
/* Read a number of elements that follow; it must be below 2^31 and at most the number of bytes left. */
int sr_cursor_count(struct sr_bytecode *b, struct sr_cursor *c);
/* Read an index, which must be below n. Error messages call it "<noun> index". */
int sr_cursor_index(struct sr_bytecode *b, struct sr_cursor *c, int n, const char *noun);
/* Return a cursor over the next n bytes, and skip them. */
struct sr_cursor sr_cursor_take(struct sr_bytecode *b, struct sr_cursor *c, uint64_t n);
/* Read a length; return a cursor over that many bytes, and skip them. */
struct sr_cursor sr_cursor_blob(struct sr_bytecode *b, struct sr_cursor *c);
struct sr_cursor sr_cursor_section(struct sr_bytecode *b, struct sr_cursor *c, int *id);
/* Read an index into the string table and return the string. */
const char *sr_cursor_string(struct sr_bytecode *b, struct sr_cursor *c);
const int64_t *sr_cursor_signed_list(struct sr_bytecode *b, struct sr_cursor *c, int *n);
/* Read an integer of known bit width, encoded as MLIR's APInt; the other bits of the result are zero. */
uint64_t sr_cursor_bits(struct sr_bytecode *b, struct sr_cursor *c, int width);
/* Fail if the cursor has bytes left; the message says that they follow `preceding_item`. */
void sr_cursor_end(struct sr_bytecode *b, const struct sr_cursor *c, const char *preceding_item);

/* ---- bytecode/entry.c: read an index at the cursor and return that entry of the attribute or type table ---- */
const struct sr_attr *sr_bytecode_attr(struct sr_bytecode *b, struct sr_cursor *c);
const struct sr_attr *sr_bytecode_attr_of(struct sr_bytecode *b, struct sr_cursor *c, enum sr_attr_kind kind, const char *expected);
/* Read an optional attribute; returns NULL if it is absent. */
const struct sr_attr *sr_bytecode_optional_attr(struct sr_bytecode *b, struct sr_cursor *c);
const struct sr_attr *sr_bytecode_loc(struct sr_bytecode *b, struct sr_cursor *c);
const struct sr_attr *const *sr_bytecode_attr_list(struct sr_bytecode *b, struct sr_cursor *c, int *n);
const struct sr_sdy_nested *sr_bytecode_sdy_nested(struct sr_bytecode *b, struct sr_cursor *c, enum sr_sdy_nested_kind kind);
/* Read an optional embedded Shardy attribute; returns NULL if it is absent. */
const struct sr_sdy_nested *sr_bytecode_optional_sdy_nested(struct sr_bytecode *b, struct sr_cursor *c,
							    enum sr_sdy_nested_kind kind);
const struct sr_type *sr_bytecode_type(struct sr_bytecode *b, struct sr_cursor *c);
/* Read the element type of a tensor, or of the components of a complex type. */
const struct sr_type *sr_bytecode_element(struct sr_bytecode *b, struct sr_cursor *c, bool complex);
const struct sr_type *sr_bytecode_type_at(struct sr_bytecode *b, const uint8_t *at, uint64_t index);
const struct sr_type *const *sr_bytecode_type_list(struct sr_bytecode *b, struct sr_cursor *c, int *n);
const struct sr_type *sr_bytecode_type_text(struct sr_bytecode *b, const char *text);

/* ---- bytecode/builtin.c, bytecode/sdy.c, vhlo_attr.c, vhlo_type.c: custom encodings of a dialect, starting at the code ---- */
void sr_bytecode_builtin_attr(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out);
void sr_bytecode_builtin_type(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out);
void sr_bytecode_sdy_attr(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out);
void sr_bytecode_vhlo_attr(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out);
void sr_bytecode_vhlo_type(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out);
/* Read a type, then the bits of a number of that type. */
const struct sr_attr *sr_bytecode_number(struct sr_bytecode *b, struct sr_cursor *c, bool is_float);
const struct sr_attr *sr_bytecode_dict(struct sr_bytecode *b, struct sr_cursor *c);
/* Create a constant from elements in MLIR's in-memory layout: all elements, or one for a splat. */
const struct sr_attr *sr_bytecode_dense(struct sr_bytecode *b, const struct sr_type *type, struct sr_cursor blob);

/* ---- vhlo.c: ops ---- */
void sr_vhlo_op_from_name(struct sr_bytecode *b, const uint8_t *at, const char *name, struct sr_bytecode_op *out);
/* Read the attributes of a VHLO op from its properties. */
void sr_vhlo_properties(struct sr_bytecode *b, struct sr_cursor *c, const struct sr_bytecode_op *op, sr_bytecode_attrs *out);
/* Convert the attributes of a VHLO op to those of the StableHLO op, in place. */
void sr_vhlo_convert_attrs(struct sr_bytecode *b, const uint8_t *at, const struct sr_bytecode_op *op, sr_bytecode_attrs *attrs);

/* ---- bytecode/ir.c ---- */
void sr_bytecode_ir(struct sr_bytecode *b, struct sr_block *block);

/* ---- bytecode.c ---- */
enum sr_status sr_parse_bytecode(struct sr_context *ctx, const char *file, const char *bytes, size_t n, struct sr_op **module);
static inline bool sr_is_bytecode(const char *text, size_t n)
{
	return n >= 4 && text[0] == 'M' && text[1] == 'L' && (unsigned char)text[2] == 0xef && text[3] == 'R';
}

#endif
