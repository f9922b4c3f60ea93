/* Directives of the form language: each has a parse and a print function, listed in the table of directives.c. */
#ifndef SR_TEXT_DIRECTIVES_H
#define SR_TEXT_DIRECTIVES_H

#include "text/mlir/form/form.h"

#define DIRECTIVE(name)                                                                                       \
	void sr_parse_##name(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element);         \
	void sr_print_##name(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element);
DIRECTIVE(call_target)
DIRECTIVE(symbol_name)
DIRECTIVE(slice_ranges)
DIRECTIVE(exponent_mantissa)
DIRECTIVE(dot_dimensions)
DIRECTIVE(precision)
DIRECTIVE(conv_dimensions)
DIRECTIVE(window)
DIRECTIVE(witness)
DIRECTIVE(index_type)
DIRECTIVE(element_of)
DIRECTIVE(extents)
#undef DIRECTIVE

/* Set the type of all operands read so far to t. */
void sr_set_operand_types(struct sr_parser *p, struct sr_op_state *s, const struct sr_type *t);
void sr_set_types_from_function(struct sr_parser *p, struct sr_op_state *s, const char *where, const struct sr_type *t,
				bool single);

#endif
