/* Internals of the MLIR parser: tokens, SSA name scopes and parsing functions. Private to src/text.
 *
 * On a syntax error, sr_parser_fail reports it and unwinds (longjmp) to sr_parse, which returns SR_INVALID. The functions below
 * therefore return the value parsed, never a status. All memory is from the context's arena. The current token is p->kind with
 * the text p->tok[0..p->len). The kind of a one-character token is that character. */
#ifndef SR_TEXT_PARSER_H
#define SR_TEXT_PARSER_H

#include "dialect/ops.h"
#include "dialect/signature.h"
#include "support/integers.h"
#include "support/vec.h"
#include "text/text.h"
#include <setjmp.h>

enum sr_token {
	SR_TOK_END = 0,
	SR_TOK_BARE = 256, /* bare word: stablehlo.add, tensor */
	SR_TOK_AT,         /* symbol name: @main, @"a b" */
	SR_TOK_HASH,       /* attribute alias or dialect attribute: #loc1, #sdy.sharding */
	SR_TOK_BANG,       /* type name: !stablehlo.token */
	SR_TOK_PERCENT,    /* %arg0 */
	SR_TOK_CARET,      /* block label: ^bb0 */
	SR_TOK_INT,        /* integer literal: 12, 0x1F */
	SR_TOK_FLOAT,      /* float literal: 1.5e+00 */
	SR_TOK_STRING,     /* string literal, including its quotes */
	SR_TOK_ARROW,      /* -> */
	SR_TOK_RESOURCES,  /* {-# */
	SR_TOK_RESOURCES_END /* #-} */
};

enum { SR_MAX_NESTING = 200 }; /* maximum nesting of regions, attributes and types together */

struct sr_ssa_name { /* an SSA name in the text, not yet resolved */
	const char *name; /* the name, interned, without the % */
	int index;        /* number of the result: 1 in %name#1; 0 if the name has no number */
	const char *position;
};
typedef SR_VEC(struct sr_ssa_name) sr_ssa_names;
typedef SR_VEC(const struct sr_type *) sr_types;
typedef SR_VEC(const struct sr_attr *) sr_attrs;
typedef SR_VEC(struct sr_named_attr) sr_named_attrs;

struct sr_argument { /* an argument of a region's entry block */
	struct sr_ssa_name name;
	const struct sr_type *type;
	const struct sr_attr *loc;   /* location; NULL: its position in the text */
	const char *loc_alias;       /* name of an unresolved loc(#name); NULL: none */
	const struct sr_attr *attrs; /* attributes of a function argument, a DICT; NULL: none */
};
typedef SR_VEC(struct sr_argument) sr_arguments;

/* State of an op being parsed, filled by forms and custom parsers; parse_op.c creates the op from it. */
enum { SR_MAX_SLOTS = 12 };
struct sr_op_state {
	const struct sr_op_info *info;
	const char *position;	       /* position of the op's name in the text */
	const char *loc_position;      /* position that becomes the op's location; NULL: `position` */
	const char *operands_position; /* position of the first operand, for messages; NULL: not yet known */
	sr_ssa_names operands;	     /* all operands in one list, as the form has them or concatenated from `operand_groups` */
	sr_ssa_names operand_groups[SR_MAX_SLOTS]; /* operands by slot of the op's signature */
	bool has_groups; /* true if operands are in `operand_groups` */
	sr_types group_types[SR_MAX_SLOTS];
	sr_types operand_types;    /* types of all operands; if empty, group_types are used */
	bool has_operand_types;
	sr_types results;
	sr_named_attrs attrs;
	const char *const *inherent_names; /* names of the attributes given in <{}> of an unregistered op */
	int n_inherent_names;
	SR_VEC(struct sr_region *) regions;
};

struct sr_ssa_def { /* definition of an SSA name */
	/* op whose results first .. first + n - 1 have the name; NULL: it is the name of the block argument `arg` */
	struct sr_op *op;
	int first, n;
	struct sr_value *arg;
	const char *position;
	struct sr_forward_use *forward_uses; /* uses of the name before its definition */
};
struct sr_forward_use {
	struct sr_value *value; /* placeholder value until the definition is parsed */
	int index;
	const char *position;
	struct sr_forward_use *next;
};
struct sr_scope { /* scope of the regions of an isolated op */
	struct sr_scope *outer_scope; /* enclosing scope; NULL: none */
	struct sr_map names; /* map from interned name to sr_ssa_def */
	SR_VEC(struct sr_ssa_def *) defined; /* names in the order of their definition; a region removes its own names at its end */
};

/* Stack of constructs being parsed. A syntax error adds a follow-up message for each, innermost first, as upstream does. */
struct sr_parse_context {
	/* follow-up message, such as "failed to parse Sdy_TensorSharding parameter 'dim_shardings' ..."; NULL: it is derived from
	 * `def` */
	const char *failure_note;
	const struct sr_attr_def *def; /* attribute being parsed; NULL: none */
	struct sr_parse_context *outer_scope;
};

struct sr_deferred_loc { /* an op or argument whose location loc(#name) is not yet resolved */
	const struct sr_attr **loc;
	const char *name, *position;
};

struct sr_alias { /* definition of an alias #name or !name (parse_alias.c) */
	const void *target;
	int depth;      /* maximum nesting of attributes and types in the alias */
	int64_t expanded_size; /* number of attributes and types when the alias is expanded without sharing */
};

struct sr_loc_value_name { /* the name of a value, without the %, and the location that is to be wrapped in the name */
	const struct sr_attr **loc;
	const char *name;
};

struct sr_parser {
	struct sr_context *ctx;
	struct sr_arena *arena;
	struct sr_arena *scratch; /* temporary memory, reset after each op */
	const char *file; /* file name, interned */
	const char *text, *end, *at; /* beginning and end of the text; position after the current token */
	const char **line_starts;          /* address of each line's first character */
	size_t n_lines;
	int line_offset; /* number of lines of the file before `text` */
	int kind;	 /* kind of the current token: enum sr_token or a character */
	const char *tok; /* first character of the current token */
	size_t len;	 /* length of the current token, bytes */
	int depth;	 /* nesting depth of regions, attributes and types at the current token */
	const char *dialect; /* default dialect, whose prefix op names may omit */
	const char *form_op; /* op whose custom form is being parsed, as a prefix of messages; NULL: none */
	const char *subject; /* for binary input: subject of messages, as their prefix, since they have no line; NULL for text */
	int form_depth;      /* nesting depth where `form_op` begins; messages from deeper constructs have no prefix */
	struct sr_parse_context *current_context;
	bool had_error; /* true if an error was reported and parsing continued */
	struct sr_map attr_aliases, type_aliases; /* maps from interned name, without # or !, to struct sr_alias */
	int64_t expanded_size; /* expanded size of the module's ops, or of the alias being defined */
	int max_depth;    /* maximum nesting in the alias being defined */
	struct sr_map resources; /* map from interned key to the bytes in the resource section (resources.c) */
	bool has_read_resources; /* true if the resource section has been searched for and parsed */
	struct sr_scope *scope;
	SR_VEC(struct sr_deferred_loc) deferred;
	SR_VEC(struct sr_loc_value_name) loc_names; /* value names to store in locations, if ctx->keep_names is set */
	jmp_buf error_jump;
};

/* ---- lexer.c ---- */
void sr_parser_init(struct sr_parser *p, struct sr_context *ctx, const char *file, const char *text, size_t n, int line_offset);
void sr_parser_next(struct sr_parser *p);            /* Advance to the next token. */
void sr_parser_restart(struct sr_parser *p, const char *at); /* Continue at the token that starts at `at`. */
struct sr_src_loc sr_parser_src_loc(struct sr_parser *p, const char *position);
_Noreturn void sr_parser_fail(struct sr_parser *p, const char *position, const char *format,
			      ...) __attribute__((format(printf, 3, 4)));
/* Report an error and return, so that parsing continues. */
void sr_parser_report(struct sr_parser *p, const char *position, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Fail with "expected <expected>, found ..." at the current token. */
_Noreturn void sr_parser_expected(struct sr_parser *p, const char *expected);
static inline void sr_parser_push_context(struct sr_parser *p, struct sr_parse_context *r, const char *failure)
{
	*r = (struct sr_parse_context){failure, NULL, p->current_context};
	p->current_context = r;
}
static inline void sr_parser_pop_context(struct sr_parser *p)
{
	p->current_context = p->current_context->outer_scope;
}
static inline bool sr_parser_is(const struct sr_parser *p, int kind)
{
	return p->kind == kind;
}
bool sr_parser_is_word(const struct sr_parser *p, const char *word); /* Return true if the current token is this bare word. */
bool sr_parser_accept(struct sr_parser *p, int kind); /* If the current token is of this kind, consume it and return true. */
bool sr_parser_accept_word(struct sr_parser *p, const char *word);
void sr_parser_expect(struct sr_parser *p, int kind);
void sr_parser_expect_word(struct sr_parser *p, const char *word);
void sr_parser_enter(struct sr_parser *p); /* Enter a nesting level; fails beyond SR_MAX_NESTING. */
void sr_parser_leave(struct sr_parser *p);
const char *sr_parser_word(struct sr_parser *p, const char *expected);   /* Parse a bare word; interned. */
const char *sr_parser_string(struct sr_parser *p);                   /* Parse a quoted string; unescaped and interned. */
const char *sr_parser_symbol(struct sr_parser *p);                   /* Parse @name; interned without the @. */
const char *sr_parser_attr_name(struct sr_parser *p);                /* Parse a bare word or string. */
int64_t sr_parser_integer(struct sr_parser *p);                      /* Parse an integer with an optional sign. */
void sr_parser_integers(struct sr_parser *p, sr_integers *out);      /* Parse a list of integers: [1, 2]. */

/* ---- parse_alias.c ---- */
void sr_parser_alias(struct sr_parser *p, bool is_type); /* Parse an alias definition: #name = attribute, !name = type. */
/* Return the attribute or type of an alias, or NULL if it is not defined. */
const void *sr_parser_use_alias(struct sr_parser *p, const struct sr_map *aliases, const char *name);
/* Return the location of an alias; NULL if it is not yet defined. */
const struct sr_attr *sr_parser_known_loc(const struct sr_parser *p, const char *name);
void sr_parser_resolve_locations(struct sr_parser *p); /* Resolve location aliases used before their definition. */

/* ---- parse_number.c: numbers are parsed before their type is known ---- */
struct sr_number {
	int kind; /* kind of token: SR_TOK_INT, SR_TOK_FLOAT, or SR_TOK_BARE for true and false */
	bool is_negative;
	const char *position, *tok; /* position in the text including the sign; position of the digits */
	size_t len;
};
void sr_parser_number(struct sr_parser *p, struct sr_number *out);
/* Return the bits of the number in this float type. */
uint64_t sr_parser_number_to_float(struct sr_parser *p, const struct sr_number *number, const struct sr_type *type);
/* Return the number as an integer of this type, extended to 64 bits. */
int64_t sr_parser_number_to_integer(struct sr_parser *p, const struct sr_number *number, const struct sr_type *type);
/* Store the number as an element of type `scalar` at `out`. */
void sr_parser_element(struct sr_parser *p, const struct sr_number *number, const struct sr_type *scalar, void *out);

/* ---- parse_type.c ---- */
const struct sr_type *sr_parser_type(struct sr_parser *p);
/* Parse a type if the token starts one; otherwise return NULL. */
const struct sr_type *sr_parser_optional_type(struct sr_parser *p);
void sr_parser_type_list(struct sr_parser *p, sr_types *out);        /* Parse types separated by commas. */
void sr_parser_function_types(struct sr_parser *p, sr_types *in, sr_types *out); /* Parse (a, b) -> c or (a, b) -> (c, d). */
/* Return the text from the bracket at the current token to the matching closing bracket, inclusive. */
const char *sr_parser_balanced(struct sr_parser *p);

/* ---- parse_attr.c, parse_dense.c, parse_dialect_attr.c ---- */
/* Parse an attribute. type: default type of numbers; NULL: none. */
const struct sr_attr *sr_parser_attr(struct sr_parser *p, const struct sr_type *type);
const struct sr_attr *sr_parser_dict(struct sr_parser *p);           /* Parse a dictionary: {a = 1, b}. */
void sr_parser_dict_into(struct sr_parser *p, sr_named_attrs *out);
void sr_parser_add_attr(struct sr_parser *p, sr_named_attrs *out, const char *name, const struct sr_attr *value,
			const char *position);
const struct sr_attr *sr_parser_dense(struct sr_parser *p, const struct sr_type *type);
/* Create a constant from hex digits: the little-endian bytes of all elements, or of one element for a splat. */
const struct sr_attr *sr_parser_hex(struct sr_parser *p, const char *position, const char *digits, size_t n,
				    const struct sr_type *type);
const struct sr_attr *sr_parser_dialect_attr(struct sr_parser *p);   /* Parse #dialect.name<...>. */
const struct sr_attr *sr_parser_enum(struct sr_parser *p, const struct sr_attr_def *def); /* Parse a bare enumerator. */
const struct sr_attr *sr_parser_struct(struct sr_parser *p, const struct sr_attr_def *def); /* Parse a structure's body: <...>. */
/* Return upstream's follow-up message for an error inside this attribute, or NULL. */
const char *sr_parser_failure_note(struct sr_parser *p, const struct sr_attr_def *def);
/* Return true if `a` is the field's default, which is not printed and is stored as NULL. */
bool sr_field_is_default(const struct sr_attr_slot *field, const struct sr_attr *a);
/* Parse an attribute in the short syntax of its slot's kind, as in forms and structures: 3, [1, 2], LT, "s", <...>. */
const struct sr_attr *sr_parser_attr_of_slot(struct sr_parser *p, const struct sr_attr_slot *slot);

/* ---- resources.c ---- */
/* Parse the rest of dense_resource<key> : type, after `dense_resource`. */
const struct sr_attr *sr_parser_resource(struct sr_parser *p);
void sr_parser_resources(struct sr_parser *p);                       /* Parse the resource section {-# ... #-}. */

/* ---- parse_conv.c ---- */
/* Parse convolution dimension numbers, e.g. [b, 0, f]x[0, i, o]->[b, 0, f]. */
const struct sr_attr *sr_parser_conv_dims(struct sr_parser *p, const struct sr_attr_def *def);

/* ---- parse_sdy.c ---- */
const struct sr_attr *sr_parser_mesh(struct sr_parser *p);           /* Parse <["x"=2]>. */
const struct sr_attr *sr_parser_sharding(struct sr_parser *p);       /* Parse <@mesh, [{"x"}, {}]>. */
const struct sr_attr *sr_parser_shardings(struct sr_parser *p);      /* Parse [<@mesh, [...]>, ...]. */
const struct sr_attr *sr_parser_axis(struct sr_parser *p);           /* Parse "x":(1)2 as a list of one axis. */
const struct sr_attr *sr_parser_axes(struct sr_parser *p);           /* Parse {"x", "y":(1)2}. */
const struct sr_attr *sr_parser_axes_list(struct sr_parser *p);      /* Parse [{"x"}, {}]. */
const struct sr_attr *sr_parser_all_to_all_params(struct sr_parser *p); /* Parse [{"x"}: 0->1]. */
/* Parse the body of #sdy.<name>. Return NULL if this file does not know the name. */
const struct sr_attr *sr_parser_sdy(struct sr_parser *p, const char *name);

/* ---- propagation_edges.c ---- */
/* Parse propagation edges, e.g. <[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>. */
const struct sr_attr *sr_parser_propagation_edges(struct sr_parser *p);

/* ---- indexing_map.c ---- */
/* Parse an indexing map, e.g. <(d0, d1) -> [d0, d1 + 1]>. */
const struct sr_attr *sr_parser_indexing_map(struct sr_parser *p, const struct sr_attr_def *def);

/* ---- parse_loc.c ---- */
const struct sr_attr *sr_parser_loc(struct sr_parser *p);            /* Parse loc(...), whose aliases must be defined. */
/* Parse loc(...) if it is present, otherwise return NULL. *alias: its name if it is an alias that is not defined yet. */
const struct sr_attr *sr_parser_trailing_loc(struct sr_parser *p, const char **alias);
const struct sr_attr *sr_parser_loc_at(struct sr_parser *p, const char *position);
void sr_parser_defer_loc(struct sr_parser *p, const struct sr_attr **loc, const char *alias, const char *position);

/* ---- parse_region.c ---- */
struct sr_value *sr_parser_value(struct sr_parser *p, struct sr_ssa_name name, const struct sr_type *type);
struct sr_ssa_name sr_parser_ssa_name(struct sr_parser *p);                  /* Parse %name or %name#1. */
void sr_parser_ssa_names(struct sr_parser *p, sr_ssa_names *out);            /* Parse a possibly empty list %a, %b. */
void sr_parser_define_results(struct sr_parser *p, struct sr_ssa_name name, struct sr_op *op, int first, int n);
void sr_parser_push_scope(struct sr_parser *p);
/* Leave the scope of an isolated op; fails if a name was used but never defined in it. */
void sr_parser_pop_scope(struct sr_parser *p);
/* Parse { ... }. `args` are the entry block's arguments; NULL: its label may declare them. `dialect` is the default dialect
 * inside. */
struct sr_region *sr_parser_region(struct sr_parser *p, const sr_arguments *args, bool is_isolated, const char *dialect);
struct sr_argument sr_parser_argument(struct sr_parser *p, bool allows_attrs); /* Parse %a : type {attrs} loc(...). */

/* ---- parse_op.c ---- */
void sr_parser_op(struct sr_parser *p, struct sr_block *block); /* Parse an op with its result names and append it. */
void sr_parser_optional_dict(struct sr_parser *p, struct sr_op_state *s); /* Parse an optional {...} into the op's attributes. */
void sr_parser_set_attr(struct sr_parser *p, struct sr_op_state *s, const char *name, const struct sr_attr *value);
/* Parse the generic form after the op's name: (operands) <{}> ({regions}) {attrs} : type. */
void sr_parser_generic(struct sr_parser *p, struct sr_op_state *s);
void sr_parser_add_region(struct sr_parser *p, struct sr_op_state *s, struct sr_region *region);
/* Return the default dialect of the op's regions: func, builtin or "". */
const char *sr_default_dialect(const struct sr_op_info *info);

/* ---- form_parse.c ---- */
void sr_parser_form(struct sr_parser *p, struct sr_op_state *s); /* Parse the custom form after the op's name. */

/* ---- form/custom_module.c ---- */
void sr_parse_module(struct sr_parser *p, struct sr_op_state *s);

#endif
