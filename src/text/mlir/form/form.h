/* Forms: the pretty text of ops, as data. The FORM column of the op table is one string in the language below; it is compiled at
 * start into a small array of steps that the parser and the printer both walk.
 *
 *	"lhs `,` rhs `,` <dot-dimensions> `` <precision-and-algorithm> attr-dict `:` <functional-type>"
 *	"operand `,` `dims` `=` broadcast_dimensions attr-dict `:` <functional-type>"
 *
 *	`text`         a literal: a word or punctuation
 *	``             nothing, and no blank before what follows
 *	name           an operand (variadic: %a, %b), an attribute or a region of the op's signature; an attribute is written as its kind
 *	               is: 3, [1, 2], LT, "s", @f, <...> without the prefix #dialect.name
 *	operands       all operands, separated by commas
 *	attr-dict      the attributes that the form does not mention, in braces; nothing where there are none. Those equal to their default
 *	               are left out
 *	<directive names...>   a row of the table in directives.c: text of its own. The names say which attributes or values it stands for;
 *	               without names, those of its row
 *	( a b ... )?   a group, there when its anchor is: its first member that is an operand, attribute, region or directive. Read where
 *	               its first literal (or %, {) is next
 *	GENERIC        the quoted form alone
 *	CUSTOM(f)      the functions sr_parse_f and sr_print_f
 *
 * Blanks follow MLIR's rule for declarative formats: one before every step, but not before <>(){}[], as single characters (after
 * other punctuation: not before >)}],), and not after <({[ and ``.
 *
 * Values whose type the form does not mention have the type that it does mention (operands and results of one type). */
#ifndef SR_TEXT_FORM_H
#define SR_TEXT_FORM_H

#include "text/mlir/parse/parser.h"
#include "text/mlir/print/printer.h"

enum sr_form_element_kind {
	SR_FORM_LITERAL,
	SR_FORM_TIGHT,     /* `` */
	SR_FORM_OPERANDS,  /* all */
	SR_FORM_OPERAND,   /* slot */
	SR_FORM_ATTR,      /* slot */
	SR_FORM_REGION,    /* slot */
	SR_FORM_ATTR_DICT,
	SR_FORM_DIRECTIVE, /* directive, args */
	SR_FORM_GROUP,     /* next: behind its end; anchor */
	SR_FORM_GROUP_END
};

enum { SR_MAX_DIRECTIVE_ARGS = 6 };

struct sr_form_element {
	enum sr_form_element_kind kind;
	int slot;
	const char *text; /* of a literal; first literal of a group */
	const struct sr_directive *directive;
	const char *args[SR_MAX_DIRECTIVE_ARGS];
	int n_args;
	int next;         /* GROUP */
	int anchor;       /* GROUP: step whose presence decides */
};

struct sr_form {
	const struct sr_form_element *steps;
	int n;
	bool generic;
	void (*parse)(struct sr_parser *p, struct sr_op_state *s); /* CUSTOM */
	void (*print)(struct sr_printer *out, const struct sr_op *op);
	uint64_t mentioned; /* attributes of the signature, as bits: not in attr-dict */
};

/* What a directive writes and reads. */
struct sr_directive {
	const char *name;
	void (*parse)(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *step);
	void (*print)(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *step);
	const char *args; /* names where the form gives none */
	bool tight;       /* writes its own leading text: no blank before it */
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

/* Return the form of a registered op. Forms are compiled on first use, once for all contexts and threads, and do not change.
 * Unwinds the arena of ctx if memory runs out. A mistake in the table aborts with the name of the op. */
const struct sr_form *sr_form_of(struct sr_context *ctx, const struct sr_op_info *info);
void sr_print_form(struct sr_printer *out, const struct sr_op *op, const struct sr_form *form);
int sr_slot_find(const struct sr_slot *slots, int n, const char *name); /* -1 */
int sr_attr_slot_find(const struct sr_signature *sig, const char *name); /* -1 */
/* The op's operands of a slot. */
void sr_operands_of(const struct sr_op *op, int slot, int *first, int *n);
void sr_results_of(const struct sr_op *op, int slot, int *first, int *n);

#endif
