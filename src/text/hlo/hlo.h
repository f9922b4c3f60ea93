/* Internals of the readers of HLO, which convert text as printed by XLA and PyTorch/XLA, and HloModuleProtos, to StableHLO.
 * Private to src/text.
 *
 * Reading (hlo/read.c for text, hlo/proto.c for the binary form) makes computations: lists of instructions with shapes, operands
 * and attributes, each attribute converted by its row of hlo/ops.def. Emission (hlo/emit.c, hlo/special_opcodes.c) starts at the
 * entry computation. Called computations become functions; others are emitted where they are used, fusions into the current
 * block, bodies of reductions and loops into regions.
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

enum { SR_HLO_MAX_ADDED = 7 }; /* maximum number of StableHLO attributes that one HLO attribute becomes */

struct sr_hlo;
struct sr_hlo_computation;
struct sr_hlo_instruction;
struct sr_hlo_attr_value;
struct sr_hlo_frame;

typedef SR_VEC(struct sr_value *) sr_hlo_values;

struct sr_hlo_shape {
	const struct sr_type *type;    /* type if the shape is a leaf; NULL: the shape is a tuple */
	const int64_t *minor_to_major; /* layout of a leaf, length: rank; NULL: row-major */
	const struct sr_hlo_shape *const *elements; /* shapes of a tuple's elements; length: n */
	int n;	      /* number of elements of a tuple; 0 for a leaf */
	int n_leaves; /* number of leaves: tensors and tokens; 1 for a leaf */
};
typedef SR_VEC(const struct sr_hlo_shape *) sr_hlo_shapes;

/* ---------------------------------------------------------------- opcodes: hlo/ops.c, hlo/ops.def */

/* An attribute that an opcode accepts, from hlo/ops.def. */
struct sr_hlo_attr_slot {
	const char *name;   /* the attribute's name in HLO text */
	const char *target; /* name of the StableHLO attribute, or of a field of a structure (attribute.field) */
	const struct sr_hlo_attr_kind *kind;
	bool is_optional;
	const char *default_text; /* text of the default value; NULL: no default */
};

/* Role of an attribute kind: the construct that its attributes become. */
enum sr_hlo_attr_role {
	SR_HLO_TARGET, /* the attribute becomes the StableHLO attribute that its slot names */
	SR_HLO_REGION, /* the attribute names a computation, which becomes a region of the op */
	SR_HLO_FUNCTIONS, /* the attribute names computations, which become functions listed in called_computations */
	SR_HLO_OTHER   /* the attribute becomes several attributes, is read by a builder function, or becomes nothing */
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
	enum sr_op_code code; /* code of the StableHLO op; SR_OP_UNREGISTERED if the opcode does not become a single op */
	const char *notation; /* notation of the attributes, or the reason why the opcode is not supported */
};

struct sr_hlo_opcode_state { /* attribute slots of an opcode, compiled on first use */
	const struct sr_signature *signature; /* signature of the StableHLO op; NULL: there is no such op */
	const struct sr_hlo_attr_slot *slots;
	int n_slots;
	bool is_compiled;
};

#define HLO_NO_OP(opcode, builder, attributes) sr_hlo_build sr_hlo_build_##builder;
#define HLO(opcode, builder, op, attributes) HLO_NO_OP(opcode, builder, attributes)
#include "text/hlo/ops.def"

/* Return the opcode of this name; NULL if there is none. */
const struct sr_hlo_opcode *sr_hlo_opcode_find(const char *name, size_t n);
const struct sr_hlo_opcode_state *sr_hlo_opcode_state_of(struct sr_hlo *h, const struct sr_hlo_opcode *opcode);
/* Return the attribute kind of this name; NULL if there is none. */
const struct sr_hlo_attr_kind *sr_hlo_attr_kind_find(const char *name);

/* ---------------------------------------------------------------- computations */

struct sr_hlo_attr_value { /* an attribute of an instruction, as parsed from text or read from a proto */
	const struct sr_hlo_attr_slot *slot;
	const struct sr_signature *signature; /* signature of the instruction's op; NULL: there is no op */
	struct sr_hlo_instruction *instruction;        /* instruction that has the attribute; only valid while the attribute is being read */
	const char *position;
	int64_t i;                    /* value of an attribute that is a number */
	SR_VEC(const char *) names;   /* names of computations; or a single element, the word or text of the value; interned */
	struct sr_named_attr stablehlo_attrs[SR_HLO_MAX_ADDED]; /* StableHLO attributes; a NULL value is omitted */
	int n_stablehlo_attrs;
};

enum sr_hlo_phase { SR_HLO_SYNC, SR_HLO_START, SR_HLO_UPDATE, SR_HLO_DONE }; /* phase of an asynchronous op */

struct sr_hlo_instruction {
	const char *name, *position;
	const struct sr_hlo_opcode *opcode;
	enum sr_hlo_phase phase;
	const struct sr_hlo_shape *shape; /* shape of the result; for a start op, the shape of its done op's result */
	SR_VEC(int) operands;             /* operands: indices of instructions in the same computation */
	SR_VEC(struct sr_hlo_attr_value) values;
	int64_t parameter_number;                   /* number of a parameter instruction */
	sr_attrs constants;               /* value of a constant instruction, one attribute per leaf */
	const struct sr_attr *loc;        /* location from the metadata; NULL: none */
	const char *sharding;             /* text of the HLO sharding, {...}; NULL: none */
	const struct sr_attr *frontend_attrs;   /* frontend attributes, a DICT; NULL: none */
	const char *op_name;
};

struct sr_hlo_computation {
	const char *name, *position;
	SR_VEC(struct sr_hlo_instruction) instructions;
	struct sr_map names;  /* map from interned instruction name to 1 + its index */
	SR_VEC(int) parameters; /* indices of the parameter instructions in the order of parameter numbers */
	int root;             /* index of the root instruction */
	bool is_being_emitted;          /* true while the computation is being emitted, to detect recursion */
	struct sr_op *function; /* function created for calls; NULL: none yet */
};

struct sr_hlo_frame { /* state of one emission of a computation */
	const struct sr_hlo_computation *computation;
	struct sr_builder b;
	const sr_hlo_values *parameters; /* leaves of each parameter, by parameter number */
	sr_hlo_values *values;           /* leaves of each instruction, by index */
};

typedef SR_VEC(struct sr_hlo_donation { /* a donated buffer: an element of an entry parameter whose buffer a result may reuse */
	sr_integers output; /* index path of the element in the entry's result */
	bool has_output;    /* true if `output` names the result; false: any result may reuse the buffer */
	int64_t parameter;
	sr_integers index;  /* index path of the element in the parameter */
	const char *position;
}) sr_hlo_donations;

struct sr_hlo {
	struct sr_parser p; /* parser that provides positions and messages; its tokens are not used */
	struct sr_context *ctx;
	struct sr_arena *arena;
	const char *at;        /* current position, never at whitespace or a comment */
	enum sr_status status; /* status to return on an error */
	const char *name;      /* name of the HLO module */
	struct sr_op *module;
	struct sr_map computations; /* map from interned name to sr_hlo_computation */
	struct sr_hlo_computation *entry, *last_computation; /* entry computation, NULL before it is read; computation added last */
	struct sr_hlo_opcode_state *opcodes;
	int64_t n_replicas, n_partitions; /* numbers of replicas and partitions; 0 if the module does not contain them */
	bool is_partitioned;      /* true if XLA's partitioner has run, so that shapes are those of one device */
	const struct sr_attr *frontend_attrs; /* frontend attributes of the module; NULL: none */
	const struct sr_hlo_shape *arguments, *results; /* shapes of entry_computation_layout; NULL: absent */
	const char *layout_text;
	sr_hlo_donations donations;
	struct sr_hlo_files *files;     /* tables of files and stack frames (hlo/loc.c) */
	SR_VEC(struct sr_hlo_final_loc { struct sr_op *op; const struct sr_attr *loc; }) final_locs;
	int64_t n_emitted; /* number of instructions emitted so far */
	struct sr_map computation_ids; /* for binary input: map from id (as a key) to interned name of a computation */
	sr_integers called_ids;            /* for binary input: ids of the computations that the instruction being read calls */
	const struct sr_hlo_computation *computation; /* for binary input: computation that is being read */
};

/* ---- hlo/cursor.c ---- */
void sr_hlo_skip(struct sr_hlo *h);                       /* Skip whitespace and comments. */
bool sr_hlo_is(const struct sr_hlo *h, const char *text); /* Return true if the next word or punctuation is `text`. */
bool sr_hlo_accept(struct sr_hlo *h, const char *text);
void sr_hlo_expect(struct sr_hlo *h, const char *text);
_Noreturn void sr_hlo_expected(struct sr_hlo *h, const char *expected);
/* Report an unsupported construct and fail with SR_UNSUPPORTED. */
_Noreturn void sr_hlo_unsupported(struct sr_hlo *h, const char *position, const char *format,
				  ...) __attribute__((format(printf, 3, 4)));
bool sr_hlo_is_digit(const struct sr_hlo *h);             /* Return true if a number, possibly with a sign, is next. */
const char *sr_hlo_word(struct sr_hlo *h,
			const char *expected); /* Read a word of letters, digits and the characters ._-$; interned. */
const char *sr_hlo_name(struct sr_hlo *h, const char *expected); /* Read a word with or without a leading %; interned. */
int64_t sr_hlo_integer(struct sr_hlo *h);
int64_t sr_hlo_count(struct sr_hlo *h, const char *expected); /* Read an integer that is not negative. */
bool sr_hlo_bool(struct sr_hlo *h);
const char *sr_hlo_string(struct sr_hlo *h);              /* Read a quoted string; unescaped and interned. */
const char *sr_hlo_balanced(struct sr_hlo *h);            /* Read balanced {...} without its comments; interned. */
void sr_hlo_integers(struct sr_hlo *h, sr_integers *out); /* Read integers in braces: {1,2}. */

/* ---- hlo/shape.c ---- */
struct sr_hlo_primitive { /* an element type in HLO text and in protos */
	const char *name;
	enum sr_dtype type;
	int primitive_type; /* number in the enum xla.PrimitiveType */
	int literal_field;  /* number of the field of xla.LiteralProto that has the elements */
	bool is_varint;	    /* true if literal_field has varints, false if it has the elements' bytes in little-endian order */
};
/* Return HLO's element type for `type`; NULL if HLO has none. */
const struct sr_hlo_primitive *sr_hlo_primitive_of(enum sr_dtype type);
/* Return the element type with this number; SR_DTYPE_NONE if there is none. */
enum sr_dtype sr_hlo_dtype_of_number(int64_t number);
/* Make the shape of an array, or of a token if `type` is SR_DTYPE_NONE. Dynamic extents are SR_DYNAMIC, with a bound in
 * `bounds`. */
struct sr_hlo_shape *sr_hlo_leaf_shape(struct sr_hlo *h, enum sr_dtype type, const sr_integers *extents, const sr_integers *bounds,
				       const char *position);
/* Set the layout of an array: its dimensions from minor to major; an empty list means none. */
void sr_hlo_set_layout(struct sr_hlo *h, struct sr_hlo_shape *shape, const sr_integers *order, const char *position);
const struct sr_hlo_shape *sr_hlo_tuple_shape(struct sr_hlo *h, const sr_hlo_shapes *elements, const char *position);
void sr_hlo_print_shape(const struct sr_hlo_shape *shape, struct sr_buf *out);
const struct sr_hlo_shape *sr_hlo_read_shape(struct sr_hlo *h);
bool sr_hlo_is_shape(const struct sr_hlo *h);             /* Return true if a shape is next: "f32[", "token[" or "(". */
const struct sr_hlo_shape *sr_hlo_leaf(const struct sr_hlo_shape *shape, int i); /* Return the i-th leaf of the shape. */
void sr_hlo_leaf_types(struct sr_hlo *h, const struct sr_hlo_shape *shape, sr_types *out); /* Append the types of all leaves. */
/* Return the subshape at an index path, or NULL if there is none; *first_leaf: number of its first leaf. */
const struct sr_hlo_shape *sr_hlo_subshape(const struct sr_hlo_shape *shape, const int64_t *path, size_t n, int *first_leaf);
/* Return the dimensions in major-to-minor order; length: rank. *is_row_major: true if that is row-major order when dimensions of
 * extent 1 are ignored. */
const int64_t *sr_hlo_major_to_minor(struct sr_hlo *h, const struct sr_hlo_shape *leaf, bool *is_row_major);

/* ---- hlo/literal.c ---- */
/* Append an attribute for each leaf of the literal's shape. */
void sr_hlo_literal(struct sr_hlo *h, const struct sr_hlo_shape *shape, sr_attrs *out);

/* ---- hlo/attr.c, hlo/hlo_groups.c, hlo/hlo_window.c ---- */
void sr_hlo_skip_value(struct sr_hlo *h); /* Skip the value of an ignored attribute: a word, number, string or {...}. */
void sr_hlo_add_attr(struct sr_hlo_attr_value *v, const char *target, const struct sr_attr *attr);
const struct sr_attr *sr_hlo_frontend(struct sr_hlo *h);  /* Read {name="text",name={...}} as a DICT of strings. */
/* Return true if the instruction's op has this attribute. */
bool sr_hlo_has_attr(const struct sr_hlo_attr_value *v, const char *name);
/* Return the value of replica_groups={}: one group of all devices, counted according to the op's other attributes. */
const struct sr_attr *sr_hlo_group_of_all_devices(struct sr_hlo *h, const struct sr_hlo_instruction *in);
void sr_hlo_read_groups(struct sr_hlo *h, struct sr_hlo_attr_value *v);
void sr_hlo_read_pairs(struct sr_hlo *h, struct sr_hlo_attr_value *v);
void sr_hlo_read_window(struct sr_hlo *h, struct sr_hlo_attr_value *v);
void sr_hlo_read_slices(struct sr_hlo *h, struct sr_hlo_attr_value *v);
void sr_hlo_read_padding(struct sr_hlo *h, struct sr_hlo_attr_value *v);
void sr_hlo_read_labels(struct sr_hlo *h, struct sr_hlo_attr_value *v);

/* ---- hlo/loc.c ---- */
/* Number of fields of a row of FileLocations (file, line, column) or StackFrames (location, parent). */
enum { SR_HLO_N_ROW_FIELDS = 5 };
/* Add a row to a table: FileNames (0), FunctionNames (1), FileLocations (2) or StackFrames (3). Rows of the first two have a text,
 * the others numbers. */
void sr_hlo_add_row(struct sr_hlo *h, int table, int64_t id, const char *text, const int64_t values[SR_HLO_N_ROW_FIELDS]);
/* Read the table FileNames, FunctionNames, FileLocations or StackFrames if one is next; return false otherwise. */
bool sr_hlo_read_stack_frame_table(struct sr_hlo *h);
void sr_hlo_read_metadata(struct sr_hlo *h, struct sr_hlo_attr_value *v);
const struct sr_attr *sr_hlo_text_loc(struct sr_hlo *h,
				      const char *position); /* Return the location of `position` in the HLO text. */

/* ---- hlo/read.c ---- */
void sr_hlo_read_computation(struct sr_hlo *h);

/* ---- hlo/computation.c ---- */
/* Set the opcode and the phase of an instruction, whose shape is known, from an opcode's name. */
void sr_hlo_set_opcode(struct sr_hlo *h, struct sr_hlo_instruction *in, const char *name);
/* Register `in` as parameter `number` of the computation. The caller must then append `in` to the computation's instructions. */
void sr_hlo_add_parameter(struct sr_hlo *h, struct sr_hlo_computation *c, struct sr_hlo_instruction *in, int64_t number,
			  const char *position);
/* Read the value of an attribute at the current position of the HLO text. */
void sr_hlo_read_value(struct sr_hlo *h, struct sr_hlo_instruction *in, const struct sr_hlo_attr_slot *slot, const char *position);
/* Set an attribute to the value that `text` has in the syntax of HLO text; n: length, bytes. */
void sr_hlo_set_attr(struct sr_hlo *h, struct sr_hlo_instruction *in, const struct sr_hlo_attr_slot *slot, const char *text,
		     size_t n);
/* Set attributes that are absent to their defaults. Fails if an absent attribute is required and has no default. */
void sr_hlo_set_defaults(struct sr_hlo *h, struct sr_hlo_instruction *in);
/* Add a computation, whose instructions are complete, to the module. */
void sr_hlo_add_computation(struct sr_hlo *h, struct sr_hlo_computation *c, const char *position, bool is_entry);
/* Return the computation of this name; fails if there is none. */
struct sr_hlo_computation *sr_hlo_find_computation(struct sr_hlo *h, const char *name, const char *position);
/* Return an attribute of the instruction; NULL if it is absent. */
const struct sr_hlo_attr_value *sr_hlo_find_attr(const struct sr_hlo_instruction *in, const char *name);

/* ---- hlo/emit.c ---- */
/* Emit a computation at the builder's insertion point with `parameters` [n] as its parameters. Set *out to the root's leaves. */
void sr_hlo_inline(struct sr_hlo *h, const struct sr_builder *b, struct sr_hlo_computation *c, const char *position,
		   const sr_hlo_values *parameters, size_t n, sr_hlo_values *out);
/* Return the function of a computation, emitted on first use. */
struct sr_op *sr_hlo_emit_function(struct sr_hlo *h, struct sr_hlo_computation *c, const char *position);
/* Emit a computation into a new block of `region`. Its parameters are `captured_values` [n], which are defined outside, or block
 * arguments if `captured_values` is NULL. */
void sr_hlo_emit_region(struct sr_hlo *h, struct sr_region *region, const char *name, const char *position,
			const sr_hlo_values *captured_values,
			size_t n);
/* Append the attributes of the instruction's op, and `extra_attrs`. */
void sr_hlo_attrs(struct sr_hlo *h, const struct sr_hlo_instruction *in, const struct sr_named_attr *extra_attrs, int n_extra_attrs,
		  sr_named_attrs *out);
/* Create an op with the attributes and regions of an instruction. */
struct sr_op *sr_hlo_emit_op(struct sr_hlo *h, struct sr_hlo_frame *f, const struct sr_hlo_instruction *in, enum sr_op_code code,
			     const sr_hlo_values *operands, const sr_types *types, const struct sr_named_attr *extra_attrs,
			     int n_extra_attrs);
/* Append the results of the op to `out`. */
void sr_hlo_append_results(struct sr_hlo *h, struct sr_op *op, sr_hlo_values *out);
/* Return the leaves of operand i. */
static inline const sr_hlo_values *sr_hlo_operand(const struct sr_hlo_frame *f, const struct sr_hlo_instruction *in, size_t i)
{
	return &f->values[in->operands.data[i]];
}
/* Fail unless there are exactly n operands (is_exact) or at least n operands (otherwise). */
void sr_hlo_check_operand_count(struct sr_hlo *h, const struct sr_hlo_instruction *in, size_t n, bool is_exact);

/* ---- hlo/proto_value.c ---- */
_Noreturn void sr_hlo_malformed(struct sr_hlo *h); /* Fail because the protobuf message is malformed. */
/* Read the next field of a message like sr_proto_next; fails if the message is malformed. */
bool sr_hlo_next_field(struct sr_hlo *h, struct sr_proto *m, struct sr_proto_field *f);
/* Read a list of integers like sr_proto_integers; fails if it is malformed. */
void sr_hlo_field_integers(struct sr_hlo *h, const struct sr_proto_field *f, sr_integers *out);
const struct sr_hlo_shape *sr_hlo_proto_shape(struct sr_hlo *h, struct sr_proto m); /* Read xla.ShapeProto. */
/* Read xla.LiteralProto and append one constant per leaf. */
void sr_hlo_proto_literal(struct sr_hlo *h, struct sr_proto m, const struct sr_hlo_shape *shape, sr_attrs *out);

/* ---- hlo/proto_attr.c ---- */
struct sr_hlo_field;
/* Append the value of an attribute in the syntax of HLO text. `m`: the message that holds field `number`. Returns false if the
 * attribute is absent; the caller then ignores the appended text. */
typedef bool sr_hlo_print_field(struct sr_hlo *h, const struct sr_hlo_field *row, struct sr_proto m, uint32_t number,
				const struct sr_hlo_instruction *in, struct sr_buf *out);
struct sr_hlo_field { /* row for an attribute of HLO text that is a field of xla.HloInstructionProto */
	const char *attribute;
	const char *opcode; /* opcode to which the row applies; NULL: all others */
	uint8_t path[3];    /* path of field numbers from the instruction inwards; 0 ends it */
	sr_hlo_print_field *print;
	const char *const *words; /* names of an enumeration's values, ended by NULL; "" for a value that means absent */
	const char *default_text; /* value if the field is absent but the attribute is required; NULL: the default of ops.def */
};
/* Set the attributes of an instruction whose shape, opcode and operands are set. */
void sr_hlo_proto_attrs(struct sr_hlo *h, struct sr_hlo_instruction *in, struct sr_proto m);

/* Return true if an attribute of an opcode is a field of xla.HloInstructionProto. */
bool sr_hlo_has_field(const char *attribute, const char *opcode);

/* ---- hlo/proto_field.c ---- */
void sr_hlo_print_string(const void *bytes, size_t n, struct sr_buf *out); /* Append a string in quotes, with escapes. */
void sr_hlo_print_integers(const sr_integers *list, struct sr_buf *out);   /* Append the integers in braces: {1,2}. */
sr_hlo_print_field sr_hlo_print_metadata, sr_hlo_print_sharding, sr_hlo_print_frontend, sr_hlo_print_window, sr_hlo_print_labels,
	sr_hlo_print_padding, sr_hlo_print_slices, sr_hlo_print_groups, sr_hlo_print_pairs, sr_hlo_print_aliases, sr_hlo_print_layouts;

/* ---- hlo/proto.c ---- */
/* Return true if the bytes begin like a HloModuleProto, or like a message that contains one. */
bool sr_is_hlo_proto(const char *bytes, size_t n);
enum sr_status sr_parse_hlo_proto(struct sr_context *ctx, const char *file, const char *bytes, size_t n, struct sr_op **module);
/* Return the name of the computation with this id; NULL if there is none. */
const char *sr_hlo_computation_name(const struct sr_hlo *h, int64_t id);
/* Return the shape of operand i of the instruction that is being read. */
const struct sr_hlo_shape *sr_hlo_operand_shape(const struct sr_hlo *h, const struct sr_hlo_instruction *in, size_t i);

/* ---- hlo.c ---- */
bool sr_is_hlo(const char *text, size_t n); /* Return true if the text starts with HloModule after whitespace and comments. */
enum sr_status sr_parse_hlo(struct sr_context *ctx, const char *file, const char *text, size_t n, int line_offset,
			    struct sr_op **module);
struct sr_hlo *sr_hlo_new(struct sr_context *ctx, const char *file, const char *text, size_t n, int line_offset);
/* Emit and verify the module whose computations have been read. */
enum sr_status sr_hlo_emit_module(struct sr_hlo *h, struct sr_op **module);
int64_t sr_hlo_check_device_count(struct sr_hlo *h, int64_t n,
				  const char *position); /* Fail unless n is positive and fits an i32. */

#endif
