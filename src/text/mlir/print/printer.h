/* Internals of the MLIR printer. Private to src/text. */
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
	const char *dialect;           /* default dialect, whose prefix op names omit */
	struct sr_value_names *names;
	struct sr_aliases *aliases;    /* NULL: print without aliases */
	struct sr_map *resources;      /* printed so far, key -> attribute, for the resource section; NULL: not collected */
};

/* ---- print_attr.c ---- */
enum sr_type_shown { SR_TYPE_SHOWN, SR_TYPE_IN_LIST /* omitted for i64 and f64 */, SR_TYPE_HIDDEN };
void sr_print_attribute(struct sr_printer *p, const struct sr_attr *a, enum sr_type_shown shown);
void sr_print_type(struct sr_printer *p, const struct sr_type *t);
void sr_print_symbol(struct sr_buf *out, const char *s);  /* print @name or @"na me" */
void sr_print_keyword_or_string(struct sr_buf *out, const char *s);    /* print bare if possible, otherwise quoted */
void sr_print_dict_entries(struct sr_printer *p, const struct sr_named_attr *entries, int n); /* print a = 1, b */
void sr_print_integers(struct sr_printer *p, const struct sr_attr *list); /* print 1, 2 */
/* Print an attribute in the short syntax of its slot's kind, as in forms and structures (see sr_parser_attr_of_slot). */
void sr_print_attr_of_slot(struct sr_printer *p, const struct sr_attr_slot *slot, const struct sr_attr *a);

/* ---- print_dense.c ---- */
void sr_print_dense(struct sr_printer *p, const struct sr_attr *a, bool type);
void sr_print_hex(struct sr_printer *p, const struct sr_dense *d, enum sr_dtype type); /* print only the hex digits */
void sr_print_dense_array(struct sr_printer *p, const struct sr_attr *a, bool bare); /* bare: print "1, 2" without array<...> */

/* ---- resources.c ---- */
void sr_print_resource(struct sr_printer *p, const struct sr_attr *a); /* print dense_resource<key> : type */
void sr_print_resources(struct sr_printer *p);                         /* print the section {-# ... #-} */

/* ---- print_struct.c ---- */
void sr_print_struct(struct sr_printer *p, const struct sr_attr *a); /* print <...> without the attribute's name */
void sr_print_conv_dims(struct sr_printer *p, const struct sr_attr *a);

/* ---- print_sdy.c ---- */
void sr_print_axis(struct sr_buf *out, struct sr_sdy_axis ref);                 /* print "x":(1)2 */
void sr_print_axes(struct sr_buf *out, struct sr_sdy_axes axes);                    /* print {"x"} */
void sr_print_sharding(struct sr_buf *out, const struct sr_sdy_sharding *s);        /* print <@mesh, [{"x"}]> */
void sr_print_rule(struct sr_buf *out, const struct sr_sharding_rule *rule);
/* print any attribute for which sr_is_sdy_attr is true */
void sr_print_sdy(struct sr_printer *p, const struct sr_attr *a, bool prefix);
bool sr_is_sdy_attr(const struct sr_attr *a);

/* ---- propagation_edges.c ---- */
void sr_print_propagation_edges(struct sr_printer *p, const struct sr_attr *a); /* print <[{step-0 = [...]}]> */

/* ---- indexing_map.c ---- */
void sr_print_indexing_map(struct sr_printer *p, const struct sr_attr *a); /* print <(d0, d1) -> [d0, d1 + 1]> */

/* ---- print_loc.c ---- */
void sr_print_location(struct sr_printer *p, const struct sr_attr *loc, bool alias); /* print loc(...) */
void sr_print_location_body(struct sr_printer *p, const struct sr_attr *loc);        /* print the part inside loc( ) */

/* ---- value_names.c ---- */
struct sr_value_names *sr_value_names_of(struct sr_context *ctx, const struct sr_op *root, bool generic);
void sr_value_names_to_locs(struct sr_context *ctx, const struct sr_op *root); /* store value names as locations: loc("%2"(...)) */
void sr_print_value(struct sr_printer *p, const struct sr_value *v); /* print %2#1 */
void sr_print_result_names(struct sr_printer *p, const struct sr_op *op); /* print "%0:2 = " */
int sr_block_number(const struct sr_block *block);

/* ---- aliases.c; more in aliases.h ---- */
struct sr_aliases *sr_aliases_of(struct sr_printer *p, const struct sr_op *root);
void sr_print_aliases(struct sr_printer *p, bool deferred); /* print the alias definitions */

/* ---- print_op.c ---- */
void sr_print_op(struct sr_printer *p, const struct sr_op *op); /* print an op without the newline */
void sr_print_generic(struct sr_printer *p, const struct sr_op *op, bool name);
void sr_print_newline(struct sr_printer *p);
void sr_print_values(struct sr_printer *p, const struct sr_use *operands, int n);
void sr_print_function_types(struct sr_printer *p, const struct sr_op *op); /* print (a, b) -> c */
/* Print { ... }. entry_args: with the entry block's label and arguments; terminators: with terminators. */
void sr_print_region(struct sr_printer *p, const struct sr_region *region, bool entry_args, bool terminators);
/* print %a: type {attrs} loc */
void sr_print_argument(struct sr_printer *p, const struct sr_value *arg, const struct sr_attr *attrs);
/* Print " {a = 1}", after the keyword if not NULL. Attributes in `hidden` (NULL-terminated) are omitted. Prints nothing if none
 * remain. */
void sr_print_attr_dict(struct sr_printer *p, const struct sr_op *op, const char *keyword, const char *const *hidden);

#endif
