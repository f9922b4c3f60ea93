/* Internals of the HLO text reader, which converts text as printed by XLA and PyTorch/XLA to StableHLO. Private to src/text.
 *
 * Reading (hlo/read.c and the files it uses) parses the text to computations: lists of instructions with shapes, operands and
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
/* Read one of FileNames, FunctionNames, FileLocations, StackFrames if it is next. */
bool sr_hlo_read_stack_frame_table(struct sr_hlo *h);
void sr_hlo_read_metadata(struct sr_hlo *h, struct sr_hlo_attr_value *v);
const struct sr_attr *sr_hlo_text_loc(struct sr_hlo *h, const char *where); /* Return the location of `where` in the HLO text. */

/* ---- hlo/read.c ---- */
void sr_hlo_read_computation(struct sr_hlo *h);
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

/* ---- hlo.c ---- */
bool sr_is_hlo(const char *text, size_t n); /* Does the text start with HloModule after whitespace and comments? */
enum sr_status sr_parse_hlo(struct sr_context *ctx, const char *file, const char *text, size_t n, int line_offset,
			    struct sr_op **module);

#endif
