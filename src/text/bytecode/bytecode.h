/* MLIR bytecode's inside: the tables of a file, cursors over its bytes, and who reads what. Private to the text room.
 *
 * A file is sections: strings, dialects with the names of their ops, attributes and types (read when first asked for), properties
 * of ops, and the ops. VHLO's ops, attributes and types are made into those of StableHLO as they are read.
 * What is wrong ends the reading: sr_bytecode_fail reports it with its byte and unwinds to sr_parse_bytecode. So the functions
 * below return what they read, and every offset, count and index has been checked. Everything lives in the context's arena. */
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

/* Versions of the format from which something is written. */
enum {
	SR_BC_DIALECT_VERSIONS = 1,
	SR_BC_LAZY_REGIONS = 2,
	SR_BC_USE_ORDERS = 3,
	SR_BC_ELIDED_LOCS = 4,
	SR_BC_PROPERTIES = 5,
	SR_BC_LAST = 6
};

struct sr_cursor { /* a range of the file */
	const uint8_t *at, *end; /* at NULL: there is none */
};

/* What Shardy writes as attributes of their own and the IR holds inside others. */
enum sr_sdy_nested_kind {
	SR_SDY_NESTED_AXIS,
	SR_SDY_NESTED_SUB_AXIS,
	SR_SDY_NESTED_REF,
	SR_SDY_NESTED_DIM,
	SR_SDY_NESTED_DIM_MAPPING,
	SR_SDY_NESTED_TENSOR_MAPPING
};
struct sr_sdy_nested {
	enum sr_sdy_nested_kind kind;
	struct sr_axis axis;
	int64_t pre, size; /* SUB_AXIS */
	struct sr_sdy_axis ref;
	struct sr_sdy_dim dim;
	struct sr_dim_mapping dim_mapping;
	struct sr_tensor_mapping mapping;
};

struct sr_bytecode_entry { /* an attribute or a type of the file's tables */
	const char *dialect;
	struct sr_cursor bytes;
	bool custom;     /* in the dialect's own encoding; else as text */
	bool busy, done; /* being read; read */
	int64_t weight;  /* how many attributes and types it takes written out */
	const struct sr_attr *attr;
	const struct sr_type *type;
	const struct sr_sdy_nested *part; /* where attr is NULL */
};

struct sr_vhlo_op;
struct sr_bytecode_op { /* an op's name */
	const struct sr_op_info *info;
	bool registered;               /* where it was written: its properties have the encoding of its signature */
	const struct sr_vhlo_op *vhlo; /* NULL: of another dialect */
	int version;                   /* of a VHLO op */
	bool is_return;                /* vhlo.return: func.return in a function */
};

typedef SR_VEC(struct sr_named_attr) sr_bytecode_attrs;

struct sr_bytecode {
	struct sr_context *ctx;
	struct sr_arena *arena;
	const char *file; /* interned */
	const uint8_t *start;
	int version;
	struct sr_cursor sections[SR_SECTION_COUNT];
	const char **strings; /* interned */
	int n_strings;
	const char **dialects;
	int n_dialects;
	struct sr_bytecode_op *ops;
	int n_ops;
	struct sr_bytecode_entry *attrs, *types;
	int n_attrs, n_types;
	struct sr_cursor *properties;
	int n_properties;
	int depth;
	int64_t weight; /* of the entry being read */
	jmp_buf fail;
};

/* ---- bytecode/cursor.c ---- */
_Noreturn void sr_bytecode_fail(struct sr_bytecode *b, const uint8_t *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Well formed, but nothing that shardrun reads. */
_Noreturn void sr_bytecode_unsupported(struct sr_bytecode *b, const uint8_t *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
uint8_t sr_cursor_byte(struct sr_bytecode *b, struct sr_cursor *c);
uint64_t sr_cursor_varint(struct sr_bytecode *b, struct sr_cursor *c);
int64_t sr_cursor_signed(struct sr_bytecode *b, struct sr_cursor *c);
bool sr_cursor_varint_with_flag(struct sr_bytecode *b, struct sr_cursor *c, uint64_t *value); /* value * 2 + flag */
bool sr_cursor_bool(struct sr_bytecode *b, struct sr_cursor *c);                     /* one byte */
/* How many follow, each of at least one byte; below 2^31. */
int sr_cursor_count(struct sr_bytecode *b, struct sr_cursor *c);
int sr_cursor_index(struct sr_bytecode *b, struct sr_cursor *c, int n, const char *what); /* below n */
struct sr_cursor sr_cursor_take(struct sr_bytecode *b, struct sr_cursor *c, uint64_t n);  /* the next n bytes */
struct sr_cursor sr_cursor_blob(struct sr_bytecode *b, struct sr_cursor *c);              /* its length and its bytes */
struct sr_cursor sr_cursor_section(struct sr_bytecode *b, struct sr_cursor *c, int *id);
const char *sr_cursor_string(struct sr_bytecode *b, struct sr_cursor *c); /* an index of the string table */
const int64_t *sr_cursor_signed_list(struct sr_bytecode *b, struct sr_cursor *c, int *n);
uint64_t sr_cursor_bits(struct sr_bytecode *b, struct sr_cursor *c, int width); /* of a known width; the other bits are zero */
void sr_cursor_end(struct sr_bytecode *b, const struct sr_cursor *c, const char *what); /* fails where bytes are left */

/* ---- bytecode/entry.c: attributes and types by their index, which is read at the cursor ---- */
const struct sr_attr *sr_bytecode_attr(struct sr_bytecode *b, struct sr_cursor *c);
const struct sr_attr *sr_bytecode_attr_of(struct sr_bytecode *b, struct sr_cursor *c, enum sr_attr_kind kind, const char *what);
const struct sr_attr *sr_bytecode_optional_attr(struct sr_bytecode *b, struct sr_cursor *c); /* NULL: none */
const struct sr_attr *sr_bytecode_loc(struct sr_bytecode *b, struct sr_cursor *c);
const struct sr_attr *const *sr_bytecode_attr_list(struct sr_bytecode *b, struct sr_cursor *c, int *n);
const struct sr_sdy_nested *sr_bytecode_sdy_nested(struct sr_bytecode *b, struct sr_cursor *c, enum sr_sdy_nested_kind kind);
/* NULL: none */
const struct sr_sdy_nested *sr_bytecode_optional_sdy_nested(struct sr_bytecode *b, struct sr_cursor *c, enum sr_sdy_nested_kind kind);
const struct sr_type *sr_bytecode_type(struct sr_bytecode *b, struct sr_cursor *c);
/* Of a tensor's elements, or of the parts of a complex type. */
const struct sr_type *sr_bytecode_element(struct sr_bytecode *b, struct sr_cursor *c, bool complex);
const struct sr_type *sr_bytecode_type_at(struct sr_bytecode *b, const uint8_t *at, uint64_t index);
const struct sr_type *const *sr_bytecode_type_list(struct sr_bytecode *b, struct sr_cursor *c, int *n);
const struct sr_type *sr_bytecode_type_text(struct sr_bytecode *b, const char *text);

/* ---- bytecode/builtin.c, bytecode/sdy.c, vhlo_attr.c, vhlo_type.c: the dialects' encodings, behind the code ---- */
void sr_bytecode_builtin_attr(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out);
void sr_bytecode_builtin_type(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out);
void sr_bytecode_sdy_attr(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out);
void sr_bytecode_vhlo_attr(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out);
void sr_bytecode_vhlo_type(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out);
const struct sr_attr *sr_bytecode_number(struct sr_bytecode *b, struct sr_cursor *c, bool is_float); /* its type, its bits */
const struct sr_attr *sr_bytecode_dict(struct sr_bytecode *b, struct sr_cursor *c);
/* Elements of a constant as MLIR keeps them in memory: all, or one for all. */
const struct sr_attr *sr_bytecode_dense(struct sr_bytecode *b, const struct sr_type *type, struct sr_cursor blob);

/* ---- vhlo.c: ops ---- */
void sr_vhlo_op_from_name(struct sr_bytecode *b, const uint8_t *at, const char *name, struct sr_bytecode_op *out);
/* The op's own attributes from its properties. */
void sr_vhlo_properties(struct sr_bytecode *b, struct sr_cursor *c, const struct sr_bytecode_op *op, sr_bytecode_attrs *out);
/* Attributes of the VHLO op into those of StableHLO's. */
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
