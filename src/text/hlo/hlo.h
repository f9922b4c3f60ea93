/* HLO text, as XLA and PyTorch/XLA print it, into a module of StableHLO. Private to the text room.
 *
 * Two steps. Reading (hlo/read.c and what it calls) takes the text to computations: lists of instructions with shapes, operands and
 * attributes, each attribute converted as its row of hlo/ops.def says. Emission (hlo/emit.c, hlo/special_opcodes.c) starts at the entry
 * computation: computations that are called become functions, all others are written where they are used: fusions into the block,
 * the bodies of reductions and loops into regions.
 *
 * A value of HLO is a list of leaves: the tensors and tokens of its shape from left to right. So tuples never reach the IR: a tuple
 * joins lists, get-tuple-element takes a part of one, a loop over a tuple is a loop over its leaves.
 * Values are logical. A layout says how XLA holds a value in memory; only a bitcast depends on it, and becomes the reshape and the
 * transposes that it means.
 *
 * A mistake ends the reading: sr_parser_fail reports it and unwinds to sr_parse_hlo. */
#ifndef SR_TEXT_HLO_H
#define SR_TEXT_HLO_H

#include "text/mlir/parse/parser.h"

enum { SR_HLO_MAX_ADDED = 7 }; /* attributes that one attribute of HLO becomes, at most */

struct sr_hlo;
struct sr_hlo_computation;
struct sr_hlo_instruction;
struct sr_hlo_attr_value;
struct sr_hlo_frame;

typedef SR_VEC(struct sr_value *) sr_hlo_values;

struct sr_hlo_shape {
	const struct sr_type *type;    /* of a leaf; NULL: a tuple */
	const int64_t *minor_to_major; /* of a leaf, [type->rank]; NULL: row-major */
	const struct sr_hlo_shape *const *elements; /* of a tuple */
	int n;
	int n_leaves;
};
typedef SR_VEC(const struct sr_hlo_shape *) sr_hlo_shapes;

/* ---------------------------------------------------------------- opcodes: hlo/ops.c, hlo/ops.def */

/* One attribute of an opcode, from the notation in hlo/ops.def. */
struct sr_hlo_attr_slot {
	const char *name;   /* in HLO text */
	const char *target; /* in StableHLO: an attribute, or a field of a structure (attribute.field) */
	const struct sr_hlo_attr_kind *kind;
	bool optional;
	const char *initial; /* what it is read from where it is left out; NULL: nothing */
};

/* How an attribute is written in HLO text and what it becomes. */
enum sr_hlo_attr_role {
	SR_HLO_TARGET, /* the attribute that its slot names */
	SR_HLO_REGION, /* the computation that it names becomes a region of the op */
	SR_HLO_FUNCTIONS, /* those that it names become functions, and the op's called_computations */
	SR_HLO_OTHER   /* several attributes, or what a builder makes of it, or nothing */
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
	enum sr_op_code code; /* of the op that it becomes; SR_OP_UNREGISTERED: none */
	const char *notation; /* attributes; of a refused opcode why it is refused */
};

struct sr_hlo_opcode_state { /* the notation of an opcode, compiled when it is first met */
	const struct sr_signature *signature; /* of its op; NULL: none */
	const struct sr_hlo_attr_slot *slots;
	int n_slots;
	bool compiled;
};

#define HLO_NO_OP(opcode, builder, attributes) sr_hlo_build sr_hlo_build_##builder;
#define HLO(opcode, builder, op, attributes) HLO_NO_OP(opcode, builder, attributes)
#include "text/hlo/ops.def"

const struct sr_hlo_opcode *sr_hlo_opcode_find(const char *name, size_t n); /* NULL */
const struct sr_hlo_opcode_state *sr_hlo_opcode_state_of(struct sr_hlo *h, const struct sr_hlo_opcode *opcode);
const struct sr_hlo_attr_kind *sr_hlo_attr_kind_find(const char *name); /* hlo/attr.c; NULL */

/* ---------------------------------------------------------------- computations */

struct sr_hlo_attr_value { /* an attribute as read */
	const struct sr_hlo_attr_slot *slot;
	const struct sr_signature *signature; /* of the instruction's op; NULL: none */
	struct sr_hlo_instruction *in;        /* while it is read */
	const char *where;
	int64_t i;                    /* of numbers */
	SR_VEC(const char *) names;   /* of computations; of a word or text the only one. Interned */
	struct sr_named_attr added[SR_HLO_MAX_ADDED]; /* what it becomes; a NULL value is left out */
	int n_added;
};

enum sr_hlo_phase { SR_HLO_SYNC, SR_HLO_START, SR_HLO_UPDATE, SR_HLO_DONE }; /* of an asynchronous pair */

struct sr_hlo_instruction {
	const char *name, *where;
	const struct sr_hlo_opcode *opcode;
	enum sr_hlo_phase phase;
	const struct sr_hlo_shape *shape; /* of the result; of a start what its done gives */
	SR_VEC(int) operands;             /* instructions of the same computation */
	SR_VEC(struct sr_hlo_attr_value) values;
	int64_t number;                   /* of a parameter */
	sr_attrs constants;               /* of a constant: its leaves */
	const struct sr_attr *loc;        /* of its metadata; NULL: none */
	const char *sharding;             /* {...} as text; NULL: none */
	const struct sr_attr *frontend;   /* DICT; NULL: none */
	const char *op_name;
};

struct sr_hlo_computation {
	const char *name, *where;
	SR_VEC(struct sr_hlo_instruction) instructions;
	struct sr_map names;  /* interned name -> 1 + index */
	SR_VEC(int) parameters; /* instructions, by number */
	int root;             /* index */
	bool active;          /* being emitted: calling it now would not end */
	struct sr_op *function; /* made for its calls */
};

struct sr_hlo_frame { /* one emission of a computation */
	const struct sr_hlo_computation *computation;
	struct sr_builder b;
	const sr_hlo_values *parameters; /* by number */
	sr_hlo_values *values;           /* by instruction */
};

typedef SR_VEC(struct sr_hlo_donation { /* of the entry: a part of an argument whose memory a result may take */
	sr_integers output; /* which part of the result */
	bool has_output;    /* else any */
	int64_t parameter;
	sr_integers index;  /* which part of the parameter */
	const char *where;
}) sr_hlo_donations;

struct sr_hlo {
	struct sr_parser p; /* for places and messages; it does not stand on tokens here */
	struct sr_context *ctx;
	struct sr_arena *arena;
	const char *at;        /* never on a blank or a comment */
	enum sr_status status; /* of a reading that ends early */
	const char *name;      /* of the module */
	struct sr_op *module;
	struct sr_map computations; /* interned name -> sr_hlo_computation */
	struct sr_hlo_computation *entry, *last;
	struct sr_hlo_opcode_state *opcodes;
	int64_t n_replicas, n_partitions; /* 0: not said */
	bool partitioned;      /* it has been through XLA's partitioner: its shapes are one device's */
	const struct sr_attr *frontend; /* of the module; NULL: none */
	const struct sr_hlo_shape *arguments, *results; /* entry_computation_layout; NULL: not given */
	const char *layout_where;
	sr_hlo_donations donations;
	struct sr_hlo_files *files;     /* hlo/loc.c */
	SR_VEC(struct sr_hlo_located { struct sr_op *op; const struct sr_attr *loc; }) located;
	int64_t n_emitted;
};

/* ---- hlo/cursor.c ---- */
void sr_hlo_skip(struct sr_hlo *h);                       /* blanks and comments */
bool sr_hlo_is(const struct sr_hlo *h, const char *text); /* a word or a mark, as a whole */
bool sr_hlo_accept(struct sr_hlo *h, const char *text);
void sr_hlo_expect(struct sr_hlo *h, const char *text);
_Noreturn void sr_hlo_expected(struct sr_hlo *h, const char *what);
/* Report what cannot be run here and end the reading: SR_UNSUPPORTED. */
_Noreturn void sr_hlo_unsupported(struct sr_hlo *h, const char *where, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool sr_hlo_is_digit(const struct sr_hlo *h);             /* a number, perhaps with a sign, is next */
const char *sr_hlo_word(struct sr_hlo *h, const char *what); /* letters, digits and ._-; interned */
const char *sr_hlo_name(struct sr_hlo *h, const char *what); /* the same, with or without a leading % */
int64_t sr_hlo_integer(struct sr_hlo *h);
int64_t sr_hlo_count(struct sr_hlo *h, const char *what); /* not negative */
bool sr_hlo_bool(struct sr_hlo *h);
const char *sr_hlo_string(struct sr_hlo *h);              /* "...", unescaped and interned */
const char *sr_hlo_balanced(struct sr_hlo *h);            /* {...} as it is but for comments; interned */
void sr_hlo_integers(struct sr_hlo *h, sr_integers *out); /* {1,2} */

/* ---- hlo/shape.c ---- */
const struct sr_hlo_shape *sr_hlo_read_shape(struct sr_hlo *h);
bool sr_hlo_is_shape(const struct sr_hlo *h);             /* f32[, token[ or ( is next */
const struct sr_hlo_shape *sr_hlo_leaf(const struct sr_hlo_shape *shape, int i); /* the i-th leaf */
void sr_hlo_leaf_types(struct sr_hlo *h, const struct sr_hlo_shape *shape, sr_types *out); /* appended */
/* The part of a tuple at a path, and its first leaf; NULL where there is none. */
const struct sr_hlo_shape *sr_hlo_subshape(const struct sr_hlo_shape *shape, const int64_t *path, size_t n, int *first);
/* Dimensions from the major to the minor one in memory, [rank]; those of extent 1 do not count for *row_major. */
const int64_t *sr_hlo_major_to_minor(struct sr_hlo *h, const struct sr_hlo_shape *leaf, bool *row_major);

/* ---- hlo/literal.c ---- */
void sr_hlo_literal(struct sr_hlo *h, const struct sr_hlo_shape *shape, sr_attrs *out); /* a constant per leaf */

/* ---- hlo/attr.c, hlo/hlo_groups.c, hlo/hlo_window.c ---- */
void sr_hlo_skip_value(struct sr_hlo *h); /* of an attribute that says nothing here: a word, a number, a string, {...} */
void sr_hlo_add_attr(struct sr_hlo_attr_value *v, const char *target, const struct sr_attr *attr);
const struct sr_attr *sr_hlo_frontend(struct sr_hlo *h);  /* {name="text",name={...}}: DICT */
bool sr_hlo_has_attr(const struct sr_hlo_attr_value *v, const char *name); /* does the instruction's op have such an attribute */
const struct sr_attr *sr_hlo_layouts(struct sr_hlo *h, const sr_hlo_shapes *shapes); /* of all leaves: [dense<[1, 0]>, ...] */
/* What replica_groups={} stands for: one group of all, counted as the op's other attributes say. */
const struct sr_attr *sr_hlo_group_of_all_devices(struct sr_hlo *h, const struct sr_hlo_instruction *in);
void sr_hlo_read_groups(struct sr_hlo *h, struct sr_hlo_attr_value *v);
void sr_hlo_read_pairs(struct sr_hlo *h, struct sr_hlo_attr_value *v);
void sr_hlo_read_window(struct sr_hlo *h, struct sr_hlo_attr_value *v);
void sr_hlo_read_slices(struct sr_hlo *h, struct sr_hlo_attr_value *v);
void sr_hlo_read_padding(struct sr_hlo *h, struct sr_hlo_attr_value *v);
void sr_hlo_read_labels(struct sr_hlo *h, struct sr_hlo_attr_value *v);

/* ---- hlo/loc.c ---- */
bool sr_hlo_read_stack_frame_table(struct sr_hlo *h); /* FileNames, FunctionNames, FileLocations, StackFrames: one of them, if it is next */
void sr_hlo_read_metadata(struct sr_hlo *h, struct sr_hlo_attr_value *v);
const struct sr_attr *sr_hlo_text_loc(struct sr_hlo *h, const char *where); /* a location in the HLO text */

/* ---- hlo/read.c ---- */
void sr_hlo_read_computation(struct sr_hlo *h);
/* Fails where there is none. */
struct sr_hlo_computation *sr_hlo_find_computation(struct sr_hlo *h, const char *name, const char *where);
const struct sr_hlo_attr_value *sr_hlo_find_attr(const struct sr_hlo_instruction *in, const char *name); /* an attribute; NULL: not given */

/* ---- hlo/emit.c ---- */
/* Write a computation at the builder's place, with these leaves as its parameters; its root's leaves. */
void sr_hlo_inline(struct sr_hlo *h, const struct sr_builder *b, struct sr_hlo_computation *c, const char *where,
		   const sr_hlo_values *parameters, size_t n, sr_hlo_values *out);
/* The function of a computation, made when it is first asked for. */
struct sr_op *sr_hlo_emit_function(struct sr_hlo *h, struct sr_hlo_computation *c, const char *where);
/* A region that holds a computation. Its parameters are the block's arguments, or `captured` [n] where that is not NULL. */
void sr_hlo_emit_region(struct sr_hlo *h, struct sr_region *region, const char *name, const char *where, const sr_hlo_values *captured,
		   size_t n);
/* The attributes that an instruction gives its op, and these in addition. */
void sr_hlo_attrs(struct sr_hlo *h, const struct sr_hlo_instruction *in, const struct sr_named_attr *more, int n_more,
		  sr_named_attrs *out);
/* An op with the attributes and regions of an instruction. */
struct sr_op *sr_hlo_emit_op(struct sr_hlo *h, struct sr_hlo_frame *f, const struct sr_hlo_instruction *in, enum sr_op_code code,
			const sr_hlo_values *operands, const sr_types *types, const struct sr_named_attr *more, int n_more);
/* Results of an op, appended. */
void sr_hlo_append_results(struct sr_hlo *h, struct sr_op *op, sr_hlo_values *out);
/* The leaves of one operand. */
static inline const sr_hlo_values *sr_hlo_operand(const struct sr_hlo_frame *f, const struct sr_hlo_instruction *in, size_t i)
{
	return &f->values[in->operands.data[i]];
}
/* Fails unless there are n operands, or at least so many. */
void sr_hlo_check_operand_count(struct sr_hlo *h, const struct sr_hlo_instruction *in, size_t n, bool exactly);
/* "{{a}, {b}}" of a tuple into one for each leaf; one sharding stands for all. NULL where it has another number of parts. */
const char **sr_hlo_shardings(struct sr_hlo *h, const char *text, int n);

/* ---- hlo.c ---- */
bool sr_is_hlo(const char *text, size_t n); /* it begins with HloModule, behind blanks and comments */
enum sr_status sr_parse_hlo(struct sr_context *ctx, const char *file, const char *text, size_t n, int line_offset,
			    struct sr_op **module);

#endif
