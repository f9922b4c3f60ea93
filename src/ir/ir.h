/* The IR on one page: context, types, attributes, values, ops, blocks, regions.
 *
 * A context owns one arena; types, attributes, strings and locations are interned in it, so equality is pointer equality. Ops,
 * blocks and regions live in the same arena and are unlinked, never freed; where a pass knows that nobody looks back it may retire
 * them. A module is an op (builtin.module) with one region of one block. Ops stand in a doubly linked list per block; every value
 * has its uses, NEWEST FIRST (the order is part of propagation's meaning).
 *
 * Attributes of an op are one list sorted by name; which of them are inherent (printed in <{...}> in generic form) is said by the
 * op's signature; of an unregistered op, what was given in <{...}> (n_inherent of them come with the flag set).
 * A func.func keeps sym_name, function_type, sym_visibility, arg_attrs, res_attrs as attributes,
 * as MLIR's generic form prints them. */
#ifndef SR_IR_IR_H
#define SR_IR_IR_H

#include "mesh/sdy_sharding.h"
#include "mesh/rule.h"
#include "support/arena.h"
#include "support/buf.h"
#include "support/diag.h"
#include "support/dtype.h"
#include "support/map.h"
#include "support/vec.h"
#include <shardrun/status.h>
#include <stdbool.h>
#include <stdint.h>

#define SR_DYNAMIC INT64_MIN /* a dimension whose extent is unknown: ? */

/* ---------------------------------------------------------------- types */

enum sr_type_kind {
	SR_TYPE_INTEGER, /* i32, ui8, si8, i10: width, sign */
	SR_TYPE_FLOAT,   /* dtype */
	SR_TYPE_INDEX,
	SR_TYPE_NONE,
	SR_TYPE_COMPLEX,  /* element */
	SR_TYPE_TENSOR,   /* rank, shape, element, encoding */
	SR_TYPE_UNRANKED, /* tensor<*xf32>: element */
	SR_TYPE_VECTOR,
	SR_TYPE_MEMREF,   /* shape and element; `text` keeps what follows them */
	SR_TYPE_FUNCTION, /* inputs, results */
	SR_TYPE_TUPLE,    /* inputs */
	SR_TYPE_TOKEN,    /* !stablehlo.token */
	SR_TYPE_OPAQUE    /* !dialect.rest, kept as text, `text` without the ! */
};

enum sr_sign { SR_SIGNLESS, SR_SIGNED, SR_UNSIGNED };

struct sr_attr;

struct sr_type {
	enum sr_type_kind kind;
	enum sr_dtype dtype; /* of a scalar type or of a tensor's element; SR_DTYPE_NONE where the program cannot compute with it */
	int width;           /* INTEGER */
	enum sr_sign sign;   /* INTEGER */
	int rank;            /* TENSOR, VECTOR, MEMREF */
	const int64_t *shape; /* [rank], SR_DYNAMIC where unknown */
	const struct sr_type *element;
	const struct sr_attr *encoding; /* TENSOR; NULL: none */
	const struct sr_type *const *inputs, *const *results; /* FUNCTION; TUPLE: inputs */
	int n_inputs, n_results;
	const char *text; /* OPAQUE, MEMREF; interned */
};

/* ---------------------------------------------------------------- attributes */

enum sr_attr_kind {
	SR_ATTR_UNIT,
	SR_ATTR_BOOL,    /* i */
	SR_ATTR_INTEGER, /* i, type (integer or index) */
	SR_ATTR_FLOAT,   /* bits of its own format in i (low bits), type */
	SR_ATTR_STRING,  /* s (interned bytes; length by sr_interned_length); type NULL as a rule */
	SR_ATTR_ARRAY,   /* list */
	SR_ATTR_DICT,    /* entries, sorted by name */
	SR_ATTR_TYPE,    /* type */
	SR_ATTR_SYMBOL,  /* s root; list: nested (SYMBOL each), usually none */
	SR_ATTR_DENSE,   /* dense elements: type, data; s and i: key and alignment of a resource, else NULL and 0 */
	SR_ATTR_RESOURCE,    /* dense_resource<s> : type, whose bytes are not known */
	SR_ATTR_DENSE_ARRAY, /* array<i64: 1, 2>: type = element type, data raw */
	SR_ATTR_ENUM,    /* def, i: #stablehlo<comparison_direction LT> */
	SR_ATTR_STRUCT,  /* def, list of fields in def's order, NULL: not given */
	SR_ATTR_OPAQUE,  /* #dialect.rest kept as text, s without the # */
	/* sdy */
	SR_ATTR_MESH,      /* mesh */
	SR_ATTR_SHARDING,  /* sharding; as written; sr_sharding_resolve makes what is computed with */
	SR_ATTR_SHARDINGS, /* list of SHARDING: #sdy.sharding_per_value */
	SR_ATTR_AXES,      /* axes: manual_axes, axis lists, one axis ref list */
	SR_ATTR_AXES_LIST, /* list of AXES: per dimension */
	SR_ATTR_RULE,      /* rule */
	/* locations */
	SR_LOC_UNKNOWN,
	SR_LOC_FILE,     /* s file, line, col, end_line, end_col (0: none) */
	SR_LOC_NAME,     /* s, list[0]: child, may be unknown */
	SR_LOC_CALLSITE, /* list[0] callee, list[1] caller */
	SR_LOC_FUSED,    /* list; value: metadata or NULL */
	SR_ATTR_KIND_COUNT
};

struct sr_named_attr {
	const char *name; /* interned */
	const struct sr_attr *value;
};

/* Elements of a dense constant, row-major, little endian, sr_dtype layout (i1 a byte each). */
struct sr_dense {
	const void *data; /* raw elements ([1] if splat), or NULL where hex is set */
	const char *hex;  /* a view of hex digits in the source text (two per byte, no 0x), decoded when needed */
	int64_t n_bytes;  /* of the raw elements present (bytes of one element if splat) */
	bool splat;
	const char *const *strings; /* tensor of strings: interned, [n]; else NULL */
};

struct sr_attr_def; /* dialect/attr/attr_def.c: name, fields or enumerators, text form */

struct sr_attr {
	enum sr_attr_kind kind;
	const struct sr_type *type;
	int64_t i;
	const char *s;
	const struct sr_attr *const *list; /* [n] */
	const struct sr_named_attr *entries;    /* [n] */
	int n;
	const struct sr_attr *value;
	const struct sr_attr_def *def;
	const struct sr_dense *dense; /* DENSE, DENSE_ARRAY */
	const struct sr_mesh *mesh;
	const struct sr_sdy_sharding *sharding;
	const struct sr_sdy_axes *axes;
	const struct sr_sharding_rule *rule;
	int line, col, end_line, end_col;
};

/* ---------------------------------------------------------------- values, ops, blocks, regions */

struct sr_op;
struct sr_block;
struct sr_region;
struct sr_context;

struct sr_use {
	struct sr_value *value;
	struct sr_op *owner;
	struct sr_use *next, **link; /* in value->uses; link points at what points at me */
};

struct sr_value {
	const struct sr_type *type;
	struct sr_use *uses;    /* newest first */
	struct sr_op *def;      /* NULL: a block argument */
	struct sr_block *block; /* of a block argument */
	const struct sr_attr *loc; /* of a block argument; never NULL for it */
	int index;              /* result or argument number */
};

/* Traits of ops: flags of the table's TRAITS column. */
enum sr_trait {
	SR_PURE = 1 << 0,          /* no side effects, can be removed when unused */
	SR_ELEMENTWISE = 1 << 1,
	SR_COMMUTATIVE = 1 << 2,
	SR_TERMINATOR = 1 << 3,
	SR_ISOLATED = 1 << 4,      /* regions see no values from above */
	SR_SYMBOL = 1 << 5,        /* defines sym_name */
	SR_SYMBOL_TABLE = 1 << 6,
	SR_CONSTANT = 1 << 7,
	SR_COLLECTIVE = 1 << 8,
	SR_DATA_FLOW_EDGE = 1 << 9,  /* while, case, barriers: values flow through it to results and block arguments */
	SR_RECURSIVE_EFFECTS = 1 << 10, /* pure where its regions are */
	SR_SAME_TYPE = 1 << 11,     /* operands and results have one type */
	SR_INFERRED_RESULT = 1 << 12, /* result types follow from operands and attributes */
	SR_GRAPH_REGION = 1 << 13,  /* order of ops without dominance (module) */
	SR_VIEW = 1 << 14,          /* each result is an operand's memory as it lies */
	SR_NO_TERMINATOR = 1 << 15,
	SR_DECLARED_EFFECTS = 1 << 16, /* pure but where its attribute has_side_effect is true */
	SR_REMATERIALIZABLE = 1 << 17, /* made again for less than it costs to keep: it reads far less than it makes and computes next to nothing */
	SR_CONTROL_FLOW = 1 << 18, /* a loop or a branch: its regions run as they stand, on the values around it */
	SR_MATMUL = 1 << 19, /* sums of products of two operands, as dot_dimension_numbers says; rows by columns without them */
};

/* What is known of an op's name; one per registered op, made by dialect; unregistered names get one each with code 0. */
struct sr_op_info {
	const char *name;    /* "stablehlo.add"; interned in the context */
	const char *dialect; /* "stablehlo" */
	int code;            /* enum sr_op_code (dialect/ops.h); 0: unregistered */
	int kernel;          /* enum sr_kernel of the op's name without its dialect: an elementwise op's; 0: none */
	uint32_t traits;
	const struct sr_signature *signature; /* dialect/signature.h; NULL: unregistered */
	enum sr_status (*verify)(struct sr_op *op, struct sr_diags *diags); /* NULL: nothing beyond the signature */
};

struct sr_op {
	const struct sr_op_info *info;
	const struct sr_attr *loc; /* never NULL */
	struct sr_block *block;    /* NULL: detached */
	struct sr_op *prev, *next;
	struct sr_use *operands;   /* [n_operands] */
	struct sr_value *results;  /* [n_results] */
	struct sr_named_attr *attrs;    /* [n_attrs], sorted by name */
	struct sr_region *regions; /* [n_regions] */
	int n_operands, cap_operands, n_results, n_attrs, cap_attrs, n_regions;
	int n_inherent;            /* unregistered ops: how many attributes were given in <{}>; their names are in inherent */
	const char *const *inherent;
	int mark;                  /* free for a pass to use; meaning ends with the pass */
	uint64_t checked;          /* verify.c's: what the op was when it was last found right; 0: never */
	int64_t order;             /* ascending along the block where block->ordered; sr_op_is_before keeps it */
};

struct sr_block {
	struct sr_region *region;
	struct sr_block *prev, *next;
	struct sr_op *first, *last;
	struct sr_value **args; /* [n_args] */
	int n_args, cap_args;
	const char *label;      /* as written in the text (^bb0), NULL */
	bool ordered;           /* the ops' order fields hold */
};

struct sr_region {
	struct sr_op *op; /* owner */
	struct sr_block *first, *last;
};

/* ---------------------------------------------------------------- context */

/* A value that every device gets whole since an op takes it no other way: what partition could not avoid, for the report. */
struct sr_replication_note {
	const char *op, *cure;
	struct sr_src_loc place;
	int64_t bytes;
};

struct sr_context {
	struct sr_arena *arena;
	struct sr_arena *scratch; /* of what a pass needs for itself: gone when it ends (support/arena.h), or earlier where it says so */
	struct sr_diags diags;
	struct sr_strings strings;
	struct sr_ir_pool *parts; /* memory of ops that are gone; ir/ir_pool.c */
	struct sr_map infos; /* interned op name -> struct sr_op_info */
	struct sr_interner *interner; /* of types and attributes; ir/intern.c */
	const struct sr_attr *unknown_loc;
	bool allow_unregistered;
	bool keep_names;            /* values keep the names they are read with: their locations become loc("%12"(...)) */
	const struct sr_machine *machine; /* whose figures decide; NULL: the default's (cost/machine_text.h) */
	SR_VEC(struct sr_replication_note) replication_notes; /* of the compilation under way */
	struct sr_explain *explain; /* what propagation is to explain (propagate/explain.h); NULL: nothing */
	struct sr_explain *explain_partition; /* what the search of the partition is to */
};

/* NULL only when out of memory at the start. Dialects are registered by sr_dialects_register (dialect/ops.h). */
struct sr_context *sr_context_new(void);
void sr_context_free(struct sr_context *ctx); /* everything made in it */
/* Note it for the report: `op` gets v whole. Once for an op and a cure, with the bytes of all. */
void sr_note_replication(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v, const char *cure);
const char *sr_intern(struct sr_context *ctx, const char *s);
const char *sr_intern_n(struct sr_context *ctx, const char *s, size_t n);
const struct sr_op_info *sr_op_info_of(struct sr_context *ctx, const char *name); /* made as unregistered where unknown */

/* ---- making types (all interned). Strings in a filled struct (text, s, names of axes and entries) are interned already. dtype
 * follows from the rest but for FLOAT; index and siN count as the signless integers of their width,
 * so that constants of them have a layout. ---- */
const struct sr_type *sr_type_intern(struct sr_context *ctx, const struct sr_type *t); /* from a filled struct; copies arrays */
const struct sr_type *sr_type_scalar(struct sr_context *ctx, enum sr_dtype t);
const struct sr_type *sr_type_tensor(struct sr_context *ctx, enum sr_dtype t, int rank, const int64_t *shape);
const struct sr_type *sr_type_tensor_of(struct sr_context *ctx, const struct sr_type *element, int rank, const int64_t *shape,
					const struct sr_attr *encoding);
const struct sr_type *sr_type_with_shape(struct sr_context *ctx, const struct sr_type *tensor, int rank, const int64_t *shape);
const struct sr_type *sr_type_function(struct sr_context *ctx, const struct sr_type *const *in, int n_in,
				       const struct sr_type *const *out, int n_out);
bool sr_type_is_static(const struct sr_type *t);              /* a ranked tensor without ? */
bool sr_type_elements(const struct sr_type *t, int64_t *n);   /* false: dynamic or overflow */
bool sr_type_bytes(const struct sr_type *t, int64_t *bytes);  /* of its dtype's memory layout; false likewise */
void sr_type_print(const struct sr_type *t, struct sr_buf *out); /* tensor<4x?xf32>; lives in ir/type_print.c; OPAQUE with its ! */
/* The same with the printer of encodings, which only text knows in full; sr_type_print writes opaque ones alone and others as #. */
void sr_type_print_with(const struct sr_type *t, struct sr_buf *out,
			void (*encoding)(void *data, const struct sr_attr *attr, struct sr_buf *out), void *data);
const char *sr_type_string(struct sr_context *ctx, const struct sr_type *t); /* for messages; in the arena */

/* ---- making attributes (all interned; dense constants over 1 MB by identity) ---- */
/* From a filled struct; copies arrays deeply. */
const struct sr_attr *sr_attr_intern(struct sr_context *ctx, const struct sr_attr *a);
const struct sr_attr *sr_attr_unit(struct sr_context *ctx);
const struct sr_attr *sr_attr_bool(struct sr_context *ctx, bool v);
const struct sr_attr *sr_attr_int(struct sr_context *ctx, int64_t v, const struct sr_type *type);
const struct sr_attr *sr_attr_i64(struct sr_context *ctx, int64_t v);
const struct sr_attr *sr_attr_i32(struct sr_context *ctx, int64_t v);
const struct sr_attr *sr_attr_float(struct sr_context *ctx, double v, const struct sr_type *type);
const struct sr_attr *sr_attr_string(struct sr_context *ctx, const char *s, size_t n);
const struct sr_attr *sr_attr_symbol(struct sr_context *ctx, const char *name);
const struct sr_attr *sr_attr_type(struct sr_context *ctx, const struct sr_type *t);
const struct sr_attr *sr_attr_array(struct sr_context *ctx, const struct sr_attr *const *list, int n);
const struct sr_attr *sr_attr_dict(struct sr_context *ctx, const struct sr_named_attr *entries, int n); /* sorts a copy */
const struct sr_attr *sr_attr_i64s(struct sr_context *ctx, const int64_t *v, int64_t n); /* DENSE_ARRAY of i64 */
const struct sr_attr *sr_attr_bools(struct sr_context *ctx, const bool *v, int64_t n);   /* DENSE_ARRAY of i1 */
const struct sr_attr *sr_attr_dense_array(struct sr_context *ctx, const struct sr_type *element, const void *data, int64_t n);
/* DENSE from raw bytes (copied), n_bytes either all elements or one (splat; an all-equal buffer becomes a splat). */
const struct sr_attr *sr_attr_dense(struct sr_context *ctx, const struct sr_type *tensor, const void *data, int64_t n_bytes);
const struct sr_attr *sr_attr_dense_i64(struct sr_context *ctx, int rank, const int64_t *shape, const int64_t *v);
const struct sr_attr *sr_attr_mesh(struct sr_context *ctx, const struct sr_mesh *mesh);
const struct sr_attr *sr_attr_sharding(struct sr_context *ctx, const struct sr_sdy_sharding *s);
const struct sr_attr *sr_attr_shardings(struct sr_context *ctx, const struct sr_attr *const *list, int n);
const struct sr_attr *sr_attr_axes(struct sr_context *ctx, const struct sr_sdy_axis *refs, int n);
const struct sr_attr *sr_attr_axes_list(struct sr_context *ctx, const struct sr_attr *const *list, int n);
const struct sr_attr *sr_attr_rule(struct sr_context *ctx, const struct sr_sharding_rule *rule);
const struct sr_attr *sr_loc_file(struct sr_context *ctx, const char *file, int line, int col);
const struct sr_attr *sr_loc_name(struct sr_context *ctx, const char *name, const struct sr_attr *child);

/* ---- reading attributes ---- */
const struct sr_attr *sr_dict_get(const struct sr_attr *dict, const char *name); /* dict may be NULL; name need not be interned */
/* A list of integers from DENSE_ARRAY, DENSE (i64 or any integer) or ARRAY of INTEGER; false where it is none. In the arena. */
bool sr_attr_ints(struct sr_context *ctx, const struct sr_attr *a, const int64_t **v, int64_t *n);
/* Raw bytes of a dense constant, hex decoded, splat expanded or not. NULL: strings or not dense. */
const void *sr_dense_data(struct sr_context *ctx, const struct sr_attr *a, bool expand_splat, int64_t *n_bytes);
struct sr_src_loc sr_loc_source(const struct sr_attr *loc); /* the first file location inside; file NULL where there is none */
struct sr_loc_frame {
	const char *function; /* NULL where the location has no name */
	struct sr_src_loc place;
};
/* Write the call stack that `loc` records into frames, the innermost function first. Return their number, at most `most`. */
int sr_loc_frames(const struct sr_attr *loc, struct sr_loc_frame *frames, int most);

/* ---- what a location tells of its value (sr_context.keep_names) ---- */
const struct sr_attr *sr_value_loc(const struct sr_value *v);
/* The part that says what the value was read as, loc("%12"(...)); of a call site the callee's. NULL: none. */
const struct sr_attr *sr_loc_text_name(const struct sr_attr *loc);
const char *sr_value_text_name(const struct sr_value *v); /* "%12"; NULL: none */
const char *sr_loc_source_name(const struct sr_attr *loc);       /* what the source calls it: "jit(f)/tanh"; NULL: nothing */

/* ---- ops ---- */
struct sr_op_spec {
	const struct sr_op_info *info;
	const struct sr_attr *loc; /* NULL: unknown */
	struct sr_value *const *operands; int n_operands;
	const struct sr_type *const *results; int n_results;
	const struct sr_named_attr *attrs; int n_attrs; /* any order */
	int n_regions; /* made empty (without a block) */
};
struct sr_op *sr_op_new(struct sr_context *ctx, const struct sr_op_spec *spec); /* detached */
void sr_op_append(struct sr_block *block, struct sr_op *op);
void sr_op_insert_before(struct sr_op *anchor, struct sr_op *op);
void sr_op_insert_after(struct sr_op *anchor, struct sr_op *op);
void sr_op_unlink(struct sr_op *op);  /* out of its block; keeps its operands */
void sr_op_erase(struct sr_op *op);   /* unlink and drop its operand uses (and those of ops inside); its results must be unused */
/* Erase an op to which no pointer is kept beyond the next reclaim: its memory, and that of the ops inside,
 * is taken for new ops then. */
void sr_op_retire(struct sr_context *ctx, struct sr_op *op);
void sr_ops_reclaim(struct sr_context *ctx);
void sr_op_move_before(struct sr_op *op, struct sr_op *anchor);
const struct sr_attr *sr_op_attr(const struct sr_op *op, const char *name); /* NULL where it has none; name need not be interned */
/* value NULL removes */
void sr_op_set_attr(struct sr_context *ctx, struct sr_op *op, const char *name, const struct sr_attr *value);
void sr_op_remove_attr(struct sr_context *ctx, struct sr_op *op, const char *name);
void sr_op_set_operand(struct sr_op *op, int index, struct sr_value *value);
void sr_op_add_operand(struct sr_context *ctx, struct sr_op *op, struct sr_value *value);
void sr_op_set_operands(struct sr_context *ctx, struct sr_op *op, struct sr_value *const *values, int n);
void sr_op_remove_operand(struct sr_op *op, int index);
/* The same op with other results (the old ones must be unused), operands, attributes and regions moved over; stands in its place.
 * */
struct sr_op *sr_op_with_results(struct sr_context *ctx, struct sr_op *op, const struct sr_type *const *results, int n);
static inline struct sr_value *sr_operand(const struct sr_op *op, int i)
{
	return op->operands[i].value;
}
static inline struct sr_value *sr_result(const struct sr_op *op, int i)
{
	return &op->results[i];
}
static inline const struct sr_type *sr_operand_type(const struct sr_op *op, int i)
{
	return sr_operand(op, i)->type;
}
static inline const struct sr_type *sr_result_type(const struct sr_op *op, int i)
{
	return sr_result(op, i)->type;
}
struct sr_op *sr_op_parent(const struct sr_op *op);  /* the op that holds it; NULL at the top */
struct sr_op *sr_op_parent_of(const struct sr_op *op, int code); /* the nearest ancestor with that code; NULL */
/* Deep copy, detached; operands outside the op are mapped through `map` (value -> value; may hold entries already; NULL: made). */
struct sr_op *sr_op_clone(struct sr_context *ctx, const struct sr_op *op, struct sr_map *map);
bool sr_op_is_pure(const struct sr_op *op); /* traits, and its regions where effects are recursive */
int sr_use_index(const struct sr_use *use); /* operand number */
bool sr_op_is_before(const struct sr_op *a, const struct sr_op *b); /* same block */
bool sr_op_is_ancestor(const struct sr_op *ancestor, const struct sr_op *op); /* or the same */
/* The op of `block` that holds `op` (or is it); NULL where none does. */
struct sr_op *sr_op_ancestor_in(const struct sr_block *block, const struct sr_op *op);
/* The block that a value lives in; NULL for a result of a detached op. */
struct sr_block *sr_value_block(const struct sr_value *v);

/* ---- values, blocks, regions ---- */
void sr_value_replace_all(struct sr_value *from, struct sr_value *to); /* as MLIR: takes uses from the head one by one */
void sr_value_replace_if(struct sr_value *from, struct sr_value *to, bool (*keep)(void *data, struct sr_use *use), void *data);
void sr_use_set(struct sr_use *use, struct sr_value *value);
struct sr_block *sr_block_new(struct sr_context *ctx, struct sr_region *region); /* appended */
struct sr_value *sr_block_add_arg(struct sr_context *ctx, struct sr_block *block, const struct sr_type *type,
				  const struct sr_attr *loc);
void sr_block_remove_arg(struct sr_block *block, int index); /* must be unused */
static inline struct sr_op *sr_block_terminator(const struct sr_block *block)
{
	return block->last;
}
void sr_region_take(struct sr_region *to, struct sr_region *from); /* move all blocks */

/* ---- walking; fn returns false to stop the whole walk. Post-order visits ops inside regions before their owner. ---- */
bool sr_walk(struct sr_op *root, bool (*fn)(void *data, struct sr_op *op), void *data);      /* pre-order; fn may erase op itself */
bool sr_walk_post(struct sr_op *root, bool (*fn)(void *data, struct sr_op *op), void *data); /* post-order; likewise */

/* ---- symbols ---- */
struct sr_op *sr_module_new(struct sr_context *ctx);
struct sr_block *sr_module_body(const struct sr_op *module);
struct sr_op *sr_symbol_find(const struct sr_op *table, const char *name); /* linear; use a sr_symbols for many */
const char *sr_symbol_name(const struct sr_op *op); /* sym_name or NULL */

/* Structure: dominance, terminators, symbols unique, types of branch operands, registered signature, then info->verify. Reports all
 * mistakes at their ops; SR_INVALID where there was one. */
enum sr_status sr_verify(struct sr_context *ctx, struct sr_op *root);
/* Of all that verification reads: equal for an op that nothing changed, in one process. */
uint64_t sr_op_fingerprint(const struct sr_op *root);
/* Report at an op: "'stablehlo.add' op <message>". */
enum sr_status sr_op_error(struct sr_op *op, struct sr_diags *diags, enum sr_status status, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif
