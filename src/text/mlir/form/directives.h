/* Parse and print functions of the form language's directives, which the table in directives.c lists. */
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

#endif
