/* Aliases of attributes, types and locations, for the other files of the printer. */
#ifndef SR_TEXT_ALIASES_H
#define SR_TEXT_ALIASES_H

#include "text/mlir/print/printer.h"

bool sr_is_collecting_aliases(const struct sr_printer *p);
/* While collecting aliases, record a use of this location by an op (is_deferrable) or by an argument. */
void sr_visit_location(struct sr_printer *p, const struct sr_attr *loc, bool is_deferrable);
/* Print the alias of an attribute, or record the use while collecting. Returns false if the caller has to print the attribute
 * itself. */
bool sr_print_attr_alias(struct sr_printer *p, const struct sr_attr *a);
/* Print the alias of a type, or record the use while collecting. Returns false if the caller has to print the type itself. */
bool sr_print_type_alias(struct sr_printer *p, const struct sr_type *t);

#endif
