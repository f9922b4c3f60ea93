/* The printer's inside. Private to the text room. */
#ifndef SR_TEXT_PRINTER_H
#define SR_TEXT_PRINTER_H

#include "dialect/ops.h"
#include "dialect/signature.h"
#include "support/vec.h"
#include "text/text.h"

struct sr_aliases;
struct sr_value_names;

struct sr_printer {
	struct sr_context *ctx;
	struct sr_arena *arena;
	struct sr_buf *out;
	struct sr_print_options options;
	int indent;
	const char *dialect;           /* whose prefix op names leave out here */
	struct sr_value_names *names;
	struct sr_aliases *aliases;    /* NULL: none */
	struct sr_map *resources;      /* printed so far, key -> attribute, for the end of the text; NULL: not kept */
};

/* ---- print_attr.c ---- */
enum sr_type_shown { SR_TYPE_SHOWN, SR_TYPE_IN_LIST /* left out where it is i64 or f64 */, SR_TYPE_HIDDEN };
void sr_print_attribute(struct sr_printer *p, const struct sr_attr *a, enum sr_type_shown shown);
void sr_print_type(struct sr_printer *p, const struct sr_type *t);
void sr_print_symbol(struct sr_buf *out, const char *s);  /* @name or @"na me" */
void sr_print_keyword_or_string(struct sr_buf *out, const char *s);    /* bare where it can be, else quoted */
void sr_print_dict_entries(struct sr_printer *p, const struct sr_named_attr *entries, int n); /* a = 1, b */
void sr_print_integers(struct sr_printer *p, const struct sr_attr *list); /* 1, 2 */
/* An attribute as its kind of slot is written in forms and structures (see sr_parser_attr_of_slot). */
void sr_print_attr_of_slot(struct sr_printer *p, const struct sr_attr_slot *slot, const struct sr_attr *a);

/* ---- print_dense.c ---- */
void sr_print_dense(struct sr_printer *p, const struct sr_attr *a, bool type);
void sr_print_hex(struct sr_printer *p, const struct sr_dense *d, enum sr_dtype type); /* the digits alone */
void sr_print_dense_array(struct sr_printer *p, const struct sr_attr *a, bool bare); /* bare: 1, 2 */

/* ---- resources.c ---- */
void sr_print_resource(struct sr_printer *p, const struct sr_attr *a); /* dense_resource<key> : type */
void sr_print_resources(struct sr_printer *p);                         /* {-# ... #-} */

/* ---- print_struct.c ---- */
void sr_print_struct(struct sr_printer *p, const struct sr_attr *a); /* <...> without the name */
void sr_print_conv_dims(struct sr_printer *p, const struct sr_attr *a);

/* ---- print_sdy.c ---- */
void sr_print_axis(struct sr_buf *out, struct sr_sdy_axis ref);                 /* "x":(1)2 */
void sr_print_axes(struct sr_buf *out, struct sr_sdy_axes axes);                    /* {"x"} */
void sr_print_sharding(struct sr_buf *out, const struct sr_sdy_sharding *s);        /* <@mesh, [{"x"}]> */
void sr_print_rule(struct sr_buf *out, const struct sr_sharding_rule *rule);
void sr_print_sdy(struct sr_printer *p, const struct sr_attr *a, bool prefix);   /* kinds MESH .. RULE and all-to-all parameters */
bool sr_is_sdy_attr(const struct sr_attr *a);

/* ---- propagation_edges.c ---- */
void sr_print_propagation_edges(struct sr_printer *p, const struct sr_attr *a); /* <[{step-0 = [...]}]> */

/* ---- indexing_map.c ---- */
void sr_print_indexing_map(struct sr_printer *p, const struct sr_attr *a); /* <(d0, d1) -> [d0, d1 + 1]> */

/* ---- print_loc.c ---- */
void sr_print_location(struct sr_printer *p, const struct sr_attr *loc, bool alias); /* loc(...) */
void sr_print_location_body(struct sr_printer *p, const struct sr_attr *loc);        /* what stands inside loc( ) */

/* ---- value_names.c ---- */
struct sr_value_names *sr_value_names_of(struct sr_context *ctx, const struct sr_op *root, bool generic);
void sr_value_names_to_locs(struct sr_context *ctx, const struct sr_op *root); /* as locations loc("%2"(...)) */
void sr_print_value(struct sr_printer *p, const struct sr_value *v); /* %2#1 */
void sr_print_result_names(struct sr_printer *p, const struct sr_op *op); /* "%0:2 = " */
int sr_block_number(const struct sr_block *block);

/* ---- aliases.c; more in aliases.h ---- */
struct sr_aliases *sr_aliases_of(struct sr_printer *p, const struct sr_op *root);
void sr_print_aliases(struct sr_printer *p, bool deferred); /* the definitions */

/* ---- print_op.c ---- */
void sr_print_op(struct sr_printer *p, const struct sr_op *op); /* an op on its line, without the newline */
void sr_print_generic(struct sr_printer *p, const struct sr_op *op, bool name);
void sr_print_newline(struct sr_printer *p);
void sr_print_values(struct sr_printer *p, const struct sr_use *operands, int n);
void sr_print_function_types(struct sr_printer *p, const struct sr_op *op); /* (a, b) -> c */
/* { ... }: the entry block's label and arguments where entry_args, the terminator where terminators. */
void sr_print_region(struct sr_printer *p, const struct sr_region *region, bool entry_args, bool terminators);
void sr_print_argument(struct sr_printer *p, const struct sr_value *arg, const struct sr_attr *attrs); /* %a: type {attrs} loc */
/* " {a = 1}", with a leading keyword where given; names in `hidden` (ended by NULL) are left out; nothing where nothing is left. */
void sr_print_attr_dict(struct sr_printer *p, const struct sr_op *op, const char *keyword, const char *const *hidden);

#endif
