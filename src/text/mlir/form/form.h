/* Custom assembly forms of ops as data. The FORM column of the op table is a string in the language below, similar to MLIR's
 * declarative assembly format. It is compiled to an array of elements that both the parser and the printer interpret.
 *
 *	"lhs `,` rhs `,` <dot-dimensions> `` <precision-and-algorithm> attr-dict `:` <functional-type>"
 *	"operand `,` `dims` `=` broadcast_dimensions attr-dict `:` <functional-type>"
 *
 *	`text`         a literal: keyword or punctuation
 *	``             no whitespace before the next element
 *	name           an operand (variadic: %a, %b), attribute or region of the op's signature. Attributes have the syntax of their
 *	               kind: 3, [1, 2], LT, "s", @f, <...> without the prefix #dialect.name
 *	operands       all operands, separated by commas
 *	attr-dict      the attributes that the form does not mention, in braces. Attributes with their default value are omitted;
 *	               so is an empty dictionary
 *	<directive names...>   a row of the table in directives.c with its own syntax. Names are the attributes or values it covers;
 *	               the default is in its row
 *	( a b ... )?   an optional group, printed if its anchor is present: the first element that is an operand, attribute, region or
 *	               directive. The group is parsed if its first literal (or %, {) is next
 *	GENERIC        only the generic form
 *	CUSTOM(f)      the functions sr_parse_f and sr_print_f
 *
 * Whitespace follows MLIR's rule for declarative formats: one space before every element, except before the single characters
 * <>(){}[], (after other punctuation: except before >)}],), and none after <({[ and ``.
 *
 * Values whose type the form does not mention have the one type that it mentions. */
#ifndef SR_TEXT_FORM_H
#define SR_TEXT_FORM_H

#include "text/mlir/parse/parser.h"
#include "text/mlir/print/printer.h"

enum sr_form_element_kind {
	SR_FORM_LITERAL,
	SR_FORM_NO_SPACE,     /* `` in a form: no whitespace before the next element */
	SR_FORM_OPERANDS,  /* element for all operands of the op */
	SR_FORM_OPERAND,   /* element that prints and parses the operands of one slot */
	SR_FORM_ATTR,      /* element for the attribute of one slot of the signature */
	SR_FORM_REGION,    /* element for the regions of one slot of the signature */
	SR_FORM_ATTR_DICT,
	SR_FORM_DIRECTIVE, /* a directive; uses the members `directive` and `args` */
	SR_FORM_GROUP,     /* an optional group; uses the members `next` and `anchor` */
	SR_FORM_GROUP_END
};

enum { SR_MAX_DIRECTIVE_ARGS = 6 };

struct sr_form_element {
	enum sr_form_element_kind kind;
	int slot;	  /* index of the operand, attribute or region in the op's signature */
	const char *text; /* text of a literal; for a group, its first literal */
	const struct sr_directive *directive;
	const char *args[SR_MAX_DIRECTIVE_ARGS];
	int n_args;
	int end_index;         /* for a group: index of the element after its end */
	int anchor;       /* for a group: index of the element whose presence decides whether the group is printed */
};

struct sr_form {
	const struct sr_form_element *elements;
	int n;
	bool is_generic; /* true if the op has only the generic form */
	void (*parse)(struct sr_parser *p, struct sr_op_state *s); /* function of a CUSTOM form; NULL for other forms */
	void (*print)(struct sr_printer *out, const struct sr_op *op);
	uint64_t listed_attrs; /* bit set of the signature's attributes that are not in attr-dict */
};

/* A directive, with its parse and print functions. */
struct sr_directive {
	const char *name;
	void (*parse)(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element);
	void (*print)(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element);
	const char *args; /* default names of the directive's arguments */
	bool prints_leading_space;       /* true if the directive prints its own leading whitespace */
};
extern const struct sr_directive sr_directives[];

#define CUSTOM(name)                                                \
	void sr_parse_##name(struct sr_parser *p, struct sr_op_state *s); \
	void sr_print_##name(struct sr_printer *out, const struct sr_op *op);
CUSTOM(module)
CUSTOM(func)
CUSTOM(constant)
CUSTOM(reduce)
CUSTOM(while)
CUSTOM(scan)
#undef CUSTOM

/* Return the form of a registered op. The form is compiled on first use and never changes; thread-safe. Unwinds ctx's arena if
 * memory runs out. An invalid FORM aborts with the op's name. */
const struct sr_form *sr_form_of(struct sr_context *ctx, const struct sr_op_info *info);
void sr_print_form(struct sr_printer *out, const struct sr_op *op, const struct sr_form *form);
int sr_slot_find(const struct sr_slot *slots, int n, const char *name); /* Return the index of the slot with this name, or -1. */
/* Return the index of the attribute with this name, or -1. */
int sr_attr_slot_find(const struct sr_signature *sig, const char *name);
/* Set *first and *n to the range of the op's operands in a slot of its signature. */
void sr_operands_of(const struct sr_op *op, int slot, int *first, int *n);
/* Set *first and *n to the range of the op's results in a slot of its signature. */
void sr_results_of(const struct sr_op *op, int slot, int *first, int *n);

#endif
