/* Internals of the readers of HLO, which convert text as printed by XLA and PyTorch/XLA, and HloModuleProtos, to StableHLO. Private
 * to src/text.
 *
 * Reading (hlo/read.c for text, hlo/proto.c for the binary form) makes computations: lists of instructions with shapes, operands and
 * attributes, each attribute converted by its row of hlo/ops.def. Emission (hlo/emit.c, hlo/special_opcodes.c) starts at the entry
 * computation. Called computations become functions; others are emitted where they are used, fusions into the current block,
 * bodies of reductions and loops into regions.
 *
 * An HLO value is a list of leaves: the tensors and tokens of its shape in depth-first order. Tuples therefore do not appear in
 * the IR: a tuple concatenates lists, get-tuple-element takes a sublist, and a loop over a tuple is a loop over its leaves.
 * Layouts only matter for bitcast, which becomes the equivalent reshapes and transposes.
 *
 * On an error, sr_parser_fail reports it and unwinds (longjmp) to sr_parse_hlo. */
#ifndef SR_TEXT_HLO_H
#define SR_TEXT_HLO_H

#include "support/proto.h"
#include "text/mlir/parse/parser.h"

enum { SR_HLO_MAX_ADDED = 7 }; /* maximum number of StableHLO attributes from one HLO attribute */

struct sr_hlo;
struct sr_hlo_computation;
struct sr_hlo_instruction;
struct sr_hlo_attr_value;
struct sr_hlo_frame;

typedef SR_VEC(struct sr_value *) sr_hlo_values;

struct sr_hlo_shape {
	const struct sr_type *type;    /* type of a leaf; NULL: a tuple */
	const int64_t *minor_to_major; /* layout of a leaf, [type->rank] dimensions; NULL: row-major */
	const struct sr_hlo_shape *const *elements; /* [n] element shapes of a tuple */
	int n;
	int n_leaves;
};
typedef SR_VEC(const struct sr_hlo_shape *) sr_hlo_shapes;

/* ---------------------------------------------------------------- opcodes: hlo/ops.c, hlo/ops.def */

/* An attribute that an opcode accepts, from hlo/ops.def. */
struct sr_hlo_attr_slot {
	const char *name;   /* the attribute's name in HLO text */
	const char *target; /* StableHLO attribute, or field of a structure (attribute.field) */
	const struct sr_hlo_attr_kind *kind;
	bool optional;
	const char *initial; /* text that the default is read from; NULL: no default */
};

/* What an attribute kind converts to. */
enum sr_hlo_attr_role {
	SR_HLO_TARGET, /* the StableHLO attribute that its slot names */
	SR_HLO_REGION, /* the computation it names becomes a region of the op */
	SR_HLO_FUNCTIONS, /* the computations it names become functions, listed in called_computations */
	SR_HLO_OTHER   /* several attributes, input of a builder function, or nothing */
};
struct sr_hlo_attr_kind {
	const char *name;
	void (*read)(struct sr_hlo *h, struct sr_hlo_attr_value *v);
	enum sr_hlo_attr_role role;
};

typedef void sr_hlo_build(struct sr_hlo *h, struct sr_hlo_frame *f, const struct sr_hlo_instruction *in,
			  const sr_hlo_values *operands, sr_hlo_values *out);

struct sr_hlo_opcode {
	const char *name;
	sr_hlo_build *build;
	enum sr_op_code code; /* the StableHLO op it becomes, or SR_OP_UNREGISTERED */
	const char *notation; /* attributes, or why the opcode is not supported */
};

struct sr_hlo_opcode_state { /* an opcode's attribute slots, compiled on first use */
	const struct sr_signature *signature; /* signature of the StableHLO op; NULL: no op */
	const struct sr_hlo_attr_slot *slots;
	int n_slots;
	bool compiled;
};

#define HLO_NO_OP(opcode, builder, attributes) sr_hlo_build sr_hlo_build_##builder;
#define HLO(opcode, builder, op, attributes) HLO_NO_OP(opcode, builder, attributes)
#include "text/hlo/ops.def"

const struct sr_hlo_opcode *sr_hlo_opcode_find(const char *name, size_t n); /* NULL if there is no such opcode */
const struct sr_hlo_opcode_state *sr_hlo_opcode_state_of(struct sr_hlo *h, const struct sr_hlo_opcode *opcode);
const struct sr_hlo_attr_kind *sr_hlo_attr_kind_find(const char *name); /* NULL if there is no such kind */

/* ---------------------------------------------------------------- computations */

struct sr_hlo_attr_value { /* an attribute of an instruction */
	const struct sr_hlo_attr_slot *slot;
	const struct sr_signature *signature; /* signature of the instruction's op; NULL: no op */
	struct sr_hlo_instruction *in;        /* valid only while the attribute is being read */
	const char *where;
	int64_t i;                    /* value of an attribute that is a number */
	SR_VEC(const char *) names;   /* names of computations, or the word or text as the only element; interned */
	struct sr_named_attr added[SR_HLO_MAX_ADDED]; /* the StableHLO attributes; a NULL value is omitted */
	int n_added;
};

enum sr_hlo_phase { SR_HLO_SYNC, SR_HLO_START, SR_HLO_UPDATE, SR_HLO_DONE }; /* phase of an asynchronous op */

struct sr_hlo_instruction {
	const char *name, *where;
	const struct sr_hlo_opcode *opcode;
	enum sr_hlo_phase phase;
	const struct sr_hlo_shape *shape; /* shape of the result; for a start op, of its done op's result */
	SR_VEC(int) operands;             /* indices of instructions in the same computation */
	SR_VEC(struct sr_hlo_attr_value) values;
	int64_t number;                   /* number of a parameter instruction */
	sr_attrs constants;               /* value of a constant instruction, one attribute per leaf */
	const struct sr_attr *loc;        /* location from the metadata; NULL: none */
	const char *sharding;             /* HLO sharding as text, {...}; NULL: none */
	const struct sr_attr *frontend;   /* frontend attributes, a DICT; NULL: none */
	const char *op_name;
};

struct sr_hlo_computation {
	const char *name, *where;
	SR_VEC(struct sr_hlo_instruction) instructions;
	struct sr_map names;  /* interned instruction name -> 1 + its index */
	SR_VEC(int) parameters; /* indices of the parameter instructions, by parameter number */
	int root;             /* index of the root instruction */
	bool active;          /* being emitted; used to detect recursion */
	struct sr_op *function; /* function created for calls; NULL: none yet */
};

struct sr_hlo_frame { /* state of one emission of a computation */
	const struct sr_hlo_computation *computation;
	struct sr_builder b;
	const sr_hlo_values *parameters; /* leaves of each parameter, by parameter number */
	sr_hlo_values *values;           /* leaves of each instruction, by index */
};

typedef SR_VEC(struct sr_hlo_donation { /* an element of an entry parameter whose buffer a result may reuse */
	sr_integers output; /* index path in the result */
	bool has_output;    /* if false, any result may reuse the buffer */
	int64_t parameter;
	sr_integers index;  /* index path in the parameter */
	const char *where;
}) sr_hlo_donations;

struct sr_hlo {
	struct sr_parser p; /* used for positions and messages, not for tokens */
	struct sr_context *ctx;
	struct sr_arena *arena;
	const char *at;        /* current position, never at whitespace or a comment */
	enum sr_status status; /* status to return on an error */
	const char *name;      /* name of the HLO module */
	struct sr_op *module;
	struct sr_map computations; /* interned name -> sr_hlo_computation */
	struct sr_hlo_computation *entry, *last;
	struct sr_hlo_opcode_state *opcodes;
	int64_t n_replicas, n_partitions; /* 0 if the module does not say */
	bool partitioned;      /* the module is the output of XLA's partitioner: shapes are per device */
	const struct sr_attr *frontend; /* frontend attributes of the module; NULL: none */
	const struct sr_hlo_shape *arguments, *results; /* shapes of entry_computation_layout; NULL: absent */
	const char *layout_where;
	sr_hlo_donations donations;
	struct sr_hlo_files *files;     /* tables of files and stack frames (hlo/loc.c) */
	SR_VEC(struct sr_hlo_located { struct sr_op *op; const struct sr_attr *loc; }) located;
	int64_t n_emitted;
	struct sr_map computation_ids; /* binary: id (as a key) -> interned name */
	sr_integers called;            /* binary: ids of the computations that the instruction being read calls */
	const struct sr_hlo_computation *computation; /* binary: being read */
};

/* ---- hlo/cursor.c ---- */
void sr_hlo_skip(struct sr_hlo *h);                       /* Skip whitespace and comments. */
bool sr_hlo_is(const struct sr_hlo *h, const char *text); /* Is this whole word or punctuation next? */
bool sr_hlo_accept(struct sr_hlo *h, const char *text);
void sr_hlo_expect(struct sr_hlo *h, const char *text);
_Noreturn void sr_hlo_expected(struct sr_hlo *h, const char *what);
/* Report an unsupported construct and end reading with SR_UNSUPPORTED. */
_Noreturn void sr_hlo_unsupported(struct sr_hlo *h, const char *where, const char *format,
				  ...) __attribute__((format(printf, 3, 4)));
bool sr_hlo_is_digit(const struct sr_hlo *h);             /* Is a number next, possibly with a sign? */
const char *sr_hlo_word(struct sr_hlo *h, const char *what); /* Read letters, digits and ._-$; interned. */
const char *sr_hlo_name(struct sr_hlo *h, const char *what); /* Read a word with or without a leading %; interned. */
int64_t sr_hlo_integer(struct sr_hlo *h);
int64_t sr_hlo_count(struct sr_hlo *h, const char *what); /* Read an integer that is not negative. */
bool sr_hlo_bool(struct sr_hlo *h);
const char *sr_hlo_string(struct sr_hlo *h);              /* Read a quoted string; unescaped and interned. */
const char *sr_hlo_balanced(struct sr_hlo *h);            /* Read balanced {...} without its comments; interned. */
void sr_hlo_integers(struct sr_hlo *h, sr_integers *out); /* Read integers in braces: {1,2}. */

/* ---- hlo/shape.c ---- */
struct sr_hlo_primitive { /* an element type */
	const char *name;
	enum sr_dtype type;
	int number;  /* in xla.PrimitiveType */
	int literal; /* field of xla.LiteralProto with the elements */
	bool varint; /* elements are varints there, otherwise their bytes, little endian */
};
const struct sr_hlo_primitive *sr_hlo_primitive_of(enum sr_dtype type); /* NULL if HLO lacks it */
enum sr_dtype sr_hlo_dtype_of_number(int64_t number);                   /* SR_DTYPE_NONE if there is none */
/* Make the shape of an array, or of a token if `type` is SR_DTYPE_NONE. Dynamic extents are SR_DYNAMIC, with a bound in `bounds`. */
struct sr_hlo_shape *sr_hlo_leaf_shape(struct sr_hlo *h, enum sr_dtype type, const sr_integers *extents, const sr_integers *bounds,
				       const char *where);
/* Set the layout of an array: its dimensions from minor to major, or none. */
void sr_hlo_set_layout(struct sr_hlo *h, struct sr_hlo_shape *shape, const sr_integers *order, const char *where);
const struct sr_hlo_shape *sr_hlo_tuple_shape(struct sr_hlo *h, const sr_hlo_shapes *elements, const char *where);
void sr_hlo_print_shape(const struct sr_hlo_shape *shape, struct sr_buf *out);
const struct sr_hlo_shape *sr_hlo_read_shape(struct sr_hlo *h);
bool sr_hlo_is_shape(const struct sr_hlo *h);             /* Is "f32[", "token[" or "(" next? */
const struct sr_hlo_shape *sr_hlo_leaf(const struct sr_hlo_shape *shape, int i); /* Return the i-th leaf of the shape. */
void sr_hlo_leaf_types(struct sr_hlo *h, const struct sr_hlo_shape *shape, sr_types *out); /* Append the types of all leaves. */
/* Return the subshape at an index path and the number of its first leaf, or NULL if there is none. */
const struct sr_hlo_shape *sr_hlo_subshape(const struct sr_hlo_shape *shape, const int64_t *path, size_t n, int *first);
/* Return the dimensions in major-to-minor order, [rank]. *row_major ignores dimensions of extent 1. */
const int64_t *sr_hlo_major_to_minor(struct sr_hlo *h, const struct sr_hlo_shape *leaf, bool *row_major);

/* ---- hlo/literal.c ---- */
void sr_hlo_literal(struct sr_hlo *h, const struct sr_hlo_shape *shape, sr_attrs *out); /* Append one constant per leaf. */

/* ---- hlo/attr.c, hlo/hlo_groups.c, hlo/hlo_window.c ---- */
void sr_hlo_skip_value(struct sr_hlo *h); /* Skip the value of an ignored attribute: a word, number, string or {...}. */
void sr_hlo_add_attr(struct sr_hlo_attr_value *v, const char *target, const struct sr_attr *attr);
const struct sr_attr *sr_hlo_frontend(struct sr_hlo *h);  /* Read {name="text",name={...}} as a DICT of strings. */
bool sr_hlo_has_attr(const struct sr_hlo_attr_value *v, const char *name); /* Does the instruction's op have this attribute? */
/* Return the layouts of all leaves: [dense<[1, 0]>, ...]. */
const struct sr_attr *sr_hlo_layouts(struct sr_hlo *h, const sr_hlo_shapes *shapes);
/* Return the value of replica_groups={}: one group of all devices, counted according to the op's other attributes. */
const struct sr_attr *sr_hlo_group_of_all_devices(struct sr_hlo *h, const struct sr_hlo_instruction *in);
void sr_hlo_read_groups(struct sr_hlo *h, struct sr_hlo_attr_value *v);
void sr_hlo_read_pairs(struct sr_hlo *h, struct sr_hlo_attr_value *v);
void sr_hlo_read_window(struct sr_hlo *h, struct sr_hlo_attr_value *v);
void sr_hlo_read_slices(struct sr_hlo *h, struct sr_hlo_attr_value *v);
void sr_hlo_read_padding(struct sr_hlo *h, struct sr_hlo_attr_value *v);
void sr_hlo_read_labels(struct sr_hlo *h, struct sr_hlo_attr_value *v);

/* ---- hlo/loc.c ---- */
enum { SR_HLO_N_ROW_FIELDS = 5 }; /* file, line, column; place, parent */
/* Add a row to FileNames (0), FunctionNames, FileLocations or StackFrames (3): the first two have a text, the others numbers. */
void sr_hlo_add_row(struct sr_hlo *h, int table, int64_t id, const char *text, const int64_t values[SR_HLO_N_ROW_FIELDS]);
/* Read one of FileNames, FunctionNames, FileLocations, StackFrames if it is next. */
bool sr_hlo_read_stack_frame_table(struct sr_hlo *h);
void sr_hlo_read_metadata(struct sr_hlo *h, struct sr_hlo_attr_value *v);
const struct sr_attr *sr_hlo_text_loc(struct sr_hlo *h, const char *where); /* Return the location of `where` in the HLO text. */

/* ---- hlo/read.c ---- */
void sr_hlo_read_computation(struct sr_hlo *h);

/* ---- hlo/computation.c ---- */
/* Set the opcode and the phase of an instruction, whose shape is known, from an opcode's name. */
void sr_hlo_set_opcode(struct sr_hlo *h, struct sr_hlo_instruction *in, const char *name);
/* Make the instruction that is added next parameter `number` of the computation. */
void sr_hlo_add_parameter(struct sr_hlo *h, struct sr_hlo_computation *c, struct sr_hlo_instruction *in, int64_t number,
			  const char *where);
/* Read the value of an attribute from the current position. */
void sr_hlo_read_value(struct sr_hlo *h, struct sr_hlo_instruction *in, const struct sr_hlo_attr_slot *slot, const char *where);
/* Read the value of an attribute from a text of its own. */
void sr_hlo_set_attr(struct sr_hlo *h, struct sr_hlo_instruction *in, const struct sr_hlo_attr_slot *slot, const char *text,
		     size_t n);
/* Set the attributes that were not given to their defaults. Fail if one has none. */
void sr_hlo_set_defaults(struct sr_hlo *h, struct sr_hlo_instruction *in);
/* Add a computation, whose instructions are complete, to the module. */
void sr_hlo_add_computation(struct sr_hlo *h, struct sr_hlo_computation *c, const char *where, bool entry);
/* Fail if there is no such computation. */
struct sr_hlo_computation *sr_hlo_find_computation(struct sr_hlo *h, const char *name, const char *where);
/* Return an attribute, or NULL if not given. */
const struct sr_hlo_attr_value *sr_hlo_find_attr(const struct sr_hlo_instruction *in, const char *name);

/* ---- hlo/emit.c ---- */
/* Emit a computation at the builder's insertion point with `parameters` [n] as its parameters. Set *out to the root's leaves. */
void sr_hlo_inline(struct sr_hlo *h, const struct sr_builder *b, struct sr_hlo_computation *c, const char *where,
		   const sr_hlo_values *parameters, size_t n, sr_hlo_values *out);
/* Return the function of a computation, emitted on first use. */
struct sr_op *sr_hlo_emit_function(struct sr_hlo *h, struct sr_hlo_computation *c, const char *where);
/* Emit a computation into a new block of `region`. Its parameters are `captured` [n] values from outside, or block arguments if
 * `captured` is NULL. */
void sr_hlo_emit_region(struct sr_hlo *h, struct sr_region *region, const char *name, const char *where,
			const sr_hlo_values *captured,
		   size_t n);
/* Append the attributes of the instruction's op, and `more`. */
void sr_hlo_attrs(struct sr_hlo *h, const struct sr_hlo_instruction *in, const struct sr_named_attr *more, int n_more,
		  sr_named_attrs *out);
/* Create an op with the attributes and regions of an instruction. */
struct sr_op *sr_hlo_emit_op(struct sr_hlo *h, struct sr_hlo_frame *f, const struct sr_hlo_instruction *in, enum sr_op_code code,
			     const sr_hlo_values *operands, const sr_types *types, const struct sr_named_attr *more, int n_more);
/* Append the op's results. */
void sr_hlo_append_results(struct sr_hlo *h, struct sr_op *op, sr_hlo_values *out);
/* Return the leaves of operand i. */
static inline const sr_hlo_values *sr_hlo_operand(const struct sr_hlo_frame *f, const struct sr_hlo_instruction *in, size_t i)
{
	return &f->values[in->operands.data[i]];
}
/* Fail unless there are exactly, or at least, n operands. */
void sr_hlo_check_operand_count(struct sr_hlo *h, const struct sr_hlo_instruction *in, size_t n, bool exactly);
/* Split the sharding "{{a}, {b}}" of a tuple into one per leaf; another sharding applies to all leaves. Return NULL if the number
 * of elements differs from n. */
const char **sr_hlo_shardings(struct sr_hlo *h, const char *text, int n);

/* ---- hlo/proto_value.c ---- */
_Noreturn void sr_hlo_malformed(struct sr_hlo *h); /* Fail: the message is not well-formed. */
bool sr_hlo_next_field(struct sr_hlo *h, struct sr_proto *m, struct sr_proto_field *f); /* sr_proto_next, which may fail */
void sr_hlo_field_integers(struct sr_hlo *h, const struct sr_proto_field *f, sr_integers *out); /* sr_proto_integers likewise */
const struct sr_hlo_shape *sr_hlo_proto_shape(struct sr_hlo *h, struct sr_proto m); /* Read xla.ShapeProto. */
/* Read xla.LiteralProto and append one constant per leaf. */
void sr_hlo_proto_literal(struct sr_hlo *h, struct sr_proto m, const struct sr_hlo_shape *shape, sr_attrs *out);

/* ---- hlo/proto_attr.c ---- */
struct sr_hlo_field;
/* Append the value of an attribute as HLO text has it. `m` is the message that holds field `number`. False: it is not given, and
 * what was appended is to be ignored. */
typedef bool sr_hlo_print_field(struct sr_hlo *h, const struct sr_hlo_field *row, struct sr_proto m, uint32_t number,
				const struct sr_hlo_instruction *in, struct sr_buf *out);
struct sr_hlo_field { /* an attribute of HLO text as a field of xla.HloInstructionProto */
	const char *attribute;
	const char *opcode; /* only for this opcode; NULL: for all others */
	uint8_t path[3];    /* field numbers, from the instruction inwards; 0 ends it */
	sr_hlo_print_field *print;
	const char *const *words; /* names of an enumeration's values, ended by NULL; "": not given */
	const char *absent;       /* value if the field is not given and the attribute not optional; NULL: ops.def's default */
};
/* Set the attributes of an instruction whose shape, opcode and operands are known. */
void sr_hlo_proto_attrs(struct sr_hlo *h, struct sr_hlo_instruction *in, struct sr_proto m);

bool sr_hlo_has_field(const char *attribute, const char *opcode); /* Is there a row for the attribute? */

/* ---- hlo/proto_field.c ---- */
void sr_hlo_print_string(const void *bytes, size_t n, struct sr_buf *out); /* in quotes, with escapes */
void sr_hlo_print_integers(const sr_integers *list, struct sr_buf *out);   /* {1,2} */
sr_hlo_print_field sr_hlo_print_metadata, sr_hlo_print_sharding, sr_hlo_print_frontend, sr_hlo_print_window, sr_hlo_print_labels,
	sr_hlo_print_padding, sr_hlo_print_slices, sr_hlo_print_groups, sr_hlo_print_pairs, sr_hlo_print_aliases, sr_hlo_print_layouts;

/* ---- hlo/proto.c ---- */
bool sr_is_hlo_proto(const char *bytes, size_t n); /* Do the bytes begin like a HloModuleProto or a message that holds one? */
enum sr_status sr_parse_hlo_proto(struct sr_context *ctx, const char *file, const char *bytes, size_t n, struct sr_op **module);
const char *sr_hlo_computation_name(const struct sr_hlo *h, int64_t id); /* NULL if there is no such computation */
/* Return the shape of an operand of the instruction that is being read. */
const struct sr_hlo_shape *sr_hlo_operand_shape(const struct sr_hlo *h, const struct sr_hlo_instruction *in, size_t i);

/* ---- hlo.c ---- */
bool sr_is_hlo(const char *text, size_t n); /* Does the text start with HloModule after whitespace and comments? */
enum sr_status sr_parse_hlo(struct sr_context *ctx, const char *file, const char *text, size_t n, int line_offset,
			    struct sr_op **module);
struct sr_hlo *sr_hlo_new(struct sr_context *ctx, const char *file, const char *text, size_t n, int line_offset);
/* Emit and verify the module whose computations have been read. */
enum sr_status sr_hlo_emit_module(struct sr_hlo *h, struct sr_op **module);
int64_t sr_hlo_check_device_count(struct sr_hlo *h, int64_t n, const char *where); /* Fail unless it is positive and an i32. */

#endif
