/* The IR: contexts, types, attributes, values, ops, blocks, regions. Modelled on MLIR.
 *
 * A context owns one arena. Types, attributes, strings and locations are interned in it, so equality is pointer equality. Ops,
 * blocks and regions live in the same arena; erasing unlinks them without freeing. A pass that keeps no pointers to an op may
 * retire it instead, so that its memory is reused. A module is an op (builtin.module) with one region of one block. The ops of a
 * block form a doubly linked list. Use lists are ordered newest first, as in MLIR: the result of propagation depends on that
 * order.
 *
 * The attributes of an op are one list sorted by name. Which of them are inherent (printed in <{...}> in the generic form)
 * follows from the op's signature; for an unregistered op, from the names in `inherent`, which its text has in <{...}>. A func.func
 * keeps sym_name, function_type, sym_visibility, arg_attrs and res_attrs as attributes, as MLIR's generic form prints them.
 *
 * A context and everything in it is used by one thread at a time. */
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

#define SR_DYNAMIC INT64_MIN /* unknown extent, printed "?" */

/* ---------------------------------------------------------------- types */

enum sr_type_kind {
	SR_TYPE_INTEGER, /* i32, ui8, si8, i10; uses fields width, sign */
	SR_TYPE_FLOAT,   /* f32, bf16, f8E4M3FN, ...; uses field dtype */
	SR_TYPE_INDEX,
	SR_TYPE_NONE,
	SR_TYPE_COMPLEX,  /* complex<f32>; uses field element */
	SR_TYPE_TENSOR,   /* tensor<4x?xf32, encoding>; uses fields rank, shape, element, encoding */
	SR_TYPE_UNRANKED, /* tensor<*xf32>; uses field element */
	SR_TYPE_VECTOR,
	SR_TYPE_MEMREF,   /* memref<...>; uses fields shape, element, and text for what follows them in the type's text */
	SR_TYPE_FUNCTION, /* (inputs) -> results; uses fields inputs, results */
	SR_TYPE_TUPLE,    /* tuple<...>; element types in field inputs */
	SR_TYPE_TOKEN,    /* !stablehlo.token */
	SR_TYPE_OPAQUE    /* !dialect.rest as text; field text is without the "!" */
};

enum sr_sign { SR_SIGNLESS, SR_SIGNED, SR_UNSIGNED };

struct sr_attr;

struct sr_type {
	enum sr_type_kind kind;
	/* dtype of a scalar type or of a tensor's elements; SR_DTYPE_NONE if shardrun cannot compute with the type */
	enum sr_dtype dtype;
	int width;           /* bits of an INTEGER type */
	enum sr_sign sign;   /* signedness of an INTEGER type */
	int rank;            /* rank of a TENSOR, VECTOR or MEMREF type */
	const int64_t *shape; /* extents, SR_DYNAMIC if unknown; length: rank */
	const struct sr_type *element;
	const struct sr_attr *encoding; /* encoding of a TENSOR type; NULL: none */
	const struct sr_type *const *inputs, *const *results; /* types of a FUNCTION type; a TUPLE uses `inputs` only */
	int n_inputs, n_results;
	const char *text; /* text of an OPAQUE or MEMREF type, interned */
};

/* ---------------------------------------------------------------- attributes */

enum sr_attr_kind {
	SR_ATTR_UNIT,
	SR_ATTR_BOOL,    /* value (0 or 1) in field i */
	SR_ATTR_INTEGER, /* value in field i; field type is an integer or index type */
	SR_ATTR_FLOAT,   /* bit pattern in field i, in the format of the type in field type */
	SR_ATTR_STRING,  /* interned bytes in field s, length by sr_interned_length; field type is usually NULL */
	SR_ATTR_ARRAY,   /* elements in field list */
	SR_ATTR_DICT,    /* named attributes in field entries, sorted by name */
	SR_ATTR_TYPE,    /* the type in field type */
	SR_ATTR_SYMBOL,  /* root symbol in field s; nested references, each a SYMBOL, in field list, which is usually empty */
	/* dense<...> : type; elements in field dense; for a resource, its key in field s and its alignment in field i, else
	 * NULL and 0 */
	SR_ATTR_DENSE,
	SR_ATTR_RESOURCE,    /* dense_resource<s> : type, whose data is not available */
	SR_ATTR_DENSE_ARRAY, /* array<i64: 1, 2>; element type in field type; raw elements in field dense */
	SR_ATTR_ENUM,    /* #stablehlo<comparison_direction LT>: definition in field def, enumerator in field i */
	/* #stablehlo.gather<...>; definition in field def; fields in field list, in the order of the definition, NULL if absent */
	SR_ATTR_STRUCT,
	SR_ATTR_OPAQUE,  /* #dialect.rest as text; field s is without the "#" */
	/* attributes of the sdy dialect */
	SR_ATTR_MESH,      /* mesh in field mesh */
	SR_ATTR_SHARDING,  /* sharding in field sharding, with unresolved axes; sr_sharding_resolve resolves them */
	SR_ATTR_SHARDINGS, /* #sdy.sharding_per_value; SHARDING attributes in field list */
	SR_ATTR_AXES,      /* one list of axis references in field axes, for example manual_axes */
	SR_ATTR_AXES_LIST, /* AXES attributes in field list, one per dimension */
	SR_ATTR_RULE,      /* OpShardingRule in field rule */
	/* locations */
	SR_LOC_UNKNOWN,
	SR_LOC_FILE,     /* file in field s; fields line, col, end_line, end_col (0: none) */
	SR_LOC_NAME,     /* name in field s; child location in list[0], may be UNKNOWN */
	SR_LOC_CALLSITE, /* location of the callee in list[0], of the call in list[1] */
	SR_LOC_FUSED,    /* fused locations in list; metadata or NULL in field value */
	SR_ATTR_KIND_COUNT
};

struct sr_named_attr {
	const char *name; /* interned name */
	const struct sr_attr *value;
};

/* Elements of a dense constant in row-major order, little endian, in sr_dtype layout (i1: one byte each). */
struct sr_dense {
	const void *data; /* raw elements (a single one if splat); NULL if `hex` is set and not decoded yet */
	const char *hex;  /* hex digits in the source text, borrowed (two per byte, without 0x); decoded on demand */
	int64_t n_bytes;  /* number of bytes of the raw elements (of a single one if splat) */
	bool splat;
	const char *const *strings; /* elements of a tensor of strings, interned; else NULL; length: number of elements */
};

struct sr_attr_def; /* Definition of a dialect attribute: name, fields or enumerators, text form (dialect/attr/attr_def.c). */

struct sr_attr {
	enum sr_attr_kind kind;
	const struct sr_type *type;
	int64_t i;
	const char *s;
	const struct sr_attr *const *list; /* array of n attributes; NULL: none */
	const struct sr_named_attr *entries; /* array of n named attributes; NULL: none */
	int n;
	const struct sr_attr *value;
	const struct sr_attr_def *def;
	const struct sr_dense *dense; /* elements of a DENSE or DENSE_ARRAY attribute */
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
	struct sr_use *next, **link; /* links in the use list of `value`; *link is the pointer that points to this use */
};

struct sr_value {
	const struct sr_type *type;
	struct sr_use *uses;    /* use list, newest first */
	struct sr_op *def;      /* the op whose result the value is; NULL for a block argument */
	struct sr_block *block; /* the block whose argument the value is; NULL for a result */
	const struct sr_attr *loc; /* location of a block argument, never NULL; NULL for a result */
	int index;              /* number of the result or argument */
};

/* Traits of ops: flags of the op table's TRAITS column. */
enum sr_trait {
	SR_PURE = 1 << 0,          /* has no side effects, so an unused op can be removed */
	SR_ELEMENTWISE = 1 << 1,
	SR_COMMUTATIVE = 1 << 2,
	SR_TERMINATOR = 1 << 3,
	SR_ISOLATED = 1 << 4,      /* the op's regions must not use values from outside (IsolatedFromAbove) */
	SR_SYMBOL = 1 << 5,        /* defines a symbol, whose name is the attribute sym_name */
	SR_SYMBOL_TABLE = 1 << 6,
	SR_CONSTANT = 1 << 7,
	SR_COLLECTIVE = 1 << 8,
	SR_DATA_FLOW_EDGE = 1 << 9,  /* while, case, barriers: operands flow to results and block arguments */
	SR_RECURSIVE_EFFECTS = 1 << 10, /* has no side effects if the ops in its regions have none */
	SR_SAME_TYPE = 1 << 11,     /* all operands and results have the same type */
	SR_INFERRED_RESULT = 1 << 12, /* the result types follow from operands and attributes */
	SR_GRAPH_REGION = 1 << 13,  /* the ops in its regions are not ordered by dominance (modules) */
	SR_VIEW = 1 << 14,          /* results share the memory of operands, without a copy */
	SR_NO_TERMINATOR = 1 << 15,
	SR_DECLARED_EFFECTS = 1 << 16, /* has no side effects unless its attribute has_side_effect is true */
	/* cheaper to rematerialize than to keep: reads far less than it writes and computes next to nothing */
	SR_REMATERIALIZABLE = 1 << 17,
	SR_CONTROL_FLOW = 1 << 18, /* a loop or branch: its regions execute in place and use values from outside */
	/* sums of products of two operands, described by dot_dimension_numbers; without them a plain matrix product */
	SR_MATMUL = 1 << 19,
};

/* Immutable properties of an op name. Those of a registered op are shared by all contexts; those of an unregistered name belong to
 * its context and have code 0. */
struct sr_op_info {
	const char *name;    /* name of the op, such as "stablehlo.add"; interned */
	const char *dialect; /* dialect of the op, such as "stablehlo" */
	int code;            /* enum sr_op_code (dialect/ops.h); 0: unregistered */
	int kernel;          /* enum sr_kernel named like the op without its dialect, for elementwise ops; 0: none */
	uint32_t traits;
	const struct sr_signature *signature; /* compiled signature (dialect/signature.h); NULL: unregistered */
	/* verifier; NULL: nothing to check beyond the signature */
	enum sr_status (*verify)(struct sr_context *ctx, struct sr_op *op, struct sr_diags *diags);
};

/* The registered ops, and the strings of their tables. dialect/ops.c creates it once per process; it is immutable afterwards, so
 * that contexts on all threads share it. */
struct sr_registry {
	struct sr_strings strings;
	struct sr_map infos; /* maps an interned op name to its struct sr_op_info */
};

struct sr_op {
	/* what a walk of the module reads, together in one or two cache lines */
	const struct sr_op_info *info;
	struct sr_block *block;    /* the enclosing block; NULL: detached */
	struct sr_op *prev, *next;
	int n_operands, n_results, n_attrs, n_regions;
	struct sr_use *operands;   /* uses of the operands; length n_operands */
	struct sr_value *results;  /* the op's results; length n_results */
	struct sr_named_attr *attrs;    /* attributes sorted by name; length n_attrs */
	struct sr_region *regions; /* the op's regions; length n_regions */
	const struct sr_attr *loc; /* location; never NULL */
	int cap_operands, cap_attrs;
	int n_inherent;            /* for unregistered ops: number of attributes in <{...}>, whose names are in `inherent` */
	int mark;                  /* for use by the running pass; undefined between passes */
	const char *const *inherent;
	uint64_t verified_fingerprint;          /* fingerprint at the last successful verification (verify_module.c); 0: none */
	int64_t order;             /* ascending within the block if block->ordered; maintained by sr_op_is_before */
};

struct sr_block {
	struct sr_region *region;
	struct sr_block *prev, *next;
	struct sr_op *first, *last;
	struct sr_value **args; /* arguments; length n_args */
	int n_args, cap_args;
	const char *label;      /* label in the text (^bb0); NULL: none */
	bool ordered;           /* true if the `order` fields of the ops are valid */
};

struct sr_region {
	struct sr_op *op; /* the op that owns the region */
	struct sr_block *first, *last;
	struct sr_symbol_table *symbols; /* symbols of the first block (ir/symbol.c); NULL: the op is no symbol table */
};

/* ---------------------------------------------------------------- context */

/* A value that partition had to replicate on every device because an op supports no sharding of it; listed in the report. */
struct sr_replication_note {
	const char *op, *cure;
	struct sr_src_loc place;
	int64_t bytes;
};

struct sr_context {
	struct sr_arena *arena;
	/* memory of the running pass (support/arena.h), released when the pass ends, or earlier by the pass */
	struct sr_arena *scratch;
	struct sr_diags diags;
	struct sr_strings strings;
	struct sr_ir_pool *pool; /* memory of erased ops, for reuse */
	const struct sr_registry *registry; /* registered ops; NULL: none */
	struct sr_map infos; /* maps the interned name of an unregistered op to its struct sr_op_info */
	struct sr_interner *interner; /* table of interned types and attributes (ir/intern.c) */
	const struct sr_attr *unknown_loc;
	bool allow_unregistered;
	bool keep_names;            /* true to keep the names of values in the text: locations become loc("%12"(...)) */
	const struct sr_machine *machine; /* machine model for cost decisions; NULL: the default (cost/machine_text.h) */
	struct { const char *text; size_t n; } standard_input; /* what was read from it (driver/read_file.c); text NULL: nothing yet */
	/* values replicated as a last resort in the current compilation, for the report */
	SR_VEC(struct sr_replication_note) replication_notes;
	struct sr_explain *explain; /* values whose shardings propagation should explain (propagate/explain.h); NULL: none */
	struct sr_explain *explain_partition; /* values whose layouts the search for shardings should explain; NULL: none */
};

/* Create a context; return NULL if out of memory. Dialects are registered by sr_dialects_register (dialect/ops.h). */
struct sr_context *sr_context_new(void);
void sr_context_free(struct sr_context *ctx); /* Free a context and everything created in it. */
/* Record for the report that `op` requires v replicated on every device; `cure` tells the user how to avoid it. Records of one
 * op are merged, adding their bytes. */
void sr_note_replication(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v, const char *cure);
const char *sr_intern(struct sr_context *ctx, const char *s);
const char *sr_intern_n(struct sr_context *ctx, const char *s, size_t n);
/* Return the info of an op name; an unknown name becomes an unregistered op. */
const struct sr_op_info *sr_op_info_of(struct sr_context *ctx, const char *name);

/* ---- creating types (interned) ----
 * Strings in a filled struct (text, s, names of axes and entries) must be interned already.
 * dtype is derived from the other fields except for FLOAT; index and siN get the dtype of the signless integer of their width,
 * so that constants of these types have a memory layout. */
/* Intern a type. `type` is a filled struct, whose arrays are copied. */
const struct sr_type *sr_type_intern(struct sr_context *ctx, const struct sr_type *type);
const struct sr_type *sr_type_scalar(struct sr_context *ctx, enum sr_dtype t);
const struct sr_type *sr_type_tensor(struct sr_context *ctx, enum sr_dtype t, int rank, const int64_t *shape);
const struct sr_type *sr_type_tensor_of(struct sr_context *ctx, const struct sr_type *element, int rank, const int64_t *shape,
					const struct sr_attr *encoding);
const struct sr_type *sr_type_with_shape(struct sr_context *ctx, const struct sr_type *tensor, int rank, const int64_t *shape);
const struct sr_type *sr_type_function(struct sr_context *ctx, const struct sr_type *const *in, int n_in,
				       const struct sr_type *const *out, int n_out);
bool sr_type_is_static(const struct sr_type *t);              /* Return true for a ranked tensor without unknown extents. */
/* Compute the number of elements. Return false if the shape is dynamic or the number overflows. */
bool sr_type_elements(const struct sr_type *t, int64_t *n);
/* Compute the bytes in memory, by dtype. Return false if the shape is dynamic or the number overflows. */
bool sr_type_bytes(const struct sr_type *t, int64_t *bytes);
void sr_type_print(const struct sr_type *t, struct sr_buf *out); /* Print a type, "tensor<4x?xf32>"; an OPAQUE type with its "!". */
/* Print a type; `encoding` prints the encodings of tensors. sr_type_print prints an encoding that is not opaque as "#". */
void sr_type_print_with(const struct sr_type *t, struct sr_buf *out,
			void (*encoding)(void *data, const struct sr_attr *attr, struct sr_buf *out), void *data);
const char *sr_type_string(struct sr_context *ctx, const struct sr_type *t); /* Return a type as text for messages, in the arena. */

/* ---- creating attributes (interned; dense constants larger than 1 MB by address of their data) ---- */
/* Intern an attribute. `attr` is a filled struct, whose arrays are copied deeply. */
const struct sr_attr *sr_attr_intern(struct sr_context *ctx, const struct sr_attr *attr);
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
/* Create a dictionary; the entries are copied and sorted. */
const struct sr_attr *sr_attr_dict(struct sr_context *ctx, const struct sr_named_attr *entries, int n);
const struct sr_attr *sr_attr_i64s(struct sr_context *ctx, const int64_t *v, int64_t n); /* Create a DENSE_ARRAY of i64. */
const struct sr_attr *sr_attr_bools(struct sr_context *ctx, const bool *v, int64_t n);   /* Create a DENSE_ARRAY of i1. */
const struct sr_attr *sr_attr_dense_array(struct sr_context *ctx, const struct sr_type *element, const void *data, int64_t n);
/* Create a DENSE from raw bytes, which are copied: all elements, or one for a splat. A buffer of equal elements becomes a
 * splat. */
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
/* Return an entry of a dictionary; NULL if it is absent or `dict` is NULL. `name` need not be interned. */
const struct sr_attr *sr_dict_get(const struct sr_attr *dict, const char *name);
/* Read a list of integers from a DENSE_ARRAY, a DENSE of any integer type, or an ARRAY of INTEGER. Return false for other
 * attributes. The result is in the arena. */
bool sr_attr_ints(struct sr_context *ctx, const struct sr_attr *a, const int64_t **v, int64_t *n);
/* Return the raw bytes of a dense constant; NULL if the attribute is not dense or has strings. Hex digits are decoded, and a splat
 * is expanded if expand_splat is true. */
const void *sr_dense_data(struct sr_context *ctx, const struct sr_attr *a, bool expand_splat, int64_t *n_bytes);
/* Return the first file location inside `loc`; its file is NULL if there is none. */
struct sr_src_loc sr_loc_source(const struct sr_attr *loc);
struct sr_loc_frame {
	const char *function; /* name of the location, usually a function; NULL if it has none */
	struct sr_src_loc place;
};
/* Write the call stack that `loc` records into `frames`, the innermost function first. Return the number of frames, at most
 * max_frames. */
int sr_loc_frames(const struct sr_attr *loc, struct sr_loc_frame *frames, int max_frames);

/* ---- names of values in locations (sr_context.keep_names) ---- */
const struct sr_attr *sr_value_loc(const struct sr_value *v);
/* Return the location that holds the value's name in the text, loc("%12"(...)); in a call site, that of the callee. NULL: none. */
const struct sr_attr *sr_loc_text_name(const struct sr_attr *loc);
const char *sr_value_text_name(const struct sr_value *v); /* Return the value's name in the text, "%12"; NULL: none. */
/* Return the value's name in the source program, "jit(f)/tanh"; NULL: none. */
const char *sr_loc_source_name(const struct sr_attr *loc);

/* ---- ops ---- */
struct sr_op_spec {
	const struct sr_op_info *info;
	const struct sr_attr *loc; /* location; NULL: unknown */
	struct sr_value *const *operands; int n_operands;
	const struct sr_type *const *results; int n_results;
	const struct sr_named_attr *attrs; int n_attrs; /* attributes in any order */
	int n_regions; /* number of regions, which are created without blocks */
};
struct sr_op *sr_op_new(struct sr_context *ctx, const struct sr_op_spec *spec); /* Create a detached op. */
void sr_op_append(struct sr_block *block, struct sr_op *op);
void sr_op_insert_before(struct sr_op *anchor, struct sr_op *op);
void sr_op_insert_after(struct sr_op *anchor, struct sr_op *op);
void sr_op_unlink(struct sr_op *op);  /* Remove an op from its block; it keeps its operands. */
/* Remove an op from its block, and drop the operand uses of it and of the ops inside it. Its results must be unused. */
void sr_op_erase(struct sr_op *op);
/* Erase an op, whose memory and that of the ops inside is reused after the next sr_ops_reclaim. No pointer to them may be kept
 * longer. */
void sr_op_retire(struct sr_context *ctx, struct sr_op *op);
void sr_ops_reclaim(struct sr_context *ctx);
void sr_op_move_before(struct sr_op *op, struct sr_op *anchor);
/* Return an attribute of the op; NULL if it is absent. `name` need not be interned. */
const struct sr_attr *sr_op_attr(const struct sr_op *op, const char *name);
/* Set an attribute; value NULL removes it. */
void sr_op_set_attr(struct sr_context *ctx, struct sr_op *op, const char *name, const struct sr_attr *value);
void sr_op_remove_attr(struct sr_context *ctx, struct sr_op *op, const char *name);
void sr_op_set_operand(struct sr_op *op, int index, struct sr_value *value);
void sr_op_add_operand(struct sr_context *ctx, struct sr_op *op, struct sr_value *value);
void sr_op_set_operands(struct sr_context *ctx, struct sr_op *op, struct sr_value *const *values, int n);
void sr_op_remove_operand(struct sr_op *op, int index);
/* Replace an op by an op with other result types; operands, attributes and regions are moved. The old results must be unused. */
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
struct sr_op *sr_op_parent(const struct sr_op *op);  /* Return the op that contains `op`; NULL for the outermost op. */
/* Return the nearest ancestor with this op code; NULL if there is none. */
struct sr_op *sr_op_parent_of(const struct sr_op *op, int code);
/* Return a detached deep copy. `map` maps operands to those of the copy (it may have entries already) and receives the mapping
 * of results; NULL: a temporary map is used. */
struct sr_op *sr_op_clone(struct sr_context *ctx, const struct sr_op *op, struct sr_map *map);
/* Return true if the op has no side effects, by its traits; for ops with recursive effects, by the ops in its regions. */
bool sr_op_is_pure(const struct sr_op *op);
int sr_use_index(const struct sr_use *use); /* Return the operand number of a use. */
bool sr_op_is_before(const struct sr_op *a, const struct sr_op *b); /* Return true if a is before b; both are in the same block. */
/* Return true if `ancestor` contains `op` or is `op`. */
bool sr_op_is_ancestor(const struct sr_op *ancestor, const struct sr_op *op);
/* Return the op of `block` that contains `op` or is `op`; NULL if there is none. */
struct sr_op *sr_op_ancestor_in(const struct sr_block *block, const struct sr_op *op);
/* Return the block in which a value is defined; NULL for a result of a detached op. */
struct sr_block *sr_value_block(const struct sr_value *v);
/* Return the op that defines a value, or whose region has it as a block argument. */
static inline struct sr_op *sr_value_owner(const struct sr_value *v)
{
	return v->def ? v->def : v->block->region->op;
}
static inline bool sr_value_has_one_use(const struct sr_value *v)
{
	return v->uses && !v->uses->next;
}
/* Return the bytes of a static tensor in memory; 0 for values of other types, and if the number overflows. */
int64_t sr_value_bytes(const struct sr_value *v);

/* ---- values, blocks, regions ---- */
/* Replace all uses, one by one from the head of the use list, as MLIR does. */
void sr_value_replace_all(struct sr_value *from, struct sr_value *to);
void sr_value_replace_if(struct sr_value *from, struct sr_value *to, bool (*filter)(void *data, struct sr_use *use), void *data);
void sr_use_set(struct sr_use *use, struct sr_value *value);
struct sr_block *sr_block_new(struct sr_context *ctx, struct sr_region *region); /* Create a block and append it to the region. */
struct sr_value *sr_block_add_arg(struct sr_context *ctx, struct sr_block *block, const struct sr_type *type,
				  const struct sr_attr *loc);
void sr_block_remove_arg(struct sr_block *block, int index); /* Remove an argument, which must be unused. */
static inline struct sr_op *sr_block_terminator(const struct sr_block *block)
{
	return block->last;
}
/* Move all blocks of `source` to the end of `destination`. */
void sr_region_take(struct sr_region *destination, struct sr_region *source);

/* ---- walking ----
 * fn returns false to stop the walk. Post-order visits the ops inside an op before the op. */
/* Call fn for all ops in pre-order; fn may erase its op. */
bool sr_walk(struct sr_op *root, bool (*fn)(void *data, struct sr_op *op), void *data);
/* Call fn for all ops in post-order; fn may erase its op. */
bool sr_walk_post(struct sr_op *root, bool (*fn)(void *data, struct sr_op *op), void *data);
/* Call fn for each operand of the op, and of the ops inside it, that is defined outside of the op. */
bool sr_walk_outer_operands(struct sr_op *op, bool (*fn)(void *data, struct sr_value *v), void *data);

/* ---- symbols ---- */
struct sr_op *sr_module_new(struct sr_context *ctx);
struct sr_block *sr_module_body(const struct sr_op *module);
/* Return the first op with this name in the first block of a symbol table; NULL: none. Constant time after the first call. */
struct sr_op *sr_symbol_find(const struct sr_op *table, const char *name);
const char *sr_symbol_name(const struct sr_op *op); /* Return the op's sym_name; NULL if it has none. */

/* Verify structure, terminators, unique symbols, registered signatures with info->verify, and dominance. Report each error at its
 * op. Return SR_INVALID if there is an error. */
enum sr_status sr_verify(struct sr_context *ctx, struct sr_op *root);
/* Hash everything that verification reads. Within one process the hash of an unchanged op stays the same. */
uint64_t sr_op_fingerprint(const struct sr_op *root);
/* Report an error at an op: "'stablehlo.add' op <message>". */
enum sr_status sr_op_error(struct sr_op *op, struct sr_diags *diags, enum sr_status status, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif
