/* The parser's inside: tokens, SSA names in scope, and who reads what. Private to the text room.
 *
 * A syntax error ends the parse: sr_parser_fail reports it and unwinds to sr_parse, which returns SR_INVALID. So the functions
 * below return what they read and callers never test for failure. Everything lives in the context's arena.
 * The parser stands on one token, p->kind, whose text is p->tok[0..p->len);
 * one-character tokens have that character as their kind. */
#ifndef SR_TEXT_PARSER_H
#define SR_TEXT_PARSER_H

#include "dialect/ops.h"
#include "dialect/signature.h"
#include "support/vec.h"
#include "text/text.h"
#include <setjmp.h>

enum sr_token {
	SR_TOK_END = 0,
	SR_TOK_BARE = 256, /* stablehlo.add, tensor */
	SR_TOK_AT,         /* @main, @"a b" */
	SR_TOK_HASH,       /* #loc1, #sdy.sharding */
	SR_TOK_BANG,       /* !stablehlo.token */
	SR_TOK_PERCENT,    /* %arg0 */
	SR_TOK_CARET,      /* ^bb0 */
	SR_TOK_INT,        /* 12, 0x1F */
	SR_TOK_FLOAT,      /* 1.5e+00 */
	SR_TOK_STRING,     /* with its quotes */
	SR_TOK_ARROW,      /* -> */
	SR_TOK_RESOURCES,  /* {-# */
	SR_TOK_RESOURCES_END /* #-} */
};

enum { SR_MAX_NESTING = 200 }; /* of regions, attributes and types alike */

struct sr_name { /* an SSA name as written, not yet resolved */
	const char *name; /* interned, without the % */
	int index;        /* of %name#index; 0 */
	const char *where;
};
typedef SR_VEC(struct sr_name) sr_ssa_names;
typedef SR_VEC(const struct sr_type *) sr_types;
typedef SR_VEC(const struct sr_attr *) sr_attrs;
typedef SR_VEC(struct sr_named_attr) sr_named_attrs;
typedef SR_VEC(int64_t) sr_integers;

struct sr_argument { /* of a region's entry block */
	struct sr_name name;
	const struct sr_type *type;
	const struct sr_attr *loc;   /* NULL: where it is written */
	const char *loc_alias;       /* loc(#name) to be resolved at the end; NULL */
	const struct sr_attr *attrs; /* DICT or NULL */
};
typedef SR_VEC(struct sr_argument) sr_arguments;

/* One op being read: what forms and custom parsers fill in, from which sr_parser_finish_op makes the op. */
enum { SR_MAX_SLOTS = 12 };
struct sr_op_state {
	const struct sr_op_info *info;
	const char *where;         /* its name in the text */
	const char *loc_where;     /* where its location points; normally `where` */
	const char *operands_where;
	sr_ssa_names flat;             /* operands read as one list, or */
	sr_ssa_names groups[SR_MAX_SLOTS]; /* by slot of the signature */
	bool grouped;
	sr_types group_types[SR_MAX_SLOTS];
	sr_types operand_types;    /* of all operands; group_types are used where it is empty */
	bool has_operand_types;
	sr_types results;
	sr_named_attrs attrs;
	const char *const *inherent; /* of an unregistered op: names given in <{}> */
	int n_inherent;
	SR_VEC(struct sr_region *) regions;
};

struct sr_ssa_def { /* what a name stands for */
	struct sr_op *op; /* results first..first+n-1 of it, or */
	int first, n;
	struct sr_value *arg;
	const char *where;
	struct sr_forward_use *forwards; /* uses before the definition */
};
struct sr_forward_use {
	struct sr_value *value; /* stands in until the definition is read */
	int index;
	const char *where;
	struct sr_forward_use *next;
};
struct sr_scope { /* of one isolated op's regions */
	struct sr_scope *up;
	struct sr_map names; /* interned name -> sr_ssa_def */
	SR_VEC(struct sr_ssa_def *) defined; /* in order, so that a region takes its names away at its end */
};

/* What is being read, for the messages that follow a syntax error inside it: where the innermost one stands,
 * then the ones around it. */
struct sr_parse_context {
	const char *failure; /* "failed to parse Sdy_TensorSharding parameter 'dim_shardings' ..."; NULL: none, or */
	const struct sr_attr_def *def; /* that of this attribute; NULL */
	struct sr_parse_context *outer;
};

struct sr_deferred_loc { /* loc(#name) on an op or an argument */
	const struct sr_attr **loc;
	const char *name, *where;
};

struct sr_alias { /* #name or !name (parse_alias.c) */
	const void *thing;
	int depth;      /* of attributes and types in each other, at most */
	int64_t weight; /* how many they are written out, where what is shared counts each time */
};

struct sr_kept_name { /* of a value, for its location; as written, without the % */
	const struct sr_attr **loc;
	const char *name;
};

struct sr_parser {
	struct sr_context *ctx;
	struct sr_arena *arena;
	struct sr_arena *scratch; /* of one op being read */
	const char *file; /* interned */
	const char *text, *end, *at; /* `at`: behind the current token */
	const char **lines;          /* starts of lines */
	size_t n_lines;
	int line_offset;
	int kind;
	const char *tok;
	size_t len;
	int depth;
	const char *dialect; /* whose prefix op names may leave out here */
	const char *form_of; /* the op whose pretty form is being read; NULL: none. Messages name it, but not those about types and attributes */
	int form_depth;      /* of nesting where it begins */
	struct sr_parse_context *reading;
	bool invalid; /* an error was reported and reading went on */
	struct sr_map attr_aliases, type_aliases; /* interned name without # or ! -> struct sr_alias */
	int64_t weight; /* of what is read: the module's ops, or the alias being defined */
	int deepest;    /* of the alias being defined */
	struct sr_map resources; /* interned key -> bytes in the trailer (resources.c) */
	bool resources_read;
	struct sr_scope *scope;
	SR_VEC(struct sr_deferred_loc) deferred;
	SR_VEC(struct sr_kept_name) kept; /* where the context keeps names */
	jmp_buf fail;
};

/* ---- lexer.c ---- */
void sr_parser_init(struct sr_parser *p, struct sr_context *ctx, const char *file, const char *text, size_t n, int line_offset);
void sr_parser_next(struct sr_parser *p);            /* to the next token */
void sr_parser_restart(struct sr_parser *p, const char *at); /* read the token that starts at `at` */
struct sr_src_loc sr_parser_place(struct sr_parser *p, const char *where);
_Noreturn void sr_parser_fail(struct sr_parser *p, const char *where, const char *format,
			      ...) __attribute__((format(printf, 3, 4)));
/* and go on */
void sr_parser_report(struct sr_parser *p, const char *where, const char *format, ...) __attribute__((format(printf, 3, 4)));
_Noreturn void sr_parser_expected(struct sr_parser *p, const char *what); /* "expected <what>, found ..." at the current token */
static inline void sr_parser_push_context(struct sr_parser *p, struct sr_parse_context *r, const char *failure)
{
	*r = (struct sr_parse_context){failure, NULL, p->reading};
	p->reading = r;
}
static inline void sr_parser_pop_context(struct sr_parser *p)
{
	p->reading = p->reading->outer;
}
static inline bool sr_parser_is(const struct sr_parser *p, int kind)
{
	return p->kind == kind;
}
bool sr_parser_is_word(const struct sr_parser *p, const char *word); /* a bare word */
bool sr_parser_accept(struct sr_parser *p, int kind);                /* read it if it is there */
bool sr_parser_accept_word(struct sr_parser *p, const char *word);
void sr_parser_expect(struct sr_parser *p, int kind);
void sr_parser_expect_word(struct sr_parser *p, const char *word);
void sr_parser_enter(struct sr_parser *p); /* one level deeper; fails beyond SR_MAX_NESTING */
void sr_parser_leave(struct sr_parser *p);
const char *sr_parser_word(struct sr_parser *p, const char *what);   /* a bare word, interned */
const char *sr_parser_string(struct sr_parser *p);                   /* a quoted string, unescaped and interned */
const char *sr_parser_symbol(struct sr_parser *p);                   /* @name, interned without the @ */
const char *sr_parser_attr_name(struct sr_parser *p);                /* word or string */
int64_t sr_parser_integer(struct sr_parser *p);                      /* with its sign */
/* false: beyond 64 bits; current token is an INT */
bool sr_parser_integer_bits(struct sr_parser *p, bool *negative, uint64_t *magnitude);
void sr_parser_integers(struct sr_parser *p, sr_integers *out);      /* [1, 2] */

/* ---- parse_alias.c ---- */
void sr_parser_alias(struct sr_parser *p, bool type); /* #name = attribute, !name = type */
/* What the alias at the current token stands for; NULL: there is none of the name. */
const void *sr_parser_use_alias(struct sr_parser *p, const struct sr_map *aliases, const char *name);
const struct sr_attr *sr_parser_known_loc(const struct sr_parser *p, const char *name); /* of any kind; NULL: not yet defined */
void sr_parser_resolve_locations(struct sr_parser *p); /* those named before they were defined */

/* ---- parse_number.c: a number is read before its type is known ---- */
struct sr_number {
	int kind; /* SR_TOK_INT, SR_TOK_FLOAT, or SR_TOK_BARE: true or false */
	bool negative;
	const char *where, *tok; /* sign and all; digits */
	size_t len;
};
void sr_parser_number(struct sr_parser *p, struct sr_number *out);
uint64_t sr_parser_number_to_float(struct sr_parser *p, const struct sr_number *number, const struct sr_type *type); /* its bits */
/* extended to 64 bits */
int64_t sr_parser_number_to_integer(struct sr_parser *p, const struct sr_number *number, const struct sr_type *type);
/* its bytes */
void sr_parser_element(struct sr_parser *p, const struct sr_number *number, const struct sr_type *scalar, void *out);

/* ---- parse_type.c ---- */
const struct sr_type *sr_parser_type(struct sr_parser *p);
const struct sr_type *sr_parser_optional_type(struct sr_parser *p); /* NULL where the token starts none */
void sr_parser_type_list(struct sr_parser *p, sr_types *out);        /* a, b, c */
void sr_parser_function_types(struct sr_parser *p, sr_types *in, sr_types *out); /* (a, b) -> c or (c, d) */
/* Text up to the bracket that closes the one at the current token, both included. */
const char *sr_parser_balanced(struct sr_parser *p);

/* ---- parse_attr.c, parse_dense.c, parse_dialect_attr.c ---- */
const struct sr_attr *sr_parser_attr(struct sr_parser *p, const struct sr_type *type); /* type: of numbers that give none; NULL */
const struct sr_attr *sr_parser_dict(struct sr_parser *p);           /* {a = 1, b} */
void sr_parser_dict_into(struct sr_parser *p, sr_named_attrs *out);
void sr_parser_add_attr(struct sr_parser *p, sr_named_attrs *out, const char *name, const struct sr_attr *value, const char *where);
const struct sr_attr *sr_parser_dense(struct sr_parser *p, const struct sr_type *type);
/* Little endian bytes of all elements of a constant, or of one, in hex. */
const struct sr_attr *sr_parser_hex(struct sr_parser *p, const char *where, const char *digits, size_t n,
				    const struct sr_type *type);
const struct sr_attr *sr_parser_dense_array(struct sr_parser *p);    /* behind `array` */
const struct sr_attr *sr_parser_dialect_attr(struct sr_parser *p);   /* #dialect.name<...> */
const struct sr_attr *sr_parser_enum(struct sr_parser *p, const struct sr_attr_def *def); /* the bare enumerator */
const struct sr_attr *sr_parser_struct(struct sr_parser *p, const struct sr_attr_def *def); /* <...> */
/* what follows a message inside one; NULL: nothing */
const char *sr_parser_failure_note(struct sr_parser *p, const struct sr_attr_def *def);
/* Has a field of a structure the value that is left out in the text? Structures hold NULL then. */
bool sr_field_is_default(const struct sr_attr_slot *field, const struct sr_attr *a);
/* An attribute as its kind of slot is written inside forms and structs: 3, [1, 2], LT, "s", <...>. */
const struct sr_attr *sr_parser_attr_of_slot(struct sr_parser *p, const struct sr_attr_slot *slot);

/* ---- resources.c ---- */
const struct sr_attr *sr_parser_resource(struct sr_parser *p);       /* behind `dense_resource` */
void sr_parser_resources(struct sr_parser *p);                       /* {-# ... #-} */

/* ---- parse_conv.c ---- */
const struct sr_attr *sr_parser_conv_dims(struct sr_parser *p, const struct sr_attr_def *def); /* [b, 0, f]x[0, i, o]->[b, 0, f] */

/* ---- parse_sdy.c ---- */
const struct sr_attr *sr_parser_mesh(struct sr_parser *p);           /* <["x"=2]> */
const struct sr_attr *sr_parser_sharding(struct sr_parser *p);       /* <@mesh, [{"x"}, {}]> */
const struct sr_attr *sr_parser_shardings(struct sr_parser *p);      /* [<@mesh, [...]>, ...] */
const struct sr_attr *sr_parser_axis(struct sr_parser *p);           /* "x":(1)2, as a list of one */
const struct sr_attr *sr_parser_axes(struct sr_parser *p);           /* {"x", "y":(1)2} */
const struct sr_attr *sr_parser_axes_list(struct sr_parser *p);      /* [{"x"}, {}] */
const struct sr_attr *sr_parser_all_to_all_params(struct sr_parser *p); /* [{"x"}: 0->1] */
const struct sr_attr *sr_parser_rule(struct sr_parser *p);           /* <([i, j])->([i, j]) {i=2, j=2}> */
/* #sdy.<name>...: NULL where this file does not know the name. Stands behind the name. */
const struct sr_attr *sr_parser_sdy(struct sr_parser *p, const char *name);

/* ---- propagation_edges.c ---- */
const struct sr_attr *sr_parser_propagation_edges(struct sr_parser *p); /* <[{step-0 = [{"x" = operand-0 -> [result-0]}]}]> */

/* ---- indexing_map.c ---- */
const struct sr_attr *sr_parser_indexing_map(struct sr_parser *p, const struct sr_attr_def *def); /* <(d0, d1) -> [d0, d1 + 1]> */

/* ---- parse_loc.c ---- */
const struct sr_attr *sr_parser_loc(struct sr_parser *p);            /* loc(...), aliases known */
/* A trailing loc(...) if there is one: *alias is set where it names an alias that is not known yet. */
const struct sr_attr *sr_parser_trailing_loc(struct sr_parser *p, const char **alias);
const struct sr_attr *sr_parser_loc_at(struct sr_parser *p, const char *where);
void sr_parser_defer_loc(struct sr_parser *p, const struct sr_attr **loc, const char *alias, const char *where);

/* ---- parse_region.c ---- */
struct sr_value *sr_parser_value(struct sr_parser *p, struct sr_name name, const struct sr_type *type);
struct sr_name sr_parser_ssa_name(struct sr_parser *p);                  /* %name or %name#1 */
void sr_parser_ssa_names(struct sr_parser *p, sr_ssa_names *out);            /* possibly empty, %a, %b */
void sr_parser_define_arg(struct sr_parser *p, struct sr_name name, struct sr_value *value);
void sr_parser_define_results(struct sr_parser *p, struct sr_name name, struct sr_op *op, int first, int n);
void sr_parser_push_scope(struct sr_parser *p);
void sr_parser_pop_scope(struct sr_parser *p); /* fails where a name was used and never defined */
/* { ... } with given entry arguments (args NULL: the entry block may have a label with arguments).
 * `dialect` is the default one inside. */
struct sr_region *sr_parser_region(struct sr_parser *p, const sr_arguments *args, bool isolated, const char *dialect);
struct sr_argument sr_parser_argument(struct sr_parser *p, bool attrs); /* %a : type {attrs} loc(...) */

/* ---- parse_op.c ---- */
void sr_parser_op(struct sr_parser *p, struct sr_block *block); /* with its results' names; appended */
void sr_parser_optional_dict(struct sr_parser *p, struct sr_op_state *s); /* [{...}] into the op's attributes */
void sr_parser_set_attr(struct sr_parser *p, struct sr_op_state *s, const char *name, const struct sr_attr *value);
const struct sr_op_info *sr_parser_op_name(struct sr_parser *p); /* bare, the default dialect left out or not */
/* The quoted form behind the op's name: (operands) <{}> ({regions}) {attrs} : type. */
void sr_parser_generic(struct sr_parser *p, struct sr_op_state *s);
void sr_parser_add_region(struct sr_parser *p, struct sr_op_state *s, struct sr_region *region);
const char *sr_default_dialect(const struct sr_op_info *info); /* whose prefix ops in its regions leave out: func, builtin or "" */

/* ---- form_parse.c ---- */
void sr_parser_form(struct sr_parser *p, struct sr_op_state *s); /* the pretty form behind the op's name */

/* ---- form/custom_module.c ---- */
void sr_parse_module(struct sr_parser *p, struct sr_op_state *s);

#endif
