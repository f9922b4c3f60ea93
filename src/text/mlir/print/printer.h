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
	int indent; /* number of spaces at the beginning of a line */
	const char *dialect;           /* default dialect, whose prefix op names omit */
	struct sr_value_names *names;
	struct sr_aliases *aliases;    /* aliases of the module; NULL: print without aliases */
	/* resources printed so far, for the resource section: map from key to attribute; NULL: they are not collected */
	struct sr_map *resources;
};

/* ---- print_attr.c ---- */
enum sr_type_display { SR_TYPE_SHOWN, SR_TYPE_IN_LIST /* print the type unless it is i64 or f64 */, SR_TYPE_HIDDEN };
void sr_print_attribute(struct sr_printer *p, const struct sr_attr *a, enum sr_type_display type_display);
void sr_print_type(struct sr_printer *p, const struct sr_type *t);
void sr_print_symbol(struct sr_buf *out, const char *s);  /* Print @name or @"na me". */
void sr_print_keyword_or_string(struct sr_buf *out, const char *s); /* Print the text bare if it is a keyword, otherwise quoted. */
/* Print the entries of a dictionary: a = 1, b. */
void sr_print_dict_entries(struct sr_printer *p, const struct sr_named_attr *entries, int n);
void sr_print_integers(struct sr_printer *p, const struct sr_attr *list); /* Print a list of integers: 1, 2. */
/* Print an attribute in the short syntax of its slot's kind, as in forms and structures (see sr_parser_attr_of_slot). */
void sr_print_attr_of_slot(struct sr_printer *p, const struct sr_attr_slot *slot, const struct sr_attr *a);

/* ---- print_dense.c ---- */
void sr_print_dense(struct sr_printer *p, const struct sr_attr *a, bool shows_type);
/* Print only the hex digits of a dense constant. */
void sr_print_hex(struct sr_printer *p, const struct sr_dense *d, enum sr_dtype type);
/* Print array<i64: 1, 2>; is_bare: only "1, 2". */
void sr_print_dense_array(struct sr_printer *p, const struct sr_attr *a, bool is_bare);

/* ---- resources.c ---- */
void sr_print_resource(struct sr_printer *p, const struct sr_attr *a); /* Print dense_resource<key> : type. */
void sr_print_resources(struct sr_printer *p);                         /* Print the resource section {-# ... #-}. */

/* ---- print_struct.c ---- */
void sr_print_struct(struct sr_printer *p, const struct sr_attr *a); /* Print <...> without the attribute's name. */
void sr_print_conv_dims(struct sr_printer *p, const struct sr_attr *a);

/* ---- print_sdy.c ---- */
void sr_print_axis(struct sr_buf *out, struct sr_sdy_axis ref);                 /* Print an axis: "x":(1)2. */
void sr_print_axes(struct sr_buf *out, struct sr_sdy_axes axes);                    /* Print a list of axes: {"x"}. */
/* Print any attribute for which sr_is_sdy_attr is true. */
void sr_print_sdy(struct sr_printer *p, const struct sr_attr *a, bool has_prefix);
bool sr_is_sdy_attr(const struct sr_attr *a);

/* ---- propagation_edges.c ---- */
void sr_print_propagation_edges(struct sr_printer *p, const struct sr_attr *a); /* Print <[{step-0 = [...]}]>. */

/* ---- indexing_map.c ---- */
void sr_print_indexing_map(struct sr_printer *p, const struct sr_attr *a); /* Print <(d0, d1) -> [d0, d1 + 1]>. */

/* ---- print_loc.c ---- */
void sr_print_location(struct sr_printer *p, const struct sr_attr *loc, bool allows_alias); /* Print loc(...). */
void sr_print_location_body(struct sr_printer *p, const struct sr_attr *loc); /* Print a location without loc( ) around it. */

/* ---- value_names.c ---- */
struct sr_value_names *sr_value_names_of(struct sr_context *ctx, const struct sr_op *root, bool is_generic);
/* Store the names of values in their locations: loc("%2"(...)). */
void sr_value_names_to_locs(struct sr_context *ctx, const struct sr_op *root);
void sr_print_value(struct sr_printer *p, const struct sr_value *v); /* Print the name of a value: %2#1. */
void sr_print_result_names(struct sr_printer *p, const struct sr_op *op); /* Print the names of an op's results: "%0:2 = ". */
int sr_block_number(const struct sr_block *block);

/* ---- aliases.c; more in aliases.h ---- */
struct sr_aliases *sr_aliases_of(struct sr_printer *p, const struct sr_op *root);
void sr_print_aliases(struct sr_printer *p, bool is_deferred); /* Print the alias definitions. */

/* ---- print_op.c ---- */
void sr_print_op(struct sr_printer *p, const struct sr_op *op); /* Print an op without the newline. */
void sr_print_generic(struct sr_printer *p, const struct sr_op *op, bool prints_name);
void sr_print_newline(struct sr_printer *p);
void sr_print_values(struct sr_printer *p, const struct sr_use *operands, int n);
void sr_print_function_types(struct sr_printer *p, const struct sr_op *op); /* Print the types of an op: (a, b) -> c. */
/* Print { ... }. prints_entry_args: print the entry block's label and arguments; prints_terminators: print terminators. */
void sr_print_region(struct sr_printer *p, const struct sr_region *region, bool prints_entry_args, bool prints_terminators);
/* Print an argument: %a: type {attrs} loc. */
void sr_print_argument(struct sr_printer *p, const struct sr_value *arg, const struct sr_attr *attrs);
/* Print " {a = 1}", after `keyword` if that is not NULL. Attributes whose names are in `elided_attrs` (ended by NULL) are omitted.
 * Prints nothing if none remain. */
void sr_print_attr_dict(struct sr_printer *p, const struct sr_op *op, const char *keyword, const char *const *elided_attrs);

#endif
